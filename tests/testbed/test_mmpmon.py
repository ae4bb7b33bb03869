"""The writer of mmpmon's answers, read back: rates are those of the course, faults are seen."""

from __future__ import annotations

import functools
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook.errors import StudyBookError
from testbed.course import Course, Guest, Series
from testbed.writers import mmpmon
from tests.support.courses import course
from tests.support.scratch import database, enter

MOST_LATE_S = 0.02


def nodes_of(run: Course) -> tuple[Guest, ...]:
    return tuple(guest for guest in run.guests if guest.file_system)


@functools.cache
def _shared() -> duckdb.DuckDBPyConnection:
    return database().begin()


def fresh() -> duckdb.DuckDBPyConnection:
    """Return the database as it was made, without what an earlier test has read into it."""
    return _shared().rollback().begin()


def load(
    folder: Path, run: Course, guests: tuple[Guest, ...] | None = None, **faults: Any
) -> duckdb.DuckDBPyConnection:
    """Write answers and read them into a database; all lines are understood."""
    path = folder / "mmpmon.txt"
    lines = mmpmon.lines(run, guests or nodes_of(run), **faults)
    path.write_text("".join(line + "\n" for line in lines))
    found = fresh()
    reading = enter(found, path)
    assert reading.lines_not_understood == 0
    assert reading.remarks == []
    return found


