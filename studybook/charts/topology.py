"""Marks of a drawing of :mod:`studybook.topology`: boxes, lines, and what stands in them.

Each takes the *base* of :func:`canvas`; a notebook lays them over each other, in the order in which
they stand here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt
import pandas as pd

from studybook.charts import look, marks
from studybook.charts.palette import INK, MUTED, PAPER
from studybook.frames import words
from studybook.topology.layout import BREAK, LINE, MARGIN, PAD, WIDTH

#: Pixels of the static drawing: more than the layout needs, less than would make letters small
#: on a phone that scales it down.
STATIC_WIDTH = 440

_TEXT: dict[str, Any] = {"fontSize": 12, "tooltip": False, "baseline": "middle"}


def canvas(frame: pd.DataFrame) -> alt.Chart:
    """Make the base of a drawing, without axes, of the parts and places of a frame.

    Parameters
    ----------
    frame : pandas.DataFrame
        A row per part, as :func:`studybook.topology.placed` gives it.
    """
    across = alt.Scale(domain=[0, WIDTH], nice=False, zero=False)
    down = alt.Scale(domain=[0, size(frame)["height"]], nice=False, zero=False, reverse=True)
    return alt.Chart(frame).encode(
        x=alt.X("x:Q", scale=across, axis=None), y=alt.Y("y:Q", scale=down, axis=None)
    )


def size(frame: pd.DataFrame) -> dict[str, float]:
    """Width and height of a drawing, in pixels."""
    return {"width": STATIC_WIDTH, "height": float(frame[["y", "y2"]].max().max()) + 2}


def lines(base: alt.Chart) -> alt.LayerChart:
    """Draw the frames around rows, the networks, and the links between boxes."""
    placed = base.encode(x2="x2:Q", y2="y2:Q")
    colour = _painted(base, alt.Color)
    return marks.layered(
        _only(placed, "frame")
        .mark_rect(filled=False, strokeWidth=1, cornerRadius=4, tooltip=False)
        .encode(stroke=_painted(base, alt.Stroke)),
        _only(placed, "network")
        .mark_rule(strokeWidth=3, strokeCap="round", tooltip=False)
        .encode(color=colour),
        _only(placed, "link").mark_rule(strokeWidth=1.5, tooltip=False).encode(color=colour),
    )


def boxes(base: alt.Chart) -> alt.LayerChart:
    """Draw the boxes: dashed what stands by, fuller what was measured, as everywhere."""
    placed, frame = base.encode(x2="x2:Q", y2="y2:Q"), base.data
    measured = "origin" in frame and set(frame["origin"]) == {"measured"}
    tooltip = [alt.Tooltip(f"{name}:N") for name in ("name", "role", "detail")]
    every = _only(placed, "box")
    painted = every.encode(
        fill=_painted(base, alt.Fill), stroke=_painted(base, alt.Stroke), tooltip=tooltip
    )
    drawn: dict[str, Any] = {
        "cornerRadius": 3,
        "strokeWidth": 1.5,
        "fillOpacity": 0.2 if measured else 0.1,
    }
    # rectangles take no dashes by encoding
    return marks.layered(
        # paper below the tint, so that no line shows through
        every.mark_rect(cornerRadius=3, tooltip=False).encode(color=alt.value(PAPER)),
        painted.transform_filter("datum.state === ''").mark_rect(**drawn),
        painted.transform_filter("datum.state === 'standby'").mark_rect(**drawn, strokeDash=[4, 3]),
    )


def texts(base: alt.Chart) -> alt.LayerChart:
    """Write what stands in boxes, beside networks, and in frames."""
    centred = _only(base, "box").transform_calculate(
        middle="(datum.x + datum.x2) / 2",
        line=f"datum.detail ? datum.y + {PAD + LINE / 2} : (datum.y + datum.y2) / 2",
        second=f"datum.y + {PAD + 1.5 * LINE}",
    )
    frames = _only(base, "frame").transform_filter("datum.name !== ''")
    return marks.layered(
        centred.mark_text(**_TEXT, fontWeight=600, color=INK).encode(
            x=_at("middle"), y=_at("line"), text="name:N"
        ),
        centred.transform_filter("datum.detail !== ''")
        .mark_text(**_TEXT, color=INK, lineBreak=BREAK, lineHeight=LINE)
        .encode(x=_at("middle"), y=_at("second"), text="detail:N"),
        _only(base, "caption").mark_text(**_TEXT, fontWeight=600, color=INK).encode(text="name:N"),
        _only(base, "label").mark_text(**_TEXT, align="left", color=MUTED).encode(text="name:N"),
        frames.transform_calculate(middle=f"datum.x + {MARGIN}")
        .mark_text(**_TEXT, align="left", dy=11, color=INK)
        .encode(x=_at("middle"), text="name:N"),
    )


def described(frame: pd.DataFrame) -> str:
    """Say a drawing for readers who do not see it: its boxes, and what leads where."""
    return " ".join(_sentences(frame))


def _sentences(frame: pd.DataFrame) -> Iterator[str]:
    parts = {part: frame[frame["part"] == part] for part in ("label", "frame", "box", "link")}
    yield from (f"{name}." for name in parts["frame"]["name"] if name)
    yield from (
        ": ".join(filter(None, each)) + "." for each in parts["label"][["role", "name"]].to_numpy()
    )
    for role, own in parts["box"].groupby("role", sort=False):
        said = [
            f"{name} ({' '.join(text for text in [*detail.split(BREAK), state] if text != role)})"
            for name, detail, state in own[["name", "detail", "state"]].to_numpy()
        ]
        named = [text.replace(" )", ")").removesuffix(" ()") for text in dict.fromkeys(said)]
        yield f"{str(role)[:1].upper()}{str(role)[1:]}: {', '.join(named)}."
    disks = set(parts["box"].loc[parts["box"]["role"] == "disk", "name"])
    hosts = set(parts["box"]["name"]) | set(parts["link"]["end"])
    for start, own in parts["link"].groupby("start", sort=False):
        leads = "leads to" if start in hosts else "connects"
        network = start not in hosts and disks & {*own["end"]}
        ends = ["the disks" if network and end in disks else end for end in own["end"]]
        yield f"{start} {leads} {words.listed([*dict.fromkeys(ends)])}."


def _only(base: alt.Chart, part: str) -> alt.Chart:
    return base.transform_filter(f"datum.part === '{part}'")


def _painted(base: alt.Chart, channel: Any) -> Any:
    """The colour that a part has by its meaning; grey where it has none."""
    if base.data["paint"].isna().all():
        return alt.value(MUTED)
    known: Any = look.colour(base.data, "paint").to_dict(context={"data": base.data})
    by_meaning = channel("paint:N", scale=alt.Scale(**known["scale"]), legend=None)
    return alt.condition("isValid(datum.paint)", by_meaning, alt.value(MUTED))


def _at(field: str) -> Any:
    channel = alt.X if field == "middle" else alt.Y
    return channel(f"{field}:Q", axis=None)
