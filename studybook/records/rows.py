"""The rows of a model: the query that gives them, and what it needs to be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa

from studybook.errors import StudyBookError
from studybook.records.models import Model, macros_of


def create(connection: duckdb.DuckDBPyConnection, model: Model, what: str) -> None:
    """Compute a model into a table, where all that it reads is there already.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database.
    model : Model
        The model.
    what : str
        The table, as SQL behind CREATE OR REPLACE.
    """
    with query_of(connection, model) as sql:
        connection.execute(f"CREATE OR REPLACE {what} AS {sql}")


@contextmanager
def query_of(connection: duckdb.DuckDBPyConnection, model: Model) -> Iterator[str]:
    """The query for the rows of a model, where all that it reads is there already."""
    if model.sql:
        yield model.sql
        return

    def ask(sql: str) -> pa.Table:
        return connection.sql(sql).to_arrow_table()

    rows_of: Callable[[Callable[[str], pa.Table]], pa.Table] = model.module.rows
    connection.register("rows_of_model", rows_of(ask))
    try:
        yield "FROM rows_of_model"
    finally:
        connection.unregister("rows_of_model")


def add_macros(
    connection: duckdb.DuckDBPyConnection, own: Path | None, where: str = "TEMP MACRO"
) -> None:
    """Create the functions that models share."""
    for text in macros_of(own):
        connection.execute(text.replace("CREATE OR REPLACE MACRO", f"CREATE OR REPLACE {where}"))


@contextmanager
def said_of(model: Model) -> Iterator[None]:
    """Name the file of a model that DuckDB does not accept."""
    try:
        yield
    except (duckdb.IOException, duckdb.TransactionException, duckdb.FatalException):
        raise  # a full disk is no fault of a model
    except RuntimeError as error:  # so DuckDB has it where Ctrl-C ends a query
        if str(error) != "Query interrupted":
            raise
        raise KeyboardInterrupt from error
    except duckdb.Error as error:
        raise StudyBookError(f"{model.path}: cannot be computed: {error}") from error
