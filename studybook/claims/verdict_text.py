"""A judgement in words: what was published, what the data say, and by how much they differ.

Tables of verdicts and the prose of the book print the same texts.
"""

from __future__ import annotations

import math

from studybook.claims.published_values import Claim
from studybook.claims.verdict import Judgement
from studybook.text import numbered
from studybook.units import metric


def published(judgement: Judgement) -> str:
    """The published value with its sign and unit; a dash where only words were published.

    A number that is read from words is marked by ≈.
    """
    claim = judgement.claim
    if claim.value is None:
        return "–"
    number = f"{claim.value:,.10g}" if isinstance(claim.value, int | float) else str(claim.value)
    unit = "×" if claim.kind == "ratio" and claim.unit in ("", "×") else claim.unit
    # A text, such as a release, keeps its hyphens.
    printed = number.replace("-", "−") if isinstance(claim.value, int | float) else number
    return sign(claim) + numbered(printed, unit)


def sign(claim: Claim) -> str:
    """The sign before a published number: that it is read from words, that it is a bound."""
    about = "≈ " if claim.reading else ""
    bound = {"=": "", "<=": "≤ ", ">=": "≥ "}.get(claim.operator, f"{claim.operator} ")
    return bound + about


def estimate(judgement: Judgement) -> str:
    """The estimate from the data with its unit; a dash where there is none."""
    if judgement.measured is None:
        return judgement.text or "–"
    decimals, unit = _form(judgement)
    printed = f"{judgement.measured.estimate:,.{decimals}f}".replace("-", "−")
    return numbered(printed, unit)


def interval(judgement: Judgement) -> str:
    """The bounds of the interval, with the digits of the estimate; empty without one."""
    found = judgement.measured
    if found is None or math.isnan(found.low) or found.low == found.high:
        return ""
    decimals, _ = _form(judgement)
    return f"{found.low:,.{decimals}f} to {found.high:,.{decimals}f}".replace("-", "−")


def three_digits(value: float) -> str:
    """A number with three digits that count, written out: 3,000, and 0.0000123."""
    return f"{float(f'{value:.3g}'):,.9f}".rstrip("0").rstrip(".")


def change(judgement: Judgement) -> str:
    """By how many per cent a ratio differs from one, in the direction of the claim.

    A claim of less time that takes 2 % longer has a change of −2 %.
    """
    claim, measured = judgement.claim, judgement.measured
    if measured is None or claim.kind not in ("ratio", "comparison"):
        return "–"
    less = claim.operator in ("<", "<=")
    if claim.kind == "ratio" and isinstance(claim.value, int | float):
        less = claim.value < 1
    percent = f"{(1 - measured.estimate if less else measured.estimate - 1):.0%}"
    return percent.replace("-0%", "0%").replace("-", "−").replace("%", " %")


def texts(judgement: Judgement) -> dict[str, str]:
    """All of these by name, with verdict, reason and origin: what a page of the book may quote."""
    return {
        "verdict": str(judgement.verdict),
        "why": judgement.why,
        "origin": judgement.origin,
        "role": judgement.role,
        "data": estimate(judgement),
        "interval": interval(judgement),
        "published": published(judgement),
        "change": change(judgement),
    }


def _form(judgement: Judgement) -> tuple[int, str]:
    """Decimals of the estimate and its interval, and their unit."""
    decimals, unit = 2, "×"
    if judgement.claim.kind in ("value", "difference"):
        known = metric(judgement.claim.metric)
        decimals, unit = known.decimals, known.unit or judgement.claim.unit
    found = judgement.measured
    if found and found.low != found.high:
        # The bounds of an even run would read the same.
        decimals += round(found.low, decimals) == round(found.high, decimals)
    return decimals, unit
