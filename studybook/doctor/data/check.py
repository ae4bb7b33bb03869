"""A check on data, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple, Protocol

import duckdb


class Weight(IntEnum):
    """How much a finding matters; the most important is the least number."""

    WRONG = 1
    DOUBTFUL = 2
    TO_KNOW = 3
    ACCEPTED = 4

    @property
    def words(self) -> str:
        """As people read it."""
        return self.name.lower().replace("_", " ")

    @property
    def fails(self) -> bool:
        """Whether the command ends with an exit code for it."""
        return self in (Weight.WRONG, Weight.DOUBTFUL)


class Seen(NamedTuple):
    """A thing that a check has found.

    Attributes
    ----------
    run_id : str
        Of which run.
    weight : int
        How much it matters, one of :class:`Weight`.
    subject : str
        What it is of: a file, a host, the load.
    found : str
        How it is.
    do : str
        What to do about this one, with its own numbers; empty where the check says it all.
    """

    run_id: str
    weight: int
    subject: str
    found: str
    do: str = ""


class Asked(Protocol):
    """What answers a SELECT: a database, or a study limited to some runs."""

    def execute(self, query: str, parameters: Any = None, /) -> duckdb.DuckDBPyConnection:
        """Ask; the rows are still to be fetched."""


#: A SELECT with the columns of :class:`Seen`, or a function that asks the database.
Ask = str | Callable[[Asked], Iterable[Seen]]


@dataclass(frozen=True)
class DataCheck:
    """What may be wrong with data, and how to see it.

    Parameters
    ----------
    id : str
        Its name.
    title : str
        What is so where it fires.
    because : str
        What that does to numbers and figures, and when it fires.
    do : str
        What to do.
    ask : str or callable
        A SELECT with the columns ``run_id, weight, subject, found`` and, if need be, ``do``, on
        tables and models and what :mod:`~studybook.doctor.data.examine` makes for all; or a
        function of the database that gives :class:`Seen`.
    """

    id: str
    title: str
    because: str
    do: str
    ask: Ask


@dataclass(frozen=True)
class DataFinding:
    """A thing that a check has found in a run.

    Attributes
    ----------
    check : DataCheck
        The check.
    weight : Weight
        How much it matters.
    study, run, origin : str
        The run, and whether its data are measured, simulated or published.
    subject, found, do : str
        What it is of, how it is, what to do.
    """

    check: DataCheck
    weight: Weight
    study: str
    run: str
    origin: str
    subject: str
    found: str
    do: str

    @property
    def said(self) -> str:
        """What is so, within a sentence."""
        return self.check.title[0].lower() + self.check.title[1:]

    @property
    def told(self) -> str:
        """What it is of, how it is, and what to do."""
        return f"{self.subject[:1].upper()}{self.subject[1:]}: {self.found} → {self.do}"
