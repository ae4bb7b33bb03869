"""The browser side of the charts: written into the book when it is built, or into a notebook.

Vega comes out of the installed vl_convert: it is never fetched and never committed, and
it is the same Vega that draws the static charts.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

import platformdirs
import vl_convert

from studybook.charts.drawing import VEGA_LITE
from studybook.charts.palette import INKS
from studybook.code import code_digest

SCRIPT, STYLE, VEGA = "study-chart.js", "study-chart.css", "vega-bundle.js"

#: A dark page: of the book, of JupyterLab, of Visual Studio Code; ``charts.css`` names the same.
DARK = ":is(html[data-theme='dark'], body[data-jp-theme-light='false'], body.vscode-dark)"

_HERE = Path(__file__).parent

#: What the bundle ends with, where it is there as a whole.
_END = "\n})();\n"


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
    (folder / SCRIPT).write_text(_loader(), encoding="utf-8", newline="\n")
    (folder / STYLE).write_text(_style(), encoding="utf-8", newline="\n")


def write_vega(folder: Path) -> None:
    """Write Vega as one script that defines ``window.studyVega``, and nothing else.

    Parameters
    ----------
    folder : pathlib.Path
        The ``_static`` folder of the book.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / VEGA
    if path.is_file() and path.read_text(encoding="utf-8").startswith(_label()):
        return
    path.write_text(_vega(), encoding="utf-8", newline="\n")


def in_a_notebook(*, vega: bool) -> str:
    """Write what a figure needs in an output of a notebook, where it has no files.

    Parameters
    ----------
    vega : bool
        Whether Vega goes along, 0.4 MB. One output that has it is enough for all charts that are
        shown in the same window; without any, the static drawings stay.

    Returns
    -------
    str
        HTML elements without anything to see.
    """
    packed = f'<script type="application/gzip" class="study-vega">{_packed()}</script>\n'
    return f"<style>{_style()}</style>\n{packed if vega else ''}<script>{_loader()}</script>"


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
    return f":root {{ {light} }}\n{DARK} {{ {dark} }}\n"


def _style() -> str:
    return f"{inks()}\n{(_HERE / 'charts.css').read_text(encoding='utf-8')}"


def _loader() -> str:
    return "\n".join(
        (_HERE / name).read_text(encoding="utf-8") for name in ("labels.js", "loader.js")
    )


def _label() -> str:
    return f"/* vl_convert {version('vl-convert-python')}, Vega-Lite {VEGA_LITE} */\n"


@cache
def _vega() -> str:
    """Vega, bundled once on a machine for all books of a user: it takes longer than most pages."""
    made_of = f"{code_digest(Path(__file__))}\n{_label()}\n{_notices()}"
    named = f"vega-{hashlib.sha256(made_of.encode()).hexdigest()[:16]}.js"
    kept = platformdirs.user_cache_path("studybook", appauthor=False) / named
    with suppress(OSError, UnicodeError):
        text = kept.read_text(encoding="utf-8")
        if text.startswith(_label()) and text.endswith(_END):
            return text
    text = _bundled()
    aside = kept.with_suffix(f".{os.getpid()}.tmp")
    with suppress(OSError):  # where nothing can be kept, it is bundled each time
        kept.parent.mkdir(parents=True, exist_ok=True)
        try:
            aside.write_text(text, encoding="utf-8", newline="\n")
            aside.replace(kept)
        finally:
            aside.unlink(missing_ok=True)
    return text


def _notices() -> str:
    # the licences of Vega and D3 want their notices to go along
    return (_HERE / "NOTICES.txt").read_text(encoding="utf-8")


def _bundled() -> str:
    # the bundle declares hundreds of short global names; a function keeps them to itself
    script = vl_convert.javascript_bundle("window.studyVega = {vegaEmbed};", VEGA_LITE)
    return f"{_label()}/*\n{_notices()}*/\n(() => {{{script}{_END}"


@cache
def _packed() -> str:
    return base64.b64encode(gzip.compress(_vega().encode(), mtime=0)).decode()
