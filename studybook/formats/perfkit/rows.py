"""Rows of tables on their way to records: kept, and read column by column when there are many."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from studybook.formats.contract import Reading
from studybook.formats.perfkit.columns import Columns
from studybook.formats.perfkit.known import Remarks

#: Rows that are kept before their cells are handed on.
_KEPT_ROWS = 1_000

#: Odd cells of a column: their first row, the column, the kind, the text, how many there are.
_Odd = tuple[int, int, str, str, int]


class Row(NamedTuple):
    """What a row says of all of its cells."""

    report_no: int
    row_no: int
    time_local: datetime | None
    mean_row: bool
    row_key: str
    line: int


class Rows:
    """Rows of reports, until there are enough; those of one kind and heading are kept together."""

    def __init__(self, out: Reading) -> None:
        self._out = out
        self._kept: dict[tuple[Remarks, tuple[str, ...]], _Kept] = {}
        self._number = 0

    def take(
        self, columns: Columns, remarks: Remarks, row: Row, texts: Sequence[str | None]
    ) -> None:
        """Take a row, with the text under each column."""
        key = (remarks, columns.paths)
        if key not in self._kept:
            self._kept[key] = _Kept(columns, remarks)
        self._kept[key].rows.append(row)
        self._kept[key].texts.append(texts)
        self._number += 1
        if self._number >= _KEPT_ROWS:
            self.hand_on()

    def hand_on(self) -> None:
        """Hand on the cells of all rows that were taken."""
        kept, self._kept, self._number = self._kept, {}, 0
        for each in kept.values():
            self._out.block("perfkit_value", each.cells())


class _Kept:
    """Rows of one kind of report below equal headings."""

    def __init__(self, columns: Columns, remarks: Remarks) -> None:
        self.columns, self.remarks = columns, remarks
        self.rows: list[Row] = []
        self.texts: list[Sequence[str | None]] = []

    def cells(self) -> pa.Table:
        """Their cells, row by row; odd ones are remarked."""
        columns = [pa.array(column, pa.string()) for column in zip(*self.texts, strict=True)]
        odd: list[_Odd] = []
        read = [self._read(place, column, odd) for place, column in enumerate(columns)]
        for first, _, kind, text, count in sorted(odd):
            self.remarks.cells(kind, self.rows[first].line, text, count)
        # Columns stand one below the other: the cells row by row, without the places of none.
        by_row = np.arange(len(columns) * len(self.rows)).reshape(len(columns), -1).T.ravel()
        texts = pa.concat_arrays(columns)
        order = by_row[texts.is_valid().to_numpy(zero_copy_only=False)[by_row]]
        of_column, of_row = map(pa.array, np.divmod(order, len(self.rows)))
        metrics = [each.metric and each.metric.metric for each in self.columns.all]
        said = dict(zip(Row._fields, zip(*self.rows, strict=True), strict=True))
        values, reasons = (pa.concat_arrays(parts) for parts in zip(*read, strict=True))
        return pa.table(
            {name: pa.array(of_rows).take(of_row) for name, of_rows in said.items()}
            | {
                "column_path": pa.array(self.columns.paths, pa.string()).take(of_column),
                "metric": pa.array(metrics, pa.string()).take(of_column),
                "text": texts.take(pa.array(order)),
                "value": values.take(pa.array(order)),
                "null_reason": reasons.take(pa.array(order)),
            }
        )

    def _read(self, place: int, column: pa.Array, odd: list[_Odd]) -> tuple[pa.Array, pa.Array]:
        """Read the cells of a column: their values, and the reasons where they have none."""
        encoded = column.dictionary_encode()
        read = [self.columns.cell(place, text) for text in encoded.dictionary.to_pylist()]
        for number, each in enumerate(read):
            if kind := Remarks.kind(each, self.columns.all[place].k):
                rows = np.flatnonzero(encoded.indices.fill_null(-1).to_numpy() == number)
                odd.append((int(rows[0]), place, kind, str(each.text), len(rows)))
        values = pa.array([each.value for each in read], pa.float64())
        reasons = pa.array([each.null_reason for each in read], pa.string())
        return values.take(encoded.indices), reasons.take(encoded.indices)
