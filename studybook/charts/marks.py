"""Marks with one meaning each, in every figure of the book.

A chart takes **one** tidy frame, with a column ``origin`` (``measured``, ``simulated``
or ``published``) and columns ``value``, ``low`` and ``high``. Each function takes a *base*,
a chart with its positions and colour encoded, and gives layers that pick their rows by
origin::

    base = alt.Chart(frame).encode(
        x=alt.X("value:Q").title("Mean response time (ms)"),
        y=alt.Y("cluster:N").title(None),
        color=look.colour(frame, "cluster"),
    )
    chart = marks.interval_dots(base) + marks.published_marks(base) + marks.direct_labels(base)
    look.finding(chart, title="…", subtitle="…", description="…")

A measured value is a filled mark, a simulated one a pale mark with an outline. A published one
is a hollow diamond, always, and never joined to the others; a published range is a hollow bar, a
bound an open one. What we read into words of a document is dashed, and no diamond. Dashed lines
are references, such as growth in proportion, and never data. Lines of several series have a shape
each beside their colour.
"""

from __future__ import annotations

from typing import Any, Literal, cast

import altair as alt
import pandas as pd

from studybook.charts import axes
from studybook.charts.palette import INK, MAIN, MUTED, PAPER
from studybook.frames import document
from studybook.frames.comparison import Comparison

# Channels are objects here: for a short form Altair looks through all its classes each time, which
# took a tenth of the time of a figure.

Axis = Literal["x", "y"]
Side = Literal["above", "below", "left", "right", "end"]

_PLACES: dict[str, dict[str, Any]] = {
    "above": {"align": "center", "baseline": "bottom"},
    "below": {"align": "center", "baseline": "top"},
    "left": {"align": "right", "baseline": "middle", "dx": -12},
    "right": {"align": "left", "baseline": "middle", "dx": 12},
}

#: The channel of the far end of an interval.
_ENDS = {"x": alt.X2, "y": alt.Y2}

_SIMULATED = alt.datum.origin == "simulated"
_PUBLISHED = alt.datum.origin == document.PUBLISHED
_READING = alt.datum.origin == document.OUR_READING
_OWN = ~(_PUBLISHED | _READING)

#: A bound: a bar that is open at its far end, and an arrow out of it, by the way it points.
_ARROWS = {
    ("x", "low"): "M0,-.65L0,.65M0,-.65L2,-.65M0,.65L2,.65M0,0L3.4,0M2.8,-.5L3.4,0L2.8,.5",
    ("x", "high"): "M0,-.65L0,.65M0,-.65L-2,-.65M0,.65L-2,.65M0,0L-3.4,0M-2.8,-.5L-3.4,0L-2.8,.5",
    ("y", "low"): "M-.65,0L.65,0M-.65,0L-.65,-2M.65,0L.65,-2M0,0L0,-3.4M-.5,-2.8L0,-3.4L.5,-2.8",
    ("y", "high"): "M-.65,0L.65,0M-.65,0L-.65,2M.65,0L.65,2M0,0L0,3.4M-.5,2.8L0,3.4L.5,2.8",
}

#: What is printed at a mark of a document: the words of all at its place, where it has them.
_WORDS = f"(isValid(datum.{document.DRAWN}) ? datum.{document.DRAWN} : datum.label)"

#: Quoted words as a chart has room for them; all of them are in the tooltip and in the data.
_SHORT = f"replace({_WORDS}, regexp('“(?=[^”]{{27,}}”)([^”]{{1,22}}) [^”]*”', 'g'), '“$1 …”')"


def interval_dots(base: alt.Chart, value: Axis | None = None) -> alt.LayerChart:
    """Draw a dot for each value, on a line from ``low`` to ``high``.

    Parameters
    ----------
    base : altair.Chart
        The chart with its positions and colour encoded.
    value : {"x", "y"}, optional
        The axis of the value; when left out, the one that the column ``value`` is encoded on.

    Returns
    -------
    altair.LayerChart
        The interval, and the dot over it.
    """
    value = value or axis_of(base)
    line = _whiskers(base, value, strokeWidth=3, strokeCap="round", **_plain_line(base))
    return layered(line, _dots(base, size=130))


