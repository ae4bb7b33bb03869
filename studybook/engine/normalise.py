"""Bringing executed notebooks into one form, so that equal runs give equal files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import nbformat


#: Cell metadata that tells of the run and not of the notebook.
_OF_THE_RUN = ("papermill", "execution", "collapsed")

#: The tags of cells that papermill puts in: its error banner, and the parameters of a run.
_BANNER, INJECTED = "papermill-error-cell-tag", "injected-parameters"


def normalise(notebook: nbformat.NotebookNode, parameters: Mapping[str, Any] | None = None) -> None:
    """Take out times, paths and random ids, and number the cells anew, in place.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        A notebook as papermill leaves it.
    parameters : mapping, optional
        Those of the run that its reader needs to run it again, and get the same numbers. They
        stay in the cell in which papermill gave them; without any, that cell goes.
    """
    import nbformat  # takes a while, and most commands read no notebook

    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    gone = {_BANNER} if parameters else {_BANNER, INJECTED}
    notebook.cells = [cell for cell in notebook.cells if not gone & _tags(cell)]
    for number, cell in enumerate(notebook.cells):
        for key in _OF_THE_RUN:
            cell.metadata.pop(key, None)
        cell.id = f"cell-{number:02d}"
        if parameters and INJECTED in _tags(cell):
            cell.source = assignments(parameters)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    # A cell that papermill put in counted too; one that did not run has no number.
    for number, cell in enumerate((c for c in code if c.execution_count), start=1):
        cell.execution_count = number
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number


def injected(notebook: nbformat.NotebookNode) -> list[str]:
    """Take the source of the cells in which papermill gave parameters.

    Returns
    -------
    list of str
        Empty where the notebook ran with its defaults; papermill leaves one cell at most.
    """
    return [cell.source for cell in notebook.cells if INJECTED in _tags(cell)]


def _tags(cell: nbformat.NotebookNode) -> set[str]:
    return set(cell.metadata.get("tags", []))


def assignments(parameters: Mapping[str, Any]) -> str:
    """Write parameters as papermill does, in the order of their names."""
    from papermill.translators import PythonTranslator  # takes long to import

    # Not by its codify(), which asks an installed formatter of code for the layout.
    lines = (
        PythonTranslator.assign(name, PythonTranslator.translate(parameters[name]))
        for name in sorted(parameters)
    )
    return "\n".join(["# Parameters of this run", *lines])
