"""The verb ``sql``."""

from __future__ import annotations

import csv
import json
import math
import os
import re
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from studybook.commands._shared import data_set_option, say_if_older
from studybook.errors import StudyBookError

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

FORMATS = ("table", "csv", "json", "parquet")

#: Statements that write files, or open others; and how such a one stands in another.
_OF_FILES = {"ATTACH", "COPY", "COPY_DATABASE", "EXPORT", "EXTENSION", "LOAD"}
_COPIES = re.compile(r"^\s*(?:explain\s+analy[sz]e|prepare)\b.*\bcopy\b", re.I | re.S)


@click.command()
@click.argument("query", required=False)
@data_set_option
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="How rows are printed.",
)
@click.option("--path", "only_path", is_flag=True, help="Print the path of the database and end.")
def sql(query: str | None, data_set: str, form: str, only_path: bool) -> None:
    """Ask the database of a data set in SQL; change nothing.

    Without a QUERY, a shell opens: that of DuckDB where it is installed, else a plain prompt, at
    which a query ends with ";". A query from a pipe is read as at the prompt. Queries can neither
    read nor write other files. The data set must be loaded.

    \b
    Examples:
      studybook sql "SHOW ALL TABLES"
      studybook sql "FROM run_metric" --format csv > run_metric.csv
      studybook sql "FROM run_metric" --format parquet > run_metric.parquet

    Exit code 1: the data set is not loaded, or a query was not understood.
    """
    from studybook.dataset.paths import DataSet
    from studybook.records.store import connect

    database = DataSet.named(data_set).database
    if only_path:
        import duckdb

        click.echo(database)
        click.echo(f"to be read by DuckDB {duckdb.__version__} or newer", err=True)
        return
    say_if_older(data_set)
    connection = connect(database)
    try:
        _close_off(connection, database)
        if query is not None:
            _print(connection, query, form)
            return
        if sys.stdin.isatty() and (shell := shutil.which("duckdb")):
            connection.close()
            # Without a shell of the system between them: a path is no text to be parsed.
            os.execv(shell, [shell, "-readonly", str(database)])  # noqa: S606
        _prompt(connection, database, form)
    finally:
        connection.close()


def _close_off(connection: duckdb.DuckDBPyConnection, database: Path) -> None:
    """Let queries see the database and its records only: no file, no variable of this program."""
    from studybook.records.folders import beside

    places = [str(beside(database, "records")), str(beside(database, "models"))]
    connection.execute("SET allowed_directories = ?::VARCHAR[]", [places])
    for setting in (
        "python_enable_replacements = false",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")


def _prompt(connection: duckdb.DuckDBPyConnection, database: Path, form: str) -> None:
    """Answer queries, each up to its ";", until the input ends.

    At a terminal the next query follows one in error; from a pipe nothing follows it.
    """
    terminal = sys.stdin.isatty()
    if terminal:
        import readline  # noqa: F401  # input() has a history by it

        click.echo(f'{database}\nA query ends with ";"; Ctrl-D ends.', err=True)
    text = ""
    while True:
        try:
            text += input(("   ...> " if text else "study> ") if terminal else "") + "\n"
        except EOFError:
            break
        if not _ended(text):
            continue
        try:
            _print(connection, text, form)
        except StudyBookError as error:
            if not terminal:
                raise
            click.secho(str(error), fg="red", err=True)
        text = ""
    if text.strip():
        _print(connection, text, form)


def _ended(text: str) -> bool:
    """Whether a ";" ends the text that is no part of a string, a name or a remark."""
    import duckdb

    if not text.rstrip().endswith(";"):
        return False
    kinds = duckdb.tokenize(text)
    return bool(kinds) and text[kinds[-1][0] :].strip() == ";"


def _print(connection: duckdb.DuckDBPyConnection, query: str, form: str) -> None:
    import duckdb

    try:
        _refuse_files(duckdb.extract_statements(query))
        answer = connection.sql(query)
        if answer is None:  # a statement without rows
            return
        if form == "parquet":
            import pyarrow.parquet as pq

            if sys.stdout.isatty():
                raise StudyBookError(
                    "Parquet is not for a terminal\n  → send it to a file: > rows.parquet"
                )
            pq.write_table(answer.to_arrow_table(), sys.stdout.buffer)
            return
        names, rows = answer.columns, answer.fetchall()
    except duckdb.Error as error:
        raise StudyBookError(f"the query was not understood: {error}") from None
    if form == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
    elif form == "json":
        records = [dict(zip(names, map(_plain, row), strict=True)) for row in rows]
        click.echo(json.dumps(records, indent=2, ensure_ascii=False, default=str))
    else:
        from studybook.table import Table

        cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
        click.echo(repr(Table(names, cells)))


def _refuse_files(statements: Iterable[duckdb.Statement]) -> None:
    """Refuse what writes files: where records lie, DuckDB would let it."""
    for each in statements:
        if each.type.name in _OF_FILES or _COPIES.search(each.query):
            raise StudyBookError(
                f"{each.type.name.lower()} is for files: here are queries only\n  → send the"
                " answer to a file: studybook sql QUERY --format csv > FILE"
            )


def _plain(cell: Any) -> Any:
    """A value that JSON has: it knows no infinity, and no value that is no number."""
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    return cell
