"""Groups: runs of one study whose models are computed together, into one folder of models.

A folder has its name by what the models are computed from: the models, the folders of the records,
and what ``run.yml`` says of the runs. Models that look across runs are of no group.
"""

from __future__ import annotations

from collections import ChainMap, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

import duckdb
import pyarrow as pa

from studybook.records import store
from studybook.records.folders import CODEC, CODEC_LEVEL, hash_of, write_account
from studybook.records.models import Model, Models, building_on, in_order, models_of
from studybook.records.rows import add_macros, create, said_of
from studybook.records.schema import no_records, records_in
from studybook.records.shapes import ASKED, Columns, huge, scoped_by, tables

#: Rows of records in a group; a run that has more is one by itself.
GROUP_ROWS = 1_000_000

#: Memory of DuckDB while it computes. A model sorts and groups whole tables, and not all that it
#: holds meanwhile can go to the disk: what is enough to insert stopped a load of public sar files.
COMPUTING = "1GiB"


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

    A model of which all that it reads is empty is not computed: it is empty, too.

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
    there: set[str] = set()
    written: list[list[object]] = []
    with store.working(COMPUTING, spill=f"{folder}.spill") as connection:
        add_macros(connection, own)
        for name, table in ledger.items():
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