def interval_bars(base: alt.Chart, value: Axis | None = None) -> alt.LayerChart:
    """Draw a bar for each value, with a whisker from ``low`` to ``high``.

    Parameters
    ----------
    base : altair.Chart
        The chart with its positions and colour encoded; bars that share a place stack.
    value : {"x", "y"}, optional
        The axis of the value; when left out, the one that the column ``value`` is encoded on.

    Returns
    -------
    altair.LayerChart
        The bar, and the whisker over it.
    """
    value = value or axis_of(base)
    bars = _own(base.mark_bar(strokeWidth=1.5, **_plain(base)))
    # in ink: a whisker in the colour of its bar would be lost in it
    return layered(bars, _whiskers(base, value, strokeWidth=1.5).encode(color=alt.ColorValue(INK)))


def interval_lines(
    base: alt.Chart, value: Axis | None = None, *, dots: bool = True, clip: bool = False
) -> alt.LayerChart:
    """Join the values of a series by a line, in a band from ``low`` to ``high``.

    Where all stand at a single place, there is no line, and their intervals are lines.

    Parameters
    ----------
    base : altair.Chart
        The chart with its positions and colour encoded.
    value : {"x", "y"}, optional
        The axis of the value; when left out, the one that the column ``value`` is encoded on.
    dots : bool, optional
        Whether each value has a dot; without, for a long series.
    clip : bool, optional
        Whether the band is cut at the edge of the panel: one of few degrees of freedom leaves it.

    Returns
    -------
    altair.LayerChart
        The band, the line, and the dots.
    """
    value = value or axis_of(base)
    if _at_one_place(base, value):
        return interval_dots(base, value)
    own = base.transform_filter(_OWN).encode(detail=alt.Detail("origin:N"))
    # Where values have dots, these say what they are.
    quiet: dict[str, Any] = {"tooltip": None} if dots else {}
    band = _between(
        own.mark_area(opacity=0.15, clip=clip or alt.Undefined, tooltip=None), value
    ).transform_filter("isValid(datum.low)")
    line = own.mark_line(**quiet)
    return layered(band, line, *([_dots(base, size=60)] if dots else []))


def published_marks(base: alt.Chart, *, in_colour: bool = False) -> alt.LayerChart:
    """Draw what the document says, whatever the other marks are.

    A number that is printed is a hollow diamond, a range a hollow bar from end to end, a bound a
    bar that is open, with an arrow. What we read into words is dashed, and has no diamond.

    Parameters
    ----------
    base : altair.Chart
        The chart with its positions and colour encoded.
    in_colour : bool, optional
        Whether the diamonds take the colour of their series: only where nothing else
        tells to which of several series a diamond belongs. Else they are drawn in ink.

    Returns
    -------
    altair.LayerChart
        The marks of the kinds that the data have.
    """
    value = axis_of(base)
    frame = base.data if isinstance(base.data, pd.DataFrame) else None
    hollow: dict[str, Any] = {"filled": False, "fill": "transparent", "strokeWidth": 1.75}
    drawn = []
    for origin, chosen in ((document.PUBLISHED, _PUBLISHED), (document.OUR_READING, _READING)):
        dashed = {} if origin == document.PUBLISHED else {"strokeDash": [3, 2]}
        of_origin = base.transform_filter(chosen)
        if not in_colour:
            of_origin = of_origin.encode(color=alt.ColorValue(INK if not dashed else MUTED))
        mark = {**hollow, **dashed, "opacity": 1}
        for kind in ("value", "range", "low", "high"):
            if frame is not None and not _has(frame, origin, kind):
                continue
            rows = of_origin.transform_filter(_KINDS[kind]).encode(detail=alt.Detail("label:N"))
            if kind == "value":
                drawn.append(rows.mark_point(shape="diamond", size=190, **mark))
            elif kind == "range":
                drawn.append(_between(rows.mark_bar(size=9, **mark), value))
            else:
                arrow = rows.mark_point(shape=_ARROWS[value, kind], size=190, **mark)
                drawn.append(arrow.encode(**{value: _along(base, value, kind)}))
    return layered(*drawn) if drawn else layered(base.transform_filter(_PUBLISHED).mark_point())


