"""What is known of a section of the ``-Y`` form: its table, and which column goes where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.contract import Table


class Values(dict[str, str | None]):
    """The values of a row by name; a name that the HEADER lacks is NULL."""

    def __missing__(self, name: str) -> None:
        return None


@dataclass(frozen=True)
class Known:
    """A section that has a table of its own.

    Parameters
    ----------
    table : Table
        The table.
    columns : dict
        Name in the HEADER to column.
    more : callable
        Columns that follow from the values.
    also : tuple of str
        Names in the HEADER that ``more`` uses.
    """

    table: Table
    columns: dict[str, str]
    more: Callable[[Values], dict[str, Any]] = field(default=lambda values: {})
    also: tuple[str, ...] = ()
