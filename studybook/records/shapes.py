"""The columns of models: as DuckDB has them of no rows, and as Parquet can keep them."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping
from functools import cached_property, partial
from pathlib import Path

import duckdb

from studybook.errors import StudyBookError
from studybook.memory import recall
from studybook.records import store
from studybook.records.folders import hash_of
from studybook.records.meaning import SCHEMA_FILE
from studybook.records.models import Model, in_order, models_of
from studybook.records.rows import add_macros, query_of, said_of
from studybook.records.schema import LEDGER, columns_of, no_records, record_tables

#: Columns of a table or model, with their types.
Columns = Mapping[str, str]

#: The tables of the ledger that models may ask, and the column by which a row is of a run.
ASKED = {
    "run": "run_id", "factor": "run_id", "host": "run_id", "run_note": "run_id",
    "accepted": "run_id", "refused_file": "run_id", "raw_file": "run_id",
    "repair": "file_id", "remark": "file_id", "line_not_understood": "file_id",
}  # fmt: skip

#: Sums of integers: of 128 bits, which Parquet has not.
_HUGE = "HUGEINT"

#: Types whose values do not come back from Parquet as they were.
_LOST = re.compile(
    r"\b(U?HUGEINT|INTERVAL|ENUM|BIT|UNION|VARINT|BIGNUM|TIMESTAMP_M?S|TIME WITH TIME ZONE"
    r"|GEOMETRY)\b|(?<=\[)\d+(?=\])"
)


def tables() -> dict[str, Columns]:
    """The columns of all tables that models may ask."""
    ledger = {
        name: dict(column.strip().split(" ") for column in LEDGER[name].split(","))
        for name in ASKED
    }
    return {**ledger, **{name: columns_of(table) for name, table in record_tables().items()}}


def shapes_of(own: Path) -> dict[str, Columns]:
    """The columns of all models of a study, whatever rows they have.

    Parameters
    ----------
    own : pathlib.Path
        The folder of the study's own models.

    Raises
    ------
    StudyBookError
        Naming the file of a model that DuckDB does not accept.
    """
    found: dict[str, Columns] = {}
    follows: dict[str, str] = {}
    asked = tables()
    known = ChainMap(found, asked)
    with _Bare(own) as bare:
        for model in in_order(models_of(own)):
            read = [[name, follows.get(name, asked.get(name))] for name in sorted(model.reads)]
            follows[model.name] = hash_of([model.digest, read])
            found[model.name] = recall(
                f"columns of a model, DuckDB {duckdb.__version__}",
                follows[model.name].encode(),
                partial(bare.columns_of, model, known),
            )
            _check(model, found[model.name])
    return found


class _Bare:
    """A connection in which models are asked of no rows; opened when it is needed."""

    def __init__(self, own: Path) -> None:
        self._own = own
        self._there: set[str] = set()

    def __enter__(self) -> _Bare:
        return self

    def __exit__(self, *_: object) -> None:
        if "connection" in self.__dict__:
            self.connection.close()

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        connection = store.working()
        add_macros(connection, self._own)
        return connection

    def columns_of(self, model: Model, known: Mapping[str, Columns]) -> Columns:
        for name in (model.reads & known.keys()) - self._there:
            self.connection.execute(f"CREATE TEMP VIEW {name} AS {no_records(known[name])}")
            self._there.add(name)
        with said_of(model), query_of(self.connection, model) as sql:
            rows = self.connection.execute(f"DESCRIBE {sql}").fetchall()
        # A column of nothing but NULL has no type; stored, it has this one.
        return {name: "INTEGER" if kind == '"NULL"' else kind for name, kind, *_ in rows}


def _check(model: Model, columns: Columns) -> None:
    """Refuse columns that would not come back as they were, or do not say of which run a row is."""
    for name, kind in columns.items():
        if kind != _HUGE and _LOST.search(kind):
            raise StudyBookError(
                f"{model.path}: the column {name} is of type {kind}, which Parquet does not keep"
                "\n  → cast it to another one: BIGINT, VARCHAR, TIMESTAMP, or DOUBLE for seconds"
            )
    if not model.meaning.across_runs and not scoped_by(model, columns):
        raise StudyBookError(
            f"{model.path}: has neither a column run_id nor file_id: of which run is a row?\n"
            f"  → add run_id, or say in {SCHEMA_FILE} beside it that it looks across_runs"
        )


def scoped_by(model: Model, columns: Columns) -> str:
    """The column by which the rows of a model are told to be of a scope; none of all runs."""
    if model.meaning.across_runs:
        return ""
    return next((name for name in ("run_id", "file_id") if name in columns), "")


def huge(columns: Columns) -> tuple[str, ...]:
    """The columns of integers of 128 bits."""
    return tuple(name for name, kind in columns.items() if kind == _HUGE)
