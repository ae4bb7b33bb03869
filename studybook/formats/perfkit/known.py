"""What is known of reports: the table of headings, their layout, and other texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from studybook.checked_yaml import Strict, read_yaml
from studybook.formats.contract import KEPT_NAMES, Certainty, Reading
from studybook.formats.perfkit.cells import Cell, has_suffix
from studybook.formats.raw import Head

ReportId = Annotated[str, StringConstraints(pattern=r"^FCX\d{3}$")]
MetricName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]


class Metric(Strict):
    """What a column is: its name in the database, and how its cells are to be read."""

    metric: MetricName
    unit: str = "text"
    k: Literal[1000, 1024] | None = None
    blank: bool = False

    @property
    def is_text(self) -> bool:
        """Whether its cells are names, not numbers."""
        return self.unit == "text"


class KnownReport(Strict):
    """What is known of one report."""

    name: str = ""
    certainty: Certainty = "from memory"
    menu: bool = False
    key: list[MetricName] = Field(default_factory=list)
    fill: list[MetricName] = Field(default_factory=list)
    again: list[MetricName] = Field(default_factory=list)
    pairs: Literal["halves", "free"] | None = None
    columns: dict[str, Metric] = Field(default_factory=dict)


class Headings(Strict):
    """The whole table."""

    phrases: list[str]
    reports: dict[ReportId, KnownReport]


@cache
def headings() -> Headings:
    """Return the table of headings that lies beside this module."""
    return read_yaml(Path(__file__).with_name("headings.yml"), Headings)


def known_report(report: str) -> KnownReport:
    """What is known of a report, by its number; nothing of one that the table lacks."""
    return headings().reports.get(report, KnownReport())


@lru_cache(KEPT_NAMES)
def path_words(path: str) -> tuple[str, ...]:
    """Return the words of a column's path as they are compared: ``Cap-ture`` is ``capture``."""
    return tuple(re.split(r"[/ ]+", path.lower().replace("-", "").strip("/ ")))


def named(report: KnownReport, paths: Sequence[str]) -> list[Metric | None]:
    """Find what the columns of a table are.

    A column is the entry whose words its path ends with; the longest one if there are several.
    An entry that fits several columns names the one whose path it is in full, or none of them.
    """
    found: list[Metric | None] = []
    fits: dict[str, list[tuple[int, bool]]] = {}
    for number, path in enumerate(paths):
        words = path_words(path)
        entries = [
            entry
            for entry in report.columns
            if words[-len(path_words(entry)) :] == path_words(entry)
        ]
        entry = max(entries, key=lambda each: len(path_words(each)), default=None)
        found.append(report.columns[entry] if entry else None)
        if entry:
            metric = report.columns[entry].metric
            fits.setdefault(metric, []).append((number, words == path_words(entry)))
    for places in fits.values():
        whole = [number for number, full in places if full]
        for number, _ in places:
            if len(places) > 1 and whole != [number]:
                found[number] = None
    return found


_BASES: dict[Certainty, str] = {
    "from memory": "is known from memory of the manuals and was never checked against a real one",
    "inferred": "is inferred from a real one that had lost its blanks",
    "documented": "is printed in the documentation",
    "seen": "was seen in real ones",
}

_ODD = {
    "overflow": "too wide for their column (NULL)",
    "not a number": "that hold no number (NULL)",
    "suffix of unknown size": "with K or M, which may be 1000 or 1024 here (NULL)",
}

#: What headings.yml assumes of K and M; an error shows for each power of it.
_ASSUMED = {
    1000: "with K or M, assumed to be 1000 and 1000000 (were it 1024 and its square, the values"
    " would be 2.4 % and 4.9 % higher)",
    1024: "with K or M, assumed to be 1024 and 1048576 (were it 1000 and its square, the values"
    " would be 2.3 % and 4.6 % lower)",
}


class Remarks:
    """Remarks on the reports of one kind in a file; each is made once, cells are counted."""

    def __init__(self, out: Reading, line: int, report: str, name: str | None) -> None:
        known = known_report(report)
        self.out = out
        self.name = " ".join(filter(None, (report, name or known.name)))
        self._told: set[str] = set()
        self._odd: dict[str, tuple[int, str, int]] = {}
        out.remark(line, f"{self.name}: the layout of this report {_BASES[known.certainty]}")
        if report not in headings().reports:
            out.remark(
                line, f"{self.name} is not in the table of headings: its columns have no names here"
            )

    def once(self, line: int, kind: str, text: str) -> None:
        """Make a remark unless one of its kind was made."""
        if kind not in self._told:
            self._told.add(kind)
            self.out.remark(line, f"{self.name}: {text}")

    @staticmethod
    def kind(read: Cell, k: int | None) -> str | None:
        """What is odd about a cell: it should be a number and is none, or it has a suffix."""
        if k and read.text and has_suffix(read.text):
            return _ASSUMED[k]
        return _ODD.get(read.null_reason or "")

    def cells(self, kind: str, line: int, text: str, count: int) -> None:
        """Count odd cells of a kind, of which the first stands on a line."""
        first, shown, before = self._odd.get(kind, (line, text, 0))
        self._odd[kind] = (first, shown, before + count)

    def close(self) -> None:
        """Say how many cells were odd."""
        for kind, (first, text, count) in self._odd.items():
            self.out.remark(first, f"{self.name}: cells {kind}: {count}, the first {text!r}")


_EXPORT = (
    "print the reports FCX225, FCX112 and FCX304 with the Performance Toolkit and export those"
)


class Other(Strict):
    """A kind of text: how to know it, what it is, and what to do before reports are exported."""

    pattern: str
    reason: str
    do: str = ""

    @property
    def advice(self) -> str:
        """What to export instead."""
        return self.do + _EXPORT


class _Others(Strict):
    others: list[Other]


@cache
def _others() -> list[Other]:
    return read_yaml(Path(__file__).with_name("others.yml"), _Others).others


def other(head: Head) -> Other | None:
    """Which of these texts a file is; only the first lines with content count."""
    first = [line.strip()[:2000] for line in head.lines[:60] if line.strip()][:6]
    return next(
        (each for line in first for each in _others() if re.fullmatch(each.pattern, line)), None
    )
