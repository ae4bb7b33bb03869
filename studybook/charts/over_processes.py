"""Charts over the number of processes, which doubles from one level to the next.

Each doubling has the same width, so that few processes are not crowded at the edge. Intervals
are lines at their marks: of a handful of repetitions they are wide, and as bands they would cover
one another. What is wider than the range of the runs is cut at the edge.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import altair as alt
import pandas as pd

from studybook.charts import axes, marks
from studybook.charts.palette import INK
from studybook.units import metric

#: Of a doubling: how far two series stand apart, and how far the names stand from the last.
APART, BESIDE = 0.16, 0.26

#: Room for a character of a name, as a share of the axis.
CHARACTER = 0.04

#: Of the height: how far the names of two series stand apart.
LINE = 0.075

HEIGHT, WIDTH = 260, 560


def over_processes(frame: pd.DataFrame, series: str, colour: alt.Color) -> alt.LayerChart:
    """Draw one metric over the number of processes, a line for each series.

    Parameters
    ----------
    frame : pandas.DataFrame
        The parts ``run`` and ``mean`` of :class:`~studybook.frames.comparison.Comparison`'s rows,
        by a column of series and ``processes``.
    series : str
        The column that tells the lines apart, in the order of appearance.
    colour : altair.Color
        The colours of the series, as :mod:`studybook.charts.look` gives them.

    Returns
    -------
    altair.LayerChart
        Lines of means with their intervals, and the runs beside them. A single line has its
        values at its marks, several have their names at their ends.
    """
    placed = _placed(frame, series)
    scale = axes.cut_scale(frame["value"].tolist())
    height = scale["domain"][1] - scale["domain"][0]
    several = frame[series].nunique() > 1
    placed = _with_names(placed, series, LINE * height) if several else _with_values(placed)
    title = metric(frame["metric"].iloc[0]).title
    encoded: dict[str, Any] = {
        "x": _axis(frame, room=CHARACTER * max(map(len, frame[series])) * several),
        "y": alt.Y("value:Q").title(title).scale(**scale),
        "color": colour.legend(None),
    }
    base = alt.Chart(placed)
    means = base.transform_filter(alt.datum.part == "mean").encode(**encoded)
    runs = base.transform_filter(alt.datum.part == "run").encode(**encoded)
    words = means.transform_filter("isValid(datum.words)").encode(text="words:N")
    keys = []
    if several:
        words = words.encode(
            x=_moved(encoded["x"], "words_place"), y=_moved(encoded["y"], "words_value")
        )
        # Where lines end at one height, their names cannot: each has its colour with it.
        keys = [words.mark_point(filled=True, size=60, opacity=1)]
    labels = words.mark_text(align="left", baseline="middle", dx=11, fontWeight=600)
    return marks.layered(
        *keys,
        means.mark_line(strokeWidth=1.5, opacity=0.6),
        runs.mark_point(filled=True, size=22, opacity=0.65, xOffset=-6),
        marks.interval_dots(means, "y"),
        marks.rimmed(labels.encode(color=alt.value(INK))),
        height=HEIGHT,
        width=WIDTH,
    )


def _placed(frame: pd.DataFrame, series: str) -> pd.DataFrame:
    """Place the series of one number of processes beside each other: in doublings of one."""
    names = list(dict.fromkeys(frame[series]))
    middle = (len(names) - 1) / 2
    shift = frame[series].map({name: APART * (at - middle) for at, name in enumerate(names)})
    return frame.assign(place=(frame["processes"].map(math.log2) + shift).round(6))


def _axis(frame: pd.DataFrame, room: float) -> alt.X:
    levels = [math.log2(number) for number in sorted(set(frame["processes"].tolist()))]
    names = "format(pow(2, datum.value), '.0f')"
    axis = alt.Axis(values=levels, labelExpr=names, grid=False)
    domain = [levels[0] - 0.4, levels[-1] + 0.4 + room * max(1.0, levels[-1] - levels[0])]
    return alt.X("place:Q").title("Processes").axis(axis).scale(domain=domain, nice=False)


def _moved(channel: Any, field: str) -> Any:
    """The same axis, for another field."""
    moved = channel.copy()
    moved.shorthand = f"{field}:Q"
    return moved


def _with_values(placed: pd.DataFrame) -> pd.DataFrame:
    """Write its value at each mean, without the unit, which the axis has."""
    decimals = metric(placed["metric"].iloc[0]).decimals
    words = placed["value"].map(f"{{:,.{decimals}f}}".format)
    return placed.assign(words=words.where(placed["part"] == "mean"))


def _with_names(placed: pd.DataFrame, series: str, line: float) -> pd.DataFrame:
    """Write its name at the last mean of each series, apart where they would meet."""
    placed = placed.reset_index(drop=True)
    means = placed[placed["part"] == "mean"]
    ends = means.sort_values("processes").groupby(series).tail(1).sort_values("value")
    heights = ends["value"].tolist()
    for lower, upper in itertools.pairwise(range(len(heights))):
        heights[upper] = max(heights[upper], heights[lower] + line)
    beside = round(placed["place"].max() + BESIDE, 6)
    last = ends.assign(words=ends[series], words_place=beside, words_value=heights)
    columns = ["words", "words_place", "words_value"]
    return placed.join(last[columns].round(6))
