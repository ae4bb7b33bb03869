"""Keeping what the stable phase of each run says: see :mod:`studybook.records.derived`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from studybook.process.pool import processes
from studybook.records import derived, store
from studybook.study.scope import Scope
from studybook.study.study import Study

if TYPE_CHECKING:
    import pyarrow as pa


def derive(database: Path) -> None:
    """Compute the derived tables of a database, unless those that lie there are its own.

    Parameters
    ----------
    database : pathlib.Path
        The database, loaded.
    """
    path = derived.place(database)
    with duckdb.connect() as connection:
        if derived.attach(connection, database):
            return
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    store.remove_left_over(path)
    try:
        with duckdb.connect(str(temporary)) as connection:
            for tables in _tables_of_all(_studies(database), database):
                _add(connection, tables)
            connection.execute("CREATE TABLE made_from (digest VARCHAR)")
            connection.execute("INSERT INTO made_from VALUES (?)", [derived.made_from(database)])
        temporary.replace(path)
    finally:
        store.remove_left_over(path)


def _studies(database: Path) -> list[str]:
    """The studies that have what the views rest on; one at least, for its empty tables."""
    connection = store.connect(database)
    try:
        rows = connection.execute(
            "SELECT study, bool_or(list_contains($sources, source)) FROM run"
            " JOIN raw_file USING (run_id) GROUP BY study ORDER BY study",
            {"sources": list(derived.SOURCES)},
        ).fetchall()
    finally:
        connection.close()
    return [study for study, has_some in rows if has_some] or [rows[0][0]]


def _tables_of_all(studies: list[str], database: Path) -> Iterator[dict[str, pa.Table]]:
    if len(studies) == 1:
        # What takes longest of one that is small is another process.
        yield _tables(studies[0], database)
        return
    with processes(os.cpu_count() or 1) as pool:
        yield from pool.map(_tables, studies, [database] * len(studies))


def _tables(study: str, database: Path) -> dict[str, pa.Table]:
    opened = Study(Scope(study, derived.SOURCES, {}), database)
    return {view: opened.table(view) for view in derived.VIEWS}


def _add(connection: duckdb.DuckDBPyConnection, tables: dict[str, pa.Table]) -> None:
    for view, rows in tables.items():  # noqa: B007 - DuckDB finds the rows by their name
        connection.execute(f"CREATE TABLE IF NOT EXISTS {view} AS FROM rows LIMIT 0")
        connection.execute(f"INSERT INTO {view} BY NAME FROM rows")
