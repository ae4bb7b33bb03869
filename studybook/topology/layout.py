"""Rows of boxes, groups around them, and the lines of networks: from data to places.

Lengths are pixels at the width of a phone's column. A wider column stretches the drawing
sideways and leaves heights and letters as they are, so what fits here fits everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
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
    inside : sequence of Box, optional
        Boxes within it, one below the other, each leading to the next.
    """

    name: str
    lines: Sequence[str] = ()
    role: str = ""
    paint: str | None = None
    networks: frozenset[str] = frozenset()
    inside: Sequence[Box] = ()

    @property
    def width(self) -> float:
        """What its text needs."""
        lines = (text_width(line) for line in self.lines)
        return max(text_width(self.name, bold=True), *lines, 0) + 6

    @property
    def height(self) -> float:
        """What its text needs, or what stands inside."""
        if self.inside:
            return LINE + 2 * PAD - STUB + sum(each.height + STUB for each in self.inside)
        return 2 * PAD + LINE * (1 + sum(map(bool, self.lines)))


@dataclass(frozen=True)
class Row:
    """Boxes beside each other, in as many lines as their texts need, between two networks."""

    boxes: Sequence[Box]
    above: str | None = None
    below: str | None = None
    widest: float = 110


@dataclass(frozen=True)
class Group:
    """A line around parts; texts in it are lines of words. A box may stand at its left side."""

    title: str
    parts: Sequence[Row | Group | str]
    role: str = ""
    paint: str | None = None
    state: str = ""
    beside: Box | None = None
    left: float = 0.0  #: where its line begins, so that groups below each other are alike


@dataclass
class Network:
    """Lines from a trunk at one side of the drawing to the boxes of each row."""

    name: str
    paint: str | None = None
    right: bool = False
    taps: list[tuple[str, float, float, float]] = field(default_factory=list)

    @property
    def trunk(self) -> float:
        """Where the line stands that joins those of the rows."""
        return WIDTH - TRUNK if self.right else TRUNK


def text_width(text: str, *, bold: bool = False) -> float:
    """About how wide a text is, in pixels: letters of 12 pixels in a font without serifs."""
    wide, narrow = "mwMW%@", "iljtfrI.,:;|'-() "
    pixels = sum(
        10.2 if c in wide else 3.8 if c in narrow else 8.2 if c.isupper() else 6.7 for c in text
    )
    return pixels * (1.06 if bold else 1)


def fit(text: str, width: float, *, bold: bool = False) -> str:
    """The text, or its start and end where it is too wide."""
    for keep in range(len(text), 1, -1):
        cut = f"{text[: math.ceil(keep / 2)]}…{text[len(text) - keep // 2 :]}"
        shown = text if keep == len(text) else cut
        if text_width(shown, bold=bold) <= width:
            return shown
    return text if text_width(text, bold=bold) <= width else "…"


def drawn(
    parts: Iterable[Row | Group | str], networks: Sequence[Network] = (), origin: str | None = None
) -> pd.DataFrame:
    """Give every part its place, one below the other.

    Parameters
    ----------
    parts : iterable of Row, Group or str
        The drawing, from above; a text is a line of words.
    networks : sequence of Network, optional
        Those that the rows name.
    origin : str, optional
        Where what is drawn comes from; none for the drawing of an idea.

    Returns
    -------
    pandas.DataFrame
        A row per part, with its place.
    """
    canvas = _Canvas(origin, networks)
    canvas.stack(parts)
    for network in networks:
        canvas.close(network)
    table = pd.DataFrame(canvas.rows, columns=list(COLUMNS))
    return table if origin else table.drop(columns="origin")