#: Which columns a row of a document has, by what is drawn of it.
_KINDS = {
    "value": "isValid(datum.value)",
    "range": "isValid(datum.low) && isValid(datum.high)",
    "low": "isValid(datum.low) && !isValid(datum.high)",
    "high": "!isValid(datum.low) && isValid(datum.high)",
}


#: Where what a document says stands: at its value, or at an end of its range.
_AT = "isValid(datum.value) ? datum.value : isValid(datum.high) ? datum.high : datum.low"


def _has(frame: pd.DataFrame, origin: str, kind: str) -> bool:
    """Whether a document's rows of a frame are to be drawn so."""
    found = frame[frame["origin"] == origin].reindex(columns=["value", "low", "high"]).notna()
    low, high = found["low"], found["high"]
    kinds = {"value": found["value"], "range": low & high, "low": low & ~high, "high": high & ~low}
    return bool(kinds[kind].any())


def direct_labels(
    base: alt.Chart,
    value: Axis | None = None,
    *,
    text: str = "value:Q",
    format: str = ",.0f",
    published: bool | str = False,
    side: Side | None = None,
    away: int = 11,
    from_zero: bool = False,
) -> alt.Chart:
    """Write the value at its mark. Long words of a document are cut there.

    Parameters
    ----------
    base : altair.Chart
        The chart with its positions encoded.
    value : {"x", "y"}, optional
        The axis of the value; when left out, the one that the column ``value`` is encoded on.
    text : str, optional
        The field to write, as an Altair shorthand.
    format : str, optional
        The d3 format of a number.
    published : bool or str, optional
        Label what a document says, in italics, instead of the values: all of it, or that of one
        origin, numbers or readings.
    side : {"above", "below", "left", "right", "end"}, optional
        Where the text stands: at a side of the mark, or beyond the end of the interval.
        When left out, where it crosses no interval and meets no label of the other kind.
    away : int, optional
        Pixels between the mark and a text above or below it.
    from_zero : bool, optional
        Whether values are far apart, and a text above a mark near zero begins there: in its middle
        it would cover the names that stand before the axis.

    Returns
    -------
    altair.Chart
        The text.
    """
    usual: dict[tuple[Axis, bool], Side] = {
        ("x", False): "above",
        ("x", True): "below",
        ("y", False): "end",
        ("y", True): "right",
    }
    value = value or axis_of(base)
    side = side or usual[value, bool(published)]
    place = side if side != "end" else "right" if value == "x" else "above"
    # Beside a bound stands its arrow.
    arrow = {"dx": 28} if published and value == "x" and place == "right" else {}
    mark: dict[str, Any] = {
        **_PLACES[place],
        **arrow,
        **({"dy": -away if place == "above" else away} if place in ("above", "below") else {}),
        "color": MUTED if published else INK,
        "fontStyle": "italic" if published else "normal",
        "fontWeight": 400 if published else 600,
        "aria": False,  # the mark beside it is read out; its text would be, twice
    }
    chosen = _PUBLISHED | _READING if published else _OWN
    if isinstance(published, str):
        chosen = alt.datum.origin == published
    shown = alt.Text(text, format=format) if text.endswith(":Q") else alt.Text(text)
    labels: alt.Chart = (
        base.transform_filter(chosen)
        .mark_text(**mark)
        # text has a colour of its own: the palette is made for marks, not for letters
        .encode(text=shown, color=alt.ColorValue(mark["color"]))
    )
    if published:
        labels = labels.transform_calculate(
            at=_AT,
            said=_SHORT if text == "label:N" else f"datum.{text.split(':')[0]}",
        ).encode(
            text=alt.Text("said:N"),
            detail=alt.Detail("label:N"),
            **{value: _along(base, value, "at")},
        )
    if from_zero:
        labels = labels.transform_joinaggregate(most="max(value)")
        labels.mark.align = alt.ExprRef("datum.value < 0.1 * datum.most ? 'left' : 'center'")
    if side == "end":
        labels = labels.transform_calculate(
            end="isValid(datum.high) ? max(datum.high, datum.value) : datum.value"
        ).encode(**{value: _along(base, value, "end")})
    return labels


