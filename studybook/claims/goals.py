"""Goals: what a team wants of its own system, as data: ``pipelines/<study>/goals.yml``.

A goal is a claim without a document: its file says it in few words, and each entry makes a
:class:`~studybook.claims.published_values.Claim`, which is judged by the rule of all claims.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, StrictStr, field_validator, model_validator

from studybook.bounded_yaml import LARGEST
from studybook.checked_yaml import Strict, line_of, read_yaml
from studybook.claims import verdict_text
from studybook.claims.published_values import Accepted, Claim, Number
from studybook.dataset import definition
from studybook.dataset.definition import Definition, Factors
from studybook.dataset.manifest import Name
from studybook.errors import StudyBookError, did_you_mean
from studybook.formats.mapped.conversion import conversion, converted
from studybook.text import counted
from studybook.units import METRICS, Metric, metric

#: Bounds of the value itself, and those of the change against another setup or data set.
BOUNDS = ("below", "at_most", "above", "at_least", "between", "equals")
CHANGES = ("worse_by_at_most", "better_by_at_least", "change_by_at_most")

_QUANTITY = re.compile(r"\s*([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*(\S.*?)?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Quantity:
    """A number, and the unit that stands behind it, if any: ``300 ms``."""

    value: int | float
    unit: str = ""


def _not_too_large(digits: str) -> float:
    number = float(digits)
    if abs(number) > LARGEST:  # as of plain numbers
        raise ValueError("a number is too large")
    return number


def _quantity(given: object) -> object:
    """A number, or a text of one and its unit."""
    if isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given):
        return Quantity(given)
    if isinstance(given, str) and (found := _QUANTITY.fullmatch(given)):
        number = _not_too_large(found[1])
        return Quantity(int(number) if number.is_integer() else number, found[2] or "")
    raise ValueError(f"{given!r} is no number with a unit, such as 300 ms or 80 %")


def _per_cent(given: object) -> object:
    found = _QUANTITY.fullmatch(given) if isinstance(given, str) else None
    if not found or found[2] != "%":
        raise ValueError(f"{given!r} is no share of a hundred: write it as 5 %")
    share = _not_too_large(found[1]) / 100
    if share < 0:
        raise ValueError("a change is by 0 % or more: its direction is in the name of the key")
    return share


#: A number of runs.
Runs = Annotated[int, Field(strict=True, ge=1, le=100_000)]
Bound = Annotated[Any, BeforeValidator(_quantity)]
PerCent = Annotated[Any, BeforeValidator(_per_cent)]


class Against(Strict):
    """The data that a goal compares with: those of another data set, or of another setup."""

    data_set: StrictStr = ""
    """Another data set."""
    at: Factors = Field(default_factory=dict)
    """Other factors."""
    before: Runs | None = None
    """So many runs of the same setup before the newest."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        if self.before is not None:
            if self.data_set or self.at:
                raise ValueError("before stands alone: runs of the same setup, in this data set")
        elif not self.data_set and not self.at:
            raise ValueError("give data_set, or the other factors as at, or both; or before")
        return self