class _Canvas:
    """A drawing that grows downwards; ``y`` is where the next part begins."""

    def __init__(self, origin: str | None, networks: Iterable[Network]) -> None:
        self.y, self.rows = 0.0, list[dict[str, Any]]()
        self._origin, self._networks = origin, {each.name: each for each in networks}

    def add(self, part: str, x: float, y: float, x2: float, y2: float, **more: Any) -> None:
        row = dict.fromkeys(COLUMNS, "") | {"origin": self._origin, "part": part, "paint": None}
        self.rows.append(row | {"x": x, "y": y, "x2": x2, "y2": y2} | more)

    def stack(
        self,
        parts: Iterable[Row | Group | str],
        x: float = MARGIN,
        x2: float = WIDTH - MARGIN,
        of: str = "",
    ) -> None:
        before: Row | Group | str = ""
        for part in parts:
            if before and isinstance(before, str) and not isinstance(part, str):
                self.y += GAP / 2
            if isinstance(before, Row) and isinstance(part, Row) and before.below:
                # rows on both sides of one network share its line
                self.y -= ROW if before.below == part.above else 0
            before = part
            if isinstance(part, str):
                middle = self.y + LINE / 2 - 1
                self.add("label", x, middle, x, middle, name=fit(part, x2 - x), role=of)
                self.y += LINE
            elif isinstance(part, Group):
                self._group(part)
            else:
                self._row(part, x, x2)

    def _group(self, group: Group) -> None:
        top, left = self.y, group.left
        right, inner = (WIDTH - MARGIN, PAD) if group.beside else (WIDTH, MARGIN)
        self.y += LINE + PAD if group.title else PAD
        of = group.beside.name if group.beside else ""
        self.stack(group.parts, left + inner, right - inner, of)
        # the space below the last row is that of the group
        self.y += PAD - (ROW if isinstance(group.parts[-1], Row) else 0)
        more = {"role": group.role, "state": group.state, "paint": group.paint}
        if box := group.beside:
            self.y = max(self.y, top + box.height)
            middle = top + box.height / 2
            self._box(box, MARGIN, top, left - STUB - MARGIN, box.height)
            for name in box.networks:
                self._networks[name].taps.append((box.name, MARGIN, middle, middle))
            way = more | {"role": "", "start": box.name, "end": group.role}
            self.add("link", left - STUB, middle, left, middle, **way)
        self.add(
            "frame", left, top, right, self.y, name=fit(group.title, right - left - 12), **more
        )
        self.y += ROW

    def _row(self, row: Row, left: float, right: float) -> None:
        above, below = (self._networks[name] if name else None for name in (row.above, row.below))
        between = ROW if above or below else GAP
        for places in _arranged(row, left, right):
            rail, height = self.y, max(box.height for box, _, _ in places)
            self.y += STUB if above else 0
            for box, x, width in places:
                self._box(box, x, self.y, width, height)
                for network, at, edge in (
                    (above, rail, self.y + (PAD if box.inside else 0)),
                    (below, self.y + height + STUB, self.y + height),
                ):
                    if network and network.name in box.networks:
                        network.taps.append((_end(box), x + width / 2, at, edge))
            self.y += height + (STUB if below else 0) + between
        self.y += ROW - between

    def _box(self, box: Box, x: float, y: float, width: float, height: float) -> None:
        name = fit(box.name, width - 4, bold=True)
        if not box.inside:
            detail = BREAK.join(fit(line, width - 4) for line in box.lines if line)
            more = {"name": name, "role": box.role, "detail": detail, "paint": box.paint}
            self.add("box", x, y, x + width, y + height, **more)
            return
        self.add("frame", x, y, x + width, y + height, role=box.name)
        middle, caption = x + width / 2, y + height - PAD - LINE / 2 + 2
        self.add("caption", middle, caption, middle, caption, name=name)
        for number, each in enumerate(box.inside):
            top = y + PAD + number * (each.height + STUB)
            self._box(each, x + PAD, top, width - 2 * PAD, each.height)
            if number:
                ends = (f"{end.name} on {box.name}" for end in box.inside[number - 1 : number + 1])
                start, end = ends
                self.add("link", middle, top - STUB, middle, top, start=start, end=end)

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
            way = {"start": network.name, "end": name, "paint": network.paint}
            self.add("link", start, rail, x, edge, **way)


def _end(box: Box) -> str:
    return f"{box.inside[0].name} on {box.name}" if box.inside else box.name


def _arranged(row: Row, left: float, right: float) -> Iterator[list[tuple[Box, float, float]]]:
    """Give the boxes of each line with x and width: few lines, each with about as many boxes."""
    room, needed = right - left, max((box.width for box in row.boxes), default=0)
    fitting = max(int((room + GAP) // (needed + GAP)), 1)
    in_line = math.ceil(len(row.boxes) / math.ceil(len(row.boxes) / fitting)) if row.boxes else 1
    width = min(max(row.widest, needed), (room - GAP * (in_line - 1)) / in_line)
    # in the middle; a last line that is shorter keeps to the columns of the others
    start = left + (room - in_line * width - (in_line - 1) * GAP) / 2
    for first in range(0, len(row.boxes), in_line):
        boxes = row.boxes[first : first + in_line]
        yield [(box, start + n * (width + GAP), width) for n, box in enumerate(boxes)]
