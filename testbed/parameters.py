"""The parameters of the models: read from, and written back to, one file for people.

``parameters.yml`` gives each parameter its value, unit and meaning, and says whether the value is
fixed (and why) or comes out of the fit (and between which bounds).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from studybook.checked_yaml import Strict, read_yaml
from studybook.errors import StudyBookError

#: The parameters of this package.
FILE = Path(__file__).with_name("parameters.yml")


class Parameter(Strict):
    """One number of a model: fixed for a reason, or fitted between bounds.

    A fixed one is ``by_hand`` where it was chosen with a look at published values: a fit in
    disguise. ``without`` is the value with which the part of the model that it belongs to is not
    there; it is given where nothing published speaks for that part.
    """

    value: float
    unit: str
    meaning: str
    fixed: str | None = None
    bounds: tuple[float, float] | None = None
    by_hand: bool = False
    without: float | None = None

    @model_validator(mode="after")
    def _fixed_or_fitted(self) -> Self:
        if (self.fixed is None) == (self.bounds is None):
            raise ValueError("either 'fixed' with a reason or 'bounds' of the fit are needed")
        if self.by_hand and self.bounds:
            raise ValueError("what was fitted was not set by hand")
        if self.bounds and not self.bounds[0] <= self.value <= self.bounds[1]:
            raise ValueError(f"the value {self.value:g} lies outside its bounds {self.bounds}")
        return self


class ParameterFile(Strict):
    """The parameters of both studies; those of ``shared`` belong to each."""

    shared: dict[str, Parameter] = Field(default_factory=dict)
    ecm: dict[str, Parameter] = Field(default_factory=dict)
    filenet: dict[str, Parameter] = Field(default_factory=dict)

    def section(self, name: str) -> dict[str, Parameter]:
        """Return the parameters of one model by name, those that are shared first."""
        return {**self.shared, **dict(getattr(self, name))}

    def values(self, name: str) -> dict[str, float]:
        """Return the values of one model by parameter."""
        return {key: each.value for key, each in self.section(name).items()}

    def fitted(self, name: str) -> dict[str, Parameter]:
        """Return the parameters that the fit of one model may change: its own, not shared ones."""
        return {k: each for k, each in getattr(self, name).items() if each.bounds is not None}


def read_parameters(path: Path = FILE) -> ParameterFile:
    """Read the file of parameters."""
    return read_yaml(path, ParameterFile)


def write_values(section: str, values: Mapping[str, float], path: Path = FILE) -> None:
    """Replace the values of some parameters, and nothing else, in the file.

    Parameters
    ----------
    section : str
        ``ecm`` or ``filenet``.
    values : mapping of str to float
        New value by parameter.
    path : pathlib.Path
        The file.
    """
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    left = dict(values)
    at_section = at_parameter = ""
    for number, line in enumerate(lines):
        name = line.split(":")[0]
        if line[:1].isalpha():
            at_section = name
        elif line.startswith("  ") and line[2:3].isalpha():
            at_parameter = name.strip()
        elif name == "    value" and at_section == section and at_parameter in left:
            lines[number] = f"    value: {left.pop(at_parameter)!r}\n"
    if left:
        raise StudyBookError(
            f"{path}: section {section} has no value for {', '.join(left)}\n"
            "  → write each parameter in lines of its own: name:, and below it value:"
        )
    path.write_text("".join(lines), encoding="utf-8")
