"""Findings of the checks as tables of the book: in short, and those against the advice."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from studybook.doctor.check import Check, Finding, Verdict
from studybook.study import provenance
from studybook.table import Table, badge

#: The class by which the style sheet knows a verdict.
_CLASSES = {Verdict.KEEPS: "holds", Verdict.AGAINST: "fails", Verdict.UNJUDGED: "unjudged"}
#: Verdicts on several subjects.
_OF_SEVERAL = {Verdict.KEEPS: "keep to it", Verdict.AGAINST: "go against it"}


@dataclass(frozen=True)
class Group:
    """Runs of which a check says the same.

    Attributes
    ----------
    finding : Finding
        What it says; its run is the first of them.
    runs : tuple of str
        The runs.
    """

    finding: Finding
    runs: tuple[str, ...]


def grouped(findings: Iterable[Finding]) -> list[Group]:
    """Put findings together that differ in nothing but the run."""
    runs: dict[Finding, list[str]] = {}
    for each in findings:
        runs.setdefault(replace(each, run=""), []).append(each.run)
    return [Group(replace(same, run=names[0]), tuple(names)) for same, names in runs.items()]


def overall(findings: Iterable[Finding]) -> Verdict:
    """The verdict on several findings together: the worst that there is to say."""
    found = {each.verdict for each in findings}
    order = (Verdict.AGAINST, Verdict.KEEPS, Verdict.UNJUDGED)
    return next((verdict for verdict in order if verdict in found), Verdict.UNJUDGED)


def counts(findings: Iterable[Finding]) -> str:
    """How many subjects have which verdict, in words; those that there are none of left out."""
    found = Counter(each.verdict for each in findings)
    return ", ".join(
        f"{found[each]} {_OF_SEVERAL.get(each, each) if found[each] > 1 else each}"
        for each in _CLASSES
        if found[each]
    )


def summary(checks: Sequence[Check], findings: Sequence[Finding], caption: str = "") -> Table:
    """Show each check with its advice, where that stands, and what came of it.

    Parameters
    ----------
    checks : sequence of Check
        The checks that were made.
    findings : sequence of Finding
        What they found.
    caption : str, optional
        What the table shows.
    """
    rows = []
    for check in checks:
        own = [each for each in findings if each.check is check]
        provenance.note_published_marks(check.document.title, [check.place])
        rows.append(
            [
                f"{check.title}\n{check.advice}",
                f"{check.place}\n{check.document.short}",
                f"{overall(own)}\n{counts(own) or 'no run has anything to judge'}",
            ]
        )
    return Table(["Advice", "Published in", "Verdict"], rows, caption, {"Verdict": _badge})


def details(findings: Iterable[Finding], caption: str = "") -> Table:
    """Show what goes against the advice and what cannot be judged, equal findings in one row.

    Parameters
    ----------
    findings : iterable of Finding
        What the checks found.
    caption : str, optional
        What the table shows.
    """
    rows = [
        [
            group.finding.check.title,
            f"{len(group.runs)}\n{', '.join(group.runs)}",
            group.finding.origin,
            f"{group.finding.found}\n{group.finding.subject}",
            group.finding.wanted,
            str(group.finding.verdict),
        ]
        for group in grouped(findings)
        if group.finding.verdict is not Verdict.KEEPS
    ]
    if not rows:
        return Table([""], [["everything that can be judged keeps to the advice"]], caption)
    columns = ["Advice", "Runs", "Origin", "Found", "Wanted", "Verdict"]
    return Table(columns, rows, caption, {"Origin": badge, "Verdict": _badge})


def _badge(text: str) -> str:
    return f'<span class="verdict-{_CLASSES[Verdict(text)]}">{html.escape(text)}</span>'
