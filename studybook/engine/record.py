"""Storing outputs in the committed notebooks: the numbers that nbval guards."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import nbformat

from studybook.dataset.inventory import PARAMETERS_FILE
from studybook.dataset.paths import DataSet
from studybook.engine.execute import Task, run_all
from studybook.engine.normalise import injected, normalise
from studybook.engine.notebooks import Notebook, load_notebook
from studybook.errors import StudyBookError
from studybook.records.loading import sources


def record_into_notebooks(
    data_set: DataSet, figures: Sequence[Notebook], *, every_source: bool = False
) -> list[Path]:
    """Copy the executed figures and loading reports over the committed notebooks.

    Parameters
    ----------
    data_set : DataSet
        The data set whose outputs are stored; it must be up to date.
    figures : sequence of Notebook
        The figures to store.
    every_source : bool
        Whether to store the loading reports of sources, too, that the data set has no file of.
        Their notebooks are run for it: they are in no book.

    Returns
    -------
    list of pathlib.Path
        The notebooks that changed, below the project folder.

    Raises
    ------
    StudyBookError
        If a load notebook fails that is run here, or a figure was run with parameters other
        than its defaults: run as committed, it would give other numbers.
    """
    changed = []
    for each in figures:
        _refuse_own_parameters(each, data_set)
    with tempfile.TemporaryDirectory() as folder:
        pairs = [(each.path, data_set.notebooks / f"{each.id}.ipynb") for each in figures]
        others = []
        for source in sources():
            committed = load_notebook(data_set.root, source).path
            report = data_set.load_reports / f"{source}.ipynb"
            if report.is_file():
                pairs.append((committed, report))
            elif every_source:
                others.append(
                    Task(f"load/{source}", committed, Path(folder, report.name), {}, data_set.root)
                )
        for outcome in run_all(others, os.cpu_count() or 1, lambda _: None):
            if outcome.state != "ok":
                raise StudyBookError(f"{outcome.task.source}: {outcome.message}")
            pairs.append((outcome.task.source, outcome.task.output))
        for committed, executed in pairs:
            notebook = nbformat.read(executed, as_version=4)
            normalise(notebook)  # a report names the data set that was loaded
            text = nbformat.writes(notebook) + "\n"
            if committed.read_text(encoding="utf-8") != text:
                committed.write_text(text, encoding="utf-8")
                changed.append(committed.relative_to(data_set.root))
    return changed


def _refuse_own_parameters(figure: Notebook, data_set: DataSet) -> None:
    executed = data_set.notebooks / f"{figure.id}.ipynb"
    for source in injected(nbformat.read(executed, as_version=4)):
        given = ", ".join(source.splitlines()[1:])
        raise StudyBookError(
            f"{executed.relative_to(data_set.root)}: ran with {given}; what is recorded are the "
            f"numbers of the defaults\n  → take {figure.id} out of "
            f"{(data_set.raw / PARAMETERS_FILE).relative_to(data_set.root)}, or change the "
            "defaults in the notebook"
        )