def rows_of(found: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = found.sql(sql).to_arrow_table().to_pylist()
    return rows


def since_start_s(run: Course, time_utc: datetime) -> float:
    return (time_utc.replace(tzinfo=UTC) - run.start) / timedelta(seconds=1)


def mean_of(run: Course, series: Series, row: dict[str, Any]) -> float:
    """The mean of a series over the interval of a row."""
    end = since_start_s(run, row["time_utc"])
    start = end - row["interval_s"]
    total = 0.0
    for number, value in enumerate(series.tolist()):
        begins = number * run.interval_s
        total += value * max(0.0, min(end, begins + run.interval_s) - max(start, begins))
    return total / float(row["interval_s"])


def check_rates(run: Course, rows: list[dict[str, Any]]) -> None:
    """Compare rates with the course: to one count more or less."""
    guests = {guest.name: guest for guest in run.guests}
    for row in rows:
        mounted = guests[row["host"]].file_system
        assert mounted is not None
        one = 1.001 / row["interval_s"]
        for column, series, of_one in (
            ("read_mib_s", mounted.read_kib_s / 1024, one / 2**20),
            ("write_mib_s", mounted.write_kib_s / 1024, one / 2**20),
            ("reads_per_s", mounted.reads_per_s, one),
            ("writes_per_s", mounted.writes_per_s, one),
            ("opens_per_s", mounted.opens_per_s, one),
            ("closes_per_s", mounted.closes_per_s, one),
            ("readdirs_per_s", mounted.readdirs_per_s, one),
            ("inode_updates_per_s", mounted.inode_updates_per_s, one),
        ):
            assert row[column] == pytest.approx(mean_of(run, series, row), rel=1e-9, abs=of_one), (
                column
            )


def check(folder: Path, run: Course) -> None:
    """Compare both views with the course."""
    found = load(folder, run)
    guests = nodes_of(run)
    for view in ("file_system_rate", "node_io_rate"):
        rows = rows_of(found, f"FROM {view} ORDER BY time_utc")
        # A sample at the start, then one per interval that ends within the run.
        assert len(rows) == len(guests) * run.intervals
        assert [row["state"] for row in rows[: len(guests)]] == ["first"] * len(guests)
        rows = rows[len(guests) :]
        assert {row["state"] for row in rows} <= {"ok"}
        for row in rows:
            assert 0 < row["interval_s"] - run.interval_s < MOST_LATE_S
        check_rates(run, rows)
    assert found.sql("FROM mmpmon_event").fetchall() == []


def test_rates_are_those_of_the_course(tmp_path: Path) -> None:
    run = course(seed=3, nodes=4)
    check(tmp_path, run)


@settings(max_examples=6)
@given(
    seed=st.integers(1, 10**6),
    intervals=st.integers(2, 12),
    interval_s=st.integers(1, 300),
    nodes=st.integers(1, 5),
)
def test_rates_of_any_course(
    tmp_path_factory: pytest.TempPathFactory, seed: int, intervals: int, interval_s: int, nodes: int
) -> None:
    run = course(seed, intervals=intervals, interval_s=interval_s, nodes=nodes)
    check(tmp_path_factory.mktemp("mmpmon"), run)


def test_more_loops_than_are_made_at_a_time(tmp_path: Path) -> None:
    run = course(nodes=1, intervals=mmpmon._BATCH + 100, interval_s=5)
    rows = rows_of(load(tmp_path, run), "FROM file_system_rate ORDER BY time_utc")
    # The clock of the loops is late by more and more: the last of them would end after the run.
    assert run.intervals - 2 <= len(rows) <= run.intervals
    assert {row["state"] for row in rows[1:]} == {"ok"}
    check_rates(run, rows[mmpmon._BATCH - 3 : mmpmon._BATCH + 3])


def test_counters_go_on_from_an_earlier_mount(tmp_path: Path) -> None:
    run = course()
    found = load(tmp_path, run)
    ((least,),) = found.sql(
        "SELECT min(least(read_bytes, written_bytes, opens, reads, writes, readdirs))"
        " FROM mmpmon_fs_io"
    ).fetchall()
    assert least > 1000
    rows = found.sql("SELECT DISTINCT cluster, file_system, disks, rc FROM mmpmon_fs_io").fetchall()
    assert rows == [("ecm.example.com", "fs1", 6, 0)]
    # The node itself counts what its one file system counts, some milliseconds later.
    apart = found.sql(
        "SELECT max(n.reads - f.reads), min(n.reads - f.reads), max(n.time_utc - f.time_utc)"
        " FROM mmpmon_fs_io f JOIN mmpmon_io n USING (pass, host)"
    ).fetchall()
    assert 0 < apart[0][0] < 100
    assert apart[0][1] >= 0
    assert apart[0][2] < timedelta(milliseconds=20)


def test_the_list_of_nodes_is_made_once_and_answers_come_in_any_order(tmp_path: Path) -> None:
    run = course(nodes=3)
    found = load(tmp_path, run)
    assert found.sql("SELECT version, level, variant FROM mmpmon_version").fetchall() == [(4, 2, 0)]
    rows = found.sql(
        "SELECT request, rc, names, member, member_ip, names_processed, nodes_in_list"
        " FROM mmpmon_node_list ORDER BY line"
    ).fetchall()
    assert rows == [
        ("add", 0, 3, None, None, None, None),
        *(("add", 0, None, f"ECMnod{n}", f"192.0.2.{n}", None, None) for n in (1, 2, 3)),
        ("add", 0, None, None, None, 3, 3),
    ]
    passes = found.sql(
        "SELECT list(host ORDER BY line) FROM mmpmon_fs_io GROUP BY pass ORDER BY pass"
    ).fetchall()
    assert len(passes) == run.intervals
    assert {tuple(sorted(hosts)) for (hosts,) in passes} == {("ECMnod1", "ECMnod2", "ECMnod3")}
    assert len({tuple(hosts) for (hosts,) in passes}) > 1
    times = found.sql(
        "SELECT time_utc FROM mmpmon_fs_io UNION ALL SELECT time_utc FROM mmpmon_io ORDER BY 1"
    ).fetchall()
    assert 0 < since_start_s(run, times[0][0]) < MOST_LATE_S
    assert since_start_s(run, times[-1][0]) <= run.intervals * run.interval_s
    in_order = found.sql(
        "SELECT bool_and(later) FROM (SELECT time_utc > lag(time_utc) OVER (ORDER BY line) AS later"
        " FROM (SELECT line, time_utc FROM mmpmon_fs_io"
        "  UNION ALL SELECT line, time_utc FROM mmpmon_io))"
    ).fetchall()
    assert in_order == [(True,)]


def test_a_reset_is_no_rate_and_an_event(tmp_path: Path) -> None:
    run = course(nodes=2)
    found = load(tmp_path, run, reset_at=11)
    for view in ("file_system_rate", "node_io_rate"):
        rows = rows_of(found, f"FROM {view} ORDER BY host, time_utc")
        for node in (rows[: run.intervals], rows[run.intervals :]):
            assert [n for n, row in enumerate(node) if row["state"] != "ok"] == [0, 11]
            assert node[11]["state"] == "reset"
            assert node[11]["read_mib_s"] is None
        check_rates(run, [row for row in rows if row["state"] == "ok"])
    events = found.sql("SELECT host, kind, text FROM mmpmon_event ORDER BY ALL").fetchall()
    assert events == [
        (host, "counters reset", f"{what}: counters began anew")
        for host in ("ECMnod1", "ECMnod2")
        for what in ("file system fs1", "node total")
    ]
    # Since the reset, no more was read than in one interval.
    rows = rows_of(found, "FROM mmpmon_fs_io WHERE pass = 12")
    for row in rows:
        assert 0 < row["reads"] < 3 * 700 * run.interval_s


def test_a_node_that_is_dead_for_a_loop_leaves_a_gap(tmp_path: Path) -> None:
    run = course(nodes=3)
    found = load(tmp_path, run, dead=("ECMnod2", 7))
    rows = rows_of(found, "FROM file_system_rate WHERE state <> 'first' ORDER BY time_utc")
    assert {row["state"] for row in rows} == {"ok"}
    check_rates(run, rows)
    long = [row for row in rows if row["interval_s"] > 1.5 * run.interval_s]
    assert [row["host"] for row in long] == ["ECMnod2"]
    assert long[0]["interval_s"] == pytest.approx(2 * run.interval_s, abs=2 * MOST_LATE_S)
    assert since_start_s(run, long[0]["time_utc"]) == pytest.approx(80, abs=0.2)
    events = found.sql("SELECT host, kind, text FROM mmpmon_event").fetchall()
    assert events == [("ECMnod2", "node failed", "quorum lost")] * 2
    found = load(tmp_path, run, dead=("ECMnod2", 7), requests=["fs_io_s"])
    gaps = found.sql("SELECT host, gaps, resets FROM mmpmon_coverage ORDER BY host").fetchall()
    assert gaps == [("ECMnod1", 0, 0), ("ECMnod2", 1, 0), ("ECMnod3", 0, 0)]


def test_a_node_without_a_file_system_says_so(tmp_path: Path) -> None:
    run = course(nodes=1, servers=1)
    found = load(tmp_path, run, run.guests)
    answers = found.sql(
        "SELECT DISTINCT rc, file_system, read_bytes FROM mmpmon_fs_io WHERE host = 'NSDsrv1'"
    ).fetchall()
    assert answers == [(1, None, None)]
    rows = rows_of(found, "FROM node_io_rate WHERE host = 'NSDsrv1' AND state <> 'first'")
    assert {(row["state"], row["read_bytes"], row["writes"]) for row in rows} == {("ok", 0, 0)}
    check_rates(run, rows_of(found, "FROM file_system_rate WHERE state = 'ok'"))


def test_counters_of_32_bits_wrap(tmp_path: Path) -> None:
    run = course(nodes=1, intervals=100, interval_s=60)
    guest = nodes_of(run)[0]
    assert guest.file_system is not None
    busy = replace(guest.file_system, reads_per_s=np.full(100, 9e5))
    guest = replace(guest, file_system=busy)
    run = replace(run, guests=(guest,))
    found = load(tmp_path, run)
    assert found.sql("SELECT max(reads) < 2 ** 32 FROM mmpmon_fs_io").fetchall() == [(True,)]
    fell = found.sql(
        "SELECT count(*) FROM (SELECT reads < lag(reads) OVER (ORDER BY time_utc) AS fell"
        " FROM mmpmon_fs_io) WHERE fell"
    ).fetchall()
    assert fell in ([(1,)], [(2,)])
    rows = rows_of(found, "FROM file_system_rate WHERE state <> 'first'")
    assert {row["state"] for row in rows} == {"ok"}
    check_rates(run, rows)


def test_one_request_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    run = course(intervals=9)
    lines = list(mmpmon.lines(run, nodes_of(run), requests=["fs_io_s"]))
    assert lines == list(mmpmon.lines(run, nodes_of(run), requests=["fs_io_s"]))
    kinds = {line.split()[0] for line in lines}
    assert kinds == {"_ver_", "_nlist_", "_fs_io_s_", "_end_"}
    other = replace(run, seed=(2,))
    assert lines[5:] != list(mmpmon.lines(other, nodes_of(other), requests=["fs_io_s"]))[5:]


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ({"dead": ("Elm", 1)}, "Elm is not among the nodes"),
        ({"dead": ("ECMnod1", 99)}, "no loop 99"),
        ({"reset_at": 0}, "before loop 0"),
        ({"reset_at": 99}, "before loop 99"),
    ],
)
def test_what_cannot_happen_is_refused(faults: dict[str, Any], message: str) -> None:
    run = course()
    with pytest.raises(StudyBookError, match=message):
        list(mmpmon.lines(run, nodes_of(run), **faults))


def test_nobody_to_ask() -> None:
    with pytest.raises(StudyBookError, match="needs nodes"):
        list(mmpmon.lines(course(), []))
