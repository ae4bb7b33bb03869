"""A heading of sar, and how the rows below it are read one by one."""

from __future__ import annotations

import math
import re

from studybook.formats.sar.activities import Column, layout_of

#: What the numbers of a plain row consist of.
_PLAIN = b"0123456789.-"
#: Counters have 64 bits, and so no more digits than 20.
_NUMBER = re.compile(rb"(-?\d{1,20}(?:[.,]\d{1,9})?)([%BkMGTP])?", re.ASCII)
_LONG = 20
_NO_NUMBERS = frozenset([b"N/A", b"nan", b"-nan", b"inf", b"-inf"])
#: Units that --human prints, in KiB.
_UNITS = {b"B": 1 / 1024, b"k": 1.0, b"M": 2.0**10, b"G": 2.0**20, b"T": 2.0**30, b"P": 2.0**40}

Cells = list[bytes]


class Heading:
    """The names above the rows of a section.

    Parameters
    ----------
    line : bytes
        The heading as printed, time and all.
    start : int
        Where the names begin.
    tool : str
        The tool of sysstat that prints it.

    Attributes
    ----------
    names : tuple of str
        The names as printed.
    table : str
        Where the rows go: the table of an activity, or ``sar_other`` (of another tool, its own).
    item : int or None
        Which of the names is that of the item.
    numbers, texts : list of (int, Column)
        For each value its place among the names, and where it goes.
    rounded : bool
        Whether a number with a unit was met, as --human prints it: it has few digits.
    """

    def __init__(self, line: bytes, start: int, tool: str = "sar") -> None:
        self.names = tuple(line[start:].decode(errors="replace").split())
        self.tool = tool
        self.rounded = False
        self.layout = layout_of(self.names, tool)
        if self.layout:
            self.table = self.layout.activity.table
            self.item, columns = self.layout.item, self.layout.columns
        else:
            self.table = f"{tool}_other"
            # The headings of items are in capitals: CPU, DEV.
            capitals = [place for place, name in enumerate(self.names) if name.isupper()]
            self.item = capitals[0] if capitals and len(self.names) > 1 else None
            columns = tuple(
                (place, Column(name, text=True))
                for place, name in enumerate(self.names)
                if place != self.item
            )
        self.numbers = [(place, column) for place, column in columns if not column.text]
        self.texts = [(place, column) for place, column in columns if column.text]
        self._number_places = [place for place, _ in self.numbers]
        self._factors = [column.factor for _, column in self.numbers]
        self._plain_units = all(factor == 1.0 for factor in self._factors)
        last = len(self.names) - 1
        # A name at the end may have blanks in it: that of a file system, of a sensor.
        self._tail = self.layout is not None and (self.item == last or columns[-1][1].text)
        self._cuts = _usb_cuts(line) if self.table == "sar_power_usb" else None

    def cells(self, text: bytes, start: int) -> Cells | None:
        """Part a row into one cell per name; None if it has more cells, or fewer."""
        if self._cuts:
            return self._usb_cells(text, start, *self._cuts)
        if self._tail:
            cells = text[start:].rstrip().split(None, len(self.names) - 1)
        else:
            cells = text[start:].split()
        return cells if len(cells) == len(self.names) else None

    def values(self, cells: Cells) -> list[float] | None:
        """Read the numbers of a row, NaN for what is not available; None if one is no number."""
        numbers = [cells[place] for place in self._number_places]
        joined = b"".join(numbers)
        short = len(joined) <= _LONG or max(map(len, numbers)) <= _LONG
        if short and not joined.translate(None, _PLAIN):
            try:
                values = [float(number) for number in numbers]
            except ValueError:
                return None
            if self._plain_units:
                return values
            return [value * factor for value, factor in zip(values, self._factors, strict=True)]
        found = [number(cells[place], column) for place, column in self.numbers]
        known = [value for value in found if value is not None]
        if len(known) < len(found):
            return None
        self.rounded |= any(cell[-1:] in _UNITS for cell in numbers)
        return known

    def _usb_cells(self, text: bytes, start: int, maker: int, product: int) -> Cells | None:
        """Part a row of USB devices by the place of the last two names: they may be empty."""
        cells = text[start:maker].split()
        if len(cells) != len(self.names) - 2:
            return None
        return [*cells, text[maker:product].strip(), text[product:].strip()]


def _usb_cuts(line: bytes) -> tuple[int, int] | None:
    """Where manufacturer and product begin: both stand to the left, or both to the right."""
    power, maker = line.find(b"maxpower"), line.find(b"manufact")
    if not 0 < power < maker:
        return None
    if maker == power + len(b"maxpower "):
        return maker, line.find(b"product")
    return power + len(b"maxpower"), maker + len(b"manufact")


def number(cell: bytes, column: Column) -> float | None:
    """Read a number in whatever way sar prints it.

    With a decimal comma, a percent sign or a unit (--human); NaN for ``N/A``; None if it is
    none of these, or has a unit where there can be none.
    """
    if cell == b"N/A":
        return math.nan
    match = _NUMBER.fullmatch(cell)
    if not match:
        return None
    value, unit = float(match[1].replace(b",", b".")), match[2]
    if unit in _UNITS:
        if ("_kib" not in column.name and "_mib" not in column.name) or column.factor != 1:
            return None
        value *= _UNITS[unit] / (1024 if "_mib" in column.name else 1)
    elif unit and "percent" not in column.name:
        return None
    return value * column.factor if math.isfinite(value) else None


def is_number(cell: bytes) -> bool:
    """Whether a cell is a value, or stands for one, and no name."""
    return cell in _NO_NUMBERS or bool(_NUMBER.fullmatch(cell))
