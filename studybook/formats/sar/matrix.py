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
import numpy.typing as npt
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
    read_plainly,
    read_row,
)  # fmt: skip

#: Fewer bytes than this are read line by line: that is faster.
_FEW_BYTES = 3_000
#: Fewer lines of one length than this are read line by line.
_FEW_LINES = 24
_LONGEST = 4096
_WORD = re.compile(rb"\S+")
_BLANK = ord(" ")
#: In place of the seconds: the line is one of averages; it is not read yet, or neither.
_MEAN, _NONE = -1, -2


def read(block: bytes, parts: Sequence[Part], heading: Heading, *, plain: bool) -> Rows:
    """Read the lines of a section the faster way; line by line if ``plain``."""
    if plain or heading.texts or sum(part.end - part.start for part in parts) < _FEW_BYTES:
        return read_plainly(block, parts, heading)
    view = memoryview(block)
    data = b"".join([view[part.start : part.end] for part in parts])
    text = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(text == ord("\n")) + 1
    lengths = np.diff(ends, prepend=0)
    starts = ends - lengths
    n = len(ends)
    names, times = Names(), np.full(n, _NONE)
    item = np.zeros(0 if heading.item is None else n, np.int64)
    values = np.empty((len(heading.numbers), n))
    often = np.bincount(np.minimum(lengths, _LONGEST))[:_LONGEST]
    for length in np.flatnonzero(often >= _FEW_LINES).tolist():
        which: Any = slice(None)
        if often[length] == n:
            rows = text.reshape(n, length)
        else:
            which = np.flatnonzero(lengths == length)
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
                item[place] = names.number(row.item)
        else:
            others.append((place, each))
    line = np.concatenate([np.arange(part.line, part.line + part.lines) for part in parts])
    is_row, is_mean = times >= 0, times == _MEAN

    def lines(which: Flags) -> Lines:
        return Lines(line[which], item[which[: len(item)]], values[:, which], [])

    before = np.concatenate([[0], np.cumsum(is_row)]).tolist()
    counts = np.cumsum([0, *(part.lines for part in parts[:-1])]).tolist()
    mean = int(is_mean.argmax())
    sample = read_row(data[starts[mean] : ends[mean] - 1], heading) if is_mean[mean] else None
    return Rows(
        list(names.numbers), lines(is_row), times[is_row], lines(is_mean),
        sample.cells if sample else [],
        [(before[place], part.head) for part, place in zip(parts, counts, strict=True)],
        [(before[place], int(line[place]), each) for place, each in others],
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
    times = np.array([_time(word, heading) for word in words], np.int64)[index]
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
        item = np.array([_number(word, names) for word in words], np.int64)[index]
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


def _words(rows: Bytes, start: int, end: int) -> tuple[list[str], Ints]:
    """The words in a field, and which of them each row has."""
    key = digits.words(rows, end - 8)[0] >> np.uint64(8 * max(8 - (end - start), 0))
    index = _codes(key)
    for place in range(start, end - 8, 8):
        more = _codes(digits.words(rows, place)[0])
        index = _codes(index * (int(more.max()) + 1) + more)
    first = np.empty(int(index.max()) + 1, np.int64)
    first[index[::-1]] = np.arange(len(rows))[::-1]
    return [rows[row, start:end].tobytes().decode(errors="replace").strip() for row in first], index


def _codes(key: npt.NDArray[np.integer]) -> Ints:
    codes: Ints = pa.array(key).dictionary_encode().indices.to_numpy().astype(np.int64)
    return codes


def _time(word: str, heading: Heading) -> int:
    """The seconds of a time of day, or what stands for averages."""
    found = _seconds(word)
    words = word.split()
    if found == _NONE and 1 <= len(words) <= 3 and not any(map(str.isdigit, word)):
        return _MEAN if names_averages(word.encode(), heading) else _NONE
    return found


@lru_cache(maxsize=100_000)
def _seconds(word: str) -> int:
    """The seconds of a time of day: the sections of a file have the same ones, all of them."""
    match = TIME.match(text := word.encode() + b" ")
    time = seconds(match) if match and match.end() == len(text) - 1 else None
    return _NONE if time is None else time


def _number(word: str, names: Names) -> int:
    """The number of an item; -1 of what may be none."""
    one_word = len(word.split()) == 1 and word.isprintable()
    return names.number(word) if one_word and word != "COM" else -1
