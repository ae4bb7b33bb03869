"""Pages, tables and spelling of numbers of a printed Performance Toolkit listing.

Numbers end where the lowest word of their heading ends, which is the one rule of layout that a
documented figure (FCX102, z/VM 7.3) shows. Page headings, the words of the tables and the use of
ASA carriage control are remembered, not seen: see :data:`testbed.writers.perfkit.NOTE`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

#: Columns behind the carriage control.
WIDTH = 132
_RIGHT = 104
_MIDDLE = 40


@dataclass(frozen=True)
class Machine:
    """The machine and z/VM's network, as page headings and table cells have them.

    Parameters
    ----------
    model, serial : str
        Of the machine, as in the heading of a page.
    level : str
        Of z/VM, such as ``V.6.3.0 SLU 1501``. Before V.6.3 processors have no polarization, and
        the log of processors is PROCLOG instead of PRCLOG.
    cpu_type : str
        ``IFL``, or ``CP`` where the partition has general processors.
    physical : int, optional
        Processors of the machine; those of the partition if not given.
    switch, vdev : str
        Name of the virtual switch; device number of a guest's first adapter, in hexadecimal.
    """

    model: str = "2827-795"
    serial: str = "0BEEF"
    level: str = "V.6.3.0 SLU 1501"
    cpu_type: str = "IFL"
    physical: int | None = None
    switch: str = "VSW1"
    vdev: str = "0600"


class Table:
    """A table whose numbers end under the right edges of its heading.

    Parameters
    ----------
    heading : sequence of str
        Its lines, the lowest with a word for each column.
    """

    def __init__(self, heading: Sequence[str]) -> None:
        self.heading = tuple(heading)
        self._edges = [word.end() for word in re.finditer(r"\S+", self.heading[-1])]

    def template(self, numbers: int, *, left: int = 0, beyond: int = 0) -> str:
        """Return a format with ``%s`` for the left part and for so many cells at its right.

        The left part takes ``left`` characters at least, for names longer than their heading. The
        last ``beyond`` words of the heading have no part in it.
        """
        edges = self._edges[: len(self._edges) - beyond][-numbers - 1 :]
        edges[0] = max(edges[0], left)
        widths = [right - left for left, right in pairwise(edges)]
        return f"%-{edges[0]}s" + "".join(f"%{width}s" for width in widths)


@dataclass
class Listing:
    """The pages of a listing, numbered through.

    Parameters
    ----------
    system : str
        Name of the z/VM system.
    machine : Machine
        What stands at the right of a heading.
    run : datetime.datetime
        When the listing was made, in local time.
    remark : str
        The user's own text in the middle of a heading.
    lines_per_page : int
        After so many lines a new page begins, with the headings again.
    """

    system: str
    machine: Machine
    run: datetime
    remark: str
    lines_per_page: int = 60
    page: int = 0

    def report(
        self,
        names: tuple[str, str, str],
        period: tuple[datetime, datetime],
        table: Table,
        rows: Iterable[str],
        above: Sequence[str] = (),
    ) -> Iterator[str]:
        """Print a report.

        Parameters
        ----------
        names : tuple of str
            Number (``FCX225``), name and title.
        period : tuple of datetime.datetime
            Begin and end of its data, in local time.
        table : Table
            The heading of its table.
        rows : iterable of str
            Its rows, below that heading.
        above : sequence of str
            Lines between the page heading and the table, on the first page only.
        """
        room = 0
        for row in rows:
            if not room:
                heading = [*self._page(names, period), *above, *table.heading]
                yield from (" " * (not line.startswith("1")) + line for line in heading)
                room, above = max(self.lines_per_page - len(heading), 1), ()
            yield f" {row}"
            room -= 1

    def _page(self, names: tuple[str, str, str], period: tuple[datetime, datetime]) -> list[str]:
        self.page += 1
        number, name, title = names
        begin, end = period
        # Local times may jump by an hour at the end of summer time; the length does not.
        seconds = round((end.astimezone(UTC) - begin.astimezone(UTC)).total_seconds())
        length = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
        machine = f"CPU {self.machine.model}   SN {self.machine.serial}"
        return [
            f"1{number}  Run {stamp(self.run)}".ljust(_MIDDLE + 1)
            + f"{name.ljust(_RIGHT - _MIDDLE)}Page {self.page:4d}",
            " " * _MIDDLE + title,
            f"From {stamp(begin)}".ljust(_RIGHT) + self.system,
            f"To   {stamp(end)}".ljust(_RIGHT) + machine,
            f"For {seconds:6d} Secs {length}".ljust(_MIDDLE)
            + self.remark.ljust(_RIGHT - _MIDDLE)
            + f"z/VM   {self.machine.level}",
            "_" * WIDTH,
        ]


def stamp(moment: datetime) -> str:
    """Spell a day and a time."""
    return f"{moment:%Y/%m/%d %H:%M:%S}"


def fixed(value: float, decimals: int = 1) -> str:
    """Spell a number with fixed decimals and no zero before the point."""
    text = f"{value:.{decimals}f}"
    return text[1:] if text.startswith("0.") else text


def fit(value: float, width: int = 4, decimals: int = 1, room: int = 0) -> str:
    """Spell a number with as many decimals as let it stand in ``width`` characters.

    If it has none left, it may take ``room`` characters before thousands are spelled K, and
    millions M.
    """
    for places in range(decimals, -1, -1):
        text = fixed(value, places)
        if len(text) <= (width if places else max(width, room)):
            return text
    for suffix in "KM":
        value /= 1000
        text = f"{value:.0f}{suffix}"
        if len(text) <= max(width, room):
            break
    return text
