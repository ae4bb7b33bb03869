"""What follows for the rows of a comparison: which differences are told, and as what."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from studybook.frames.compared import Row, Verdict
from studybook.statistics.difference import holm

#: A difference is told where chance alone would rarely do it, all metrics of its family together.
ALPHA = 0.05

#: How units of work that is done end.
_RATES = ("/s", "IOPS")

#: Metrics that rise with it.
_TAKEN_BY_WORK = {"cpu_busy_percent", "total_ifl"}


def with_verdicts(rows: Sequence[Row], at_least: float) -> list[Row]:
    """The rows with p-values corrected for how many there are, and a verdict by these.

    Parameters
    ----------
    rows : sequence of Row
        All of a comparison.
    at_least : float
        Differences below this share do not matter.
    """
    return [*_at_other_work([_judged(row, at_least) for row in _corrected(rows)])]


def _corrected(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows with p-values corrected for how many there are, in two families.

    What gets better or worse is one question, what else changed another: a study that records
    more of its hosts would otherwise need more runs to say the same of its response times.

    What is one value in all runs, as where no request failed, could tell nothing apart and does
    not count (R. E. Tarone, "A modified Bonferroni method for discrete data", Biometrics 46 (1990),
    515-522).
    """
    constant = [row for row in rows if row.found.is_constant]
    yield from (replace(row, p=row.found.p) for row in constant)
    for can_only_change in (False, True):
        family = [
            row
            for row in rows
            if (row.metric.better == "neither") is can_only_change and not row.found.is_constant
        ]
        corrected = holm([row.found.p for row in family])
        for row, p in zip(family, corrected, strict=True):
            why = row.why
            if row.found.p < ALPHA <= p:  # its interval is of 95 %, and of itself
                why += f"; alone it would be told, one among {len(family)} may be chance"
            yield replace(row, p=p, why=why)


def _judged(row: Row, at_least: float) -> Row:
    """The row with its verdict."""
    if math.isnan(row.p):
        return row
    share, matters = row.share, row.size >= at_least
    verdict = Verdict.OPEN
    if row.p < ALPHA:
        risen = row.found.difference.estimate > 0
        if not matters:
            verdict = Verdict.SMALL
        elif row.metric.better == "neither":
            verdict = Verdict.CHANGED
        else:
            verdict = Verdict.BETTER if risen == (row.metric.better == "higher") else Verdict.WORSE
    elif at_least and -at_least < share.low <= share.high < at_least:
        verdict = Verdict.ALIKE
    return replace(row, verdict=verdict)


def _at_other_work(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows, with no loss in what more work takes, and no gain in what less does not take."""
    done: defaultdict[tuple[tuple[str, str], ...], set[Verdict]] = defaultdict(set)
    for row in rows:
        if row.metric.better == "higher" and row.metric.unit.endswith(_RATES):
            done[row.setup].add(row.verdict)
    opposite = {Verdict.WORSE: Verdict.BETTER, Verdict.BETTER: Verdict.WORSE}
    for row in rows:
        own, work = row.verdict, done[row.setup]
        if row.metric.name in _TAKEN_BY_WORK and opposite.get(own) in work and own not in work:
            amount = "more" if own is Verdict.WORSE else "less"
            why = f"{row.why}; {amount} work was done, too"
            yield replace(row, verdict=Verdict.CHANGED, why=why)
        else:
            yield row
