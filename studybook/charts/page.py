"""The page plugin: a chart in a notebook becomes a figure that everybody can read.

For HTML the figure holds the headings as text, a static drawing that needs no script,
the specification that the browser loader draws anew at the width of the column, and the
values as a table. For every other builder the line of plain text stands in its place.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import vl_convert
from altair.vegalite.v6.schema import SCHEMA_VERSION
from docutils import nodes

from studybook.charts.look import SIGNS
from studybook.charts.palette import INKS
from studybook.charts.renderer import MIME_TYPE, Spec, headings, table, titles
from studybook.table import badge

#: The Vega-Lite that draws: the one that Altair writes for, as vl_convert names it.
VEGA_LITE = ".".join(SCHEMA_VERSION.lstrip("v").split(".")[:2])

#: Names the folder in which drawings are kept, by the hash of what they draw.
DRAWINGS_VARIABLE = "STUDYBOOK_DRAWINGS"

#: A longer table helps nobody in a page; all rows are in the download of the figure.
TABLE_ROWS = 200

#: Cells of the data table with more characters than this are wrapped.
LONG = 60

#: A listener cannot skim: more characters than this are no alternative text, and the data table has
#: all values.
SPOKEN = 600


class ChartRenderer:
    """What myst-nb asks for each output of a notebook; see its ``MimeRenderPlugin``."""

    mime_priority_overrides: ClassVar[Sequence[tuple[str, str, int | None]]] = [
        (builder, MIME_TYPE, 1) for builder in ("html", "dirhtml", "singlehtml")
    ]

    @staticmethod
    def handle_mime(renderer: Any, data: Any, inline: bool) -> list[nodes.Node] | None:
        """Render a chart; leave every other output to myst-nb.

        Parameters
        ----------
        renderer : myst_nb.core.render.NbElementRenderer
            Not used.
        data : myst_nb.core.render.MimeData
            The output.
        inline : bool
            Whether the output stands within a sentence.

        Returns
        -------
        list of docutils.nodes.Node or None
            One raw HTML node; ``None`` for an output that is no chart.
        """
        if data.mime_type != MIME_TYPE:
            return None
        if inline:
            return [nodes.Text(data.content.get("description", ""))]
        place = f"{data.cell_index}-{data.output_index}"
        return [nodes.raw(text=figure(data.content, place), format="html")]


def figure(spec: Spec, place: str) -> str:
    """Write the figure of a chart as HTML.

    Parameters
    ----------
    spec : dict
        The specification, as :func:`studybook.charts.renderer.render` gives it.
    place : str
        Where the chart stands in its page; it keeps the ids of two charts apart.

    Returns
    -------
    str
        A ``<figure>``.
    """
    title, subtitle = headings(spec)
    drawn = _for_the_page(spec)
    text = json.dumps(drawn, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    name = f"chart-{place}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    # within a script element only "<" can do harm; JSON may write it as an escape
    safe = text.replace("<", "\\u003c")
    return "\n".join(
        [
            f'<figure class="study-chart" id="{name}" aria-labelledby="{name}-title">',
            "<figcaption>",
            f'<div class="study-chart-title" id="{name}-title">{escape(title)}</div>',
            *_caption(subtitle, table(spec)),
            "</figcaption>",
            f'<div class="study-chart-view">{_drawing(drawn, name)}</div>',
            f'<script type="application/json">{safe}</script>',
            *_data_table(spec, title),
            "</figure>",
        ]
    )


def number(value: Any) -> str:
    """Write a value of the data table for a reader.

    Parameters
    ----------
    value : Any
        A value of a row, as JSON has it.

    Returns
    -------
    str
        Numbers with thousands separated and at most six significant digits.
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) or (isinstance(value, float) and abs(value) >= 1e6):
        return f"{value:,.0f}"
    return f"{value:,.6g}" if isinstance(value, float) else str(value)


def _for_the_page(spec: Spec) -> Spec:
    """Leave to the page what the page does better: headings, names, and the inks.

    Headings become text that wraps and that a search finds. A screen reader gets one name
    and a table instead of one label for each mark. Inks become CSS variables, so that both
    drawings follow the theme of the page, and print in light colours, without being redrawn.
    """
    text = json.dumps({key: part for key, part in spec.items() if key not in ("title", "usermeta")})
    for role, (light, _dark) in INKS.items():
        text = text.replace(f'"{light}"', f'"var(--study-{role}, {light})"')
    drawn: Spec = json.loads(text)
    config = drawn.get("config", {})
    # the first of the two silences axes and legends, the second marks
    drawn["config"] = {**config, "aria": False, "mark": {**config.get("mark", {}), "aria": False}}
    drawn["description"] = _alternative(spec)
    return drawn


