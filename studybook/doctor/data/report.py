"""Findings of data put together: what differs in nothing but the run stands once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from studybook.doctor.data.check import DataFinding, Weight


@dataclass(frozen=True)
class DataGroup:
    """Runs in which a check found the same.

    Attributes
    ----------
    subject, found, do : str
        What it is of, how it is, what to do.
    runs : tuple of str
        The runs, as study/run.
    """

    subject: str
    found: str
    do: str
    runs: tuple[str, ...]


def grouped(findings: Iterable[DataFinding]) -> list[DataGroup]:
    """Put findings of one check together, in the order in which they come."""
    runs: dict[tuple[str, str, str], list[str]] = {}
    for each in findings:
        same = runs.setdefault((each.subject, each.found, each.do), [])
        same.append(f"{each.study}/{each.run}")
    return [DataGroup(*same, tuple(names)) for same, names in runs.items()]


def counts(findings: Iterable[DataFinding]) -> str:
    """How many findings there are of which weight, in words."""
    found = Counter(each.weight for each in findings)
    said = [f"{found[weight]} {weight.words}" for weight in Weight if found[weight]]
    return ", ".join(said) or "nothing found"
