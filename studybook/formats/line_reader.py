"""Reading line after line, as readers of small files do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from studybook.formats.contract import Reading
from studybook.formats.raw import LONGEST_LINE, RawFile


@dataclass
class LineReader(ABC):
    """Goes through a file; what a tool prints says what becomes of each line.

    Parameters
    ----------
    out : Reading
        Where rows and the account of lines go.
    """

    out: Reading

    def read(self, raw: RawFile, longest: int = LONGEST_LINE) -> None:
        """Read a file; lines of more characters than the longest are not understood."""
        for line, text in raw.lines():
            self.out.account(line, text, self._take(line, text) if len(text) <= longest else None)
        self._close()

    @abstractmethod
    def _take(self, line: int, text: str) -> bool | None:
        """Whether the content of a line is kept; None if it is not understood."""

    @abstractmethod
    def _close(self) -> None:
        """Record what is complete at the end of the file, or where something else begins."""


def float_or_none(cell: str | None) -> float | None:
    """The number in a cell that a pattern has matched; None where there is no cell."""
    return float(cell) if cell else None
