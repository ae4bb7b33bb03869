"""Executed notebooks in one form: what is kept of a run, and what is not."""

from __future__ import annotations

import json
import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from studybook.engine.execute import Outcome, Task, run_all
from studybook.engine.normalise import injected, normalise

DEFAULTS = {"data_set": "reference", "level": 0.95, "names": {"a": 1}, "database": ""}


def source(folder: Path) -> Path:
    """Write a notebook with parameters that shows them."""
    assigned = "\n".join(f"{name} = {value!r}" for name, value in DEFAULTS.items())
    cells = [
        new_code_cell(assigned, metadata={"tags": ["parameters"]}),
        new_code_cell("data_set, level, names"),
    ]
    notebook = new_notebook(cells=cells)
    normalise(notebook)
    path = folder / "source.ipynb"
    nbformat.write(notebook, path)
    return path


def executed(folder: Path, name: str, parameters: dict[str, object]) -> Path:
    output = folder / f"{name}.ipynb"
    passing = frozenset({"database"})
    task = Task(name, source(folder), output, parameters, folder, passing=passing)
    done: list[Outcome] = run_all([task], 1, lambda _: None)
    assert [outcome.state for outcome in done] == ["ok"], done[0].message
    return output


def shown(notebook: nbformat.NotebookNode) -> str:
    return str(notebook.cells[-1].outputs[0].data["text/plain"])


def test_a_reader_who_runs_it_again_gets_the_numbers_that_it_shows(tmp_path: Path) -> None:
    mine = {"level": 0.9, "data_set": "mine", "names": {"b": [None, True]}, "database": "/gone"}
    path = executed(tmp_path, "mine", mine)
    notebook = nbformat.read(path, as_version=4)
    before = shown(notebook)
    assert before == "('mine', 0.9, {'b': [None, True]})"
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    assert shown(notebook) == before


def test_the_parameters_stand_below_the_defaults_without_those_that_were_passing(
    tmp_path: Path,
) -> None:
    notebook = nbformat.read(executed(tmp_path, "mine", {"level": 0.9, "database": "/gone"}), 4)
    assert [cell.id for cell in notebook.cells] == ["cell-00", "cell-01", "cell-02"]
    assert [cell.execution_count for cell in notebook.cells] == [1, 2, 3]
    assert notebook.cells[1].metadata == {"tags": ["injected-parameters"]}
    assert injected(notebook) == ["# Parameters of this run\nlevel = 0.9"]
    assert "/gone" not in json.dumps(notebook)


def test_two_runs_give_the_same_bytes_in_whatever_order_parameters_are_given(
    tmp_path: Path,
) -> None:
    first = executed(tmp_path, "first", {"level": 0.9, "data_set": "mine"})
    second = executed(tmp_path, "second", {"data_set": "mine", "level": 0.9})
    assert first.read_bytes() == second.read_bytes()


def test_with_defaults_only_it_reads_as_committed(tmp_path: Path) -> None:
    for name, parameters in (("none", {}), ("passing", {"database": os.devnull})):
        notebook = nbformat.read(executed(tmp_path, name, parameters), 4)
        assert injected(notebook) == []
        assert [cell.id for cell in notebook.cells] == ["cell-00", "cell-01"]


def test_without_parameters_it_loses_those_of_an_earlier_run(tmp_path: Path) -> None:
    notebook = nbformat.read(executed(tmp_path, "mine", {"level": 0.9}), 4)
    normalise(notebook)
    assert [cell.id for cell in notebook.cells] == ["cell-00", "cell-01"]
    assert [cell.execution_count for cell in notebook.cells] == [1, 2]
