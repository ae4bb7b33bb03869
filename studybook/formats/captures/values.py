"""Words of a capture as values: numbers, yes and no, and the types of a table's columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_WHOLE = re.compile(r"-?[0-9]{1,20}")
_DECIMAL = re.compile(r"-?[0-9]{1,30}(?:[.,][0-9]{1,30})?(?:[eE][+-]?[0-9]{1,2})?")

#: The smallest and the largest number of each type.
_RANGES = {
    "INTEGER": (-(2**31), 2**31 - 1), "BIGINT": (-(2**63), 2**63 - 1), "UBIGINT": (0, 2**64 - 1),
}  # fmt: skip
_TRUE = frozenset(("yes", "true", "1"))
_FALSE = frozenset(("no", "false", "0"))


def whole(text: str | None, kind: str = "INTEGER") -> int | None:
    """A whole number; None if there is none or it does not fit the column's type."""
    if text is None or not _WHOLE.fullmatch(text):
        return None
    number = int(text)
    smallest, largest = _RANGES[kind]
    return number if smallest <= number <= largest else None


def decimal(text: str | None) -> float | None:
    """A number with a decimal point, or with the decimal comma of some locales."""
    if text is None or not _DECIMAL.fullmatch(text):
        return None
    return float(text.replace(",", "."))


def yes_no(text: str | None) -> bool | None:
    """Yes or no, in the upper or lower case of any release."""
    word = (text or "").lower()
    return True if word in _TRUE else False if word in _FALSE else None


def fitted(
    kinds: Mapping[str, str], texts: Mapping[str, str | None]
) -> tuple[dict[str, Any], list[str]]:
    """Texts by column in the types of the columns, and the columns whose text is no such value."""
    values: dict[str, Any] = {}
    lost = []
    for column, text in texts.items():
        kind = kinds[column]
        if kind in _RANGES:
            values[column] = whole(text, kind)
        elif kind == "DOUBLE":
            values[column] = decimal(text)
        elif kind == "BOOLEAN":
            values[column] = yes_no(text)
        else:
            values[column] = text or None
        if text and values[column] is None:
            lost.append(column)
    return values, lost
