"""Storing outputs in committed notebooks: the numbers that nbval guards.

A figure of one's own holds those of its default data set itself, or beside it where it shares the
notebook of another. What else a data set gives (other data, parameters, the notebooks that fit any
study) is kept below ``notebooks/recorded/<data set>/``, as it ran: with its parameters, and with
the rows of its chart as CSV, in which a change can be read line by line.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import nbformat

from studybook.dataset.inventory import PARAMETERS_FILE
from studybook.dataset.paths import DataSet
from studybook.engine.normalise import assignments, injected
from studybook.engine.notebooks import ALL, RECORDED, Notebook, load_notebook, read_headed
from studybook.engine.outputs import read_record, record_path
from studybook.errors import StudyBookError


def recorded_path(data_set: DataSet, figure: Notebook) -> Path:
    """The committed notebook that holds the outputs of a figure for a data set."""
    default = figure.written_defaults.get("data_set") == data_set.name
    if default and (not figure.of_library or _is_as_written(data_set, figure)):
        return figure.recorded
    return recorded_folder(data_set) / f"{figure.id}.ipynb"


def recorded_folder(data_set: DataSet) -> Path:
    """The folder of what a data set gave of figures that do not hold it themselves."""
    return data_set.root / "notebooks" / RECORDED / data_set.name


def _is_as_written(data_set: DataSet, figure: Notebook) -> bool:
    """Whether a notebook of the library, in this project, is run with the parameters in it."""
    inside = figure.path.is_relative_to(data_set.root)
    return inside and figure.defaults == figure.written_defaults


def record_into_notebooks(data_set: DataSet, figures: Sequence[Notebook]) -> list[Path]:
    """Copy the executed figures and the loading report over the committed notebooks.

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
        If a figure that holds its outputs itself was run with parameters other than its defaults:
        run as committed, it would give other numbers.
    """
    pairs: list[tuple[Path, Path, Notebook | None]] = []
    for each in figures:
        target = recorded_path(data_set, each)
        # One that the data set has no data for has no numbers; a notebook of one's own says why.
        if (each.of_library or target != each.recorded) and not is_drawn(data_set, each):
            continue
        if target == each.recorded:
            _refuse_own_parameters(each, data_set)
        pairs.append((target, data_set.notebooks / f"{each.id}.ipynb", each))
    pipeline = load_notebook(data_set.root)
    if pipeline.written_defaults.get("data_set") == data_set.name:
        pairs.append((pipeline.path, data_set.load_reports / f"{ALL}.ipynb", None))
    changed = []
    for committed, executed, figure in pairs:
        notebook = nbformat.read(executed, as_version=4)
        if figure and committed == figure.path and figure.of_library:  # its heading is of one run
            notebook.cells[0].source = read_headed(committed).cells[0].source
        text = nbformat.writes(notebook) + "\n"
        before = committed.read_text(encoding="utf-8") if committed.is_file() else ""
        if committed.is_relative_to(data_set.root) and before != text:
            committed.parent.mkdir(parents=True, exist_ok=True)
            committed.write_text(text, encoding="utf-8")
            changed.append(committed.relative_to(data_set.root))
        if figure and committed.is_relative_to(recorded_folder(data_set)):
            _keep_rows(data_set, figure, committed)
    return changed


def _keep_rows(data_set: DataSet, figure: Notebook, committed: Path) -> None:
    """Put the rows of a figure's chart beside its recorded notebook."""
    rows, target = record_path(data_set, figure.id).with_suffix(".csv"), committed
    if rows.is_file():
        shutil.copyfile(rows, target.with_suffix(".csv"))
    else:
        target.with_suffix(".csv").unlink(missing_ok=True)


def no_longer_drawn(data_set: DataSet, figures: Iterable[Notebook]) -> list[Path]:
    """The recorded notebooks of a data set that belong to none of its figures any more."""
    wanted = {recorded_path(data_set, each) for each in figures}
    return sorted({*recorded_folder(data_set).rglob("*.ipynb")} - wanted)


def is_recorded(path: Path) -> bool:
    """Whether a notebook holds the outputs of a run: nbval passes over cells that never ran.

    Raises
    ------
    StudyBookError
        If it is not a notebook.
    """
    if not path.is_file():
        return False
    cells = Notebook("", path).content.cells
    return all(c.execution_count for c in cells if c.cell_type == "code" and c.source.strip())


def is_drawn(data_set: DataSet, figure: Notebook) -> bool:
    """Whether the last run of a figure came out well."""
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