def stacks(base: alt.Chart, part: str, series: list[Any], *, apart: int = 34) -> alt.LayerChart:
    """Stack the parts of a whole: a bar of each series, side by side at each place.

    Parameters
    ----------
    base : altair.Chart
        The chart with its positions and colour encoded, of the parts only; they stack upwards.
    part : str
        The column that tells the parts apart.
    series : list
        The values of the column of the colour, from left to right.
    apart : int
        Pixels from one bar to the next.
    """
    column = str(base.encoding.color.shorthand).split(":")[0]
    middle = (len(series) - 1) / 2
    return layered(
        *(
            _own(
                base.transform_filter(alt.FieldEqualPredicate(each, column)).mark_bar(
                    size=apart - 4, strokeWidth=1.5, xOffset=apart * (place - middle)
                )
            ).encode(
                y=base.encoding.y.copy().stack("zero"),
                detail=alt.Detail(f"{part}:N"),
                order=alt.Order(f"{part}:O"),
                # Outlines tell the parts apart.
                fillOpacity=alt.condition(_SIMULATED, alt.value(0.3), alt.value(0.7)),
            )
            for place, each in enumerate(series)
        )
    )


def rimmed(labels: alt.Chart) -> alt.LayerChart:
    """Put a rim in the colour of the page around labels, so that no line runs through them.

    Parameters
    ----------
    labels : altair.Chart
        As of :func:`direct_labels`.

    Returns
    -------
    altair.LayerChart
        The rim, and the text over it.
    """
    rim = labels.copy()
    rim.mark.strokeWidth, rim.mark.strokeJoin = 4, "round"
    return layered(rim.encode(color=alt.ColorValue(PAPER), stroke=alt.StrokeValue(PAPER)), labels)


def runs(base: alt.Chart, *, size: int = 50, beside: int | None = None) -> alt.Chart:
    """Draw each run as a dot of seven pixels, a little beside the mean of its setup.

    Parameters
    ----------
    base : altair.Chart
        The chart with its positions and colour encoded, of the runs only.
    size : int
        Area of a dot, in square pixels.
    beside : int, optional
        Pixels below a mean that lies flat, or to the right of one that stands.
    """
    flat = axis_of(base) == "x"
    shift = beside if beside is not None else 16 if flat else -13
    offset: dict[str, Any] = {"yOffset" if flat else "xOffset": shift}
    drawn: alt.Chart = _shaped(base).mark_point(filled=True, size=size, opacity=0.55, **offset)
    return drawn


def guide(base: alt.Chart) -> alt.LayerChart:
    """Draw straight lines that are no setups, such as growth in proportion, named at their ends.

    Parameters
    ----------
    base : altair.Chart
        The chart with its positions encoded, of the ends of the lines only: a name stands in the
        column ``label`` of the last end. One of a document ends in the mark of what it says, and
        stands at the end of a bound, which has no value.
    """
    value = axis_of(base)
    plain = base.encode(color=alt.ColorValue(MUTED))
    line = plain.transform_calculate(at=_AT).encode(**{value: _along(base, value, "at")})
    ends = plain.transform_filter(alt.datum.label != "")
    own = ends.transform_filter(_OWN).mark_text(
        align="right", dx=-8, dy=-10, color=MUTED, fontSize=12, fontStyle="italic"
    )
    # Words of a document are long: they stand above the line, and end where it does.
    said = direct_labels(ends, text="label:N", published=True, side="above")
    said.mark.align, said.mark.dx = "right", 8
    return layered(
        line.mark_line(strokeWidth=1, strokeDash=[2, 3]).encode(detail=alt.Detail("guide:N")),
        rimmed(own.encode(text=alt.Text("label:N"))),
        published_marks(ends),
        rimmed(said),
    )


def line_names(base: alt.Chart, *, keys: int = 0) -> alt.LayerChart:
    """Write its name at the end of each line.

    Parameters
    ----------
    base : altair.Chart
        The chart with its positions encoded, of the means only; ``name`` and ``name_at`` are from
        :func:`studybook.frames.load_curve.with_names`.
    keys : int
        Pixels between the end and a dot in the colour of the line before its name: for lines that
        end at one height, where their names cannot. Without, there are no dots.
    """
    value = axis_of(base)
    height = {value: _along(base, value, "name_at")}
    ends = base.transform_filter("isValid(datum.name_at)").encode(**height)
    names = ends.mark_text(align="left", dx=keys + 10, color=INK, fontWeight=600)
    dots = ends.mark_point(filled=True, size=60, opacity=1, xOffset=keys)
    named = rimmed(names.encode(text=alt.Text("name:N"), color=alt.ColorValue(INK)))
    return layered(dots, named) if keys else named


