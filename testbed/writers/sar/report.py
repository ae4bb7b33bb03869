"""Text of ``sar -f`` as sysstat 8.1.5 prints it on SLES 11 for s390x.

One section after the other, each with all samples of a stretch between two starts of the host,
and its averages. The first line has the only date, and no number of processors: releases from
8.1.6 print that. Past midnight the time of day begins again, and nothing else tells.

A heading bears the time at which its first interval began, a row the time at which its own
ended. Averages are those of counters and gauges, not of printed columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from studybook.errors import StudyBookError
from testbed.course import Course, Guest
from testbed.writers.sar.sections import Floats, Section, sections

#: Intervals that are held in memory as text at a time.
BLOCK = 512

#: From the fall of a guest to the start of sysstat when it is up again.
REBOOT_S = 75

#: Of SLES 11 SP3.
KERNEL = "3.0.76-0.11-default"


@dataclass(frozen=True)
class Locale:
    """How a locale of that time has sar print.

    Parameters
    ----------
    date : str
        strftime format of the date.
    twelve_hours : bool
        Whether times have AM and PM.
    decimal_comma : bool
        Whether numbers have a comma.
    average : str
        sysstat's word in front of averages.
    """

    date: str
    twelve_hours: bool = False
    decimal_comma: bool = False
    average: str = "Average:"


C = Locale("%m/%d/%y")
EN_US = Locale("%m/%d/%Y", twelve_hours=True)
DE_DE = Locale("%d.%m.%Y", decimal_comma=True, average="Durchschn.:")
#: With S_TIME_FORMAT=ISO set, as the daily script of sysstat does.
ISO = Locale("%Y-%m-%d")


def lines(
    course: Course,
    guest: Guest,
    *,
    per_cpu: bool = True,
    locale: Locale = C,
    restart_at: int | None = None,
    kernel: str = KERNEL,
) -> Iterator[str]:
    """Write the report of a guest, line by line, without line ends.

    Parameters
    ----------
    course : Course
        The run.
    guest : Guest
        One of its guests.
    per_cpu : bool
        Whether each processor has its line (``-P ALL``), or all together only.
    locale : Locale
        Of the person who had sar print.
    restart_at : int, optional
        Interval, counted from 0, at whose start the guest fell; see :func:`down`.
    kernel : str
        Release of the guest's kernel.

    Raises
    ------
    StudyBookError
        If the guest is busier than its processors, or falls too late to come back.
    """
    yield f"Linux {kernel} ({guest.name}) \t{course.start.strftime(locale.date)} \t_s390x_"
    away = range(course.intervals, course.intervals)
    if restart_at is not None:
        away = down(course, restart_at)
    yield from _stretch(course, guest, per_cpu, locale, 0, away.start)
    if restart_at is not None:
        up = _clock(course, locale, restart_at * course.interval_s + REBOOT_S)
        yield from ("", f"{up}       LINUX RESTART")
    yield from _stretch(course, guest, per_cpu, locale, away.stop, course.intervals)


def down(course: Course, restart_at: int) -> range:
    """The intervals that have no row where a guest falls at the start of one of them.

    Parameters
    ----------
    course : Course
        The run.
    restart_at : int
        The interval, counted from 0. The guest is up again :data:`REBOOT_S` seconds later; the
        first sample after that gives no row, as there is none to subtract from it.

    Raises
    ------
    StudyBookError
        If the guest would not be up again before the run ends.
    """
    up_s = restart_at * course.interval_s + REBOOT_S
    if restart_at < 0 or up_s >= course.intervals * course.interval_s:
        raise StudyBookError(
            f"a restart in interval {restart_at} is not over by the end of {course.run}\n"
            f"  → let the guest fall earlier: it needs {REBOOT_S} seconds"
        )
    return range(restart_at, min(math.ceil((up_s + 1) / course.interval_s), course.intervals))


def _stretch(
    course: Course, guest: Guest, per_cpu: bool, locale: Locale, first: int, last: int
) -> Iterator[str]:
    """All sections of the intervals from ``first`` to ``last`` (without it)."""
    if first < last:
        for section in sections(course, guest, first, last, per_cpu):
            yield from _section(section, course, locale, first, last)


def _section(
    section: Section, course: Course, locale: Locale, first: int, last: int
) -> Iterator[str]:
    row, comma = section.row, "," if locale.decimal_comma else "."
    total: Floats | float = 0.0
    for begin in range(first, last, BLOCK):
        end = min(begin + BLOCK, last)
        values = section.values(slice(begin, end))
        # One after the other, whatever the blocks: the sum is the same on every machine.
        sums = values.copy()
        sums[0] += total
        total = np.add.accumulate(sums, axis=0)[-1]
        clocks = [
            _clock(course, locale, number * course.interval_s) for number in range(begin, end + 1)
        ]
        for number, sample in enumerate(section.shown(values).tolist()):
            if (begin + number - first) % section.samples_per_heading == 0:
                yield ""
                yield clocks[number] + section.heading
            clock = clocks[number + 1]
            for item, columns in zip(section.items, sample, strict=True):
                yield clock + item + (row % tuple(columns)).replace(".", comma)
    means = section.shown(np.asarray(total)[None] / (last - first))[0].tolist()
    for item, columns in zip(section.items, means, strict=True):
        yield f"{locale.average:11}" + item + (row % tuple(columns)).replace(".", comma)


def _clock(course: Course, locale: Locale, after_s: int) -> str:
    """The time of day, some seconds after the start, in eleven characters or more."""
    moment = datetime.fromtimestamp(int(course.start.timestamp()) + after_s, course.start.tzinfo)
    if not locale.twelve_hours:
        return f"{moment.hour:02}:{moment.minute:02}:{moment.second:02}   "
    half = "AM" if moment.hour < 12 else "PM"
    return f"{moment.hour % 12 or 12:02}:{moment.minute:02}:{moment.second:02} {half}"
