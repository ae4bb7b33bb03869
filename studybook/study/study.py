"""What a notebook works with: a study, limited to the raw files that the figure declares.

The notebook says which sources and runs it uses; its queries then see the rows of those
files and no others. So the raw files behind a figure are known exactly, and a figure is
stale when one of *them* changes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from studybook.dataset import definition
from studybook.dataset.manifest import FILE_NAME
from studybook.dataset.paths import DataSet, project_root
from studybook.errors import NeedsData, StudyBookError
from studybook.formats.raw import sha256
from studybook.records import derived, schema, store
from studybook.study import provenance
from studybook.study.scope import Scope, optional, texts
from studybook.study.views import Views

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

#: Significant digits to which query results are rounded, so that they are the same everywhere.
SIGNIFICANT_DIGITS = 9

#: The attached databases, by the names under which queries must not ask for them.
_OUTSIDE = re.compile(r"\b(?:store|derived)\b\"?\s*\.", re.IGNORECASE)


class Study:
    """A study of a data set, read-only and limited to a :class:`Scope`.

    Parameters
    ----------
    scope : Scope
        What the queries may see.
    database : pathlib.Path
        The DuckDB file of the data set.
    """

    def __init__(self, scope: Scope, database: Path) -> None:
        self.scope = scope
        self._database = database
        store.connect(database).close()  # says in words what is wrong, if anything is
        # One thread: sums of floats then come out the same on every machine.
        self._connection = store.quiet(duckdb.connect(config={"threads": 1}))
        self._connection.execute("SET TimeZone = 'UTC'")
        quoted = str(database).replace("'", "''")
        self._connection.execute(f"ATTACH '{quoted}' AS store (READ_ONLY)")
        self._views = Views(self._connection)
        self._limit()

    def _limit(self) -> None:
        conditions = "".join(
            " AND coalesce((SELECT list_contains($value, f.value) FROM store.factor f"
            " WHERE f.run_id = r.run_id AND f.name = $name), $optional)".replace(
                "$", f"$f{number}_"
            )
            for number in range(len(self.scope.runs))
        )
        parameters: dict[str, Any] = {
            "study": self.scope.study,
            "sources": list(self.scope.sources),
        }
        for number, (name, wanted) in enumerate(self.scope.runs.items()):
            parameters[f"f{number}_name"] = name
            parameters[f"f{number}_value"] = texts(wanted)
            parameters[f"f{number}_optional"] = optional(wanted)
        self._connection.execute(
            "CREATE TABLE raw_file AS SELECT f.* FROM store.raw_file f JOIN store.run r"
            " USING (run_id) WHERE r.study = $study AND list_contains($sources, f.source)"
            + conditions
            + " ORDER BY f.name",
            parameters,
        )
        self._define()
        # From here on there is nothing else to read: no other file, no table outside the scope.
        self._connection.execute("SET enable_external_access = false")

    def _define(self) -> None:
        """Define all tables and views as those of the scope; a query creates what it names."""
        tables = self._connection.execute(
            "SELECT table_name, list_contains(list(column_name), 'file_id')"
            " FROM duckdb_tables() JOIN duckdb_columns() USING (database_name, table_name)"
            " WHERE database_name = 'store' GROUP BY table_name"
        ).fetchall()
        for table, of_files in tables:
            key = "file_id" if of_files else "run_id"
            if table not in ("raw_file", "reader"):
                self._views.define(
                    f"CREATE VIEW {table} AS FROM store.{table}"
                    f" WHERE {key} IN (SELECT {key} FROM raw_file)"
                )
        for path in (*schema.view_files(), *derived.view_files()):
            self._views.define(path.read_text(encoding="utf-8"))
        if self.scope.stable_phase is not None:
            # What the notebook asks for, in the place of the stable phase found.
            for bound, seconds in zip(("from", "to"), self.scope.stable_phase, strict=True):
                self._connection.execute(f"SET VARIABLE stable_{bound}_s = {float(seconds)!r}")
        taken = self._taken()
        for view in taken:
            self._views.define(
                f"CREATE VIEW {view} AS FROM derived.{view}"
                " WHERE run_id IN (SELECT run_id FROM raw_file)"
            )
        for view in () if taken == derived.VIEWS else (*derived.SHARED, *derived.VIEWS):
            if view not in taken:
                self._views.keep(view)

    def _taken(self) -> tuple[str, ...]:
        """The views of which what is kept for all runs is what this scope would compute."""
        if self.scope.stable_phase is not None:
            return ()
        unseen = {
            source
            for (source,) in self._connection.execute(
                "SELECT DISTINCT source FROM store.raw_file"
                " WHERE run_id IN (SELECT run_id FROM raw_file)"
                " AND NOT list_contains($seen, source)",
                {"seen": list(self.scope.sources)},
            ).fetchall()
        }
        if not unseen.isdisjoint(derived.DRIVERS):
            return ()
        if not derived.attach(self._connection, self._database):
            return ()
        return derived.VIEWS if unseen.isdisjoint(derived.SOURCES) else derived.STABLE_PHASE

    def table(self, view: str) -> pa.Table:
        """All rows of a view, as they are: not rounded."""
        self._views.keep(view)
        self._views.need(view)
        found: pa.Table = self._connection.sql(f"FROM {view}").to_arrow_table()
        return found

    def keep(self, view: str) -> None:
        """Compute a view once, for the queries that follow."""
        self._views.keep(view)

    def query(self, sql: str, **parameters: Any) -> pd.DataFrame:
        """Ask the tables and semantic views; floats rounded to nine significant digits.

        Parameters
        ----------
        sql : str
            One SELECT, with an ORDER BY; parameters are written ``$name``.

        Returns
        -------
        pandas.DataFrame
            The rows; possibly none.

        Raises
        ------
        StudyBookError
            If DuckDB does not accept the query.
        """
        if _OUTSIDE.search(sql):
            raise StudyBookError(
                "the query names the whole store\n  → ask the tables and views by their bare names:"
                " they hold what the figure declares"
            )
        try:
            self._views.need(sql)
            frame = self._connection.execute(sql, parameters).df()
        except duckdb.Error as error:
            raise StudyBookError(f"the query fails: {error}") from error
        for column in frame.select_dtypes("float"):
            frame[column] = [float(f"{value:.{SIGNIFICANT_DIGITS}g}") for value in frame[column]]
        return frame

    def require(self, sql: str, needs: str, **parameters: Any) -> pd.DataFrame:
        """As :meth:`query`, but no rows means that the data set lacks a raw export.

        Parameters
        ----------
        sql : str
            As for :meth:`query`.
        needs : str
            Which raw export the figure needs, for people.

        Raises
        ------
        NeedsData
            If there are no rows; the page then says what is missing.
        """
        frame = self.query(sql, **parameters)
        if frame.empty:
            left_out = self.query("SELECT file, status FROM left_out ORDER BY ALL")
            names = [f"{row.file} ({row.status})" for row in left_out.itertuples()]
            also = f" Left out: {', '.join(names)}." if names else ""
            also += "".join(f" {said}." for said in self._not_there())
            raise NeedsData(f"This figure needs {needs}; the data set has none for it.{also}")
        return frame

    def _not_there(self) -> Iterator[str]:
        """What the figure asks for, by its parameters, and no run has."""
        there: defaultdict[str, list[str]] = defaultdict(list)
        for name, value in self._connection.execute(
            "SELECT DISTINCT name, value FROM store.factor JOIN store.run USING (run_id)"
            " WHERE study = $study ORDER BY name, number, value",
            {"study": self.scope.study},
        ).fetchall():
            there[name].append(value)
        for name, wanted in self.scope.runs.items():
            if not optional(wanted) and not set(texts(wanted)) & set(there[name]):
                have = ", ".join(there[name]) or "none"
                yield f"No run has {name} = {' or '.join(texts(wanted))}; there are: {have}"
        if self.scope.stable_phase:
            begin, end = self.scope.stable_phase
            yield f"Asked for was what lies within {begin:g} and {end:g} s of the start of a run"

    def inputs(self) -> dict[str, str]:
        """Content hash of each raw file in the scope, and of its runs' manifests, as loaded."""
        return dict(
            self._rows(
                "SELECT name, sha256 FROM raw_file"
                f" UNION ALL SELECT run_id || '/{FILE_NAME}', manifest_sha256 FROM run ORDER BY 1"
            )
        )

    def loaded_sources(self) -> set[str]:
        """The sources of which there are files, in the scope or not."""
        return {source for (source,) in self._rows("SELECT DISTINCT source FROM store.raw_file")}

    def origins(self) -> list[str]:
        """Where the data of the scope come from: measured, simulated, published."""
        return [origin for (origin,) in self._rows("SELECT DISTINCT origin FROM run ORDER BY 1")]

    def documents(self) -> dict[str, list[str]]:
        """The documents that tell of the runs in the scope, and the places in them."""
        rows = self._rows(
            "SELECT document, list(DISTINCT place ORDER BY place) FILTER (place IS NOT NULL)"
            " FROM run WHERE document IS NOT NULL GROUP BY document ORDER BY document"
        )
        return {title: places or [] for title, places in rows}

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        self._views.need(sql)
        return self._connection.execute(sql).fetchall()