def series_names(base: alt.Chart) -> alt.LayerChart:
    """Write the name of each series at the end of its line.

    Parameters
    ----------
    base : altair.Chart
        The chart with its positions and colour encoded, of the means only.
    """
    line, place = _column(base, "color"), _column(base, "x")
    ends = (
        base.transform_filter(_OWN)
        .transform_joinaggregate(last=f"max({place})", groupby=[line])
        .transform_filter(f"datum['{place}'] === datum.last")
        .encode(
            text=alt.Text(f"{line}:N"), color=alt.ColorValue(INK), detail=alt.Detail(f"{line}:N")
        )
    )
    return rimmed(ends.mark_text(align="left", dx=12, fontWeight=600, tooltip=None))


def asked(base: alt.Chart, at: alt.Parameter) -> alt.LayerChart:
    """Mark the place that a reader asks for by a slider, and write the nearest value of each line.

    Parameters
    ----------
    base : altair.Chart
        The chart with its positions and colour encoded; places are numbers, on ``x``.
    at : altair.Parameter
        As of :func:`studybook.charts.look.slider`.
    """
    place = _column(base, "x")
    nearest = (
        base.transform_filter(_OWN)
        .transform_calculate(off=f"abs(datum['{place}'] - {at.name})")
        .transform_joinaggregate(least="min(off)")
        .transform_filter("datum.off === datum.least")
    )
    line = nearest.mark_rule(strokeWidth=1, strokeDash=[4, 3], tooltip=None).encode(
        y=alt.Undefined, color=alt.ColorValue(MUTED)
    )
    ring = nearest.mark_point(filled=False, size=190, strokeWidth=2, tooltip=None)
    said = f"datum['{_column(base, 'color')}'] + ' ' + format(datum.value, ',.4~r')"
    value = (
        nearest.transform_calculate(asked=said)
        .mark_text(align="right", dx=-12, dy=-8, fontWeight=600, tooltip=None)
        .encode(text=alt.Text("asked:N"), color=alt.ColorValue(INK))
    )
    return layered(line, ring, rimmed(value))


def in_rows(*panels: alt.LayerChart, data: pd.DataFrame, columns: int = 2) -> alt.VConcatChart:
    """Put panels side by side, row below row: a page shows the first row, and folds the others.

    Parameters
    ----------
    *panels : altair.LayerChart
        As of :func:`layered`.
    data : pandas.DataFrame
        The data of the chart.
    columns : int
        Panels in a row.
    """
    rows = [panels[start : start + columns] for start in range(0, len(panels), columns)]
    return alt.vconcat(*(alt.hconcat(*row, spacing=24) for row in rows), data=data, spacing=24)


def line_values(base: alt.Chart) -> alt.LayerChart:
    """Write the values of a rising line at its lower right, where it does not pass."""
    labels = direct_labels(base, "y", text="label:N", side="below", away=6)
    labels.mark.align, labels.mark.dx = "left", 3
    return rimmed(labels)


def course(base: alt.Chart, width: float = 1.5) -> alt.Chart:
    """Draw a series of many points over time as a thin line."""
    drawn: alt.Chart = base.mark_line(strokeWidth=width)
    return drawn


def shade(base: alt.Chart) -> alt.Chart:
    """Shade the stable phase behind everything else.

    Parameters
    ----------
    base : altair.Chart
        Of the rows that have ``stable_from_min`` and ``stable_to_min``, one for each shade.
    """
    drawn: alt.Chart = base.mark_rect(color=MUTED, opacity=0.18, tooltip=None).encode(
        x=alt.X("stable_from_min:Q"), x2=alt.X2("stable_to_min:Q")
    )
    return drawn


