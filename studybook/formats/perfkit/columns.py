"""Columns of a printed table, found by the right edges of the words of its heading.

In FCX102 as documented, each number ends where the heading above it ends; names begin where
their headings begin. No place in a line is known in advance. A row is understood only if each
of its words stands under one column and each column has its word: then the order of the words
says the same as their places, and a row in which blanks were lost or added is not misread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from studybook.formats.perfkit.cells import Cell, Word, cell, is_label, is_value, words
from studybook.formats.perfkit.known import KnownReport, Metric, headings, known_report, named

#: How far the end of a number may be from the end of its heading.
TOLERANCE = 1

_GROUP = re.compile(r"<[^<>]*>")


class NotUnderstood(Exception):
    """A row that does not fit the columns, and why."""


@dataclass
class Column:
    """One column: where its lowest heading word begins and ends, and the words above it."""

    start: int
    end: int
    plain: list[str]
    groups: list[str] = field(default_factory=list)
    metric: Metric | None = None

    @property
    def path(self) -> str:
        """The words of its heading: ``CPU/Pct Busy``; a hyphenated word is one."""
        return "/".join([*self.groups, " ".join(self.plain).replace("- ", "-")])

    @property
    def is_text(self) -> bool:
        """Whether it is known to hold names."""
        return self.metric is not None and self.metric.is_text

    @property
    def k(self) -> int | None:
        """What the suffix K stands for in its cells, where that is known."""
        return self.metric.k if self.metric else None


class Columns:
    """The columns of a table, by the lines of its heading, the lowest last."""

    def __init__(self, lines: Sequence[str], report: KnownReport) -> None:
        if not lines or not lines[-1].strip():
            raise NotUnderstood("no heading")
        self.heading = "\n".join(lines)
        self.all = [Column(word.start, word.end, [word.text]) for word in _joined(words(lines[-1]))]
        for line in reversed(lines[:-1]):
            self._put_on_top(line)
        self.paths = tuple(column.path for column in self.all)
        for column, metric in zip(self.all, named(report, self.paths), strict=True):
            column.metric = metric
        metrics = [column.metric.metric if column.metric else None for column in self.all]
        #: The columns that say what a row is of, and what they are.
        self.naming = [
            (place, metric)
            for place, metric in enumerate(metrics)
            if metric and metric in (*report.key, *report.fill)
        ]
        self.fill, self.again = frozenset(report.fill), frozenset(report.again)
        self._fillable = self.fill.intersection(metrics)
        #: Whether rows come in groups, of which the first one names what it is of.
        self.in_groups = not self._fillable.isdisjoint(report.fill[:1])
        self._by_end = {column.end: number for number, column in enumerate(self.all)}
        self._by_start = {column.start: number for number, column in enumerate(self.all)}

    @property
    def unknown(self) -> list[str]:
        """The paths of the columns that the table of headings does not know."""
        return [column.path for column in self.all if not column.metric]

    def _put_on_top(self, line: str) -> None:
        for match in _GROUP.finditer(line):
            name = match[0].strip("<>- ")
            for column in self.all:
                if name and match.start() <= column.end < match.end():
                    column.groups.insert(0, name)
        above: dict[int, list[str]] = {}
        for word in words(_GROUP.sub(lambda group: " " * len(group[0]), line)):
            numbers = range(len(self.all))
            near = min(numbers, key=lambda number: abs(self.all[number].end - word.end))
            if abs(self.all[near].end - word.end) > TOLERANCE:
                near = next((n for n in numbers if self.all[n].end >= word.end), numbers[-1])
            above.setdefault(near, []).append(word.text)
        for number, found in above.items():
            self.all[number].plain[:0] = found

    def assign(self, text: str, *, filled: bool) -> list[str | None]:
        """Find the word under each column; None where nothing stands.

        `filled` says whether an earlier row gives the columns that are printed once per group.
        """
        row = self._row_words(text)
        found: list[str | None] = [None] * len(self.all)
        last = -1
        for word in row:
            number = self._by_end.get(word.end, -1)
            if number < 0 or ">" in word.text:
                number = self._under(word)
            if number <= last:
                raise NotUnderstood(f"{word.text!r} and another word want one column")
            found[number], last = word.text, number
        if None not in found:
            return found
        labelled = bool(row) and is_label(row[0].text)
        missing = [
            column
            for column, word in zip(self.all, found, strict=True)
            if word is None
            and not (column.metric and column.metric.blank)
            and not (labelled and column.is_text)
        ]
        to_fill = {column.metric.metric for column in missing if column.metric} & self.fill
        if to_fill and filled and to_fill >= self._fillable - self.again:
            missing = [c for c in missing if not (c.metric and c.metric.metric in self.fill)]
        if missing:
            raise NotUnderstood(f"nothing stands under {missing[0].path!r}")
        return found

    def cell(self, place: int, text: str) -> Cell:
        """Read a cell of a column; those of the first one and of names are no numbers."""
        column = self.all[place]
        if place == 0 or column.is_text:
            return Cell(text, None, None)
        return cell(text, column.k)

    def _row_words(self, text: str) -> Sequence[Word]:
        row = words(text)
        last = self.all[-1]
        tail = [word for word in row if word.start >= last.start - TOLERANCE]
        if last.is_text and len(tail) > 1:
            # Names in the last column may hold blanks.
            whole = Word(text[tail[0].start :].rstrip(), tail[0].start, tail[-1].end)
            row = (*row[: -len(tail)], whole)
        return row

    def _under(self, word: Word) -> int:
        if is_label(word.text):
            return 0
        if word.end in self._by_end:
            return self._by_end[word.end]
        at_start = self._by_start.get(word.start)
        if at_start is not None and (self.all[at_start].is_text or not is_value(word.text)):
            return at_start
        near = [
            self._by_end[end]
            for end in (word.end - TOLERANCE, word.end + TOLERANCE)
            if end in self._by_end
        ] or [
            number
            for number, column in enumerate(self.all)
            if (column.is_text or number == 0)
            and column.start <= word.end
            and column.end >= word.start
        ]
        if len(near) != 1:
            where = "between two columns" if near else "under no column"
            raise NotUnderstood(f"{word.text!r} stands {where}")
        return near[0]


@lru_cache(maxsize=64)
def columns_below(lines: tuple[str, ...], report: str) -> Columns:
    """The columns of a report's table below a heading, which each page prints anew.

    Raises
    ------
    NotUnderstood
        If it is no heading.
    """
    return Columns(lines, known_report(report))


def _joined(row: Sequence[Word]) -> list[Word]:
    """Join words that are one heading: ``End Time``."""
    phrases = [phrase.split() for phrase in headings().phrases]
    found: list[Word] = []
    while row:
        size = next(
            (
                len(phrase)
                for phrase in phrases
                if [word.text for word in row[: len(phrase)]] == phrase
                and row[len(phrase) - 1].end - row[0].start + 1 == len(" ".join(phrase))
            ),
            1,
        )
        part, row = row[:size], row[size:]
        found.append(Word(" ".join(each.text for each in part), part[0].start, part[-1].end))
    return found
