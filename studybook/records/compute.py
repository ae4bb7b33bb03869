"""The models of a database, computed for each study, and whether they are those of the code.

Each study has a schema of its name with all models as tables: those of the library, and its own.
In the schema ``main`` stands a view by the name of each model, over all studies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path

import duckdb

from studybook.dataset import definition
from studybook.errors import StudyBookError
from studybook.records import store
from studybook.records.catalogue import comment
from studybook.records.ledger import insert
from studybook.records.limited import Limited, add_macros, create
from studybook.records.meaning import SCHEMA_FILE
from studybook.records.models import Model, in_order, models_of
from studybook.units import METRICS

#: Memory of DuckDB while it computes. A model sorts and groups whole tables, and not all that it
#: holds meanwhile can go to the disk: what is enough to insert stopped a load of public sar files.
COMPUTING = "1GiB"


def compute(connection: duckdb.DuckDBPyConnection, root: Path) -> None:
    """Compute the models of all studies of which something has changed.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database, open to write, with all records; in it no views of models.
    root : pathlib.Path
        The folder of the book.

    Raises
    ------
    StudyBookError
        Naming the file of a model that DuckDB does not accept, or that has the name of a metric,
        or a metric that is taken from two models.
    """
    studies = [
        name
        for (name,) in connection.execute("SELECT DISTINCT study FROM run ORDER BY 1").fetchall()
    ]
    connection.execute(f"SET memory_limit = '{COMPUTING}'")
    made_of = {study: _made_of(connection, study, root) for study in studies}
    before = dict(connection.execute("FROM studied").fetchall())
    _forget(connection, {each for each in studies if before.get(each) == made_of[each]})
    add_macros(connection, None, "MACRO")
    there: dict[str, list[str]] = {}
    models: list[Model] = [*models_of().values()]
    for study in studies:
        if before.get(study) != made_of[study]:
            _compute_study(connection, study, root)
            insert(connection, "studied", [study, made_of[study]])
        for model in models_of(definition.folder(root, study)).values():
            there.setdefault(model.name, []).append(study)
            models.append(model)
    for name, of_studies in there.items():
        parts = " UNION ALL BY NAME ".join(f'FROM "{study}".{name}' for study in of_studies)
        connection.execute(f"CREATE VIEW main.{name} AS {parts}")
    comment(connection, models)


def _made_of(connection: duckdb.DuckDBPyConnection, study: str, root: Path) -> str:
    """Hash of all that the models of a study are computed from, and of the models."""
    models = models_of(definition.folder(root, study))
    words = definition.read_definition(root, study)
    parts: list[object] = [(name, model.digest) for name, model in sorted(models.items())]
    parts.append(words.model_dump_json() if words else "")
    of_study = "run_id IN (SELECT run_id FROM run WHERE study = ?)"
    for table in ("run", "factor", "host", "run_note", "refused_file"):
        rows = connection.execute(f"FROM {table} WHERE {of_study} ORDER BY ALL", [study])
        parts.append((table, rows.fetchall()))
    records = connection.execute(f"SELECT folder FROM part WHERE {of_study} ORDER BY turn", [study])
    parts.append(records.fetchall())
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def forget_views(connection: duckdb.DuckDBPyConnection) -> None:
    """Take out the views of models and of records."""
    for (name,) in connection.execute(
        "SELECT view_name FROM duckdb_views() WHERE NOT internal AND schema_name = 'main'"
        " AND database_name = current_database()"
    ).fetchall():
        connection.execute(f"DROP VIEW main.{name}")


def _forget(connection: duckdb.DuckDBPyConnection, kept: Collection[str]) -> None:
    """Take out what was computed before, but of some studies."""
    for table in ("model", "studied"):
        connection.execute(
            f"DELETE FROM {table} WHERE NOT list_contains(?::VARCHAR[], study)", [[*kept]]
        )
    for (name,) in connection.execute(
        "SELECT schema_name FROM duckdb_schemas() WHERE NOT internal AND schema_name <> 'main'"
        " AND database_name = current_database()"
    ).fetchall():
        if name not in kept:
            connection.execute(f'DROP SCHEMA "{name}" CASCADE')


def _compute_study(connection: duckdb.DuckDBPyConnection, study: str, root: Path) -> None:
    own, words = definition.folder(root, study), definition.read_definition(root, study)
    models = models_of(own)
    for name in sorted(models.keys() & {*METRICS, *(words.metrics if words else ())}):
        raise StudyBookError(
            f"{models[name].path}: {name} is a metric, which queries ask by this name\n"
            "  → give the model another name"
        )
    connection.execute(f'CREATE SCHEMA "{study}"')
    of_study = {"study": study}
    limited = Limited(connection, store.NAME, study, models, "study = $study", of_study, models)
    add_macros(connection, own)
    ordered = in_order(models)
    scoped_by: dict[str, str] = {}
    for model in ordered:
        for name in model.reads - models.keys():
            limited.make(name)
        try:
            create(connection, model, f'TABLE "{study}".{model.name}')
        except (duckdb.IOException, duckdb.TransactionException, duckdb.FatalException):
            raise  # a full disk is no fault of a model
        except duckdb.Error as error:
            raise StudyBookError(f"{model.path}: cannot be computed: {error}") from error
        scoped_by[model.name] = _scoped_by(connection, study, model)
        connection.execute(
            f'CREATE OR REPLACE TEMP VIEW {model.name} AS FROM "{study}".{model.name}'
        )
    insert(
        connection,
        "model",
        *(
            [study, each.name, each.meaning.meaning, each.meaning.across_runs, sorted(each.reads),
             each.digest, each.text_sha256, each.sql or each.path.name, scoped_by[each.name]]
            for each in ordered
        ),
    )  # fmt: skip
    _check_sources(connection, study, own)
    limited.forget()


def _check_sources(connection: duckdb.DuckDBPyConnection, study: str, own: Path) -> None:
    """Refuse a metric of two sources: who asks for one depends on one."""
    twice = connection.execute(
        "SELECT metric, string_agg(DISTINCT from_model, ' and ' ORDER BY from_model)"
        f' FROM "{study}".metric GROUP BY metric HAVING count(DISTINCT from_model) > 1 ORDER BY 1'
    ).fetchall()
    if twice:
        said = "\n".join(f"{own}: the metric {name} is taken from {both}" for name, both in twice)
        raise StudyBookError(f"{said}\n  → give one of them another name")


def _scoped_by(connection: duckdb.DuckDBPyConnection, study: str, model: Model) -> str:
    """The column by which the rows of a model are told to be of a scope."""
    if model.meaning.across_runs:
        return ""
    rows = connection.execute(f'DESCRIBE "{study}".{model.name}').fetchall()
    columns = {str(row[0]) for row in rows}
    for name in ("run_id", "file_id"):
        if name in columns:
            return name
    raise StudyBookError(
        f"{model.path}: has neither a column run_id nor file_id: of which run is a row?\n"
        f"  → add run_id, or say in {SCHEMA_FILE} beside it that it looks across_runs"
    )


def stale(database: Path, root: Path) -> list[str]:
    """The models that are not what the code and the book have now, as ``study.name``."""
    found = []
    with store.connect(database) as connection:
        rows = connection.execute("SELECT study, name, digest FROM model").fetchall()
        studies = connection.execute("SELECT DISTINCT study FROM run ORDER BY 1").fetchall()
    there = {(study, name): digest for study, name, digest in rows}
    for (study,) in studies:
        now = {(study, n): m.digest for n, m in models_of(definition.folder(root, study)).items()}
        before = {key: digest for key, digest in there.items() if key[0] == study}
        found += [f"{s}.{n}" for s, n in sorted(now.keys() | before.keys())
                  if now.get((s, n)) != before.get((s, n))]  # fmt: skip
    return found
