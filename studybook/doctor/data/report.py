"""Findings of data put together, and in short: what differs in nothing but the run stands once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from studybook.doctor.data.check import DataFinding, Weight
from studybook.doctor.data.examine import examine_data
from studybook.memory import content_sha256, recall


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

    @property
    def said(self) -> str:
        """What it is of, and how it is."""
        return f"{self.subject}: {self.found}"


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


@dataclass(frozen=True)
class Doubt:
    """What a check has found against some runs, as those who read results are told it.

    Attributes
    ----------
    weight : Weight
        Whether it is wrong, doubtful, or accepted as known.
    title : str
        What is so.
    group : DataGroup
        Of what, how it is, what to do, and in which runs.
    """

    weight: Weight
    title: str
    group: DataGroup


def doubts(database: Path, studies: Collection[str]) -> list[Doubt]:
    """What is wrong or doubtful with the data of studies, the worst first; last what is accepted.

    It follows from the database and the checks: where neither has changed, nothing is asked.

    Parameters
    ----------
    database : pathlib.Path
        The DuckDB file of a data set, as it was loaded.
    studies : collection of str
        Their names.

    Raises
    ------
    StudyBookError
        If there is no database, or a check cannot be asked.
    """

    def ask() -> list[tuple[int, str, str, str, str, tuple[str, ...]]]:
        told = []
        found = (
            each
            for each in examine_data(database, studies)
            if each.weight.fails or each.weight is Weight.ACCEPTED
        )
        for (weight, check), own in groupby(found, lambda each: (each.weight, each.check)):
            for group in grouped(own):
                told.append(
                    (int(weight), check.title, group.subject, group.found, group.do, group.runs)
                )
        return told

    follows = "\n".join([content_sha256(database), *sorted(studies)])
    known = recall("what is wrong or doubtful in data", follows.encode(), ask, private=True)
    return [
        Doubt(Weight(weight), title, DataGroup(subject, found, do, tuple(runs)))
        for weight, title, subject, found, do, runs in known
    ]
