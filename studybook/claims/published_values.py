"""The published values of a study, as data: ``data/published/<study>.yml``.

Its document, its claims, and the places where the document disagrees with itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, StrictFloat, StrictInt, StrictStr, model_validator

from studybook.checked_yaml import Misplaced, Strict, read_yaml, refuse_twice
from studybook.dataset.definition import Definition, Factors, check_study, read_definition
from studybook.errors import StudyBookError, did_you_mean
from studybook.units import metric


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


class Reading(Strict):
    """The range that we read into words of the document, in the unit of the claim.

    An end that is missing is open; with ``beyond`` no end is within the range: no difference at
    all is not *slightly better*. ``because`` is the reason in words.
    """

    least: float | None = None
    most: float | None = None
    beyond: bool = False
    because: str

    @model_validator(mode="after")
    def _range(self) -> Self:
        if self.least is None and self.most is None:
            raise ValueError("give least, most or both")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError("least is more than most")
        return self


@dataclass(frozen=True)
class Accepted:
    """The values with which a claim holds; an end that is open is infinite.

    ``beyond`` says that a finite end is not among them: a value that is *below 200* is not 200.
    """

    low: float
    high: float
    beyond: bool = False

    def holds(self, low: float, high: float) -> bool | None:
        """Whether an interval lies in it (True), or wholly outside (False); None if neither."""
        if self.beyond:
            inside, outside = (
                self.low < low and high < self.high,
                high <= self.low or low >= self.high,
            )
        else:
            # Values are rounded to nine digits; so is the comparison.
            inside = _at_least(low, self.low) and _at_least(self.high, high)
            outside = not _at_least(high, self.low) or not _at_least(self.high, low)
        return True if inside else False if outside else None


def _at_least(value: float, bound: float) -> bool:
    return value >= bound or math.isclose(value, bound, rel_tol=1e-9)


#: The kinds of claim that set a metric under ``of`` against the same under ``over``.
COMPARING = ("ratio", "difference", "comparison")

Number = StrictInt | StrictFloat


class Claim(Strict):
    """One published value or statement.

    ``value`` and ``comparison`` judge a metric where the factors are ``of``; ``ratio`` judges
    the metric there over the metric where they are ``over``, and ``difference`` that less this;
    ``statement`` judges a text. ``also_in`` names a second place that says the same.

    ``value`` is what the document prints: a number, or the two ends of a range. Where it prints the
    number otherwise, such as “40% faster” or “around 24”, ``printed`` quotes it, and is shown in
    its place. Where it has words, ``words`` quotes them, and ``reads`` is the range that we read
    into them, or the name of one in the ``readings`` of the file.

    ``role`` says what a model that simulates the data was given of the value: it was *fitted* to
    it; a fixed parameter or a setting was *chosen* with a look at it; it is *implied* by such
    values, by other claims, or by how the model is made; or it is *predicted*, and could have
    failed. ``follows``
    names the claims that it rests on, ``role_because`` is the reason in words.
    """

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    statement: str
    place: str
    also_in: str = ""
    figure: str = "claims"
    kind: Literal["value", "ratio", "difference", "comparison", "statement"]
    metric: str
    of: Factors = Field(default_factory=dict)
    over: Factors | None = None
    operator: Literal["=", "<=", ">=", "<", ">"] = "="
    value: Number | tuple[Number, Number] | StrictStr | None = None
    printed: str = ""
    words: str = ""
    reads: Reading | str | None = None
    unit: str = ""
    tolerance: Tolerance | None = None
    tolerance_because: str = ""
    cannot_be_judged: str = ""
    role: Literal["fitted", "chosen", "implied", "predicted"] | None = None
    role_because: str = ""
    follows: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _complete(self) -> Self:
        try:
            unit = metric(self.metric).unit
        except StudyBookError as error:
            raise ValueError(str(error)) from error
        if self.kind in COMPARING and self.over in (None, self.of):
            raise ValueError(f"a {self.kind} needs the key over, other than of")
        if self.kind == "statement" and self.operator != "=":
            raise ValueError("a statement has the operator =")
        if self.reads is not None:
            self._is_read()
        elif self.kind in ("value", "ratio", "difference") and not isinstance(
            self.value, int | float | tuple
        ):
            raise ValueError(
                f"a {self.kind} needs a number as value, or words and what we read into them"
            )
        if self.printed and (self.value is None or isinstance(self.value, str)):
            raise ValueError("printed is how the document has the number under value: give that")
        if isinstance(self.value, tuple) and (
            self.operator != "=" or self.value[0] >= self.value[1]
        ):
            raise ValueError("a range is from less to more, and has the operator =")
        if self.kind == "value" and self.over:
            raise ValueError("a value has no key over: it would be a ratio")
        if self.kind == "statement" and self.value is None and not self.cannot_be_judged:
            raise ValueError("a statement needs the text as value")
        if self.kind in ("value", "difference") and unit and self.unit != unit:
            raise ValueError(f"unit: {self.metric} is in {unit}, not in {self.unit!r}")
        if (self.role is None) != (not self.role_because):
            raise ValueError("a role needs its reason as role_because, and a reason its role")
        judged = self.kind != "statement" and not self.cannot_be_judged
        exact = self.reads is not None or isinstance(self.value, tuple)
        tolerated = self.tolerance and self.tolerance_because
        if judged and self.operator == "=" and not exact and not tolerated:
            raise ValueError("the operator = needs tolerance and tolerance_because")
        return self

    def _is_read(self) -> None:
        if not self.words:
            raise ValueError(
                "what is read into words needs them, as the document has them, as words"
            )
        if self.value is not None or self.tolerance or self.operator != "=":
            raise ValueError("words have no value, operator or tolerance: give the range as reads")

    @property
    def number(self) -> float | None:
        """The number that the document prints; None where it has a range, words, or a text."""
        number = isinstance(self.value, int | float) and self.kind != "statement"
        return float(str(self.value)) if number else None

    @property
    def accepted(self) -> Accepted:
        """The values with which it holds; those of a comparison are ratios.

        Raises
        ------
        ValueError
            If it is of a text, or its reading has not been looked up.
        """
        if isinstance(self.reads, Reading):
            low, high = self.reads.least, self.reads.most
            return Accepted(
                -math.inf if low is None else low,
                math.inf if high is None else high,
                beyond=self.reads.beyond,
            )
        # A comparison without a value asks whether the ratio of the two is above or below 1.
        value = 1.0 if self.kind == "comparison" and self.value is None else self.value
        if isinstance(value, str) or value is None or self.reads is not None:
            raise ValueError(f"{self.id} has no number")
        low, high = value if isinstance(value, tuple) else (value, value)
        low -= self.tolerance.around(low) if self.tolerance else 0.0
        high += self.tolerance.around(high) if self.tolerance else 0.0
        if self.operator in ("<", "<="):
            return Accepted(-math.inf, high, beyond=self.operator == "<")
        if self.operator in (">", ">="):
            return Accepted(low, math.inf, beyond=self.operator == ">")
        return Accepted(low, high)


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
    """A sum over published numbers: nobody types its result.

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

    ``sums`` are the arithmetic that shows it. Where the two sides only seem to disagree, ``agree``
    is true.
    """

    id: str
    about: str
    first: Side
    second: Side
    sums: tuple[Sum, ...] = ()
    agree: bool = False
    explanation: str


class Published(Strict):
    """Everything published of one study, and the study's own words, in which it is said.

    ``readings`` are what we read into words that the document uses again and again.
    """

    study: str
    document: Document
    definition: Definition = Definition()
    readings: dict[str, Reading] = Field(default_factory=dict)
    claims: tuple[Claim, ...]
    disagreements: tuple[Disagreement, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _look_up_readings(cls, given: Any) -> Any:
        """Put each reading in the place of its name."""
        if not isinstance(given, dict) or not isinstance(given.get("claims"), list):
            return given
        readings = given.get("readings") or {}

        def looked_up(claim: Any) -> Any:
            name = claim.get("reads") if isinstance(claim, dict) else None
            known = isinstance(name, str) and name in readings
            return claim | {"reads": readings[name]} if known else claim

        return given | {"claims": [looked_up(claim) for claim in given["claims"]]}

    @model_validator(mode="after")
    def _names(self) -> Self:
        for number, claim in enumerate(self.claims):
            if isinstance(claim.reads, str):
                do = did_you_mean(claim.reads[:100], self.readings) or "write it under readings"
                said = f"{claim.id}: no reading {claim.reads[:100]!r}\n  → {do}"
                raise Misplaced(("claims", number, "reads"), said)
        names = [claim.id for claim in self.claims]
        refuse_twice("claims", "id", names)
        self._roles()
        known = set(names)
        numbers = {claim.id for claim in self.claims if claim.number is not None}
        for number, each in enumerate(self.disagreements):
            for key, side in (("first", each.first), ("second", each.second)):
                if side.claim is not None and side.claim not in known:
                    said = f"there is no claim {side.claim[:100]!r}"
                    raise Misplaced(("disagreements", number, key, "claim"), said)
            of_sums: set[str] = set()
            for place_of, item in enumerate(each.sums):
                for name in item.numbers:
                    if isinstance(name, str) and name not in numbers | of_sums:
                        raise Misplaced(
                            ("disagreements", number, "sums", place_of, "numbers"),
                            f"{name[:100]!r} is neither a claim with a number as value nor an"
                            " earlier sum",
                        )
                if item.id:
                    of_sums.add(item.id)
        return self

    def _roles(self) -> None:
        """What follows from other claims is implied: what was predicted counts once."""
        roles = {claim.id: claim.role for claim in self.claims}
        for number, claim in enumerate(self.claims):
            for source in claim.follows:
                if roles.get(source) is None:
                    raise Misplaced(
                        ("claims", number, "follows"),
                        f"{claim.id} follows from {source[:100]}, which is no claim with a role",
                    )
            if claim.follows and claim.role != "implied":
                raise Misplaced(
                    ("claims", number, "role"),
                    f"{claim.id} has the role {claim.role}, but what follows from other claims is"
                    " implied",
                )

    def claim(self, name: str) -> Claim:
        """The claim of that id."""
        return next(claim for claim in self.claims if claim.id == name)

    @property
    def baseline(self) -> Factors:
        """The factors of a run where a claim says nothing of them."""
        return self.definition.baseline

    def runs_like(self, **factors: Any) -> dict[str, Any]:
        """The factors of the runs that a figure takes: the baseline, but for those given."""
        return self.definition.runs_like(**factors)

    def named(self, column: str) -> Callable[[Mapping[str, Any]], str | None]:
        """A function that names a setup by its factors, as a column of figures has it."""
        return self.definition.named(column)


def read_published(root: Path, study: str) -> Published:
    """Read what was published of a study; its own metrics are known from then on.

    Raises
    ------
    StudyBookError
        If the file is missing or wrong, or that of the study's own words.
    """
    if definition := read_definition(root, study):
        definition.use()  # claims may be of its metrics
    found = read_yaml(place(root, study), Published)
    check_study(place(root, study), found.study, study)
    return found.model_copy(update={"definition": definition}) if definition else found


def place(root: Path, study: str) -> Path:
    """The file with the published values of a study."""
    return root / "data/published" / f"{study}.yml"
