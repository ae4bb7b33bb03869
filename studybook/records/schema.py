"""The tables of the DuckDB file of a data set: the ledger, and records where they lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path

import duckdb

from studybook.formats import Table, every_format
from studybook.plugins import book

#: The ledger and the tables of runs. Times are UTC instants unless a name says otherwise.
LEDGER: dict[str, str] = {
    "run": "run_id VARCHAR, study VARCHAR, run VARCHAR, title VARCHAR, origin VARCHAR,"
    " kind VARCHAR, document VARCHAR, document_id VARCHAR, place VARCHAR, time_zone VARCHAR,"
    " time_zone_known VARCHAR, start_local TIMESTAMP, start_utc TIMESTAMP,"
    " start_known VARCHAR, stable_from_s DOUBLE, stable_to_s DOUBLE,"
    " stable_said_in VARCHAR, excluded VARCHAR,"
    " manifest_sha256 VARCHAR",
    "factor": "run_id VARCHAR, name VARCHAR, value VARCHAR, number DOUBLE",
    "host": "run_id VARCHAR, host VARCHAR, role VARCHAR, kind VARCHAR, note VARCHAR,"
    " clock_offset_s DOUBLE, cpus INTEGER, memory_mib BIGINT",
    "run_note": "run_id VARCHAR, text VARCHAR",
    "study_words": "name VARCHAR, words VARCHAR",
    "accepted": "run_id VARCHAR, check_id VARCHAR, subject VARCHAR, because VARCHAR,"
    " of_study BOOLEAN",
    "raw_file": "file_id BIGINT, run_id VARCHAR, name VARCHAR, sha256 VARCHAR, bytes BIGINT,"
    " source VARCHAR, format VARCHAR, host VARCHAR, provenance VARCHAR, rows BIGINT,"
    " lines BIGINT, lines_in_records BIGINT, lines_in_headings BIGINT,"
    " lines_not_understood BIGINT, certainty VARCHAR",
    "refused_file": "run_id VARCHAR, name VARCHAR, sha256 VARCHAR, reason VARCHAR",
    "repair": "file_id BIGINT, line BIGINT, text VARCHAR",
    "remark": "file_id BIGINT, line BIGINT, text VARCHAR",
    "line_not_understood": "file_id BIGINT, line BIGINT, text VARCHAR, unlike VARCHAR",
    "place": "records VARCHAR",
    "part": "folder VARCHAR, run_id VARCHAR, source VARCHAR, code VARCHAR, turn BIGINT",
    "part_table": "folder VARCHAR, name VARCHAR, rows BIGINT, files BIGINT",
    "run_group": "folder VARCHAR, study VARCHAR, run_ids VARCHAR[], turn BIGINT",
    "group_model": "folder VARCHAR, name VARCHAR, rows BIGINT",
    "record": "name VARCHAR, meaning VARCHAR, source VARCHAR",
    "studied": "study VARCHAR, made_of VARCHAR",
    "model": "study VARCHAR, name VARCHAR, meaning VARCHAR, across_runs BOOLEAN,"
    " reads VARCHAR[], digest VARCHAR, text_sha256 VARCHAR, query VARCHAR, scoped_by VARCHAR,"
    " huge VARCHAR[]",
}


def record_tables() -> dict[str, Table]:
    """Every kind of record that the known formats can fill, by its name."""
    return _record_tables(book())


@cache
def _record_tables(_of_book: Path | None) -> dict[str, Table]:
    return {table.name: table for each in every_format() for table in each.tables}


def columns_of(table: Table) -> dict[str, str]:
    """Names and types of the columns of records, in the database."""
    return {"file_id": "BIGINT", **table.columns}


def create(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables of runs and files; what another version has made goes."""
    there = dict(
        connection.execute(
            "SELECT table_name, list((column_name, data_type) ORDER BY column_index)"
            " FROM duckdb_columns() WHERE NOT internal AND schema_name = 'main'"
            " AND database_name = current_database() GROUP BY table_name"
        ).fetchall()
    )
    connection.begin()
    tables = "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'"
    for (name,) in connection.execute(
        tables + " AND database_name = current_database()"
    ).fetchall():
        if name not in LEDGER:
            connection.execute(f'DROP TABLE main."{name}"')
    for name, columns in LEDGER.items():
        wanted = [tuple(column.strip().split(" ")) for column in columns.split(",")]
        if there.get(name) != wanted:
            connection.execute(f"CREATE OR REPLACE TABLE {name} ({columns})")
    connection.commit()


