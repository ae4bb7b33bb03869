"""Words of a capture as values: numbers, sizes, yes and no, percent codes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from pipelines.formats.contract import Table

_WHOLE = re.compile(r"-?[0-9]{1,19}")
_DECIMAL = re.compile(r"-?[0-9]{1,30}(?:[.,][0-9]{1,30})?(?:[eE][+-]?[0-9]{1,2})?")
_SIZE = re.compile(r"([0-9]{1,12})([kmgtp])(?:i?b)?", re.IGNORECASE)

_LARGEST = {"INTEGER": 2**31 - 1, "BIGINT": 2**63 - 1}
_TRUE = frozenset(("yes", "true", "1"))
_FALSE = frozenset(("no", "false", "0"))

#: Settings that are sizes in bytes even when printed without a unit.
SIZES = frozenset(
    (
        "pagepool",
        "maxblocksize",
        "maxBlockSize",
        "scatterBufferSize",
        "nsdInlineWriteMax",
        "tokenMemLimit",
        "seqDiscardThreshold",
        "seqDiscardThreshhold",
        "writebehindThreshold",
        "writebehindThreshhold",
        "sharedMemLimit",
        "prefetchLargeBlockThreshold",
        "ignorePrefetchLUNCountThreshold",
        "logBufferSize",
    )
)

#: Settings that count something, so that 4M is four million and not four mebibytes.
_COUNT = re.compile(r".*(?:Threads|ToCache|StatCache|Inodes|Count|Queues?)")


def whole(text: str | None, kind: str = "INTEGER") -> int | None:
    """A whole number, or None if there is none or it does not fit the column.

    Parameters
    ----------
    text : str or None
        The word as printed.
    kind : str
        ``INTEGER`` or ``BIGINT``.
    """
    if text is None or not _WHOLE.fullmatch(text):
        return None
    number = int(text)
    return number if abs(number) <= _LARGEST[kind] else None


def decimal(text: str | None) -> float | None:
    """A number with a decimal point, or with the decimal comma of some locales."""
    if text is None or not _DECIMAL.fullmatch(text):
        return None
    return float(text.replace(",", "."))


def yes_no(text: str | None) -> bool | None:
    """Yes or no, in the upper or lower case of any release."""
    word = (text or "").lower()
    return True if word in _TRUE else False if word in _FALSE else None


def size_bytes(attribute: str, value: str | None) -> int | None:
    """The bytes of a setting that is a size: units are powers of 1024.

    Parameters
    ----------
    attribute : str
        Name of the setting; a number without unit is bytes only for those in :data:`SIZES`,
        and what counts threads or files has no bytes.
    value : str or None
        The value as printed, such as ``3500m``.
    """
    if value is None or _COUNT.fullmatch(attribute):
        return None
    if sized := _SIZE.fullmatch(value):
        number = int(sized[1]) << 10 * ("kmgtp".index(sized[2].lower()) + 1)
        return number if number <= _LARGEST["BIGINT"] else None
    return whole(value, "BIGINT") if attribute in SIZES else None


def percent_decoded(text: str) -> str:
    """A field of a -Y row in plain text; a plus sign stays a plus sign."""
    return unquote(text) if "%" in text else text


def fitted(table: Table, texts: Mapping[str, str | None]) -> tuple[dict[str, Any], list[str]]:
    """Turn texts into the types of a table's columns.

    Parameters
    ----------
    table : Table
        The table.
    texts : mapping
        Column to text.

    Returns
    -------
    tuple of dict and list
        The values, and the columns whose text could not be turned and is lost.
    """
    values: dict[str, Any] = {}
    lost = []
    for column, text in texts.items():
        kind = table.columns[column]
        if kind in _LARGEST:
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
