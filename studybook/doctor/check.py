"""A check: a piece of advice, and the question to the captures that it comes down to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


@dataclass(frozen=True)
class Document:
    """A document that advice is taken from: its title, and a short name to repeat."""

    title: str
    short: str


CASE_STUDY = Document(
    "IBM Enterprise Content Management for Linux on z Systems, Scale-Out Case Study (Part 2):"
    " Multiple ECM Nodes with IBM WebSphere Application Server Cluster and Spectrum Scale 4.2",
    "IBM, ECM Scale-Out Case Study (Part 2), 2016",
)
SETUP_GUIDE = Document(
    "Linux on IBM System z and IBM FileNet P8 5.1: Setup, Performance, and Scalability",
    "IBM, FileNet P8 5.1 on Linux on System z, 2013",
)
SLIDES = Document(
    "Linux on the z900, performance measurements (slides; the title page is lost)",
    "IBM, Linux on the z900 (slides)",
)

#: All that the library takes advice from.
DOCUMENTS = (CASE_STUDY, SETUP_GUIDE, SLIDES)

#: The kinds of raw export that hold captures.
SOURCES = ("linux", "scale")


class Verdict(StrEnum):
    """The answer of a check for its subject."""

    KEEPS = "keeps to it"
    AGAINST = "goes against it"
    UNJUDGED = "cannot be judged"


@dataclass(frozen=True)
class Check:
    """One piece of advice, as a question to the captures of a study.

    Parameters
    ----------
    id, title : str
        Name, and what is so where the advice is kept to.
    advice : str
        What to do and why, in our own words.
    place : str
        Where the document says so.
    sql : str
        A SELECT on tables and views with the columns ``run_id``; ``subject``, what is judged;
        ``found`` and ``wanted``, as texts; and ``ok``, NULL where it cannot be judged. No row
        means that the run has nothing of which the advice speaks.
    source, table, capture : str
        What the check needs: the kind of raw export, the table of its records, and the command
        that prints them. A run with captures of that kind but without these records cannot be
        judged. Empty if ``run.yml`` is enough.
    document : Document
        The document.
    written : str
        File and line, where the advice of a study gives the check.
    """

    id: str
    title: str
    advice: str
    place: str
    sql: str
    source: Literal["linux", "scale", ""] = ""
    table: str = ""
    capture: str = ""
    document: Document = CASE_STUDY
    written: str = ""


@dataclass(frozen=True)
class Finding:
    """The answer of a check for one subject of one run.

    Attributes
    ----------
    check : Check
        The check.
    study, run, origin : str
        The run, and whether its data are measured, simulated or published.
    subject, found, wanted : str
        What was judged, how it is, and how it should be.
    verdict : Verdict
        Keeps to the advice, goes against it, cannot be judged.
    """

    check: Check
    study: str
    run: str
    origin: str
    subject: str
    found: str
    wanted: str
    verdict: Verdict
