"""Rows of a CSV: ordinary ones as whole columns, all others one by one.

A block of lines with anything out of the ordinary in it (a quote, a header, a cell that is no
number) is halved until the part in question is small, and read line by line. There, a row may go
over several lines, within quotes: messages are of any kind.
"""

from __future__ import annotations

import csv
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.raw import LONGEST_LINE, RawFile, line_count

EPOCH = datetime(1970, 1, 1)
#: From 1990 to 2100, in seconds since 1970: other times of a test are damage.
FIRST_S, END_S = 631_152_000, 4_102_444_800

#: A part of a block that is not worth halving again, in bytes.
_SMALL = 64 * 1024

Row = dict[str, Any]


def cells_of(text: str, delimiter: str = ",") -> list[str] | None:
    """The cells of a row, which may go over several lines; None if quotes are out of place."""
    if '"' not in text:
        return text.split(delimiter)
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=True), None)
    except csv.Error:
        return None


def cells_for(names: Sequence[str], text: str, delimiter: str = ",") -> list[str] | None:
    """The cells of a row, one for each column; None if it has others, or there are no columns."""
    cells = cells_of(text, delimiter)
    return cells if names and cells is not None and len(cells) == len(names) else None


class QuotedRows(ABC):
    """The rows of a file as they come in.

    Parameters
    ----------
    out : Reading
        Where rows and the account of lines go.
    """

    def __init__(self, out: Reading) -> None:
        self.out = out
        #: A row that goes on: its lines, and their size.
        self._open: list[tuple[int, str]] = []
        self._open_size = 0

    @abstractmethod
    def _many(self, line: int, block: bytes) -> bool:
        """Read all rows of a block at once; False, and nothing read, if one is not ordinary."""

    @abstractmethod
    def _header(self, text: str) -> bool:
        """Take the columns from a header; False if the line is none."""

    @abstractmethod
    def _row(self, text: str) -> Row | None:
        """Read a row that is not too long; None if it is none."""

    @abstractmethod
    def _keep(self, line: int, lines: int, row: Row) -> None:
        """Keep a row, and account for its lines."""

    def read(self, raw: RawFile) -> None:
        """Read a file."""
        for line, block in raw.blocks():
            self.take(line, block)
        self.close()

    def take(self, line: int, block: bytes) -> None:
        """Read a block of whole lines."""
        end = block.find(b"\n") + 1
        if not self._open and self._header(block[:end].decode().removesuffix("\n")):
            self.out.heading()
            line, block = line + 1, block[end:]
        if not block or (not self._open and self._many(line, block)):
            return
        middle = block.find(b"\n", len(block) // 2) + 1
        if len(block) > _SMALL and middle not in (0, len(block)):
            self.take(line, block[:middle])
            self.take(line + line_count(block[:middle]), block[middle:])
            return
        for number, text in enumerate(block.split(b"\n")[:-1], line):
            self._line(number, text.decode())

    def close(self) -> None:
        """Give up a row that the file's end cuts off."""
        waiting, self._open = self._open, []
        for number, text in waiting:
            self.out.unknown(number, text)

    def _line(self, number: int, text: str) -> None:
        """Read a line: a row, a part of one, a header, or nothing that is understood."""
        odd = text.count('"') % 2 == 1
        if self._open:
            # Within quotes there is text of any kind, but hardly a whole row: if there is one,
            # the quote was never closed.
            row = None if odd else self._whole(text)
            if row is None:
                self._go_on(number, text, ends=odd)
                return
            self.close()
            self._keep(number, 1, row)
        elif odd:
            self._open, self._open_size = [(number, text)], len(text)
        elif not text.strip():
            self.out.heading()
        elif row := self._whole(text):
            self._keep(number, 1, row)
        elif self._header(text):
            self.out.heading()
        else:
            self.out.unknown(number, text)

    def _go_on(self, number: int, text: str, *, ends: bool) -> None:
        """Add a line to a row that goes on; read it where the line has the last quote."""
        self._open.append((number, text))
        self._open_size += len(text) + 1
        if ends and (row := self._whole("\n".join(each for _, each in self._open))):
            first, lines = self._open[0][0], len(self._open)
            self._open = []
            self._keep(first, lines, row)
        elif ends or self._open_size > LONGEST_LINE:
            self.close()

    def _whole(self, text: str) -> Row | None:
        if len(text) >= LONGEST_LINE // 4 and len(text.encode()) >= LONGEST_LINE:
            return None  # cut off: the last cells are missing
        return self._row(text)
