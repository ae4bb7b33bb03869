"""What was published of a study, as data: ``data/published/<study>.yml``.

The factors of the study with the values that they may have, its claims, and the places where
its document disagrees with itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Self

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator

from pipelines.checked_yaml import Strict
from pipelines.errors import did_you_mean
from pipelines.manifest import Run
from pipelines.metrics import METRICS

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


#: The kinds of claim that set a metric under ``of`` against the same under ``over``.
COMPARING = ("ratio", "difference", "comparison")


class Claim(Strict):
    """One published value or statement.

    ``value`` and ``comparison`` judge a metric where the factors are ``of``; ``ratio`` judges
    the metric there over the metric where they are ``over``, and ``difference`` that less this;
    ``statement`` judges a text. ``also_in`` names a second place that says the same. ``reading``
    says that the document has words or a range, and that the number is our reading of them.
    """

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    statement: str
    place: str
    also_in: str = ""
    figure: str
    kind: Literal["value", "ratio", "difference", "comparison", "statement"]
    metric: str
    of: Factors = Field(default_factory=dict)
    over: Factors | None = None
    operator: Literal["=", "<=", ">=", "<", ">"]
    reading: StrictBool = False
    value: StrictInt | StrictFloat | StrictStr | None = None
    unit: str = ""
    tolerance: Tolerance | None = None
    tolerance_because: str = ""
    cannot_be_judged: str = ""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.metric not in METRICS:
            hint = did_you_mean(self.metric, METRICS, 2) or "see pipelines/metrics.py"
            raise ValueError(f"{self.metric!r} is not a metric; {hint}")
        if self.kind in COMPARING and self.over in (None, self.of):
            raise ValueError(f"a {self.kind} needs the key over, other than of")
        if self.kind == "statement" and self.operator != "=":
            raise ValueError("a statement has the operator =")
        if self.kind in ("value", "ratio", "difference") and not isinstance(
            self.value, int | float
        ):
            raise ValueError(f"a {self.kind} needs a number as value")
        if self.kind == "value" and self.over:
            raise ValueError("a value has no key over: it would be a ratio")
        if self.kind == "statement" and self.value is None and not self.cannot_be_judged:
            raise ValueError("a statement needs the text as value")
        unit = METRICS[self.metric].unit
        if self.kind in ("value", "difference") and unit and self.unit != unit:
            raise ValueError(f"unit: {self.metric} is in {unit}, not in {self.unit!r}")
        judged = self.kind != "statement" and not self.cannot_be_judged
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


class Sum(Strict):
    """What published numbers make together: nobody types its result.

    Each of ``numbers`` is written out, or is the id of a claim or of an earlier sum of the same
    disagreement, and stands for its value. ``change`` is from the first number to the second.
    """

    id: str = ""
    text: str
    numbers: tuple[StrictInt | StrictFloat | StrictStr, ...] = Field(min_length=2)
    operation: Literal["ratio", "change", "difference", "sum", "product"]
    unit: str = ""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.operation in ("ratio", "change", "difference") and len(self.numbers) > 2:
            raise ValueError(f"a {self.operation} is of two numbers")
        if self.operation == "change" and self.unit != "%":
            raise ValueError("a change is in %")
        if self.unit == "%" and self.operation not in ("ratio", "change"):
            raise ValueError(f"a {self.operation} is not in %: give the ratio or the change")
        return self


class Disagreement(Strict):
    """A place where the document disagrees with itself, or with its own raw export.

    ``sums`` are the arithmetic that shows it, or shows that the two sides agree after all.
    """

    id: str
    about: str
    first: Side
    second: Side
    sums: tuple[Sum, ...] = ()
    explanation: str


class Factor(Strict):
    """A thing varied between the runs of a study, and what values it may have."""

    meaning: str
    values: tuple[StrictBool | StrictInt | StrictFloat | StrictStr, ...] = ()
    whole_from: int | None = None

    def fault(self, value: object) -> str:
        """What is wrong with a value; empty if nothing is."""
        if self.values and value not in self.values:
            return f"expected {' or '.join(str(each) for each in self.values)}"
        whole = isinstance(value, int) and not isinstance(value, bool)
        if self.whole_from is not None and (not whole or int(str(value)) < self.whole_from):
            return f"expected a whole number from {self.whole_from} on"
        return ""


class Published(Strict):
    """Everything published of one study.

    ``baseline`` holds what a run's factors are where a claim says nothing of them; a run without
    the factor fits, too.
    """

    study: str
    document: Document
    factors: dict[str, Factor] = Field(default_factory=dict)
    baseline: Factors = Field(default_factory=dict)
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
            known = {claim.id for claim in self.claims if isinstance(claim.value, int | float)}
            for item in each.sums:
                for name in item.numbers:
                    if isinstance(name, str) and name not in known:
                        raise ValueError(
                            f"disagreements: {each.id}: {name!r} is neither a claim with a number"
                            " as value nor an earlier sum"
                        )
                if item.id:
                    known.add(item.id)
        return self

    def claim(self, name: str) -> Claim:
        """The claim of that id."""
        return next(claim for claim in self.claims if claim.id == name)

    def runs_like(self, **factors: Any) -> dict[str, Any]:
        """The factors of the runs that a figure takes: the baseline, but for those given.

        Runs without a factor of the baseline belong to them, too; they must have those given.
        """
        usual = {name: [value, None] for name, value in self.baseline.items()}
        return usual | factors

    def factor_faults(self, run: Run) -> Iterator[tuple[str, str]]:
        """What is wrong with the factors of a run: the name of each, and a sentence."""
        for name, value in run.factors.items():
            if self.factors and name not in self.factors:
                known = did_you_mean(name, self.factors) or f"known: {', '.join(self.factors)}"
                yield name, f"factors.{name} is not a factor of {self.study}\n  → {known}"
            elif name in self.factors and (fault := self.factors[name].fault(value)):
                yield name, f"factors.{name} is {value!r}\n  → {fault}"
