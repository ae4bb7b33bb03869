"""Models: queries with a name, a meaning and units, computed in the order of their dependencies.

A model is a file, ``<name>.sql`` with one SELECT, or ``<name>.py`` with ``READS`` and ``rows``.
Those of the library lie in ``studybook/models``, those of one study in ``pipelines/<study>``; one
there takes the place of the library's of the same name. ``schema.yml`` beside them says what they
and their columns mean.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
from pydantic import Field

from studybook.checked_yaml import Strict, read_yaml
from studybook.code import LIBRARY, code_digest, reach_digest
from studybook.errors import StudyBookError, did_you_mean

#: Where the models of the library lie.
FOLDER = LIBRARY / "models"

#: Functions in SQL that models share: every file in a folder of this name.
MACROS = "macros"

#: What says what models and their columns mean, beside them.
SCHEMA_FILE = "schema.yml"


class Column(Strict):
    """A column of a model: what it means, and what its values must be.

    ``unit`` where the end of its name does not say it (``studybook.units.unit_of``).
    """

    meaning: str
    unit: str = ""
    not_null: bool = False
    least: float | None = None
    most: float | None = None


class Meaning(Strict):
    """What a model means.

    ``key`` are the columns by which a row is told from all others. One that looks ``across_runs``
    says something of a run that depends on which others there are: it is evaluated for the runs
    that a figure sees.
    """

    meaning: str = ""
    across_runs: bool = False
    key: tuple[str, ...] = ()
    columns: dict[str, Column | str] = Field(default_factory=dict)


class Schema(Strict):
    """The models of a folder.

    ``columns`` mean the same in all models of the folder and of those in it, unless a model, or the
    ``schema.yml`` of a folder further in, says otherwise.
    """

    columns: dict[str, Column | str] = Field(default_factory=dict)
    models: dict[str, Meaning] = Field(default_factory=dict)


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
        What it means.
    digest : str
        Hash of what it says: comments and layout say nothing.
    text_sha256 : str
        Hash of its file as it is written.
    sql : str
        The query; empty where rows are computed in Python.
    scoped_by : str
        The column that says of which run or file a row tells; empty until it was computed.
    columns : mapping of str to Column
        What columns mean: its own, and those of all models around it, which it need not have.
    """

    name: str
    path: Path
    reads: frozenset[str]
    meaning: Meaning
    digest: str
    text_sha256: str
    sql: str
    scoped_by: str = ""
    columns: Mapping[str, Column] = field(default_factory=dict)

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