def _alternative(spec: Spec) -> str:
    """Write the alternative text: the finding, and as much of the description as can be heard."""
    title, _subtitle = headings(spec)
    text = str(spec["description"])
    if not text.startswith(title):
        text = f"{title.rstrip('.')}. {text}"
    if len(text) <= SPOKEN:
        return text
    end = " … All values are in the data table." if table(spec) else " …"
    # whole sentences and values: half of a number would be another number
    whole = [stop.start() for stop in re.finditer(r"(?<=[.;]) ", text[: SPOKEN - len(end)])]
    return text[: max(whole, default=SPOKEN - len(end))].rstrip(";") + end


def _drawing(drawn: Spec, name: str) -> str:
    """Draw the chart as SVG, with ids that are unique in the page, and a name."""
    svg = re.sub(r'\bid="|url\(#|href="#', lambda hit: f"{hit[0]}{name}-", _svg(drawn))
    label = escape(drawn["description"], quote=True)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)


def _svg(drawn: Spec) -> str:
    """Draw the chart, or take the drawing of the same one that was kept."""
    folder = os.environ.get(DRAWINGS_VARIABLE)
    by = f"{VEGA_LITE} {version('vl-convert-python')}\n{json.dumps(drawn, sort_keys=True)}"
    kept = Path(folder or "", f"{hashlib.sha256(by.encode()).hexdigest()}.svg")
    if folder and kept.is_file():
        os.utime(kept)  # still of use: see keep_used()
        return kept.read_text(encoding="utf-8")
    svg: str = vl_convert.vegalite_to_svg(drawn, vl_version=VEGA_LITE, allowed_base_urls=[])
    if folder:
        kept.parent.mkdir(parents=True, exist_ok=True)
        aside = kept.with_suffix(f".{os.getpid()}.tmp")
        aside.write_text(svg, encoding="utf-8")
        aside.replace(kept)
    return svg


def keep_used(folder: Path, since: float) -> None:
    """Remove the drawings that were not asked for since some time, in seconds of the epoch."""
    for path in folder.glob("*"):
        if path.stat().st_mtime < since:
            path.unlink()


def _caption(subtitle: list[str], rows: list[dict[str, Any]]) -> Iterator[str]:
    found = {row.get("origin") for row in rows}
    # the key that look.finding writes for places that are no page; here badges say it
    lines = [line for line in subtitle if not line.startswith(tuple(SIGNS.values()))]
    if lines:
        yield f'<p class="study-chart-subtitle">{escape(" ".join(lines))}</p>'
    if found & SIGNS.keys():
        badges = (badge(origin) for origin in SIGNS if origin in found)
        yield f'<p class="study-chart-key">{" ".join(badges)}</p>'


def _data_table(spec: Spec, title: str) -> Iterator[str]:
    rows = table(spec)
    if not rows:
        return
    columns: list[str] = spec.get("usermeta", {}).get("columns") or list(rows[0])
    named: defaultdict[str, set[str]] = defaultdict(set)
    for field, title_of_axis in titles(spec):
        named[field].add(title_of_axis)
    shown = rows[:TABLE_ROWS]
    more = f" (the first {TABLE_ROWS} of {len(rows):,} rows)" if len(rows) > TABLE_ROWS else ""
    # A column that several axes show, each with a title of its own, keeps its name.
    heads = (
        min(named[column]) if len(named[column]) == 1 else column.replace("_", " ")
        for column in columns
    )
    yield '<details class="study-chart-data">'
    yield "<summary>Data table</summary>"
    yield '<div class="study-scroll" role="group" aria-label="Data table" tabindex="0"><table>'
    yield f"<caption>{escape(title)}{more}</caption>"
    yield "<thead><tr>"
    yield "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for row in shown:
        yield "<tr>" + "".join(_cell(row.get(column)) for column in columns) + "</tr>"
    yield "</tbody></table></div></details>"


def _cell(value: Any) -> str:
    figure_like = isinstance(value, int | float) and not isinstance(value, bool)
    text = number(value)
    kind = "number" if figure_like else "long" if len(text) > LONG else ""
    return f"<td{f' class={kind}' if kind else ''}>{escape(text)}</td>"
