"""Rows of boxes, frames around them, and the lines of networks: from tidy rows to places.

Lengths are pixels at the width of a phone's column. A wider column stretches the drawing
sideways and leaves heights and letters as they are, so what fits here fits everywhere.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

import pandas as pd

from studybook.study.origin import NO_RUN, SCHEMA

WIDTH = 330.0  #: of the whole drawing
MARGIN = 14.0  #: at either side of the boxes, for the trunks of networks
TRUNK = 5.0  #: from the side of the drawing to a trunk
GAP = 6.0  #: between boxes of a row
STUB = 11.0  #: from a box to the line of a network
ROW = 13.0  #: between rows
LINE = 15.0  #: of text
PAD = 6.0  #: above and below the text in a box
NARROWEST = 60.0  #: box, where there is room

#: Between the lines of a text, in the frame; the chart breaks lines there.
BREAK = " · "

#: What a notebook gives of a box; what it leaves out is empty.
GIVEN = (
    "name", "role", "detail", "state", "paint", "row", "label", "frame", "frame_role",
    "frame_paint", "within", "above", "below",
)  # fmt: skip
COLUMNS = (
    "origin", "run", "part", "name", "role", "detail", "state", "start", "end",
    "x", "y", "x2", "y2", "paint",
)  # fmt: skip


#: How wide a narrow letter is, in pixels.
_LEAST = 3.8


def text_width(text: str, *, bold: bool = False) -> float:
    """About how wide a text is, in pixels: letters of 12 pixels in a font without serifs."""
    wide, narrow = "mwMW%@", "iljtfrI.,:;|'-() "
    pixels = sum(
        10.2 if c in wide else _LEAST if c in narrow else 8.2 if c.isupper() else 6.7 for c in text
    )
    return pixels * (1.06 if bold else 1)


def fit(text: str, width: float, *, bold: bool = False) -> str:
    """The text, or its start and end where it is too wide."""
    most = min(len(text), int(width / _LEAST) + 1)  # of more letters, none are narrow enough
    for keep in range(most, 1, -1):
        cut = f"{text[: math.ceil(keep / 2)]}…{text[len(text) - keep // 2 :]}"
        shown = text if keep == len(text) else cut
        if text_width(shown, bold=bold) <= width:
            return shown
    return text if text_width(text, bold=bold) <= width else "…"


def placed(
    boxes: pd.DataFrame,
    networks: Mapping[str, str | None],
    origin: str = SCHEMA,
    run: str = NO_RUN,
) -> pd.DataFrame:
    """Give boxes their places, and frames and networks theirs around them.

    Parameters
    ----------
    boxes : pandas.DataFrame
        A row per box, from the top to the bottom, with any of these columns:

        - ``name`` its first line; ``detail`` more lines, with :data:`BREAK` between them
        - ``role`` in words; ``paint`` whose colour it has, as in
          :data:`studybook.charts.palette.COLOURS`, or grey; ``state`` may be ``standby``
        - ``row``: boxes of one stand beside each other, in as many lines as their texts need;
          ``label`` is a text above them, or above the first of rows that have the same
        - ``frame``: title of the line around rows, with its ``frame_role`` and ``frame_paint``
        - ``within``: boxes of a row that have the same stand below each other in a small frame
          of this name, each leading to the next
        - ``above``, ``below``: names of the networks on which it hangs there
    networks : mapping
        The names of the networks and whose colours they have. The first joins its lines at the
        left side, the second at the right; others, which are within a row, at the right, too.
    origin, run : str, optional
        Origin of the data, and the name of the run; left out for the drawing of an idea.

    Returns
    -------
    pandas.DataFrame
        A row per part (``box``, ``frame``, ``label``, ``caption``, ``network``, ``link``) with its
        place; links say what they lead from and to.
    """
    given = boxes.reset_index(drop=True).reindex(columns=list(GIVEN)).astype(object)
    rows = list(given.where(given.notna(), "").itertuples(index=True))
    canvas = _Canvas()
    for (title, role, paint), framed in groupby(
        rows, attrgetter("frame", "frame_role", "frame_paint")
    ):
        top = canvas.y
        if title:
            canvas.skip(LINE + PAD)
        for _, row in groupby(framed, attrgetter("row")):
            canvas.row(list(row))
        if title:
            canvas.skip(PAD - ROW)
            canvas.add(
                "frame", 0, top, WIDTH, canvas.y,
                name=fit(title, WIDTH - 2 * MARGIN), role=role, paint=paint,
            )  # fmt: skip
            canvas.y += ROW
    canvas.join(networks)
    table = pd.DataFrame(canvas.rows, columns=list(COLUMNS)).assign(origin=origin, run=run)
    table["paint"] = table["paint"].where(table["paint"] != "", None)
    return table


class _Canvas:
    """A drawing that grows downwards; ``y`` is where the next part begins."""

    def __init__(self) -> None:
        self.y, self.rows = 0.0, list[dict[str, Any]]()
        #: By network: what hangs on it, where, and the heights of its line and of the box there.
        self._taps = defaultdict[str, list[tuple[str, float, float, float]]](list)
        self._label = ""  # of the row above
        self._last = ("", 0.0)  # the network below the row above, with the height of its line

    def skip(self, height: float) -> None:
        """Leave room; rows below and above it do not share a line."""
        self.y, self._last = self.y + height, ("", 0.0)

    def add(self, part: str, x: float, y: float, x2: float, y2: float, **more: Any) -> None:
        places = {"part": part, "x": x, "y": y, "x2": x2, "y2": y2}
        self.rows.append(dict.fromkeys(COLUMNS, "") | places | more)

    def row(self, boxes: Sequence[Any]) -> None:
        """Place boxes in few lines, each with about as many of them."""
        room, label = WIDTH - 2 * MARGIN, boxes[0].label
        # a row that has a network of its own is led by the box of that name: its label is of it
        of = boxes[0].name if boxes[0].name == boxes[0].below else ""
        if label and (of or label != self._label):
            middle = self.y + LINE / 2 - 1
            self.add("label", MARGIN, middle, MARGIN, middle, name=fit(label, room), role=of)
            self.skip(LINE + GAP / 2)
        self._label = label
        below_each_other = defaultdict[Any, list[Any]](list)
        for box in boxes:
            below_each_other[box.within or box.Index].append(box)
        stacks = list(below_each_other.values())
        needed = max(map(_width, stacks))
        lines = math.ceil(len(stacks) / max(int((room + GAP) // (needed + GAP)), 1))
        beside = math.ceil(len(stacks) / lines)
        width = min(max(NARROWEST, 1.3 * needed), (room - GAP * (beside - 1)) / beside)
        # in the middle; a last line that is shorter keeps to the columns of the others
        left = MARGIN + (room - beside * (width + GAP) + GAP) / 2
        for first in range(0, len(stacks), beside):
            self._line(stacks[first : first + beside], left, width)

    def _line(self, stacks: Sequence[Sequence[Any]], left: float, width: float) -> None:
        above, below = (
            next(
                (getattr(box, side) for stack in stacks for box in stack if getattr(box, side)), ""
            )
            for side in ("above", "below")
        )
        rail = self._last[1] if above and above == self._last[0] else self.y
        top = rail + STUB if above else rail
        self.y = top + max(map(_height, stacks))
        for number, stack in enumerate(stacks):
            x, first, last = left + number * (width + GAP), stack[0], stack[-1]
            self._stack(stack, x, top, width, self.y - top)
            middle, inset = x + width / 2, PAD if first.within else 0
            if first.above:
                self._taps[first.above].append((_end(first), middle, rail, top + inset))
            if last.below:
                self._taps[last.below].append((_end(last), middle, self.y + STUB, self.y))
        self._last = (below, self.y + STUB)
        self.y += ROW + (STUB if below else 0)

    def _stack(self, stack: Sequence[Any], x: float, y: float, width: float, tall: float) -> None:
        inset, middle, before = PAD if stack[0].within else 0.0, x + width / 2, ""
        if inset:
            name, caption = stack[0].within, y + tall - PAD - LINE / 2 + 2
            self.add("frame", x, y, x + width, y + tall, role=name)
            shown = fit(name, width - 4, bold=True)
            self.add("caption", middle, caption, middle, caption, name=shown)
            y += inset
        for box in stack:
            if before:
                self.add("link", middle, y, middle, y + STUB, start=before, end=_end(box))
                y += STUB
            room = width - 2 * inset - 4
            texts = [fit(text, room) for text in box.detail.split(BREAK) if text]
            # what hangs on a line below only is no taller than its texts, and stands on its line
            own = inset or (box.below and not box.above)
            height = _tall(box) if own else tall
            y += 0 if inset else tall - height
            self.add(
                "box", x + inset, y, x + width - inset, y + height, role=box.role, paint=box.paint,
                name=fit(box.name, room, bold=True), detail=BREAK.join(texts), state=box.state,
            )  # fmt: skip
            before, y = _end(box), y + height

    def join(self, networks: Mapping[str, str | None]) -> None:
        """Draw the lines of networks: rails along the rows, joined by a trunk."""
        places = [TRUNK, WIDTH - TRUNK, *[WIDTH - 2 * TRUNK] * len(networks)]
        for (network, paint), trunk in zip(networks.items(), places, strict=False):
            taps, said = self._taps[network], {"name": network, "paint": paint or ""}
            rails = sorted({rail for _, _, rail, _ in taps}) if len(taps) > 1 else []
            for rail in rails:
                ends = [x for _, x, at, _ in taps if at == rail] + [trunk] * (len(rails) > 1)
                self.add("network", min(ends), rail, max(ends), rail, **said)
            if len(rails) > 1:
                self.add("network", trunk, rails[0], trunk, rails[-1], **said)
            for name, x, rail, edge in taps if rails else []:
                # what is called as its network leads it: no link, but a part of its line
                way = {"start": network, "end": name, "paint": paint or ""}
                part, of = ("network", said) if name == network else ("link", way)
                self.add(part, x, rail, x, edge, **of)


def _end(box: Any) -> str:
    return f"{box.name} on {box.within}" if box.within else str(box.name)


def _width(stack: Sequence[Any]) -> float:
    """What the texts of boxes below each other need."""
    names = [text_width(box.name, bold=True) for box in stack]
    texts = [text_width(text) for box in stack for text in box.detail.split(BREAK)]
    inset = 2 * PAD if stack[0].within else 0
    return max(*names, *texts, text_width(stack[0].within, bold=True) - inset) + inset + 6


def _height(stack: Sequence[Any]) -> float:
    around = LINE + 2 * PAD + STUB * (len(stack) - 1) if stack[0].within else 0
    return around + sum(map(_tall, stack))


def _tall(box: Any) -> float:
    return 2 * PAD + LINE * (1 + len([*filter(None, box.detail.split(BREAK))]))
