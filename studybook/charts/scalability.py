"""Charts of scalability: runs, the law fitted to them and its band, and what the law misses."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from studybook.charts import look, marks
from studybook.charts.palette import INK, MAIN, MUTED, colours

#: Width of all panels together, and heights of a panel and of its residuals, in pixels.
WIDTH, HEIGHT, RESIDUALS = 580, 260, 70


def laws(frame: pd.DataFrame, *, n: str, value: str, points: str = "Runs") -> alt.HConcatChart:
    """Draw a panel for each series: runs, means, law and band; and below it the residuals.

    Parameters
    ----------
    frame : pandas.DataFrame
        Rows of :func:`studybook.frames.scaling.rows`; published ones may be of the part *mean*.
    n, value : str
        The titles of the axes.
    points : str
        What the laws were fitted to, as the axis of the residuals calls it.
    """
    found = list(dict.fromkeys(frame["series"]))
    width = (WIDTH - 50 * (len(found) - 1)) / len(found)
    panels = [_panel(frame, series, width, n=n, value=value, points=points) for series in found]
    return alt.hconcat(*panels, data=frame, spacing=24)


def _panel(
    frame: pd.DataFrame, series: str, width: float, *, n: str, value: str, points: str
) -> Any:
    first = series == frame["series"].iloc[0]
    alone = frame["series"].nunique() == 1
    x, above = _axis_of_n(frame, n), _axis_of_n(frame, None)
    title = value if first else " "  # keeps its place, so that the panels stay level
    y = alt.Y("value:Q").title(title).scale(domain=[0, _top(frame)], nice=False)
    colour: dict[str, Any] = {} if alone else {"color": _colour(frame)}

    def rows(part: str) -> alt.Chart:
        chosen: alt.Chart = alt.Chart(frame).transform_filter(
            (alt.datum.part == part) & (alt.datum.series == series)
        )
        return chosen

    curve = marks.interval_lines(rows("curve").encode(x=above, y=y, **colour), dots=False)
    beyond = rows("beyond").mark_line(strokeWidth=1.5, opacity=0.55, strokeDash=[2, 3])
    linear = rows("linear").mark_line(color=MUTED, strokeWidth=1, strokeDash=[2, 3])
    named = rows("linear").mark_text(
        color=MUTED, fontSize=11, fontStyle="italic", align="right", dx=-8, dy=-10
    )
    peak = rows("peak").mark_rule(color=INK, strokeDash=[4, 3])
    means = rows("mean").encode(x=above, y=y, **colour)
    runs = rows("run").mark_point(filled=True, size=18, opacity=0.65, xOffset=-9)
    label = named.encode(x=above, y=y, text="label:N")
    # The rule of a peak may cross the words of the line: they then stand before it, with a rim.
    crossed = bool(((frame["part"] == "peak") & (frame["series"] == series)).any())
    layers: list[Any] = [
        linear.encode(x=above, y=y),
        *([] if crossed else [label]),
        curve,
        beyond.encode(x=above, y=y, **colour),
        peak.encode(x=above),
        *([marks.rimmed(label)] if crossed else []),
        runs.encode(x=above, y=y, **(colour or {"color": alt.value(MAIN)})),
        marks.interval_dots(means, "y"),
        marks.published_marks(means),
    ]
    if alone:
        words = marks.direct_labels(means, "y", format=",.3~r", side="right")
        layers.append(marks.rimmed(words))
    # Bands of few degrees of freedom leave the panel: they are cut at its edge.
    upper = marks.layered(*layers, width=width, height=HEIGHT)
    for layer in upper.layer:
        if isinstance(layer.mark, alt.MarkDef) and layer.mark.type == "area":
            layer.mark.clip = True
    if not alone:
        heading = alt.TitleParams(series, fontSize=13, fontWeight=600, offset=20)
        upper = upper.properties(title=heading)
    left = f"{points} less law, share of law" if first else " "
    return alt.vconcat(upper, _residuals(frame, rows("residual"), x, width, left, colour))


def _residuals(
    frame: pd.DataFrame,
    rows: alt.Chart,
    x: alt.X,
    width: float,
    title: str,
    colour: dict[str, Any],
) -> alt.LayerChart:
    """What each point is more than the law says."""
    most = float(frame.loc[frame["part"] == "residual", "value"].abs().max()) or 1e-3
    y = (
        alt.Y("value:Q")
        .title(title)
        .scale(domain=[-1.15 * most, 1.15 * most], nice=False)
        .axis(format="+.2~%", tickCount=3, labelExpr="datum.value === 0 ? '0' : datum.label")
    )
    zero = alt.Chart(frame).mark_rule(color=MUTED, tooltip=None).encode(y=alt.datum(0))
    dots = rows.mark_point(filled=True, size=24, opacity=0.65).encode(
        x=x, y=y, **(colour or {"color": alt.value(MAIN)})
    )
    return marks.layered(zero, dots, width=width, height=RESIDUALS)


def _axis_of_n(frame: pd.DataFrame, title: str | None) -> alt.X:
    """The axis of N, with a tick at each N of a run."""
    values = sorted(frame.loc[frame["part"] == "mean", "n"].unique().tolist())
    scale = alt.Scale(domain=[0, 1.12 * float(frame["n"].max())], nice=False)
    axis = alt.Axis(values=values, format=".10~g", grid=False)
    return alt.X("n:Q").title(title).scale(scale).axis(axis)


def _top(frame: pd.DataFrame) -> float:
    shown = frame[frame["part"].isin(["run", "mean", "linear", "peak"])]
    return 1.08 * float(shown["value"].max())


def _colour(frame: pd.DataFrame) -> alt.Color:
    """The colours of the series, where they have a meaning; else steps of one ramp."""
    if set(frame["series"]) <= colours().keys():
        return look.colour(frame, "series").legend(None)
    return look.steps(frame, "series", order=list(dict.fromkeys(frame["series"]))).legend(None)
