"""What a block of a file brings, until all of it is known to be right."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from studybook.formats.sar.averages import Means
from studybook.formats.sar.averages import table as mean_table
from studybook.formats.sar.pieces import Piece
from studybook.formats.sar.pieces import table as piece_table

#: Pieces of tables that are put together at once: there are many where reports are short.
_MANY = 1000


@dataclass
class Outcome:
    """Rows, records and remarks of a block, and the account of its lines.

    Attributes
    ----------
    pieces : dict
        Rows that wait to become tables, by the names of their headings.
    means : list of Means
        Averages that wait to become a table.
    waiting : int
        How many of both there are.
    tables, records : list of (str, table) or (str, dict)
        What goes to which table.
    remarks, unknown : list of (int, str)
        Lines and texts.
    used, headings : int
        How many lines are in records, and in headings.
    """

    pieces: dict[tuple[str, ...], list[Piece]] = field(default_factory=dict)
    means: list[Means] = field(default_factory=list)
    waiting: int = 0
    tables: list[tuple[str, pa.Table]] = field(default_factory=list)
    records: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    remarks: list[tuple[int, str]] = field(default_factory=list)
    unknown: list[tuple[int, str]] = field(default_factory=list)
    used: int = 0
    headings: int = 0

    def add(self, piece: Piece | None, means: Means | None) -> None:
        """Add rows and averages of a section."""
        if piece:
            self.pieces.setdefault(piece.heading.names, []).append(piece)
            self.used += len(piece.moments)
        if means:
            self.means.append(means)
            self.used += len(means.line)
        self.waiting += 1
        if self.waiting > _MANY:
            self.gather()

    def gather(self) -> None:
        """Make tables of the pieces."""
        for pieces in self.pieces.values():
            self.tables.append((pieces[0].heading.table, piece_table(pieces)))
        if self.means:
            self.tables.append(("sar_average", mean_table(self.means)))
        self.pieces, self.means, self.waiting = {}, [], 0
