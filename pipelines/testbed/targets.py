"""Published values that the models are held against, and what each of them can prove.

Only those with the role ``predicted`` are predictions. That a model agrees with the others shows
that it was made to, and no more.

Claims on a study are more than the targets of its model. The file of a study gives those that are
no targets a role, too, under ``claims``: by the targets that they follow from, or by itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from pipelines import provenance
from pipelines.checked_yaml import Strict, read_yaml
from pipelines.errors import StudyBookError

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


class OtherClaims(Strict):
    """The roles of claims that are no targets, by the ids of the claims.

    Parameters
    ----------
    chosen : tuple of str
        What was written into the raw exports from the document: settings, captures, users.
    implied : tuple of str
        What holds by construction.
    predicted : tuple of str
        What the model was told nothing of, and could have failed.
    follow : dict
        For each other claim the targets that it follows from. The least certain of them counts:
        it is predicted if one of them is, and implied otherwise.
    """

    chosen: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    predicted: tuple[str, ...] = ()
    follow: dict[str, Annotated[tuple[str, ...], Field(min_length=1)]] = Field(default_factory=dict)


class _Targets(Strict):
    targets: tuple[Target, ...]
    claims: OtherClaims = OtherClaims()


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


def read_roles(study: str, folder: Path = FOLDER) -> dict[str, Role]:
    """The role of each target of a study, and of each claim that its file gives one, by id.

    Raises
    ------
    StudyBookError
        If an id has two roles, or a claim follows from what is no target.
    """
    path = folder / f"{study}.yml"
    found: dict[str, Role] = {target.id: target.role for target in read_targets(study, folder)}
    known = dict(found)
    others = read_yaml(path, _Targets).claims
    pairs: list[tuple[str, Role]] = [(each, "chosen") for each in others.chosen]
    pairs += [(each, "implied") for each in others.implied]
    pairs += [(each, "predicted") for each in others.predicted]
    for claim, sources in others.follow.items():
        for source in sources:
            if source not in known:
                raise StudyBookError(
                    f"{path}: {claim} follows from {source}, which is no target\n"
                    "  → name targets of this file"
                )
        least = "predicted" in [known[source] for source in sources]
        pairs.append((claim, "predicted" if least else "implied"))
    for claim, role in pairs:
        if claim in found:
            raise StudyBookError(f"{path}: {claim} has two roles\n  → take one of them away")
        found[claim] = role
    return found


def roles(study: str) -> dict[str, Role]:
    """The role of each published value of a study in the fit of its model, by the id of its claim.

    Returns
    -------
    dict
        Empty for a study without a model.
    """
    path = FOLDER / f"{study}.yml"
    if not path.is_file():
        return {}
    provenance.note_roles(path)
    return read_roles(study)
