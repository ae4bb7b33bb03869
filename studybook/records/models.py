"""Models: queries with a name, a meaning and units, computed in the order of their dependencies.

A model is a file, ``<name>.sql`` with one SELECT, or ``<name>.py`` with ``READS`` and ``rows``.
Those of the library lie in ``studybook/models``, those of one study in ``pipelines/<study>``; one
there takes the place of the library's of the same name.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType

import duckdb

from studybook.code import LIBRARY, code_digest, reach_digest
from studybook.errors import StudyBookError
from studybook.memory import recall, recall_each
from studybook.records.emptiness import ALWAYS, Condition, plain_functions, rows_if
from studybook.records.meaning import FOLDER, Column, Meaning, columns_of, meaning_of, schemas_below
from studybook.records.parsed import Parsed, macros, parsed, serialised, through_macros

#: Functions in SQL that models share: every file in a folder of this name.
MACROS = "macros"


@dataclass(frozen=True)
class Model:
    """A query with a name.

    Attributes
    ----------
    name : str
        As queries name it.
    path : pathlib.Path
        Its file.
    reads : frozenset of str
        The tables and models that it asks.
    meaning : Meaning
        Its meaning.
    digest : str
        Hash of what it says, and for which runs: comments and layout say nothing.
    text_sha256 : str
        Hash of its file as it is written.
    sql : str
        The query; empty where rows are computed in Python.
    scoped_by : str
        The column that says of which run or file a row tells; empty until it was computed.
    huge : tuple of str
        Its columns of integers of 128 bits, as sums are; Parquet has none. Empty until then.
    columns : mapping of str to Column
        Its own, and those of all models around it, which it need not have.
    """

    name: str
    path: Path
    reads: frozenset[str]
    meaning: Meaning
    digest: str
    text_sha256: str
    sql: str
    scoped_by: str = ""
    huge: tuple[str, ...] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    rows_if: Condition = field(default_factory=lambda: ALWAYS)

    @property
    def module(self) -> ModuleType:
        """The module that computes the rows, where it is no query."""
        return _module(self.path)


Models = Mapping[str, Model]


@cache
def models_of(own: Path | None = None) -> Models:
    """All models, by name: those of the library, and those of a study.

    Parameters
    ----------
    own : pathlib.Path, optional
        The folder of the study's own; need not be there.

    Raises
    ------
    StudyBookError
        Naming the file, where one is no query.
    """
    found = dict(_of_library())
    if own is not None and own.is_dir():
        found |= _read_folder(own)
    return found


@cache
def _of_library() -> Models:
    return dict(_read_folder(FOLDER))


def macros_of(own: Path | None = None) -> tuple[str, ...]:
    """The statements that create the functions which models share."""
    folders = [FOLDER, *([own] if own is not None else [])]
    paths = [path for folder in folders for path in sorted(folder.glob(f"{MACROS}/*.sql"))]
    return tuple(path.read_text(encoding="utf-8") for path in paths)


def models_in(connection: duckdb.DuckDBPyConnection, store: str, study: str, own: Path) -> Models:
    """The models of a study as a database has them, without a look at their files.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        One that the database is attached to.
    store : str
        Its name there.
    study : str
        The study.
    own : pathlib.Path
        The folder of the study's own.
    """
    rows = connection.execute(
        "SELECT name, across_runs, reads, digest, text_sha256, query, scoped_by, huge"
        f" FROM {store}.main.model WHERE study = ?",
        [study],
    ).fetchall()
    found = {}
    for name, across_runs, reads, digest, text_sha256, query, scoped_by, huge in rows:
        in_python = query == f"{name}.py"
        path = Path(query)
        if in_python:
            path = next((p for each in (own, FOLDER) for p in each.rglob(query)), path)
        meaning = Meaning(across_runs=across_runs)
        sql = "" if in_python else query
        found[name] = Model(
            name, path, frozenset(reads), meaning, digest, text_sha256, sql, scoped_by, tuple(huge)
        )
    return found


def in_order(models: Models, wanted: Iterable[str] | None = None) -> list[Model]:
    """Models, each behind those that it builds on.

    Parameters
    ----------
    models : mapping of str to Model
        All that there are.
    wanted : iterable of str, optional
        Those that are wanted, with all that they build on; all by default.

    Raises
    ------
    StudyBookError
        If models build on each other in a circle.
    """
    done: dict[str, Model] = {}

    def add(name: str, above: tuple[str, ...]) -> None:
        if name in done or name not in models:
            return
        if name in above:
            circle = " → ".join((*above[above.index(name) :], name))
            raise StudyBookError(
                f"{models[name].path}: models build on each other in a circle: {circle}\n"
                "  → take a part out into a model of its own that both build on"
            )
        for each in sorted(models[name].reads):
            add(each, (*above, name))
        done[name] = models[name]

    for name in sorted(models if wanted is None else wanted):
        add(name, ())
    return list(done.values())


def building_on(models: Models, some: Collection[str]) -> set[str]:
    """Some models, and all that build on one of them."""
    found: set[str] = {*some}
    for model in in_order(models):
        if not found.isdisjoint(model.reads):
            found.add(model.name)
    return found


def _read_folder(folder: Path) -> Iterator[tuple[str, Model]]:
    paths = [
        path
        for path in sorted(folder.rglob("*.*"))
        if path.suffix in (".sql", ".py")
        and MACROS not in path.relative_to(folder).parts
        and path.name != "__init__.py"
    ]
    schemas = schemas_below(folder, paths)
    queries = {p: p.read_text(encoding="utf-8") for p in paths if p.suffix == ".sql"}
    found = _parse(queries, macros_of(None if folder == FOLDER else folder))
    for path in paths:
        meaning = meaning_of(path, schemas)
        reads, digest, condition = found[path] if path in found else _in_python(path)
        yield (
            path.stem,
            Model(
                name=path.stem,
                path=path,
                reads=reads,
                meaning=meaning,
                digest=f"{digest}, across runs" if meaning.across_runs else digest,
                text_sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
                sql=queries.get(path, ""),
                columns=columns_of(path, schemas),
                rows_if=condition,
            ),
        )


def _in_python(path: Path) -> tuple[frozenset[str], str, Condition]:
    digest = reach_digest(path) if path.is_relative_to(LIBRARY) else code_digest(path)
    # To import one may mean to import what it computes with: that takes longer than all else here.
    reads = recall("tables of a model in Python", digest.encode(), lambda: [*_module(path).READS])
    return frozenset(reads), digest, ALWAYS


def _parse(
    queries: Mapping[Path, str], statements: tuple[str, ...]
) -> dict[Path, tuple[frozenset[str], str, Condition]]:
    """The tables that each query asks, its digest, and what it needs to have rows."""
    paths, texts = [*queries], [*queries.values()]

    def work_out(places: list[int]) -> list[tuple[list[str], str, Condition]]:
        known = macros(statements)
        with duckdb.connect() as connection:
            trees = serialised([texts[place] for place in places], connection)
            plain = plain_functions(connection, known)
        return [
            (*_parsed(paths[place], tree, known), rows_if(tree, plain))
            for place, tree in zip(places, trees, strict=True)
        ]

    kind = "\n".join(["a model, and what it needs", duckdb.__version__, *statements])
    found = recall_each(kind, [text.encode() for text in texts], work_out)
    return {
        path: (frozenset(reads), digest, condition)
        for path, (reads, digest, condition) in zip(paths, found, strict=True)
    }


def _parsed(path: Path, tree: str, known: Mapping[str, Parsed]) -> tuple[list[str], str]:
    try:
        reads, digest = through_macros(parsed(tree), known)
        return sorted(reads), digest
    except duckdb.Error as error:
        raise StudyBookError(
            f"{path}: is no query: {str(error).splitlines()[0]}\n  → write one SELECT, and nothing"
            " else: its name is that of the file"
        ) from error


@cache
def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"studybook_model_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise StudyBookError(f"{path}: cannot be imported")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
