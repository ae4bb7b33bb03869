"""Axes that need more than a title: names, levels of a factor, multiples, differences."""

from __future__ import annotations

import json
import math
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from studybook.frames import document
from studybook.frames.comparison import Comparison
from studybook.topology.layout import fit, text_width
from studybook.units import metric

#: Pixels that a name has beside a panel: the ``labelLimit`` of the theme.
_ROOM = 220

#: A difference that tells nothing is seen up to so many times those that do.
_MOST_BESIDE = 3


def names(frame: pd.DataFrame, column: str, split: str = "") -> alt.Y:
    """Encode names below each other, in the order of their appearance.

    They stand away from the panel, where marks at zero would meet them. What comes after ``split``
    in a name stands in a line of its own. Lines that have no room are cut in the middle: Vega cuts
    the end, which often is all that tells two rows apart.
    """
    axis = alt.Axis(minExtent=80, labelPadding=10, offset=8, domain=False)
    order = list(dict.fromkeys(frame[column].dropna()))
    texts = [name for name in order if isinstance(name, str)]
    if split and any(split in text for text in texts):
        axis.labelExpr = f"split(datum.value, {json.dumps(split)})"
    if any(text_width(line) > _ROOM for text in texts for line in _lines(text, split)):
        shown = _cut(texts, _ROOM - 20, split)
        each = _each({name: text for name, text in shown.items() if name != text})
        axis.labelExpr = f"split({each}, {json.dumps(split)})" if split else each
        axis.labelLimit = 1.25 * _ROOM  # of a wider font Vega would cut the end all the same
    return alt.Y(f"{column}:N").title(None).sort(order).axis(axis)


