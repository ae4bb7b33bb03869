"""A study as a notebook works with it, limited to the runs that the figure declares.

Queries see the rows of these runs and no others. The study notes each table and model that a query
asks, and through them the raw files that the answer comes from. The figure is stale when one of
those models, readers or files changes, and only then.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb

from studybook.dataset import definition
from studybook.dataset.manifest import FILE_NAME
from studybook.dataset.paths import DataSet, project_root
from studybook.errors import NeedsData, StudyBookError
from studybook.formats.raw import sha256
from studybook.records import store
from studybook.records.limited import Limited
from studybook.records.models import building_on, models_in
from studybook.records.rows import add_macros
from studybook.study import provenance
from studybook.study.scope import RUN, Scope, optional, texts

if TYPE_CHECKING:
    import pandas as pd

#: Significant digits to which query results are rounded, so that they are the same everywhere.
SIGNIFICANT_DIGITS = 9

#: The name of the database, by which queries must not ask for it.
_STORE = "store"
_OUTSIDE = re.compile(rf"\b{_STORE}\b\"?\s*\.", re.IGNORECASE)

#: The model whose rows a figure may replace by bounds of its own; those that build on it follow.
_STABLE_PHASE = "stable_phase"


class _File(NamedTuple):
    """A raw file of a scope, with what is said of its run."""

    name: str
    sha256: str
    source: str
    format: str
    run_id: str
    manifest_sha256: str
    origin: str
    document: str | None
    place: str | None


class Study:
    """A study of a data set, read-only and limited to a :class:`Scope`.

    Parameters
    ----------
    scope : Scope
        What the queries may see.
    database : pathlib.Path
        The DuckDB file of the data set.
    root : pathlib.Path, optional
        The folder of the book; that around the current folder by default.
    noted : bool, optional
        Whether what it is asked goes into the provenance; that of another data set does not.
    """

    def __init__(
        self, scope: Scope, database: Path, root: Path | None = None, *, noted: bool = True
    ) -> None:
        self.scope, self._noted = scope, noted
        # One thread: sums of floats then come out the same on every machine.
        self._connection = store.quiet(duckdb.connect(config={"threads": 1}))
        self._connection.execute("SET TimeZone = 'UTC'")
        with store.readable(database):
            quoted = str(database).replace("'", "''")
            self._connection.execute(f"ATTACH '{quoted}' AS {_STORE} (READ_ONLY)")
        own = definition.folder(root or project_root(), scope.study)
        add_macros(self._connection, own)
        self._limited = self._limit(own)
        folders = [str(folder) for folder in self._limited.folders]
        # DuckDB opens no other file from here on than the records of the runs in the scope.
        self._connection.execute("SET allowed_directories = ?::VARCHAR[]", [folders])
        self._connection.execute("SET enable_external_access = false")

    def _limit(self, own: Path) -> Limited:
        parameters: dict[str, Any] = {"study": self.scope.study}
        conditions = "study = $study"
        for number, (name, wanted) in enumerate(self.scope.runs.items()):
            if name == RUN:
                conditions += f" AND list_contains($f{number}_value, run)"
                parameters[f"f{number}_value"] = texts(wanted)
                continue
            conditions += (
                f" AND coalesce((SELECT list_contains($f{number}_value, f.value) FROM"
                f" {_STORE}.factor f WHERE f.run_id = run.run_id AND f.name = $f{number}_name),"
                f" $f{number}_optional)"
            )
            parameters[f"f{number}_name"] = name
            parameters[f"f{number}_value"] = texts(wanted)
            parameters[f"f{number}_optional"] = optional(wanted)
        models = models_in(self._connection, _STORE, self.scope.study, own)
        if not models:
            raise NeedsData(f"The data set has no run of the study {self.scope.study}.")
        self._files_of_excluded = [
            _File(*row)
            for row in self._connection.execute(
                f"SELECT {', '.join(_File._fields)} FROM {_STORE}.raw_file"
                f" JOIN {_STORE}.run AS run USING (run_id)"
                f" WHERE {conditions} AND excluded IS NOT NULL ORDER BY run_id, name",
                parameters,
            ).fetchall()
        ]
        #: The runs with these factors that a person has excluded, and why; some may be named.
        self.excluded: dict[str, str] = dict(
            self._connection.execute(
                f"SELECT run_id, excluded FROM {_STORE}.run AS run"
                f" WHERE {conditions} AND excluded IS NOT NULL ORDER BY run_id",
                parameters,
            ).fetchall()
        )
        if not self.scope.names_runs:
            conditions += " AND excluded IS NULL"
        computed: set[str] = set()
        if self.scope.stable_phase is not None:
            for bound, seconds in zip(("from", "to"), self.scope.stable_phase, strict=True):
                self._connection.execute(f"SET VARIABLE stable_{bound}_s = {float(seconds)!r}")
            computed = building_on(models, {_STABLE_PHASE})
        return Limited(
            self._connection, _STORE, self.scope.study, models, conditions, parameters, computed
        )

    def query(self, sql: str, **parameters: Any) -> pd.DataFrame:
        """Ask the tables and models; floats rounded to nine significant digits.

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
        try:
            frame = self.execute(sql, parameters).df()
        except duckdb.Error as error:
            raise StudyBookError(f"the query fails: {error}") from error
        for column in frame.select_dtypes("float"):
            frame[column] = [float(f"{value:.{SIGNIFICANT_DIGITS}g}") for value in frame[column]]
        return frame

    def execute(
        self, sql: str, parameters: Mapping[str, Any] | None = None
    ) -> duckdb.DuckDBPyConnection:
        """As :meth:`query`, but with rows that are still to be fetched, and not rounded."""
        if _OUTSIDE.search(sql):
            raise StudyBookError(
                "the query names the whole store\n  → ask the tables and models by their bare"
                " names: they hold what the figure declares"
            )
        asked = len(self._limited.asked)
        try:
            self._limited.need(sql)
            if self._noted and len(self._limited.asked) > asked:
                self._note()  # it asks, too: before there are rows to fetch
            return self._connection.execute(sql, dict(parameters or {}))
        except duckdb.Error as error:
            raise StudyBookError(f"the query fails: {error}") from error

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
            if not self._files:
                also += "".join(f" {run} is excluded: {why}." for run, why in self.excluded.items())
            raise NeedsData(f"This figure needs {needs}; the data set has none for it.{also}")
        return frame

    def _not_there(self) -> Iterator[str]:
        """The parameters of the figure that no run has, in sentences."""
        there: defaultdict[str, list[str]] = defaultdict(list)
        for name, value in self._connection.execute(
            f"SELECT DISTINCT name, value FROM {_STORE}.factor JOIN {_STORE}.run USING (run_id)"
            " WHERE study = $study ORDER BY name, number, value",
            {"study": self.scope.study},
        ).fetchall():
            there[name].append(value)
        there[RUN] = [
            run
            for (run,) in self._connection.execute(
                f"SELECT run FROM {_STORE}.run WHERE study = $study ORDER BY run",
                {"study": self.scope.study},
            ).fetchall()
        ]
        for name, wanted in self.scope.runs.items():
            if not optional(wanted) and not set(texts(wanted)) & set(there[name]):
                have = ", ".join(there[name]) or "none"
                yield f"No run has {name} = {' or '.join(texts(wanted))}; there are: {have}"
        if self.scope.stable_phase:
            begin, end = self.scope.stable_phase
            yield f"Asked for was what lies within {begin:g} and {end:g} s of the start of a run"

    @property
    def sources(self) -> tuple[str, ...]:
        """The kinds of raw export behind all queries so far."""
        _, tables = self._limited.behind(self._limited.asked)
        return tuple(sorted({source for name, source in self._records if name in tables}))

    def inputs(self) -> dict[str, str]:
        """Content hashes, as loaded, of the raw files behind all queries so far, and of run.yml."""
        sources = self.sources
        found = {each.name: each.sha256 for each in self._files if each.source in sources}
        found |= {
            f"{each.run_id}/{FILE_NAME}": each.manifest_sha256
            for each in (*self._files, *self._files_of_excluded)
            if each.source in sources
        }
        return dict(sorted(found.items()))

    @cached_property
    def _records(self) -> list[tuple[str, str]]:
        """The tables of records, each with a kind of raw export that fills it."""
        return self._connection.execute(f"SELECT name, source FROM {_STORE}.record").fetchall()

    @cached_property
    def _files(self) -> list[_File]:
        """The raw files of the scope: many queries are asked about them, and they stay the same."""
        rows = self._connection.execute(
            f"SELECT {', '.join(_File._fields)} FROM raw_file JOIN run USING (run_id)"
        ).fetchall()
        return [_File(*row) for row in rows]

    def _note(self) -> None:
        """Note in the provenance the models and raw files behind all queries so far."""
        models, _ = self._limited.behind(self._limited.asked)
        sources = list(self.sources)
        files = [each for each in self._files if each.source in sources]
        documents: defaultdict[str, set[str]] = defaultdict(set)
        for each in files:
            if each.document is not None:
                documents[each.document].update([each.place] if each.place is not None else [])
        provenance.note_scope(
            self.scope.record() | {"sources": sources},
            inputs=self.inputs(),
            origins={each.origin for each in files},
            documents=documents,
            excluded=self.excluded,
            models={f"{self.scope.study}.{each.name}": each.digest for each in models},
            formats={each.format for each in files},
        )


