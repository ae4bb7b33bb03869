"""JTL files as CSV: with a header in any order, or as JMeter writes them without one.

There is a row per sample, and most rows are ordinary.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.jtl.block import columns_of
from studybook.formats.jtl.columns import (
    SAMPLE,
    Layout,
    begin_ms,
    header_of,
    headless_of,
    is_headless,
    values_of,
)
from studybook.formats.jtl.parts import Parts
from studybook.formats.jtl.passes import Passes
from studybook.formats.quoted_rows import QuotedRows, cells_for
from studybook.formats.raw import Head, RawFile


class Rows(QuotedRows):
    """The rows of a file as they come in; a further header may change the layout."""

    def __init__(self, out: Reading, layout: Layout) -> None:
        super().__init__(out)
        self.layout = layout
        self.parts = Parts()
        self.passes = Passes()
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
        if (cells := cells_for(self.layout.names, text, self.layout.delimiter)) is None:
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
        local = np.array([row.get("time_local") is not None for row in rows])
        second = self.passes.second((begins + took)[local])
        if second is not None:
            for row, is_second in zip(
                (row for row, is_local in zip(rows, local, strict=True) if is_local),
                second.tolist(), strict=True,
            ):  # fmt: skip
                row["set_back"] = is_second or None
        table = pa.Table.from_pylist(rows, schema=SAMPLE.schema)
        place = SAMPLE.schema.get_field_index("depth")
        self.out.block(SAMPLE.name, table.set_column(place, "depth", pa.array(depth)))

    def _many(self, line: int, block: bytes) -> bool:
        self._hand_over()
        columns = columns_of(block, self.layout, self.parts, self.passes)
        if columns is None:
            return False
        rows = len(columns["depth"])
        columns["line"] = np.arange(line, line + rows)
        self.out.block(SAMPLE.name, pa.table(columns))
        self.out.used(rows)
        self.samples += rows
        return True


#: So many rows of the head are looked at before a file without a header is believed.
_LOOKED_AT = 200

WITH_HEADER = (
    "let JMeter write the names of the columns: jmeter.save.saveservice.print_field_names=true;"
    " in a file that is there already, put the line of names that belongs to it on top"
)


def recognise(head: Head) -> bool:
    """Whether the file begins with a header of JMeter's columns, or a row as JMeter writes it."""
    return header_of(head.first) is not None or is_headless(head.first)


def read(raw: RawFile, out: Reading) -> None:
    """Read the samples of the file.

    Raises
    ------
    Refused
        If there is none, or if it cannot be told which column is which.
    """
    rows = Rows(out, _layout(raw, out))
    rows.read(raw)
    if not rows.samples:
        raise Refused(
            "has a header of JMeter's results, but no sample"
            if not out.lines_not_understood
            else "no row could be read: times, flags or numbers are not as JMeter prints them",
            "times must be in ms (jmeter.save.saveservice.timestamp_format=ms, the default) or"
            " like 2016/07/14 09:30:12.345",
            line=out.first_unknown,
        )
    if rows.parts.found:
        out.remark(
            1,
            f"{rows.parts.found} rows are parts of the sample before them in their thread, by"
            " label and time: kept, and not counted twice",
        )


def _layout(raw: RawFile, out: Reading) -> Layout:
    lines = [line for line in raw.head.lines if line.strip()]
    if layout := header_of(lines[0]):
        if not {"elapsed", "time"} & set(layout.names):
            raise Refused(
                "has no column elapsed: how long samples took was not saved",
                "run the test again with jmeter.save.saveservice.time=true",
                line=1,
            )
        if "timestamp" not in layout.names:
            out.remark(1, "there is no column timeStamp: the samples are in no interval")
        if layout.not_kept:
            names = ", ".join(layout.not_kept[:10])
            out.remark(1, f"{len(layout.not_kept)} columns are not kept: {names}")
        return layout
    # The last line of the head may be cut.
    layout = headless_of(lines[: max(min(_LOOKED_AT, len(lines) - 1), 1)])
    if layout is None:
        raise Refused(
            "has rows of JMeter's results without a header, and not the columns that JMeter saves"
            " by default: which column is which cannot be told",
            WITH_HEADER,
            line=1,
        )
    out.certainty = "inferred"
    out.remark(
        1,
        f"there is no header: the {len(layout.names)} columns are taken for those that JMeter"
        " saves by default, which no row contradicts",
    )
    return layout
