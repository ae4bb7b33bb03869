"""What only one study means by its words: ``pipelines/<study>/study.yml``.

The factors that its runs differ in, the values that these may have, what they are where nothing is
said of them, and the roles of its hosts. A study without the file may use any words.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from studybook.checked_yaml import Strict, read_yaml
from studybook.dataset.manifest import FactorName, Name, Run
from studybook.errors import did_you_mean

#: Name of the file in the folder of the study's own models.
FILE_NAME = "study.yml"

FactorValue = StrictBool | StrictInt | StrictFloat | StrictStr
Factors = dict[str, FactorValue]


class Factor(Strict):
    """A thing varied between the runs of a study, and what values it may have."""

    meaning: str
    values: tuple[FactorValue, ...] = ()
    whole_from: int | None = None

    def fault(self, value: object) -> str:
        """What is wrong with a value; empty if nothing is."""
        if self.values and value not in self.values:
            return f"expected {' or '.join(str(each) for each in self.values)}"
        whole = isinstance(value, int) and not isinstance(value, bool)
        if self.whole_from is not None and (not whole or int(str(value)) < self.whole_from):
            return f"expected a whole number from {self.whole_from} on"
        return ""


class Role(Strict):
    """What a host is in a study; for drawings its name in words, and whose colour it has.

    Without a name a drawing takes the words of the role itself. A colour is a meaning that has
    one in :data:`studybook.charts.palette.COLOURS`; without one the host is drawn in grey.
    """

    meaning: str
    name: str = ""
    colour: str | None = None


def _with_meaning(given: object) -> object:
    return {"meaning": given} if isinstance(given, str) else given


class Definition(Strict):
    """The words of a study.

    ``baseline`` holds what a run's factors are where nothing is said of them; a run without the
    factor fits, too. ``roles`` are those that its hosts may have: each a :class:`Role`, or just
    its meaning.
    """

    study: Name = "any"
    factors: dict[FactorName, Factor] = Field(default_factory=dict)
    baseline: Factors = Field(default_factory=dict)
    roles: dict[Name, Annotated[Role, BeforeValidator(_with_meaning)]] = Field(default_factory=dict)

    def runs_like(self, **factors: Any) -> dict[str, Any]:
        """The factors of the runs that a figure takes: the baseline, but for those given.

        Runs without a factor of the baseline belong to them, too; they must have those given.
        """
        usual = {name: [value, None] for name, value in self.baseline.items()}
        return usual | factors

    def faults(self, run: Run) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """What is wrong with the words of a run: for each the keys that lead to it, a sentence."""
        for name, value in run.factors.items():
            if self.factors and name not in self.factors:
                known = did_you_mean(name, self.factors) or f"known: {', '.join(self.factors)}"
                said = f"factors.{name} is not a factor of {self.study}\n  → {known}"
                yield ("factors", name), said
            elif name in self.factors and (fault := self.factors[name].fault(value)):
                yield ("factors", name), f"factors.{name} is {value!r}\n  → {fault}"
        for number, host in enumerate(run.hosts):
            if self.roles and host.role not in self.roles:
                known = did_you_mean(host.role, self.roles) or f"known: {', '.join(self.roles)}"
                said = f"hosts.{number}.role is {host.role!r}, no role of {self.study}\n  → {known}"
                yield ("hosts", number, "role"), said


def place(root: Path, study: str) -> Path:
    """Where the words of a study stand; the file need not be there."""
    return root / "pipelines" / study / FILE_NAME


def read_definition(root: Path, study: str) -> Definition | None:
    """Read the words of a study; None where it has none of its own.

    Raises
    ------
    StudyBookError
        If the file is wrong.
    """
    path = place(root, study)
    return read_yaml(path, Definition) if path.is_file() else None
