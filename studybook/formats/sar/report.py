"""A report of sar, from its first line to the next one or the end of the file."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

from studybook.formats.sar.heading import Heading
from studybook.formats.sar.section import Before, Section, then

FIRST_LINE = re.compile(
    rb"Linux\s(\S+)\s+\(([^)]+)\)\s+(\S.*?)(?:\s+_(\S+)_)?(?:\s+\((\d{1,9})\sCPU\))?\s*$", re.ASCII
)


#: How wide columns of processors are, and the order in which mpstat prints them.
_WIDTH_OF_SAR, _WIDTH_OF_MPSTAT = 10, 8
_ORDER_OF_MPSTAT = (
    "CPU", "%usr %user", "%nice", "%sys %system", "%iowait", "%irq", "%soft", "%steal", "%guest",
    "%gnice", "%idle",
)  # fmt: skip


def sister(heading: str) -> str | None:
    """The tool of sysstat other than sar that prints such a heading, if any."""
    names = tuple(heading.split())
    if "Command" in names or names[:2] == ("UID", "PID"):
        return "pidstat"
    # mpstat -I SCPU, -I SUM, -N: sar has neither these columns nor these beginnings.
    if "HI/s" in names or names[0] == "NODE" or (names[0] == "CPU" and "intr/s" in names):
        return "mpstat"
    if names[0] == "CPU" and any(name[:-2].isdigit() for name in names):
        return "mpstat"
    if "CPU" in names and "%irq" in names:
        # Both print the same columns: sar ten characters wide, with %steal in front of %irq.
        ends = [word.end() for word in re.finditer(r"\S+", heading)]
        widths = {after - before for before, after in pairwise(ends)}
        if widths in ({_WIDTH_OF_SAR}, {_WIDTH_OF_MPSTAT}):
            return "mpstat" if widths == {_WIDTH_OF_MPSTAT} else None
        ordered = iter(_ORDER_OF_MPSTAT)
        in_order = all(any(name in each.split() for each in ordered) for name in names)
        # What someone has put into another order is sar's: by their names all are the same.
        own = "intr/s" in names or (in_order and "%steal" in names[names.index("%irq") :])
        return "mpstat" if own else None
    return None


@dataclass
class Report:
    """A report while it is read. Times are in seconds since the midnight before it.

    Parameters
    ----------
    number : int
        Which report of the file it is, from 0.
    day : date
        The day it began.
    told : dict
        What its first line tells.

    Attributes
    ----------
    segment : int
        How many restarts there were.
    floor : Before or None
        When the last of them was.
    heading : Heading or None
        What the next rows are.
    live : bool
        Whether the sections take turns, as when sar prints while it samples.
    latest : Before or None
        The time of the last heading of a live report.
    sections : list of Section
        Those of the segment.
    open : dict
        By the names of their headings, those of the sections that may have further rows.
    totals : Counter
        What there was in all segments before.
    comments : set
        Those that were met: each section has them again.
    """

    number: int
    day: date
    told: dict[str, Any]
    segment: int = 0
    floor: Before | None = None
    heading: Heading | None = None
    live: bool = False
    latest: Before | None = None
    sections: list[Section] = field(default_factory=list)
    open: dict[tuple[str, ...], int] = field(default_factory=dict)
    strange: dict[str, int] = field(default_factory=dict)
    totals: Counter[str] = field(default_factory=Counter)
    comments: set[tuple[int, int, bytes]] = field(default_factory=set)

    def section(self, heading: Heading, line: int) -> int:
        """Which of the sections rows below a heading belong to; it may be a new one."""
        names = heading.names
        if names not in self.open:
            floor = self.latest if self.live else self.floor
            self.open[names] = len(self.sections)
            self.sections.append(Section(heading, self.number, self.segment, self.day, line, floor))
        return self.open[names]

    def begin(self, heading: Heading, time: int, line: int) -> int:
        """Take note of a heading; return which of the sections it is of."""
        known = self.open.get(heading.names)
        if known is not None and self.heading and self.heading.names != heading.names:
            # Other sections lie between: they take turns, or this is another one of the same
            # names that begins once more, as those of -I SUM and -I XALL in older releases.
            if self.live or time != self.sections[known].head:
                self.live = True
            else:
                del self.open[heading.names]
        self.heading = heading
        number = self.section(heading, line)
        section = self.sections[number]
        section.headings += 1
        if section.head is None:
            section.head = time
        if self.live or self.latest is None:
            self.latest = then(self.latest, time)
        return number

    def restart(self, time: int) -> tuple[Before, bool]:
        """Take note of a restart, after all rows before it.

        Returns
        -------
        moment : Before
            When it was.
        back : bool
            Whether that is before the rows that precede it, by an hour or less.
        """
        ends = [Before(each.last, each.set_back) for each in self.sections if each.last is not None]
        # Of two sections, the clock of which was set back is further on.
        before = max(ends, key=lambda each: (each.set_back, each.time), default=self.floor)
        self.floor = self.latest = then(before, time)
        self.segment += 1
        # Each section begins with its heading again: what stands before it, as a comment, is
        # of none, and must not open the last one anew.
        self.heading = None
        return self.floor, before is not None and self.floor.time < before.time

    def settle(self) -> list[tuple[str, dict[str, Any]]]:
        """End the segment; return the rows that tell of its sections."""
        for section in self.sections:
            self.totals["rows"] += section.rows
            self.totals["averaged"] += section.averaged
            self.totals["disagreeing"] += section.disagreeing
            self.totals["rounded"] += section.heading.rounded
            if section.rows and not section.heading.layout:
                names = " ".join(section.heading.names)[:200]
                said = f"{names}: not known, kept in {section.heading.table}"
                self.strange.setdefault(said, section.line)
            if section.samples > 1:
                every = section.headings >= section.samples
                self.totals["each sample has a heading" if every else "few headings"] += 1
        found = [(f"{section.heading.tool}_section", section.record()) for section in self.sections]
        self.sections, self.open = [], {}
        return found

    def copy(self) -> Report:
        """A copy that goes its own way."""
        return replace(
            self, sections=[section.copy() for section in self.sections], open=self.open.copy(),
            strange=self.strange.copy(), totals=self.totals.copy(), comments=self.comments.copy(),
        )  # fmt: skip

    def moment(self, time: int) -> datetime:
        """A time of the report by the host's clock."""
        return datetime.combine(self.day, datetime.min.time()) + timedelta(seconds=time)

    def record(self) -> dict[str, Any]:
        """The row that tells of the report, once all is settled."""
        # Live, the sections take turns, or each sample has a heading of its own.
        each = self.totals["each sample has a heading"] and not self.totals["few headings"]
        layout = "live" if self.live or each else "file"
        return {"report_no": self.number, "layout": layout, **self.told}

    def remarks(self, *, whole: bool) -> list[tuple[int, str]]:
        """What the reader of the file should know, once all is settled.

        Parameters
        ----------
        whole : bool
            Whether every line of the report was understood.
        """
        found = []
        if not self.totals["rows"]:
            empty = whole and not self.totals["means"] and not self.comments
            found.append(
                "there are no samples: newer releases of sar print no more than this of a file"
                " that another release wrote"
                if empty
                else "there are no samples that could be read"
            )
        if self.totals["rounded"]:
            found.append("printed with --human: numbers have three digits or so, no more")
        if self.totals["disagreeing"]:
            found.append(
                f"{self.totals['disagreeing']} of {self.totals['averaged']} averages that were"
                " printed differ from the mean of the rows by more than rounding: see the table of"
                " averages"
            )
        of_report = [(self.told["line"], text) for text in found]
        return of_report + [(line, text) for text, line in self.strange.items()]
