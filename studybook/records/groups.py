"""Groups: runs of one study whose models are computed together, into one folder of models.

A folder has its name by what the models are computed from: the models, the folders of the records,
and what ``run.yml`` says of the runs. Models that look across runs are of no group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

import duckdb
import pyarrow as pa

from studybook.records.folders import hash_of
from studybook.records.models import Models, building_on
from studybook.records.shapes import ASKED
from studybook.text import few

#: Rows of records in a group; a run that has more is one by itself.
GROUP_ROWS = 1_000_000


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
        return few(self.run_ids, 1)

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
    ledger = _ledger(connection)
    for study, of_study in groupby(rows, lambda row: str(row[0])):
        for run_ids, size in _packed([(run_id, int(rows)) for _, run_id, rows in of_study]):
            of_group: defaultdict[str, list[str]] = defaultdict(list)
            for run_id in run_ids:
                for name, folder in records[run_id]:
                    of_group[name].append(folder)
            tables = {name: _of_runs(table, places, run_ids) for name, table, places in ledger}
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


def _ledger(
    connection: duckdb.DuckDBPyConnection,
) -> list[tuple[str, pa.Table, Mapping[str, list[int]]]]:
    """The tables of the ledger that models may ask, each with the places of the rows of a run.

    Each is asked once: of many groups, DuckDB would take longer to ask for each than to compute it.
    """
    run_of = dict(connection.execute("SELECT file_id, run_id FROM raw_file").fetchall())
    found: list[tuple[str, pa.Table, Mapping[str, list[int]]]] = []
    for name, key in ASKED.items():
        table = connection.sql(f"FROM {name} ORDER BY ALL").to_arrow_table()
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, owner in enumerate(table[key].to_pylist()):
            places[owner if key == "run_id" else run_of.get(owner, "")].append(place)
        found.append((name, table, places))
    return found


def _of_runs(
    table: pa.Table, places: Mapping[str, list[int]], run_ids: tuple[str, ...]
) -> pa.Table:
    """The rows of some runs, in the order of all."""
    rows = sorted(place for run_id in run_ids for place in places.get(run_id, ()))
    return table.take(pa.array(rows, pa.int64()))


def across_runs(models: Models) -> set[str]:
    """The models that look across runs, and those that build on them."""
    across = {name for name, model in models.items() if model.meaning.across_runs}
    return building_on(models, across)
