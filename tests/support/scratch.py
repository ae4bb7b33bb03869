"""A database of one run with all tables, where queries may ask models."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, Self

import duckdb

from studybook import formats
from studybook.records import schema
from studybook.records.models import in_order, models_of
from studybook.records.parsed import tables_in
from studybook.records.rows import add_macros, create

RUN = "study/run"


class Scratch:
    """A connection in which the models that a query names are computed before it is asked.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        With the tables that models read.
    given : collection of str
        Models that are tables here, filled by the test.
    own : pathlib.Path, optional
        The folder of a study's own models.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        given: Collection[str] = (),
        own: Path | None = None,
    ) -> None:
        self.connection = connection
        add_macros(connection, own)
        self._models = {n: m for n, m in models_of(own).items() if n not in given}
        self._made: set[str] = set()

    def execute(self, sql: str, parameters: Any = None) -> duckdb.DuckDBPyConnection:
        """As DuckDB does."""
        self._compute(sql)
        return self.connection.execute(sql, parameters)

    def sql(self, sql: str) -> duckdb.DuckDBPyRelation:
        """As DuckDB does."""
        self._compute(sql)
        return self.connection.sql(sql)

    def _compute(self, sql: str) -> None:
        """Compute the models that a query names, unless nothing has changed since."""
        try:
            asked = tables_in(sql, self.connection, self._models) & self._models.keys()
        except duckdb.Error:  # no query: it changes what models are made of
            self._made.clear()
            asked = set()
        for model in in_order(self._models, asked):
            if model.name not in self._made:
                create(self.connection, model, f"TEMP TABLE {model.name}")
                self._made.add(model.name)

    def begin(self) -> Self:
        """As DuckDB does."""
        self.connection.begin()
        return self

    def rollback(self) -> Self:
        """As DuckDB does; the models go with what they were made of."""
        self.connection.rollback()
        self._made.clear()
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()


def empty(own: Path | None = None) -> Scratch:
    """Return a database with all tables, and nothing in them."""
    connection = duckdb.connect()
    schema.create(connection)
    for name, table in schema.record_tables().items():
        columns = ", ".join(f'"{each}" {kind}' for each, kind in schema.columns_of(table).items())
        connection.execute(f"CREATE TABLE {name} ({columns})")
    return Scratch(connection, own=own)


def database(time_zone: str = "UTC", own: Path | None = None) -> Scratch:
    """Return a database with one run and no files."""
    connection = empty(own)
    connection.execute(
        "INSERT INTO run (run_id, study, run, origin, time_zone, time_zone_known)"
        " VALUES (?, 'study', 'run', 'measured', ?, 'stated')",
        [RUN, time_zone],
    )
    return connection


def enter(connection: Scratch, path: Path, host: str | None = None) -> formats.Reading:
    """Read a file into the database; ``host`` is the one that run.yml names for it."""
    ((file_id,),) = connection.execute("SELECT count(*) + 1 FROM raw_file").fetchall()

    def sink(table: str, rows: object) -> None:
        connection.register("rows_read", rows)
        connection.execute(f"INSERT INTO {table} SELECT {file_id}, * FROM rows_read")
        connection.unregister("rows_read")

    found, reading = formats.read(path, sink)
    connection.execute(
        "INSERT INTO raw_file (file_id, run_id, name, source, format, host, lines_not_understood)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            file_id,
            RUN,
            path.name,
            found.source,
            found.name,
            host,
            reading.lines_not_understood,
        ],
    )
    return reading
