"""The chart of virtual users over time: a curve for each load level, and the phases of a run."""

from __future__ import annotations

from typing import Any, cast

import altair as alt
import pandas as pd

from studybook.charts import look
from studybook.charts.palette import INK, MUTED
from studybook.charts.stable_phase import shade


def user_curve(frame: pd.DataFrame) -> alt.LayerChart:
    """Draw the users of each load level over time, with the stable phase of one of the runs.

    Parameters
    ----------
    frame : pandas.DataFrame
        By the column ``part``: *users* with ``users`` (the load level), ``minute`` and ``value``;
        *level* and *phase*, texts at a place; *stable phase* with ``stable_from_min`` and
        ``stable_to_min``; *boundary*, a ``minute`` where a phase begins or ends.
    """

    def rows(part: str) -> alt.Chart:
        chosen: alt.Chart = alt.Chart(frame).transform_filter(alt.datum.part == part)
        return chosen

    end, most = float(frame["minute"].max()), float(frame["value"].max())
    x = (
        alt.X("minute:Q")
        .title("Minutes since the start of the run")
        .scale(domain=[0, end], nice=False)
        .axis(grid=False)
    )
    y = alt.Y("value:Q").title("Virtual users").scale(domain=[0, 1.06 * most], nice=False)
    curves = (
        rows("users")
        .mark_line(strokeWidth=2)
        .encode(
            x=x,
            y=y,
            color=look.steps(frame, "users").legend(None),
            strokeDash=alt.condition(
                alt.datum.origin == "simulated", alt.value([7, 3]), alt.value([1, 0])
            ),
        )
    )
    levels = rows("level").mark_text(align="right", dx=-6, dy=-9, color=INK, fontWeight=600)
    phases = rows("phase").mark_text(baseline="middle", color=MUTED, lineBreak="\n")
    boundaries = rows("boundary").mark_rule(color=MUTED, strokeDash=[2, 3])
    layers: list[Any] = [
        shade(rows("stable phase")),
        boundaries.encode(x=x),
        curves,
        levels.encode(x=x, y=y, text="text:N"),
        phases.encode(x=x, y=y, text="text:N"),
    ]
    return cast("alt.LayerChart", alt.layer(*layers, data=frame).properties(width=580, height=320))
