"""Every model is described, and what the descriptions say of it is so."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pytest
import yaml

from studybook.dataset import definition
from studybook.records import store
from studybook.records.limited import Limited
from studybook.records.meaning import FOLDER, SCHEMA_FILE, Schema
from studybook.records.models import Model, building_on, in_order, models_of
from studybook.records.rows import add_macros
from studybook.units import unit_of
from tests.conftest import REPOSITORY

#: So many runs of a study are computed each by itself.
ALONE = 1


def _studies(connection: duckdb.DuckDBPyConnection) -> list[str]:
    rows = connection.execute("SELECT DISTINCT study FROM run ORDER BY 1").fetchall()
    return [study for (study,) in rows]


def _all_models(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Model, list[str]]]:
    """Each model of each study, with its columns there."""
    for study in _studies(connection):
        for model in in_order(models_of(definition.folder(REPOSITORY, study))):
            rows = connection.execute(f'DESCRIBE "{study}".{model.name}').fetchall()
            yield f'"{study}".{model.name}', model, [row[0] for row in rows]


def test_every_model_and_every_column_is_described(
    database: duckdb.DuckDBPyConnection,
) -> None:
    faults = []
    for name, model, there in _all_models(database):
        if not model.meaning.meaning:
            faults.append(f"{name} has no meaning")
        faults += [f"{name}.{c} is not described" for c in there if c not in model.columns]
        said = {*model.meaning.columns, *model.meaning.key}
        faults += [f"{name} has no column {c}" for c in sorted(said - {*there})]
    assert not faults


def test_no_column_is_described_that_no_model_around_has(
    database: duckdb.DuckDBPyConnection,
) -> None:
    there = {model.path: set(columns) for _, model, columns in _all_models(database)}
    faults = []
    for path in sorted(FOLDER.rglob(SCHEMA_FILE)):
        around = [columns for each, columns in there.items() if each.is_relative_to(path.parent)]
        schema = Schema.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
        faults += [f"{path}: {c}" for c in sorted(set(schema.columns) - set().union(*around))]
    assert not faults


def test_every_file_of_a_model_says_what_a_row_is() -> None:
    paths = [model.path for model in models_of(None).values() if model.sql]
    assert [p for p in paths if not p.read_text(encoding="utf-8").startswith("-- ")] == []


def test_keys_tell_each_row_from_all_others(database: duckdb.DuckDBPyConnection) -> None:
    twice = []
    for name, model, _ in _all_models(database):
        if not model.meaning.key:
            continue
        key = ", ".join(f'"{column}"' for column in model.meaning.key)
        sql = f"SELECT {key}, count(*) FROM {name} GROUP BY {key} HAVING count(*) > 1 LIMIT 3"
        twice += [f"{name} by {key}: {row}" for row in database.execute(sql).fetchall()]
    assert not twice


def test_values_are_in_their_ranges(database: duckdb.DuckDBPyConnection) -> None:
    faults = []
    for name, model, there in _all_models(database):
        wrong = []
        for column in there:
            said = model.columns[column]
            wrong += [f'"{column}" IS NULL'] if said.not_null else []
            wrong += [f'"{column}" < {said.least}'] if said.least is not None else []
            wrong += [f'"{column}" > {said.most}'] if said.most is not None else []
        if wrong:
            counts = ", ".join(f"count(*) FILTER ({each})" for each in wrong)
            row = database.execute(f"SELECT {counts} FROM {name}").fetchone()
            faults += [
                f"{name}: {each} in {count} rows"
                for each, count in zip(wrong, row or (), strict=True)
                if count
            ]
    assert not faults


def test_a_model_says_of_a_run_only_what_follows_from_that_run(
    request: pytest.FixtureRequest, database: duckdb.DuckDBPyConnection
) -> None:
    """Computed for a run alone it has the rows that it has of all runs together.

    Where it would not, it must be said to look ``across_runs``.
    """
    chance = np.random.default_rng(16)
    path = database.execute("SELECT path FROM duckdb_databases() WHERE path IS NOT NULL").fetchall()
    differing: dict[str, list[str]] = {}
    with store.quiet(duckdb.connect()) as connection:
        connection.execute(f"ATTACH '{path[0][0]}' AS {store.NAME} (READ_ONLY)")
        for study in _studies(database):
            rows = database.execute("SELECT run_id FROM run WHERE study = ?", [study]).fetchall()
            runs = sorted(run_id for (run_id,) in rows)
            scopes = [[run] for run in chance.permutation(runs)[:ALONE].tolist()]
            if request.node.callspec.params["database"] == "of_fixtures":  # the others are large
                scopes.append(chance.permutation(runs)[: len(runs) // 2].tolist())
            for scope in scopes:
                for name in _differing(connection, study, scope):
                    differing.setdefault(name, []).append(", ".join(scope))
    assert not differing


def _differing(connection: duckdb.DuckDBPyConnection, study: str, runs: list[str]) -> Iterator[str]:
    """The models that have other rows for some runs if there are no others."""
    own = definition.folder(REPOSITORY, study)
    models = models_of(own)
    across = {model.name for model in models.values() if model.meaning.across_runs}
    condition = "list_contains($runs, run_id)"
    scope = Limited(connection, store.NAME, study, models, condition, {"runs": runs}, models)
    add_macros(connection, own)
    for model in in_order(models):
        scope.make(model.name)
        if model.name in building_on(models, across):
            continue
        columns = connection.execute(f"DESCRIBE temp.{model.name}").fetchall()
        by = "run_id" if "run_id" in {row[0] for row in columns} else "file_id"
        of_scope = "run" if by == "run_id" else "raw_file"
        stored = (
            f'FROM {store.NAME}."{study}".{model.name}'
            f" WHERE {by} IN (SELECT {by} FROM temp.{of_scope})"
        )
        alone = f"FROM temp.{model.name}"
        less = connection.execute(f"{stored} EXCEPT ALL {alone}").fetchall()
        more = connection.execute(f"{alone} EXCEPT ALL {stored}").fetchall()
        if not _alike(less, more):
            yield model.name
    scope.forget()


def _alike(some: list[tuple[Any, ...]], others: list[tuple[Any, ...]]) -> bool:
    """Whether rows differ by no more than the order in which numbers were added."""

    def order(row: tuple[Any, ...]) -> tuple[list[str], str]:
        return [str(each) for each in row if not isinstance(each, float)], str(row)

    def close(one: Any, other: Any) -> bool:
        if isinstance(one, float) and isinstance(other, float):
            return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
        return bool(one == other)

    return len(some) == len(others) and all(
        all(map(close, one, other))
        for one, other in zip(sorted(some, key=order), sorted(others, key=order), strict=True)
    )


@pytest.mark.parametrize(
    ("column", "words", "unit"),
    [
        ("interval_s", "interval", "s"),
        ("mean_ms", "mean", "ms"),
        ("read_mib_s", "read", "MiB/s"),
        ("sent_packets_per_s", "sent", "packets/s"),
        ("context_switches_per_s", "context_switches", "1/s"),
        ("used_ifl", "used", "IFLs"),
        ("host", "host", ""),
        ("reads", "reads", ""),
    ],
)
def test_the_end_of_a_name_is_its_unit(column: str, words: str, unit: str) -> None:
    assert unit_of(column) == (words, unit)
