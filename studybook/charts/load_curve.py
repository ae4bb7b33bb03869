"""Charts of values over load: a line for each setup, named where it ends.

They draw the frames of :mod:`studybook.frames.load_curve`, a panel for each metric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd

from studybook.charts import marks
from studybook.charts.palette import INK, MUTED
from studybook.frames.spacing import spaced
from studybook.units import metric

WIDTH = 560

#: Height of a line of text with the space to the next one, in pixels.
LINE = 16

#: The mark of a place on a line, as an SVG path: a stroke across it, for there lines are steep.
STROKE = "M-1,0L1,0"


@dataclass(frozen=True)
class Panel:
    """A panel of a chart of curves.

    Parameters
    ----------
    metric : str
        Its rows in the frame, as in the registry.
    also : tuple of str
        More metrics in the same unit.
    title : str
        What its axis says; label and unit of the metric, if it is left out.
    height : int
        In pixels.
    joined : bool
        Whether the means are joined by lines; else each run is a dot, and nothing more.
    zero : bool
        Whether the axis begins at zero.
    axis : mapping
        What the axis has in the place of the usual (see altair.Axis).
    published : {"right", "above", "below"}
        Where the labels of published values stand. Those of a single line stand below it.
    """

    metric: str
    also: tuple[str, ...] = ()
    title: str = ""
    height: int = 240
    joined: bool = True
    zero: bool = True
    axis: Mapping[str, Any] | None = None
    published: marks.Side = "right"

    def of(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The rows of the frame that stand in the panel."""
        return frame[frame["metric"].isin([self.metric, *self.also])]


def curves(
    frame: pd.DataFrame,
    panels: Sequence[Panel],
    x: alt.X,
    line: str,
    colour: alt.Color,
    *,
    strip: str = "",
) -> alt.VConcatChart:
    """Draw values over load, a line for each setup.

    Parameters
    ----------
    frame : pandas.DataFrame
        Rows of :func:`studybook.frames.load_curve.rows_over` and its neighbours.
    panels : sequence of Panel
        From top to bottom; one without rows of the data at hand is left out.
    x : altair.X
        The load: a column of the frame, with its title.
    line : str
        The column that tells the lines apart.
    colour : altair.Color
        Its colours; without a legend, each line has its name at its end.
    strip : str, optional
        The title of a strip below the first panel, for the part ``place``: published throughputs
        of which no value is known. Without a title, or without such rows, there is none.
    """
    own = frame[frame["origin"] != "published"]
    shown = [each for each in panels if not each.of(own).empty]
    named = colour["legend"] is None
    frame = _with_names(frame, shown, x, line) if named else frame.assign(name="", name_at=None)
    drawn = [
        _panel(frame, each, x if each is shown[-1] else x.copy().title(None), line, colour)
        for each in shown
    ]
    if strip and (frame["part"] == "place").any():
        drawn.insert(1, _strip(frame, x.copy().title(None), colour, strip))
    shared = alt.Resolve(scale=alt.ScaleResolveMap(x="shared"))
    return alt.vconcat(*drawn, data=frame, spacing=30, resolve=shared)


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


def _with_names(frame: pd.DataFrame, panels: Sequence[Panel], x: alt.X, line: str) -> pd.DataFrame:
    """Add ``name`` to the last mean of each line, and ``name_at``: its height."""
    frame = frame.reset_index(drop=True).assign(name="", name_at=None)
    place = str(x.shorthand).split(":")[0]
    means = frame[(frame["part"] == "mean") & (frame["origin"] != "published")]
    for panel in panels:
        own = panel.of(means)
        if own[line].nunique() < 2:
            continue
        ends = own.loc[own.groupby(["origin", line])[place].idxmax()]
        most = float(panel.of(frame)["value"].max())
        frame.loc[ends.index, "name"] = ends[line].astype(str)
        for _, beside in ends.groupby(place):
            heights = spaced(beside["value"].tolist(), LINE * most / panel.height)
            frame.loc[beside.index, "name_at"] = heights
    return frame.astype({"name_at": float})