class Goal(Strict):
    """One goal.

    Where it leaves several setups, hosts or labels, it must hold in each. One bound says what is
    accepted; with ``against``, that of a change.
    """

    goal: StrictStr = Field(min_length=1)
    """The sentence that people read."""
    metric: StrictStr
    """The quantity: a metric of the library, or of the study."""
    at: Factors = Field(default_factory=dict)
    """Factors that the runs must have."""
    label: StrictStr = ""
    """The request of the load driver; without it, all of them together."""
    page: StrictStr = ""
    """The same as ``label``."""
    role: StrictStr = ""
    """Machines of a role: each must keep to the goal."""
    host: StrictStr = ""
    """One machine."""
    newest: Runs | None = None
    """So many runs of each setup, those that began last; without it, all of them."""
    below: Bound = None
    """It must be less than this; with a unit or without, such as 300 ms or 0.3 s."""
    at_most: Bound = None
    """It must be this or less."""
    above: Bound = None
    """It must be more than this."""
    at_least: Bound = None
    """It must be this or more."""
    between: tuple[Bound, Bound] | None = None
    """It must lie within two numbers."""
    equals: Number | StrictStr | None = None
    """What must be read exactly: a number or a text."""
    against: Against | None = None
    """What it is compared with; a change is then the bound."""
    worse_by_at_most: PerCent = None
    """Per cent, in the direction in which the metric gets worse."""
    better_by_at_least: PerCent = None
    """Per cent, in the direction in which it gets better."""
    change_by_at_most: PerCent = None
    """Per cent, in either direction."""
    because: StrictStr = ""
    """The reason for the goal, if there is one to tell."""

    @field_validator("metric")
    @classmethod
    def _is_a_metric(cls, name: str) -> str:
        try:
            metric(name)
        except StudyBookError as error:
            raise ValueError(str(error)) from error
        return name

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.label and self.page:
            raise ValueError("label and page are the same: give one of them")
        if self.against is not None:
            self._compares(self.against)
        else:
            self._bounds()
        return self

    def _given(self, keys: tuple[str, ...]) -> list[str]:
        return [key for key in keys if getattr(self, key) is not None]

    def _compares(self, against: Against) -> None:
        if wrong := self._given(BOUNDS):
            raise ValueError(
                f"{wrong[0]} bounds a value, against asks for a change: give {', '.join(CHANGES)}"
            )
        changes = self._given(CHANGES)
        if len(changes) != 1:
            raise ValueError(f"against needs one of {', '.join(CHANGES)}, such as 5 %")
        known = metric(self.metric)
        if known.better == "neither" and changes[0] != "change_by_at_most":
            raise ValueError(
                f"“{known.label}” is neither better nor worse when it grows"
                "\n  → give change_by_at_most, or at_most, or at_least without against"
            )
        if changes[0] == "better_by_at_least" and self.better_by_at_least == 0:
            raise ValueError("better by 0 % is not better: give worse_by_at_most: 0 %")
        least = self.better_by_at_least
        if known.better == "lower" and least is not None and least >= 1:
            raise ValueError("less by 100 % or more cannot be reached")
        if against.before is not None:
            if self.newest is None:
                raise ValueError(
                    "before needs newest: how many runs are set against those before them"
                )
        elif not against.data_set and all(
            self.at.get(name) == value for name, value in against.at.items()
        ):
            raise ValueError("against is the same setup as at: it would be set against itself")

    def _bounds(self) -> None:
        if wrong := self._given(CHANGES):
            raise ValueError(f"{wrong[0]} needs against: a data_set, or other factors as at")
        bounds = self._given(BOUNDS)
        if not bounds:
            raise ValueError(f"nothing says what is accepted\n  → give one of {', '.join(BOUNDS)}")
        if len(bounds) > 1:
            do = "give the two ends as between: [10, 20]" if len(bounds) == 2 else "give one"
            raise ValueError(f"{' and '.join(bounds)} stand together\n  → {do}")
        known = metric(self.metric)
        for each in self._quantities():
            if each.unit and conversion(each.unit, known.unit) is None:
                said = f"is in {known.unit}" if known.unit else "has no unit"
                raise ValueError(f"{bounds[0]}: {self.metric} {said}, not in {each.unit}")
        if self.between and self._number(self.between[0]) >= self._number(self.between[1]):
            raise ValueError("between is from less to more")
        if self.metric in METRICS and not isinstance(self.equals, str):
            self._can_be(known)

    def _can_be(self, known: Metric) -> None:
        """Refuse bounds that every value or none keeps to: no metric of ours is below 0."""
        accepted, most = self.claim().accepted, 100 if known.unit == "%" else math.inf
        never = accepted.high < 0 or accepted.low > most
        never |= accepted.beyond and (accepted.high == 0 or accepted.low == most)
        ever = accepted.low <= 0 and accepted.high >= most
        ever &= not (accepted.beyond and (accepted.low == 0 or accepted.high == most))
        if never or ever:
            values = "from 0 to 100 %" if most == 100 else "0 or more"
            raise ValueError(
                f"{'no' if never else 'every'} value of {self.metric} is"
                f" {verdict_text.accepted(self.claim())}: it is {values}"
            )

    def _quantities(self) -> Iterator[Quantity]:
        for each in (self.below, self.at_most, self.above, self.at_least, *(self.between or ())):
            if each is not None:
                yield each

    def _number(self, given: Quantity) -> float:
        """A bound in the unit of the metric."""
        unit = metric(self.metric).unit
        return converted(given.value, given.unit, unit) if given.unit else given.value

    @property
    def of_label(self) -> str:
        """The label of the load driver that it is about; empty where it is about all."""
        given = self.label or self.page
        return "" if given == "all" else given

    @property
    def of(self) -> Factors:
        """The factors that its values must have, those of hosts and labels included."""
        more = {"label": self.of_label, "role": self.role, "host": self.host}
        return self.at | {key: value for key, value in more.items() if value}

    @property
    def other(self) -> str:
        """What it compares with, in words; empty where it does not."""
        if self.against is None:
            return ""
        if self.against.before is not None:
            return f"the {counted(self.against.before, 'run')} before"
        factors = ", ".join(f"{name} = {value}" for name, value in self.against.at.items())
        return " at ".join(filter(None, (self.against.data_set, factors)))

    def claim(self) -> Claim:
        """The claim that it makes; of the change against another data set, the ratio of the two."""
        known = metric(self.metric)
        keys: dict[str, Any] = {
            "id": "-".join(re.findall("[a-z0-9]+", self.goal.lower())) or "goal",
            "statement": self.goal, "place": "", "figure": "", "metric": self.metric,
            "of": self.of, "kind": "value", "unit": known.unit,
        }  # fmt: skip
        operators = {"below": "<", "at_most": "<=", "above": ">", "at_least": ">="}
        for key, operator in operators.items():
            if (bound := getattr(self, key)) is not None:
                value = self._number(bound)
                return Claim.model_validate(keys | {"operator": operator, "value": value})
        if self.between is not None:
            ends = tuple(self._number(each) for each in self.between)
            return Claim.model_validate(keys | {"value": ends})
        exactly = {"tolerance": {"relative": 0.0}, "tolerance_because": "it is a goal"}
        if self.equals is not None:
            text = {"kind": "statement", "unit": ""} if isinstance(self.equals, str) else exactly
            return Claim.model_validate(keys | text | {"value": self.equals})
        over = {"against": self.other} | (dict(self.against.at) if self.against else {})
        keys |= {"kind": "ratio", "unit": "×", "over": over}
        if self.change_by_at_most is not None:
            tolerance = {"tolerance": {"relative": self.change_by_at_most}}
            return Claim.model_validate(keys | exactly | tolerance | {"value": 1.0})
        worse = self.worse_by_at_most is not None
        by = self.worse_by_at_most if worse else self.better_by_at_least
        up = worse == (known.better == "lower")
        operator = "<=" if known.better == "lower" else ">="
        value = round(1 + by if up else 1 - by, 12)
        return Claim.model_validate(keys | {"operator": operator, "value": value})

    def accepted(self) -> str:
        """The values with which it holds, in words."""
        than = f" than {self.other}"
        if self.worse_by_at_most is not None:
            by = f"by more than {_percent(self.worse_by_at_most)}"
            return f"not worse{than}" + (f" {by}" if self.worse_by_at_most else "")
        if self.better_by_at_least is not None:
            return f"better{than} by {_percent(self.better_by_at_least)} or more"
        if self.change_by_at_most is not None:
            return f"within {_percent(self.change_by_at_most)} of {self.other}"
        if isinstance(self.equals, str):
            return self.equals
        return verdict_text.accepted(self.claim())


