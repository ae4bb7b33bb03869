"""Charts as drawings that need no script: in a page, or for a slide or another page to take."""

from __future__ import annotations

import re
from html import escape
from importlib.metadata import distribution
from pathlib import Path

import vl_convert

from studybook.charts.labels import settled
from studybook.charts.palette import PAPER
from studybook.charts.renderer import Spec, headings


def _of_altair() -> str:
    """The Vega-Lite for which Altair writes, from its source: to import it takes far longer."""
    place = distribution("altair").locate_file("altair/vegalite/v6/schema/__init__.py")
    text = Path(str(place)).read_text(encoding="utf-8")
    (found,) = re.findall(r'^SCHEMA_VERSION = "v(\d+\.\d+)', text, re.MULTILINE)
    return str(found)


#: The Vega-Lite that draws: the one that Altair writes for, as vl_convert names it.
VEGA_LITE = _of_altair()

#: Names of what parts of a drawing refer to, and where they are referred to.
_NAME = re.compile(r'(\bid="|\burl\(#)([a-z_]+)(\d+)(?=[")])')

#: What texts are measured with is what they are set in: vl_convert brings this font along, most
#: systems have it or one of the same widths.
FONT = "'Liberation Sans', Arimo, Arial, Helvetica, sans-serif"


def draw(spec: Spec) -> str:
    """Draw a chart as SVG, its labels apart, in letters that are as wide as was measured.

    Parameters
    ----------
    spec : dict
        The specification.

    Returns
    -------
    str
        The ``<svg>`` element.
    """
    drawn = {**spec, "config": {**spec.get("config", {}), "font": FONT}}
    svg: str = vl_convert.vegalite_to_svg(drawn, vl_version=VEGA_LITE, allowed_base_urls=[])
    return _numbered(settled(svg))


def _numbered(svg: str) -> str:
    """Number the names in a drawing from 0: Vega counts on in all that a process draws."""
    numbers: dict[str, int] = {}

    def own(found: re.Match[str]) -> str:
        before, name, number = found.groups()
        return f"{before}{name}{numbers.setdefault(name + number, len(numbers))}"

    return _NAME.sub(own, svg)


def standalone(spec: Spec) -> str:
    """Draw a chart as SVG with title, description and background.

    Parameters
    ----------
    spec : dict
        The specification, as :func:`studybook.charts.renderer.render` gives it.

    Returns
    -------
    str
        The text of the file.
    """
    config = {**spec.get("config", {}), "padding": 12, "background": PAPER}
    svg = draw({**spec, "config": config})
    said = f"<title>{escape(headings(spec)[0])}</title><desc>{escape(spec['description'])}</desc>"
    start = svg.index(">") + 1
    return f"{svg[:start]}{said}{svg[start:]}"
