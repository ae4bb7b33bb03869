"""Words and cells of a printed line: where they stand, and what number they are."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"([-+]?(?:\d{1,15}(?:\.\d{0,9})?|\.\d{1,9}))([KMGT]?)(/s|%)?", re.ASCII)
_DOTS = re.compile(r"\.+")
_DASHES = re.compile(r"-+(?:,-+)*")
_STARS = re.compile(r"\*+")
#: Label of a mean row; it may hold blanks, as ``>> All DASD <<`` does.
_LABEL = re.compile(r"\s*(>>?[^<>]{1,40}(?:>>|<<?))")
_RULE = re.compile(r"\s*[_=]{5,}|\s*-{40,}")
#: On a screen: which columns it may be sorted by, what may be typed, and what the keys do.
_SCREEN = re.compile(
    r"\s*(?:(?:\.|_{2,})(?:\s+(?:\.|_{2,}))+|Command ===>.*|(?:P?F\d{1,2}=\S+(?:\s+|$))+"
    r"|Select (?:a|an|one) .{1,100})\s*",
    re.ASCII,
)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


class Word(NamedTuple):
    """A word of a line: its text, and the places of its first and last character."""

    text: str
    start: int
    end: int


class Cell(NamedTuple):
    """A printed cell: text as it stands, number if it is one, reason if it is none."""

    text: str | None
    value: float | None
    null_reason: str | None


@lru_cache(maxsize=8)
def words(text: str) -> tuple[Word, ...]:
    """Return the words of a line; the label of a mean row is one word.

    A line is tried as one kind after the other: its words are kept meanwhile.
    """
    label = _LABEL.match(text)
    begin = label.end() if label else 0
    found = [Word(label[1], label.start(1), label.end(1) - 1)] if label else []
    found += [Word(m[0], m.start(), m.end() - 1) for m in _WORD.finditer(text, begin)]
    return tuple(found)


def is_label(text: str) -> bool:
    """Whether a word is the label of a mean row: ``>>Mean>>``, ``>System<``."""
    return ">" in text and bool(_LABEL.fullmatch(text))


def is_value(text: str) -> bool:
    """Whether a word can only be a cell: a number, dots, dashes or an overflow."""
    return any(kind.fullmatch(text) for kind in (_NUMBER, _DOTS, _DASHES, _STARS))


def is_rule(text: str) -> bool:
    """Whether a line is drawn, or is of the screen, not of the report."""
    return bool(_RULE.fullmatch(text) or _SCREEN.fullmatch(text[:300]))


def cell(text: str, k: int | None = None) -> Cell:
    """Read a cell.

    Parameters
    ----------
    text : str
        As printed. Dots mean not applicable and dashes a counter that the release no longer
        keeps (FCX102 in the documentation): both are NULL, not 0.
    k : int, optional
        What the suffix K stands for, 1000 or 1024; M is its square. Without it a number with
        a suffix stays text, since a guess may be wrong by 2.4 % for each power.
    """
    if match := _NUMBER.fullmatch(text):
        power = _POWERS[match[2]]
        if power and k is None:
            return Cell(text, None, "suffix of unknown size")
        return Cell(text, float(match[1]) * (k or 1) ** power, None)
    reasons = {"dots": _DOTS, "dashes": _DASHES, "overflow": _STARS}
    reason = next((name for name, kind in reasons.items() if kind.fullmatch(text)), "not a number")
    return Cell(text, None, reason)


def has_suffix(text: str) -> bool:
    """Whether a cell is a number with K, M, G or T behind it."""
    match = _NUMBER.fullmatch(text)
    return bool(match and match[2])
