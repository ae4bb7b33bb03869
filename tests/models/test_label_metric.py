"""What load drivers say of labels: percentiles, errors and rates under one name each."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from studybook.units import METRICS
from tests.conftest import REPOSITORY
from tests.support import scratch

FIXTURES = REPOSITORY / "tests/data"

Found = dict[tuple[str, str, str], float]


def load(*paths: Path | str) -> scratch.Scratch:
    connection = scratch.database()
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("UPDATE run SET kind = 'measurement'")
    for path in paths:
        scratch.enter(connection, FIXTURES / path)
    return connection


def labelled(connection: scratch.Scratch) -> Found:
    """Values by metric, label and kind; each is told apart by these, or the test fails."""
    rows = connection.execute(
        "SELECT metric, own['label'], own['kind'], value FROM label_metric"
    ).fetchall()
    found = {(metric, label, kind): value for metric, label, kind, value in rows}
    assert len(found) == len(rows)
    return found


def of_all(connection: scratch.Scratch, kind: str = "sample") -> dict[str, float]:
    found = labelled(connection).items()
    return {name: value for (name, label, k), value in found if label == "all" and k == kind}


WRK2 = {
    "response_p50_ms": 20.0,
    "response_p90_ms": 40.0,
    "response_p95_ms": 65.0,
    "response_p99_ms": 120.0,
    "response_max_ms": 200.0,
    "response_mean_ms": 24.0,
    "requests_per_s": 500.0,
    "error_percent": 0.0,
}
OHA = {
    "response_p50_ms": 24.0,
    "response_p95_ms": 96.0,
    "response_p99_ms": 256.0,
    "response_max_ms": 512.0,
    "response_mean_ms": 32.0,
    "requests_per_s": 98.0,
    "error_percent": 3.0,
}
HEY = {
    "response_p50_ms": 50.0,
    "response_p90_ms": 100.0,
    "response_p95_ms": 250.0,
    "response_max_ms": 812.5,
    "response_mean_ms": 62.5,
    "requests_per_s": 120.0,
    "error_percent": 10.0,
}
VEGETA = {
    "response_p50_ms": 12.0,
    "response_p90_ms": 30.0,
    "response_p95_ms": 48.0,
    "response_p99_ms": 120.0,
    "response_max_ms": 256.0,
    "response_mean_ms": 16.0,
    "requests_per_s": 98.0,
    "error_percent": 2.5,
}
PGBENCH = {
    "response_mean_ms": 10.0,
    "requests_per_s": 600.0,
    "error_percent": 100 * 2 / 12002,
}
SQL = {
    "response_p50_ms": 20.0,
    "response_p90_ms": 20.0,
    "response_p95_ms": 38.25,
    "response_p99_ms": 80.0,
    "response_max_ms": 95.25,
    "response_mean_ms": 22.5,
    "requests_per_s": 640.0,
    "error_percent": 100 * 2 / 6402,
}
# Forty samples, four of each of ten times; nobody knows how many requests had no response.
SAMPLES = {
    "response_p50_ms": 50.0,
    "response_p90_ms": 90.0,
    "response_p95_ms": 100.0,
    "response_p99_ms": 100.0,
    "response_max_ms": 100.0,
    "response_mean_ms": 55.0,
    "requests_per_s": 40 / 2.05,
    # Two of the responses have the status 500.
    "error_percent": 5.0,
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("wrk/wrk2-both.txt", WRK2),
        ("oha/oha-text.txt", OHA),
        ("hey/hey-0.1.4.txt", HEY),
        ("vegeta/report.json", VEGETA),
        ("pgbench/progress.txt", PGBENCH),
        ("hey/samples.csv", SAMPLES),
        ("ab/percentiles.csv", {"response_max_ms": 2 + 10000 / 64}),
    ],
)
def test_what_a_driver_prints_of_the_whole_run(path: str, expected: dict[str, float]) -> None:
    found = of_all(load(path))
    assert found.keys() >= expected.keys()
    for metric, value in expected.items():
        assert math.isclose(found[metric], value), metric
    if path != "ab/percentiles.csv":
        assert found.keys() == expected.keys()
    assert found.keys() <= METRICS.keys()


def test_scripts_of_pgbench_are_labels_and_its_phase_has_its_own_rate() -> None:
    connection = load("pgbench/scripts.txt")
    found = labelled(connection)
    rates = {label: value for (name, label, _), value in found.items() if name == "requests_per_s"}
    assert rates == {
        "all": 1000.0,  # of the intervals; the scripts are of the whole
        "look.sql": 750.0,
        "<builtin: simple update>": 250.0,
    }
    assert found["error_percent", "<builtin: simple update>", "sample"] == 0
    of_all = "WHERE metric = 'response_mean_ms' AND own['label'] = 'all'"
    assert connection.execute(f"SELECT test FROM label_metric {of_all}").fetchall() == [
        ("all of kind sample, pgbench, stable phase",)
    ]
    mean = found["response_mean_ms", "all", "sample"]
    assert math.isclose(mean, (4.0 * 990 + 4.25 * 1010) / 2000)


def test_failures_of_pgbench_are_those_of_its_scripts(tmp_path: Path) -> None:
    text = (FIXTURES / "pgbench/scripts.txt").read_text(encoding="utf-8")
    asked = "SELECT label, failed FROM driver_failure"
    assert not load("pgbench/scripts.txt").execute(asked).fetchall()
    before, of_simple = text.rsplit("number of failed transactions: 0", 1)
    failed = tmp_path / "failed.txt"
    failed.write_text(f"{before}number of failed transactions: 7{of_simple}", encoding="utf-8")
    assert load(failed).execute(asked).fetchall() == [("<builtin: simple update>", 7)]


def test_intervals_of_sysbench_have_a_percentile_and_failures_and_no_mean() -> None:
    connection = load("sysbench/sql.txt")
    asked = "SELECT mean_ms, p50_ms, p95_ms, hits, attempts, failed FROM response_time"
    assert not connection.execute(asked).fetchall()  # nothing tells when they were
    connection = load()
    connection.execute("UPDATE run SET start_utc = '2026-11-03 09:00:00+00'")
    scratch.enter(connection, FIXTURES / "sysbench/sql.txt")
    rows = connection.execute(f"{asked} ORDER BY time_utc").fetchall()
    assert rows == [(None, None, 40.37, 3100, 3102, 2), (None, None, 36.24, 3300, 3300, 0)]


def test_the_only_test_of_sysbench_is_a_label() -> None:
    found = labelled(load("sysbench/sql.txt"))
    assert {name: value for (name, label, _), value in found.items() if label == "SQL"} == (
        pytest.approx(SQL)
    )
    assert len(found) == len(SQL)


def test_tests_of_sysbench_are_labels_without_a_whole() -> None:
    connection = load("sysbench/machine.txt")
    found = connection.execute(
        "SELECT own['label'], execution, value FROM label_metric WHERE metric = 'requests_per_s'"
    ).fetchall()
    name = "machine.txt"
    assert {label for label, _, _ in found} == {"cpu", "memory", "fileio, random r/w"}
    assert all(label in execution and name in execution for label, execution, _ in found)
    rates = connection.execute(
        "SELECT own['test'], own['operation'], value FROM small_benchmark"
        " WHERE metric = 'sysbench_mib_s' ORDER BY ALL"
    ).fetchall()
    assert rates == [
        ("fileio, random r/w", "read", 150.0),
        ("fileio, random r/w", "write", 100.0),
        ("memory", "move", 4000.0),
    ]


def test_a_mean_and_a_rate_have_one_value_by_either_name() -> None:
    for path in ("wrk/wrk2-both.txt", "vegeta/results.csv", "vegeta/report.json"):
        connection = load(path)
        found = of_all(connection)
        rows = connection.execute("SELECT response_ms, completed_per_s FROM phase_driver")
        ((mean, rate),) = rows.fetchall()
        assert math.isclose(mean, found["response_mean_ms"])
        assert math.isclose(rate, found["requests_per_s"])


def test_single_results_give_percentiles_of_each_label() -> None:
    found = labelled(load("vegeta/results.csv"))
    # All lie in the phase: times of 10 ms and more, each of a hundred twice, half of them by label.
    even = sorted(10 + (k * 37) % 100 for k in range(0, 200, 2))
    odd = sorted(10 + (k * 37) % 100 for k in range(1, 200, 2))
    for label, times in (("home", even), ("cart", odd), ("all", sorted(even + odd))):
        name = label if label == "all" else f"GET http://larch:8080/{label}"
        for percent in (50, 90, 95, 99):
            rank = math.ceil(percent / 100 * len(times))
            value = found[f"response_p{percent}_ms", name, "sample"]
            assert value == times[rank - 1], (label, percent)
    assert found["error_percent", "GET http://larch:8080/cart", "sample"] == 4.0
    assert found["error_percent", "GET http://larch:8080/home", "sample"] == 0.0


def test_single_results_go_before_reports_of_the_same() -> None:
    both = labelled(load("vegeta/results.csv", "vegeta/report.json", "vegeta/report.txt"))
    assert both == labelled(load("vegeta/results.csv"))
    assert of_all(load("vegeta/report.json", "vegeta/hdrplot.txt")) == VEGETA


def test_executions_are_never_put_together() -> None:
    found = labelled(load("wrk/wrk-three.txt"))
    assert {label for _, label, _ in found} == {"http://larch:8080/cart", "http://larch:8080/"}
    rows = load("wrk/wrk2-both.txt", "hey/hey-0.1.4.txt").execute(
        "SELECT own['label'], test FROM label_metric WHERE metric = 'response_p95_ms'"
    )
    assert {label for label, _ in rows.fetchall()} == {"http://larch:8080/search", "hey-0.1.4.txt"}


def test_of_two_tools_in_a_run_each_has_its_main_numbers() -> None:
    connection = load("vegeta/results.csv", "hey/hey-0.1.4.txt", "rpt/full.csv")
    rows = connection.execute(
        "SELECT part, value FROM main_metric WHERE metric = 'requests_per_s' ORDER BY part"
    ).fetchall()
    assert [part for part, _ in rows] == ["hey", "vegeta"]  # of pages RPT has pages_per_s
    assert [value for _, value in rows] == [
        value
        for (value,) in connection.execute(
            "SELECT value FROM label_metric WHERE metric = 'requests_per_s'"
            " AND own['label'] = 'all' AND own['kind'] <> 'page' ORDER BY tool"
        ).fetchall()
    ]
    only = load("hey/hey-0.1.4.txt").execute("SELECT DISTINCT part FROM main_metric").fetchall()
    assert only == [("",)]


def test_the_same_address_in_two_files_is_no_repetition(tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_bytes((FIXTURES / "wrk/wrk2-both.txt").read_bytes())
    connection = load("wrk/wrk2-both.txt", other)
    rows = connection.execute(
        "SELECT count(*), count(DISTINCT test) FROM metric WHERE metric = 'response_p95_ms'"
    )
    assert rows.fetchall() == [(2, 2)]


@pytest.mark.parametrize(
    ("names", "tests"),
    [
        (("wrk-rep1.txt", "wrk-rep2.txt"), 1),
        (("wrk.rep-1.txt", "wrk.rep-2.txt"), 1),
        (("Iter01/wrk.txt", "Iter02/wrk.txt"), 1),
        (("rep1.txt", "rep2.txt"), 1),
        (("prep1.txt", "prep2.txt"), 2),
        (("wrk-rep1.txt", "hey-rep2.txt"), 2),
        (("client-1.txt", "client-2.txt"), 2),  # which may have run at the same time
    ],
)
def test_files_are_repetitions_where_their_names_say_so(
    names: tuple[str, str], tests: int, tmp_path: Path
) -> None:
    one = (FIXTURES / "wrk/wrk2-both.txt").read_text(encoding="utf-8")
    for name, text in zip(
        names, (one, one.replace("Requests/sec:", "Requests/sec: ")), strict=True
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    connection = load(*(tmp_path / name for name in names))
    found = connection.execute(
        "SELECT count(*), count(DISTINCT test) FROM metric WHERE metric = 'response_p95_ms'"
    )
    assert found.fetchall() == [(2, tests)]


def test_executions_in_one_file_are_repetitions_where_they_have_as_many_connections(
    tmp_path: Path,
) -> None:
    def tests(text: str) -> list[int]:
        (tmp_path / "sweep.txt").write_text(text, encoding="utf-8")
        rows = load(tmp_path / "sweep.txt").execute(
            "SELECT count(DISTINCT test) FROM label_metric WHERE metric = 'response_mean_ms'"
        )
        return [number for (number,) in rows.fetchall()]

    wrk = (FIXTURES / "wrk/wrk2-both.txt").read_text(encoding="utf-8")
    assert "and 100 connections" in wrk
    again = wrk.replace("Requests/sec:", "Requests/sec: ")
    assert tests(wrk + again) == [1]
    assert tests(wrk + again.replace("and 100 connections", "and 200 connections")) == [2]
    hey = (FIXTURES / "hey/hey-0.1.4.txt").read_text(encoding="utf-8")
    again = hey.replace("0.8125 secs", "0.8126 secs")
    assert tests(hey + again) == [2 * hey.count("Summary:")]


@pytest.mark.parametrize(
    ("timeouts", "missing"),
    [
        (0, []),
        # A tenth of the 1 % above the 99th percentile is 100 of 100,000.
        (100, ["max", "mean"]),
        (101, ["max", "mean", "p99"]),
        (1000, ["max", "mean", "p99"]),
        (1001, ["max", "mean", "p90", "p99"]),
    ],
)
def test_what_is_without_requests_that_timed_out_is_not_given(
    tmp_path: Path, timeouts: int, missing: list[str]
) -> None:
    text = (FIXTURES / "wrk/wrk-three.txt").read_text(encoding="utf-8")
    one = text[: text.index("Running 1m")].replace("153600 requests", "100000 requests")
    given = tmp_path / "wrk.txt"
    given.write_text(one.replace("timeout 40", f"timeout {timeouts}"), encoding="utf-8")
    found = of_all(load(given))
    names = ("max", "mean", "p50", "p90", "p99")
    assert [name for name in names if f"response_{name}_ms" not in found] == missing
    # All that timed out failed, with 1536 of a bad status and 10 without a response.
    assert math.isclose(found["error_percent"], 100 * (1536 + timeouts + 10) / 100010)


def test_a_summary_that_is_cut_gives_nothing(tmp_path: Path) -> None:
    for name, end in (
        ("wrk/wrk2-both.txt", "Requests/sec"),
        ("ab/ab-2.3.txt", "Total transferred"),
        ("hey/hey-0.1.4.txt", "  [503]"),
        ("oha/oha-text.txt", "  [20]"),
        ("vegeta/report.txt", "Status Codes"),
    ):
        text = (FIXTURES / name).read_text(encoding="utf-8")
        given = tmp_path / Path(name).name
        given.write_text(text[: text.index(end)], encoding="utf-8")
        assert labelled(load(given)) == {}, name


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("jtl/with-header.jtl", "sample"),
        ("k6/seconds.csv", "sample"),
        ("locust/total.csv", "sample"),
        ("gatling/release-3.9.log", "sample"),
        ("rpt/full.csv", "page"),
    ],
)
def test_every_driver_has_them(path: str, kind: str) -> None:
    found: dict[str, Any] = of_all(load(path), kind)
    assert found.keys() >= {"requests_per_s", "response_mean_ms", "error_percent"}
    assert 0 <= found["error_percent"] <= 100
    # The export of RPT that is at hand has neither percentiles nor a maximum of all pages.
    if path != "rpt/full.csv":
        assert found["response_p50_ms"] <= found["response_p95_ms"] <= found["response_max_ms"]


def test_samples_of_hey_have_times_where_the_run_says_when_it_began(tmp_path: Path) -> None:
    """Ten responses a second for two minutes; those that got none are in no file of hey."""
    head = (FIXTURES / "hey/samples.csv").read_text(encoding="utf-8").splitlines()[0]
    rest = "0.0004,0.0000,0.0002,0.0022,0.0001"
    rows = [
        f"{(10 + number * 7 % 50) / 1000:.4f},{rest},{status},{number / 10:.4f}"
        for number in range(1200)
        for status in [500 if number == 70 else 200]
    ]
    path = tmp_path / "hey.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    timed = scratch.database()
    timed.execute("SET TimeZone = 'UTC'")
    timed.execute(
        "UPDATE run SET kind = 'measurement', start_utc = TIMESTAMP '2030-01-02 03:04:05'"
    )
    scratch.enter(timed, path)
    first, last, most = timed.execute(
        "SELECT min(begin_utc), max(begin_utc), max(interval_no) FROM sampled_placed"
    ).fetchall()[0]
    assert (str(first), str(last)) == ("2030-01-02 03:04:05", "2030-01-02 03:06:04.900000")
    assert most == 11
    found = of_all(timed)
    assert found["response_mean_ms"] == pytest.approx(34.5, abs=0.5)
    # The last one began after 119.9 s and took 53 ms.
    assert found["requests_per_s"] == pytest.approx(1200 / 119.953)
    assert found["error_percent"] == pytest.approx(100 / 1200)
    said = timed.execute("SELECT kind, text FROM run_event").fetchall()
    assert said == [("requests failed", "1: status 500")]
    # Of a few seconds the rate is no other, nor of half of one.
    for many, rate in ((23, 10), (7, 7 / 0.652)):
        path.write_text("\n".join([head, *rows[:many]]) + "\n", encoding="utf-8")
        short = scratch.database()
        short.execute(
            "UPDATE run SET kind = 'measurement', start_utc = TIMESTAMP '2030-01-02 03:04:05'"
        )
        scratch.enter(short, path)
        assert of_all(short)["requests_per_s"] == pytest.approx(rate), many
    # Of a second execution nobody knows when it began: both are summed up as a whole.
    two = tmp_path / "two.csv"
    again = "\n".join([head, *rows[1:]]) + "\n"
    two.write_text(path.read_text(encoding="utf-8") + again, encoding="utf-8")
    connection = load()
    connection.execute("UPDATE run SET start_utc = TIMESTAMP '2030-01-02 03:04:05'")
    scratch.enter(connection, two)
    ((count,),) = connection.execute("SELECT count(*) FROM load_run").fetchall()
    assert count == 2
