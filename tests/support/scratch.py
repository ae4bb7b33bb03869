"""A database of one run, with all tables and views, for tests of the views."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import duckdb

from studybook import formats
from studybook.records import schema

RUN = "study/run"


def empty() -> duckdb.DuckDBPyConnection:
    """Return a database with all tables and views, and nothing in them."""
    connection = duckdb.connect()
    # Copied, for creating the views takes longer than most tests.
    connection.execute(f"ATTACH '{_template().name}/empty.duckdb' AS template (READ_ONLY)")
    connection.execute("COPY FROM DATABASE template TO memory (SCHEMA)")
    connection.execute("DETACH template")
    return connection


@cache
def _template() -> tempfile.TemporaryDirectory[str]:
    folder = tempfile.TemporaryDirectory()
    with duckdb.connect(f"{folder.name}/empty.duckdb") as connection:
        schema.create(connection)
    return folder


def database(time_zone: str = "UTC") -> duckdb.DuckDBPyConnection:
    """Return a database with one run and no files."""
    connection = empty()
    connection.execute(
        "INSERT INTO run (run_id, study, run, origin, time_zone, time_zone_known)"
        " VALUES (?, 'study', 'run', 'measured', ?, 'stated')",
        [RUN, time_zone],
    )
    return connection


def enter(
    connection: duckdb.DuckDBPyConnection, path: Path, host: str | None = None
) -> formats.Reading:
    """Read a file into the database; ``host`` is the one that run.yml names for it."""
    ((file_id,),) = connection.execute("SELECT count(*) + 1 FROM raw_file").fetchall()

    def sink(table: str, rows: object) -> None:
        connection.register("rows_read", rows)
        connection.execute(f"INSERT INTO {table} SELECT {file_id}, * FROM rows_read")
        connection.unregister("rows_read")

    found, reading = formats.read(path, sink)
    connection.execute(
        "INSERT INTO raw_file (file_id, run_id, name, source, host, lines_not_understood)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [file_id, RUN, path.name, found.source, host, reading.lines_not_understood],
    )
    return reading
