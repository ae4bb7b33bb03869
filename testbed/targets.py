"""Published values that the models are held against, and what each of them can prove.

What is not printed and only said in words is a range that we read into them, as in the claims.

Only those with the role ``predicted`` are predictions. That a model agrees with the others shows
that it was made to, and no more.

The claims of a study have roles, too: they stand in ``data/published/<study>.yml``, with what each
follows from.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from studybook.checked_yaml import Strict, read_yaml
from studybook.errors import StudyBookError

#: One file per study.
FOLDER = Path(__file__).with_name("targets")

Role = Literal["fitted", "chosen", "implied", "predicted"]


class Case(Strict):
    """A setup under a load; what the setup leaves out has its default."""

    setup: dict[str, Any] = Field(default_factory=dict)
    users: Annotated[float, Field(gt=0)]


class Target(Case):
    """One published value, or what we read into words.

    Parameters
    ----------
    id : str
        Its name.
    source : str
        Figure or table of the document.
    text : str
        What is published, in own words.
    quantity : str
        What of a prediction it speaks of.
    against : Case, optional
        The case with which the first one is compared.
    as_ : {'ratio', 'difference'}
        How: first by second, or first less second.
    value : float or (float, float), optional
        What is printed: a number, or a range from end to end.
    sense : {'equal', 'above', 'below'}
        Whether a number that is printed is met, exceeded or stayed below.
    reads : (float or None, float or None), optional
        Where the document has words: the range that we read into them; an end may be open.
    tolerance : float, optional
        Distance from a printed number, in its unit, within which it holds; also the unit of the
        residuals of the fit, and of distances from a bound. A range with two ends needs none.
    aim : float, optional
        What the fit goes for within a range.
    role : {'fitted', 'chosen', 'implied', 'predicted'}
        What the model was given of it. *Fitted*: the fit uses it. *Chosen*: a fixed parameter, or
        the load of a case, was chosen with a look at it. *Implied*: it follows from fitted or
        chosen values, or holds by construction of the model, whatever the parameters.
        *Predicted*: none of these; the model could have failed it.
    """

    id: str
    source: str
    text: str
    quantity: str
    against: Case | None = None
    as_: Annotated[Literal["ratio", "difference"], Field(alias="as")] = "ratio"
    value: float | tuple[float, float] | None = None
    sense: Literal["equal", "above", "below"] = "equal"
    reads: tuple[float | None, float | None] | None = None
    tolerance: Annotated[float, Field(gt=0)] | None = None
    aim: float | None = None
    role: Role

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.value is None) == (self.reads is None):
            raise ValueError("give what is printed as value, or what we read into words as reads")
        ranged = not isinstance(self.value, float)
        if self.sense != "equal" and ranged:
            raise ValueError(f"the sense {self.sense} is that of a number that is printed")
        low, high = self.accepted
        if low > high or (math.isinf(low) and math.isinf(high)):
            raise ValueError("a range is from less to more, and has one end at least")
        if (self.aim is not None) != (ranged and self.role == "fitted"):
            raise ValueError("aim is what the fit goes for within a range, of the role fitted")
        alone = ranged and math.isfinite(high - low) and self.aim is None
        if self.tolerance is None and not alone:
            raise ValueError("tolerance is missing; a range with two ends and no aim needs none")
        return self

    @property
    def accepted(self) -> tuple[float, float]:
        """The least and the most with which it holds; an end that is open is infinite."""
        if isinstance(self.value, float):
            by = (self.tolerance or 0.0) if self.sense == "equal" else 0.0
            low = -math.inf if self.sense == "below" else self.value - by
            return low, math.inf if self.sense == "above" else self.value + by
        first, last = self.value or self.reads or (None, None)
        return -math.inf if first is None else first, math.inf if last is None else last

    @property
    def number(self) -> float | None:
        """The number that is printed and to be met; None where there is a bound, or a range."""
        return self.value if isinstance(self.value, float) and self.sense == "equal" else None

    def said(self, change: Callable[[float], float] = lambda number: number) -> dict[str, Any]:
        """What the document has, as the columns that a chart draws.

        A number that is printed and to be met is a ``value``; anything else has ``low``, ``high``,
        or both.
        """
        from studybook.frames import document  # heavy, and only charts ask

        row: dict[str, Any] = {"value": None, "low": None, "high": None}
        if self.number is not None:
            return row | {"origin": document.PUBLISHED, "value": change(self.number)}
        ends = dict(zip(("low", "high"), self.accepted, strict=True))
        row |= {name: change(end) for name, end in ends.items() if math.isfinite(end)}
        return row | {"origin": document.OUR_READING if self.reads else document.PUBLISHED}

    def difference(self, model: float) -> float:
        """Return a model's value less that which is printed, or how far it is off the range."""
        low, high = self.accepted
        return model - (min(max(model, low), high) if self.number is None else self.number)

    def residual(self, model: float) -> float:
        """Return the distance of a model's value from what the fit goes for, in tolerances."""
        off = self.difference(model) if self.aim is None else model - self.aim
        return off / (self.tolerance or 1.0)

    def distance(self, model: float) -> float:
        """Return where a model's value is, if what holds lies between -1 and 1.

        Where that has one end only, the end is at 0, and the unit is the tolerance.
        """
        low, high = self.accepted
        if math.isfinite(high - low):
            return (2.0 * model - low - high) / (high - low)
        return (model - (low if math.isfinite(low) else high)) / (self.tolerance or 1.0)

    def holds(self, model: float) -> bool:
        """Return whether a model's value agrees with what is published."""
        return self.accepted[0] <= model <= self.accepted[1]


class _Targets(Strict):
    targets: tuple[Target, ...]


def read_targets(study: str, folder: Path = FOLDER) -> tuple[Target, ...]:
    """Return the published values of a study.

    Parameters
    ----------
    study : str
        Name of the study, which is that of its file.
    folder : pathlib.Path
        Where the files are.
    """
    path = folder / f"{study}.yml"
    targets = read_yaml(path, _Targets).targets
    seen: set[str] = set()
    for target in targets:
        if target.id in seen:
            raise StudyBookError(f"{path}: {target.id} is there twice\n  → rename one of the two")
        seen.add(target.id)
    return targets
