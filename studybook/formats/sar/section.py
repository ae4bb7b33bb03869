"""One heading within one segment of a report: its place in time, its rows, its averages."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from studybook.errors import Refused
from studybook.formats.sar.averages import Totals, compare
from studybook.formats.sar.clock import DAY, on, roll
from studybook.formats.sar.digits import Flags, Floats, Ints
from studybook.formats.sar.heading import Heading
from studybook.formats.sar.pieces import table
from studybook.formats.sar.rows import Rows
from studybook.formats.sar.verdict import PLAIN_LANGUAGE

_EPOCH = date(1970, 1, 1)
#: Longer than any recording, in seconds: a hundred years.
_LONGEST = 36_525 * DAY


#: Where several rows of one sample have the same item: devices on one bus.
_SAME_ITEMS = frozenset(["sar_power_usb"])


def _of_half_days(times: Ints, gaps: Floats) -> bool:
    """Whether a clock of twelve hours was read as one of 24: from 12:50 to 1:00 are 10 minutes.

    Times are those of samples in their order, on the days that they seem to be of.
    """
    steps = gaps[gaps > 0]
    if not (steps > DAY / 2).any():
        return False
    hours = times % DAY // 3600
    usual = np.median(steps)
    like = np.abs(gaps - DAY / 2 - usual) <= 0.2 * usual
    return bool((like & (hours[:-1] == 12) & (hours[1:] == 1)).any())


class Before(NamedTuple):
    """A moment that something comes after.

    Parameters
    ----------
    time : int
        In seconds since the midnight before the report.
    set_back : bool
        Whether the clock had been set back, by an hour or less.
    """

    time: int
    set_back: bool


def then(before: Before | None, time: int) -> Before:
    """The next moment with a time of day."""
    if before is None:
        return Before(time, set_back=False)
    moment = on(before.time, time)
    return Before(moment, before.set_back or moment < before.time)


@dataclass
class Section:
    """What is known of a section while its rows come in.

    Parameters
    ----------
    heading : Heading
        Its columns.
    report_no, segment : int
        Where it stands.
    day : date
        The day of the report; times are counted from its midnight.
    line : int
        Where it is met first.
    floor : Before or None
        A time before which none of its rows is: that of the restart before.
    head : int or None
        The time of day of its first heading.
    last : int or None
        The time of its last row, or of the heading after it, in seconds.
    gap, first : float, str
        Interval and first item of the last sample.
    set_back : bool
        Whether the clock was set back before, since the report began, by an hour or less.
    headings, rows, samples, averaged, disagreeing : int
        How many there were; of averages those that could be held against the rows.
    """

    heading: Heading
    report_no: int
    segment: int
    day: date
    line: int
    floor: Before | None
    head: int | None = None
    last: int | None = None
    gap: float = math.nan
    first: str = ""
    headings: int = 0
    rows: int = 0
    samples: int = 0
    disagreeing: int = 0
    averaged: int = 0
    totals: Totals = field(default_factory=Totals)
    set_back: bool = False

    def __post_init__(self) -> None:
        self.set_back |= self.floor is not None and self.floor.set_back

    def copy(self) -> Section:
        """A copy that goes its own way."""
        totals = Totals(dict(self.totals.places), self.totals.sums)
        return replace(self, totals=totals)

    def place(self, rows: Rows) -> tuple[Ints, Floats, Flags | None, list[Before | None]]:
        """Put rows in time.

        A row's interval is the time since the time before it: that of other rows, or of the
        heading. The rows of one sample, as those of several devices, have one interval; that of
        a second sample in the same second is 0. A clock that was set back leaves none.

        Returns
        -------
        times : array of int64, shape (n,)
            Seconds since midnight of the report's day.
        intervals : array of float64, shape (n,)
            In seconds; NaN where it is not known.
        set_back : array of bool, shape (n,), or None
            Whether the clock had been set back before; None if it never was.
        before : list of Before or None
            For each of the further lines, the time of the row or heading before it.

        Raises
        ------
        Refused
            If the times make no sense.
        """
        n = len(rows.seconds)
        new = np.ones(n, bool)
        goes_on = self._goes_on(rows)
        if rows.names:
            new[1:] = rows.seconds[1:] != rows.seconds[:-1]
        if rows.names and self.heading.table not in _SAME_ITEMS:
            # The first item again: another sample in the same second.
            start = np.maximum.accumulate(np.where(new, np.arange(n), 0))
            first = rows.data.item[start]
            if goes_on:
                known = self.first in rows.names
                first[start == 0] = rows.names.index(self.first) if known else -1
            new |= rows.data.item == first
        heads = [(before, line, head) for before, line, head in rows.begins if head is not None]
        befores = np.array([before for before, _, _ in heads], np.int64)
        new[befores[befores < n]] = True
        starts = np.flatnonzero(new)
        self.samples += len(starts) - goes_on
        # Times in order: that before, if any, and those of headings and samples.
        before = self.last if self.last is not None else self.floor and self.floor.time
        offset = before is not None
        places = np.searchsorted(starts, befores)
        samples = np.arange(len(starts))
        own = samples + np.searchsorted(places, samples, side="right") + offset
        headings = places + np.arange(len(heads)) + offset
        clock = np.empty(len(starts) + len(heads) + offset, np.int64)
        lines = np.zeros(len(clock), np.int64)
        if before is not None:
            clock[0] = before
        clock[own], lines[own] = rows.seconds[starts], rows.data.line[starts]
        clock[headings] = [head for _, _, head in heads]
        lines[headings] = [line for _, line, _ in heads]
        if not len(clock):
            return rows.seconds, np.zeros(0), None, [None] * len(rows.others)
        times = roll(clock)
        if times[-1] > _LONGEST:
            raise Refused(
                f"the times go back again and again: by midnights, {times[-1] // DAY} days",
                "these are not the samples of one host in order: export them again",
                line=int(rows.data.line[-1]) if n else self.line,
            )
        last = np.searchsorted(lines, [line for line, _ in rows.others], side="right") - 1
        gaps = np.empty(len(times))
        gaps[1:] = times[1:] - times[:-1]
        if _of_half_days(times, gaps[1:]):
            raise Refused(
                "its times are of a clock of twelve hours, without AM or PM: they go on from 12 to"
                " 1 o'clock, and do not say which half of the day that is",
                PLAIN_LANGUAGE,
                line=self.line,
            )
        gone_back = np.logical_or.accumulate(np.concatenate(([self.set_back], gaps[1:] < 0)))
        of_others = [
            Before(int(times[place]), bool(gone_back[place])) if place >= 0 else None
            for place in last.tolist()
        ]
        self.set_back = bool(gone_back[-1])
        set_back = gone_back[own] if self.set_back else None
        gaps[gaps < 0] = math.nan
        # An interval begins with a sample: not with nothing, and not with a restart.
        gaps[: 2 if self.last is None and offset else 1] = math.nan
        gaps = gaps[own]
        if goes_on:
            gaps[0] = self.gap
        if n:
            self.gap = float(gaps[-1])
        if rows.names and n and not (goes_on and len(starts) == 1):
            self.first = rows.names[rows.data.item[starts[-1]]]
        self.last = int(times[-1])
        if len(starts) == n:
            return times[own], gaps, set_back, of_others
        lengths = np.empty(len(starts), np.int64)
        lengths[:-1] = starts[1:] - starts[:-1]
        lengths[-1:] = n - starts[-1:]
        if set_back is not None:
            set_back = np.repeat(set_back, lengths)
        return np.repeat(times[own], lengths), np.repeat(gaps, lengths), set_back, of_others

    def _goes_on(self, rows: Rows) -> bool:
        """Whether the first rows are of a sample that began in the block before."""
        if not len(rows.seconds) or not rows.names or self.last is None:
            return False
        ahead, _, head = rows.begins[0]
        return (
            (ahead, head) == (0, None)
            and self.last % DAY == rows.seconds[0]
            and rows.names[rows.data.item[0]] != self.first
        )

    def take(self, rows: Rows) -> tuple[list[Before | None], list[tuple[str, pa.Table]]]:
        """Take lines of the section; return when each further line was, and what goes to tables.

        The former is the time of the row or heading before it, if any.
        """
        times, intervals, set_back, before = self.place(rows)
        where = {"report_no": self.report_no, "segment": self.segment}
        found = []
        if len(times):
            self.rows += len(times)
            self.totals.add(rows, intervals)
            moments = (times + (self.day - _EPOCH).days * DAY) * 1_000_000
            made = table(rows, self.heading, where, moments, intervals, set_back)
            found.append((self.heading.table, made))
        if len(rows.means.line):
            made, averaged, disagreeing = compare(rows, self.heading, self.totals, where)
            if self.heading.tool != "pidstat":  # its rows leave out idle processes, averages do not
                self.averaged += averaged
                self.disagreeing += disagreeing
            found.append((f"{self.heading.tool}_average", made))
        return before, found

    def record(self) -> dict[str, Any]:
        """The row that tells of the section."""
        return {
            "report_no": self.report_no, "segment": self.segment, "activity": self.heading.table,
            "header": " ".join(self.heading.names), "headings": self.headings, "rows": self.rows,
            "line": self.line,
        }  # fmt: skip
