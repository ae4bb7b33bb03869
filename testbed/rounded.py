"""Numbers that are the same on every machine."""

from __future__ import annotations

import dataclasses
from typing import TypeVar, cast

Value = TypeVar("Value")

#: Significant digits that are kept: libraries of mathematics differ in the sixteenth.
DIGITS = 9


def rounded(value: Value) -> Value:
    """Return a value with all its floats, also those inside, rounded to nine significant digits."""
    if isinstance(value, float):
        return cast(Value, float(f"{value:.{DIGITS}g}"))
    if isinstance(value, tuple):
        return cast(Value, tuple(rounded(each) for each in value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
        return type(value)(**{name: rounded(each) for name, each in fields.items()})
    return value