def show_records(
    connection: duckdb.DuckDBPyConnection, files: Mapping[str, Iterable[Path]]
) -> None:
    """Create a view of each kind of record, over the files that hold such.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database, open to write.
    files : mapping of str to iterable of pathlib.Path
        Files in the order of their rows, by the names of tables.
    """
    connection.begin()
    for name, table in record_tables().items():
        query = records_in(files[name]) if name in files else no_records(columns_of(table))
        connection.execute(f"CREATE VIEW main.{name} AS {query}")
    connection.execute("DELETE FROM record")
    rows = [
        (table.name, table.row, each.source) for each in every_format() for table in each.tables
    ]
    connection.executemany("INSERT INTO record VALUES (?, ?, ?)", sorted(set(rows)))
    connection.commit()


def files_of_records(
    connection: duckdb.DuckDBPyConnection, records: Path, store: str = "", runs: str = "true"
) -> dict[str, list[Path]]:
    """The files of each kind of record, in the order of their rows.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database.
    records : pathlib.Path
        The folder of all records.
    store : str, optional
        The name by which the database is attached, where it is not the one in use.
    runs : str, optional
        A condition on ``run_id``.
    """
    schema = f"{store}.main." if store else ""
    rows = connection.execute(
        f"SELECT t.name, list(p.folder ORDER BY p.turn) FROM {schema}part p"
        f" JOIN {schema}part_table t USING (folder) WHERE {runs} GROUP BY t.name"
    ).fetchall()
    return {
        name: [records / folder / f"{name}.parquet" for folder in folders] for name, folders in rows
    }


def files_of_models(
    connection: duckdb.DuckDBPyConnection, models: Path, study: str, store: str = ""
) -> dict[str, list[Path]]:
    """The files of each model of a study, in the order of their rows.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database.
    models : pathlib.Path
        The folder of all models.
    study : str
        The study.
    store : str, optional
        The name by which the database is attached, where it is not the one in use; the files are
        then those of the runs in the table ``run`` only.
    """
    schema = f"{store}.main." if store else ""
    of_runs = "list_has_any(g.run_ids, (SELECT list(run_id) FROM run))" if store else "true"
    rows = connection.execute(
        f"SELECT t.name, list(g.folder ORDER BY g.turn) FROM {schema}run_group g"
        f" JOIN {schema}group_model t USING (folder) WHERE g.study = ? AND {of_runs}"
        " GROUP BY t.name",
        [study],
    ).fetchall()
    return {
        name: [models / folder / f"{name}.parquet" for folder in folders] for name, folders in rows
    }


def models_there(
    connection: duckdb.DuckDBPyConnection, models: Path
) -> Iterator[tuple[str, str, str]]:
    """Every model of each study, with the query for its rows where these lie in files.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database.
    models : pathlib.Path
        The folder of all models.
    """
    rows = connection.execute("SELECT study, name, huge FROM model ORDER BY ALL").fetchall()
    for study, of_study in groupby(rows, lambda row: str(row[0])):
        files = files_of_models(connection, models, study)
        for _, name, huge in of_study:
            yield study, name, records_in(files[name], huge) if name in files else ""


def records_in(files: Iterable[Path], huge: Iterable[str] = ()) -> str:
    """A query for the rows in files of one table; of some columns as integers of 128 bits."""
    quoted = ", ".join("'" + str(path).replace("'", "''") + "'" for path in files)
    casts = ", ".join(f'"{name}"::HUGEINT AS "{name}"' for name in huge)
    replaced = f"SELECT * REPLACE ({casts}) " if casts else ""
    return f"{replaced}FROM read_parquet([{quoted}])"


def no_records(columns: Mapping[str, str]) -> str:
    """A query for no rows, with columns of these names and types."""
    nothing = ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in columns.items())
    return f"SELECT {nothing} WHERE false"
