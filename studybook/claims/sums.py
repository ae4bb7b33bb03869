"""Sums over published numbers: what two places of a document make of each other.

``data/published/<study>.yml`` says which numbers to take and what to do with them; the results
are computed here.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from dataclasses import dataclass

from studybook.claims import verdict_text
from studybook.claims.judge import CannotJudge, evaluate, evidence
from studybook.claims.published_values import Disagreement, Published, Side, Sum
from studybook.claims.verdict import Verdict
from studybook.errors import StudyBookError
from studybook.study import provenance
from studybook.study.study import Study
from studybook.table import Table
from studybook.text import minus
from studybook.units import metric

_COMPUTE: dict[str, Callable[..., float]] = {
    "ratio": lambda first, second: first / second,
    "change": lambda first, second: second / first - 1,
    "difference": lambda first, second: first - second,
    "sum": lambda *numbers: math.fsum(numbers),
    "product": lambda *numbers: math.prod(numbers),
}

#: More digits than any published number has, and few enough to hide what a computer adds.
SIGNIFICANT_DIGITS = 4

#: Between the explanation and the sums in a cell.
_NEXT = " | "


@dataclass(frozen=True)
class Result:
    """A sum, the numbers that it is of, and what they make.

    Attributes
    ----------
    sum : Sum
        What to compute.
    numbers : tuple of float
        Its numbers, ids resolved.
    value : float
        The result; a part of one where the unit is %.
    """

    sum: Sum
    numbers: tuple[float, ...]
    value: float

    @property
    def expression(self) -> str:
        """The sum as one would write it down, without its result."""
        shown = [number(each) for each in self.numbers]
        if self.sum.operation == "ratio":
            return " ÷ ".join(shown)
        if self.sum.operation == "change":
            return f"{shown[1]} ÷ {shown[0]} − 1"
        if self.sum.operation == "product":
            return " × ".join(shown)
        first, *rest = self.numbers
        signs = [each if self.sum.operation == "sum" else -each for each in rest]
        return number(first) + "".join(
            f" {'−' if each < 0 else '+'} {number(abs(each))}" for each in signs
        )

    @property
    def result(self) -> str:
        """Its result, with its unit."""
        percent = self.sum.unit == "%"
        text = number(100 * self.value if percent else self.value)
        sign = "+" if self.sum.operation == "change" and self.value > 0 else ""
        return f"{sign}{text} {self.sum.unit}".strip()

    def __str__(self) -> str:
        return f"{self.sum.text}: {self.expression} = {self.result}"


def number(value: float) -> str:
    """A number to four significant digits at most, with separators between thousands."""
    rounded = float(f"{value:.{SIGNIFICANT_DIGITS}g}")
    return minus(f"{rounded:,}".removesuffix(".0"))


def compute(disagreement: Disagreement, values: Published) -> tuple[Result, ...]:
    """Do the sums of a disagreement, each with the results of those before it.

    Parameters
    ----------
    disagreement : Disagreement
        As in what was published.
    values : Published
        What was published, for the values of claims.

    Raises
    ------
    StudyBookError
        If a sum divides by nothing.
    """
    known = {claim.id: claim.number for claim in values.claims if claim.number is not None}
    results = []
    for each in disagreement.sums:
        numbers = tuple(known[n] if isinstance(n, str) else float(n) for n in each.numbers)
        try:
            value = _COMPUTE[each.operation](*numbers)
        except ZeroDivisionError as error:
            raise StudyBookError(
                f"disagreements: {disagreement.id}: “{each.text}” divides by 0\n"
                "  → give other numbers, or another operation"
            ) from error
        if each.id:
            known[each.id] = value
        results.append(Result(each, numbers, value))
    return tuple(results)


def table(study: Study, values: Published, caption: str = "", *, agree: bool = False) -> Table:
    """Each disagreement: both statements, what the data say of them, how they fit, the sums.

    Parameters
    ----------
    study : Study
        The study, for what the data at hand say.
    values : Published
        What was published.
    caption : str, optional
        What the table shows.
    agree : bool, optional
        Show those that only seem to disagree, instead of those that do.
    """
    provenance.note_published_marks(values.document.title, ())
    rows = [
        [
            each.about,
            _side(study, values, each.first),
            _side(study, values, each.second),
            _NEXT.join([each.explanation, *map(str, compute(each, values))]),
        ]
        for each in values.disagreements
        if each.agree is agree
    ]
    columns = ["About", "One place", "Another place", "How they fit"]
    return Table(columns, rows, caption, {"How they fit": _with_sums})


def _side(study: Study, values: Published, side: Side) -> str:
    said = _data(study, values, side)
    return f"“{side.text}”\n{side.place}" + (f" · {said}" if said else "")


def _data(study: Study, values: Published, side: Side) -> str:
    """The value in the data where the side names a claim or a metric, and their origin."""
    if side.claim is not None:
        claim = values.claim(side.claim)
        found = evaluate(study, claim, values.baseline)
        if found.verdict is Verdict.UNJUDGED and found.measured is None:
            return f"no data: {found.why}"
        if found.measured is None:
            return f"{found.origin}: {found.text}, {found.verdict}"
        bounds = verdict_text.interval(found)
        within = f" ({bounds})" if bounds else ""
        return f"{found.origin}: {verdict_text.estimate(found)}{within}, {found.verdict}"
    if side.metric is not None:
        try:
            said = evidence(study, side.metric, side.of, values.baseline)
        except CannotJudge as reason:
            return f"no data: {reason}"
        return f"{said.origin}: {said.text or metric(side.metric).show(said.sample.mean)}"
    return ""


def _with_sums(text: str) -> str:
    """The explanation, and below it each sum on a line of its own, with its result unbroken."""
    explanation, *lines = (html.escape(each) for each in text.split(_NEXT))
    parts = [line.rpartition(" = ") for line in lines]
    shown = [f"{left}{sign}{result.replace(' ', '&nbsp;')}" for left, sign, result in parts]
    return explanation + (f"<small>{'<br>'.join(shown)}</small>" if shown else "")
