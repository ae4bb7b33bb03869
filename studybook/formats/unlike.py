"""How a line that was not understood differs from those near it that were, for any format."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain

from studybook.formats.raw import RawFile, line_count

#: How many lines before a line, and behind it, are near it.
NEAR = 60

#: Letters of a line that are looked at, and of a cell that are printed.
LONGEST, SHOWN = 20_000, 40

#: What a cell may be, in words: by the group that fits first, or a word.
_WORD, _NUMBER = "a word", "a number"
_KINDS = (_WORD, "nothing", "a date or a time", _NUMBER)
_KIND = re.compile(
    r"()|(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)"
    r"|([-+]?(?:\d+(?:[.,]\d+)*|[.,]\d+)(?:[eE][-+]?\d+)?)"
)
#: Numbers with more digits are seldom measured.
_LONG = 15


def differences(raw: RawFile, unknown: Collection[int], unread: Collection[int]) -> dict[int, str]:
    """Say of lines how they differ from lines near them.

    Parameters
    ----------
    raw : RawFile
        The file.
    unknown : collection of int
        Numbers of the lines.
    unread : collection of int
        Those of all lines near them that were not understood: they are compared with the others.

    Returns
    -------
    dict of int to str
        By line, as “cell 3 is 'x', where line 41 has a number (12.5)”.
    """
    found: dict[int, str] = {}
    for first, block in raw.blocks():
        end = first + line_count(block)
        here = [number for number in unknown if first <= number < end]
        lines = block.decode().split("\n")[:-1] if here else []
        for number in here:
            place = number - first
            near = [
                (first + other, lines[other])
                for other in chain(
                    range(place - 1, max(place - NEAR, 0) - 1, -1),
                    range(place + 1, min(place + NEAR + 1, len(lines))),
                )
                if first + other not in unread
            ]
            found[number] = difference(lines[place], near)
        if end > max(unknown):
            break
    return found


def difference(text: str, near: Sequence[tuple[int, str]]) -> str:
    """Say how a line differs from the one that is most like it.

    Parameters
    ----------
    text : str
        The line.
    near : sequence of tuple of int and str
        Numbers and texts of others, the nearest first.
    """
    separator = max(";\t,|", key=text[:LONGEST].count)
    separator = separator if text.count(separator) > 1 else ""
    cells, kinds = _parts(text, separator)
    most, number, theirs, wanted = 0.49, 0, list[str](), list[str]()
    for place, other in near:
        others, as_what = _parts(other, separator)
        alike = _alike(kinds, as_what)
        if alike > most:
            most, number, theirs, wanted = alike, place, others, as_what
        if most == 1:  # none is more
            break
    if not theirs:
        return "no line near it has its form" if near else ""
    if len(theirs) != len(cells):
        return f"{len(cells)} cells, where line {number} has {len(theirs)}"
    unlike = [
        (place, own, each, as_what)
        for place, (own, kind, each, as_what) in enumerate(
            zip(cells, kinds, theirs, wanted, strict=True), 1
        )
        if kind != as_what
    ]
    if unlike:
        place, own, each, kind = unlike[0]
        more = f"; {len(unlike) - 1} more differ" if len(unlike) > 1 else ""
        example = f" ({_shown(each)})" if each else ""
        return f"cell {place} is {_shown(own)}, where line {number} has {kind}{example}{more}"
    known = {word for _, line in near for word in _parts(line, separator)[0]}
    strange = [cell for cell, kind in zip(cells, kinds, strict=True)
               if kind == _WORD and cell not in known]  # fmt: skip
    if strange:
        stand = "stands" if len(strange) == 1 else "stand"
        return f"{', '.join(map(_shown, strange[:3]))} {stand} in no line near it"
    for place, (own, kind, each) in enumerate(zip(cells, kinds, theirs, strict=True), 1):
        if kind == _NUMBER and (_shape(own) != _shape(each) or len(own) > _LONG >= len(each)):
            return f"cell {place} is {_shown(own)}, where line {number} has {_shown(each)}"
    return f"has the form of line {number}, which was read"


@lru_cache(maxsize=4 * NEAR)  # lines are near several
def _parts(text: str, separator: str) -> tuple[list[str], list[str]]:
    """The cells of a line, and what each is."""
    text = text[:LONGEST]
    cells = [each.strip() for each in text.split(separator)] if separator else text.split()
    return cells, [_kind(cell) for cell in cells]


def _kind(cell: str) -> str:
    found = _KIND.fullmatch(cell.strip('"'))
    return _KINDS[(found and found.lastindex) or 0]


def _shape(number: str) -> str:
    """What a number has beside digits and marks: a sign, an exponent."""
    return re.sub(r"[\d.,]", "", number)


def _alike(own: Sequence[str], other: Sequence[str]) -> float:
    """The share of cells that are of one kind; those of lines of two lengths from both ends."""
    if not own or not other:
        return 0.0
    if len(own) == len(other):
        return sum(a == b for a, b in zip(own, other, strict=True)) / len(own)
    shorter = min(len(own), len(other))
    start = next((n for n in range(shorter) if own[n] != other[n]), shorter)
    rest = shorter - start
    tail = next((n for n in range(rest) if own[-1 - n] != other[-1 - n]), rest)
    return 0.99 * (start + tail) / max(len(own), len(other))


def _shown(cell: str) -> str:
    return repr(cell if len(cell) <= SHOWN else f"{cell[:SHOWN]}…")
