"""Rows on their way to the tables: from sections of any size to a few large tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from studybook.formats.sar import interrupts
from studybook.formats.sar.activities import Column, Layout
from studybook.formats.sar.digits import Flags, Floats, Ints, nullable
from studybook.formats.sar.heading import Heading, number
from studybook.formats.sar.rows import Lines

#: Rows per chunk of names, at least: DuckDB takes them chunk by chunk.
_CHUNK = 20_000


@dataclass
class Piece:
    """Rows of one section from one block.

    Parameters
    ----------
    heading : Heading
        Their columns.
    report_no, segment : int
        Where they stand.
    names : list of str
        Names of items.
    rows : Lines
        The rows.
    moments : array of int64, shape (n,)
        When they were, in microseconds since 1970 by the host's clock.
    intervals : array of float64, shape (n,)
        In seconds; NaN is not known.
    set_back : array of bool, shape (n,), or None
        Whether the clock had been set back before; None if it never was.
    """

    heading: Heading
    report_no: int
    segment: int
    names: list[str]
    rows: Lines
    moments: Ints
    intervals: Floats
    set_back: Flags | None = None


def table(pieces: Sequence[Piece]) -> pa.Table:
    """Rows of pieces that have one heading as rows of their table."""
    heading = pieces[0].heading
    layout = heading.layout
    counts = [len(piece.moments) for piece in pieces]
    names, item = joined([piece.names for piece in pieces], [piece.rows.item for piece in pieces])
    values = _concatenated([piece.rows.values for piece in pieces], axis=1)
    if layout and layout.activity.table == interrupts.TABLE:
        return _interrupts(pieces, layout, names, item, values)
    width = len(heading.numbers) + len(heading.texts)
    each = 1 if layout else width
    n = sum(counts) * each
    items: Any = pa.nulls(n, pa.string())
    if heading.item is not None:
        items = _taken(names, np.repeat(item, each) if each > 1 else item)
    moments = _repeated([piece.moments for piece in pieces], each)
    columns: dict[str, Any] = {
        "report_no": _each([piece.report_no for piece in pieces], counts, each),
        "segment": _each([piece.segment for piece in pieces], counts, each),
        "time_local": pa.array(moments).view(pa.timestamp("us")),
        "interval_s": nullable(_repeated([piece.intervals for piece in pieces], each)),
        "line": _repeated([piece.rows.line for piece in pieces], each),
    }
    set_back = _set_back(pieces)
    if set_back is not None:
        flags = np.repeat(set_back, each)
        columns["set_back"] = pa.array(flags, mask=~flags)
    texts = [
        [text for piece in pieces for text in piece.rows.texts[place]]
        for place in range(len(heading.texts))
    ]
    if layout:
        if layout.item_column:
            columns[layout.item_column] = items
        for (_, column), numbers in zip(heading.numbers, values, strict=True):
            columns[column.name] = nullable(numbers)
        for (_, column), words in zip(heading.texts, texts, strict=True):
            columns[column.name] = pa.array(words, pa.string())
    else:
        words = [text for row in zip(*texts, strict=True) for text in row]
        columns |= {
            "header": pa.repeat(pa.scalar(" ".join(heading.names)), n),
            "item": items,
            "name": cycled([column.name for _, column in heading.texts], n),
            "text": pa.array(words, pa.string()),
            "value": pa.array([number(text.encode(), Column("")) for text in words], pa.float64()),
        }
    return pa.table(columns)


def _interrupts(
    pieces: Sequence[Piece], layout: Layout, names: list[str], item: Ints, values: Floats
) -> pa.Table:
    """Rates of interrupts: a list for each line of a matrix, or else for each interval."""
    counts = [len(piece.moments) for piece in pieces]
    moments = _concatenated([piece.moments for piece in pieces])
    intervals = _concatenated([piece.intervals for piece in pieces])
    columns: dict[str, Any] = {
        "report_no": np.repeat([piece.report_no for piece in pieces], counts),
        "segment": np.repeat([piece.segment for piece in pieces], counts), "time_local": moments,
        "interval_s": intervals, "line": _concatenated([piece.rows.line for piece in pieces]),
    }  # fmt: skip
    set_back = _set_back(pieces)
    if set_back is not None:
        columns["set_back"] = set_back
    if layout.across:
        starts = np.arange(len(moments))
        lists = interrupts.listed(values.T.ravel(), starts * len(values))
        of_lists = pa.repeat(pa.scalar(" ".join(layout.across)), len(moments))
    else:
        new = np.ones(len(moments), bool)
        known = np.nan_to_num(intervals, nan=-1)
        new[1:] = (moments[1:] != moments[:-1]) | (known[1:] != known[:-1])
        new[np.cumsum(counts[:-1], dtype=np.int64)] = True
        starts = np.flatnonzero(new)
        lists = interrupts.listed(values[0], starts)
        of_lists = interrupts.joined_names(names, item, starts)
    columns = {name: column[starts] for name, column in columns.items()}
    columns["time_local"] = pa.array(columns["time_local"]).view(pa.timestamp("us"))
    columns["interval_s"] = nullable(columns["interval_s"])
    if set_back is not None:
        columns["set_back"] = pa.array(columns["set_back"], mask=~columns["set_back"])
    if layout.across:
        columns[layout.item_column] = pa.array(names, pa.string()).take(pa.array(item))
    return pa.table(columns | {"names": of_lists, "rates_per_s": lists})


def _set_back(pieces: Sequence[Piece]) -> Flags | None:
    """For each row whether the clock had been set back; None if it never was."""
    if all(piece.set_back is None for piece in pieces):
        return None
    flags = [
        np.zeros(len(piece.moments), bool) if piece.set_back is None else piece.set_back
        for piece in pieces
    ]
    whole: Flags = _concatenated(flags)
    return whole if whole.any() else None


def joined(names: Sequence[list[str]], items: Sequence[Ints]) -> tuple[list[str], Ints]:
    """Items of several pieces with one list of names; a name may be in it more than once."""
    if len(names) == 1:
        return names[0], items[0]
    firsts = np.cumsum([0, *(len(each) for each in names[:-1])])
    moved = [item + first for item, first in zip(items, firsts, strict=True)]
    return [name for each in names for name in each], np.concatenate(moved)


def cycled(words: Sequence[str], length: int) -> pa.Array:
    """Words over and over again, up to a length."""
    places = np.resize(np.arange(len(words)), length)
    return pa.array(words, pa.string()).take(pa.array(places))


def _taken(names: list[str], item: Ints) -> pa.ChunkedArray:
    """The name of each row; made once and used again where names come again and again."""
    size = len(names) * (_CHUNK // max(len(names), 1) + 1)
    values = pa.array(names, pa.string())
    if len(item) > 2 * size and bool((item[size:] == item[:-size]).all()):
        chunk = values.take(pa.array(item[:size]))
        whole, rest = divmod(len(item), size)
        return pa.chunked_array([*[chunk] * whole, chunk.slice(0, rest)])
    return pa.chunked_array([values.take(pa.array(item))])


def _each(values: Sequence[int], counts: Sequence[int], each: int) -> pa.Array:
    if len(values) == 1:
        return pa.repeat(pa.scalar(values[0], pa.int32()), counts[0] * each)
    return pa.array(np.repeat(np.array(values, np.int32), np.array(counts) * each))


def _repeated(arrays: Sequence[Any], each: int) -> Any:
    whole = _concatenated(arrays)
    return np.repeat(whole, each) if each > 1 else whole


def _concatenated(arrays: Sequence[Any], axis: int = 0) -> Any:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays, axis=axis)
