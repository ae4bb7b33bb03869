"""The table of headings: which columns of which reports are known, and by which names."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from studybook.checked_yaml import Strict, read_yaml
from studybook.formats.contract import Certainty

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


@cache
def path_words(path: str) -> tuple[str, ...]:
    """Return the words of a column's path as they are compared: ``Cap-ture`` is ``capture``."""
    return tuple(re.split(r"[/ ]+", path.lower().replace("-", "").strip("/ ")))


def named(report: KnownReport, paths: list[str]) -> list[Metric | None]:
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
