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
from functools import cache
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes

from studybook.charts import drawing, labels
from studybook.charts.data_table import data_table
from studybook.charts.drawing import VEGA_LITE, draw
from studybook.charts.palette import INKS
from studybook.charts.renderer import MIME_TYPE, Spec, headings, table, titles
from studybook.code import code_digest, reach_digest
from studybook.study.origin import SIGNS
from studybook.table import badge
from studybook.text import counted

#: Names the folder in which drawings are kept, by the hash of what they draw.
DRAWINGS_VARIABLE = "STUDYBOOK_DRAWINGS"

#: What zooms, and how.
_ZOOM = "Drag to move along the axis; Ctrl and the wheel zoom."

#: A chart of more panels has the others in a fold.
PANELS = 2

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
    first, folded = _folded(drawn)
    digest = hashlib.sha256(json.dumps(drawn, sort_keys=True).encode()).hexdigest()
    name = f"chart-{place}-{digest[:8]}"
    return "\n".join(
        [
            f'<figure class="study-chart" id="{name}" aria-labelledby="{name}-title">',
            "<figcaption>",
            f'<div class="study-chart-title" id="{name}-title">{escape(title)}</div>',
            *_caption(subtitle, table(spec)),
            *_zooms(spec),
            "</figcaption>",
            *_view(first, name, first),
            *(_fold(folded, name) if folded else ()),
            *data_table(spec, title),
            "</figure>",
        ]
    )


