"""The lines of one section from one block of a file, read one by one.

Long sections are read as a matrix of bytes instead, by :mod:`studybook.formats.sar.matrix`,
with the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from studybook.formats.sar.clock import COMMENT, TIME, seconds
from studybook.formats.sar.digits import Floats, Ints
from studybook.formats.sar.heading import Cells, Heading

#: Sections that end in a summary.
_SUMMARISED = frozenset(["sar_file_system", "sar_power_usb"])
_COLONS = (b":", b"\xef\xbc\x9a")  # the second one is that of Chinese
_OF_FREE = frozenset([b"Mem:", b"Swap:", b"Total:", b"Low:", b"High:", b"buffers/cache:"])


class Part(NamedTuple):
    """A stretch of lines under one heading: where it lies, and the heading's time."""

    start: int
    end: int
    line: int
    lines: int
    head: int | None = None


@dataclass
class Lines:
    """Lines with one value per column, by columns.

    Attributes
    ----------
    line : array of int64, shape (n,)
        Their numbers.
    item : array of int64, shape (n,)
        Which of the names each has; empty if the section has no items.
    values : array of float64, shape (numbers, n)
        NaN is not available.
    texts : list of list of str
        For each text column, n texts.
    """

    line: Ints
    item: Ints
    values: Floats
    texts: list[list[str]]


@dataclass
class Rows:
    """What the lines of a section are.

    Attributes
    ----------
    names : list of str
        Names of items; empty if the section has none.
    data : Lines
        The rows.
    seconds : array of int64, shape (n,)
        Of each row, since midnight.
    means : Lines
        Lines of averages.
    sample : list of bytes
        The cells of one of these, as printed.
    begins : list of (int, int or None)
        For each part, how many rows are before it, and the time of its heading.
    others : list of (int, int, bytes)
        Further lines: how many rows are before each, its number, and its text.
    """

    names: list[str]
    data: Lines
    seconds: Ints
    means: Lines
    sample: Cells
    begins: list[tuple[int, int | None]]
    others: list[tuple[int, int, bytes]]


@dataclass(frozen=True)
class Row:
    """One line: seconds since midnight (-1: averages), item, numbers, texts, and cells."""

    seconds: int
    item: str | None
    values: list[float]
    texts: list[str]
    cells: Cells


def read_row(text: bytes, heading: Heading) -> Row | None:
    """Read one line, a row or one of averages; None if it is neither."""
    match = TIME.match(text)
    if not match:
        return _read_averages(text, heading)
    time = seconds(match)
    if time is None or COMMENT.match(text, match.end()):
        return None
    row = _behind(text, match.end(), time, heading)
    if row is None and match["zone"]:
        # Behind a single blank, NMI may be a zone, or the name of an interrupt.
        row = _behind(text, match.start("zone"), time, heading)
    return row


def _read_averages(text: bytes, heading: Heading) -> Row | None:
    """Read a line of averages.

    It begins with a word or two in the language of the reader: ``Average:``, ``Moyenne :``,
    ``Summary``. No digit is in them.
    """
    start = 0
    for word in text.split(None, 3)[:3]:
        start = text.find(word, start) + len(word)
        if word.translate(None, b"0123456789") != word:
            return None
        if names_averages(text[:start], heading) and (row := _behind(text, start, -1, heading)):
            return row
    return None


def names_averages(label: bytes, heading: Heading) -> bool:
    """Whether the words at the start of a line may stand for averages.

    In all languages they end in a colon, but for ``Summary`` of old releases. Lines of ``free``
    and ``iostat``, pasted behind a report, may have as many numbers as its last section.
    """
    words = label.split()
    if heading.table in _SUMMARISED:
        return True
    return words[-1].endswith(_COLONS) and words[-1] not in _OF_FREE


def _behind(text: bytes, start: int, time: int, heading: Heading) -> Row | None:
    cells = heading.cells(text, start)
    if cells is None or (values := heading.values(cells)) is None:
        return None
    item, texts = heading.item_of(cells), heading.texts_of(cells)
    if not "".join([item or "", *texts]).isprintable():
        return None
    return Row(time, item, values, texts, cells)


@dataclass
class Gathered:
    """Lines that were read one by one, until they become columns."""

    heading: Heading
    line: list[int] = field(default_factory=list)
    item: list[int] = field(default_factory=list)
    values: list[list[float]] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)

    def add(self, line: int, row: Row, item: int | None) -> None:
        """Add a line."""
        self.line.append(line)
        if item is not None:
            self.item.append(item)
        self.values.append(row.values)
        self.texts.append(row.texts)

    def lines(self) -> Lines:
        """The lines as columns."""
        shape = (len(self.line), len(self.heading.numbers))
        return Lines(
            np.array(self.line, np.int64),
            np.array(self.item, np.int64),
            np.array(self.values, float).reshape(shape).T,
            [list(column) for column in zip(*self.texts, strict=True)]
            or [[] for _ in self.heading.texts],
        )


class Names:
    """Names of items, numbered as they come."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """The number of a name; the next one if it is new."""
        return self.numbers.setdefault(name, len(self.numbers))


def read_plainly(block: bytes, parts: Sequence[Part], heading: Heading) -> Rows:
    """Read the lines of a section one by one.

    Parameters
    ----------
    block : bytes
        Whole lines.
    parts : sequence of Part
        The stretches of the block that belong to the section.
    heading : Heading
        What the section's columns are.
    """
    names, data, means = Names(), Gathered(heading), Gathered(heading)
    times: list[int] = []
    sample: Cells = []
    begins: list[tuple[int, int | None]] = []
    others = []
    for part in parts:
        begins.append((len(times), part.head))
        for line, text in enumerate(block[part.start : part.end].split(b"\n")[:-1], part.line):
            row = read_row(text, heading)
            if row is None:
                others.append((len(times), line, text))
                continue
            item = None if row.item is None else names.number(row.item)
            if row.seconds < 0:
                means.add(line, row, item)
                sample = sample or row.cells
            else:
                data.add(line, row, item)
                times.append(row.seconds)
    return Rows(
        list(names.numbers), data.lines(), np.array(times, np.int64), means.lines(), sample,
        begins, others,
    )  # fmt: skip
