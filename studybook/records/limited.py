"""Tables and models, limited to some runs: each is there as soon as a query has named it.

A figure sees the runs that it declares and no others; a model is computed from the runs of its
study. Both ask by bare names. The name of a metric stands for its rows of the model ``metric``: who
asks by it depends on what these were taken from, and not on all that is united there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb

from studybook.records.folders import beside
from studybook.records.models import Model, building_on, in_order
from studybook.records.parsed import tables_in
from studybook.records.rows import create
from studybook.records.schema import files_of_models, files_of_records, no_records, records_in
from studybook.records.shapes import ASKED
from studybook.units import known_metrics

#: The models that only unite metrics; what a row is taken from, it says itself.
UNIONS = ("host_metric", "metric", "run_metric")

#: What they say of each row beside that: its factors, study and origin.
OF_ALL = "run_factors"


class Limited:
    """The tables of a database and the models of a study, for the runs of a scope.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database is attached to it; here the tables get their bare names.
    store : str
        The name of the attached database.
    study : str
        The study, whose models stand in a schema of its name.
    models : mapping of str to Model
        The models of the study.
    condition : str
        The runs in the scope: a condition on the table ``run``, in SQL.
    parameters : mapping
        Values of the parameters in it.
    computed : collection of str
        The models to compute here, as the database does not hold them for this scope.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        store: str,
        study: str,
        models: Mapping[str, Model],
        condition: str,
        parameters: Mapping[str, Any],
        computed: Collection[str] = (),
    ) -> None:
        self.connection, self.models = connection, models
        self._store, self._study = store, study
        across = {name for name, model in models.items() if model.meaning.across_runs}
        self._computed = {*computed, *building_on(models, across)}
        self.tables = self._tables_there()
        ((path,),) = connection.execute(
            "SELECT path FROM duckdb_databases() WHERE database_name = ?", [store]
        ).fetchall()
        self._database = Path(path)
        self.asked: set[str] = set()
        self._by_metric = False
        self._made = {"run", "raw_file"}
        connection.execute(
            f"CREATE TEMP TABLE run AS FROM {store}.main.run WHERE {condition} ORDER BY run_id",
            dict(parameters),
        )
        connection.execute(
            f"CREATE TEMP TABLE raw_file AS FROM {store}.main.raw_file"
            " WHERE run_id IN (SELECT run_id FROM run) ORDER BY name"
        )
        of_scope = "p.run_id IN (SELECT run_id FROM run)"
        records, models_ = beside(self._database, "records"), beside(self._database, "models")
        self._files = files_of_records(connection, records, store, of_scope)
        self._models = files_of_models(connection, models_, study, store)

    def need(self, sql: str) -> None:
        """Have ready what a query names.

        Raises
        ------
        duckdb.Error
            If it is no SELECT, or a model cannot be computed.
        """
        known = {*self.models, *self.tables}
        for name in sorted(tables_in(sql, self.connection, known)):
            if name in known_metrics() and name not in known:
                self._need_metric(name)
            else:
                self.asked.add(name)
                self.make(name)

    def _need_metric(self, name: str) -> None:
        stored = f'{self._store}."{self._study}".metric'
        rows = self.connection.execute(
            f"SELECT DISTINCT from_model FROM {stored} WHERE metric = ?", [name]
        ).fetchall()
        # A metric without values has no source to name: it depends on all of them. One with values
        # has one source: a load in which it had two would have been refused.
        sources = {source for (source,) in rows} or {"metric"}
        self.asked |= sources | {OF_ALL}
        self._by_metric = True
        if name in self._made:
            return
        self._made.add(name)
        if "metric" in sources or sources & self._computed:
            self.make("metric")
            self._view(name, f"FROM metric WHERE metric = '{name}'")
        else:
            of_scope = "run_id IN (SELECT run_id FROM run)"
            self._view(name, f"FROM {stored} WHERE metric = '{name}' AND {of_scope}")

    def make(self, name: str) -> None:
        """Have a table or model ready, with all that it builds on where it is computed."""
        if name in self._made:
            return
        model = self.models.get(name)
        if model is None and name not in self.tables:
            return  # DuckDB says so
        self._made.add(name)
        if model and name in self._computed:
            for each in sorted(model.reads):
                self.make(each)
            create(self.connection, model, f"TEMP TABLE {name}")
            return
        schema, key = (self._study, model.scoped_by) if model else ("main", self.tables[name])
        files = self._models if model else self._files
        if name in files:
            rows = records_in(files[name], model.huge if model else ())
        elif (schema, name) in self._views:  # of files, of which none is of these runs
            rows = no_records(self._columns[schema, name])
        else:
            rows = f'FROM {self._store}."{schema}".{name}'
        if model is None and name in files:  # files of these runs only
            self._view(name, rows)
            return
        of_scope = "raw_file" if key == "file_id" else "run"
        self._view(name, f"FROM ({rows}) WHERE {key} IN (SELECT {key} FROM {of_scope})")

    def _tables_there(self) -> dict[str, str]:
        """Tables of records and of the ledger, and models of other studies, with what scopes them.

        DuckDB is not asked for columns here: for that it would look into each view.
        """
        rows = self.connection.execute(
            f"SELECT name, scoped_by FROM {self._store}.main.model WHERE scoped_by <> ''"
            f" UNION SELECT name, 'file_id' FROM {self._store}.main.record"
        ).fetchall()
        return dict(rows) | ASKED

    @cached_property
    def _columns(self) -> dict[tuple[str, str], dict[str, str]]:
        """Columns and their types of tables and views, by schema and name: DuckDB is asked once."""
        rows = self.connection.execute(
            "SELECT schema_name, table_name, list(column_name ORDER BY column_index),"
            " list(data_type ORDER BY column_index) FROM duckdb_columns()"
            " WHERE database_name = ? AND schema_name IN ('main', ?) AND NOT internal GROUP BY ALL",
            [self._store, self._study],
        ).fetchall()
        return {
            (schema, name): dict(zip(names, kinds, strict=True))
            for schema, name, names, kinds in rows
        }

    @cached_property
    def _views(self) -> set[tuple[str, str]]:
        """What lies in files, by schema and name."""
        rows = self.connection.execute(
            "SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ?",
            [self._store],
        ).fetchall()
        return {(schema, name) for schema, name in rows}

    @property
    def folders(self) -> list[Path]:
        """The folders with the records of the scope, and with the models of its runs."""
        runs = self.connection.execute("SELECT run_id FROM run").fetchall()
        records = beside(self._database, "records")
        of_models = {path.parent for files in self._models.values() for path in files}
        return [*(records / run_id for (run_id,) in runs), *sorted(of_models)]

    def forget(self) -> None:
        """Take away all that was made, so that another scope can follow on the connection."""
        rows = self.connection.execute(
            "SELECT view_name, 'VIEW' FROM duckdb_views() WHERE temporary AND NOT internal"
            " UNION ALL SELECT table_name, 'TABLE' FROM duckdb_tables() WHERE temporary"
        ).fetchall()
        for name, kind in rows:
            self.connection.execute(f"DROP {kind} temp.{name}")

    def _view(self, name: str, sql: str) -> None:
        self.connection.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS {sql}")

    def behind(self, names: Collection[str]) -> tuple[list[Model], set[str]]:
        """The models behind some names, with all that they build on; and the tables behind them."""
        models = in_order(self.models, [name for name in names if name in self.models])
        reads = {*names}.union(*(model.reads for model in models))
        if self._by_metric:  # on the union as such, but not on all that it unites
            models += [self.models[n] for n in UNIONS if self.models[n] not in models]
        return models, reads & self.tables.keys()
