"""sar's own averages, held against the means of the rows.

A line of averages is no row. sar takes rates from the first and the last counter, so that they
are weighted with time, and gauges as the plain mean of the samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from studybook.formats.sar.activities import Column
from studybook.formats.sar.digits import Floats, Ints, nullable
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


@dataclass
class Totals:
    """Sums over the rows of a section, for each item."""

    places: dict[str, int] = field(default_factory=dict)
    #: For each item: rows, seconds, then the sums of each column, plain and times seconds.
    sums: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def add(self, rows: Rows, intervals: Floats) -> None:
        """Add the rows of a block."""
        values = rows.data.values
        places = self._places(rows.names)
        sums = np.zeros((len(self.places), 2 + 2 * len(values)))
        sums[: len(self.sums)] = self.sums if len(self.sums) else 0
        weights = np.where(np.isnan(intervals), 0, intervals)
        index = places[rows.data.item] if rows.names else np.zeros(len(weights), np.int64)
        terms = (None, weights, *values, *(values * weights))
        for place, term in enumerate(terms):
            sums[:, place] += np.bincount(index, term, len(sums))
        self.sums = sums

    def of(self, names: Sequence[str], item: Ints, columns: int) -> Floats:
        """The sums of some items; NaN for one that had no rows."""
        places = self._places(names)
        sums = np.full((len(self.places), 2 + 2 * columns), math.nan)
        sums[: len(self.sums)] = self.sums if len(self.sums) else math.nan
        found: Floats = sums[places[item] if len(names) else np.zeros(len(item), np.int64)]
        return found

    def _places(self, names: Sequence[str]) -> Ints:
        return np.array([self.places.setdefault(name, len(self.places)) for name in names or [""]])


def compare(
    rows: Rows, heading: Heading, totals: Totals, where: dict[str, int]
) -> tuple[pa.Table, int, int]:
    """Hold the averages of a section against the means of its rows.

    Returns
    -------
    table : pyarrow.Table
        Rows of ``sar_average``, one for each value.
    averaged, disagreeing : int
        How many could be held against the rows; and how many of these are neither the plain
        mean nor that weighted with time.
    """
    lines, own = rows.means, len(heading.numbers)
    count, more = len(lines.line), len(heading.texts)
    sums = totals.of(rows.names, lines.item, own) if rows.names else totals.of([], lines.line, own)
    values = lines.values.T
    with np.errstate(invalid="ignore", divide="ignore"):
        plain = sums[:, 2 : 2 + own] / sums[:, :1]
        weighted = sums[:, 2 + own :] / sums[:, 1:2]
        wrong_by = np.minimum(sums[:, :1] / sums[:, 1:2], _TOLERANCE)
    # A printed number may be off by half of its last digit, and so may those it came from.
    step = [1.001 * _step(rows.sample[place]) * column.factor for place, column in heading.numbers]
    agrees = np.abs(values - plain) <= step + wrong_by * np.abs(plain)
    agrees |= np.abs(values - weighted) <= step + wrong_by * np.abs(weighted)
    unknown = np.isnan(values) | np.isnan(weighted) | (heading.table in _LAST_SAMPLE)
    unknown |= np.array([column.name in _RATIOS for _, column in heading.numbers], bool)
    # What is printed in columns that are no numbers has no mean.
    words = [[None] * own + list(row) for row in zip(*lines.texts, strict=True)]
    if more:
        texts = [[number(word.encode(), Column("")) for word in row[own:]] for row in words]
        values = np.hstack([values, np.array(texts, float).reshape(count, more)])
        plain = np.hstack([plain, np.full((count, more), math.nan)])
        agrees = np.hstack([agrees, np.zeros((count, more), bool)])
        unknown = np.hstack([unknown, np.ones((count, more), bool)])
    # In a matrix the columns are named as printed: each of many things has one.
    labels = [
        heading.names[place] if heading.layout and heading.layout.across else column.name
        for place, column in [*heading.numbers, *heading.texts]
    ]
    width, n = own + more, count * (own + more)
    items = [rows.names[place] for place in lines.item] if rows.names else [None] * count
    flat = [word for row in words for word in row] if more else [None] * n
    columns = {
        **{name: pa.repeat(pa.scalar(value, pa.int32()), n) for name, value in where.items()},
        "activity": pa.repeat(pa.scalar(heading.table), n),
        "item": pa.array([item for item in items for _ in range(width)], pa.string()),
        "name": labels * count,
        "text": pa.array(flat, pa.string()),
        "value": nullable(values.ravel()),
        "mean_of_rows": nullable(plain.ravel()),
        "agrees": pa.array(agrees.ravel(), mask=unknown.ravel()),
        "line": np.repeat(lines.line, width),
    }
    known = ~unknown
    return pa.table(columns), int(known.sum()), int((known & ~agrees).sum())


def _step(cell: bytes) -> float:
    decimals = cell.replace(b",", b".").rstrip(b"%kMGTPB").partition(b".")[2]
    return float(10.0 ** -len(decimals))
