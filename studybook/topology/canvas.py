"""Places boxes in rows, and leads the lines of networks to them.

Lengths are pixels at the width of a phone's column. A wider column stretches the drawing
sideways and leaves heights and letters as they are, so what fits here fits everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

WIDTH = 330.0  #: of the whole drawing
MARGIN = 14.0  #: at either side of the boxes, for the trunks of networks
TRUNK = 5.0  #: from the side of the drawing to a trunk
GAP = 6.0  #: between boxes of a row
STUB = 11.0  #: from a box to the line of a network
ROW = 13.0  #: between rows
LINE = 15.0  #: of text
PAD = 6.0  #: above and below the text in a box

#: Between the lines of a text, in the frame; the chart breaks lines there.
BREAK = " · "

COLUMNS = (
    "origin", "part", "name", "role", "detail", "state", "start", "end",
    "x", "y", "x2", "y2", "paint",
)  # fmt: skip


@dataclass(frozen=True)
class Box:
    """Something that is drawn as a box.

    Parameters
    ----------
    name : str
        Its first line.
    lines : sequence of str, optional
        More lines; empty ones are left out.
    role : str, optional
        What it is, in words.
    paint : str, optional
        Whose colour it has in :data:`studybook.charts.palette.COLOURS`; none is drawn in grey.
    networks : collection of str, optional
        Names of the networks to which it is connected.
    """

    name: str
    lines: Sequence[str] = ()
    role: str = ""
    paint: str | None = None
    networks: frozenset[str] = frozenset()


@dataclass
class Network:
    """Lines that lead from a trunk at one side of the drawing to the boxes of each row."""

    name: str
    label: str = ""
    paint: str | None = None
    trunk: float = TRUNK
    label_y: float | None = None
    taps: list[tuple[str, float, float, float]] = field(default_factory=list)


def text_width(text: str, *, bold: bool = False) -> float:
    """About how wide a text is, in pixels: letters of 12 pixels in a font without serifs."""
    wide, narrow = "mwMW%@", "iljtfrI.,:;|'-() "
    pixels = sum(
        10.2 if c in wide else 3.8 if c in narrow else 8.2 if c.isupper() else 6.7 for c in text
    )
    return pixels * (1.06 if bold else 1)


def fit(text: str, width: float, *, bold: bool = False) -> str:
    """The text, or its start and end where it is too wide."""
    if text_width(text, bold=bold) <= width:
        return text
    for keep in range(len(text) - 1, 1, -1):
        shorter = f"{text[: math.ceil(keep / 2)]}…{text[len(text) - keep // 2 :]}"
        if text_width(shorter, bold=bold) <= width:
            return shorter
    return "…"


def box_width(box: Box) -> float:
    """What the text of a box needs."""
    lines = (text_width(line) for line in box.lines)
    return max(text_width(box.name, bold=True), *lines, 0) + 6


def arranged(
    boxes: Sequence[Box], left: float, right: float, widest: float
) -> Iterator[tuple[list[tuple[Box, float, float]], bool]]:
    """Give the boxes of each row with x and width, and whether the row is the last.

    There are as few rows as the texts allow, each with about as many boxes, in the middle.
    """
    if not boxes:
        return
    room, needed = right - left, max(map(box_width, boxes))
    fitting = max(int((room + GAP) // (needed + GAP)), 1)
    in_row = math.ceil(len(boxes) / math.ceil(len(boxes) / fitting))
    width = min(max(widest, needed), (room - GAP * (in_row - 1)) / in_row)
    for first in range(0, len(boxes), in_row):
        row = boxes[first : first + in_row]
        # in the middle; a last row that is shorter keeps to the columns of the others
        start = left + (room - in_row * width - (in_row - 1) * GAP) / 2
        places = [(box, start + n * (width + GAP), width) for n, box in enumerate(row)]
        yield places, first + in_row >= len(boxes)


def box_height(boxes: Sequence[Box]) -> float:
    """What the boxes of a row need."""
    return 2 * PAD + LINE * (1 + max((sum(map(bool, b.lines)) for b in boxes), default=0))


class Canvas:
    """A drawing that grows downwards; ``y`` is where the next part begins.

    Parameters
    ----------
    origin : str or None
        Where what is drawn comes from; None for a drawing of an idea.
    """

    def __init__(self, origin: str | None) -> None:
        self.y = 0.0
        self._origin, self._rows = origin, list[dict[str, Any]]()

    def add(self, part: str, x: float, y: float, x2: float, y2: float, **more: Any) -> None:
        """Add a part at a place."""
        row = dict.fromkeys(COLUMNS, "") | {"origin": self._origin, "part": part, "paint": None}
        self._rows.append(row | {"x": x, "y": y, "x2": x2, "y2": y2} | more)

    def label(self, text: str, x: float = MARGIN, x2: float = WIDTH - MARGIN, **more: Any) -> None:
        """Write a line of text, flush left."""
        middle = self.y + LINE / 2
        self.add("label", x, middle, x, middle, name=fit(text, x2 - x), **more)
        self.y += LINE

    def caption(self, text: str, x: float, y: float, width: float) -> None:
        """Write a name in the middle of a place."""
        middle = x + width / 2
        self.add("caption", middle, y, middle, y, name=fit(text, width - 4, bold=True))

    def box(self, box: Box, x: float, y: float, width: float, height: float) -> None:
        """Draw a box with its text."""
        lines = [fit(line, width - 4) for line in box.lines if line]
        self.add(
            "box", x, y, x + width, y + height, name=fit(box.name, width - 4, bold=True),
            role=box.role, detail=BREAK.join(lines), paint=box.paint,
        )  # fmt: skip

    def frame(self, name: str, top: float, *, x: float = 0, x2: float = WIDTH, **more: Any) -> None:
        """Draw a line around what was drawn from `top` on, and end the part there."""
        self.add("frame", x, top, x2, self.y, name=fit(name, x2 - x - 12), **more)
        self.y += ROW

    def grid(
        self,
        boxes: Sequence[Box],
        *,
        above: Network | None = None,
        below: Network | None = None,
        left: float = MARGIN,
        right: float = WIDTH - MARGIN,
        widest: float = 110,
    ) -> None:
        """Draw boxes in as many rows as their texts need, and connect them to networks."""
        between = ROW if above or below else GAP
        for places, last in arranged(boxes, left, right, widest):
            rail, height = self.y, box_height([box for box, _, _ in places])
            self.y += STUB if above else 0
            for box, x, width in places:
                self.box(box, x, self.y, width, height)
                for network, at, edge in (
                    (above, rail, self.y),
                    (below, self.y + height + STUB, self.y + height),
                ):
                    if network and network.name in box.networks:
                        network.taps.append((box.name, x + width / 2, at, edge))
            self.y += height + (STUB if below else 0) + (0 if last else between)

    def close(self, network: Network) -> None:
        """Draw the lines of a network: rails along the rows, joined by a trunk."""
        if len(network.taps) < 2:
            return
        said = {"name": network.name, "paint": network.paint}
        rails = sorted({rail for _, _, rail, _ in network.taps})
        for rail in rails:
            ends = [x for _, x, at, edge in network.taps if at == rail and edge != rail]
            ends += [network.trunk] if len(rails) > 1 and ends else []
            if ends:
                self.add("network", min(ends), rail, max(ends), rail, **said)
        if len(rails) > 1:
            self.add("network", network.trunk, rails[0], network.trunk, rails[-1], **said)
        for name, x, rail, edge in network.taps:
            # a tap at the height of its rail comes from the side
            start = network.trunk if edge == rail else x
            self.add(
                "link", start, rail, x, edge, start=network.name, end=name, paint=network.paint
            )
        if network.label:
            y = (rails[0] if network.label_y is None else network.label_y) - 9
            self.add("label", MARGIN, y, MARGIN, y, name=network.label)

    def table(self) -> pd.DataFrame:
        """All parts: one row each."""
        table = pd.DataFrame(self._rows, columns=list(COLUMNS))
        return table if self._origin else table.drop(columns="origin")
