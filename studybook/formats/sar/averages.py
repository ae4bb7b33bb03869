"""sar's own averages, held against the means of the rows.

A line of averages is no row. sar takes rates from the first and the last counter, so that they
are weighted with time, and gauges as the plain mean of the samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from studybook.formats.sar.activities import Column
from studybook.formats.sar.digits import Flags, Floats, Ints, nullable
from studybook.formats.sar.heading import Heading, number
from studybook.formats.sar.rows import Rows

#: Averages of these are ratios of two averages, and no mean of the rows.
_RATIOS = frozenset(
    ["await_ms", "service_ms", "request_kib", "queue", "reclaim_efficiency_percent"]
)
#: Their summary is the last sample.
_LAST_SAMPLE = frozenset(["sar_file_system", "sar_power_usb"])
#: Times are printed in whole seconds. Rates may differ by as much as an interval may, and by
#: no more than this.
_TOLERANCE = 0.05

#: Fewer rows than this are added one by one.
_FEW_ROWS = 200


@dataclass
class Totals:
    """Sums over the rows of a section, for each item."""

    places: dict[str, int] = field(default_factory=dict)
    #: For each item: rows, seconds, then the sums of each column, plain and times seconds.
    sums: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def add(self, rows: Rows, intervals: Floats) -> None:
        """Add the rows of a block."""
        values = rows.data.values
        columns, count = values.shape
        places = self._places(rows.names)
        size = len(self.places)
        grown = np.zeros((size, 2 + 2 * columns))
        if len(self.sums):
            grown[: len(self.sums)] += self.sums
        self.sums = grown
        weights = np.where(np.isnan(intervals), 0, intervals)
        item, period = rows.data.item, max(len(rows.names), 1)
        index = places[item] if rows.names else np.zeros(count, np.int64)
        if count < _FEW_ROWS:
            terms = np.empty((count, 2 + 2 * columns))
            terms[:, 0], terms[:, 1] = 1, weights
            terms[:, 2 : 2 + columns] = values.T
            terms[:, 2 + columns :] = (values * weights).T
            np.add.at(grown, index, terms)
        elif (
            count % period == 0
            and bool((index.reshape(-1, period) == index[:period]).all())
            and len(set(index[:period].tolist())) == period
        ):
            # The same items each time: a column is a matrix of samples and items.
            places = index[:period]
            each = weights.reshape(-1, period)
            grown[places, 0] += count // period
            grown[places, 1] += each.sum(axis=0)
            for column, numbers in enumerate(values):
                matrix = numbers.reshape(-1, period)
                grown[places, 2 + column] += matrix.sum(axis=0)
                grown[places, 2 + columns + column] += np.einsum("ij,ij->j", matrix, each)
        else:
            grown[:, 0] += np.bincount(index, minlength=size)
            grown[:, 1] += np.bincount(index, weights, size)
            for column, numbers in enumerate(values):
                grown[:, 2 + column] += np.bincount(index, numbers, size)
                grown[:, 2 + columns + column] += np.bincount(index, numbers * weights, size)

    def of(self, names: Sequence[str], item: Ints, columns: int) -> Floats:
        """The sums of some items; NaN for one that had no rows."""
        places = self._places(names)
        sums = np.full((len(self.places), 2 + 2 * columns), math.nan)
        sums[: len(self.sums)] = self.sums[:, : sums.shape[1]] if len(self.sums) else math.nan
        found: Floats = sums[places[item] if len(names) else np.zeros(len(item), np.int64)]
        return found

    def _places(self, names: Sequence[str]) -> Ints:
        return np.array([self.places.setdefault(name, len(self.places)) for name in names or [""]])


@dataclass
class Means:
    """Lines of averages of one section, held against its rows.

    Parameters
    ----------
    table : str
        Where the rows are.
    report_no, segment : int
        Where they stand.
    line : array of int64, shape (n,)
        Numbers of the lines.
    items : list of str or None
        Item of each line.
    labels : list of str
        Names of the columns; as printed, where a matrix has a column for each of many things.
    texts : list of str or None, of n * columns
        What is printed in columns that are no numbers.
    values, plain : array of float64, shape (n, columns)
        The averages as printed; plain means of the rows.
    agrees, unknown : array of bool, shape (n, columns)
        Whether an average is the plain mean or that weighted with time; whether that cannot be
        said.
    """

    table: str
    report_no: int
    segment: int
    line: Ints
    items: Sequence[str | None]
    labels: list[str]
    texts: Sequence[str | None]
    values: Floats
    plain: Floats
    agrees: Flags
    unknown: Flags


def compare(rows: Rows, heading: Heading, totals: Totals, report_no: int, segment: int) -> Means:
    """Hold the averages of a section against the means of its rows."""
    lines, own, across = rows.means, len(heading.numbers), heading.layout and heading.layout.across
    count = len(lines.line)
    item = lines.item if rows.names else np.zeros(count, np.int64)
    sums = totals.of(rows.names, item, own)
    values = lines.values.T
    with np.errstate(invalid="ignore", divide="ignore"):
        plain = sums[:, 2 : 2 + own] / sums[:, :1]
        weighted = sums[:, 2 + own :] / sums[:, 1:2]
        wrong_by = np.minimum(sums[:, :1] / sums[:, 1:2], _TOLERANCE)
    # A printed number may be off by half of its last digit, and so may those it came from.
    step = [1.001 * _step(rows.sample[place]) * column.factor for place, column in heading.numbers]
    agrees = np.abs(values - plain) <= step + wrong_by * np.abs(plain)
    agrees |= np.abs(values - weighted) <= step + wrong_by * np.abs(weighted)
    unknown = np.isnan(values) | np.isnan(weighted)
    unknown |= np.array([column.name in _RATIOS for _, column in heading.numbers], bool)
    unknown |= heading.table in _LAST_SAMPLE
    texts: list[str | None] = [None] * (count * own)
    if heading.texts:
        words = [[None] * own + list(row) for row in zip(*lines.texts, strict=True)]
        texts = [word for row in words for word in row]
        loose = [[number(word.encode(), Column("")) for word in row[own:]] for row in words]
        more = np.array(loose, float).reshape(count, len(heading.texts))
        values = np.hstack([values, more])
        plain = np.hstack([plain, np.full(more.shape, math.nan)])
        agrees = np.hstack([agrees, np.zeros(more.shape, bool)])
        unknown = np.hstack([unknown, np.ones(more.shape, bool)])
    return Means(
        heading.table,
        report_no,
        segment,
        lines.line,
        [rows.names[place] for place in lines.item] if rows.names else [None] * count,
        [
            heading.names[place] if across else column.name
            for place, column in [*heading.numbers, *heading.texts]
        ],
        texts,
        values,
        plain,
        agrees,
        unknown,
    )


def table(pieces: Sequence[Means]) -> pa.Table:
    """Averages as rows of ``sar_average``, one for each value."""
    widths = [len(piece.labels) for piece in pieces]
    sizes = [len(piece.line) * width for piece, width in zip(pieces, widths, strict=True)]

    def flat(name: str) -> Any:
        return np.concatenate([getattr(piece, name).ravel() for piece in pieces])

    def each(name: str) -> Any:
        return np.repeat([getattr(piece, name) for piece in pieces], sizes)

    items = [
        item
        for piece, width in zip(pieces, widths, strict=True)
        for item in piece.items
        for _ in range(width)
    ]
    lines = [np.repeat(piece.line, width) for piece, width in zip(pieces, widths, strict=True)]
    return pa.table(
        {
            "report_no": each("report_no"),
            "segment": each("segment"),
            "activity": pa.array([piece.table for piece in pieces]).take(
                pa.array(np.repeat(np.arange(len(pieces)), sizes))
            ),
            "item": pa.array(items, pa.string()),
            "name": [label for piece in pieces for label in piece.labels * len(piece.line)],
            "text": pa.array([text for piece in pieces for text in piece.texts], pa.string()),
            "value": nullable(flat("values")),
            "mean_of_rows": nullable(flat("plain")),
            "agrees": pa.array(flat("agrees"), mask=flat("unknown")),
            "line": np.concatenate(lines),
        }
    )


def _step(cell: bytes) -> float:
    digits = cell.replace(b",", b".").rstrip(b"%kMGTPB").partition(b".")[2]
    return float(10.0 ** -len(digits))
