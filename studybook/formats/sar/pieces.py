"""Rows of one section from one block of a file, as rows of their table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from studybook.formats.sar import interrupts
from studybook.formats.sar.activities import Column
from studybook.formats.sar.digits import Flags, Floats, Ints, nullable
from studybook.formats.sar.heading import Heading, number
from studybook.formats.sar.rows import Rows

#: Rows per chunk of names, at least: DuckDB takes them chunk by chunk.
_CHUNK = 20_000


def table(
    found: Rows, heading: Heading, where: dict[str, int], moments: Ints, intervals: Floats,
    set_back: Flags | None,
) -> pa.Table:  # fmt: skip
    """Rows as rows of their table.

    Parameters
    ----------
    found : Rows
        The rows, n of them.
    heading : Heading
        Their columns.
    where : dict of str to int
        Report and segment.
    moments : array of int64, shape (n,)
        When they were, in microseconds since 1970 by the host's clock.
    intervals : array of float64, shape (n,)
        In seconds; NaN is not known.
    set_back : array of bool, shape (n,), or None
        Whether the clock had been set back before; None if it never was.

    Returns
    -------
    pyarrow.Table
        A row for each, with rates of interrupts a row for each list of them, and of an activity
        that is not known a row for each value.
    """
    rows, names, layout = found.data, found.names, heading.layout
    across = layout.across if layout else ()
    rates = layout is not None and layout.activity.table == interrupts.TABLE
    at: Any = slice(None)  # the rows whose times are kept
    if rates and not across:
        known = np.nan_to_num(intervals, nan=-1)
        new = np.ones(len(moments), bool)
        new[1:] = (moments[1:] != moments[:-1]) | (known[1:] != known[:-1])
        at = np.flatnonzero(new)
    elif not layout:
        at = np.repeat(np.arange(len(moments)), len(heading.texts))
    line = rows.line[at]
    columns: dict[str, Any] = {
        name: pa.repeat(pa.scalar(value, pa.int32()), len(line)) for name, value in where.items()
    }
    columns["time_local"] = pa.array(moments[at]).view(pa.timestamp("us"))
    columns["interval_s"] = nullable(intervals[at])
    columns["line"] = line
    if set_back is not None:
        columns["set_back"] = pa.array(set_back[at], mask=~set_back[at])
    if rates and not across:
        columns["names"] = interrupts.joined_names(names, rows.item, at)
        columns["rates_per_s"] = interrupts.listed(rows.values[0], at)
        return pa.table(columns)
    items = _taken(names, rows.item[at]) if heading.item is not None else None
    if layout and layout.item_column:
        columns[layout.item_column] = items
    if across:
        columns["names"] = pa.repeat(pa.scalar(" ".join(across)), len(line))
        starts = np.arange(len(line)) * len(across)
        columns["rates_per_s"] = interrupts.listed(rows.values.T.ravel(), starts)
    elif layout:
        for (_, column), numbers in zip(heading.numbers, rows.values, strict=True):
            columns[column.name] = nullable(numbers)
        for (_, column), words in zip(heading.texts, rows.texts, strict=True):
            columns[column.name] = pa.array(words, pa.string())
    else:
        texts = [text for row in zip(*rows.texts, strict=True) for text in row]
        columns |= {
            "header": pa.repeat(pa.scalar(" ".join(heading.names)), len(line)),
            "item": items if items is not None else pa.nulls(len(line), pa.string()),
            "name": [column.name for _, column in heading.texts] * len(moments),
            "text": pa.array(texts, pa.string()),
            "value": pa.array([number(text.encode(), Column("")) for text in texts], pa.float64()),
        }
    return pa.table(columns)


def _taken(names: list[str], item: Ints) -> pa.ChunkedArray:
    """The name of each row; made once and used again where names come again and again."""
    size = len(names) * (_CHUNK // max(len(names), 1) + 1)
    values = pa.array(names, pa.string())
    if len(item) > 2 * size and bool((item[size:] == item[:-size]).all()):
        chunk = values.take(pa.array(item[:size]))
        whole, rest = divmod(len(item), size)
        return pa.chunked_array([*[chunk] * whole, chunk.slice(0, rest)])
    return pa.chunked_array([values.take(pa.array(item))])