def places(base: alt.Chart, stroke: str = "M-1,0L1,0") -> alt.LayerChart:
    """Draw a stroke across a steep line where something is reached, with its words beside it."""
    strokes = base.mark_point(shape=stroke, size=400, color=INK, strokeWidth=2, opacity=1)
    words = base.mark_text(align="right", dx=-14, color=INK, fontSize=12)
    ink = alt.ColorValue(INK)
    return layered(
        strokes.encode(color=ink), rimmed(words.encode(text=alt.Text("label:N"), color=ink))
    )


def difference_panels(
    rows: alt.Chart,
    comparison: Comparison,
    *,
    scale: dict[str, Any] | None = None,
    **properties: Any,
) -> list[alt.LayerChart]:
    """Draw differences with their intervals around zero: a panel for each setup compared with.

    Parameters
    ----------
    rows : altair.Chart
        The chart with the place of the setups encoded (on ``y`` for names, on ``x`` for a factor
        that is a number), and their colour.
    comparison : Comparison
        What was compared. Without differences in the data at hand there is no panel.
    scale : dict, optional
        What the scale of differences has in the place of the usual.
    **properties
        Of each panel, such as ``width``.
    """
    frame = rows.data
    found = frame[(frame["metric"] == comparison.metric) & (frame["part"] == "difference")]
    flat = _encodes(rows, "y")
    channel, usual = (alt.X, {"height": alt.Step(62), "width": 480}) if flat else (
        alt.Y, {"height": 140, "width": 560}
    )  # fmt: skip
    drawn = []
    for against in comparison.references:
        if document.own(found)["against"].eq(against).sum() == 0:
            continue
        axis = axes.difference(comparison, against) | ({} if flat else {"minExtent": 48})
        usual_scale = axes.scale_of(
            found[found["against"] == against], **{"zero": True, "nice": 5} | (scale or {})
        )
        encoded = channel("value:Q").axis(**axis).scale(**usual_scale)
        base = rows.transform_filter(
            metric=comparison.metric, part="difference", against=against
        ).encode(encoded)
        # labels of several lines would cross them
        several = not flat and _several(rows)
        side: Side = "right" if several else "below"
        said = direct_labels(base, text="label:N", published=True, side=side)
        own = [] if several else [rimmed(direct_labels(base, text="label:N"))]
        zero = alt.Chart(frame).mark_rule().encode(**{"x" if flat else "y": alt.datum(0)})
        drawn.append(
            layered(
                zero,
                interval_dots(base) if flat else interval_lines(base),
                published_marks(base, in_colour=not flat),
                *own,
                rimmed(said),
                **usual | properties,
            )
        )
    return drawn


def _several(rows: alt.Chart) -> bool:
    """Whether the colours of a chart tell several series apart."""
    column = _column(rows, "color")
    return bool(column in rows.data and rows.data[column].nunique() > 1)


def _column(base: alt.Chart, channel: str) -> str:
    """The column that a channel encodes."""
    encoded = getattr(base.encoding, channel, None)
    return str(getattr(encoded, "shorthand", "")).split(":")[0]


def stacked(*panels: alt.LayerChart, data: pd.DataFrame, spacing: int = 30) -> alt.VConcatChart:
    """Put panels over one factor below each other: its scale is shared, its title below the last.

    What others are compared with has no difference, and keeps its place by the shared scale.

    Parameters
    ----------
    *panels : altair.LayerChart
        As of :func:`layered`, with the factor on ``x``.
    data : pandas.DataFrame
        The data of the chart.
    spacing : int
        Pixels between two panels.
    """
    for panel in panels[:-1]:
        layers = cast("list[alt.Chart]", panel.layer)
        panel.layer = [
            each.encode(x=each.encoding.x.title(None)) if _encodes(each, "x") else each
            for each in layers
        ]
    drawn = alt.vconcat(*panels, data=data, spacing=spacing).resolve_scale(x="shared")
    return cast("alt.VConcatChart", drawn)


def layered(*parts: alt.Chart | alt.LayerChart, **properties: Any) -> alt.LayerChart:
    """Lay marks over each other, in one layer: layers within layers are taken apart.

    Altair copies what a layer holds several times whenever the layer is made, changed or copied,
    and what lies within a layer in it as many times again.

    Parameters
    ----------
    *parts : altair.Chart or altair.LayerChart
        Charts of the same data.
    **properties
        Of the whole, such as ``width``.
    """
    flat: list[Any] = []
    for part in parts:
        inner = part.layer if isinstance(part, alt.LayerChart) else [part]
        for each in inner:
            if each.data is alt.Undefined:
                each.data = part.data
        flat += inner
    # Altair types this for faceted parts, too; a base is not faceted
    return cast("alt.LayerChart", alt.layer(*flat, **properties))


