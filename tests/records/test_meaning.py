"""The meaning of models: beside which file it stands, and how far it reaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from studybook.errors import StudyBookError
from studybook.records.meaning import SCHEMA_FILE
from studybook.records.models import models_of


def test_what_is_said_of_a_model_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "throughput_of_all.sql").write_text("SELECT run_id FROM run", encoding="utf-8")
    (tmp_path / SCHEMA_FILE).write_text(
        "models: {thruput_of_all: {meaning: x, across_runs: true}}\n", encoding="utf-8"
    )
    with pytest.raises(StudyBookError, match=r"no model 'thruput_of_all'(?s:.*)throughput_of_all"):
        models_of(tmp_path)


def test_a_model_that_now_looks_across_runs_is_another(tmp_path: Path) -> None:
    digests = []
    for said in ("meaning: one", "meaning: other", "across_runs: true"):
        folder = tmp_path / said.replace(": ", "-")
        folder.mkdir()
        (folder / "one.sql").write_text("SELECT run_id FROM run", encoding="utf-8")
        (folder / SCHEMA_FILE).write_text(f"models: {{one: {{{said}}}}}\n", encoding="utf-8")
        digests.append(models_of(folder)["one"].digest)
    assert digests[0] == digests[1] != digests[2]


def test_a_column_means_what_the_nearest_says(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for name in ("one", "other"):
        (tmp_path / f"inner/{name}.sql").write_text("SELECT run_id FROM run", encoding="utf-8")
    (tmp_path / SCHEMA_FILE).write_text("columns: {a: outer, b: outer}\n", encoding="utf-8")
    (tmp_path / "inner" / SCHEMA_FILE).write_text(
        "columns: {b: inner, c: inner}\nmodels: {one: {columns: {c: {meaning: own, least: 0}}}}\n",
        encoding="utf-8",
    )
    found = {
        name: {c: models_of(tmp_path)[name].columns[c].meaning for c in "abc"}
        for name in ("one", "other")
    }
    assert found["one"] == {"a": "outer", "b": "inner", "c": "own"}
    assert found["other"] == {"a": "outer", "b": "inner", "c": "inner"}
    assert models_of(tmp_path)["one"].columns["run_id"].not_null  # as in all of the library
