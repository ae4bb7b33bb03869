"""The published values of a study, as data: ``data/published/<study>.yml``.

Its document, its claims, and the places where the document disagrees with itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator

from studybook.checked_yaml import Strict, read_yaml
from studybook.dataset.definition import Definition, Factors, read_definition
from studybook.errors import StudyBookError
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


#: The kinds of claim that set a metric under ``of`` against the same under ``over``.
COMPARING = ("ratio", "difference", "comparison")


class Claim(Strict):
    """One published value or statement.

    ``value`` and ``comparison`` judge a metric where the factors are ``of``; ``ratio`` judges
    the metric there over the metric where they are ``over``, and ``difference`` that less this;
    ``statement`` judges a text. ``also_in`` names a second place that says the same. ``reading``
    says that the document has words or a range, and that the number is our reading of them.
    ``role`` says what a model that simulates the data was given of the value: it was *fitted* to
    it; a fixed parameter or a setting was *chosen* with a look at it; it is *implied* by such
    values, or by how the model is made; or it is *predicted*, and could have failed. ``follows``
    names the claims that it rests on, ``role_because`` is the reason in words.
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
        if self.kind in ("value", "ratio", "difference") and not isinstance(
            self.value, int | float
        ):
            raise ValueError(f"a {self.kind} needs a number as value")
        if self.kind == "value" and self.over:
            raise ValueError("a value has no key over: it would be a ratio")
        if self.kind == "statement" and self.value is None and not self.cannot_be_judged:
            raise ValueError("a statement needs the text as value")
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

    ``sums`` are the arithmetic that shows it, or shows that the two sides agree after all.
    """

    id: str
    about: str
    first: Side
    second: Side
    sums: tuple[Sum, ...] = ()
    explanation: str


class Published(Strict):
    """Everything published of one study, and the study's own words, in which it is said."""

    study: str
    document: Document
    definition: Definition = Definition()
    claims: tuple[Claim, ...]
    disagreements: tuple[Disagreement, ...] = ()

    @model_validator(mode="after")
    def _names(self) -> Self:
        names = [claim.id for claim in self.claims]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"claims: the id {', '.join(twice)} stands there twice")
        self._roles()
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

    def _roles(self) -> None:
        """Of the claims that one follows from, the least certain decides its role."""
        roles = {claim.id: claim.role for claim in self.claims}
        for claim in self.claims:
            for source in claim.follows:
                if roles.get(source) is None:
                    raise ValueError(
                        f"claims: {claim.id} follows from {source}, which is no claim with a role"
                    )
            least = "predicted" if "predicted" in map(roles.get, claim.follows) else "implied"
            if claim.follows and claim.role != least:
                raise ValueError(
                    f"claims: {claim.id} has the role {claim.role}, but by what it follows from"
                    f" it is {least}"
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
    return found.model_copy(update={"definition": definition}) if definition else found


def place(root: Path, study: str) -> Path:
    """The file with the published values of a study."""
    return root / "data/published" / f"{study}.yml"
