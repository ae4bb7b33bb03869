"""Performance Toolkit reports: IFLs by every route, guests, switches and disks."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import duckdb
import pytest

from studybook.formats.perfkit import TABLES
from tests.support.perfkit import DATA, ask, empty_database, enter


@pytest.fixture
def database() -> duckdb.DuckDBPyConnection:
    """All our own files as one run, each read once."""
    connection = empty_database()
    for view in ("ifl_use", "ifl_route_comparison", "guest_cpu", "vswitch_rate", "dasd_response"):
        assert connection.execute(f"FROM {view}").fetchall() == []
    for number, name in enumerate(["listing.txt", "partitions.txt", "devices.txt", "screens.txt"]):
        enter(connection, number, DATA / name)
    return connection


def test_ifls_by_every_route(database: duckdb.DuckDBPyConnection) -> None:
    found = ask(
        database,
        "SELECT route, processors, count(*), round(sum(used_ifl * interval_s) / sum(interval_s), 4)"
        " FROM ifl_use GROUP BY ALL ORDER BY route",
    )
    assert found == [
        ("CPU: sum of processors", "IFL", 1, 1.33),
        ("LPAR: sum of processors", "IFL", 1, 1.595),
        ("LPARLOG: busy × processors", "IFL", 2, 1.596),
        ("PHYSLOG", "IFL", 2, 1.606),
        ("PROCLOG/PRCLOG: sum of processors", "IFL", 2, 1.265),
        ("SYSSUMLG: busy × online", "all", 4, 1.235),
        ("USER: sum of guests", "all", 1, 1.201),
        ("USERLOG: sum of guests", "all", 2, 4.1),
    ]


def test_times_are_utc_and_end_stamped(database: duckdb.DuckDBPyConnection) -> None:
    (first,) = ask(
        database,
        "SELECT host, time_utc, interval_s, used_ifl FROM ifl_use"
        " WHERE route LIKE 'SYSSUMLG%' ORDER BY time_utc LIMIT 1",
    )
    assert first == ("ZVMQ7", datetime(2013, 5, 7, 21, 59), 60, pytest.approx(1.2))


def test_routes_are_compared_over_the_time_they_share(database: duckdb.DuckDBPyConnection) -> None:
    found = {
        route: values
        for route, *values in ask(
            database,
            "SELECT route, from_utc, round(used_ifl, 4), round(reference_ifl, 4), out_of_order"
            " FROM ifl_route_comparison WHERE reference LIKE 'SYSSUMLG%'",
        )
    }
    # PRCLOG covers the last two minutes only.
    assert found["PROCLOG/PRCLOG: sum of processors"] == [
        datetime(2013, 5, 7, 22), 1.265, 1.245, None
    ]  # fmt: skip
    assert found["USER: sum of guests"] == [datetime(2013, 5, 7, 21, 58), 1.201, 1.235, False]
    assert found["PHYSLOG"] == [None, None, None, None]


def test_guests_above_the_hypervisor_are_flagged(
    database: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    text = (DATA / "listing.txt").read_text().replace("70.8 170.0 ", "79.2 190.0 ")
    (tmp_path / "listing.txt").write_text(text)
    database.execute("DELETE FROM raw_file WHERE file_id = 0")
    enter(database, 10, tmp_path / "listing.txt")
    found = ask(database, "SELECT out_of_order FROM ifl_route_comparison WHERE route LIKE 'USER:%'")
    assert found == [(True,)]


def test_a_sum_with_a_part_missing_is_null(
    database: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    lines = (DATA / "listing.txt").read_text().splitlines(keepends=True)
    # A row of processor 1 has lost a blank and a digit.
    lines[37] = lines[37].replace("  28.5  27.6", " 28.5  27.6 x")
    (tmp_path / "listing.txt").write_text("".join(lines))
    database.execute("DELETE FROM raw_file WHERE file_id = 0")
    enter(database, 10, tmp_path / "listing.txt")
    found = ask(
        database,
        "SELECT parts, used_ifl FROM ifl_use WHERE route LIKE 'PROCLOG%' ORDER BY time_utc",
    )
    assert found == [(1, None), (2, pytest.approx(1.265))]


def test_guests_switches_and_disks(database: duckdb.DuckDBPyConnection) -> None:
    assert ask(
        database,
        "SELECT userid, round(used_ifl, 4), basis FROM guest_cpu WHERE report = 'FCX112'"
        " ORDER BY userid",
    ) == [
        ("QNSD01", 0.7083, "TCPU / seconds"),
        ("QNSD02", 0.4917, "TCPU / seconds"),
        ("TCPIP", 0.001, "TCPU / seconds"),
    ]
    assert ask(database, "SELECT DISTINCT userid FROM guest_cpu WHERE report = 'FCX162'") == [
        ("QNSD01",)
    ]
    assert ask(
        database,
        "SELECT side, address, userid, round(out_mib_s * 1.048576, 3) FROM vswitch_rate"
        " WHERE vswitch = 'QSW1' ORDER BY ALL",
    ) == [
        ("adapter", "0600", "QNSD01", 24.0),
        ("adapter", "0600", "QNSD02", 0.005),
        ("switch", "0A02", None, 12.0),
    ]
    assert ask(
        database,
        "SELECT device, label, response_ms, io_per_s FROM dasd_response ORDER BY ALL NULLS LAST",
    ) == [
        ("0500", "QVOL01", 0.7, 12.0),
        ("0500", None, 0.6, 11.0),
        ("0500", None, 0.8, 13.0),
        ("0501", "QVOL02", 0.6, 0.4),
    ]


def test_coverage_and_events(database: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    assert ask(
        database,
        "SELECT file_id, host, first_utc, samples, interval_s, gaps FROM perfkit_coverage"
        " WHERE file_id < 2 ORDER BY file_id",
    ) == [
        (0, "ZVMQ7", datetime(2013, 5, 7, 21, 58), 4, 60, 0),
        (1, "ZVMQ7", datetime(2013, 5, 8, 10), 2, 300, 0),
    ]
    assert ask(database, "FROM perfkit_event") == []
    (tmp_path / "screens.txt").write_text(
        (DATA / "screens.txt").read_text().replace("IFL    92 ", "IFL   192 ")
    )
    enter(database, 10, tmp_path / "screens.txt")
    doubtful, contradiction = ask(
        database, "SELECT file_id, kind, text FROM perfkit_event ORDER BY kind DESC"
    )
    assert doubtful == (10, "doubtful value", "FCX100, processor P00: 192.0 % busy")
    assert contradiction[:2] == (10, "contradiction")
    assert re.fullmatch("FCX100: .*: 1", contradiction[2])


def test_every_table_is_filled_by_our_files(database: duckdb.DuckDBPyConnection) -> None:
    for table in TABLES:
        assert ask(database, f"SELECT count(*) > 0 FROM {table.name}") == [(True,)]
