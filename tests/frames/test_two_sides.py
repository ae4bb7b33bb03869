"""Two sides set against each other, and the levels of a history: a study nobody foresaw."""

from __future__ import annotations

import doctest
import importlib
import json
import math
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import studybook
from studybook.code import LIBRARY
from studybook.errors import StudyBookError
from studybook.frames.compared import Compared, Row, Verdict
from studybook.frames.evidence import Evidence, Value, each_once, quantity, said_of
from studybook.frames.history import (
    History,
    histories,
    in_order,
    longer_across,
    what_moved,
)
from studybook.frames.named_sides import pairs_of
from studybook.frames.outermost import extremes
from studybook.frames.side import Side, choose, unknown
from studybook.frames.two_sides import compare
from studybook.intake.book import write_book
from studybook.records.load import load
from studybook.statistics.batches import batch_sample
from studybook.statistics.change import Change
from studybook.statistics.difference import of_repetitions
from studybook.statistics.intervals import Sample, mean_interval
from studybook.study.batches import WITH_A_COURSE
from tests.conftest import REPOSITORY
from tests.support.lab import jtl, requests
from tests.support.project import Project
from tests.support.shared import made_once
from tests.support.tram import add_run

PAGES = ("tram-tickets/compare", "tram-tickets/history")


@pytest.fixture(scope="module")
def trams(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a book of which two data sets are loaded: repetitions and a history; single runs."""
    return Project(made_once(tmp_path_factory, "trams", make_trams))


def make_trams(root: Path) -> None:
    root.mkdir()
    for number in range(4):
        for cache, mean in (("off", 100), ("on", 130)):
            factors = {"cache": cache, "repetition": number}
            mean *= 1 + 0.01 * number
            seed = 10 * number + (cache == "on")
            add_run(root, "mine", f"{cache}-{number}", factors, mean, seed=seed, seconds=60)
    add_run(root, "single", "one", {"stops": 10}, 100, seed=1)
    add_run(root, "single", "two", {"stops": 10, "heap": "4g"}, 115, seed=2)
    add_run(root, "single", "like-one", {"stops": 10}, 100, seed=3)
    for number in range(20):
        mean = 100 if number < 15 else 115
        add_run(root, "mine", f"n-{number}", {}, mean, day=number, seed=number, seconds=20)
    # Both pages are drawn of what is then loaded: see below.
    project = Project(root)
    drawn = project.run("figures", *PAGES, "-d", "mine")
    (root / "drawn.txt").write_text(drawn.stdout, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(root))
        load(data_set="single")


def test_the_examples_of_the_library_are_so(
    trams: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYBOOK_HOME", str(trams.root))
    for name in ("study.study", "frames.named_sides"):
        done = doctest.testmod(importlib.import_module(f"studybook.{name}"))
        assert done.attempted
        assert not done.failed
    with pytest.raises(AttributeError, match="no attribute 'compere'"):
        studybook.compere  # noqa: B018 - it is asked for


_HEY = "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset"


def verdicts(found: dict[str, object]) -> dict[str, str]:
    metrics = found["metrics"]
    assert isinstance(metrics, list)
    return {row["metric"]: row["verdict"] for row in metrics}


def test_levels_of_a_factor_are_compared_over_their_repetitions(trams: Project) -> None:
    done = trams.run("compare", "cache=off", "cache=on", "-d", "mine", "--json", code=4)
    (found,) = json.loads(done.stdout)
    assert found["study"] == "tram-tickets"
    assert found["differs_besides"] == []
    for metric in ("response_mean_ms", "response_p95_ms"):
        assert verdicts(found)[metric] == "worse"
    assert verdicts(found)["requests_per_s"] == "no evidence"
    of_all, *of_labels = (row for row in found["metrics"] if row["metric"] == "response_mean_ms")
    row = of_all if not of_all["of"] else next(each for each in of_labels if not each["of"])
    assert row["test"] == "Welch's t"
    assert row["share"]["low"] < 0.3 < row["share"]["high"]
    assert [len(runs) for runs in row["runs"]] == [4, 4]
    assert row["p"] <= row["p_corrected"] < 0.05


def test_the_other_way_round_it_is_better(trams: Project) -> None:
    done = trams.call("compare", "cache=on", "cache=off", "-d", "mine")
    assert "better" in done.stdout
    assert "worse" not in done.stdout


def test_what_does_not_matter_fails_no_build(trams: Project) -> None:
    done = trams.call(
        "compare", "cache=off", "cache=on", "-d", "mine", "--at-least", "60%", "--json"
    )
    (found,) = json.loads(done.stdout)
    assert verdicts(found)["response_mean_ms"] == "too small to matter"
    assert found["at_least"] == 0.6


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        (["--only", "response_*"], {"response_mean_ms", "response_p95_ms"}),
        (["--only", "response_*", "--without", "response_mean_ms"], {"response_p95_ms"}),
        (["--without", "response_*"], {"requests_per_s"}),
        (["--only", "label=*"], {"response_mean_ms"}),
    ],
)
def test_a_build_fails_for_what_one_chooses(
    trams: Project, options: list[str], kept: set[str]
) -> None:
    every = ["compare", "cache=off", "cache=on", "-d", "mine", "--json"]
    (whole,) = json.loads(trams.call(*every, code=4).stdout)
    done = trams.call(*every, *options, code=None)
    (found,) = json.loads(done.stdout)
    names = {row["metric"] for row in found["metrics"]}
    assert kept <= names <= {row["metric"] for row in whole["metrics"]}
    assert len(found["metrics"]) < len(whole["metrics"])
    assert done.returncode == (4 if "worse" in verdicts(found).values() else 0)
    of = [row["of"] for row in found["metrics"]]
    assert all("label" in each for each in of) == (options[-1] == "label=*")


@pytest.mark.parametrize(
    ("pattern", "said"), [("respons_mean_ms", "response_mean_ms"), ("rack=q*", "known: ")]
)
def test_a_choice_that_fits_nothing_is_refused(trams: Project, pattern: str, said: str) -> None:
    done = trams.call("compare", "cache=off", "cache=on", "-d", "mine", "--only", pattern, code=1)
    assert said in done.stderr


def test_single_runs_speak_of_themselves_and_what_differs_stands_first(trams: Project) -> None:
    done = trams.call("compare", "one", "two", "-d", "single", code=4)
    assert "of these two runs only" in done.stdout
    assert done.stdout.index("factor heap: – → 4g") < done.stdout.index("Mean response time")


def test_single_runs_of_one_kind_are_not_told_apart(trams: Project) -> None:
    done = trams.call("compare", "one", "like-one", "-d", "single", "--json")
    (found,) = json.loads(done.stdout)
    assert set(verdicts(found).values()) <= {"no evidence", "cannot be told"}
    assert verdicts(found)["response_mean_ms"] == "no evidence"
    # JMeter knows no pages: what it completes is compared once.
    assert "response_ms" not in verdicts(found)


def test_folders_need_no_book_and_stay_as_they_were(trams: Project, tmp_path: Path) -> None:
    raw = trams.root / "data/raw/single/tram-tickets"
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "a b.jtl").write_bytes((raw / name / "tickets.jtl").read_bytes())
    (tmp_path / "one/notes.txt").write_text("nothing that a reader knows\n")
    before = sorted(tmp_path.rglob("*"))
    done = Project(tmp_path).call("compare", "--before", "one", "--after", "two", code=4)
    assert "Mean response time" in done.stdout
    assert "left aside: " in done.stderr
    assert "notes.txt" in done.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_files_of_a_folder_that_are_runs_are_repetitions_of_its_side(tmp_path: Path) -> None:
    """As add would have it: outputs of one tool side by side, none of which says when it was."""
    for side, ms in (("before", 20), ("after", 30)):
        (tmp_path / side).mkdir()
        for run in range(3):
            between = ",0.0000,0.0000,0.0000,0.0200,0.0001,200,"
            rows = [f"{(ms + run + at % 5) / 1000:.4f}{between}{at / 10:.4f}" for at in range(500)]
            text = "\n".join([_HEY, *rows])
            (tmp_path / side / f"r{run}.csv").write_text(f"{text}\n", encoding="utf-8")
    sides = ("--before", "before", "--after", "after")
    done = Project(tmp_path).call("compare", *sides, "--json", code=4)
    (found,) = json.loads(done.stdout)
    (row,) = (each for each in found["metrics"] if each["metric"] == "response_mean_ms")
    assert (row["test"], row["verdict"]) == ("Welch's t", "worse")
    assert [len(runs) for runs in row["runs"]] == [3, 3]
    assert row["first"]["value"] == pytest.approx(23)


def test_folders_are_set_against_each_other_by_the_tables_of_a_study(tmp_path: Path) -> None:
    """Those of the book around; what no reader knows is in it alone."""
    write_book(tmp_path / "book", "Parsers", "somebody", "parsers")
    for side, seconds in (("before", 1.0), ("after", 1.2)):
        for run in range(3):
            path = tmp_path / side / f"run-{run}/bench.json"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps({"results": [{"name": "small", "s": seconds + run / 100}]}))
    sides = ("compare", "--before", "../before", "--after", "../after")
    book = Project(tmp_path / "book")
    assert "holds no raw file of a known format" in book.run(*sides, code=1).stderr
    with (book.root / "pipelines/parsers/study.yml").open("a", encoding="utf-8") as file:
        file.write(
            "metrics: {parse_s: {label: Parsing, unit: s, better: lower, decimals: 3}}\n"
            "tables:\n"
            "  - path: bench.json\n"
            "    table:\n"
            "      rows: results\n"
            "      label: results.name\n"
            "      metrics: [{column: results.s, name: parse_s, unit: s, statistic: mean}]\n"
        )
    assert re.search("^worse +Parsing, small ", book.run(*sides, code=4).stdout, re.MULTILINE)
    assert '"metric": "parse_s"' in book.run("inspect", "../before/run-0", "--json").stdout
    said = book.run(*sides, "--study", "nosuch", code=1).stderr
    assert "pipelines/nosuch/study.yml: there is no such file" in said


def test_files_by_two_clocks_are_no_repetitions(tmp_path: Path) -> None:
    """They are of one run, and of two where the zone of local times is another one."""
    local = (REPOSITORY / "tests/data/iostat/human-extended.txt").read_text(encoding="utf-8")
    load = jtl(requests(0, 30), begin=datetime(2024, 3, 15, 9, 0, tzinfo=UTC))
    for side in ("before", "after"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "iostat.txt").write_text(local, encoding="utf-8")
        (tmp_path / side / "results.jtl").write_text(load, encoding="utf-8")
    sides = ("compare", "--before", "before", "--after", "after")
    done = Project(tmp_path).call(*sides, code=1)
    assert "results.jtl and iostat.txt" in done.stderr
    assert "--time-zone" in done.stderr
    done = Project(tmp_path).call(*sides, "--time-zone", "Europe/Berlin", "--json", code=None)
    (found,) = json.loads(done.stdout)
    assert {len(runs) for row in found["metrics"] for runs in row["runs"]} == {1}


def compared_alike(root: Path, *fixtures: str) -> subprocess.CompletedProcess[str]:
    """Compare two folders of the same files."""
    for side in ("before", "after"):
        (root / side).mkdir()
        for name in fixtures:
            shutil.copy(REPOSITORY / "tests/data" / name, root / side)
    return Project(root).call("compare", "--before", "before", "--after", "after")


def test_files_by_two_clocks_of_other_days_are_compared(tmp_path: Path) -> None:
    """No zone makes them of one run."""
    done = compared_alike(tmp_path, "fio/fio-3.json", "mdtest/mdtest-4.1.txt")
    assert "two-folders" not in done.stderr


def test_several_tools_of_a_run_have_partners(tmp_path: Path) -> None:
    done = compared_alike(tmp_path, "ab/ab-2.3.txt", "wrk/wrk2-both.txt")
    assert "Without a partner" not in done.stdout
    assert "differ besides" not in done.stdout


def test_jobs_of_fio_that_do_other_things_are_no_repetitions(tmp_path: Path) -> None:
    """Neither within a side, nor of one another."""

    def write(side: str, blocks: Sequence[str]) -> None:
        (tmp_path / side).mkdir()
        jobs = []
        for block in blocks:
            done = {"io_bytes": 10**9, "bw_bytes": 10**8, "bw": 97656, "iops": 100.0,
                    "runtime": 10000, "total_ios": 1000}  # fmt: skip
            options = {"rw": "read", "bs": block, "ioengine": "libaio", "iodepth": "32"}
            jobs.append({"jobname": "steady", "groupid": 0, "error": 0, "job options": options,
                         "read": done})  # fmt: skip
        document = {"fio version": "fio-3.33", "timestamp": 1_700_000_000, "jobs": jobs}
        (tmp_path / side / "fio.json").write_text(json.dumps(document), encoding="utf-8")

    write("small", ["4k"])
    write("large", ["1m"])
    write("both", ["4k", "1m"])
    project = Project(tmp_path)
    done = project.call("compare", "--before", "small", "--after", "large", "--json")
    (found,) = json.loads(done.stdout)
    assert {each["what"] for each in found["differs_besides"]} == {
        "test of I/O operations", "test of Sequential file I/O",
        "test of Sequential file I/O, at best",
    }  # fmt: skip
    done = project.call("compare", "--before", "both", "--after", "large", "--json")
    (found,) = json.loads(done.stdout)
    assert [len(runs) for row in found["metrics"] for runs in row["runs"]] == 6 * [1]


def test_data_sets_are_compared_in_the_studies_that_both_have(trams: Project) -> None:
    done = trams.call("compare", "mine", "single", "--json")
    (found,) = json.loads(done.stdout)
    assert found["first"]["name"] == "mine"
    assert len(found["first"]["runs"]) == 28


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("cache=of", "cache=on", "-d", "mine"), 1, "cache=off"),
        (("cache=off", "cache=off", "-d", "mine"), 1, "in common"),
        (("cache=off", "-d", "mine"), 2, "two sides"),
        (("one", "two", "-d", "single", "--at-least", "much"), 2, "2%"),
        (("one", "two", "-d", "single", "--study", "tram-tickts"), 1, "tram-tickets"),
        (("--before", "."), 2, "go together"),
        (("one", "two", "-d", "single", "--time-zone", "UTC"), 2, "--before"),
        (("--before", ".", "--after", ".", "--time-zone", "Berlin"), 2, "Europe/Berlin"),
        (("--before", "nowhere", "--after", "nowhere"), 1, "nowhere"),
    ],
)
def test_what_cannot_be_compared_is_said(
    trams: Project, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = trams.call("compare", *arguments, code=code)
    assert said in done.stderr
    assert done.stdout == ""


def test_a_history_tells_when_its_level_moved(trams: Project) -> None:
    done = trams.call("history", "response_ms", "-d", "mine", "--json", code=4)
    (change,) = (each for setup in json.loads(done.stdout) for each in setup["changes"])
    assert change["first_run"] == "tram-tickets/n-15"
    assert change["direction"] == "worse"
    assert change["share"] == pytest.approx(0.15, abs=0.03)
    trams.call("history", "response_ms", "-d", "mine", "--recent", "3")
    trams.call("history", "response_ms", "-d", "mine", "--at-least", "30%")
    across = trams.call("history", "response_ms", "-d", "mine", "--across", "cache", code=4)
    assert "all runs: 28 runs" in across.stdout
    unknown = trams.call("history", "response_ms", "-d", "mine", "--across", "cash", code=1)
    assert "cache" in unknown.stderr


def test_what_moved_is_told_of_all_metrics_the_worst_first(trams: Project) -> None:
    done = trams.call("history", "-d", "mine", code=4)
    head, *rows = done.stdout.splitlines()
    of_all = json.loads(trams.call("history", "-d", "mine", "--json", code=4).stdout)
    long = [each for each in of_all if each["enough_runs"]]
    moved = sum(bool(each["changes"]) for each in long)
    assert head == f"What moved in tram-tickets: {moved} of {len(long)} histories"
    verdicts = [row.split()[0] for row in rows if " n-1" in row]
    assert verdicts.count("worse") == len(verdicts) >= moved > 5
    assert {each["metric"] for each in long} >= {"requests_per_s", "response_p95_ms"}
    assert "from n-15 of 2031-03-18 06:00 on" in rows[0]
    assert "Longest" in rows[moved - 1]
    (chance,) = (row for row in rows if "By chance alone" in row)
    assert f"{0.01 * len(long):.2g} of them would be told, and {0.05 * len(long):.2g}" in chance
    assert f"{len(of_all) - len(long)} histories of fewer than 12 runs with" in done.stdout


def test_a_metric_that_no_run_has_is_said(trams: Project) -> None:
    done = trams.call("history", "respons_ms", "-d", "mine", code=1)
    assert "response_ms" in done.stderr


def test_the_pages_are_drawn(trams: Project) -> None:
    drawn = (trams.root / "drawn.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(drawn) == [f"ok         {name}" for name in PAGES]
    # It leads with what moved: here a usual metric.
    chart = trams.root / "build/mine/figures/tram-tickets/history.vl.json"
    assert re.search(r"response time moved by \+1\d\.\d % with n-15", chart.read_text("utf-8"))


# ---- made evidence: what is set against what ----------------------------------------------


def evidence(runs: dict[str, dict[str, str]], values: dict[str, float]) -> Evidence:
    """Return the evidence of runs with one metric, a response time."""
    frame = pd.DataFrame(
        {
            "run_id": list(runs), "run": list(runs), "origin": "measured",
            "kind": "measurement", "title": "", "exports": "jtl",
            "start_utc": [datetime(2031, 1, 1) + timedelta(days=n) for n in range(len(runs))],
        }
    )  # fmt: skip
    made = [Value("response_ms", run, (), Sample(1, value, 0.0)) for run, value in values.items()]
    return Evidence(frame, runs, made, {run: {} for run in runs})


def grid() -> Evidence:
    """Return two levels of a factor, at two numbers of users, three times each."""
    runs, values = {}, {}
    for cache in ("off", "on"):
        for users in ("10", "90"):
            for number in range(3):
                run = f"s/{cache}-{users}-{number}"
                runs[run] = {"cache": cache, "users": users, "repetition": str(number)}
                values[run] = int(users) * (1.5 if cache == "on" else 1) + number / 10
    return evidence(runs, values)


def sides_of(found: Evidence, *names: str) -> tuple:
    return tuple(choose(found, name) for name in names)


def nights(number: int = 12) -> Evidence:
    """Return nights, each of a commit of its own; slower from the eighth on."""
    # The hash of a commit may look like a number.
    runs = {
        f"s/night-{n:02}": {"commit": "10" * (n == 10) or f"c{n}"} for n in range(1, number + 1)
    }
    values = {run: 10 + n % 3 / 10 + 3 * (n > 6) for n, run in enumerate(runs)}
    found = evidence(runs, values)
    return replace(found, runs=found.runs.sample(frac=1, random_state=7))


@pytest.mark.parametrize(
    ("rates", "busy", "verdict", "said"),
    [
        ((100, 200), (20, 45), "changed", "; more work was done, too"),
        ((200, 100), (45, 20), "changed", "; less work was done, too"),
        ((100, 200), (45, 20), "better", ""),
        ((200, 100), (20, 45), "worse", ""),
        ((100, 100), (20, 45), "worse", ""),
    ],
)
def test_processors_that_more_work_takes_are_no_loss(
    rates: tuple[int, int], busy: tuple[int, int], verdict: str, said: str
) -> None:
    whole = grid()
    values = [
        replace(each, metric=metric, sample=Sample(1, means[at] + each.sample.mean % 1, 0.0))
        for each in whole.values
        for at in [whole.factors[each.run_id]["cache"] == "on"]
        for metric, means in (("requests_per_s", rates), ("cpu_busy_percent", busy))
    ]
    found = compare(*sides_of(replace(whole, values=values), "cache=off", "cache=on"))
    rows = [row for row in found.rows if row.metric.name == "cpu_busy_percent"]
    assert len(rows) == 2
    for row in rows:
        assert row.verdict == verdict
        assert row.why.endswith(said)
        assert ("work was done" in row.why) == bool(said)
    asked = compare(
        *sides_of(replace(whole, values=values), "cache=off", "cache=on"), only=["cpu_busy*"]
    )
    assert {row.verdict for row in asked.rows} == {"worse" if busy[1] > busy[0] else "better"}


def test_runs_of_a_side_that_are_in_no_row_are_named() -> None:
    whole = grid()
    left = [run for run in whole.factors if "on-90" not in run]
    known = evidence(
        {run: whole.factors[run] for run in left},
        {value.run_id: value.sample.mean for value in whole.values if value.run_id in left},
    )
    found = compare(*sides_of(known, "cache=off", "cache=on"))
    assert "3 of 6 runs of cache=off: off-90-0, off-90-1, off-90-2" in found.alone
    every = compare(*sides_of(whole, "cache=off", "cache=on"))
    assert not [each for each in every.alone if " of 6 runs" in each]


def test_the_newest_run_that_lies_alone_is_named() -> None:
    """It is no level yet, and one night may be the only one that anybody looks at."""
    runs = {f"s/night-{n:02}": {} for n in range(14)}
    values = {run: 10 + n % 3 / 10 for n, run in enumerate(runs)}
    (even,) = histories(evidence(runs, values), "response_ms")
    assert even.newest_alone is None
    (alone,) = histories(evidence(runs, values | {"s/night-13": 13.0}), "response_ms")
    assert not alone.told
    assert alone.newest_alone
    assert (alone.newest_alone.after, alone.newest_alone.at) == (13, 13)
    assert not alone.got_worse()
    assert alone.got_worse(early=True)
    assert not alone.got_worse(early=True, at_least=0.5)
    # Of the level that it has come to, not of all that ever was.
    older = {f"s/month-{n:02}": {} for n in range(14)}
    then = {run: 20 + n % 3 / 10 for n, run in enumerate(older)}
    (moved,) = histories(
        evidence(older | runs, then | values | {"s/night-13": 90.0}), "response_ms"
    )
    assert moved.changes
    assert moved.newest_alone
    # One bad night hides no other, be it that those beside it scatter or not.
    for usual in (values, dict.fromkeys(runs, 10.0)):
        bad = usual | {"s/night-07": 22.0}
        (one_bad,) = histories(evidence(runs, bad | {"s/night-13": 14.0}), "response_ms")
        assert one_bad.newest_alone
        assert one_bad.newest_alone.before == pytest.approx(10, abs=0.2)
        (well,) = histories(evidence(runs, bad), "response_ms")
        assert well.newest_alone is None
    # The first errors are told, though those before did not scatter.
    none = dict.fromkeys(runs, 0.0)
    (first,) = histories(evidence(runs, none | {"s/night-13": 0.3}), "response_ms")
    assert first.newest_alone == Change(13, 0.0, 0.3, 1 / 14)
    assert first.got_worse(early=True)
    (never,) = histories(evidence(runs, none), "response_ms")
    assert never.newest_alone is None
    # Of a level that has begun but now; of one that has not begun nothing is told.
    new = {f"s/new-{n:02}": {} for n in range(4)}
    of_new = dict(zip(new, [15.0, 15.1, 15.2, 29.0], strict=True))
    (young,) = histories(evidence(older | new, then | of_new), "response_ms")
    assert [change.at for change in young.changes] == [14]
    assert young.newest_alone
    assert young.newest_alone.before == pytest.approx(15.1)
    (still,) = histories(evidence(older | new, then | of_new | {"s/new-03": 15.6}), "response_ms")
    assert still.newest_alone is None
    (few,) = histories(evidence(new, of_new), "response_ms")
    assert few.newest_alone is None
    assert not few.got_worse(early=True)


@pytest.mark.parametrize("old", ["as the new", "none at all", "far less"])
def test_hardly_ever_is_the_newest_run_of_a_new_level_said_to_lie_alone(old: str) -> None:
    random = np.random.default_rng(5)
    said = 0
    for _ in range(200):
        scatter = {"as the new": 3.0, "none at all": 0.0, "far less": 0.5}[old]
        values = [*random.normal(100, scatter, 14), *random.normal(150, 4, 4)]
        runs = {f"s/{n:02}": {} for n in range(len(values))}
        (one,) = histories(evidence(runs, dict(zip(runs, values, strict=True))), "response_ms")
        said += one.newest_alone is not None
    assert said <= 4  # 0.4 % of 200 are one


def test_a_run_far_out_of_its_side_is_named_with_what_the_others_say() -> None:
    """It hides that all others got worse: the mean of its side is no level of anything."""
    runs = {f"s/night-{n:02}": {"release": "a" if n < 8 else "b"} for n in range(14)}
    values = {run: 10 + n % 3 / 10 + (n >= 8) for n, run in enumerate(runs)}

    def found(of: Mapping[str, float]) -> Compared:
        known = evidence(runs, of)
        return compare(*(side for side in (choose(known, "release=a"), choose(known, "release=b"))
                         if side))  # fmt: skip

    plain = found(values)
    assert (plain.far_out, plain.without_them) == ((), None)
    hidden = found(values | {"s/night-05": 25.0})
    (row,) = hidden.rows
    assert row.verdict not in (Verdict.WORSE, Verdict.BETTER)
    (out,) = hidden.far_out
    assert (out.run, out.side, out.metrics) == ("s/night-05", "release=a", (row.metric.label,))
    assert hidden.without_them
    assert hidden.without_them.summary == "1 worse"
    assert hidden.record()["far_out"][0]["run"] == "s/night-05"


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("night-01..night-07", 1, 7),
        ("night-07..night-01", 1, 7),
        ("s/night-01..night-07", 1, 7),
        ("night-0?", 1, 9),
        ("s/night-0*", 1, 9),
        ("newest:3", 10, 12),
        ("newest:4-8", 5, 9),
        ("newest:9-20", 1, 4),
    ],
)
def test_a_side_is_several_runs_by_their_names_or_their_order(
    text: str, first: int, last: int
) -> None:
    side = choose(nights(), text)
    assert side is not None
    assert sorted(side.runs) == [f"s/night-{n:02}" for n in range(first, last + 1)]


def test_of_many_nights_the_newest_are_set_against_those_before() -> None:
    pair = extremes(nights())
    assert pair is not None
    assert [side.name for side in pair] == ["the 9 runs before", "the newest 3"]
    assert len(compare(*pair).rows) == 1
    few = extremes(nights(5))
    assert few is not None
    assert [side.name for side in few] == ["commit=c1", "commit=c5"]


@pytest.mark.parametrize(
    "text", ["newest:0", "newest:0-3", "newest:40-50", "night-01..night-99", "day-*"]
)
def test_a_side_of_no_run_is_none(text: str) -> None:
    assert choose(nights(), text) is None


def test_runs_in_their_order_need_times() -> None:
    found = nights()
    found.runs.loc[found.runs["run_id"] == "s/night-05", "start_utc"] = pd.NaT
    with pytest.raises(StudyBookError, match="nothing says when s/night-05 began"):
        choose(found, "newest:3")


def test_runs_that_are_named_need_no_factor_in_common() -> None:
    found = compare(*sides_of(nights(), "night-01..night-07", "newest:5"))
    (row,) = found.rows
    assert row.verdict is Verdict.WORSE
    assert [each.what for each in found.besides] == ["factor commit"]


def test_runs_that_are_named_are_not_set_against_others_of_another_load() -> None:
    runs = {f"s/a{users}": {"users": users} for users in ("10", "20")} | {"s/b30": {"users": "30"}}
    found = evidence(runs, {run: n for n, run in enumerate(runs, 1)})
    assert "no two runs with the same users" in compare(*sides_of(found, "a*", "b*")).why_none


def test_runs_without_the_factor_of_both_sides_are_named() -> None:
    runs = {f"s/{side}{number}": {"side": side} for side in "ab" for number in range(2)}
    found = evidence(runs | {"s/new": {}}, dict.fromkeys(runs, 10))
    compared = compare(*sides_of(found, "side=a", "side=b"))
    assert compared.alone == ("1 run on neither side, without the factor side: new",)


def test_values_that_are_all_the_same_have_no_scatter_of_their_own() -> None:
    runs = {f"s/{side}{number}": {"side": side} for side in "ab" for number in range(2)}
    found = evidence(runs, {run: 10 if "a" in run else 60 for run in runs})
    (row,) = compare(*sides_of(found, "side=a", "side=b")).rows
    assert (row.side(0), row.side(1)) == ("10.0 ms", "60.0 ms")  # ± is of what was measured
    assert row.verdict is Verdict.WORSE


def test_a_single_run_is_judged_by_its_batches_whatever_stands_on_the_other_side() -> None:
    found = grid()
    runs = [*(f"s/off-10-{number}" for number in range(3)), "s/on-10-0"]
    batches = np.random.default_rng(1).normal(15, 0.2, 20)
    values = [
        replace(each, batches=batches) if each.run_id == runs[-1] else each
        for each in found.values
        if each.run_id in runs
    ]
    sides = [Side(name, replace(found, values=values), of) for name, of in
             (("off", tuple(runs[:-1])), ("on", (runs[-1],)))]  # fmt: skip
    (row,) = compare(*sides).rows
    assert row.verdict is Verdict.WORSE
    assert row.why == "batch means: 3 repetitions and 20, of the single run only"
    # As a goal: its interval is that of the same batches.
    interval = mean_interval(batch_sample(batches, 15.0))
    assert (row.found.second.low, row.found.second.high) == (interval.low, interval.high)


def test_too_few_intervals_are_told_from_values_without_a_course() -> None:
    found = evidence({"s/a": {}, "s/b": {}}, {"s/a": 10, "s/b": 60})
    sides = [Side(name, found, (f"s/{name}",)) for name in "ab"]
    (row,) = compare(*sides).rows
    assert "shorter intervals" in row.why
    other = replace(found, values=[replace(each, metric="disk_mib_s") for each in found.values])
    (row,) = compare(*(replace(side, evidence=other) for side in sides)).rows
    assert "shorter intervals" not in row.why
    assert "repeat the run" in row.why


def test_metrics_with_a_course_are_those_of_the_model() -> None:
    model = (LIBRARY / "models/metric/metric_batch.sql").read_text(encoding="utf-8")
    assert set(re.findall(r"'(\w+_(?:ms|per_s|percent|tasks|cpus))'", model)) == WITH_A_COURSE


def test_a_run_that_is_not_loaded_yet_is_told_apart_from_none(
    trams: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(trams.root / "build/single", tmp_path / "build/single")
    add_run(tmp_path, "single", "late", {}, 100, seconds=5)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STUDYBOOK_HOME", str(tmp_path))
    with pytest.raises(StudyBookError, match="late is not loaded yet\n  → studybook load -d sing"):
        pairs_of("one", "late", "single", None)
    with pytest.raises(StudyBookError, match="no run"):
        pairs_of("one", "later", "single", None)


def test_runs_are_set_against_those_with_the_same_other_factors() -> None:
    found = compare(*sides_of(grid(), "cache=off", "cache=on"))
    assert [row.setup for row in found.rows] == [(("users", "10"),), (("users", "90"),)] or [
        row.setup for row in found.rows
    ] == [(("users", "90"),), (("users", "10"),)]
    for row in found.rows:
        assert row.share.estimate == pytest.approx(0.5, abs=0.02)
        assert row.verdict is Verdict.WORSE


def test_runs_of_other_setups_are_no_repetitions() -> None:
    runs = {f"s/{n}": {"cache": "off" if n < 4 else "on", "users": str(n)} for n in range(8)}
    found = compare(*sides_of(evidence(runs, dict.fromkeys(runs, 1.0)), "cache=off", "cache=on"))
    assert found.rows == ()
    assert found.alone


def test_what_has_other_numbers_on_each_side_finds_partners_by_the_rest() -> None:
    runs = {
        f"s/{c}-{level}-{n}": {"cache": c, "level": level, "users": f"{level}{c}"}
        for c in ("a", "b") for level in ("1", "2") for n in range(3)
    }  # fmt: skip
    values = {run: 10.0 + n % 3 for n, run in enumerate(runs)}
    found = compare(*sides_of(evidence(runs, values), "cache=a", "cache=b"))
    assert {row.setup for row in found.rows} == {(("level", "1"),), (("level", "2"),)}
    assert "factor users" in {each.what for each in found.besides}


def test_unlike_origins_are_named() -> None:
    found = grid()
    found.runs.loc[found.runs["run_id"].str.contains("on"), "origin"] = "simulated"
    (besides,) = compare(*sides_of(found, "cache=off", "cache=on")).besides
    assert (besides.what, besides.first, besides.second) == ("origin", "measured", "simulated")


def test_one_run_against_several_is_no_test() -> None:
    found = compare(*sides_of(grid(), "cache=off,users=10", "on-10-0"))
    (row,) = found.rows
    assert row.verdict is Verdict.UNTESTED
    assert math.isnan(row.p)
    assert not found.worse


def test_a_page_without_sides_takes_the_outermost_levels() -> None:
    ends = extremes(grid())
    assert ends is not None
    assert [side.name for side in ends] == ["cache=off", "cache=on"]
    # Words are in the order in which they were measured.
    runs = {f"s/{release}": {"release": release} for release in ("before", "after")}
    ends = extremes(evidence(runs, dict.fromkeys(runs, 1.0)))
    assert ends is not None
    assert [side.name for side in ends] == ["release=before", "release=after"]


def of_two_tools() -> Evidence:
    """Return runs of two tools, each of which has a factor that the other lacks."""
    own = {"a": ("sync", ("on", "off")), "b": ("mode", ("read", "write"))}
    runs = {
        f"s/{tool}-{level}-{users}-{number}": {
            "tool": tool, name: level, "users": users, "repetition": str(number),
        }
        for tool, (name, levels) in own.items()
        for level in levels for users in ("2", "8", "24") for number in range(2)
    }  # fmt: skip
    return evidence(runs, {run: 10.0 + n for n, run in enumerate(runs)})


def test_a_page_without_sides_takes_those_that_have_something_to_compare() -> None:
    found = of_two_tools()
    # The factor with the fewest levels is a tool, and no setup of one is one of the other.
    assert compare(*sides_of(found, "tool=a", "tool=b")).frame().empty
    ends = extremes(found)
    assert ends is not None
    assert [side.name for side in ends] == ["users=2", "users=24"]
    assert not compare(*ends).frame().empty
    # Where nothing has, it is the first choice: the page says why it is empty.
    ends = extremes(replace(found, values=[]))
    assert ends is not None
    assert [side.name for side in ends] == ["tool=a", "tool=b"]


def test_metrics_of_other_setups_or_labels_are_no_lack_of_metrics() -> None:
    found = of_two_tools()
    tools = compare(*sides_of(found, "tool=a", "tool=b"))
    assert tools.alone
    assert tools.why_none.endswith("no two runs with the same mode and sync")
    labels = [replace(v, of=(("label", v.run_id[2]),)) for v in found.values]
    runs = compare(*sides_of(replace(found, values=labels), "a-on-2-0", "b-read-2-0"))
    assert "no label, host or test" in runs.why_none
    none = compare(*sides_of(replace(found, values=[]), "tool=a", "tool=b"))
    assert none.why_none == "have no metric in common"
    assert not compare(*sides_of(found, "users=2", "users=24")).why_none


def test_a_text_that_names_nothing_is_an_error_that_helps() -> None:
    found = grid()
    assert choose(found, "cache=never") is None
    assert "cache=on" in str(unknown(found, "cache=onn"))
    with pytest.raises(StudyBookError, match="in common"):
        compare(*sides_of(found, "cache=on", "users=90"))


def test_histories_are_those_of_setups_and_leave_out_the_undated() -> None:
    random = np.random.default_rng(1)
    runs = {f"s/{n}": {"users": "10" if n % 2 else "90"} for n in range(60)}
    values = {f"s/{n}": random.normal(100 if n < 40 else 130, 3) for n in range(60)}
    found = evidence(runs, values)
    found.runs.loc[0, "start_utc"] = pd.NaT
    first, second = histories(found, "response_ms")
    assert {first.setup, second.setup} == {(("users", "10"),), (("users", "90"),)}
    assert first.undated + second.undated == ("s/0",)
    assert [len(each.changes) for each in (first, second)] == [1, 1]
    assert len(first.frame()) == len(first.runs)
    with pytest.raises(StudyBookError, match="response_ms"):
        histories(found, "respons_ms")


def test_a_history_may_run_across_a_factor() -> None:
    """With which release did it move? In the history of each there is only one level."""
    runs = {f"s/night-{n:02}": {"release": "a" if n < 8 else "b"} for n in range(16)}
    known = evidence(runs, {run: 10 + n % 3 / 10 + (n >= 8) for n, run in enumerate(runs)})
    assert not any(each.enough for each in histories(known, "response_ms"))
    assert longer_across(known, "response_ms") == {"release": 16}
    (found,) = histories(known, "response_ms", ["release"])
    assert (found.setup, [each.at for each in found.changes]) == ((), [8])
    assert what_moved(known, "s/night-07", "s/night-08", ["release"]) == ["release a → b"]
    assert what_moved(known, "s/night-08", "s/night-09", ["release"]) == []


def test_the_only_label_has_no_history_of_its_own() -> None:
    runs = {f"s/night-{n:02}": {} for n in range(14)}
    known = evidence(runs, {run: 10 + n % 3 / 10 for n, run in enumerate(runs)})
    (one,) = histories(known, "response_ms")

    def labelled(label: str, more: float) -> list[Value]:
        return [
            replace(
                v, of=(*v.of, ("label", label)), sample=replace(v.sample, mean=v.sample.mean + more)
            )
            for v in known.values
        ]

    both = replace(known, values=[*labelled("all", 0), *labelled("/kv", 0)])
    (found,) = histories(both, "response_ms")
    assert dict(found.of)["label"] == "all"
    assert found.runs.equals(one.runs)
    several = replace(both, values=[*both.values, *labelled("/other", 1)])
    assert len(histories(several, "response_ms")) == 2  # of which one says what all say


def test_what_is_completed_is_compared_once() -> None:
    """Of a driver without pages it stands there twice; of one with pages these are others.

    By all runs, or means of a side would be of those that happen to have no twin.
    """
    alike = [
        Value("response_ms", "s/a", (), Sample(1, 50.0, 0.0), batches=np.array([49.0, 51.0])),
        Value("response_mean_ms", "s/a", (), Sample(1, 50.0, 0.0)),
        Value("response_mean_ms", "s/a", (("label", "Buy"),), Sample(1, 60.0, 0.0)),
    ]
    pages = [
        Value("response_ms", "s/b", (), Sample(1, 90.0, 0.0)),
        Value("response_mean_ms", "s/b", (), Sample(1, 50.0, 0.0)),
    ]
    assert each_once([*alike, *pages]) == [*alike, *pages]
    found = each_once(alike)
    assert [each.metric for each in found] == ["response_mean_ms", "response_mean_ms"]
    assert found[0].batches is not None, "its scatter is that of the other"
    assert found[1].batches is None


def test_of_two_drivers_in_a_run_either_may_be_the_twin() -> None:
    values = [Value("response_ms", "s/a", (), Sample(1, 50.0, 0.0))]
    for tool, mean in (("locust", 50.0), ("hey", 70.0)):
        values.append(Value("response_mean_ms", "s/a", (), Sample(1, mean, 0.0), tool))
    assert each_once(values) == values[1:]
    assert each_once([values[0], *reversed(values[1:])]) == [*reversed(values[1:])]


def two_drivers(runs: int) -> Evidence:
    """Return a study whose runs have two load drivers each, of which one got slower half way."""
    found = evidence(
        {f"s/{n}": {"half": "ab"[2 * n // runs]} for n in range(runs)},
        {f"s/{n}": 0.0 for n in range(runs)},
    )
    values = [
        Value("response_mean_ms", f"s/{n}", (), Sample(1, mean + n % 3 / 10, 0.0), tool)
        for n in range(runs)
        for tool, mean in (("hey", 9.0 if 2 * n >= runs else 5.0), ("locust", 20.0))
    ]
    return replace(found, values=values)


def test_what_two_drivers_of_a_run_measured_is_told_apart_by_name() -> None:
    found = two_drivers(16)
    rows = compare(*sides_of(found, "half=a", "half=b")).rows
    assert [(row.title, row.verdict) for row in rows] == [
        ("Mean response time, hey", Verdict.WORSE),
        ("Mean response time, locust", Verdict.OPEN),
    ]
    assert rows[0].record()["of"] == {"test": "hey"}
    every = histories(
        replace(found, factors={run: {} for run in found.factors}), "response_mean_ms"
    )
    assert [(each.title, len(each.changes)) for each in every] == [("hey", 1), ("locust", 0)]


def test_few_new_runs_that_are_far_away_are_suspected() -> None:
    runs = [f"s/{n:02}" for n in range(12)]
    found = evidence(
        {run: {} for run in runs}, {run: 5 + n % 3 / 10 + 4 * (n > 7) for n, run in enumerate(runs)}
    )
    (history,) = histories(found, "response_ms")
    assert history.changes == ()
    assert history.suspected is not None
    assert history.record()["suspected"]["first_run"] == runs[8]
    assert not history.got_worse()
    (even,) = histories(replace(found, values=found.values[:8] + found.values[:4]), "response_ms")
    assert even.suspected is None


def test_the_only_label_of_both_sides_is_compared_once() -> None:
    """It says what all requests together say; of two labels neither does."""

    def labelled(run: str, means: Mapping[str, float]) -> list[Value]:
        return [
            Value("response_p95_ms", run, (("label", label),) if label else (), Sample(1, ms, 0.0))
            for label, ms in means.items()
        ]

    def rows(*means: Mapping[str, float]) -> list[str]:
        found = evidence({"s/a": {"on": "1"}, "s/b": {"on": "2"}}, {"s/a": 1.0, "s/b": 1.0})
        values = [each for run, own in zip("ab", means, strict=True)
                  for each in labelled(f"s/{run}", own)]  # fmt: skip
        told = replace(found, values=values)
        sides = [choose(told, run) for run in "ab"]
        assert sides[0]
        assert sides[1]
        return [row.place for row in compare(sides[0], sides[1]).rows]

    assert rows({"": 10.0, "Buy": 10.0}, {"": 20.0, "Buy": 20.0}) == [""]
    one, two = {"": 10.0, "Buy": 10.0}, {"": 20.0, "Buy": 19.0, "Pay": 21.0}
    assert rows(one, two) == ["", "Buy"]
    # Of several labels, one may say the same as all by chance, and scatter less.
    assert rows(two | {"Pay": 20.0}, two | {"Pay": 20.0}) == ["", "Buy", "Pay"]
    assert rows({"Buy": 10.0}, {"Buy": 20.0}) == ["Buy"]


def one_row(first: Sequence[float], second: Sequence[float]) -> Row:
    """Compare these repetitions of a metric."""
    found = of_repetitions(first, second)
    return Row(
        quantity("response_mean_ms"), (), (), (("a",), ("b",)), found, found.p, Verdict.OPEN, "",
    )  # fmt: skip


def test_a_number_that_a_value_is_of_has_its_name() -> None:
    of = {"operation": "read", "processes": "1", "block_size_bytes": "4096", "cpu": "0"}
    assert said_of(of.items()) == ["read", "1 process", "block size 4096 bytes", "cpu 0"]


def test_where_nothing_is_left_the_change_has_no_interval() -> None:
    assert one_row([0.0, 3.0, 1.0], [0.0, 0.0, 0.0]).change.strip() == "−100.0 %"


def test_what_is_never_below_zero_loses_no_more_than_all() -> None:
    row = one_row([90.0, 100.0, 95.0], [2.0, 60.0, 30.0])
    assert row.found.share.low < -1 == row.share.low
    assert "  −100 … " in row.change
    below = one_row([-90.0, -100.0, -95.0], [-2.0, -60.0, -30.0])
    assert below.share == below.found.share


def test_a_small_scatter_is_not_none() -> None:
    row = one_row([38.31, 38.33, 38.35], [38.3, 38.3, 38.3])
    assert row.side(0) == "38.33 ± 0.05 ms"
    assert row.side(1) == "38.3 ms"


def test_the_headline_is_the_steadiest_of_what_matters() -> None:
    """Worse comes before better, and then what users notice: the longest time is of one request."""
    runs = {f"s/{cache}-{n}": {"cache": cache} for cache in ("off", "on") for n in range(3)}
    found = evidence(runs, {})
    for number, run in enumerate(runs):
        faster = 0.5 if "on" in run else 1
        for metric, value in (
            ("response_max_ms", 900 * faster**3),
            ("response_p50_ms", 40 * faster),
            ("requests_per_s", 50 / faster),
            ("memory_used_percent", 20 / faster),
        ):
            found.values.append(Value(metric, run, (), Sample(1, value + number % 3 / 10, 0.0)))
    compared = compare(*sides_of(found, "cache=off", "cache=on"))
    assert [row.metric.name for row in compared.rows] == [
        "memory_used_percent", "requests_per_s", "response_p50_ms", "response_max_ms",
    ]  # fmt: skip
    assert compared.rows[0].verdict is Verdict.WORSE
    assert compared.headline is compared.rows[1]


def test_what_hosts_did_besides_takes_nothing_from_what_got_better_or_worse() -> None:
    def compared(disks: int) -> tuple[Row, list[Row]]:
        found = grid()
        for number, run in enumerate(found.runs["run_id"]):
            for n in range(disks):
                rate = Sample(1, 10.0 + (number if n == 0 else number * n % 3), 0.0)
                found.values.append(Value("disk_mib_s", run, (("host", f"h{n}"),), rate))
        rows = compare(*sides_of(found, "cache=off", "cache=on")).rows
        (response, *_) = (row for row in rows if row.metric.name == "response_ms")
        return response, [row for row in rows if row.of == (("host", "h0"),)]

    (alone, _), (beside_one, few), (beside_many, many) = map(compared, (0, 1, 40))
    assert alone.p == beside_one.p == beside_many.p < 0.05
    # Among themselves they are corrected: who looks at forty hosts meets more chance than at one.
    assert {row.verdict for row in few} == {Verdict.CHANGED}
    assert all(row.p > 10 * first.p for row, first in zip(many, few, strict=True))
    # Their intervals do not: why nothing is told beside one that lies apart from zero.
    for row, only in ((row, n) for rows, n in ((few, 2), (many, 54)) for row in rows):
        hidden = row.found.p < 0.05 <= row.p
        assert hidden == (only == 54)
        assert hidden == (f"; alone it would be told, one among {only} may be chance" in row.why)


def test_what_is_one_value_in_all_runs_is_no_comparison_that_counts() -> None:
    alone, beside = grid(), grid()
    for run in beside.runs["run_id"]:
        labels = [(("label", f"l{n}"),) for n in range(9)]
        beside.values.extend(Value("error_percent", run, of, Sample(1, 0, 0)) for of in labels)
    (one, *_), (other, *_) = (
        compare(*sides_of(found, "cache=off", "cache=on")).rows for found in (alone, beside)
    )
    assert one.metric.name == other.metric.name == "response_ms"
    assert one.p == other.p


def test_of_many_histories_what_got_worse_is_told_first() -> None:
    def history(name: str, after: float, *, certain: bool = True) -> History:
        change = Change(12, 100, after, 0.001)
        told = (change,) if certain else ()
        runs = pd.DataFrame({"value": [100.0] * 12 + [after] * 3})
        return History(quantity(name), (), (), runs, told, (), change)

    slower, little = history("response_ms", 150), history("response_ms", 105)
    faster, none = history("response_ms", 20), replace(slower, changes=(), suspected=None)
    perhaps = history("response_ms", 900, certain=False)
    busier = history("active_users", 500)
    found = in_order([none, busier, perhaps, faster, little, slower])
    assert [change.after for _, change in found] == [150, 105, 20, 500, 900]