def _view(drawn: Spec, name: str, sent: Spec) -> Iterator[str]:
    """Write a drawing, and straight behind it what the loader draws in its place."""
    text = json.dumps(sent, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    # within a script element only "<" can do harm; JSON may write it as an escape
    safe = text.replace("<", "\\u003c")
    svg = _drawing(drawn, name)
    height = svg.partition(' height="')[2].partition('"')[0]
    size = f"contain-intrinsic-block-size: auto {height}px"
    yield f'<div style="{size}" class="study-chart-view">{svg}</div>'
    yield f'<script type="application/json">{safe}</script>'


def _fold(drawn: Spec, name: str) -> Iterator[str]:
    yield '<details class="study-chart-more">'
    count = sum(len(row.get("hconcat", [0])) for row in drawn["vconcat"])
    yield f"<summary>{counted(count, 'more panel')}: {escape(_names_of(drawn))}</summary>"
    # the rows stand in the page once, with the panels that are not folded
    sent = {key: part for key, part in drawn.items() if key != "datasets"}
    yield from _view(drawn, f"{name}-more", sent)
    yield "</details>"


def _names_of(drawn: Spec) -> str:
    """What the panels of a chart show, each once: their titles, or those of their axes."""
    found: dict[str, None] = {}
    panels = [panel for row in drawn["vconcat"] for panel in row.get("hconcat", [row])]
    for panel in panels:
        title = panel.get("title") or ""
        if named := title.get("text", "") if isinstance(title, dict) else title:
            found[str(named)] = None
            continue
        of_values: dict[str, None] = {}
        upright: dict[str, None] = {}
        for part in (panel, *panel.get("layer", [])):
            for name in ("x", "y"):
                channel = part.get("encoding", {}).get(name) or {}
                title = channel.get("title") or (channel.get("axis") or {}).get("title")
                if title and channel.get("field") == "value":
                    of_values[str(title)] = None
                elif title and name == "y":
                    upright[str(title)] = None
        found |= of_values or upright
    return "; ".join(found)


def _folded(drawn: Spec) -> tuple[Spec, Spec | None]:
    """Part a chart of panels below each other: the first two, and the others for a fold."""
    parts = drawn.get("vconcat", [])
    shown = count = 0
    while shown < len(parts) and (not shown or count < PANELS):
        count += len(parts[shown].get("hconcat", [0]))
        shown += 1
    if shown == len(parts):
        return drawn, None
    last = _with_title_of(parts[-1], parts[shown - 1])
    first = {**drawn, "vconcat": [*parts[: shown - 1], last]}
    return _own_params(first), _own_params({**drawn, "vconcat": parts[shown:]})


def _with_title_of(last: Spec, part: Spec) -> Spec:
    """Give a panel the title of the axis that only the last of all panels has."""
    said = {
        each["encoding"]["x"]["title"]
        for each in (last, *last.get("layer", []))
        if each.get("encoding", {}).get("x", {}).get("title")
    }
    if len(said) != 1:
        return part
    [title] = said
    part = json.loads(json.dumps(part))
    for each in (part, *part.get("layer", [])):
        x = each.get("encoding", {}).get("x", {})
        if "field" in x and "title" in x and x["title"] is None:
            x["title"] = title
    return part


def _own_params(drawn: Spec) -> Spec:
    """Keep the selections that panels of this chart have, such as a zoom that they share."""
    names = {
        part.get("name") for part in drawn["vconcat"] for part in (part, *part.get("layer", []))
    }
    params = [
        param | {"views": [view for view in param["views"] if view in names]}
        if "views" in param
        else param
        for param in drawn.get("params", [])
    ]
    kept = [param for param in params if param.get("views", True)]
    return {**drawn, "params": kept} if "params" in drawn else drawn


def _for_the_page(spec: Spec) -> Spec:
    """Leave to the page what the page does better: headings, names, and the inks.

    Headings become text that wraps and that a search finds. A screen reader gets one name
    and a table instead of one label for each mark. Inks become CSS variables, so that both
    drawings follow the theme of the page, and print in light colours, without being redrawn.
    """
    drawn = _inked({key: part for key, part in spec.items() if key not in ("title", "usermeta")})
    drawn["config"] = of_page(drawn.get("config", {}))
    drawn["description"] = _alternative(spec)
    # what tooltips say: columns in their order, their titles, and the units of metrics
    named: defaultdict[str, set[str]] = defaultdict(set)
    for field, title in titles(spec):
        named[field].add(title)
    alone = {field: min(said) for field, said in named.items() if len(said) == 1}
    drawn["usermeta"] = {**spec.get("usermeta", {}), "titles": alone}
    return drawn


def of_page(config: Spec) -> Spec:
    """The configuration of a chart in a page: inks that follow its theme, no names of marks.

    Parameters
    ----------
    config : dict
        As a specification has it.
    """
    inked = _inked(config)
    # the first of the two silences axes and legends, the second marks
    return {**inked, "aria": False, "mark": {**inked.get("mark", {}), "aria": False}}


def _inked(part: Spec) -> Spec:
    text = json.dumps(part)
    for role, (light, _dark) in INKS.items():
        text = text.replace(f'"{light}"', f'"var(--study-{role}, {light})"')
    inked: Spec = json.loads(text)
    return inked


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
    made = f"{VEGA_LITE} {version('vl-convert-python')} {_drawing_code()}"
    by = f"{made}\n{json.dumps(drawn, sort_keys=True)}"
    kept = Path(folder or "", f"{hashlib.sha256(by.encode()).hexdigest()}.svg")
    if folder and kept.is_file():
        os.utime(kept)  # still of use: see keep_used()
        return kept.read_text(encoding="utf-8")
    svg = draw(drawn)
    if folder:
        kept.parent.mkdir(parents=True, exist_ok=True)
        aside = kept.with_suffix(f".{os.getpid()}.tmp")
        aside.write_text(svg, encoding="utf-8")
        aside.replace(kept)
    return svg


@cache
def _drawing_code() -> str:
    return f"{code_digest(Path(drawing.__file__))} {reach_digest(Path(labels.__file__))}"


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


def _zooms(spec: Spec) -> Iterator[str]:
    """Say how a chart is zoomed, where it can be: see :func:`studybook.charts.look.zoom`."""
    if any(param.get("name") == "zoom" for param in _params(spec)):
        yield f'<p class="study-chart-zoom">{_ZOOM}</p>'


def _params(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        yield from part.get("params", [])
        for inner in ("vconcat", "hconcat", "concat", "layer"):
            for each in part.get(inner, []):
                yield from _params(each)
