"""Storing outputs in the committed notebooks: the numbers that nbval guards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import nbformat

from pipelines.engine.notebooks import Notebook, load_notebook
from pipelines.loading import sources
from pipelines.paths import DataSet


def record_into_notebooks(data_set: DataSet, figures: Sequence[Notebook]) -> list[Path]:
    """Copy the executed figures and loading reports over the committed notebooks.

    Parameters
    ----------
    data_set : DataSet
        The data set whose outputs are stored; it must be up to date.
    figures : sequence of Notebook
        The figures to store.

    Returns
    -------
    list of pathlib.Path
        The notebooks that changed, below the project folder.
    """
    pairs = [(each.path, data_set.notebooks / f"{each.id}.ipynb") for each in figures]
    pairs += [
        (load_notebook(data_set.root, source).path, data_set.load_reports / f"{source}.ipynb")
        for source in sources()
    ]
    changed = []
    for committed, executed in pairs:
        notebook = nbformat.read(executed, as_version=4)
        text = nbformat.writes(notebook) + "\n"
        if committed.read_text(encoding="utf-8") != text:
            committed.write_text(text, encoding="utf-8")
            changed.append(committed.relative_to(data_set.root))
    return changed
