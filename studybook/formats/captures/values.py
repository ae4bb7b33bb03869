"""Words of a capture as values: numbers, sizes, yes and no, and the types of a table's columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from studybook.formats.contract import WHOLE

_WHOLE = re.compile(r"-?[0-9]{1,20}")
_DECIMAL = re.compile(r"-?[0-9]{1,30}(?:[.,][0-9]{1,30})?(?:[eE][+-]?[0-9]{1,2})?")

_TRUE = frozenset(("yes", "true", "1"))
_FALSE = frozenset(("no", "false", "0"))


def whole(text: str | None, kind: str = "INTEGER") -> int | None:
    """A whole number; None if there is none or it does not fit the column's type."""
    if text is None or not _WHOLE.fullmatch(text):
        return None
    number = int(text)
    smallest, largest = WHOLE[kind]
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
        if kind in WHOLE:
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


_SIZE = re.compile(r"[<>]?([0-9]{1,19}(?:[.,][0-9]{1,9})?) ?([A-Za-z]{0,3})")
_POWERS = {letter: 1024**power for power, letter in enumerate("kmgtpe", 1)}
_LARGEST = 2**63 - 1


def size_bytes(text: str | None, capitals_are_binary: bool = False) -> int | None:
    """Bytes of a size; rounded, as the size was before it was printed.

    LVM prints small letters and ``KiB``, ``MiB``, … for powers of 1024. Capitals alone and ``KB``,
    ``MB``, … were powers of 1024 in old releases and are powers of 1000 in others.

    Parameters
    ----------
    text : str or None
        The size as printed; 0 needs no unit.
    capitals_are_binary : bool
        Whether the tool means powers of 1024 by capitals, too, as multipath does.

    Returns
    -------
    int or None
        None if it is no size, or one whose unit leaves doubt.
    """
    found = _SIZE.fullmatch(text.strip()) if text else None
    if not found:
        return None
    # Whole numbers stay exact, of bytes most of all.
    number = int(found[1]) if found[1].isdecimal() else float(found[1].replace(",", "."))
    unit = found[2]
    factor: int | None
    if not unit:
        factor = 1 if number == 0 else None
    elif unit in ("b", "B"):
        factor = 1
    elif unit in ("s", "S"):
        factor = 512
    elif unit[1:] == "iB" or (not unit[1:] and (unit.islower() or capitals_are_binary)):
        factor = _POWERS.get(unit[0].lower())
    else:
        factor = None
    if factor is None:
        return None
    bytes_ = round(number * factor)
    return bytes_ if bytes_ <= _LARGEST else None


def is_doubtful(text: str | None) -> bool:
    """Whether a size has a unit that is a power of 1000 or of 1024, depending on the release."""
    found = _SIZE.fullmatch(text.strip()) if text else None
    return bool(found and re.fullmatch("[KMGTPE]B?", found[2]))
