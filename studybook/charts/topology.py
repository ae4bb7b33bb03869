"""The chart of a drawing of :mod:`studybook.topology`: boxes, lines, and what stands in them."""

from __future__ import annotations

from typing import Any, cast

import altair as alt
import pandas as pd

from studybook.charts import look
from studybook.charts.palette import INK, MUTED, PAPER
from studybook.topology.layout import BREAK, LINE, MARGIN, PAD, WIDTH

#: Pixels of the static drawing: more than the layout needs, less than would make letters small
#: on a phone that scales it down.
STATIC_WIDTH = 440

#: How a line is drawn, by the state of what it stands for.
_DASHES: dict[str, dict[str, Any]] = {"": {}, "standby": {"strokeDash": [4, 3]}}

_TEXT: dict[str, Any] = {"fontSize": 12, "tooltip": False, "baseline": "middle"}


def drawing(frame: pd.DataFrame) -> alt.LayerChart:
    """Draw boxes and lines, each at its place.

    Parameters
    ----------
    frame : pandas.DataFrame
        A row per part with its place, as the functions of :mod:`studybook.topology` give it.

    Returns
    -------
    altair.LayerChart
        The drawing, without axes; close it with :func:`studybook.charts.look.finding`.
    """
    height = float(frame[["y", "y2"]].max().max()) + 2
    across = alt.Scale(domain=[0, WIDTH], nice=False, zero=False)
    down = alt.Scale(domain=[0, height], nice=False, zero=False, reverse=True)
    base = alt.Chart(frame).encode(
        x=alt.X("x:Q", scale=across, axis=None), y=alt.Y("y:Q", scale=down, axis=None)
    )
    placed = base.encode(x2="x2:Q", y2="y2:Q")
    painted = _painted(frame, alt.Stroke)
    tooltip = [alt.Tooltip(f"{name}:N") for name in ("name", "role", "detail")]
    parts = [
        *(
            _only(placed, "frame", state)
            .mark_rect(filled=False, strokeWidth=1, cornerRadius=4, tooltip=False, **dash)
            .encode(stroke=painted)
            for state, dash in _DASHES.items()
        ),
        _only(placed, "network")
        .mark_rule(strokeWidth=3, strokeCap="round", tooltip=False)
        .encode(color=_painted(frame, alt.Color)),
        *(
            _only(placed, "link", state)
            .mark_rule(strokeWidth=1.5, tooltip=False, **dash)
            .encode(color=_painted(frame, alt.Color))
            for state, dash in _DASHES.items()
        ),
        # paper below the tint, so that no line shows through
        _only(placed, "box")
        .mark_rect(cornerRadius=3, tooltip=False)
        .encode(color=alt.value(PAPER)),
        _only(placed, "box")
        .mark_rect(cornerRadius=3, strokeWidth=1.5, fillOpacity=_tint(frame))
        .encode(fill=_painted(frame, alt.Fill), stroke=painted, tooltip=tooltip),
        *_texts(base),
    ]
    layers = cast("alt.LayerChart", alt.layer(*parts))
    return layers.properties(width=STATIC_WIDTH, height=height)


def _only(chart: alt.Chart, part: str, state: str = "") -> alt.Chart:
    return chart.transform_filter(f"datum.part === '{part}' && datum.state === '{state}'")


def _tint(frame: pd.DataFrame) -> float:
    """As everywhere: what was measured is drawn fuller than what was simulated."""
    origins = set(frame["origin"]) if "origin" in frame else set()
    return 0.2 if origins == {"measured"} else 0.1


def _painted(frame: pd.DataFrame, channel: Any) -> Any:
    """The colour that a part has by its meaning; grey where it has none."""
    if frame["paint"].isna().all():
        return alt.value(MUTED)
    known: Any = look.colour(frame, "paint").to_dict(context={"data": frame})
    by_meaning = channel("paint:N", scale=alt.Scale(**known["scale"]), legend=None)
    return alt.condition("isValid(datum.paint)", by_meaning, alt.value(MUTED))


def _texts(base: alt.Chart) -> list[alt.Chart]:
    centred = _only(base, "box").transform_calculate(
        middle="(datum.x + datum.x2) / 2",
        line=f"datum.detail ? datum.y + {PAD + LINE / 2} : (datum.y + datum.y2) / 2",
        second=f"datum.y + {PAD + 1.5 * LINE}",
    )
    return [
        centred.mark_text(**_TEXT, fontWeight=600, color=INK).encode(
            x=_at("middle"), y=_at("line"), text="name:N"
        ),
        centred.transform_filter("datum.detail !== ''")
        .mark_text(**_TEXT, color=INK, lineBreak=BREAK, lineHeight=LINE)
        .encode(x=_at("middle"), y=_at("second"), text="detail:N"),
        _only(base, "caption").mark_text(**_TEXT, fontWeight=600, color=INK).encode(text="name:N"),
        _only(base, "label").mark_text(**_TEXT, align="left", color=MUTED).encode(text="name:N"),
        _only(base, "frame")
        .transform_filter("datum.name !== ''")
        .transform_calculate(middle=f"datum.x + {MARGIN}")
        .mark_text(**_TEXT, align="left", dy=11, color=INK)
        .encode(x=_at("middle"), text="name:N"),
    ]


def _at(field: str) -> Any:
    channel = alt.X if field == "middle" else alt.Y
    return channel(f"{field}:Q", axis=None)
