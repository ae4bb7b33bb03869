"""Claims: published values and statements as data, and their evaluation on a data set.

``data/published/<study>.yml`` holds, for each claim, a citation, what is compared with what,
an operator and a tolerance. Evaluating one gives a verdict: it *holds*, it *does not hold*,
or it *cannot be judged*, with the published and the measured value side by side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator

from pipelines import provenance
from pipelines.checked_yaml import Strict, read_yaml
from pipelines.errors import StudyBookError
from pipelines.formats.raw import sha256
from pipelines.metrics import METRICS, metric
from pipelines.paths import project_root
from pipelines.statistics.intervals import Interval, Sample, mean_interval, ratio_interval
from pipelines.study import Study

Factors = dict[str, StrictBool | StrictInt | StrictFloat | StrictStr]


class Document(Strict):
    """The published document."""

    id: str
    title: str
    authors: str
    organisation: str = ""
    year: str = ""


class Tolerance(Strict):
    """How far a measured value may be from a published one; absolute is in the claim's unit."""

    relative: float | None = Field(default=None, ge=0)
    absolute: float | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.relative is None) == (self.absolute is None):
            raise ValueError("give relative or absolute, one of the two")
        return self

    def around(self, value: float) -> float:
        """Half-width of the tolerance around a published value."""
        if self.absolute is not None:
            return self.absolute
        return abs(value) * (self.relative or 0.0)


class Claim(Strict):
    """One published value or statement.

    ``value`` and ``comparison`` judge a metric where the factors are ``of``; ``ratio`` judges
    the metric there over the metric where they are ``over``; ``statement`` judges a text.
    """

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    statement: str
    place: str
    figure: str
    kind: Literal["value", "ratio", "comparison", "statement"]
    metric: str
    of: Factors = Field(default_factory=dict)
    over: Factors = Field(default_factory=dict)
    operator: Literal["=", "<=", ">=", "<", ">"]
    value: StrictInt | StrictFloat | StrictStr | None = None
    unit: str = ""
    tolerance: Tolerance | None = None
    tolerance_because: str = ""
    cannot_be_judged: str = ""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.metric not in METRICS:
            raise ValueError(f"{self.metric!r} is not a metric; known: {', '.join(METRICS)}")
        if self.kind in ("ratio", "comparison") and not self.over:
            raise ValueError(f"a {self.kind} needs the key over")
        if self.kind == "statement" and self.operator != "=":
            raise ValueError("a statement has the operator =")
        if self.kind in ("value", "ratio") and not isinstance(self.value, int | float):
            raise ValueError(f"a {self.kind} needs a number as value")
        judged = self.kind in ("value", "ratio") and not self.cannot_be_judged
        if judged and self.operator == "=" and not (self.tolerance and self.tolerance_because):
            raise ValueError("the operator = needs tolerance and tolerance_because")
        return self


class Side(Strict):
    """One of two statements that do not agree: a published number, or what a metric says."""

    text: str
    place: str
    claim: str | None = None
    value: float | None = None
    unit: str = ""
    metric: str | None = None
    of: Factors = Field(default_factory=dict)


class Disagreement(Strict):
    """A place where the document disagrees with itself, or with its own raw export."""

    id: str
    about: str
    first: Side
    second: Side
    explanation: str


class Published(Strict):
    """Everything published of one study."""

    study: str
    document: Document
    claims: tuple[Claim, ...]
    disagreements: tuple[Disagreement, ...] = ()

    @model_validator(mode="after")
    def _names(self) -> Self:
        names = [claim.id for claim in self.claims]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"claims: the id {', '.join(twice)} stands there twice")
        for each in self.disagreements:
            for side in (each.first, each.second):
                if side.claim is not None and side.claim not in names:
                    raise ValueError(f"disagreements: there is no claim {side.claim!r}")
        return self

    def claim(self, name: str) -> Claim:
        """The claim of that id."""
        return next(claim for claim in self.claims if claim.id == name)


