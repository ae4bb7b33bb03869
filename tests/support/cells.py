"""The cells of a notebook of the library, run in this process on data of a test's own."""

from __future__ import annotations

import ast
import json
from typing import Any

from studybook.code import LIBRARY


def run_cells(notebook: str, **parameters: Any) -> dict[str, Any]:
    """Run the code of a notebook.

    Parameters
    ----------
    notebook : str
        Its folder and name below ``studybook/template/notebooks``.
    **parameters
        In the place of those in its first cell of code.

    Returns
    -------
    dict
        What its names stand for at the end; ``shown`` has what its cells end with.
    """
    text = (LIBRARY / f"template/notebooks/{notebook}.ipynb").read_text(encoding="utf-8")
    cells = [
        "".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"
    ]
    names: dict[str, Any] = {"shown": []}
    exec(cells[0], names)  # noqa: S102 - cells of ours
    names |= parameters
    for cell in cells[1:]:
        code = ast.parse(cell)
        if code.body and isinstance(code.body[-1], ast.Expr):
            last = ast.Expression(code.body.pop().value)
            exec(compile(code, notebook, "exec"), names)  # noqa: S102
            names["shown"].append(eval(compile(last, notebook, "eval"), names))  # noqa: S307
        else:
            exec(compile(code, notebook, "exec"), names)  # noqa: S102
    return names
