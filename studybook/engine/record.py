"""Storing outputs in the committed notebooks: the numbers that nbval guards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import nbformat

from studybook.dataset.inventory import PARAMETERS_FILE
from studybook.dataset.paths import DataSet
from studybook.engine.normalise import assignments, injected
from studybook.engine.notebooks import ALL, Notebook, load_notebook, read_headed
from studybook.engine.outputs import read_record
from studybook.errors import StudyBookError


def record_into_notebooks(data_set: DataSet, figures: Sequence[Notebook]) -> list[Path]:
    """Copy the executed figures and the loading report over the committed notebooks.

    Of a figure that shares the notebook of another, the run with its parameters is kept beside it.

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

    Raises
    ------
    StudyBookError
        If a figure was run with parameters other than its defaults: run as committed, it would give
        other numbers.
    """
    changed = []
    # Those of the library hold the outputs of its own parameters.
    own = [each for each in figures if each.listed or each.defaults == each.written_defaults]
    for each in own:
        _refuse_own_parameters(each, data_set)
    # One of the library that the data set has no data for stays without outputs.
    drawn = [each for each in own if not each.of_library or _drawn(data_set, each)]
    pairs: list[tuple[Path, Path, Notebook | None]] = [
        (each.recorded, data_set.notebooks / f"{each.id}.ipynb", each) for each in drawn
    ]
    report = data_set.load_reports / f"{ALL}.ipynb"
    pairs.append((load_notebook(data_set.root).path, report, None))
    for committed, executed, figure in pairs:
        notebook = nbformat.read(executed, as_version=4)
        if figure and figure.of_library:  # its heading is that of one run
            notebook.cells[0].source = read_headed(committed).cells[0].source
        text = nbformat.writes(notebook) + "\n"
        inside = committed.is_relative_to(data_set.root)
        before = committed.read_text(encoding="utf-8") if committed.is_file() else ""
        if inside and before != text:
            committed.parent.mkdir(exist_ok=True)
            committed.write_text(text, encoding="utf-8")
            changed.append(committed.relative_to(data_set.root))
    return changed


def _drawn(data_set: DataSet, figure: Notebook) -> bool:
    record = read_record(data_set, figure.id)
    return record is not None and record.state == "ok"


def _refuse_own_parameters(figure: Notebook, data_set: DataSet) -> None:
    executed = data_set.notebooks / f"{figure.id}.ipynb"
    for source in injected(nbformat.read(executed, as_version=4)):
        if source == assignments(figure.injected(figure.given)):
            continue
        given = ", ".join(source.splitlines()[1:])
        wanted = (
            f"parameters in {figure.listed.name}" if figure.listed else "defaults in the notebook"
        )
        raise StudyBookError(
            f"{executed.relative_to(data_set.root)}: ran with {given}; what is recorded are the "
            f"numbers of the defaults\n  → take {figure.id} out of "
            f"{(data_set.raw / PARAMETERS_FILE).relative_to(data_set.root)}, or change the "
            f"{wanted}"
        )
