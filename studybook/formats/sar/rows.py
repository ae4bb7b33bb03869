"""The lines of one section from one block of a file, read one by one.

Long sections are read as a matrix of bytes instead, by :mod:`studybook.formats.sar.matrix`,
with the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    begins : list of (int, int, int or None)
        For each part, how many rows are before it, its first line, and its heading's time.
    others : list of (int, bytes)
        Further lines: the number of each, and its text.
    """

    names: list[str]
    data: Lines
    seconds: Ints
    means: Lines
    sample: Cells
    begins: list[tuple[int, int, int | None]]
    others: list[tuple[int, bytes]]


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
    item = None if heading.item is None else cells[heading.item].decode(errors="replace")
    texts = [cells[place].decode(errors="replace") for place, _ in heading.texts]
    if not "".join([item or "", *texts]).isprintable():
        return None
    return Row(time, item, values, texts, cells)


#: Names of items, numbered as they come.
Names = dict[str, int]


def number_of(name: str, names: Names) -> int:
    """The number of a name; the next one if it is new."""
    return names.setdefault(name, len(names))


def read_plainly(block: bytes, parts: Sequence[Part], heading: Heading) -> Rows:
    """Read the lines of a section, those of its parts of a block, one by one."""
    names: Names = {}
    data: list[tuple[int, Row]] = []
    means: list[tuple[int, Row]] = []
    begins: list[tuple[int, int, int | None]] = []
    others = []
    for part in parts:
        begins.append((len(data), part.line, part.head))
        for line, text in enumerate(block[part.start : part.end].split(b"\n")[:-1], part.line):
            row = read_row(text, heading)
            if row is None:
                others.append((line, text))
                continue
            if row.item is not None:
                number_of(row.item, names)
            (means if row.seconds < 0 else data).append((line, row))
    return Rows(
        list(names), _lines(data, names, heading),
        np.array([row.seconds for _, row in data], np.int64), _lines(means, names, heading),
        means[0][1].cells if means else [], begins, others,
    )  # fmt: skip


def _lines(found: Sequence[tuple[int, Row]], names: Names, heading: Heading) -> Lines:
    """Lines that were read one by one as columns."""
    values = np.array([row.values for _, row in found], float)
    texts = [list(column) for column in zip(*(row.texts for _, row in found), strict=True)]
    return Lines(
        np.array([line for line, _ in found], np.int64),
        np.array([names[row.item] for _, row in found if row.item is not None], np.int64),
        values.reshape(len(found), len(heading.numbers)).T, texts or [[] for _ in heading.texts],
    )  # fmt: skip
