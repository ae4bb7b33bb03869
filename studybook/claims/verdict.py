"""The verdict of an evaluation on a claim."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from studybook.claims.published_values import Claim
from studybook.statistics.intervals import Interval


class Verdict(StrEnum):
    """The verdict of an evaluation on a claim."""

    HOLDS = "holds"
    FAILS = "does not hold"
    OPEN = "open"
    UNJUDGED = "cannot be judged"


@dataclass(frozen=True)
class Judgement:
    """A claim, what the data say, and the verdict.

    Attributes
    ----------
    claim : Claim
        What was published.
    measured : Interval or None
        The estimate from the data with its 95 % interval, in the claim's unit.
    text : str
        What the data say, where it is a text.
    repetitions : int
        The repetitions behind the estimate (the fewer of the two of a ratio).
    verdict : Verdict
        *Holds* where the interval lies in what the claim accepts, *does not hold* where it lies
        wholly outside, *open* where it lies across a bound, or there is none; *cannot be judged*
        where there are no data for it.
    why : str
        The reason in words.
    origin : str
        Where the data come from: measured, simulated, published; empty where there are none.
    role : str
        Of simulated data: what the model that wrote them was given of the value (fitted, chosen,
        implied, predicted); empty where the claim does not say.
    exact : bool
        Whether the data are a count or a setting, which has no scatter.
    """

    claim: Claim
    measured: Interval | None
    text: str
    repetitions: int
    verdict: Verdict
    why: str
    origin: str = ""
    role: str = ""
    exact: bool = False
