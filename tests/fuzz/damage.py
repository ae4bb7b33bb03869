"""The ways in which a raw file gets damaged, or is made to do harm.

A way has kinds, such as the line that is put into the file; the place is left to chance. Work is
on bytes: a file may be written in any encoding, and after some damage is in none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from tests.support.fixtures import ONE_OF_EACH


@dataclass(frozen=True)
class Way:
    """A way of damage.

    Parameters
    ----------
    name : str
        What is done to the file, in a word or two.
    kinds : sequence
        What it is done with.
    do : callable
        Returns the damaged content; is handed the content, one of the kinds, and chance.
    """

    name: str
    kinds: Sequence[Any]
    do: Callable[[bytes, Any, Random], bytes]


HOSTILE_LINES = [
    b"\x00\x00\x00",
    b"\xff\xfe\xfa",
    b"9" * 30,
    b"write " + b"9" * 400 + b" 1" * 9,
    b"1e999 nan -inf NA - 0x10",
    b" ".join(b"%d" % number for number in range(1000)),
    b",".join(b"%d" % number for number in range(1000)),
    b"x" * 5000,
    b"[" * 100,
    b'{"a": ' * 50,
    b'"\\ud800": "\\udfff",',
    "²³ ٣٤ 1２3 \u2028\u2029 \x0b\x0c\x1c\x85".encode(),
    b"\r\r\r",
    b"-----",
    b"=" * 200,
    b": : : = = =",
    b"Began               : Fri Feb 31 25:61:61 0000",
    b"TestID              : 99999999999999999999999999",
    b"%s %n $(id) `id` ; DROP TABLE x",
]

#: What stands in the place of cells, of one number, and of a word.
CELLS = [b"9" * 30, b"nan", b"-", b"1e999", b"\xc2\xb2"]
NUMBERS = [b"1" + b"0" * 30, b"-" + b"1" * 30, b"1e400", b"1.7e308", b"nan", b"0", "٣".encode()]
WORDS = [b"", b"renamed", b"null"]
#: Of a letter: half of a character in JSON, one of another encoding, a colour, a control byte.
LETTERS = [rb"\ud800", b"\xe9", b"\x1b[31m", b"\x07"]
SEPARATORS = [b" ", b",", b";", b"\t", b":"]

_NUMBER = re.compile(rb"\d+(?:[.,]\d+)?")
_WORD = re.compile(rb"[A-Za-z][\w%./]*")
_LETTER = re.compile(rb"[A-Za-z]")
_BLANK = re.compile(rb"[ \t]+")


def _place(content: Sequence[Any], chance: Random) -> int:
    return chance.randint(0, len(content))


def _lines(content: bytes) -> list[bytes]:
    return content.splitlines(keepends=True) or [b""]


def _cut(content: bytes, kind: str, chance: Random) -> bytes:
    if kind == "anywhere":
        return content[: _place(content, chance)]
    lines = _lines(content)
    return b"".join(lines[: _place(lines, chance)])


def _move_lines(content: bytes, kind: str, chance: Random) -> bytes:
    """Leave lines out, repeat them, or mix them."""
    lines = _lines(content)
    first, last = sorted((_place(lines, chance), _place(lines, chance)))
    part = lines[first : last + 1]
    if kind == "repeated":
        part = part * 2
    elif kind == "mixed":
        chance.shuffle(part)
    else:
        part = []
    return b"".join([*lines[:first], *part, *lines[last + 1 :]])


def _change_bytes(content: bytes, most: int, chance: Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(chance.randint(1, most)):
        if damaged:
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    return bytes(damaged)


def _insert_line(content: bytes, line: bytes, chance: Random) -> bytes:
    lines = _lines(content)
    place = _place(lines, chance)
    return b"".join([*lines[:place], line + b"\n", *lines[place:]])


def _change_cells(content: bytes, cell: bytes, chance: Random) -> bytes:
    """Change each third word that has a digit in it."""
    words = content.replace(b" ", b"  ").split(b" ")
    offset = chance.randrange(3)
    return b" ".join(
        cell if number % 3 == offset and any(48 <= byte < 58 for byte in word) else word
        for number, word in enumerate(words)
    )


def _change_one(what: re.Pattern[bytes]) -> Callable[[bytes, bytes, Random], bytes]:
    def change(content: bytes, by: bytes, chance: Random) -> bytes:
        places = list(what.finditer(content))
        if not places:
            return content
        at = chance.choice(places)
        return content[: at.start()] + by + content[at.end() :]

    return change


def _change_fourths(content: bytes, by: bytes, chance: Random) -> bytes:
    """Change each fourth number, and nothing around it."""
    places = count(chance.randrange(4))
    return _NUMBER.sub(lambda found: found[0] if next(places) % 4 else by, content)


def _change_each(content: bytes, by: bytes, chance: Random) -> bytes:
    """Change a word wherever it stands."""
    words = list(dict.fromkeys(_WORD.findall(content)))
    if not words:
        return content
    word = re.escape(chance.choice(words))
    return re.sub(rb"(?<!\w)" + word + rb"(?!\w)", lambda _: by, content)


def _change_dates(content: bytes, by: bytes, _: Random) -> bytes:
    if by == b"99":
        return re.sub(rb"\b\d\d([/:.-])\d\d", rb"00\g<1>99", content)
    return re.sub(rb"\b(19|20)\d\d\b", by, content)


def _insert_nul(content: bytes, kind: str, chance: Random) -> bytes:
    if kind == "anywhere":
        place = _place(content, chance)
        return content[:place] + b"\x00\x00" + content[place:]
    # Beyond the head, a file may hold anything.
    return content + (b" " * 999 + b"\n") * 70 + b"\x00\x01\x02\n" + content


def _insert_columns(content: bytes, separator: bytes, chance: Random) -> bytes:
    """Put in a row of ten thousand columns, and perhaps a header of as many."""
    names = separator.join(b"name%d" % number for number in range(10_000)) + b"\n"
    row = separator.join(b"%d" % number for number in range(10_000))
    return _insert_line(content, names * chance.randrange(2) + row, chance)


def _append(content: bytes, other: Path | None, chance: Random) -> bytes:
    """Go over into a file of another format; or into the same, which is cut somewhere."""
    more = other.read_bytes() if other else content[: chance.randrange(len(content) + 1)]
    return content + b"\n" * chance.randrange(2 if other is None else 1, 3) + more


#: The ways of damage, each with its kinds.
WAYS = [
    Way("cut", ["anywhere", "behind a line"], _cut),
    Way("lines", ["left out", "repeated", "mixed"], _move_lines),
    Way("bytes", [1, 8], _change_bytes),
    Way("hostile line", HOSTILE_LINES, _insert_line),
    Way("hostile cells", CELLS, _change_cells),
    Way("number", NUMBERS * 3, _change_one(_NUMBER)),
    Way("each fourth number", NUMBERS, _change_fourths),
    Way("one word", WORDS * 3, _change_one(_WORD)),
    Way("each such word", WORDS * 3, _change_each),
    Way("one letter", LETTERS, _change_one(_LETTER)),
    Way("blanks", [b"", b"   ", b"\t", b",", b"\n"], _change_one(_BLANK)),
    Way("dates", [b"0000", b"9999", b"99999", b"99"], _change_dates),
    Way("NUL bytes", ["anywhere", "far behind"], _insert_nul),
    Way("columns", SEPARATORS, _insert_columns),
    Way("another format", list(ONE_OF_EACH.values()), _append),
    Way("once more", [None], _append),
]


@dataclass(frozen=True)
class Damaged:
    """A damaged file, and how it came to be."""

    content: bytes
    how: str


def draws(
    name: str, content: bytes, ways: Sequence[Way], kinds: int, turn: int = 0
) -> Iterator[Damaged]:
    """Damage a file in every way, the same each time.

    Parameters
    ----------
    name : str
        Of the file.
    content : bytes
        What it holds.
    ways : sequence of Way
        How it may be damaged.
    kinds : int
        With how many of its kinds each way is taken.
    turn : int
        The file's number: the next is damaged with the next kinds.
    """
    for way in ways:
        step = max(1, len(way.kinds) // kinds)
        for number in range(turn % step, len(way.kinds), step)[:kinds]:
            kind = way.kinds[number]
            chance = Random(f"{name} {way.name} {number}")  # noqa: S311 - no secret
            yield Damaged(way.do(content, kind, chance), f"{way.name}: {kind!r:.60}")


def damage(content: bytes, ways: Sequence[Way], chance: Random) -> Damaged:
    """Damage a file in one to three ways, by chance."""
    how = []
    for way in chance.choices(ways, k=chance.randint(1, 3)):
        kind = chance.choice(way.kinds)
        content = way.do(content, kind, chance)
        how.append(f"{way.name}: {kind!r:.60}")
    return Damaged(content, "; ".join(how))
