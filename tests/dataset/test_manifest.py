"""``run.yml``: what it may say, and the words for what it may not."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import yaml

from studybook.dataset.manifest import read_run
from studybook.errors import StudyBookError
from tests.conftest import REPOSITORY

GOOD = """\
study: example
run: first-run
title: A run
origin: measured
time_zone: Europe/Berlin
start: 2024-07-01T12:00:00
factors: {users: 250, mtu: 1492, jumbo: false, cluster: SD}
hosts:
  - {name: node1, role: driver}
files:
  - path: ior.txt
    host: node1
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "example/first-run/run.yml"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_manifest(tmp_path: Path) -> None:
    run = read_run(written(tmp_path, GOOD))
    assert run.run_id == "example/first-run"
    assert run.factors == {"users": 250, "mtu": 1492, "jumbo": False, "cluster": "SD"}
    # Summer time: two hours ahead of UTC
    assert str(run.start_utc) == "2024-07-01 10:00:00"
    # The day by the clock of its hosts, whatever the zone in which the start is told.
    late = run.model_copy(update={"start": datetime(2024, 7, 1, 22, 30, tzinfo=UTC)})
    assert late.hints(run.files[0]).start == date(2024, 7, 2)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            "origin: measured",
            "origin: measrued",
            ["line 4: origin", "measured, simulated", "measured?"],
        ),
        ("origin: measured\n", "", ["origin is missing", "add it"]),
        ("users: 250", "release: 1.10", ["line 7: factors.release", "1.10 is the number 1.1"]),
        ("title: A run", "titel: A run", ["line 3", "titel is not a known key", "title?"]),
        ("role: driver", "role: driver, rank: 1", ["hosts.0.rank is not a known key", "note"]),
        (
            "role: driver",
            "role: driver, cpus: 0",
            ["line 9", "hosts.0.cpus", "must be greater than"],
        ),
        (
            "role: driver",
            "role: driver, memory_mib: 2 GiB",
            ["memory_mib", "a whole number"],
        ),
        ("Europe/Berlin", "Europe/Berlim", ["line 5", "time_zone", "Europe/Berlin"]),
        ("Europe/Berlin", "CEST", ["line 5: time_zone", "→ name the place, such as Europe/"]),
        ("Europe/Berlin", "UTC+2", ["line 5: time_zone", "→ write Etc/GMT-2"]),
        ("- {name: node1, role: driver}", "- node1", ["node1", "write name: node1"]),
        ("{users: 250,", "{int: [1],", ["line 7: factors.int: text"]),
        ("{users: 250,", "{Users: 250,", ["line 7", "factors"]),
        ("users: 250", "users: [250]", ["line 7", "factors.users"]),
        (
            "host: node1",
            "host: node2",
            ["line 12: files.0.host: ior.txt names the host 'node2'", "→ add it there"],
        ),
        ("path: ior.txt", "path: ../ior.txt", ["line 11", "inside the run's folder"]),
        ("run: first-run", "run: other-run", ["says study example, run other-run"]),
        ("title: A run", "title: [", ["is not YAML", "line"]),
        ("title: A run", "title: A run: mine", ["line 3", "is not YAML", "→ put a value with a"]),
        ("title: A run", "title:\tA\n\trun", ["is not YAML", "→ indent by blanks, not tabs"]),
        (GOOD, "- a list\n", ["holds no keys", "study"]),
        ("2024-07-01T12", "2024-13-01T12", ["line 6", "start", "month"]),
        (
            "files:\n  - path: ior.txt\n    host: node1",
            "files:\n  - ior.txt",
            ["line 11: files.0: 'ior.txt' stands where keys are expected", "write path: ior.txt"],
        ),
        ("files:\n  - path: ior.txt\n    host: node1", "files: []", ["at least 1 entry"]),
        ("files:\n  - path: ior.txt\n    host: node1", "files: x", ["a list, each entry"]),
        ("study: example", "study: My example", ["line 1", "small letters, digits and hyphens"]),
        ("title: A run", "title: 5", ["line 3: title: text, between quotation marks"]),
        ("files:\n", "stable_phase: {from_s: 9, to_s: 3}\nfiles:\n", ["to_s must be greater"]),
    ],
)
def test_faults_are_named(tmp_path: Path, before: str, after: str, said: list[str]) -> None:
    assert before in GOOD
    path = written(tmp_path, GOOD.replace(before, after))
    with pytest.raises(StudyBookError) as error:
        read_run(path)
    for part in [str(path), *said]:
        assert part in str(error.value)


