"""What Altair shows in a notebook: the renderer ``book``.

The book is made from specifications alone, and nbval compares them: an executed notebook holds
what a person can compare, and no drawing. Whoever opens a notebook in JupyterLab or another
editor is to see the chart, which no editor draws from the specification of this Vega-Lite
without a network. For a reader, the output holds the figure of the book besides, as HTML that
carries all that it needs. Vega is large, and goes once into a notebook.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from studybook.charts.renderer import MIME_TYPE, Spec, render
from studybook.study.provenance import NOTES_VARIABLE

#: Set in the kernels of runs whose outputs are compared: by the command that makes figures, and
#: by pytest, under which nbval starts its kernels.
COMPARED = (NOTES_VARIABLE, "PYTEST_CURRENT_TEST")

#: The cell whose output carries Vega for all of the notebook, and the execution that made it.
_carrier: tuple[str, str] | None = None


def display(spec: Spec, **_: Any) -> dict[str, Any]:
    """Turn a Vega-Lite specification into an output of a notebook.

    Parameters
    ----------
    spec : dict
        The specification, as Altair writes it.

    Returns
    -------
    dict
        What :func:`studybook.charts.renderer.render` gives; for a reader, ``text/html``, too.

    Raises
    ------
    StudyBookError
        If the chart is one that the book refuses.
    """
    shown = render(spec)
    if not any(name in os.environ for name in COMPARED):
        # They draw, which a run for the book leaves to the build of its pages.
        from studybook.charts.bundle import in_a_notebook
        from studybook.charts.page import figure

        page = figure(shown[MIME_TYPE], "notebook")
        shown["text/html"] = f"{page}\n{in_a_notebook(vega=_carries_vega())}"
    return shown


def _carries_vega() -> bool:
    """Whether this output carries Vega: that of the first chart, and again if its cell runs again.

    Editors name the cell with what they send to the kernel; what runs a notebook from top to
    bottom does not, and runs no cell again.
    """
    global _carrier
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    parent: dict[str, Any] = getattr(shell, "get_parent", dict)()  # in IPython itself there is none
    cell = str(parent.get("metadata", {}).get("cellId") or "")
    execution = str(parent.get("header", {}).get("msg_id") or "")
    carries = _carrier is None or (cell == _carrier[0] != "" and execution != _carrier[1])
    if carries:
        _carrier = cell, execution
    return carries
