"""Published values that the models are held against, and what each of them can prove.

Only those with the role ``predicted`` are predictions. That a model agrees with the others shows
that it was made to, and no more.

The claims of a study have roles, too: they stand in ``data/published/<study>.yml``, with what each
follows from.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

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
    """One published value.

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
    sense : {'equal', 'above', 'below'}
        Whether the value is met, exceeded or stayed below.
    value : float
        The published value.
    tolerance : float
        Distance from the value, in its unit, within which it holds; also the unit of the
        residuals of the fit. What is only to be exceeded needs none to hold.
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
    sense: Literal["equal", "above", "below"] = "equal"
    value: float
    tolerance: Annotated[float, Field(gt=0)]
    role: Role

    def residual(self, model: float) -> float:
        """Return the distance of a model's value, in tolerances; 0 on the right side of a bound."""
        distance = (model - self.value) / self.tolerance
        if self.sense == "above":
            return min(0.0, distance)
        return max(0.0, distance) if self.sense == "below" else distance

    def holds(self, model: float) -> bool:
        """Return whether a model's value agrees with the published one."""
        return abs(self.residual(model)) <= (1.0 if self.sense == "equal" else 0.0)


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