def _percent(share: float) -> str:
    return f"{100 * share:.10g} %"


#: Each is held against each other, whether both can hold.
MOST_GOALS = 500


class Goals(Strict):
    """The goals of a study."""

    study: Name | None = None
    """The name of the folder."""
    goals: tuple[Goal, ...] = Field(min_length=1, max_length=MOST_GOALS)
    """The goals."""


@dataclass(frozen=True)
class Listed:
    """A goal, and where it stands."""

    goal: Goal
    study: str
    file: str
    line: int


def place(root: Path, study: str) -> Path:
    """The file with the goals of a study, which need not be there."""
    return definition.folder(root, study) / definition.GOALS


def read_goals(root: Path, study: str) -> tuple[Listed, ...]:
    """Read the goals of a study; its own metrics are known from then on.

    Raises
    ------
    StudyBookError
        If the file is missing or wrong: with file, line, key, and what is allowed.
    """
    words = definition.read_definition(root, study)
    if words:
        words.use()  # goals may be of its metrics
    path = place(root, study)
    found = read_yaml(path, Goals)
    if found.study is not None:
        definition.check_study(path, found.study, study)
    faults = [*_faults(found.goals, words), *_contradictions(found.goals)]
    if faults:
        raise StudyBookError(
            "\n".join(
                f"{path}, line {line_of(path, 'goals', number, *keys)}:"
                f" {'.'.join(map(str, ('goals', number, *keys)))}: {said}"
                for number, keys, said in faults
            )
        )
    name = path.relative_to(root).as_posix()
    return tuple(
        Listed(goal, study, name, line_of(path, "goals", number))
        for number, goal in enumerate(found.goals)
    )


