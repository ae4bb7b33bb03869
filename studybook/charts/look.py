"""The look of a figure: its theme, the colours by meaning, and the words around a chart.

The marks themselves stand in :mod:`studybook.charts.marks`.
"""

from __future__ import annotations

import itertools
import textwrap
import warnings
from typing import Any, TypeVar, cast

import altair as alt
import pandas as pd

from studybook.charts.notebook import display
from studybook.charts.palette import colours, spread
from studybook.charts.renderer import finite
from studybook.charts.theme import config
from studybook.errors import StudyBookError
from studybook.frames import document, words
from studybook.study.origin import SIGNS
from studybook.text import spaced, together

Drawn = TypeVar("Drawn", bound=alt.TopLevelMixin)

#: An axis of small differences in per cent, below a larger chart.
DIFFERENCES = {
    "format": "+.2~%",
    "tickCount": 3,
    "labelExpr": "datum.value === 0 ? '0' : replace(datum.label, '%', ' %')",
}


def use() -> None:
    """Switch Altair to the look of the book; a notebook calls it once, at its top."""
    alt.theme.register("book", enable=True)(_theme)
    alt.data_transformers.register("book", finite)
    alt.data_transformers.enable("book")
    alt.renderers.register("book", display)  # else it is looked for in all packages there are
    alt.renderers.enable("book")
    # Panels with one time axis share a selection; what Altair says of it is what is meant.
    warnings.filterwarnings("ignore", "Automatically deduplicated selection parameter")


def _theme() -> alt.theme.ThemeConfig:
    return cast("alt.theme.ThemeConfig", {"config": config()})


def colour(frame: pd.DataFrame, field: str, *, title: str | None = None) -> alt.Color:
    """Encode a field in the colours of the book.

    Parameters
    ----------
    frame : pandas.DataFrame
        The data of the chart; the scale holds the values that occur in it, and no other.
    field : str
        A column whose values have a colour: see :func:`studybook.charts.palette.colours`.
    title : str, optional
        The title of the legend.

    Returns
    -------
    altair.Color
        The encoding.

    Raises
    ------
    StudyBookError
        If a value has no colour yet.
    """
    found, known = set(frame[field].dropna()), colours()
    if unknown := sorted(map(str, found - known.keys())):
        raise StudyBookError(
            f"No colour has a meaning for {', '.join(unknown)} (column “{field}”).\n"
            "  → Give it one under colours in the study.yml of the study, or use look.steps(…) "
            "where the values are steps of an ordered factor."
        )
    domain = [value for value in known if value in found]
    return _colour_scale(field, domain, [known[value] for value in domain], title)


def steps(
    frame: pd.DataFrame, field: str, *, title: str | None = None, order: list[Any] | None = None
) -> alt.Color:
    """Encode an ordered factor (CPUs, MTU, the members of a cluster) as steps of one ramp.

    Parameters
    ----------
    frame : pandas.DataFrame
        The data of the chart.
    field : str
        The column of the factor.
    title : str, optional
        The title of the legend.
    order : list, optional
        The values in their order; sorted when left out.

    Returns
    -------
    altair.Color
        The encoding.
    """
    # plain Python values: Altair cannot write the scalars of numpy
    found = frame[field].dropna().unique().tolist()
    domain = [value for value in order or sorted(found) if value in found]
    return _colour_scale(field, domain, spread(len(domain)), title)


def slider(name: str, values: list[float], *, start: float) -> alt.Parameter:
    """Make a slider below a chart, for :func:`studybook.charts.marks.asked`.

    It stops at computed values only: where these lie unevenly, readers choose from a list.

    Parameters
    ----------
    name : str
        What it sets, with its unit.
    values : list of float
        What may be asked for.
    start : float
        Where it stands first.
    """
    places = sorted(values)
    [step, *others] = {next - each for each, next in itertools.pairwise(places)} or {1}
    bind: alt.BindRange | alt.BindRadioSelect = (
        alt.binding_select(options=places, name=f"{name} ")
        if others
        else alt.binding_range(min=places[0], max=places[-1], step=step, name=f"{name} ")
    )
    return alt.param(name="asked", value=start, bind=bind)


def zoom() -> alt.Parameter:
    """Make a zoom along the axis of time: drag to move, turn the wheel with Ctrl or Shift held.

    Without a key, the wheel moves the page. Charts of one zoom move together.
    """
    wheel = "wheel![event.ctrlKey || event.shiftKey]"
    return alt.selection_interval(name="zoom", bind="scales", encodings=["x"], zoom=wheel)


def finding(chart: Drawn, *, title: str, subtitle: str = "", description: str = "") -> Drawn:
    """Close a chart: what it shows, how to read it, and its alternative text.

    Parameters
    ----------
    chart : altair chart of any kind
        The chart.
    title : str
        The finding, as a sentence.
    subtitle : str, optional
        Metric, unit, conditions, and what the intervals are.
    description : str, optional
        What a reader sees in the chart, for readers who do not see it; when left out, as
        :func:`studybook.frames.words.alternative` writes it of the data.

    Returns
    -------
    altair chart of the same kind
        The chart with its headings, and with a key to the origins that its data holds.
    """
    frame = getattr(chart, "data", None)
    origins = _origins(frame)
    key = " · ".join(f"{SIGNS.get(origin, '')} {origin}".strip() for origin in origins)
    key = " · ".join(filter(None, [key, *_bars(frame)]))
    lines = [*_lines(subtitle, 92), *([key] if key else [])]
    if not description and isinstance(frame, pd.DataFrame):
        description = words.alternative(title, frame)
    if description.strip() and any(origin not in description for origin in origins):
        description = f"{description} ({words.listed(origins)})"
    heading = alt.TitleParams(text=_lines(title, 70), subtitle=lines)
    closed: Drawn = chart.properties(
        title=heading, description=" ".join(spaced(description).split())
    )
    return closed


def _lines(text: str, width: int) -> list[str]:
    """A heading in lines of a width; none of them ends between a number and its sign."""
    return [
        line.replace("\u00a0", " ")
        for line in textwrap.wrap(together(spaced(text)), width, break_on_hyphens=False)
    ]


def _origins(frame: Any) -> list[str]:
    """The origins that the data of a chart hold, in the order of the key."""
    if not isinstance(frame, pd.DataFrame) or "origin" not in frame:
        return []  # the renderer refuses it
    found = set(frame["origin"].dropna())
    return [*(each for each in SIGNS if each in found), *sorted(found - SIGNS.keys())]


def _bars(frame: Any) -> list[str]:
    """What bars of a document are, where the data of a chart hold some."""
    if not isinstance(frame, pd.DataFrame) or "origin" not in frame:
        return []
    said = frame[frame["origin"].isin(document.ORIGINS)].reindex(columns=["low", "high"]).notna()
    kinds = {
        "bar: a range": (said["low"] & said["high"]).any(),
        "arrow: a bound": (said["low"] ^ said["high"]).any(),
    }
    return [kind for kind, there in kinds.items() if there]


def _colour_scale(
    field: str, domain: list[Any], colours: list[str], title: str | None
) -> alt.Color:
    scale = alt.Scale(domain=domain, range=colours)
    legend = alt.Undefined if len(domain) > 1 else None
    return alt.Color(f"{field}:N", scale=scale, sort=domain, title=title, legend=legend)