def open_study(
    study: str,
    *,
    data_set: str,
    sources: Sequence[str],
    runs: Mapping[str, Any] | None = None,
    stable_phase: Sequence[float] | None = None,
    database: str = "",
) -> Study:
    """Open a study for a notebook, and note what the notebook may see; its metrics are known then.

    Parameters
    ----------
    study : str
        Name of the study: that of its folder in the data set.
    data_set : str
        Name of the data set, such as ``reference``.
    sources : sequence of str
        The kinds of raw export that the figure uses, such as ``["ior"]``; ``"driver"`` stands
        for those of all load drivers.
    runs : mapping, optional
        Factors that the runs must have, such as ``{"operation": "read"}``; None among the values
        lets runs in that do not have the factor.
    stable_phase : sequence of two floats, optional
        Seconds since the start of each run, in the place of the stable phase found in it.
    database : str, optional
        The DuckDB file; the data set's own by default.

    Raises
    ------
    StudyBookError
        If a source is not known or there is no database yet.
    """
    named = {*sources} - {"driver"}
    seen = named | ({*derived.DRIVERS} if "driver" in sources else set())
    scope = Scope(study, tuple(sorted(seen)), dict(runs or {}), _phase(stable_phase))
    place = Path(database) if database else DataSet.named(data_set).database
    _use_definition(project_root(), study)
    opened = Study(scope, place)
    if unseen := named - opened.loaded_sources():
        # The readers of all formats take long to import; what is loaded is known without them.
        from studybook.records.loading import check_source

        for source in sorted(unseen):
            check_source(source)
    provenance.note_scope(scope.record(), opened.inputs(), opened.origins(), opened.documents())
    return opened


def _use_definition(root: Path, study: str) -> None:
    """Make the metrics of the study known, and note where they stand."""
    found = definition.read_definition(root, study)
    if found and found.metrics:
        found.use()
        path = definition.place(root, study)
        provenance.note_definition(path.relative_to(root).as_posix(), sha256(path))


def _phase(given: Sequence[float] | None) -> tuple[float, float] | None:
    if given is None:
        return None
    numbers = [value for value in given if isinstance(value, int | float)]
    if len(given) != 2 or len(numbers) != 2 or not 0 <= numbers[0] < numbers[1]:
        raise StudyBookError(
            f"stable_phase is {given!r}\n  → give two numbers: seconds since the start of the run,"
            " from and to, such as [300, 1200]"
        )
    return float(numbers[0]), float(numbers[1])