Fault = tuple[int, tuple[str, ...], str]


def _faults(goals: tuple[Goal, ...], words: Definition | None) -> Iterator[Fault]:
    """Words of a goal that the study does not have: for each its number, keys, and a sentence."""
    for number, goal in enumerate(goals):
        factors, roles = (words.factors, words.roles) if words else ({}, {})
        if goal.role and roles and goal.role not in roles:
            do = did_you_mean(goal.role, roles) or f"known: {', '.join(roles)}"
            yield number, ("role",), f"{goal.role!r} is no role of the study\n  → {do}"
        wanted: list[tuple[tuple[str, ...], Factors]] = [(("at",), goal.at)]
        if goal.against:
            wanted.append((("against", "at"), goal.against.at))
        for keys, at in wanted:
            for name, value in at.items():
                if name in factors and (fault := factors[name].fault(value)):
                    known = [str(each) for each in factors[name].values]
                    near = did_you_mean(str(value), known)
                    do = f"{near} ({fault})" if near else fault
                    yield number, (*keys, name), f"is {value!r}\n  → {do}"
                elif near := did_you_mean(name, factors) if name not in factors else "":
                    yield number, (*keys, name), f"is not a factor of the study\n  → {near}"


def _contradictions(goals: tuple[Goal, ...]) -> Iterator[Fault]:
    """Goals that say the same, or that no system can reach together."""
    for number, goal in enumerate(goals):
        for before in goals[:number]:
            if goal.goal == before.goal:
                yield number, ("goal",), f"{goal.goal!r} stands there twice"
            elif _exclude(before, goal):
                yield (
                    number, (),
                    f"{goal.goal!r} accepts {goal.accepted()}, but {before.goal!r} accepts"
                    f" {before.accepted()}: both cannot hold\n  → change one of them",
                )  # fmt: skip


def _exclude(one: Goal, other: Goal) -> bool:
    """Whether two goals are about the same values, and accept none together."""
    of = one.of.items(), other.of.items()
    if (one.metric, one.against, one.newest) != (other.metric, other.against, other.newest):
        return False
    # A load driver's total and one of its labels are different values.
    if one.of_label != other.of_label or not (of[0] <= of[1] or of[1] <= of[0]):
        return False
    if isinstance(one.equals, str) or isinstance(other.equals, str):
        texts = isinstance(one.equals, str) and isinstance(other.equals, str)
        return texts and one.equals != other.equals
    return _apart(one.claim().accepted, other.claim().accepted)


def _apart(one: Accepted, other: Accepted) -> bool:
    if one.high < other.low or other.high < one.low:
        return True
    touch = one.high == other.low or other.high == one.low
    return touch and (one.beyond or other.beyond)
