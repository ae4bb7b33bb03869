"""Groups: runs of one study whose models are computed together, into one folder of models.

A folder has its name by what the models are computed from: the models, the folders of the records,
and what ``run.yml`` says of the runs. Models that look across runs are of no group.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

import duckdb
import pyarrow as pa

from studybook.errors import StudyBookError
from studybook.memory import recall
from studybook.records import store
from studybook.records.folders import CODEC, CODEC_LEVEL, hash_of, write_account
from studybook.records.meaning import SCHEMA_FILE
from studybook.records.models import Model, Models, building_on, in_order, models_of
from studybook.records.rows import add_macros, create, query_of, said_of
from studybook.records.schema import LEDGER, columns_of, no_records, record_tables, records_in

#: Rows of records in a group; a run that has more is one by itself.
GROUP_ROWS = 1_000_000

#: Memory of DuckDB while it computes. A model sorts and groups whole tables, and not all that it
#: holds meanwhile can go to the disk: what is enough to insert stopped a load of public sar files.
COMPUTING = "1GiB"

#: Columns of models, with their types.
Columns = Mapping[str, str]

#: The tables of a run that models may ask, and those of its files.
_OF_RUN = ("run", "factor", "host", "run_note", "refused_file", "raw_file")
_OF_FILE = ("repair", "remark", "line_not_understood")

#: Sums of integers: of 128 bits, which Parquet has not.
_HUGE = "HUGEINT"

#: Types whose values do not come back from Parquet as they were.
_LOST = re.compile(r"\b(U?HUGEINT|INTERVAL|ENUM|BIT|UNION|VARINT|BIGNUM)\b")


@dataclass(frozen=True, eq=False)
class Group:
    """Runs of one study."""

    study: str
    run_ids: tuple[str, ...]
    tables: Mapping[str, pa.Table]
    records: Mapping[str, list[str]]
    models: Models
    rows: int

    def files(self, place: Path) -> dict[str, list[Path]]:
        """The files of the records, below the folder of all records."""
        return {
            name: [place / folder / f"{name}.parquet" for folder in folders]
            for name, folders in self.records.items()
        }

    @cached_property
    def folder(self) -> str:
        """Where the models lie, below the folder of all models."""
        made_of = [
            sorted((name, model.digest) for name, model in self.models.items()),
            [[name, repr(table.to_pylist())] for name, table in self.tables.items()],
            sorted(self.records.items()),
        ]
        return f"{self.study}/{hash_of(made_of)}"


def groups_of(
    connection: duckdb.DuckDBPyConnection, models: Mapping[str, Models]
) -> Iterator[Group]:
    """The runs of a database in groups, in the order of studies and runs.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database, with its ledger.
    models : mapping
        The models of each study.
    """
    rows = connection.execute(
        "SELECT r.study, r.run_id, coalesce(sum(t.rows), 0) FROM run r LEFT JOIN part p"
        " USING (run_id) LEFT JOIN part_table t USING (folder) GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    records: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for run_id, name, folder in connection.execute(
        "SELECT run_id, name, folder FROM part JOIN part_table USING (folder) ORDER BY turn, name"
    ).fetchall():
        records[run_id].append((name, folder))
    for study, of_study in groupby(rows, lambda row: str(row[0])):
        for run_ids, size in _packed([(run_id, int(rows)) for _, run_id, rows in of_study]):
            of_group: defaultdict[str, list[str]] = defaultdict(list)
            for run_id in run_ids:
                for name, folder in records[run_id]:
                    of_group[name].append(folder)
            tables = _tables_of(connection, run_ids)
            yield Group(study, run_ids, tables, of_group, models[study], size)


def _packed(runs: Sequence[tuple[str, int]]) -> Iterator[tuple[tuple[str, ...], int]]:
    together: list[str] = []
    rows = 0
    for run_id, of_run in runs:
        if together and rows + of_run > GROUP_ROWS:
            yield tuple(together), rows
            together, rows = [], 0
        together.append(run_id)
        rows += of_run
    yield tuple(together), rows


def _tables_of(
    connection: duckdb.DuckDBPyConnection, run_ids: tuple[str, ...]
) -> dict[str, pa.Table]:
    """What the ledger has of some runs."""
    of_runs = "run_id IN (SELECT unnest(?::VARCHAR[]))"
    of_files = f"file_id IN (SELECT file_id FROM raw_file WHERE {of_runs})"
    conditions = {**dict.fromkeys(_OF_RUN, of_runs), **dict.fromkeys(_OF_FILE, of_files)}
    return {
        name: connection.sql(
            f"FROM {name} WHERE {condition} ORDER BY ALL", params=[[*run_ids]]
        ).to_arrow_table()
        for name, condition in conditions.items()
    }


def across_runs(models: Models) -> set[str]:
    """The models that look across runs, and those that build on them."""
    across = {name for name, model in models.items() if model.meaning.across_runs}
    return building_on(models, across)


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
    models = models_of(own)
    tables = {name: columns_of(table) for name, table in record_tables().items()} | _ledger()
    found: dict[str, Columns] = {}
    follows: dict[str, str] = {}
    with _Bare(own) as bare:
        for model in in_order(models):
            read = [[name, follows.get(name, tables.get(name))] for name in sorted(model.reads)]
            follows[model.name] = hash_of([model.digest, read])
            found[model.name] = recall(
                f"columns of a model, DuckDB {duckdb.__version__}",
                follows[model.name].encode(),
                lambda model=model: bare.columns_of(model, {**tables, **found}),  # type: ignore[misc]
            )
            check_columns(model, found[model.name])
    return found


def _ledger() -> dict[str, Columns]:
    return {
        name: dict(column.strip().split(" ") for column in columns.split(","))
        for name, columns in LEDGER.items()
    }


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


def check_columns(model: Model, columns: Columns) -> None:
    """Refuse columns that would not come back as they were, or do not say of which run a row is."""
    for name, kind in columns.items():
        if kind != _HUGE and (lost := _LOST.search(kind)):
            raise StudyBookError(
                f"{model.path}: the column {name} is of type {lost[0]}, which Parquet does not keep"
                "\n  → cast it to another one: BIGINT, VARCHAR, or DOUBLE for seconds"
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


def compute_group(
    own: Path,
    tables: Mapping[str, pa.Table],
    records: Mapping[str, list[Path]],
    shapes: Mapping[str, Columns],
    folder: Path,
) -> None:
    """Compute the models of a group that look at one run each.

    A model of which all that it reads is empty is not computed: it is empty, too.

    Parameters
    ----------
    own : pathlib.Path
        The folder of the study's own models.
    tables : mapping of str to pyarrow.Table
        What the ledger has of the runs.
    records : mapping of str to list of pathlib.Path
        The files of their records.
    shapes : mapping
        The columns of all models.
    folder : pathlib.Path
        Where the models go; made here.

    Raises
    ------
    StudyBookError
        Naming the file of a model that DuckDB does not accept.
    """
    folder.mkdir(parents=True)
    models = models_of(own)
    known = {name: columns_of(table) for name, table in record_tables().items()} | _ledger()
    known.update(shapes)
    filled = {name: records_in(files) for name, files in records.items()}
    there: set[str] = set()
    written: list[list[object]] = []
    with store.working(COMPUTING, spill=f"{folder}.spill") as connection:
        add_macros(connection, own)
        for name, table in tables.items():
            connection.register(name, table)
            there.add(name)
            if table.num_rows:
                filled[name] = f"FROM {name}"
        across = across_runs(models)
        for model in in_order(models):
            if model.name in across or (model.reads and filled.keys().isdisjoint(model.reads)):
                continue
            for name in (model.reads & known.keys()) - there:
                query = filled.get(name) or no_records(known[name])
                connection.execute(f"CREATE TEMP VIEW {name} AS {query}")
                there.add(name)
            # A table, whose rows DuckDB knows well enough to join them in a good order.
            with said_of(model):
                rows = _compute(connection, model, scoped_by(model, shapes[model.name]))
            there.add(model.name)
            if rows:
                filled[model.name] = f"FROM {model.name}"
                written.append([model.name, rows])
                path = folder / f"{model.name}.parquet"
                _write(connection, model.name, huge(shapes[model.name]), path)
    write_account(folder, {"group_model": written})


def _compute(connection: duckdb.DuckDBPyConnection, model: Model, key: str) -> int:
    """Compute a model of a group, and return the number of its rows."""
    create(connection, model, f"TEMP TABLE {model.name}")
    if not model.reads:  # it says the same in each group
        of = "run" if key == "run_id" else "raw_file"
        connection.execute(f"DELETE FROM {model.name} WHERE {key} NOT IN (SELECT {key} FROM {of})")
    ((rows,),) = connection.execute(f"SELECT count(*) FROM {model.name}").fetchall()
    return int(rows)


def _write(
    connection: duckdb.DuckDBPyConnection, name: str, huge: tuple[str, ...], path: Path
) -> None:
    casts = ", ".join(f'"{column}"::DECIMAL(38, 0) AS "{column}"' for column in huge)
    replaced = f"SELECT * REPLACE ({casts}) " if casts else ""
    quoted = str(path).replace("'", "''")
    connection.execute(
        f"COPY ({replaced}FROM {name}) TO '{quoted}'"
        f" (FORMAT parquet, COMPRESSION {CODEC}, COMPRESSION_LEVEL {CODEC_LEVEL})"
    )
