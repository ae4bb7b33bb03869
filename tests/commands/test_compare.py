"""What the verb compare says beside its numbers: which runs are not as others of their setup."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.support.lab import BEGIN, add_run, busy, sar
from tests.support.project import Project


def louder(at: float, by: float) -> float:
    return busy(at) + by


def test_runs_that_are_not_as_others_of_their_setup_are_named(tmp_path: Path) -> None:
    phase = {"start": BEGIN.isoformat(), "stable_phase": {"from_s": 60, "to_s": 390}}
    (tmp_path / "pipelines").mkdir()
    (tmp_path / "_config.yml").write_text("title: Drills\n", encoding="utf-8")
    for drill, most in (("none", 0.0), ("fire", 9.0)):
        for number in range(3):
            said = {} if (drill, number) == ("fire", 2) else phase
            factors = {"drill": drill, "repetition": number}
            file = {"sar.txt": sar(at=partial(louder, by=most + number / 10))}
            add_run(tmp_path, f"{drill}-{number}", file, factors=factors, **said)
    project = Project(tmp_path)
    project.run("load")
    done = project.run("compare", "drill=none", "drill=fire", code=None)
    (line,) = (each for each in done.stderr.splitlines() if each.startswith("doubtful: "))
    assert line.startswith("doubtful: lab/fire-2: stable phase: all of the run counts, and a part")
    # Once for all runs of the study.
    words = tmp_path / "pipelines/lab/study.yml"
    words.parent.mkdir()
    words.write_text("stable_phase: {from_s: 60, to_s: 390}\n", encoding="utf-8")
    manifest = tmp_path / "data/raw/mine/lab/fire-2/run.yml"
    start = f"start: '{BEGIN.isoformat()}'\n"
    manifest.write_text(manifest.read_text(encoding="utf-8") + start, encoding="utf-8")
    project.run("load")
    again = project.run("compare", "drill=none", "drill=fire", code=None)
    assert "doubtful" not in again.stderr
    assert again.stdout != done.stdout


def test_that_one_side_counts_in_part_and_the_other_as_a_whole_is_told(tmp_path: Path) -> None:
    (tmp_path / "pipelines").mkdir()
    (tmp_path / "_config.yml").write_text("title: Drills\n", encoding="utf-8")
    phase = {"start": BEGIN.isoformat(), "stable_phase": {"from_s": 60, "to_s": 390}}
    for drill, said in (("none", phase), ("fire", {})):
        for number in range(2):
            file = {"sar.txt": sar(at=partial(louder, by=number / 10))}
            add_run(tmp_path, f"{drill}-{number}", file, factors={"drill": drill}, **said)
    project = Project(tmp_path)
    project.run("load")
    done = project.run("compare", "drill=none", "drill=fire", code=None)
    assert "doubtful: all of drill=fire counts, and of drill=none the part" in done.stderr
    done = project.run("compare", "none-0", "none-1", code=None)
    assert "doubtful" not in done.stderr