def axis_of(base: alt.Chart) -> Axis:
    """The axis that the column ``value`` is encoded on."""
    shorthand = getattr(base.encoding.y, "shorthand", "") if _encodes(base, "y") else ""
    return "y" if str(shorthand).startswith("value") else "x"


def _encodes(base: alt.Chart, channel: str) -> bool:
    return getattr(base.encoding, channel, alt.Undefined) is not alt.Undefined


def _at_one_place(base: alt.Chart, value: Axis) -> bool:
    """Whether a chart has one place only along the axis that is not that of the value."""
    channel = getattr(base.encoding, "x" if value == "y" else "y")
    column = str(getattr(channel, "shorthand", "")).split(":")[0]
    frame = base.data
    return bool(column in getattr(frame, "columns", ()) and frame[column].nunique() == 1)


def _plain(base: alt.Chart) -> dict[str, Any]:
    """Fill and outline of a chart without colours; with colours, the encoding does it."""
    return {} if _encodes(base, "color") else {"fill": MAIN, "stroke": MAIN}


def _plain_line(base: alt.Chart) -> dict[str, Any]:
    return {} if _encodes(base, "color") else {"stroke": MAIN}


#: Shapes of series beside their colours; the diamond is that of documents.
_SHAPES = ("circle", "square", "triangle-up", "triangle-down", "cross", "triangle-right")


def _shaped(base: alt.Chart) -> alt.Chart:
    """Give each of several lines a shape, too; dots that lie flat have names beside them."""
    colour = base.encoding.color
    if axis_of(base) == "x" or not _encodes(base, "color") or not _several(base):
        return base
    known = colour.to_dict(context={"data": base.data}, validate=False)
    domain = known.get("scale", {}).get("domain", [])
    if not 1 < len(domain) <= len(_SHAPES):
        return base
    # Vega-Lite joins the legends of what is equal in field, title, order and domain.
    shape = {key: part for key, part in known.items() if key != "scale"}
    shape["scale"] = {"domain": domain, "range": list(_SHAPES[: len(domain)])}
    return base.encode(shape=alt.Shape.from_dict(shape, validate=False))


def _own(marks: alt.Chart) -> alt.Chart:
    """Keep the rows that are not published, and make the simulated ones pale, with an outline."""
    pale = alt.condition(_SIMULATED, alt.value(0.3), alt.value(1))
    marks = marks.transform_filter(_OWN).encode(fillOpacity=pale)
    if not _encodes(marks, "color"):
        return marks
    # the outline is a copy of the colour, legend and all: Vega-Lite joins equal legends
    outline = marks.encoding.color.to_dict(context={"data": marks.data}, validate=False)
    return marks.encode(stroke=alt.Stroke.from_dict(outline, validate=False))


def _dots(base: alt.Chart, size: int) -> alt.LayerChart:
    mark: dict[str, Any] = {"filled": True, "size": size, "opacity": 1}
    base = _shaped(base)
    # a mark of the page's own colour below, so that no line shows through a pale one
    paper = base.transform_filter(_OWN).mark_point(**mark).encode(color=alt.ColorValue(PAPER))
    return layered(paper, _own(base.mark_point(**mark, strokeWidth=2, **_plain(base))))


def _whiskers(base: alt.Chart, value: Axis, **mark: Any) -> alt.Chart:
    known = base.transform_filter(_OWN).transform_filter("isValid(datum.low)")
    return _between(known.mark_rule(**mark), value)


def _between(chart: alt.Chart, value: Axis) -> alt.Chart:
    return chart.encode(**{value: _along(chart, value, "low"), f"{value}2": _ENDS[value]("high:Q")})


def _along(base: alt.Chart, value: Axis, field: str) -> Any:
    """Encode another field on the axis of the value, with the same title, scale and format."""
    channel = getattr(base.encoding, value).copy()
    channel.shorthand, channel.field, channel.type = f"{field}:Q", alt.Undefined, alt.Undefined
    return channel
