"""The lines of a long section, read as a matrix of bytes.

Lines of one length are the rows of a matrix, and :mod:`studybook.formats.sar.digits` reads its
columns. Where these lie is taken from one row that was read the plain way; every other line
must have blanks and digits at the same places, or is read the plain way, too. So both ways
give the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

from studybook.formats.sar import digits
from studybook.formats.sar.clock import TIME, seconds
from studybook.formats.sar.digits import Bytes, Fields, Flags, Floats, Ints
from studybook.formats.sar.heading import Heading
from studybook.formats.sar.rows import (
    Lines,
    Names,
    Part,
    Rows,
    names_averages,
    number_of,
    read_plainly,
    read_row,
)  # fmt: skip

#: Fewer bytes than this are read line by line: that is faster.
_FEW_BYTES = 3_000
#: Fewer lines of one length than this are read line by line.
_FEW_LINES = 24
_LONGEST = 4096
_WORD = re.compile(rb"\S+")
_BLANK, _FEED = ord(" "), ord("\n")
#: In place of the seconds: the line is one of averages; it is not read yet, or neither.
_MEAN, _NONE = -1, -2


def read(block: bytes, parts: Sequence[Part], heading: Heading, *, plain: bool) -> Rows:
    """Read the lines of a section the faster way; line by line if ``plain``."""
    if plain or heading.texts or sum(part.end - part.start for part in parts) < _FEW_BYTES:
        return read_plainly(block, parts, heading)
    view = memoryview(block)
    data = b"".join([view[part.start : part.end] for part in parts])
    text = np.frombuffer(data, np.uint8)
    n, length = sum(part.lines for part in parts), data.find(b"\n") + 1
    alike = length * n == len(data) and bool((text[length - 1 :: length] == _FEED).all())
    every: dict[int, Any] = {length: slice(None)}
    if alike:
        ends, groups = np.arange(length, len(data) + 1, length), every
    else:
        ends = np.flatnonzero(text == _FEED) + 1
        lengths = np.diff(ends, prepend=0)
        often = np.flatnonzero(np.bincount(np.minimum(lengths, _LONGEST)) >= _FEW_LINES)
        groups = {each: np.flatnonzero(lengths == each) for each in often.tolist()}
    starts = np.concatenate([[0], ends[:-1]])
    times = np.full(n, _NONE)
    names: Names = {}
    item = np.zeros(0 if heading.item is None else n, np.int64)
    values = np.empty((len(heading.numbers), n))
    for length, which in groups.items():
        if alike:
            rows = text.reshape(n, length)
        else:
            rows = np.lib.stride_tricks.sliding_window_view(text, length)[starts[which]]
        if found := _read_alike(rows, heading, names):
            times[which], values[:, which] = found[0], found[2]
            if found[1] is not None:
                item[which] = found[1]
    others: list[tuple[int, bytes]] = []
    for place in np.flatnonzero(times == _NONE).tolist():
        each = data[starts[place] : ends[place] - 1]
        if row := read_row(each, heading):
            times[place], values[:, place] = max(row.seconds, _MEAN), row.values
            if row.item is not None:
                item[place] = number_of(row.item, names)
        else:
            others.append((place, each))
    line = np.concatenate([np.arange(part.line, part.line + part.lines) for part in parts])
    is_row, is_mean = times >= 0, times == _MEAN

    def lines(which: Flags) -> Lines:
        number = int(np.count_nonzero(which))
        # All the lines most often, or those before the averages.
        kept: Any = slice(number) if which[:number].all() else which
        return Lines(line[kept], item[kept] if len(item) else item, values[:, kept], [])

    before = np.concatenate([[0], np.cumsum(is_row)])
    counts = np.cumsum([0, *(part.lines for part in parts[:-1])]).tolist()
    mean = int(is_mean.argmax())
    sample = read_row(data[starts[mean] : ends[mean] - 1], heading) if is_mean[mean] else None
    return Rows(
        list(names), lines(is_row), times[is_row], lines(is_mean),
        sample.cells if sample else [],
        [
            (int(before[place]), part.line, part.head)
            for part, place in zip(parts, counts, strict=True)
        ],
        [(int(line[place]), each) for place, each in others],
    )  # fmt: skip


def _read_alike(
    rows: Bytes, heading: Heading, names: Names
) -> tuple[Ints, Ints | None, Floats] | None:
    """Read lines of one length: times, items, values; None if the first ones are no rows."""
    shape = _shape(rows, heading)
    if shape is None:
        return None
    time_end, item_span, fields = shape
    words, index = _words(rows, 0, time_end)
    times = np.array([_seconds(word) for word in words])
    for place in np.flatnonzero(times == _NONE).tolist():
        label = words[place].strip()
        if 1 <= len(label.split()) <= 3 and label.translate(None, b"0123456789") == label:
            times[place] = _MEAN if names_averages(label, heading) else _NONE
    times = times[index]
    # A time and what follows it are parted.
    good = (rows[:, time_end - 1] == _BLANK) | (rows[:, time_end] == _BLANK)
    values = []
    for each in fields:
        some, fine = digits.read(rows, each)
        values.append(some)
        good &= fine
    end, item = fields[-1].end, None
    if item_span:
        words, index = _words(rows, *item_span)
        item = np.array([_number(word.decode(errors="replace"), names) for word in words])[index]
        good &= item >= 0
        end = max(end, item_span[1])
    if end < rows.shape[1] - 1:
        good &= (rows[:, end:-1] == _BLANK).all(axis=1)
    times[~good] = _NONE
    found = values[0] if len(values) == 1 else np.concatenate(values)
    for row, (_, column) in zip(found, heading.numbers, strict=True):
        if column.factor != 1:
            row *= column.factor
    return times, item, found


def _shape(
    rows: Bytes, heading: Heading
) -> tuple[int, tuple[int, int] | None, list[Fields]] | None:
    """Where time, item and numbers lie, by the first row that is one; None if nothing fits."""
    texts = (each.tobytes() for each in rows[:3])
    found = ((text, match) for text in texts if (match := TIME.match(text)))
    text, match = next((each for each in found if read_row(each[0][:-1], heading)), (b"", None))
    if not match:
        return None
    time_end = max(match.end(), 11)
    spans = [word.span() for word in _WORD.finditer(text, time_end)]
    if len(spans) != len(heading.names) or text[match.end() : time_end].strip():
        return None
    starts = [time_end, *(end for _, end in spans)]
    fields: list[Fields] = []
    for place, _ in heading.numbers:
        start, end = starts[place], spans[place][1]
        point = max(text.find(mark, start, end) for mark in b".,")
        decimals = end - point - 1 if point >= 0 else 0
        field = Fields(start, end - start, 1, decimals, text[point] if decimals else ord("."))
        if not 2 <= field.whole <= digits.WIDEST or decimals > 2:
            return None
        if (
            fields
            and replace(field, start=fields[-1].start, number=fields[-1].number) == fields[-1]
            and fields[-1].end == start
        ):
            fields[-1] = replace(fields[-1], number=fields[-1].number + 1)
        else:
            fields.append(field)
    if heading.item is None:
        return time_end, None, fields
    end = rows.shape[1] - 1 if heading.item == len(spans) - 1 else spans[heading.item][1]
    return time_end, (starts[heading.item], end), fields


def _words(rows: Bytes, start: int, end: int) -> tuple[list[bytes], Ints]:
    """What stands in a field, blanks and all, and which of that each row has.

    A time comes again and again, and then no more; sar prints the same items in the same order
    each time. Only where it is neither, all of them are looked up.
    """
    places = (*range(start, end - 8, 8), end - 8)
    keys = [np.ndarray(len(rows), "<u8", rows, place, rows.shape[1:]).copy() for place in places]
    new = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    firsts = np.concatenate([[0], np.flatnonzero(new) + 1])
    n = len(firsts)
    keys = [key if n == len(rows) else key[firsts] for key in keys]
    again = np.logical_and.reduce([key[1:] == key[0] for key in keys])
    period = int(again.argmax()) + 1 if again.any() else n
    if not all(bool((key[period:] == key[:-period]).all()) for key in keys):
        period = n
    field = pa.py_buffer(np.ascontiguousarray(rows[firsts[:period], start:end]))
    words = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(end - start), period, [None, field]
    ).dictionary_encode()
    index = np.resize(words.indices.to_numpy(), n)
    index = index if n == len(rows) else np.repeat(index, np.diff(firsts, append=len(rows)))
    return words.dictionary.to_pylist(), index


@lru_cache(maxsize=100_000)
def _seconds(text: bytes) -> int:
    """The seconds of a time of day: the sections of a file have the same ones, all of them."""
    match = TIME.match(text + b" ")
    time = seconds(match) if match and not text[match.end() :].strip() else None
    return _NONE if time is None else time


def _number(word: str, names: Names) -> int:
    """The number of an item; -1 of what may be none."""
    parts = word.split()
    return (
        number_of(parts[0], names)
        if len(parts) == 1 and parts[0].isprintable() and parts[0] != "COM"
        else -1
    )
