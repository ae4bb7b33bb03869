"""The rows of a CSV: one per sample, most of them ordinary.

Blocks of ordinary rows are read as whole columns. A block with anything out of the ordinary is
halved until the part in question is small, and read line by line: there, a row may go over
several lines, within quotes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from studybook.formats.contract import Reading
from studybook.formats.jtl.block import columns_of
from studybook.formats.jtl.columns import begin_ms, values_of
from studybook.formats.jtl.layout import Layout, cells_of, header_of
from studybook.formats.jtl.parts import Parts
from studybook.formats.jtl.tables import SAMPLE
from studybook.formats.raw import LONGEST_LINE, line_count

#: A part of a block that is not worth halving again.
_SMALL = 64 * 1024


@dataclass
class Rows:
    """The rows of a file as they come in.

    Parameters
    ----------
    out : Reading
        Where samples and the account of lines go.
    layout : Layout
        The columns; a further header may change them.
    """

    out: Reading
    layout: Layout
    parts: Parts = field(default_factory=Parts)
    samples: int = 0
    #: A row that goes on: its lines, and their size.
    _open: list[tuple[int, str]] = field(default_factory=list)
    _open_size: int = 0
    _read: list[dict[str, Any]] = field(default_factory=list)

    def take(self, line: int, block: bytes) -> None:
        """Read a block of whole lines."""
        place = 0
        while self._open and place < len(block):
            end = block.find(b"\n", place)
            self._line(line, block[place:end].decode())
            line += 1
            place = end + 1
        self._hand_over()
        while not self.samples and place < len(block):
            # A header; and what comes before the first row, if anything does.
            end = block.find(b"\n", place)
            self._line(line, block[place:end].decode())
            line += 1
            place = end + 1
        self._hand_over()
        if place < len(block):
            self._part(line, block[place:] if place else block)

    def close(self) -> None:
        """Give up a row that the file's end cuts off."""
        self._give_up()
        self._hand_over()

    def _part(self, line: int, block: bytes) -> None:
        if self._many(line, block):
            return
        middle = block.find(b"\n", len(block) // 2) + 1
        if len(block) > _SMALL and middle not in (0, len(block)):
            self._part(line, block[:middle])
            self.take(line + line_count(block[:middle]), block[middle:])
            return
        for number, text in enumerate(block.split(b"\n")[:-1], line):
            self._line(number, text.decode())
        self._hand_over()

    # --- line by line -------------------------------------------------------------------

    def _line(self, number: int, text: str) -> None:
        """Read a line: a row, a part of one, another header, or nothing that is understood."""
        odd = text.count('"') % 2 == 1
        if self._open and not odd:
            # Within quotes there is text of any kind, but hardly a whole row: if there is one,
            # the quote was never closed.
            row = self._row(text) if self.layout.delimiter in text else None
            if row is None:
                self._go_on(number, text)
                return
            self._give_up()
            self._keep(number, 1, row)
        elif self._open:
            whole = "\n".join([*(each for _, each in self._open), text])
            row = self._row(whole)
            if row is None:
                self._go_on(number, text)
                self._give_up()
            else:
                first = self._open[0][0]
                lines = len(self._open) + 1
                self._open, self._open_size = [], 0
                self._keep(first, lines, row)
        elif odd:
            self._go_on(number, text)
        elif not text.strip():
            self.out.heading()
        elif row := self._row(text):
            self._keep(number, 1, row)
        elif header := header_of(text):
            self.layout = header
            self.out.heading()
        else:
            self.out.unknown(number, text)

    def _go_on(self, number: int, text: str) -> None:
        """Keep the line of a row that goes on, unless that has become too long."""
        self._open.append((number, text))
        self._open_size += len(text) + 1
        if self._open_size > LONGEST_LINE:
            self._give_up()

    def _give_up(self) -> None:
        """Account for the lines of a row that does not end."""
        for number, text in self._open:
            self.out.unknown(number, text)
        self._open, self._open_size = [], 0

    def _row(self, text: str) -> dict[str, Any] | None:
        if len(text) >= LONGEST_LINE // 4 and len(text.encode()) >= LONGEST_LINE:
            return None  # cut off: the last cells are missing
        cells = cells_of(text, self.layout.delimiter)
        if cells is None or len(cells) != len(self.layout.names):
            return None
        given = zip(self.layout.names, cells, strict=True)
        return values_of(((name, cell) for name, cell in given if name), self.out.hints.date_order)

    def _keep(self, line: int, lines: int, row: dict[str, Any]) -> None:
        self._read.append({**row, "line": line})
        self.out.used(lines)
        self.samples += 1

    def _hand_over(self) -> None:
        """Hand over what was read line by line."""
        if not self._read:
            return
        rows, self._read = self._read, []
        times = [begin_ms(row) for row in rows]
        begins = np.array([ms or 0 for ms in times])
        took = np.array([(row.get("elapsed_ms") or 0) + (row.get("idle_ms") or 0) for row in rows])
        # Without a time, a row is a part of none.
        threads = [
            row.get("thread") if ms is not None else None
            for row, ms in zip(rows, times, strict=True)
        ]
        depth = self.parts.depths(
            pa.array(threads, pa.string()).dictionary_encode(),
            pa.array([row.get("label") for row in rows], pa.string()).dictionary_encode(),
            begins,
            begins + took,
            np.array([row["is_transaction"] for row in rows], np.bool_),
        )
        table = pa.Table.from_pylist(rows, schema=SAMPLE.schema)
        place = SAMPLE.schema.get_field_index("depth")
        self.out.block(SAMPLE.name, table.set_column(place, "depth", pa.array(depth)))

    # --- many rows at once --------------------------------------------------------------

    def _many(self, line: int, block: bytes) -> bool:
        """Read all rows of a block at once; False, and nothing read, if one is not ordinary."""
        columns = columns_of(block, self.layout, self.parts)
        if columns is None:
            return False
        rows = len(columns["depth"])
        columns["line"] = np.arange(line, line + rows)
        self.out.block(SAMPLE.name, pa.table(columns))
        self.out.used(rows)
        self.samples += rows
        return True
