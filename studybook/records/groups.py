"""Groups: runs of one study whose models are computed together, into one folder of models.

A folder has its name by what the models are computed from: the models, the folders of the records,
and what ``run.yml`` says of the runs. Models that look across runs are of no group.
"""

from __future__ import annotations

from collections import ChainMap, Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from studybook.records import store
from studybook.records.emptiness import holds
from studybook.records.folders import CODEC, CODEC_LEVEL, hash_of, write_account
from studybook.records.models import Model, Models, building_on, in_order, models_of
from studybook.records.rows import add_macros, create, query_of, said_of
from studybook.records.schema import no_records, records_in
from studybook.records.shapes import ASKED, Columns, huge, scoped_by, tables

#: Rows of records in a group; a run that has more is one by itself.
GROUP_ROWS = 1_000_000

#: Memory of DuckDB while it computes models of runs: beside Python and its libraries, a process
#: stays below 600 MiB. What is beyond goes to the disk.
_COMPUTING = "256MiB"

#: A model sorts and groups whole tables, and not all that it holds meanwhile can go to the disk:
#: then, and across runs, it has so much.
AT_MOST = "1GiB"

#: A model of more rows than this goes to its file at once, and is asked there.
_KEPT_ROWS = 100_000


@dataclass(frozen=True, eq=False)
class Group:
    """Runs of one study."""

    study: str
    run_ids: tuple[str, ...]
    tables: Mapping[str, pa.Table]
    records: Mapping[str, list[str]]
    models: Models
    rows: int

    def __str__(self) -> str:
        """Its first run, and how many there are more."""
        more = f" and {len(self.run_ids) - 1} more" if len(self.run_ids) > 1 else ""
        return f"{self.run_ids[0]}{more}"

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
    return {
        name: connection.sql(
            f"FROM {name} WHERE {of_runs if key == 'run_id' else of_files} ORDER BY ALL",
            params=[[*run_ids]],
        ).to_arrow_table()
        for name, key in ASKED.items()
    }


def across_runs(models: Models) -> set[str]:
    """The models that look across runs, and those that build on them."""
    across = {name for name, model in models.items() if model.meaning.across_runs}
    return building_on(models, across)


def compute_group(
    own: Path,
    ledger: Mapping[str, pa.Table],
    records: Mapping[str, list[Path]],
    shapes: Mapping[str, Columns],
    folder: Path,
) -> None:
    """Compute the models of a group that look at one run each.

    A model of which all that it reads is empty is not computed: it is empty, too; nor is one that
    can have no rows where some of that has none.

    Parameters
    ----------
    own : pathlib.Path
        The folder of the study's own models.
    ledger : mapping of str to pyarrow.Table
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
    known = ChainMap(dict(shapes), tables())
    filled = {name: records_in(files) for name, files in records.items()}
    rows = Counter({name: sum(map(_rows_in, files)) for name, files in records.items()})
    there: set[str] = set()
    written: list[list[object]] = []
    with store.working(_COMPUTING, spill=f"{folder}.spill") as connection:
        add_macros(connection, own)
        for name, table in ledger.items():
            connection.register(name, table)
            there.add(name)
            if table.num_rows:
                filled[name] = f"FROM {name}"
        across = across_runs(models)
        for model in in_order(models):
            empty = model.reads and filled.keys().isdisjoint(model.reads)
            if model.name in across or empty or not holds(model.rows_if, filled):
                continue
            for name in (model.reads & known.keys()) - there:
                query = filled.get(name) or no_records(known[name])
                connection.execute(f"CREATE TEMP VIEW {name} AS {query}")
                there.add(name)
            columns = shapes[model.name]
            path = folder / f"{model.name}.parquet"
            is_large = sum(rows[name] for name in model.reads) > _KEPT_ROWS
            compute = partial(_compute_into, path=path, columns=columns) if is_large else _compute
            with said_of(model):
                found = rows[model.name] = _with_room(
                    connection, partial(compute, connection, model, scoped_by(model, columns))
                )
            there.add(model.name)
            if found:
                filled[model.name] = f"FROM {model.name}"
                written.append([model.name, found])
                if not is_large:
                    _write(connection, f"FROM {model.name}", columns, path)
    write_account(folder, {"group_model": written})


def _rows_in(path: Path) -> int:
    return int(pq.read_metadata(path).num_rows)


def _with_room(connection: duckdb.DuckDBPyConnection, compute: Callable[[], int]) -> int:
    """Compute a model; with more memory where it cannot do with what is enough for others."""
    try:
        return compute()
    except duckdb.OutOfMemoryException:
        connection.execute(f"SET memory_limit = '{AT_MOST}'")
    try:
        return compute()
    finally:
        connection.execute(f"SET memory_limit = '{_COMPUTING}'")


def _compute(connection: duckdb.DuckDBPyConnection, model: Model, key: str) -> int:
    """Compute a model of a group, and return the number of its rows.

    It is a table, whose rows DuckDB knows well enough to join them in a good order.
    """
    create(connection, model, f"TEMP TABLE {model.name}")
    if not model.reads:  # it says the same in each group
        of = "run" if key == "run_id" else "raw_file"
        connection.execute(f"DELETE FROM {model.name} WHERE {key} NOT IN (SELECT {key} FROM {of})")
    ((rows,),) = connection.execute(f"SELECT count(*) FROM {model.name}").fetchall()
    return int(rows)


def _compute_into(
    connection: duckdb.DuckDBPyConnection, model: Model, _key: str, *, path: Path, columns: Columns
) -> int:
    """Compute a model that may have many rows: into its file, without having them in memory."""
    with query_of(connection, model) as sql:
        rows = _write(connection, sql, columns, path)
    query = records_in([path], huge(columns))
    kind = "TABLE" if rows <= _KEPT_ROWS else "VIEW"
    connection.execute(f"CREATE OR REPLACE TEMP {kind} {model.name} AS {query}")
    if not rows:
        path.unlink()
    return rows


def _write(connection: duckdb.DuckDBPyConnection, query: str, columns: Columns, path: Path) -> int:
    """Write the rows of a query into a file, and return their number."""
    casts = ", ".join(f'"{each}"::DECIMAL(38, 0) AS "{each}"' for each in huge(columns))
    replaced = f"SELECT * REPLACE ({casts}) FROM ({query})" if casts else query
    quoted = str(path).replace("'", "''")
    ((rows,),) = connection.execute(
        f"COPY ({replaced}) TO '{quoted}'"
        f" (FORMAT parquet, COMPRESSION {CODEC}, COMPRESSION_LEVEL {CODEC_LEVEL})"
    ).fetchall()
    return int(rows)
