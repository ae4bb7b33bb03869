"""The chart of the laws: for each, the ratio of its two sides in every run, and what it allows."""

from __future__ import annotations

import math
from typing import cast

import altair as alt
import pandas as pd

from studybook.charts import look
from studybook.charts.palette import INK, MAIN, MUTED

WIDTH, HEIGHT = 560, 56


def strips(frame: pd.DataFrame, colour: str | None = None) -> alt.VConcatChart:
    """Draw a strip for each law: a dot for each run, in the band that the law allows.

    Parameters
    ----------
    frame : pandas.DataFrame
        A row per run and law, in the order of the laws: ``origin``, ``law``, ``run``, ``value``
        (the ratio), ``lowest`` and ``highest`` (the bounds of the law), ``verdict``.
    colour : str, optional
        A column whose values have a colour in the palette; it may be empty.
    """
    frame = frame.reset_index(drop=True)
    frame = frame.assign(number=frame.groupby("law").cumcount())
    panels = [
        _strip(frame, law, own, colour, last=number == frame["law"].nunique() - 1)
        for number, (law, own) in enumerate(frame.groupby("law", sort=False))
    ]
    return alt.vconcat(*panels, data=frame, spacing=14)


def _strip(
    frame: pd.DataFrame, law: object, own: pd.DataFrame, colour: str | None, *, last: bool
) -> alt.LayerChart:
    begin, end = _domain(own)
    title = "One side of the law ÷ its other side" if last else None
    x = (
        alt.X("value:Q")
        .scale(domain=[begin, end], nice=False, zero=False)
        .axis(format=".4~g", tickCount=5, title=title, titleAnchor="start")
    )
    y = alt.Y("number:Q").axis(None).scale(domain=[-4, len(own) + 3], nice=False)
    lowest, highest = own["lowest"].iloc[0], own["highest"].iloc[0]
    # Drawn once, not for each run.
    once = alt.Chart(frame).transform_filter((alt.datum.law == law) & (alt.datum.number == 0))
    one = once.mark_rule(color=MUTED, strokeDash=[3, 3], tooltip=None).encode(x=alt.datum(1.0))
    band = once.mark_rect(color=MUTED, opacity=0.16, tooltip=None).encode(
        x=alt.datum(begin if math.isnan(lowest) else float(lowest)),
        x2=alt.datum(end if math.isnan(highest) else float(highest)),
    )
    base = (
        alt.Chart(frame)
        .transform_filter(alt.datum.law == law)
        .encode(x=x, y=y, tooltip=["run:N", "host:N", "value:Q", "verdict:N"])
    )
    known = colour if colour is not None and frame[colour].notna().any() else None
    inked = look.colour(frame, known) if known else alt.value(MAIN)
    dots = base.mark_point(filled=True, size=20, opacity=0.75).encode(color=inked)
    broken = base.transform_filter(alt.datum.verdict == "violated")
    crosses = broken.mark_point(shape="cross", filled=True, size=150, color=INK, angle=45)
    names = broken.mark_text(align="right", dx=-12, color=INK, fontWeight=600).encode(text="run:N")
    heading = alt.TitleParams(str(law), fontSize=13, fontWeight=600, offset=6)
    drawn = alt.layer(band, one, dots, crosses, names)
    return cast("alt.LayerChart", drawn.properties(width=WIDTH, height=HEIGHT, title=heading))


def _domain(own: pd.DataFrame) -> tuple[float, float]:
    """What an axis must hold: the ratios, the bounds of the law, 1, and some room."""
    bounds = [own["lowest"].head(1), own["highest"].head(1), pd.Series([1.0])]
    shown = pd.concat([own["value"], *bounds]).dropna()
    least, most = float(shown.min()), float(shown.max())
    room = 0.12 * (most - least) or 0.1
    return max(least - room, 0.0), most + room
