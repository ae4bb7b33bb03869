"""The writer of RPT reports, read back: what comes out is the course that went in."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook.errors import StudyBookError
from studybook.formats import Reading
from testbed.course import Course, Driver, Requests
from testbed.writers import rpt
from testbed.writers.rpt import report
from tests.support.courses import course
from tests.support.scratch import database, enter

BOTH: tuple[rpt.Report, ...] = ("Performance Report", "Transaction Report")


def driver_of(run: Course) -> Driver:
    assert run.driver is not None
    return run.driver


@functools.cache
def _shared() -> duckdb.DuckDBPyConnection:
    return database(time_zone="Europe/Berlin").begin()


def fresh() -> duckdb.DuckDBPyConnection:
    """Return the database as it was made, without what an earlier test has read into it."""
    return _shared().rollback().begin()


def load(
    folder: Path, run: Course, reports: Sequence[rpt.Report] = BOTH
) -> tuple[duckdb.DuckDBPyConnection, list[Reading]]:
    """Write reports of a run, and read them into a database; all lines are understood."""
    found = fresh()
    readings = []
    for each in reports:
        path = folder / rpt.file_name(run, each)
        path.write_text("".join(line + "\n" for line in rpt.lines(run, each)))
        readings.append(enter(found, path))
        assert readings[-1].lines_not_understood == 0
    return found, readings


def page(name: str, hits: list[int], transaction: str = "T", mean_ms: float = 300.4) -> Requests:
    mean = np.full(len(hits), mean_ms)
    return Requests(transaction, name, np.array(hits), mean, mean * 0.5, mean * 0.25, mean * 4)


def with_pages(*pages: Requests) -> Course:
    """Return a course with these pages only."""
    run, count = course(), len(pages[0].hits)
    driver = replace(
        driver_of(run),
        users=np.arange(10, 10 + count),
        completed_users=np.zeros(count, np.int64),
        requests=pages,
    )
    return replace(run, driver=driver)


def whole(value: float) -> int:
    return math.floor(value + 0.5)


# --- layout -----------------------------------------------------------------------------


def test_the_columns_are_those_of_a_real_report(samples_dir: Path) -> None:
    def paths(lines: list[str]) -> list[tuple[str, ...]]:
        rows = [line.split(",") for line in lines[7:12]]
        assert {len(row) for row in rows} == {len(rows[0])}
        return [tuple(filter(None, cells)) for cells in zip(*rows, strict=True)]

    for path in (samples_dir / "rpt" / "full-csv").glob("*.csv"):
        real = paths(path.read_text().splitlines())
        names = list(dict.fromkeys(path[3] for path in real if path[-1] == "Average interval"))
        run = with_pages(*(page(name, [1, 2]) for name in names))
        # What a course says nothing of.
        apart = ("Page Element", "Page VPs", "Bytes")
        assert paths(list(rpt.lines(run))) == [
            each for each in real if not any(word in " ".join(each) for word in apart)
        ]


def test_rows_are_sparse_and_ragged_and_the_last_is_of_a_partial_interval() -> None:
    lines = list(rpt.lines(with_pages(page("A", [0, 3, 0, 2]), page("B", [0, 0, 1, 0]))))
    rows = [line.split(",") for line in lines[12:]]
    header = [line.split(",") for line in lines[7:12]]
    assert len({len(row) for row in rows}) > 2
    # That of B's last counter is full, and no other.
    assert [len(row) == len(header[0]) for row in rows] == [False, False, True, False, False]
    assert all(row[-1] for row in rows)
    times = [int(row[0]) for row in rows]
    steps = [later - earlier for earlier, later in pairwise([0, *times])]
    assert all(4950 <= step <= 5050 for step in steps[:-1])
    assert 350 <= steps[-1] <= 4650
    column = {cells: place for place, cells in enumerate(zip(*header, strict=True))}

    def cells(*path: str) -> list[str]:
        place = column[("All_Hosts", *path, *[""] * (4 - len(path)))]
        return [row[place] if place < len(row) else "" for row in rows]

    # A single time is whole; a mean of several is not, even where its fraction is 0.
    assert cells("Pages", "Response Time", "A", "Average interval") == [
        "", repr(901 / 3), "", "300.5", ""
    ]  # fmt: skip
    assert cells("Pages", "Response Time", "B", "Average interval") == ["", "", "300", "", ""]
    assert cells("Pages", "Response Time", "B", "Max Cumulative") == ["", "", "300", "", ""]
    assert cells("Pages", "Hits", "A", "Scalar For Run") == ["", "3.0", "3.0", "5.0", "5.0"]
    assert cells("Pages", "Attempts", "B", "Scalar interval") == ["", "", "1", "0", "0"]
    assert cells("Run", "Active Users", "Scalar cumulative") == ["10", "11", "12", "13", "0"]
    assert cells("Run", "Completed Users", "Scalar cumulative") == ["0", "0", "0", "0", "13"]


@pytest.mark.parametrize(
    ("zone", "month", "printed"),
    [
        ("Europe/Berlin", 6, "+0100"),
        ("Europe/Berlin", 12, "+0100"),
        ("America/New_York", 7, "-0500"),
        ("Asia/Kolkata", 7, "+0530"),
        ("UTC", 7, "+0000"),
    ],
)
def test_the_start_is_printed_without_summer_time_and_yet_found(
    tmp_path: Path, zone: str, month: int, printed: str
) -> None:
    start = datetime(2016, month, 14, 0, 0, 0, tzinfo=ZoneInfo(zone))
    run = course(start=start, intervals=3)
    lines = list(rpt.lines(run))
    assert lines[1] == f'Run Start Time,"2016-{month:02d}-14T00:00:00{printed}"'
    assert f"[13 {start:%b} 2016 23:59:59 {start.tzname()}]" in lines[0]
    found, readings = load(tmp_path, run)
    wrong = f"{start:%z}" != printed
    assert all(("printed with an offset" in str(each.remarks)) == wrong for each in readings)
    starts = found.execute("SELECT DISTINCT start_utc, start_known FROM rpt_run").fetchall()
    ((utc, known),) = starts
    assert known == "launch time in the file name"
    assert 0.05 <= (start - utc.replace(tzinfo=UTC)).total_seconds() < 0.6
    # Under another name, the zone in the run's name tells.
    (tmp_path / "report.csv").write_text("\n".join(lines) + "\n")
    found = fresh()
    enter(found, tmp_path / "report.csv")
    utc_start = start.astimezone(UTC).replace(tzinfo=None)
    assert found.execute("SELECT start_utc FROM rpt_run").fetchall() == [(utc_start,)]


@given(st.floats(min_value=0, allow_infinity=False))
def test_doubles_are_read_as_they_were(value: float) -> None:
    assert float(report._double(value)) == value


@pytest.mark.parametrize(
    ("value", "printed"),
    [(0.0, "0.0"), (1e-3, "0.001"), (9.9e-4, "9.9E-4"), (4e-10, "4.0E-10"), (100.0, "100.0"),
     (9999999.5, "9999999.5"), (1e7, "1.0E7"), (123456789.0, "1.23456789E8")],
)  # fmt: skip
def test_doubles_look_like_those_of_java(value: float, printed: str) -> None:
    assert report._double(value) == printed


# --- round trip -------------------------------------------------------------------------


def check(folder: Path, run: Course) -> None:
    """Compare all views with the course."""
    driver = driver_of(run)
    found, _ = load(folder, run)
    times = [
        row[0]
        for row in found.execute(
            "SELECT DISTINCT since_start_s FROM virtual_users ORDER BY 1"
        ).fetchall()
    ]
    assert len(times) == len(driver.users) + 1

    users = found.execute(
        "SELECT active, completed, total FROM virtual_users ORDER BY since_start_s"
    ).fetchall()
    total = (driver.users + driver.completed_users).tolist()
    expected_users = zip(driver.users.tolist(), driver.completed_users.tolist(), total, strict=True)
    assert users == [*expected_users, (0, total[-1], total[-1])]

    # Each page and interval: hits, and a mean that is whole in sum.
    all_hits, all_sum_ms = [0] * len(times), [0] * len(times)
    expected: dict[tuple[str | None, float], tuple[int, float]] = {}
    for requests in driver.requests:
        for number, hits in enumerate(requests.hits.tolist()):
            sum_ms = whole(hits * requests.mean_ms[number])
            all_hits[number] += hits
            all_sum_ms[number] += sum_ms
            if hits:
                expected[requests.page, times[number]] = (hits, sum_ms / hits)
                assert abs(sum_ms / hits - requests.mean_ms[number]) <= 0.5 / hits + 1e-9
    for number, hits in enumerate(all_hits):
        if hits:
            expected[None, times[number]] = (hits, all_sum_ms[number] / hits)
    rows = found.execute(
        "SELECT name, since_start_s, hits, mean_ms FROM response_time WHERE kind = 'page'"
    ).fetchall()
    assert {(name, at): rest for name, at, *rest in rows} == {
        key: list(value) for key, value in expected.items()
    }

    # Rates times intervals are the counts, and all that began has ended.
    rows = found.execute(
        "SELECT name, list(completed_per_s * interval_s ORDER BY since_start_s),"
        " sum(started_per_s * interval_s) FROM throughput WHERE kind = 'page' GROUP BY name"
    ).fetchall()
    counts: dict[str | None, list[int]] = {
        each.page: each.hits.tolist() for each in driver.requests if each.hits.any()
    }
    if counts:
        counts[None] = all_hits[:-1]
    assert {row[0] for row in rows} == set(counts)
    for name, completed, started in rows:
        there = [*counts[name], 0][-len(completed) :]
        assert completed == pytest.approx(there, abs=1e-6)
        assert sum(counts[name]) == sum(there)
        assert started == pytest.approx(sum(there))

    # The run as a whole, by an update of mean and spread from interval to interval.
    statistics = {
        (name, measure, statistic): value
        for name, measure, statistic, value in found.execute(
            "SELECT name, measure, statistic, value FROM run_statistic WHERE kind = 'page'"
        ).fetchall()
    }
    for requests in driver.requests:
        count, mean, spread = 0, 0.0, 0.0
        for number in np.flatnonzero(requests.hits).tolist():
            hits = int(requests.hits[number])
            of_interval = whole(hits * requests.mean_ms[number]) / hits
            apart = of_interval - mean
            spread += requests.stdev_ms[number] ** 2 * (hits - 1)
            spread += apart * apart * count * hits / (count + hits)
            count += hits
            mean += apart * hits / count
        if not count:
            assert (requests.page, "response time", "average") not in statistics
            continue
        values = {
            statistic: statistics[requests.page, "response time", statistic]
            for statistic in ("average", "minimum", "maximum", "standard_deviation")
        }
        assert values["average"] == pytest.approx(mean, rel=1e-12)
        deviation = math.sqrt(spread / (count - 1)) if count > 1 else 0.0
        assert values["standard_deviation"] == pytest.approx(deviation, rel=1e-6, abs=1e-3)
        some = requests.hits > 1
        if some.any():
            assert values["minimum"] <= whole(requests.min_ms[some].min())
            assert values["maximum"] >= whole(requests.max_ms[some].max())
        assert values["minimum"] <= values["average"] <= values["maximum"]
        assert statistics[requests.page, "hits", "count"] == count
        assert statistics[requests.page, "goodness", "percent"] == 100

    if counts:
        mean = sum(all_sum_ms) / sum(all_hits)
        assert statistics[None, "response time", "average"] == pytest.approx(mean, rel=1e-12)
        assert statistics[None, "hits", "count"] == sum(all_hits)
        assert statistics[None, "attempts", "count"] == sum(all_hits)

    # A transaction ends with its last page, and takes as long as its pages together.
    rows = found.execute(
        "SELECT name, measure, since_start_s, hits, mean_ms FROM response_time"
        " WHERE kind = 'transaction'"
    ).fetchall()
    seen = {(name, measure, at): (hits, mean) for name, measure, at, hits, mean in rows}
    assert len(seen) == len(rows)
    for name in {each.transaction for each in driver.requests}:
        parts = [each for each in driver.requests if each.transaction == name]
        for number, hits in enumerate(parts[-1].hits.tolist()):
            elapsed = seen.get((name, "elapsed time", times[number]))
            assert elapsed == seen.get((name, "net server time", times[number]))
            if not hits:
                assert elapsed is None
                continue
            assert elapsed is not None
            assert elapsed[0] == hits
            if all(part.hits[number] for part in parts):
                assert elapsed[1] == pytest.approx(
                    sum(part.mean_ms[number] for part in parts), abs=0.5 / hits + 1e-9
                )


def test_all_comes_back(tmp_path: Path) -> None:
    check(tmp_path, course(seed=5, intervals=40))


@settings(max_examples=8)
@given(seed=st.integers(1, 10**6), intervals=st.integers(6, 20), interval_s=st.integers(1, 20))
def test_any_course_comes_back(
    tmp_path_factory: pytest.TempPathFactory, seed: int, intervals: int, interval_s: int
) -> None:
    run = course(seed, intervals=intervals, driver_interval_s=interval_s)
    check(tmp_path_factory.mktemp("rpt"), run)


def test_pages_that_are_rare(tmp_path: Path) -> None:
    check(
        tmp_path,
        with_pages(
            page("Often", [0, 500, 700, 1, 2]),
            page("Once", [0, 0, 1, 0, 0], "U", 12_345.6),
            page("Never", [0] * 5, "V"),
            page("At last", [0, 0, 0, 0, 1], "W", 0.2),
        ),
    )


def test_pages_of_one_name_are_one_page(tmp_path: Path) -> None:
    run = with_pages(
        page("Log in", [2, 0, 1], "T", 100), page("Search", [1, 1, 1], "T", 1000),
        page("Log in", [2, 4, 0], "U", 300), page("View", [1, 0, 2], "U", 500),
    )  # fmt: skip
    found, _ = load(tmp_path, run)
    rows = found.execute(
        "SELECT hits, mean_ms FROM response_time WHERE name = 'Log in' ORDER BY since_start_s"
    )
    assert rows.fetchall() == [(4, 200), (4, 300), (1, 100)]
    rows = found.execute(
        "SELECT name, list(hits ORDER BY since_start_s), list(mean_ms ORDER BY since_start_s)"
        " FROM response_time WHERE measure = 'elapsed time' GROUP BY name ORDER BY name"
    )
    assert rows.fetchall() == [("T", [1, 1, 1], [1100] * 3), ("U", [1, 2], [800] * 2)]


def test_the_same_course_gives_the_same_bytes_and_another_seed_other_times() -> None:
    run = course(intervals=20)
    assert list(rpt.lines(run)) == list(rpt.lines(run))
    assert rpt.file_name(run) == rpt.file_name(run)
    other = replace(run, seed=(2,))
    assert list(rpt.lines(run))[12:] != list(rpt.lines(other))[12:]

    def clock(report: rpt.Report) -> list[str]:
        return [line.split(",")[0] for line in rpt.lines(run, report)][12:]

    assert clock("Performance Report") == clock("Transaction Report")


def test_a_run_without_a_driver_has_no_report() -> None:
    with pytest.raises(StudyBookError, match="no load driver"):
        list(rpt.lines(replace(course(), driver=None)))
