"""Words, cells and labelled values of a printed line: where they stand, and what they say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"([-+]?(?:\d{1,15}(?:\.\d{0,9})?|\.\d{1,9}))([KMGT]?)(/s|%)?", re.ASCII)
_DOTS = re.compile(r"\.+")
_DASHES = re.compile(r"-+(?:,-+)*")
_STARS = re.compile(r"\*+")
_VALUE = re.compile(
    "|".join(f"(?:{each.pattern})" for each in (_NUMBER, _DOTS, _DASHES, _STARS)), re.ASCII
)
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
    return bool(_VALUE.fullmatch(text))


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


_COLON = re.compile(r"\s*([A-Za-z][^:]{0,60}?)\s*:\s+(\S+(?: \S+){0,9})")
_FREE = re.compile(r"\s*(\S+(?: \S+)*)\s{2,}(\S+)(?=\s{2,}|$)")

Pair = dict[str, Any]


def colon(text: str) -> Pair | None:
    """Read ``label : value``."""
    match = _COLON.fullmatch(text) if ": " in text else None
    if not match:
        return None
    found = cell(match[2])
    reason = None if found.null_reason == "not a number" else found.null_reason
    return {"label": match[1], "text": match[2], "value": found.value, "null_reason": reason}


def free(text: str) -> list[Pair]:
    """Read ``label   254/s   label   .0/s``; nothing if the line is not such as a whole."""
    found: list[Pair] = []
    place = 0
    while place < len(text):
        match = _FREE.match(text, place)
        if not match or is_value(match[1].split()[-1]) or not is_value(match[2]):
            return []
        found.append({"label": match[1], **cell(match[2])._asdict()})
        place = match.end()
    return found


class Halves:
    """A table of labels, counts and rates, twice side by side, as in FCX102.

    Labels begin and numbers end exactly where their headings do: the documentation prints the
    columns, so there is no tolerance.
    """

    def __init__(self, heading: str) -> None:
        row = words(heading)
        self.parts = [row[place : place + 3] for place in range(0, len(row), 3)]

    @staticmethod
    def is_heading(text: str) -> bool:
        """Whether a line is the heading of such a table."""
        row = [word.text for word in words(text)]
        return len(row) == 6 and row[:3] == row[3:] and row[1:3] == ["Count", "Rate/s"]

    def row(self, text: str) -> list[Pair] | None:
        """Read a row; None if it does not fit."""
        starts = [part[0].start for part in self.parts]
        found: list[Pair] = []
        for part, start, end in zip(self.parts, starts, [*starts[1:], None], strict=True):
            if start and text[start - 1 : start].strip():
                return None
            piece = " " * start + text[start:end]
            if not piece.strip():
                continue
            pair = _half(piece, part)
            if pair is None:
                return None
            found.append(pair)
        return found


def _half(piece: str, part: Sequence[Word]) -> Pair | None:
    """Read one half of a row: its label, and both numbers or none."""
    label_at, count_at, rate_at = part
    row = words(piece)
    numbers = {word.end: word for word in row if is_value(word.text)}
    count, rate = numbers.get(count_at.end), numbers.get(rate_at.end)
    label = [word for word in row if word not in (count, rate)]
    if not label or label[0].start != label_at.start or (count is None) != (rate is None):
        return None
    text = piece[label_at.start : label[-1].end + 1]
    if "  " in text or (count and label[-1].end > count.start):
        return None
    if count is None or rate is None:
        if is_value(label[-1].text):
            return None
        return {"label": text, "null_reason": "blank"}
    number, per_second = cell(count.text), cell(rate.text)
    return {
        "label": text, "text": count.text, "value": number.value, "rate_text": rate.text,
        "rate_per_s": per_second.value, "null_reason": number.null_reason,
    }  # fmt: skip
