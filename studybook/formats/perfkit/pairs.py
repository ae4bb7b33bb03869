"""Labelled values outside tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from studybook.formats.perfkit.cells import Word, cell, is_value, words

_COLON = re.compile(r"\s*([A-Za-z][^:]{0,60}?)\s*:\s+(\S+(?: \S+){0,9})")
_FREE = re.compile(r"\s*(\S+(?: \S+)*)\s{2,}(\S+)(?=\s{2,}|$)")

Pair = dict[str, Any]


def colon(text: str) -> Pair | None:
    """Read ``label : value``."""
    match = _COLON.fullmatch(text)
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