def legend(names: Iterable[str], *, width: float = 600) -> Any:
    """Make a legend of names that a study gives, of requests or hosts, in the width of a panel.

    Long names are cut in the middle, for often they begin alike, and stand in columns.

    Parameters
    ----------
    names : iterable of str
        The names; it is of no weight how often each.
    width : float
        Of the panel, in pixels.

    Returns
    -------
    altair.Legend or altair.Undefined
        What ``legend()`` of an encoding takes; undefined where the names are short and few.
    """
    shown = _cut(names, 190)
    # Beside a name there are its symbol and a gap.
    wide = max(map(text_width, shown.values()), default=0) + 36
    if wide < 180 and wide * len(shown) < width:
        return alt.Undefined
    return alt.Legend(columns=max(1, int(width // wide)), labelExpr=_each(shown), labelLimit=0)


def cut_names(names: Iterable[str], width: float) -> alt.Axis:
    """Make an axis of names that are cut in the middle where they are wider than so many pixels."""
    shown = _cut(names, width - 20)
    if all(name == text for name, text in shown.items()):
        return alt.Axis(labelLimit=width)
    return alt.Axis(labelExpr=_each(shown), labelLimit=width)


def _cut(names: Iterable[str], width: float, split: str = "") -> dict[str, str]:
    """What is shown of each name in so many pixels; those that would look alike are numbered.

    What comes after ``split`` is a line that has as many pixels for itself.
    """
    shown: dict[str, str] = {}
    alike: Counter[str] = Counter()
    for name in dict.fromkeys(each for each in names if isinstance(each, str)):
        text = split.join(fit(line, width) for line in _lines(name, split))
        alike[text] += 1
        shown[name] = f"{text} ({alike[text]})" if alike[text] > 1 else text
    return shown


def _lines(name: str, split: str) -> list[str]:
    return name.split(split) if split else [name]


def _each(shown: Mapping[str, str]) -> str:
    """An expression of Vega: what is shown of a label, itself where it is none of the names."""
    names, texts = json.dumps([*shown]), json.dumps([*shown.values()])
    place = f"indexof({names}, datum.label)"
    return f"{place} < 0 ? datum.label : {texts}[{place}]"


def sentences(said: Mapping[str, str], *, letters: int = 50) -> alt.Axis:
    """Make an axis that has a sentence above each row, in the width of the panel.

    Beside the rows, sentences would take the width of the marks, and all of it on a phone.

    Parameters
    ----------
    said : mapping
        The sentence of each value; a long one takes two lines, about 54 pixels of a row.
    letters : int
        Of a line: as many as a phone has room for.
    """
    lines = {key: _in_two(text, letters) for key, text in said.items()}
    return alt.Axis(
        labelExpr=f"{json.dumps(lines, ensure_ascii=False)}[datum.value]",
        labelAlign="left",
        labelBaseline="bottom",
        labelLimit=0,
        labelLineHeight=14,
        labelOffset=-26,
        labelPadding=0,
        domain=False,
    )


def _in_two(text: str, letters: int) -> list[str]:
    """Two lines, the first of which is empty where one has room for all."""
    for width in range(letters, len(text) + 1):
        if len(lines := textwrap.wrap(text, width)) <= 2:
            return lines if len(lines) == 2 else ["", *lines]
    return ["", text]


def levels(
    frame: pd.DataFrame, column: str, title: str, names: Mapping[Any, str] | None = None
) -> alt.X:
    """Encode a factor that is a number, with a tick at each of its values.

    Parameters
    ----------
    frame : pandas.DataFrame
        The data of the chart.
    column : str
        The column of the factor.
    title : str
        The title of the axis.
    names : mapping, optional
        Names of values, to stand below them.
    """
    values = sorted(frame[column].dropna().unique().tolist())
    known = {float(value): name for value, name in (names or {}).items()}
    named = "".join(f"datum.value === {at} ? {known[at]!r} : " for at in values if at in known)
    label = f"[datum.label, {named}'']" if named else "datum.label"
    axis = alt.Axis(values=values, labelExpr=label, format=",.10~g", grid=False)
    # Room for what stands beside the last mark.
    scale = alt.Scale(domain=[0, 1.15 * max(values)], nice=False)
    return alt.X(f"{column}:Q").title(title).axis(axis).scale(scale)


def doublings(
    frame: pd.DataFrame,
    column: str,
    title: str,
    *,
    place: str | None = None,
    names: Sequence[str] = (),
) -> alt.X:
    """Encode a factor that doubles from one level to the next: each doubling has the same width.

    Parameters
    ----------
    frame : pandas.DataFrame
        The data of the chart.
    column : str
        The column of the factor, with a tick at each of its values.
    title : str
        The title of the axis.
    place : str, optional
        The column in which the marks of several lines stand a little beside its values.
    names : sequence of str
        What stands beside the last marks, and needs room there.
    """
    levels = sorted(frame[column].dropna().unique().tolist())
    # In doublings: room for a mark at either end, and for the characters of the longest name.
    wide = max(1.0, math.log2(levels[-1] / levels[0]))
    beside = 0.4 + 0.04 * wide * max(map(len, names), default=0)
    domain = [levels[0] / 2**0.4, levels[-1] * 2**beside]
    scale = alt.Scale(type="log", base=2, domain=domain, nice=False)
    axis = alt.Axis(values=levels, format=",.10~g", grid=False)
    return alt.X(f"{place or column}:Q").title(title).axis(axis).scale(scale)


def multiples(frame: pd.DataFrame, column: str, title: str) -> alt.X:
    """Encode throughput in multiples of the least.

    Parameters
    ----------
    frame : pandas.DataFrame
        The data of the chart.
    column : str
        The column of the multiples.
    title : str
        The title of the axis.
    """
    # Room for what stands beside the last mark.
    scale = alt.Scale(domain=[0, 1.15 * float(frame[column].max())], nice=False)
    axis = alt.Axis(labelExpr="datum.value === 0 ? '0' : datum.label + ' ×'", grid=False)
    return alt.X(f"{column}:Q").title(title).axis(axis).scale(scale)


def multiples_of(frame: pd.DataFrame, name: str, base: float) -> dict[str, Any]:
    """Make an axis that counts in multiples of a value, and prints the values below them.

    Parameters
    ----------
    frame : pandas.DataFrame
        The data of the chart.
    name : str
        The metric that the axis is of.
    base : float
        The value that is 1 ×.
    """
    most = float(frame.loc[frame["metric"] == name, "value"].max())
    label = f"[format(datum.value / {base}, '.0f') + ' ×', format(datum.value, ',.3~r')]"
    quantity = metric(name)
    return {
        "title": f"{quantity.label} (multiples; below them, {quantity.unit})",
        "values": [base * times for times in range(math.ceil(most / base) + 1)],
        "labelExpr": f"datum.value === 0 ? '0' : {label}",
    }


def difference(comparison: Comparison, against: str) -> dict[str, Any]:
    """Make the axis of differences from a setup: its title, and signs before its numbers."""
    quantity = comparison.quantity
    title = f"{quantity.label}: difference from {against}"
    if comparison.differs == "share":
        label = "datum.value === 0 ? '0 %' : replace(datum.label, '%', ' %')"
        return {"title": title, "format": "+.3~%", "labelExpr": label}
    unit = f" ({quantity.unit})" if quantity.unit else ""
    signs = {"format": "+,.4~g", "labelExpr": "datum.value === 0 ? '0' : datum.label"}
    return {"title": title + unit} | signs


def panels(
    base: alt.Chart,
    titles: Mapping[str | tuple[str, ...], str] | Sequence[str],
    *,
    cut: bool = False,
    scale: Mapping[str, Any] | None = None,
    axis: Mapping[str, Any] | None = None,
) -> list[alt.Chart]:
    """Give the base of a panel for each metric: its rows, and its axis of values.

    Parameters
    ----------
    base : altair.Chart
        The chart with the place of its marks encoded, on ``x`` or ``y``; values take the other.
    titles : mapping or sequence of str
        The titles of the axes by the metric of each panel, or by several in one unit; metrics
        alone have those of the registry. One that the data at hand lack is left out.
    cut : bool
        Whether intervals are cut where they leave the range from zero to the largest run: few
        repetitions that lie far apart have intervals beside which nothing else would be seen.
    scale, axis : mapping, optional
        What the scale, or the axis, of values has in the place of the usual.

    Returns
    -------
    list of altair.Chart
        From top to bottom; over a factor that is a number, only the last has its title.
    """
    frame: pd.DataFrame = base.data
    if not isinstance(titles, Mapping):
        titles = {name: metric(name).title for name in titles}
    own = document.own(frame)
    groups = {(key,) if isinstance(key, str) else key: title for key, title in titles.items()}
    found = {key: title for key, title in groups.items() if own["metric"].isin(key).any()}
    flat = base.encoding.y is not alt.Undefined
    drawn = []
    for key, title in found.items():
        panel: alt.Chart = base.transform_filter(alt.FieldOneOfPredicate("metric", oneOf=list(key)))
        runs = own.loc[own["metric"].isin(key) & (own["part"] == "run"), "value"]
        rows = frame[frame["metric"].isin(key) & (frame["part"] != "difference")]
        usual: dict[str, Any] = {"zero": True, "nice": 5}
        if flat:
            # Dots need no zero: their axis shows where they are.
            usual = around(runs if cut and len(runs) else rows, cut=cut)
        elif cut:
            usual = cut_scale(runs.tolist())
        place: dict[str, Any] = {} if flat else {"minExtent": 48, "labelPadding": 8}
        value: Any = (alt.X if flat else alt.Y)("value:Q").title(title)
        value = value.scale(**scale_of(rows, **usual | dict(scale or {})))
        value = value.axis(**place | dict(axis or {}))
        if flat:
            drawn.append(panel.encode(x=value))
            continue
        last = len(drawn) == len(found) - 1
        over = base.encoding.x if last else base.encoding.x.copy().title(None)
        drawn.append(panel.encode(x=over, y=value))
    return drawn


def reaching(*values: float) -> dict[str, Any]:
    """Make a scale that shows these values at least: panels can then be laid side by side.

    It is for :func:`panels` and :func:`studybook.charts.marks.difference_panels`, which know what
    else is to be seen.
    """
    return {"zero": min(values) <= 0, "nice": 5, "clamp": alt.Undefined, "domain": [*values]}


def scale_of(rows: pd.DataFrame, **scale: Any) -> dict[str, Any]:
    """Widen the domain of a scale, where it has one, until it holds all values of some rows.

    Layers that agree on one domain need not be united, which Vega-Lite complains of.

    Parameters
    ----------
    rows : pandas.DataFrame
        With ``value``, ``low`` and ``high``.
    **scale
        The scale; one that is clamped cuts what goes beyond, and stays.
    """
    domain = scale.get("domain")
    if domain is None or scale.get("clamp") is True:
        return scale
    seen = [*_values(rows), *domain]
    return scale | {"domain": [min(seen), max(seen)]}


def _values(rows: pd.DataFrame) -> list[float]:
    """All that rows have on an axis: their values, and the ends of intervals and ranges."""
    numbers = rows.reindex(columns=["value", "low", "high"]).to_numpy(dtype=float)
    return [float(each) for each in numbers.ravel() if not math.isnan(each)]


def around(rows: pd.DataFrame | pd.Series, *, cut: bool = False) -> dict[str, Any]:
    """Make the scale of dots: it shows where they are, and zero only where that is near.

    Parameters
    ----------
    rows : pandas.DataFrame or pandas.Series
        With ``value``, ``low`` and ``high``, of all that is drawn on the axis; or values.
    cut : bool
        Whether what goes beyond ends at the edge.
    """
    values = _values(rows) if isinstance(rows, pd.DataFrame) else rows.astype(float).tolist()
    if not values:
        return {"zero": True, "nice": 5}
    low, high = min(values), max(values)
    # Below zero is what a document has as a difference, and seldom.
    if low < 0 or low - 0.3 * (high - low) < 0.25 * high:
        return cut_scale(values) | ({} if cut else {"clamp": False})
    return scale_around(values) | ({"clamp": True} if cut else {})


def cut_scale(values: Sequence[float]) -> dict[str, Any]:
    """Make a scale from zero over these values that cuts what goes beyond.

    Parameters
    ----------
    values : sequence of float
        What must be seen, such as the values of runs, but not the ends of their intervals.

    Returns
    -------
    dict
        The scale; marks that leave it end at its edge. There is room for labels.
    """
    low, high = min(0.0, *values), max(0.0, *values)
    room = 0.12 * (high - low)
    bounds = [low - room if low < 0 else 0.0, high + room]
    return {"domain": bounds, "clamp": True, "nice": False}


def scale_of_differences(rows: pd.DataFrame) -> dict[str, Any]:
    """Make a scale of differences on which those that tell something are seen.

    One that tells nothing may be of any width: beside it, all others would be dots on zero.

    Parameters
    ----------
    rows : pandas.DataFrame
        With ``percent``, ``low``, ``high`` and ``verdict``.

    Returns
    -------
    dict
        The scale; what leaves it ends at its edge.
    """
    tells = ~rows["verdict"].isin(("no evidence", "cannot be told"))
    ends = rows.loc[tells, ["percent", "low", "high"]].to_numpy(dtype=float).ravel()
    told = [float(each) for each in ends if math.isfinite(each)]
    every = [float(each) for each in rows["percent"] if math.isfinite(each)]
    reach = _MOST_BESIDE * max(map(abs, told), default=math.inf)
    seen = [*told, *(each for each in every if abs(each) <= reach)]
    return cut_scale(seen if any(seen) else [-1.0, 1.0])


def scale_around(values: Sequence[float]) -> dict[str, Any]:
    """Make a scale that holds these values with some room, but nothing below zero.

    Parameters
    ----------
    values : sequence of float
        What must be seen; zero need not be.
    """
    low, high = min(values), max(values)
    room = 0.12 * (high - low) or 0.1
    return {"domain": [max(low - room, 0.0), high + room], "nice": False, "zero": False}
