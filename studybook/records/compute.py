"""The models of a database, computed for each study, and whether they are those of the code.

Each study has a schema of its name with all models: those of the library, and its own. Models of
runs are views of what was computed for groups of runs; those that look across runs, and what builds
on them, are tables. In the schema ``main`` stands a view of each model, over all studies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import duckdb

from studybook.checked_yaml import line_of
from studybook.code import LIBRARY
from studybook.dataset import definition
from studybook.errors import StudyBookError
from studybook.records import store
from studybook.records.catalogue import comment
from studybook.records.compute_group import AT_MOST, compute_group
from studybook.records.folders import beside, put, read_account, remove_others
from studybook.records.groups import Group, across_runs, groups_of
from studybook.records.ledger import insert
from studybook.records.limited import Limited
from studybook.records.models import Models, in_order, models_of
from studybook.records.rows import add_macros, create, said_of
from studybook.records.schema import files_of_models, no_records, records_in
from studybook.records.shapes import Columns, huge, scoped_by, shapes_of
from studybook.records.side_by_side import processors_for_each, side_by_side
from studybook.units import METRICS


def compute(
    connection: duckdb.DuckDBPyConnection,
    database: Path,
    root: Path,
    in_use: Collection[str],
    *,
    anew: bool = False,
) -> None:
    """Compute the models of all runs and studies of which something has changed.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        A copy of the database, open to write, with all records; in it no views of models.
    database : pathlib.Path
        The database.
    root : pathlib.Path
        The folder of the book.
    in_use : collection of str
        Folders of models that somebody may read meanwhile: they stay.
    anew : bool, optional
        Whether to compute also what was computed before.

    Raises
    ------
    StudyBookError
        Naming the file of a model that DuckDB does not accept, or that has the name of a metric,
        or a metric that is taken from two models.
    """
    rows = connection.execute("SELECT DISTINCT study FROM run ORDER BY 1").fetchall()
    own = {study: definition.folder(root, study) for (study,) in rows}
    models = {study: models_of(folder) for study, folder in own.items()}
    for study in own:
        _check_names(root, study, models[study])
    shapes = {study: shapes_of(folder) for study, folder in own.items()}
    groups = [*groups_of(connection, models)]
    remove_others(beside(database, "models"), [*in_use, *(each.folder for each in groups)])
    _compute_groups(connection, database, groups, own, shapes, anew=anew)

    connection.execute(f"SET memory_limit = '{AT_MOST}'")
    made_of = {study: _made_of(database, groups, study) for study in own}
    before = dict(connection.execute("FROM studied").fetchall())
    changed = [study for study in own if anew or before.get(study) != made_of[study]]
    _forget(connection, own.keys() - {*changed})
    add_macros(connection, None, "MACRO")
    for study in changed:
        _compute_study(connection, database, study, own[study], shapes[study])
        insert(connection, "studied", [study, made_of[study]])
    for name in sorted({name for of_study in models.values() for name in of_study}):
        parts = (f'FROM "{study}".{name}' for study in own if name in models[study])
        connection.execute(f"CREATE VIEW main.{name} AS {' UNION ALL BY NAME '.join(parts)}")
    library = models_of().values()
    comment(connection, [*library, *(each for some in models.values() for each in some.values())])


def _check_names(root: Path, study: str, models: Models) -> None:
    words = definition.read_definition(root, study)
    own = words.metrics.keys() if words else set()
    for name in sorted(models.keys() & own):
        if models[name].path.is_relative_to(LIBRARY):  # which nobody can rename
            path = definition.place(root, study)
            raise StudyBookError(
                f"{path}, line {line_of(path, 'metrics', name)}: metrics: {name} is a model of"
                f" the library, which queries ask by this name\n  → give the metric another name,"
                f" such as {name}_value, here and where run.yml makes it of a column"
            )
    for name in sorted(models.keys() & {*METRICS, *own}):
        raise StudyBookError(
            f"{models[name].path}: {name} is a metric, which queries ask by this name\n"
            "  → give the model another name"
        )


def _compute_groups(
    connection: duckdb.DuckDBPyConnection,
    database: Path,
    groups: Sequence[Group],
    own: Mapping[str, Path],
    shapes: Mapping[str, Mapping[str, Columns]],
    *,
    anew: bool,
) -> None:
    """Compute the models of groups that are not there, and enter all in the ledger."""
    records, place = beside(database, "records"), beside(database, "models")
    there = [each.folder for each in groups if not anew and (place / each.folder).is_dir()]
    kept = {*there} - store.altered(database, "models", there)
    # The largest first, so that none is left at the end for one process alone.
    missing = sorted((g for g in groups if g.folder not in kept), key=lambda group: -group.rows)
    at_once = processors_for_each(len(missing))
    jobs = [
        (
            group,
            (own[group.study], group.tables, group.files(records), shapes[group.study], at_once),
        )
        for group in missing
    ]
    scratch = store.scratch(connection) / "models"
    for group, made, _ in side_by_side("computed models", compute_group, jobs, scratch):
        put(made, place / group.folder)
    rows: dict[str, list[list[object]]] = {"run_group": [], "group_model": []}
    for turn, group in enumerate(groups):
        rows["run_group"].append([group.folder, group.study, [*group.run_ids], turn])
        tables = read_account(place / group.folder)["group_model"]
        rows["group_model"] += [[group.folder, *each] for each in tables]
    connection.begin()
    for table, of_all in rows.items():
        connection.execute(f"DELETE FROM {table}")
        insert(connection, table, *of_all)
    connection.commit()


def _made_of(database: Path, groups: Sequence[Group], study: str) -> str:
    """Hash of all that follows for a study from its groups, and where these lie."""
    of_study = [group.folder for group in groups if group.study == study]
    return hashlib.sha256(repr([str(beside(database, "models")), of_study]).encode()).hexdigest()


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


def _compute_study(
    connection: duckdb.DuckDBPyConnection,
    database: Path,
    study: str,
    own: Path,
    shapes: Mapping[str, Columns],
) -> None:
    """Show what was computed for groups of runs, and compute what looks across all of them."""
    models = {
        name: replace(model, scoped_by=scoped_by(model, shapes[name]), huge=huge(shapes[name]))
        for name, model in models_of(own).items()
    }
    across = across_runs(models)
    files = files_of_models(connection, beside(database, "models"), study)
    connection.execute(f'CREATE SCHEMA "{study}"')
    for name in models.keys() - across:
        query = no_records(shapes[name])
        if name in files:
            query = records_in(files[name], models[name].huge)
        connection.execute(f'CREATE VIEW "{study}".{name} AS {query}')
    limited = Limited(connection, store.NAME, study, models, "study = $study", {"study": study})
    add_macros(connection, own)
    for model in in_order(models):
        if model.name not in across:
            continue
        for name in sorted(model.reads - across):
            limited.make(name)
        with said_of(model):
            create(connection, model, f'TABLE "{study}".{model.name}')
        connection.execute(
            f'CREATE OR REPLACE TEMP VIEW {model.name} AS FROM "{study}".{model.name}'
        )
    insert(
        connection,
        "model",
        *(
            [study, each.name, each.meaning.meaning, each.meaning.across_runs, sorted(each.reads),
             each.digest, each.text_sha256, each.sql or each.path.name, each.scoped_by,
             [*each.huge]]
            for each in in_order(models)
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


def stale(there: Mapping[str, Mapping[str, str]], root: Path) -> list[str]:
    """The models that are not what the code and the book have now, as ``study.name``.

    Parameters
    ----------
    there : mapping
        The digests of all models of each study, as a database has them.
    root : pathlib.Path
        The folder of the book.
    """
    found = []
    for study, before in there.items():
        now = {n: m.digest for n, m in models_of(definition.folder(root, study)).items()}
        found += [f"{study}.{name}" for name in sorted(now.keys() | before.keys())
                  if now.get(name) != before.get(name)]  # fmt: skip
    return found
