"""Charts of response times over the load: the curves, and below them their knees."""

from __future__ import annotations

import altair as alt
import pandas as pd

from studybook.charts import look, marks
from studybook.charts.palette import INK
from studybook.units import metric

#: Width of all panels together, heights of a panel and of a line of knees, in pixels.
WIDTH, HEIGHT, LINE = 580, 260, 30


def curves(frame: pd.DataFrame, *, load: str, series: str) -> alt.HConcatChart:
    """Draw a panel for each response time, and below it the knees on the same axis of loads.

    Parameters
    ----------
    frame : pandas.DataFrame
        Rows of :func:`studybook.frames.knees.rows`, and of its sister ``published``.
    load, series : str
        The titles of the axis of loads, and of the legend.
    """
    names = list(dict.fromkeys(frame["metric"]))
    width = (WIDTH - 60 * (len(names) - 1)) / len(names)
    drawn = [
        alt.vconcat(
            _curves(frame, name, width, series),
            _knees(frame, name, width, (load, series), first=name == names[0]),
        )
        for name in names
    ]
    return alt.hconcat(*drawn, data=frame, spacing=24)


def _rows(frame: pd.DataFrame, name: str, part: str) -> alt.Chart:
    chosen: alt.Chart = alt.Chart(frame).transform_filter(
        (alt.datum.metric == name) & (alt.datum.part == part)
    )
    return chosen


def _colour(frame: pd.DataFrame, title: str) -> alt.Color:
    own = frame[frame["origin"] != "published"]
    return look.steps(own, "series", title=title, order=_order(own))


def _order(frame: pd.DataFrame) -> list[str]:
    return list(dict.fromkeys(frame["series"]))


def _curves(frame: pd.DataFrame, name: str, width: float, series: str) -> alt.LayerChart:
    quantity = metric(name)
    x = alt.X("load:Q").title(None).scale(domain=_domain(frame), nice=False)
    y = alt.Y("value:Q").title(quantity.title).scale(zero=True, nice=5)
    colour = _colour(frame, series)
    means = _rows(frame, name, "mean").encode(x=x, y=y, color=colour)
    curve = _rows(frame, name, "curve").encode(x=x, y=y, color=colour)
    turn = _rows(frame, name, "turn").mark_tick(
        orient="vertical", thickness=2, size=18, color=INK, opacity=1
    )
    return marks.layered(
        marks.interval_lines(curve, dots=False),
        marks.interval_dots(means, "y"),
        turn.encode(x=x, y=y),
        width=width,
        height=HEIGHT,
    )


def _knees(
    frame: pd.DataFrame, name: str, width: float, titles: tuple[str, str], *, first: bool
) -> alt.LayerChart:
    load, series = titles
    order = _order(frame)
    x = alt.X("value:Q").title(load).scale(domain=_domain(frame), nice=False)
    axis = alt.Axis(title="Knee" if first else None, titleAngle=0, titleAlign="right")
    base = _rows(frame, name, "knee").encode(
        x=x,
        y=alt.Y("series:N").sort(order).scale(domain=order).axis(axis),
        color=_colour(frame, series),
    )
    return marks.layered(
        marks.interval_dots(base),
        marks.published_marks(base),
        marks.direct_labels(base, text="label:N", side="right"),
        marks.direct_labels(base, text="label:N", published=True, side="right"),
        width=width,
        height=alt.Step(LINE),
    )


def _domain(frame: pd.DataFrame) -> list[float]:
    """Loads from 0 to the highest, whether measured or published."""
    said = frame.loc[frame["part"] == "knee", ["value", "high"]].max().max()
    most = max(float(frame["load"].max()), float(said) if said < float("inf") else 0.0)
    return [0.0, 1.05 * most]
