"""The rows of a CSV: one per sample, most of them ordinary."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from studybook.formats.contract import Reading
from studybook.formats.jtl.block import columns_of
from studybook.formats.jtl.columns import begin_ms, values_of
from studybook.formats.jtl.layout import Layout, header_of
from studybook.formats.jtl.parts import Parts
from studybook.formats.jtl.tables import SAMPLE
from studybook.formats.quoted_rows import QuotedRows, cells_of


class Rows(QuotedRows):
    """The rows of a file as they come in.

    Parameters
    ----------
    out : Reading
        Where samples and the account of lines go.
    layout : Layout
        The columns; a further header may change them.
    """

    def __init__(self, out: Reading, layout: Layout) -> None:
        super().__init__(out)
        self.layout = layout
        self.parts = Parts()
        self.samples = 0
        self._read: list[dict[str, Any]] = []

    def take(self, line: int, block: bytes) -> None:
        """Read a block of whole lines."""
        super().take(line, block)
        self._hand_over()

    def close(self) -> None:
        """Give up a row that the file's end cuts off."""
        super().close()
        self._hand_over()

    def _header(self, text: str) -> bool:
        header = header_of(text)
        self.layout = header or self.layout
        return header is not None

    def _row(self, text: str) -> dict[str, Any] | None:
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
            pa.array([row.get("label") for row in rows], pa.string()).dictionary_encode(), begins,
            begins + took, np.array([row["is_transaction"] for row in rows], np.bool_),
        )  # fmt: skip
        table = pa.Table.from_pylist(rows, schema=SAMPLE.schema)
        place = SAMPLE.schema.get_field_index("depth")
        self.out.block(SAMPLE.name, table.set_column(place, "depth", pa.array(depth)))

    def _many(self, line: int, block: bytes) -> bool:
        self._hand_over()
        columns = columns_of(block, self.layout, self.parts)
        if columns is None:
            return False
        rows = len(columns["depth"])
        columns["line"] = np.arange(line, line + rows)
        self.out.block(SAMPLE.name, pa.table(columns))
        self.out.used(rows)
        self.samples += rows
        return True