@pytest.mark.parametrize(
    ("factor", "value"), [("'1.10'", "1.10"), ("1.1", 1.1), ("2.0", 2.0), ("1.50e3", 1500.0)]
)
def test_a_factor_is_the_number_that_stands_there_or_a_text(
    tmp_path: Path, factor: str, value: object
) -> None:
    run = read_run(written(tmp_path, GOOD.replace("users: 250", f"release: {factor}")))
    assert run.factors["release"] == value


def test_another_encoding_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    path.write_text(GOOD, encoding="utf-16")
    with pytest.raises(StudyBookError, match=rf"{re.escape(str(path))}: .*\n  → .*UTF-8"):
        read_run(path)


def test_hosts_may_have_processors_and_memory(tmp_path: Path) -> None:
    sized = GOOD.replace("role: driver", "role: driver, cpus: 16, memory_mib: 256000")
    (host,) = read_run(written(tmp_path / "sized", sized)).hosts
    assert (host.cpus, host.memory_mib) == (16, 256000)
    (host,) = read_run(written(tmp_path / "unknown", GOOD)).hosts
    assert (host.cpus, host.memory_mib) == (None, None)


def test_every_fault_is_named_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("origin: measured", "origin: guessed").replace("title:", "titel:")
    with pytest.raises(StudyBookError) as error:
        read_run(written(tmp_path, text))
    assert "origin" in str(error.value)
    assert "titel" in str(error.value)


MANIFESTS = sorted((REPOSITORY / "data/raw").glob("*/*/*/run.yml"))


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.parent.name)
def test_committed_manifests_are_good_and_list_every_file(path: Path) -> None:
    run = read_run(path)
    there = {
        str(each.relative_to(path.parent)) for each in path.parent.rglob("*") if each.is_file()
    }
    assert {file.path for file in run.files} == there - {"run.yml"}
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["study"] == path.parent.parent.name


# ---- patterns ---------------------------------------------------------------------------


def with_files(folder: Path, listed: str, *names: str) -> Path:
    path = written(folder, GOOD.partition("files:")[0] + f"files:\n{listed}")
    for name in names:
        (path.parent / name).parent.mkdir(parents=True, exist_ok=True)
        (path.parent / name).write_text("x\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.csv", ["a.csv", "b.csv"]),
        ("sar/**", ["sar/a.txt", "sar/deep/b.txt"]),
        ("**/*.txt", ["sar/a.txt", "sar/deep/b.txt"]),
        ("[a]*.csv", ["a.csv"]),
        ("?.csv", ["a.csv", "b.csv"]),
    ],
)
def test_a_pattern_stands_for_the_files_that_fit(
    tmp_path: Path, pattern: str, expected: list[str]
) -> None:
    names = ["a.csv", "b.csv", ".c.csv", "sar/a.txt", "sar/deep/b.txt", "sar/.hidden/c.txt"]
    path = with_files(tmp_path, f"  - {{path: '{pattern}', host: node1}}\n", *names)
    run = read_run(path)
    assert [file.path for file in run.files] == expected
    assert {file.host for file in run.files} == {"node1"}


def test_what_is_listed_by_name_is_not_meant_by_a_pattern(tmp_path: Path) -> None:
    listed = "  - {path: '*'}\n  - {path: b.csv, host: node1}\n"
    run = read_run(with_files(tmp_path, listed, "a.csv", "b.csv"))
    assert [(file.path, file.host) for file in run.files] == [("a.csv", None), ("b.csv", "node1")]


def test_a_name_with_a_mark_in_it_is_a_name(tmp_path: Path) -> None:
    run = read_run(with_files(tmp_path, "  - path: 'run[1].csv'\n", "run[1].csv", "run1.csv"))
    assert [file.path for file in run.files] == ["run[1].csv"]


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("  - path: a.csv\n  - path: '*.xls'\n", ["line 12", "*.xls", "fits no file"]),
        ("  - path: '*.csv'\n  - path: 'a*'\n", ["line 12", "a.csv", "'*.csv'"]),
        ("  - path: '../*'\n", ["inside the run's folder"]),
        ("  - path: '/*'\n", ["inside the run's folder"]),
    ],
)
def test_a_pattern_that_says_nothing_or_too_much_is_refused(
    tmp_path: Path, listed: str, said: list[str]
) -> None:
    with pytest.raises(StudyBookError) as caught:
        read_run(with_files(tmp_path, listed, "a.csv"))
    told = str(caught.value)
    assert [word for word in said if word.strip("'") not in told] == [], told