def macros_of(own: Path | None = None) -> list[str]:
    """The statements that create the functions which models share."""
    folders = [FOLDER, *([own] if own is not None else [])]
    paths = [path for folder in folders for path in sorted(folder.glob(f"{MACROS}/*.sql"))]
    return [path.read_text(encoding="utf-8") for path in paths]


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
        "SELECT name, across_runs, reads, digest, text_sha256, query, scoped_by"
        f" FROM {store}.main.model WHERE study = ?",
        [study],
    ).fetchall()
    found = {}
    for name, across_runs, reads, digest, text_sha256, query, scoped_by in rows:
        in_python = query == f"{name}.py"
        path = Path(query)
        if in_python:
            path = next((p for each in (own, FOLDER) for p in each.rglob(query)), path)
        meaning = Meaning(across_runs=across_runs)
        sql = "" if in_python else query
        found[name] = Model(
            name, path, frozenset(reads), meaning, digest, text_sha256, sql, scoped_by
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


def tables_in(sql: str, connection: duckdb.DuckDBPyConnection, known: Iterable[str]) -> set[str]:
    """The tables and models that a query names, as DuckDB's parser sees them.

    Parameters
    ----------
    sql : str
        One SELECT.
    connection : duckdb.DuckDBPyConnection
        Any: it parses.
    known : iterable of str
        Names that count where they are handed to a function as a text.

    Raises
    ------
    duckdb.Error
        If it is no SELECT.
    """
    parsed = _parse(sql, connection)
    return parsed.named | (parsed.handed & set(known))


@dataclass
class _Parsed:
    """What a query names: tables, functions, and texts that it hands to table functions."""

    named: set[str]
    calls: set[str]
    handed: set[str]
    digest: str = ""


def _parse(sql: str, connection: duckdb.DuckDBPyConnection) -> _Parsed:
    ((text,),) = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchall()
    tree = json.loads(text)
    if tree.get("error"):
        raise duckdb.ParserException(str(tree.get("error_message")))
    found = _Parsed(set(), set(), set())
    defined: set[str] = set()
    said: list[str] = []
    _walk(tree, found, defined, said)
    found.named -= defined
    found.handed -= defined
    found.digest = hashlib.sha256("\n".join(said).encode()).hexdigest()
    return found


def _walk(node: Any, found: _Parsed, defined: set[str], said: list[str]) -> None:
    if isinstance(node, dict):
        if node.get("type") == "BASE_TABLE":
            found.named.add(str(node["table_name"]).lower())
        if node.get("type") == "TABLE_FUNCTION":
            found.handed.update(_texts(node["function"]["arguments"]))
        if isinstance(node.get("function_name"), str):
            found.calls.add(node["function_name"].lower())
        for name, value in node.items():
            if name == "cte_map":
                defined.update(str(each["key"]).lower() for each in value["map"])
            if not name.startswith("query_location"):
                said.append(name)
                _walk(value, found, defined, said)
    elif isinstance(node, list):
        for each in node:
            _walk(each, found, defined, said)
    else:
        said.append(repr(node))


def _texts(arguments: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The texts among arguments, and in lists among them."""
    for each in arguments:
        literal = each["expression"].get("literal", {})
        if literal.get("kind") == "STRING":
            yield literal["text"].lower()
        if each["expression"].get("function_name") == "list_value":
            yield from _texts(each["expression"]["arguments"])


@cache
def _macros(folder: Path) -> Mapping[str, _Parsed]:
    """The functions of a folder, by name, with those of the library."""
    found = {} if folder == FOLDER else dict(_macros(FOLDER))
    with duckdb.connect() as connection:
        for path in sorted(folder.glob(f"{MACROS}/*.sql")):
            for statement in connection.extract_statements(path.read_text(encoding="utf-8")):
                head, _, body = statement.query.partition(") AS")
                name = head.rpartition("MACRO ")[2].partition("(")[0].strip().lower()
                query = body.strip().rstrip(";")
                query = (
                    query.removeprefix("TABLE\n")
                    if query.startswith("TABLE\n")
                    else f"SELECT {query}"
                )
                parsed = _parse(query, connection)
                found[name] = parsed
    return found


def _read_folder(folder: Path) -> Iterator[tuple[str, Model]]:
    schemas = {path.parent: read_yaml(path, Schema) for path in folder.rglob(SCHEMA_FILE)}
    paths = [p for p in sorted(folder.rglob("*.*")) if p.suffix in (".sql", ".py")]
    paths = [
        p for p in paths if MACROS not in p.relative_to(folder).parts and p.name != "__init__.py"
    ]
    _check_names(schemas, paths)
    with duckdb.connect() as connection:
        for path in paths:
            schema = schemas.get(path.parent, Schema())
            meaning = schema.models.get(path.stem, Meaning())
            columns = _columns_of(path.parent, schemas) | as_columns(meaning.columns)
            model = _read(path, meaning, _macros(folder), connection)
            # For which runs it is computed is part of what it says; words about it are not.
            digest = f"{model.digest}, across runs" if meaning.across_runs else model.digest
            yield path.stem, replace(model, columns=columns, digest=digest)


def _check_names(schemas: Mapping[Path, Schema], paths: Collection[Path]) -> None:
    """What is said of a model that is not there would be lost silently."""
    for folder, schema in schemas.items():
        there = [path.stem for path in paths if path.parent == folder]
        for name in schema.models:
            if name not in there:
                raise StudyBookError(
                    f"{folder / SCHEMA_FILE}: there is no model {name!r} beside it\n"
                    f"  → {did_you_mean(name, there) or f'write {name}.sql, or take it out'}"
                )


def _columns_of(folder: Path, schemas: Mapping[Path, Schema]) -> dict[str, Column]:
    """What columns mean in all models of a folder; those of the library mean it everywhere."""
    found = dict(_columns_of_library())
    for each in (*reversed(folder.parents), folder):
        if each in schemas:
            found |= as_columns(schemas[each].columns)
    return found


@cache
def _columns_of_library() -> Mapping[str, Column]:
    return as_columns(read_yaml(FOLDER / SCHEMA_FILE, Schema).columns)


def as_columns(given: Mapping[str, Column | str]) -> dict[str, Column]:
    """Columns of which some have a meaning only."""
    return {
        name: Column(meaning=each) if isinstance(each, str) else each
        for name, each in given.items()
    }


def _read(
    path: Path,
    meaning: Meaning,
    macros: Mapping[str, _Parsed],
    connection: duckdb.DuckDBPyConnection,
) -> Model:
    text_sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    if path.suffix == ".py":
        reads = frozenset(_module(path).READS)
        digest = reach_digest(path) if path.is_relative_to(LIBRARY) else code_digest(path)
        return Model(path.stem, path, reads, meaning, digest, text_sha256, "")
    sql = path.read_text(encoding="utf-8")
    try:
        parsed = _parse(sql, connection)
    except duckdb.Error as error:
        raise StudyBookError(
            f"{path}: is no query: {str(error).splitlines()[0]}\n  → write one SELECT, and nothing"
            " else: its name is that of the file"
        ) from error
    # What the functions that it calls say and read is said and read by it.
    tables, digests, waiting = parsed.named | parsed.handed, {parsed.digest}, {*parsed.calls}
    while waiting:
        macro = macros.get(waiting.pop())
        if macro and macro.digest not in digests:
            digests.add(macro.digest)
            tables |= macro.named
            waiting |= macro.calls
    digest = hashlib.sha256(" ".join(sorted(digests)).encode()).hexdigest()
    return Model(path.stem, path, frozenset(tables), meaning, digest, text_sha256, sql)


@cache
def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"studybook_model_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise StudyBookError(f"{path}: cannot be imported")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