def _panel(
    frame: pd.DataFrame, panel: Panel, x: alt.X, line: str, colour: alt.Color
) -> alt.LayerChart:
    rows = panel.of(frame)

    def chart(part: str) -> alt.Chart:
        metrics = alt.FieldOneOfPredicate("metric", oneOf=[panel.metric, *panel.also])
        chosen: alt.Chart = alt.Chart(frame).transform_filter(metrics)
        return chosen.transform_filter(alt.datum.part == part)

    def has(part: str, *, published: bool | None = None) -> bool:
        found = rows["part"] == part
        if published is not None:
            found &= (rows["origin"] == "published") == published
        return bool(found.any())

    y = (
        alt.Y("value:Q")
        .title(panel.title or metric(panel.metric).title)
        .scale(zero=panel.zero, nice=5)
        .axis(minExtent=48, labelPadding=8, **(panel.axis or {}))
    )
    base = chart("mean").encode(x=x, y=y, color=colour)
    runs = chart("run").encode(x=x, y=y, color=colour)
    layers: list[Any] = []
    if has("guide"):
        guide = chart("guide").encode(x=x, y=y, detail="guide:N")
        layers.append(guide.mark_line(color=MUTED, strokeWidth=1, strokeDash=[2, 3]))
        layers += _guide_names(guide, published=has("guide", published=True))
    if panel.joined:
        layers += [
            runs.mark_point(filled=True, size=18, opacity=0.55),
            marks.interval_lines(base),
        ]
    else:
        layers.append(runs.mark_point(filled=True, size=40, opacity=0.75))
    if has("at"):
        at = chart("at").encode(x=x, y=y)
        layers.append(at.mark_point(shape=STROKE, size=400, color=INK, strokeWidth=2, opacity=1))
        text = at.mark_text(align="right", dx=-14, color=INK, fontSize=11).encode(text="label:N")
        layers.append(marks.rimmed(text))
    if panel.joined and rows.loc[rows["part"] == "mean", line].nunique() == 1:
        layers.append(marks.rimmed(_values(base)))
    if has("mean", published=True):
        # A bound for all lines has the colour of none.
        of_lines = rows[(rows["part"] == "mean") & (rows["origin"] == "published")][line]
        layers.append(marks.published_marks(base, in_colour=bool(of_lines.notna().all())))
        words = marks.direct_labels(base, "y", text="label:N", published=True, side=panel.published)
        layers.append(marks.rimmed(words))
    if (rows["name"] != "").any():
        ends = chart("mean").transform_filter(alt.datum.name != "")
        names = ends.mark_text(align="left", dx=10, color=INK, fontWeight=600)
        height = y.copy()
        height.shorthand = "name_at:Q"
        layers.append(marks.rimmed(names.encode(x=x, y=height, text="name:N")))
    return marks.layered(*layers, height=panel.height, width=WIDTH)


def _values(base: alt.Chart) -> alt.Chart:
    """Label a rising line at its lower right, where it does not pass."""
    labels = marks.direct_labels(base, "y", text="label:N", side="below", away=6)
    labels.mark.align, labels.mark.dx = "left", 3
    return labels


def _strip(frame: pd.DataFrame, x: alt.X, colour: alt.Color, title: str) -> alt.LayerChart:
    """Published throughputs alone: diamonds over the axis, without an axis of values."""
    places: alt.Chart = alt.Chart(frame).transform_filter(alt.datum.part == "place")
    places = places.encode(x=x.axis(None), y=alt.value(LINE * 1.5), color=colour)
    words = marks.direct_labels(places, text="label:N", published=True, side="above", away=9)
    heading = alt.TitleParams(title, fontSize=12, fontWeight=500, color=MUTED, offset=2)
    diamonds = marks.published_marks(places, in_colour=True)
    return marks.layered(diamonds, words, height=2 * LINE, width=WIDTH, title=heading)


def _guide_names(guide: alt.Chart, *, published: bool) -> list[Any]:
    """Name guides at their ends; a published one ends in a hollow diamond, with its name beside."""
    ends = guide.transform_filter(alt.datum.label != "")
    own = ends.transform_filter(alt.datum.origin != "published")
    own = own.mark_text(align="right", dx=-8, dy=-10, color=MUTED, fontSize=11, fontStyle="italic")
    named: list[Any] = [marks.rimmed(own.encode(text="label:N"))]
    if published:
        words = marks.direct_labels(ends, "y", text="label:N", published=True, side="right")
        named += [marks.published_marks(ends), marks.rimmed(words)]
    return named
