"""The chart of a figure as a picture of its own, which a slide or another page can take."""

from __future__ import annotations

from html import escape

import vl_convert

from studybook.charts.page import VEGA_LITE
from studybook.charts.palette import PAPER
from studybook.charts.renderer import Spec, headings

#: What texts are measured with is what they are set in: vl_convert brings this font along, most
#: systems have it or one of the same widths.
FONT = "'Liberation Sans', Arimo, Arial, Helvetica, sans-serif"


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
    config = {**spec.get("config", {}), "font": FONT, "padding": 12, "background": PAPER}
    drawn = {**spec, "config": config}
    svg: str = vl_convert.vegalite_to_svg(drawn, vl_version=VEGA_LITE, allowed_base_urls=[])
    said = f"<title>{escape(headings(spec)[0])}</title><desc>{escape(spec['description'])}</desc>"
    start = svg.index(">") + 1
    return f"{svg[:start]}{said}{svg[start:]}"
