"""What a file says again from its beginning on: an export that was appended to itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

#: By so many bytes the beginning is known again.
_MARK = 512

#: So many numbers that differ from one another do not come out the same by chance; some may, of a
#: short output or an idle machine, and fewer say nothing.
_NUMBERS, _FEW = 24, 8
_NUMBER = re.compile(rb"\d+(?:[.:]\d+)*")

#: By times it is known that the beginning tells of the same time again: captures of settings, or of
#: counters, may begin alike for long.
_TIME = re.compile(rb"(?<!\d)\d\d:\d\d:\d\d(?!\d)|\b1\d{9}(?:\d{3}){0,3}\b")

#: How much of a file is looked at, at once; and where the beginning stands again, but not for long.
_BLOCK, _MOST_PLACES = 1 << 20, 20


@dataclass(frozen=True)
class Repetition:
    """Bytes of a file that repeat those before them, to the letter.

    Attributes
    ----------
    start, end : int
        Where they begin, and where they end. All bytes before them are repeated, in turn; the last
        copy may be cut by the end of the file.
    by_chance : bool
        Whether a tool may have printed the same again: there are few numbers in it.
    in_part : bool
        Whether only some of the bytes before them are repeated, from the first on, and others
        follow: one of two exports went on longer, or begins otherwise further down.
    cut : int
        How many of these bytes are the line in which the first of two copies is cut, and within
        which the second begins: with that, all lines before it follow once more.
    """

    start: int
    end: int
    by_chance: bool
    in_part: bool = False
    cut: int = 0

    @property
    def is_needless(self) -> bool:
        """Whether nothing is lost without these bytes."""
        return not self.by_chance and not self.in_part

    @property
    def copies(self) -> int:
        """How often the beginning stands there again as a whole, but for blank lines at its end."""
        return max(1, (self.end - self.start) // self.start)


def repetition(opened: Callable[[], BinaryIO]) -> Repetition | None:
    """Find what a file says again, from its beginning on.

    Parameters
    ----------
    opened : callable
        Opens the file, each time anew.
    """
    # Two streams, for a text that is decoded knows then how to come back to a place.
    with opened() as first, opened() as second:
        return _repetition(first, second)


def _repetition(first: BinaryIO, second: BinaryIO) -> Repetition | None:
    head = first.read(_BLOCK)
    line = head.find(b"\n") + 1
    mark = head[: min(_MARK, len(head) // 4, max(len(head) // 16, line))]
    found = None
    places = [*islice(_places(second, mark), _MOST_PLACES)]
    for start in places:
        alike, to_the_end = _alike(first, second, start)
        # What is unlike long before a copy could end needs no second look.
        before = _before(second, start) if alike >= start - _BLOCK else b""
        glued = not before.endswith((b"\n", b"\0"))
        # Between two copies there may be a blank line more than behind the second.
        blank = to_the_end and alike < start and _is_blank(second, alike, start)
        whole = blank or (alike >= start and not glued)
        lines = None if whole else _lines_before_a_cut(before, start, alike)
        # Glued to the only line before it, the second copy makes one line of both.
        is_cut = lines is not None and not (glued and lines == 0)
        said = head[: start if whole or is_cut else head.rfind(b"\n", 0, alike) + 1]
        numbers = set(_NUMBER.findall(said))
        chance = len(numbers) < _NUMBERS
        if is_cut and len(numbers) >= _FEW:
            # Of several that broke off each has a part of its own; a line end may end a whole line.
            if not lines or not glued or start != places[-1]:
                return Repetition(start, start + alike, chance, in_part=True)
            return Repetition(lines, start + lines, chance, cut=start - lines)
        if whole:
            alike -= 0 if to_the_end else alike % start
            # One of a few like lines is no sign of anything.
            whole = to_the_end and (alike < start or alike % start == 0)
            if whole or len(numbers) >= _FEW:
                return Repetition(start, start + alike, chance, in_part=chance and not whole)
            return None
        if not chance and not found and len(set(_TIME.findall(said))) > 1:
            found = Repetition(start, start + alike, chance, in_part=True)
    return found


def _before(stream: BinaryIO, place: int) -> bytes:
    """The last bytes before a place: what a line may hold."""
    stream.seek(max(0, place - _BLOCK))
    return stream.read(min(place, _BLOCK))


def _lines_before_a_cut(before: bytes, start: int, alike: int) -> int | None:
    """The bytes of all lines before a last one that may be cut; None if not all come again."""
    said = before.rstrip(b"\n")
    if b"\0" in before or alike < start - len(before) + len(said):
        return None
    return start - len(before) + said.rfind(b"\n") + 1


def _places(stream: BinaryIO, mark: bytes) -> Iterator[int]:
    """Where a mark stands, but for the beginning of the file."""
    offset, block = 0, b""
    while mark and (data := stream.read(_BLOCK)):
        block += data
        place = block.find(mark, 1)
        while place > 0:
            yield offset + place
            place = block.find(mark, place + 1)
        kept = block[-len(mark) :]  # a mark may lie across two blocks
        offset += len(block) - len(kept)
        block = kept


def _is_blank(stream: BinaryIO, start: int, end: int) -> bool:
    """Whether a part of a file is nothing but a few line ends."""
    if end - start > _MARK:
        return False
    stream.seek(start)
    return not stream.read(end - start).strip(b"\n\0")


def _alike(first: BinaryIO, second: BinaryIO, start: int) -> tuple[int, bool]:
    """How many bytes from a place on are those of the beginning, and whether none are left then."""
    first.seek(0)
    second.seek(start)
    alike = 0
    while there := second.read(_BLOCK):
        before = first.read(len(there))
        if there != before:
            pairs = zip(there, before, strict=True)
            return alike + next(n for n, (a, b) in enumerate(pairs) if a != b), False
        alike += len(there)
    return alike, True
