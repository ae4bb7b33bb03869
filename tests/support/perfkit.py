"""Listings of the Performance Toolkit that tests make up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from studybook.formats import Hints, Reading, read
from tests.conftest import REPOSITORY
from tests.support.scratch import empty

DATA = REPOSITORY / "tests/data" / "perfkit"

#: The beginning of a page without carriage control.
PAGE = """\
{report}  Run 2013/05/08 07:11:42         {name}                                   Page {number:4d}
                                         Some Title
From {begin}                                                            {system}
To   {end}                                                            CPU 2827-H43   SN 0A1B7
For {seconds:6d} Secs {clock}                 Result of QTEST Run          z/VM   V.6.3.0 SLU 1402
______________________________________________________________________________________________
"""

Rows = dict[str, list[dict[str, Any]]]


def page(
    report: str = "FCX225",
    name: str = "SYSSUMLG",
    begin: str = "2013/05/08 09:00:00",
    end: str = "2013/05/08 09:10:00",
    seconds: int = 600,
    clock: str = "00:10:00",
    number: int = 1,
    system: str = "ZVMQ7",
) -> str:
    """Return the heading of a page."""
    return PAGE.format(**locals())


def read_listing(
    folder: Path, text: str | bytes, hints: Hints | None = None
) -> tuple[Reading, Rows]:
    """Read a listing that stands in a test."""
    path = folder / "listing"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    rows: Rows = {}
    _, reading = read(
        path, lambda table, part: rows.setdefault(table, []).extend(part.to_pylist()), hints
    )
    return reading, rows


def empty_database() -> duckdb.DuckDBPyConnection:
    """Return a database with all tables and views, and one run without files."""
    connection = empty()
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(
        "INSERT INTO run (run_id, study, run, time_zone, time_zone_known)"
        " VALUES ('s/r', 's', 'r', 'Europe/Berlin', 'known')"
    )
    return connection


def enter(
    connection: duckdb.DuckDBPyConnection, number: int, path: Path, host: str | None = None
) -> None:
    """Read a file of the run into the database."""

    def sink(table: str, part: pa.Table) -> None:
        ids = pa.repeat(pa.scalar(number), part.num_rows)
        connection.register("part", part.add_column(0, "file_id", ids))
        connection.execute(f"INSERT INTO {table} SELECT * FROM part")
        connection.unregister("part")

    _, reading = read(path, sink)
    connection.execute(
        "INSERT INTO raw_file (file_id, run_id, name, source, host, lines_not_understood)"
        " VALUES (?, 's/r', ?, 'perfkit', ?, ?)",
        [number, path.name, host, reading.lines_not_understood],
    )


def ask(connection: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    """Return the rows of an answer."""
    return connection.execute(sql).fetchall()
