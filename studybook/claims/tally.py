"""How many claims have which verdict, by what could have gone wrong.

Verdicts on simulated data are told apart by the role of the claim: a value that the model was given
holds, and says nothing; one that it *predicted* could have failed, and comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from studybook.claims.verdict import Verdict

#: Where data come from, in words; in the order in which tallies have them.
ORIGINS = {
    "measured": "Measured: the raw exports are those of real runs",
    "simulated": "Simulated: a model wrote the raw exports",
}

#: What a model was given of a claim, and what that means; what could fail most comes first.
ROLES = {
    "predicted": "nothing that the model was given leads to it",
    "implied": "follows from what the model was given, from other claims, or from how it is made",
    "chosen": "a parameter or setting was chosen with a look at it",
    "fitted": "the model was fitted to it",
    "": "the model was not asked",
}

#: What was measured: rates and times, or what a capture counts.
MEASURED = {
    "rates and times": "whatever the runs gave",
    "counts and settings": "where document and captures are of one system, they could hardly fail",
}


@dataclass(frozen=True)
class Row:
    """The claims of one kind: origin of the data, role, and how many have which verdict.

    Those on measured data have no role, but are of rates or of counts. Those without an origin have
    no data, and cannot be judged.
    """

    origin: str
    role: str
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def claims(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    @property
    def name(self) -> str:
        """What they have in common, in a word or two."""
        if not self.origin:
            return "no data"
        return self.role or ("no role" if self.origin == "simulated" else "all")

    @property
    def meaning(self) -> str:
        """The same as a remark."""
        if not self.origin:
            return "nothing to judge them by"
        return (ROLES if self.origin == "simulated" else MEASURED).get(self.role, "")

    def shown(self, verdict: Verdict) -> str:
        """The number of a verdict; a dash where there can be none."""
        if self.origin or verdict is Verdict.UNJUDGED:
            return str(self.counts.get(verdict, 0))
        return "–"


def tally(judged: Iterable[Mapping[str, str]]) -> list[Row]:
    """Count claims by origin, role and verdict.

    Parameters
    ----------
    judged : iterable of mappings
        Each with ``origin``, ``role``, ``exact`` and ``verdict``, as :func:`verdict_text.texts`
        gives them.

    Returns
    -------
    list of Row
        Measured data in a row of rates and one of counts and settings, simulated data in a row for
        each role that occurs, predicted claims first; then the claims for which there are no data.
        Every claim is in one of them.
    """
    found = Counter((_kind(each), each["verdict"]) for each in judged)
    rows = []
    for (origin, role), group in groupby(sorted(found, key=_place), key=lambda each: each[0]):
        counts = {verdict: found[(origin, role), verdict] for _, verdict in group}
        rows.append(Row(origin, role, counts))
    return rows


def origins(rows: Iterable[Row]) -> str:
    """Where the data come from, in words: a sentence before the numbers."""
    there = sorted({row.origin for row in rows if row.origin}, key=origin_place)
    said = [ORIGINS.get(each, each.capitalize()) for each in there]
    return "; ".join(said) or "There are no data for any claim"


def origin_place(origin: str) -> tuple[int, str]:
    """Sort key of origins: those that are known in their order, others by name, none at last."""
    known = list(ORIGINS)
    if not origin:
        return len(known) + 1, origin
    return (known.index(origin) if origin in known else len(known)), origin


def _kind(judged: Mapping[str, str]) -> tuple[str, str]:
    """Origin and role. What has no verdict by data is of no origin, whatever runs there are."""
    if judged["verdict"] == Verdict.UNJUDGED:
        return "", ""
    origin = judged["origin"]
    if origin == "measured":
        rates, counts = MEASURED
        return origin, counts if judged.get("exact") else rates
    return origin, judged.get("role", "") if origin == "simulated" else ""


def _place(counted: tuple[tuple[str, str], str]) -> tuple[int, str, int]:
    (origin, role), _ = counted
    roles = [*ROLES, *MEASURED]
    return *origin_place(origin), roles.index(role) if role in roles else len(roles)
