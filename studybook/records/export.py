"""A database that holds its records and models itself: one file, to hand on."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import duckdb

from studybook.errors import StudyBookError
from studybook.records.folders import beside
from studybook.records.schema import files_of_records, models_there, records_in
from studybook.records.store import NOT_WRITTEN, connect, quiet

#: The tables that tell where records and models lie.
_OF_FOLDERS = ("place", "part", "part_table", "run_group", "group_model")


def export_database(database: Path, target: Path) -> None:
    """Write a copy of a database that has its records and models as tables.

    Parameters
    ----------
    database : pathlib.Path
        The database of a data set.
    target : pathlib.Path
        The file to make.

    Raises
    ------
    StudyBookError
        If there is no database, or the file is there already, cannot be written, or has the name
        of a study.
    """
    with connect(database) as connection:  # says in words what is wrong, if anything is
        rows = connection.execute("SELECT lower(study) FROM studied").fetchall()
    # DuckDB calls a database as its file, up to the first dot, and a study is a schema of it: it
    # could not tell own.metric of the one from that of the other, nor could views within.
    name = target.name.lstrip(".").partition(".")[0]
    if (name.lower(),) in rows:
        raise StudyBookError(
            f"{target}: DuckDB could not tell a database of this name from the study {name} in it"
            f"\n  → name the file otherwise, such as {name}-book.duckdb"
        )
    if target.exists():
        raise StudyBookError(f"{target}: is there already\n  → name another file, or move it away")
    # No study has a name with a tilde.
    temporary = target.with_name(f".~{target.name}.{os.getpid()}.tmp")
    try:
        shutil.copyfile(database, temporary)
        with quiet(duckdb.connect(str(temporary))) as connection:
            _take_in_records(connection, beside(database, "records"))
            _take_in_models(connection, beside(database, "models"))
            for table in _OF_FOLDERS:
                connection.execute(f"DELETE FROM {table}")
            connection.execute("CHECKPOINT")
        temporary.rename(target)
    except (OSError, *NOT_WRITTEN) as error:
        raise StudyBookError(
            f"{target}: cannot be written: {error}\n  → see whether the folder is there, and room"
            " on its disk"
        ) from error
    finally:
        temporary.unlink(missing_ok=True)
        temporary.with_name(f"{temporary.name}.wal").unlink(missing_ok=True)


def _take_in_records(connection: duckdb.DuckDBPyConnection, records: Path) -> None:
    """Put tables in the place of the views of records, with the same remarks on them."""
    for name, files in files_of_records(connection, records).items():
        said = connection.execute(
            "SELECT '', comment FROM duckdb_views() WHERE schema_name = 'main' AND view_name = $1"
            " UNION ALL SELECT column_name, comment FROM duckdb_columns()"
            " WHERE schema_name = 'main' AND table_name = $1",
            [name],
        ).fetchall()
        connection.execute(f"DROP VIEW main.{name}")
        connection.execute(f"CREATE TABLE main.{name} AS {records_in(files)}")
        for column, comment in said:
            what = f'COLUMN main.{name}."{column}"' if column else f"TABLE main.{name}"
            if comment:
                quoted = str(comment).replace("'", "''")
                connection.execute(f"COMMENT ON {what} IS '{quoted}'")


def _take_in_models(connection: duckdb.DuckDBPyConnection, models: Path) -> None:
    """Put tables in the place of views; the remarks stand on views of these, over all studies."""
    for study, name, query in models_there(connection, models):
        if query:
            connection.execute(f'DROP VIEW "{study}".{name}')
            connection.execute(f'CREATE TABLE "{study}".{name} AS {query}')
