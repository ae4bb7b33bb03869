"""Bringing executed notebooks into one form, so that equal runs give equal files."""

from __future__ import annotations

import nbformat

#: Cell metadata that tells of the run and not of the notebook.
_OF_THE_RUN = ("papermill", "execution", "collapsed")

#: Cells that papermill puts in: its error banner, and the parameters of this run (the record
#: of the figure keeps them, and its page shows them).
_ADDED_BY_PAPERMILL = {"papermill-error-cell-tag", "injected-parameters"}


def normalise(notebook: nbformat.NotebookNode) -> None:
    """Take out times, paths and random ids, and number the cells anew, in place.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        A notebook as papermill leaves it.
    """
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.cells = [
        cell
        for cell in notebook.cells
        if not _ADDED_BY_PAPERMILL & set(cell.metadata.get("tags", []))
    ]
    for number, cell in enumerate(notebook.cells):
        for key in _OF_THE_RUN:
            cell.metadata.pop(key, None)
        cell.id = f"cell-{number:02d}"
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    # A cell that papermill put in counted too; one that did not run has no number.
    for number, cell in enumerate((c for c in code if c.execution_count), start=1):
        cell.execution_count = number
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number
