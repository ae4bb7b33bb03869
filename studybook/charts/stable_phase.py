"""Charts of a run over time, with its stable phase as a shade behind the curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import altair as alt
import pandas as pd

from studybook.charts import look
from studybook.charts.palette import INK, MAIN, MUTED, PAPER

WIDTH, HEIGHT = 560, 110

#: Height of a run among many, and the gap between two, in pixels.
SMALL_HEIGHT, GAP = 44, 16

#: A thin line of many points: dashed where it is simulated.
_DASH = alt.condition(alt.datum.origin == "simulated", alt.value([4, 1.5]), alt.value([1, 0]))


def shade(base: alt.Chart) -> alt.Chart:
    """Draw the stable phase behind everything else.

    Parameters
    ----------
    base : altair.Chart
        A chart whose data has ``stable_from_min`` and ``stable_to_min`` in one row for each shade.
    """
    drawn: alt.Chart = base.mark_rect(color=MUTED, opacity=0.18, tooltip=None).encode(
        x="stable_from_min:Q", x2="stable_to_min:Q"
    )
    return drawn


def one_run(frame: pd.DataFrame, panels: Sequence[tuple[str, str]]) -> alt.VConcatChart:
    """Draw the series of one run below each other, and the statistic that decides.

    Parameters
    ----------
    frame : pandas.DataFrame
        ``origin``, ``part``, ``minute``, ``value``; of batches ``until_minute``; of the part
        *stable phase* ``stable_from_min`` and ``stable_to_min``. The part of the batches of a
        series is *<series>, batches*; that of its statistic *<series>, MSER*, where the least
        one has ``least``, and *<series>, MSER beyond the half*.
    panels : sequence of tuple of str
        The series from top to bottom, each with the title of its axis.
    """
    found = set(frame["part"])
    shown = [panel for panel in panels if panel[0] in found]
    drawn = [_panel(frame, *panel, last=panel is shown[-1]) for panel in shown]
    return alt.vconcat(*drawn, data=frame, spacing=22)


def _panel(frame: pd.DataFrame, part: str, title: str, *, last: bool) -> alt.LayerChart:
    def rows(name: str) -> alt.Chart:
        chosen: alt.Chart = alt.Chart(frame).transform_filter(alt.datum.part == name)
        return chosen

    x = _minutes(frame, last=last)
    y = alt.Y("value:Q").title(title).scale(zero=True, nice=4).axis(tickCount=4, minExtent=44)
    base = rows(part).encode(x=x, y=y)
    layers: list[Any] = [shade(rows("stable phase"))]
    if part.endswith(", MSER"):
        beyond = rows(f"{part} beyond the half").encode(x=x, y=y)
        least = base.transform_filter(alt.datum.least)
        layers += [
            beyond.mark_line(color=MUTED, strokeWidth=1, point={"color": MUTED, "size": 14}),
            base.mark_line(color=MAIN, strokeWidth=1.5, point={"color": MAIN, "size": 26}),
            least.mark_point(color=INK, fill=PAPER, size=110, strokeWidth=2, opacity=1),
        ]
    else:
        line = base.mark_line(color=MAIN, strokeWidth=1.5).encode(strokeDash=_DASH)
        means = rows(f"{part}, batches").mark_rule(color=INK, strokeWidth=2.5)
        layers += [line, means.encode(x=x, x2="until_minute:Q", y=y)]
    return cast("alt.LayerChart", alt.layer(*layers).properties(width=WIDTH, height=HEIGHT))


def _minutes(frame: pd.DataFrame, *, last: bool) -> alt.X:
    end = float(frame[["minute", "stable_to_min"]].max().max())
    axis = alt.Axis(title="Minutes since the start of the run" if last else None, grid=False)
    return alt.X("minute:Q").scale(domain=[0, end], nice=False).axis(axis)


def load_level(frame: pd.DataFrame, *, of: str = "", completed: str = "Pages") -> alt.VConcatChart:
    """Draw throughput and response time of all runs of a load level, with its headings.

    Parameters
    ----------
    frame : pandas.DataFrame
        As of :func:`many_runs`, with ``users``, ``completed_per_s`` and ``response_ms``.
    of : str, optional
        What the runs have in common, for the title; their number of users by default.
    completed : str
        What is completed, as the heading of throughput says it.
    """
    first = frame.dropna(subset="stable_from_min")["stable_from_min"]
    begin = " to ".join(dict.fromkeys(f"{each:.0f}" for each in (first.min(), first.max())))
    users = frame["users"].iloc[0]
    counted = of or ("Users not counted" if pd.isna(users) else f"{users:,.0f} users")
    chart = many_runs(
        frame,
        [
            ("completed_per_s", f"{completed} per second (1/s), by minutes since the start"),
            ("response_ms", "Mean response time (ms), by minutes since the start"),
        ],
    )
    return look.finding(
        chart,
        title=f"{counted}: the stable phase begins {begin} minutes after the start",
        subtitle="Each small panel is a run; grey is its stable phase",
        description=f"{counted}. Throughput and response time of each run over time, "
        f"{len(first)} in all; the stable phase begins {begin} minutes after the start.",
    )


def many_runs(frame: pd.DataFrame, panels: Sequence[tuple[str, str]]) -> alt.VConcatChart:
    """Draw small multiples: a row for each setup, a column for each of its runs.

    Parameters
    ----------
    frame : pandas.DataFrame
        ``origin``, ``setup``, ``repetition``, ``minute`` and a column for each series; in the
        first row of each run ``stable_from_min`` and ``stable_to_min``.
    panels : sequence of tuple of str
        The columns of the series, each with its title.
    """
    setups = list(dict.fromkeys(frame["setup"]))
    grids = [
        alt.vconcat(
            *(_row(frame, column, each, last=each == setups[-1]) for each in setups), spacing=8
        ).properties(title=alt.TitleParams(title, fontSize=14, fontWeight=600, offset=8))
        for column, title in panels
    ]
    return alt.vconcat(*grids, data=frame, spacing=34)


def _row(frame: pd.DataFrame, column: str, setup: str, *, last: bool) -> alt.FacetChart:
    repetitions = frame["repetition"].nunique()
    most = float(frame[column].max())
    y = (
        alt.Y(f"{column}:Q")
        .title(None)
        .scale(domain=[0, most], nice=2)
        .axis(tickCount=2, minExtent=34)
    )
    x = _minutes(frame, last=False)
    if not last:
        x = x.axis(title=None, grid=False, labels=False)
    own = alt.Chart(frame).transform_filter(alt.datum.setup == setup)
    line = own.mark_line(color=MAIN, strokeWidth=1.5).encode(x=x, y=y, strokeDash=_DASH)
    panel = alt.layer(shade(own), line).properties(
        width=max(60.0, (WIDTH - GAP * (repetitions - 1)) / repetitions), height=SMALL_HEIGHT
    )
    no_header = alt.Header(labels=False, title=None)
    drawn = panel.facet(column=alt.Column("repetition:O", header=no_header), spacing=GAP)
    heading = alt.TitleParams(setup, fontSize=11, fontWeight=500, offset=4)
    return cast("alt.FacetChart", drawn.properties(title=heading))