class Verdict(StrEnum):
    """What an evaluation says of a claim."""

    HOLDS = "holds"
    FAILS = "does not hold"
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
        Holds, does not hold, cannot be judged.
    why : str
        The reason in words.
    """

    claim: Claim
    measured: Interval | None
    text: str
    repetitions: int
    verdict: Verdict
    why: str


def published(study: str) -> Published:
    """Read what was published of a study, and note that the notebook used it.

    Raises
    ------
    StudyBookError
        If the file is missing or wrong.
    """
    path = project_root() / "data/published" / f"{study}.yml"
    found = read_yaml(path, Published)
    provenance.note_published(_name(path), sha256(path), found.document.title)
    return found


def _name(path: Path) -> str:
    return f"published/{path.name}"


def sample(study: Study, name: str, factors: Factors) -> tuple[Sample, str] | None:
    """A metric where the factors have the given values, over all repetitions and runs.

    Parameters
    ----------
    study : Study
        The opened study.
    name : str
        Metric, as in the registry.
    factors : dict
        Values that the run's factors must have.

    Returns
    -------
    tuple of Sample and str, or None
        The pooled sample and the text of the metric; None without rows.
    """
    rows = study.query(
        """
        SELECT sum(n)::INTEGER AS n, pooled_mean(n, mean) AS mean, pooled_sd(n, mean, sd) AS sd,
               min(text) AS text
        FROM metric
        WHERE metric = $name
          AND coalesce(list_bool_and(list_transform($keys::VARCHAR[], lambda k, i:
                coalesce(factors[k] = ($wanted::VARCHAR[])[i], false))), true)
        HAVING count(*) > 0
        """,
        name=name,
        keys=list(factors),
        wanted=[str(v).lower() if isinstance(v, bool) else str(v) for v in factors.values()],
    )
    if rows.empty:
        return None
    n, mean, sd, text = rows.iloc[0]
    return Sample(int(n), float(mean), float(sd)), "" if text is None else str(text)


def evaluate(study: Study, claim: Claim) -> Judgement:
    """Judge one claim on what a study's data say.

    A claim with ``=`` holds if the estimate is within its tolerance. One with another operator
    holds or fails if the whole interval lies on one side of the bound, and cannot be judged if
    the bound lies inside it.
    """
    if claim.cannot_be_judged:
        return Judgement(claim, None, "", 0, Verdict.UNJUDGED, claim.cannot_be_judged)
    of = sample(study, claim.metric, claim.of)
    over = sample(study, claim.metric, claim.over) if claim.over else None
    if of is None or (claim.over and over is None):
        missing = claim.of if of is None else claim.over
        where = ", ".join(f"{name} = {value}" for name, value in missing.items())
        label = metric(claim.metric).label
        why = f"the data set has no {label.lower()}" + (f" for {where}" if where else "")
        return Judgement(claim, None, "", 0, Verdict.UNJUDGED, why)
    if claim.kind == "statement":
        same = of[1] == str(claim.value)
        return Judgement(
            claim, None, of[1], of[0].n, Verdict.HOLDS if same else Verdict.FAILS, f"reads {of[1]}"
        )
    if over is None:
        measured, repetitions = mean_interval(of[0]), of[0].n
    else:
        measured = ratio_interval(of[0], over[0])
        repetitions = min(of[0].n, over[0].n)
    verdict, why = _judge(claim, measured)
    return Judgement(claim, measured, "", repetitions, verdict, why)


def _judge(claim: Claim, measured: Interval) -> tuple[Verdict, str]:
    # A comparison without a value asks whether the ratio of the two is above or below 1.
    bound = 1.0 if claim.value is None else float(claim.value)
    margin = claim.tolerance.around(bound) if claim.tolerance else 0.0
    if claim.operator == "=":
        away = abs(measured.estimate - bound)
        # The measured value is rounded to nine digits; so is the comparison.
        holds = away <= margin or math.isclose(away, margin, rel_tol=1e-9)
        words = f"differs by {away:.3g}, tolerance {margin:.3g}: {claim.tolerance_because}"
        return (Verdict.HOLDS if holds else Verdict.FAILS), words
    low = measured.estimate if math.isnan(measured.low) else measured.low
    high = measured.estimate if math.isnan(measured.high) else measured.high
    if claim.operator in (">", ">="):
        clear, broken = low >= bound - margin, high < bound - margin
    else:
        clear, broken = high <= bound + margin, low > bound + margin
    if clear or broken:
        side = "keeps to" if clear else "breaks"
        return (Verdict.HOLDS if clear else Verdict.FAILS), f"the interval {side} the bound"
    return Verdict.UNJUDGED, "the bound lies within the interval"


def evaluate_all(
    study: Study, values: Published, figure: str | None = None
) -> tuple[Judgement, ...]:
    """Judge the claims of a study, or those that belong to one figure.

    Raises
    ------
    StudyBookError
        If the figure has no claim: a spelling mistake in the notebook.
    """
    claims = [claim for claim in values.claims if figure in (None, claim.figure)]
    if not claims:
        known = sorted({claim.figure for claim in values.claims})
        raise StudyBookError(
            f"no claim belongs to the figure {figure!r}\n  → known figures: {', '.join(known)}"
        )
    if figure is None:
        # A page of all claims shows published values as much as its own.
        provenance.note_published_marks(values.document.title, ())
    return tuple(evaluate(study, claim) for claim in claims)
