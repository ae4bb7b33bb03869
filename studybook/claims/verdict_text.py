"""A judgement in words: what was published, what the data say, and by how much they differ.

Tables of verdicts and the prose of the book print the same texts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from studybook.claims.published_values import Claim
from studybook.claims.verdict import Judgement, Verdict
from studybook.statistics.digits import places, rounded
from studybook.text import counted, minus, numbered
from studybook.units import metric

#: Digits that a number may have beyond those that its interval bears, where a bound is near.
_MORE = 3


def published(judgement: Judgement) -> str:
    """What the document has for the claim of a judgement."""
    return of_document(judgement.claim)


def of_document(claim: Claim) -> str:
    """What the document has: its number, its range, or its words; a dash where it has neither.

    Words are quoted, and what we read into them stands beside. So is a number that is printed in
    another way than the claim has it.
    """
    if claim.words:
        return f"“{claim.words}” (our reading: {accepted(claim)})"
    if claim.printed:
        return f"“{claim.printed}”"
    if claim.value is None:
        return "–"
    if isinstance(claim.value, str):  # such as a release: it keeps its hyphens
        return claim.value
    ends = claim.value if isinstance(claim.value, tuple) else (claim.value,)
    return sign(claim) + numbered(" to ".join(map(_number, ends)), _unit(claim))


def accepted(claim: Claim) -> str:
    """The values with which a claim holds, in words: “0.95 to 1.05 ×”, “less than 0.9 ×”."""
    found = claim.accepted
    unit = _unit(claim)
    if found.low == found.high:
        return f"exactly {numbered(_number(found.low), unit)}"
    if math.isinf(found.low):
        return f"{'less than' if found.beyond else 'at most'} {numbered(_number(found.high), unit)}"
    if math.isinf(found.high):
        return f"{'more than' if found.beyond else 'at least'} {numbered(_number(found.low), unit)}"
    if found.beyond:
        low, high = _number(found.low), _number(found.high)
        return f"more than {numbered(low, unit)} and less than {numbered(high, unit)}"
    return numbered(f"{_number(found.low)} to {_number(found.high)}", unit)


def _accepted(claim: Claim) -> str:
    texts = claim.kind == "statement" or isinstance(claim.value, str)
    asks = claim.kind == "comparison" or claim.reads is not None or claim.value is not None
    return accepted(claim) if asks and not texts else "–"


def _number(value: float) -> str:
    return minus(f"{value:,.10g}")


def _unit(claim: Claim) -> str:
    ratio = claim.kind in ("ratio", "comparison") and claim.unit in ("", "×")
    return "×" if ratio else claim.unit


def sign(claim: Claim) -> str:
    """The sign before a published number that is a bound."""
    return {"=": "", "<=": "≤ ", ">=": "≥ "}.get(claim.operator, f"{claim.operator} ")


def estimate(judgement: Judgement) -> str:
    """The estimate from the data with its unit; a dash where there is none."""
    if judgement.measured is None:
        return judgement.text or "–"
    decimals, unit = _form(judgement)
    return numbered(rounded(judgement.measured.estimate, decimals), unit)


def interval(judgement: Judgement) -> str:
    """The bounds of the interval, with the digits of the estimate; empty without one."""
    found = judgement.measured
    if found is None or math.isnan(found.low) or found.low == found.high:
        return ""
    decimals, _ = _form(judgement)
    return " to ".join(rounded(end, decimals) for end in (found.low, found.high))


def ratio(judgement: Judgement) -> str:
    """A ratio with the bounds of its interval, as numbers that are not rounded; empty for others.

    Prose says it in words, by :func:`studybook.statistics.comparatives.compared`.
    """
    claim, measured = judgement.claim, judgement.measured
    if measured is None or claim.kind not in ("ratio", "comparison"):
        return ""
    if not math.isfinite(measured.estimate):
        return ""
    bounds = () if measured.low == measured.high else (measured.low, measured.high)
    return " ".join(f"{each:.9g}" for each in (measured.estimate, *bounds))


def counts(judgements: Sequence[Judgement]) -> str:
    """How many claims have which verdict: “3 claims: 1 holds, 2 open”."""
    words = {verdict: (str(verdict), str(verdict)) for verdict in Verdict}
    words |= {Verdict.HOLDS: ("holds", "hold"), Verdict.FAILS: ("does not hold", "do not hold")}
    return tallied("claim", [each.verdict for each in judgements], words)


def tallied(
    what: str, verdicts: Sequence[Verdict], words: Mapping[Verdict, tuple[str, str]]
) -> str:
    """How many of something have which verdict, by its words for one and for several, in order."""
    found = Counter(verdicts)
    said = ", ".join(
        f"{found[verdict]} {of_one if found[verdict] == 1 else of_several}"
        for verdict, (of_one, of_several) in words.items()
        if found[verdict]
    )
    return f"{counted(len(verdicts), what)}: {said}"


def texts(judgement: Judgement) -> dict[str, str]:
    """All of these by name, with verdict, reason and origin: what a page of the book may quote."""
    return {
        "statement": judgement.claim.statement,
        "verdict": str(judgement.verdict),
        "why": judgement.why,
        "origin": judgement.origin,
        "role": judgement.role,
        "exact": "yes" if judgement.exact else "",
        "data": estimate(judgement),
        "interval": interval(judgement),
        "published": published(judgement),
        "accepted": _accepted(judgement.claim),
        "ratio": ratio(judgement),
    }


def _form(judgement: Judgement) -> tuple[int, str]:
    """Decimal places of the estimate and its interval, as this bears them, and their unit."""
    decimals, unit = 2, "×"
    if judgement.claim.kind in ("value", "difference"):
        known = metric(judgement.claim.metric)
        decimals, unit = known.decimals, known.unit or judgement.claim.unit
    found = judgement.measured
    if found is None:
        return decimals, unit
    borne_places = places(found.estimate, found.low, found.high)
    shown = decimals if borne_places is None else min(decimals, borne_places)
    if math.isnan(found.low) or found.low == found.high:
        return shown, unit
    # The ends of an even run would read the same; one beyond a bound like that bound; what holds as
    # if it did not: “78 to 80” is not below 79.8, and 79.7 is.
    accepts = judgement.claim.accepted
    bounds = [each for each in (accepts.low, accepts.high) if math.isfinite(each)]
    ends = (found.low, found.high)
    for more in range(_MORE):
        seen = [round(end, shown + more) for end in ends]
        hidden = any(
            at == round(bound, shown + more) and end != bound
            for at, end in zip(seen, ends, strict=True)
            for bound in bounds
        )
        if judgement.verdict is Verdict.HOLDS:
            hidden = accepts.holds(*seen) is not True
        if seen[0] != seen[1] and not hidden:
            return shown + more, unit
    return shown + _MORE, unit
