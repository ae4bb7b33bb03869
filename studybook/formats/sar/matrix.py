"""The lines of a long section, read as a matrix of bytes.

Lines of one length are the rows of a matrix, and :mod:`studybook.formats.sar.digits` reads its
columns. Where these lie is taken from one row that was read the plain way; every other line
must have blanks and digits at the same places, or is read the plain way, too. So both ways
give the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from studybook.formats.sar import digits
from studybook.formats.sar.clock import TIME, seconds
from studybook.formats.sar.digits import Bytes, Fields, Flags, Ints, Words
from studybook.formats.sar.heading import Cells, Heading
from studybook.formats.sar.rows import (
    Lines,
    Names,
    Part,
    Row,
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


def read(block: bytes, parts: Sequence[Part], heading: Heading, *, plain: bool) -> Rows:
    """Read the lines of a section the faster way; line by line if ``plain``."""
    size = sum(part.end - part.start for part in parts)
    if plain or size < _FEW_BYTES or heading.texts:
        return read_plainly(block, parts, heading)
    view = memoryview(block)
    data = b"".join([view[part.start : part.end] for part in parts])
    counts = [part.lines for part in parts]
    number = sum(counts)
    found = _Found(number, heading)
    text = np.frombuffer(data, np.uint8)
    length = data.find(b"\n") + 1
    if length * number == len(data) and bool((text[length - 1 :: length] == 10).all()):
        starts = np.arange(0, len(data), length)
        lengths = np.full(number, length)
        found.add(text.reshape(number, length), None)
    else:
        ends = np.flatnonzero(text == 10) + 1
        lengths = np.diff(ends, prepend=0)
        starts = ends - lengths
        often = np.bincount(np.minimum(lengths, _LONGEST))[:_LONGEST]
        for length in np.flatnonzero(often >= _FEW_LINES).tolist():
            which = np.flatnonzero(lengths == length)
            windows = np.lib.stride_tricks.sliding_window_view(text, length)
            found.add(windows[starts[which]], which)
    others: list[tuple[int, bytes]] = []
    for place in np.flatnonzero(found.seconds == _NONE).tolist():
        start = starts[place]
        each = data[start : start + lengths[place] - 1]
        if row := read_row(each, heading):
            found.set(place, row)
        else:
            others.append((place, each))
    line = np.concatenate(
        [np.arange(part.line, part.line + part.lines) for part in parts], dtype=np.int64
    )
    is_row, is_mean = found.seconds >= 0, found.seconds == _MEAN
    before = np.concatenate([[0], np.cumsum(is_row)])
    sample: Cells = []
    if is_mean.any():
        first = int(is_mean.argmax())
        mean = read_row(data[starts[first] : starts[first] + lengths[first] - 1], heading)
        sample = mean.cells if mean else []
    return Rows(
        list(found.names.numbers),
        found.lines(line, is_row),
        found.seconds if is_row.all() else found.seconds[is_row],
        found.lines(line, is_mean),
        sample,
        [
            (int(before[place]), part.head)
            for part, place in zip(parts, np.cumsum([0, *counts[:-1]]).tolist(), strict=True)
        ],
        [(int(before[place]), int(line[place]), each) for place, each in others],
    )


#: In place of the seconds: the line is one of averages; it is not read yet, or neither.
_MEAN, _NONE = -1, -2


class _Found:
    """Lines while they are gathered, those of each length at once."""

    def __init__(self, number: int, heading: Heading) -> None:
        self.heading = heading
        self.names = Names()
        self.seconds = np.full(number, _NONE, np.int64)
        self.item = np.zeros(number if heading.item is not None else 0, np.int64)
        self.values = np.empty((len(heading.numbers), number))

    def add(self, rows: Bytes, which: Ints | None) -> None:
        """Read all lines of one length that can be; ``which`` of the lines they are, or all."""
        shape = _shape(rows, self.heading)
        if shape is None:
            return
        time_end, fields, item = shape
        good = np.ones(len(rows), bool)
        values = []
        for each in fields:
            some, fine = digits.read(rows, each)
            values.append(some)
            good &= fine
        end = fields[-1].start + fields[-1].width * fields[-1].number
        if item:
            names, index = _items(rows, *item)
            index = np.array([self._number(name) for name in names], np.int64)[index]
            good &= index >= 0
            end = max(end, item[1])
        if end < rows.shape[1] - 1:
            good &= (rows[:, end:-1] == _BLANK).all(axis=1)
        times = _times(rows, time_end)
        times[times < 0] = _NONE
        times[_are_means(rows, time_end, good & (times < 0), self.heading)] = _MEAN
        # A time and what follows it are parted.
        good &= (rows[:, time_end - 1] == _BLANK) | (rows[:, time_end] == _BLANK)
        times[~good] = _NONE
        found = values[0] if len(values) == 1 else np.concatenate(values)
        for row, (_, column) in zip(found, self.heading.numbers, strict=True):
            if column.factor != 1:
                row *= column.factor
        if which is None:
            self.seconds, self.values = times, found
            if item:
                self.item = index
        else:
            self.seconds[which] = times
            self.values[:, which] = found
            if item:
                self.item[which] = index

    def set(self, place: int, row: Row) -> None:
        """Put a line that was read the plain way in its place."""
        self.seconds[place] = max(row.seconds, _MEAN)
        self.values[:, place] = row.values
        if row.item is not None:
            self.item[place] = self.names.number(row.item)

    def lines(self, line: Ints, which: Flags) -> Lines:
        """Some of the lines."""
        number = int(np.count_nonzero(which))
        if which[:number].all():  # all the lines, or those before the averages
            return Lines(line[:number], self.item[:number], self.values[:, :number], [])
        item = self.item[which] if len(self.item) else self.item
        return Lines(line[which], item, self.values[:, which], [])

    def _number(self, name: str) -> int:
        one_word = len(name.split()) == 1 and name.isprintable()
        return self.names.number(name) if one_word and name != "COM" else -1


def _shape(
    rows: Bytes, heading: Heading
) -> tuple[int, list[Fields], tuple[int, int] | None] | None:
    """Where time, fields and item lie, by the first row that is one; None if nothing fits."""
    for number in range(min(3, len(rows))):
        text = rows[number].tobytes()
        match = TIME.match(text)
        if match and read_row(text[:-1], heading):
            break
    else:
        return None
    time_end = max(match.end(), 11)
    spans = [word.span() for word in _WORD.finditer(text, time_end)]
    if len(spans) != len(heading.names) or text[match.end() : time_end].strip():
        return None
    starts = [time_end, *(end for _, end in spans)]
    fields: list[Fields] = []
    for place, _ in heading.numbers:
        start, end = starts[place], spans[place][1]
        cell = text[spans[place][0] : end]
        point = max(cell.find(b"."), cell.find(b","))
        decimals = len(cell) - point - 1 if point >= 0 else 0
        field = Fields(start, end - start, 1, decimals, cell[point] if point >= 0 else ord("."))
        if not 2 <= field.whole <= digits.WIDEST or decimals > 2:
            return None
        last = fields[-1] if fields else field
        same = (last.width, last.decimals, last.point) == (field.width, decimals, field.point)
        if fields and same and last.start + last.width * last.number == start:
            fields[-1] = Fields(last.start, last.width, last.number + 1, decimals, last.point)
        else:
            fields.append(field)
    if heading.item is None:
        return time_end, fields, None
    end = rows.shape[1] - 1 if heading.item == len(spans) - 1 else spans[heading.item][1]
    return time_end, fields, (starts[heading.item], end)


def _times(rows: Bytes, end: int) -> Ints:
    """The time of day of each row, below 0 where there is none; equal ones are read once."""
    colons = end == 11 and bool(rows[0, 2] == ord(":"))
    if colons:
        first, last = digits.words(rows, 0)[0], digits.words(rows, 3)[0]
        new = (first[1:] != first[:-1]) | (last[1:] != last[:-1])
    else:
        new = (rows[1:, :end] != rows[:-1, :end]).any(axis=1)
    starts = np.concatenate([[0], np.flatnonzero(new) + 1])
    if colons:
        times = _clock(first[starts].tobytes(), last[starts].tobytes())
    else:
        texts = np.ascontiguousarray(rows[starts, :end]).view(f"S{end}")[:, 0]
        times = np.array([_time(text) for text in texts.tolist()], np.int64)
    return np.repeat(times, np.diff(starts, append=len(rows)))


@lru_cache(maxsize=2)
def _clock(first: bytes, last: bytes) -> Ints:
    """Times of day; the sections of a file have the same ones, all of them."""
    return digits.clock(np.frombuffer(first, np.uint64), np.frombuffer(last, np.uint64))


def _time(text: bytes) -> int:
    match = TIME.match(text + b" ")
    time = seconds(match) if match and not text[match.end() :].strip() else None
    return _NONE if time is None else time


def _are_means(rows: Bytes, end: int, maybe: Flags, heading: Heading) -> Ints:
    """Which rows begin with the word for averages: with that of the first, if it is one."""
    which = np.flatnonzero(maybe)
    if not len(which):
        return which
    label = rows[which[0], :end]
    text = label.tobytes()
    if not 1 <= len(text.split()) <= 3 or text.translate(None, b"0123456789") != text:
        return which[:0]
    if not names_averages(text, heading):
        return which[:0]
    same = (rows[which, :end] == label).all(axis=1)
    found: Ints = which[same & ((label[-1] == _BLANK) | (rows[which, end] == _BLANK))]
    return found


def _items(rows: Bytes, start: int, end: int) -> tuple[list[str], Ints]:
    """The names in a field, and which of them each row has.

    sar prints the same items in the same order each time; only where it does not, the names
    are looked up one by one.
    """
    width = end - start
    keys = [digits.words(rows, end - 8)[0]]
    if width < 8:
        keys[0] >>= np.uint64(8 * (8 - width))
    keys += [digits.words(rows, place)[0] for place in range(start, end - 8, 8)]
    period = _period(keys)
    if period:
        index = np.resize(np.arange(period), len(rows))
        first = np.arange(period)
    else:
        index = _codes(keys[0])
        for key in keys[1:]:
            more = _codes(key)
            index = _codes(index * (int(more.max()) + 1) + more)
        first = np.empty(int(index.max()) + 1, np.int64)
        first[index[::-1]] = np.arange(len(rows))[::-1]
    names = [rows[row, start:end].tobytes().decode(errors="replace").strip() for row in first]
    return names, index


def _period(keys: Sequence[Words]) -> int:
    """After how many rows the names come again in the same order; 0 if they do not."""
    again = np.logical_and.reduce([key[1:] == key[0] for key in keys])
    period = int(again.argmax()) + 1 if again.any() else 0
    if period and all(bool((key[period:] == key[:-period]).all()) for key in keys):
        return period
    return 0


def _codes(key: npt.NDArray[np.integer]) -> Ints:
    encoded = pa.array(key).dictionary_encode()
    codes: Ints = encoded.indices.to_numpy().astype(np.int64)
    return codes