def open_study(
    study: str,
    *,
    data_set: str,
    runs: Mapping[str, Any] | None = None,
    stable_phase: Sequence[float] | None = None,
    database: str = "",
) -> Study:
    """Open a study for a notebook: what it asks is noted, and the study's own metrics are known.

    Parameters
    ----------
    study : str
        Name of the study: that of its folder in the data set.
    data_set : str
        Name of the data set, such as ``reference``.
    runs : mapping, optional
        Factors that the runs must have, such as ``{"operation": "read"}``; None among the values
        lets runs in that do not have the factor. Under ``run`` stand names of runs.
    stable_phase : sequence of two floats, optional
        Seconds since the start of each run, in the place of the stable phase found in it.
    database : str, optional
        The DuckDB file; the data set's own by default.

    Raises
    ------
    StudyBookError
        If there is no database yet.

    Examples
    --------
    >>> from studybook import open_study
    >>> study = open_study("tram-tickets", data_set="mine", runs={"cache": "on"})
    >>> study.query("SELECT count(*) AS runs FROM run")["runs"].item()
    4
    >>> bool(study.query("FROM response_ms")["mean"].between(120, 150).all())
    True
    """
    scope = Scope(study, dict(runs or {}), _phase(stable_phase))
    place = Path(database) if database else DataSet.named(data_set).database
    use_definition(project_root(), study)
    return Study(scope, place)


def use_definition(root: Path, study: str) -> None:
    """Make the metrics and colours of the study known, and note where they stand."""
    found = definition.read_definition(root, study)
    if found and (found.metrics or found.colours):
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
