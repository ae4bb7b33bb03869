"""The browser side of the charts, written into the book when it is built.

Vega comes out of the installed vl_convert: it is never fetched and never committed, and
it is the same Vega that draws the static charts.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import vl_convert

from studybook.charts.page import VEGA_LITE
from studybook.charts.palette import INKS

SCRIPT, STYLE, VEGA = "study-chart.js", "study-chart.css", "vega-bundle.js"

_HERE = Path(__file__).parent


def write_assets(folder: Path) -> None:
    """Write the loader, the style sheet and Vega.

    Parameters
    ----------
    folder : pathlib.Path
        The ``_static`` folder of the book; made where it is missing.
    """
    write_look(folder)
    write_vega(folder)


def write_look(folder: Path) -> None:
    """Write the loader and the style sheet, which begins with the inks of the palette.

    Parameters
    ----------
    folder : pathlib.Path
        The ``_static`` folder of the book.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SCRIPT).write_bytes((_HERE / "loader.js").read_bytes())
    style = (_HERE / "charts.css").read_text(encoding="utf-8")
    (folder / STYLE).write_text(f"{inks()}\n{style}", encoding="utf-8", newline="\n")


def write_vega(folder: Path) -> None:
    """Write Vega as one script that defines ``window.studyVega``, and nothing else.

    Parameters
    ----------
    folder : pathlib.Path
        The ``_static`` folder of the book.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / VEGA
    label = f"/* vl_convert {version('vl-convert-python')}, Vega-Lite {VEGA_LITE} */\n"
    if path.is_file() and path.read_text(encoding="utf-8").startswith(label):
        return
    # the bundle declares hundreds of short global names; a function keeps them to itself
    script = vl_convert.javascript_bundle("window.studyVega = {vegaEmbed};", VEGA_LITE)
    # the licences of Vega and D3 want their notices to go along
    notices = Path(__file__).with_name("NOTICES.txt").read_text(encoding="utf-8")
    text = f"{label}/*\n{notices}*/\n(() => {{{script}\n}})();\n"
    path.write_text(text, encoding="utf-8", newline="\n")


def inks() -> str:
    """Write the inks of the palette as CSS variables, for the light and for the dark theme.

    Returns
    -------
    str
        Two CSS rules.
    """
    light, dark = (
        " ".join(f"--study-{role}: {pair[theme]};" for role, pair in INKS.items())
        for theme in (0, 1)
    )
    return f":root {{ {light} }}\nhtml[data-theme='dark'] {{ {dark} }}\n"
