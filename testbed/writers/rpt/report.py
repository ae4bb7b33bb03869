"""Rational Performance Tester 8.x: the *Full* export of a report's counters to CSV.

Six lines on the run, an empty one, then columns whose names are stacked: a header row per segment
of the counter's path. Rows are sparse (a counter without news has an empty cell) and ragged
(empty cells at the end are cut off). The layout is that of real files, which agree on more than is
obvious: the start of the run is printed with the zone's offset *in winter*; counts are doubles
where they run on and whole numbers where they are of one interval.

Counters of page elements and bytes are left out: a course says nothing of either.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Literal

import numpy as np

from studybook.errors import StudyBookError
from testbed.course import Counts, Course, Driver
from testbed.writers.rpt.columns import Column, pages_report, transactions_report

Report = Literal["Performance Report", "Transaction Report"]

#: Number of this writer's random numbers.
_NOISE = 701

#: Rows whose cells are made at a time.
_BATCH = 512

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def lines(course: Course, report: Report = "Performance Report") -> Iterator[str]:
    """Write a report of a run.

    Parameters
    ----------
    course : Course
        A run with a load driver.
    report : str
        ``Performance Report``, of pages, or ``Transaction Report``. The counters of the latter
        have the names of the tool's own model of counters; that their paths look like those of
        pages is inferred.

    Notes
    -----
    Response times are whole milliseconds, as the tool takes them, so means are sums of whole
    milliseconds over counts, and the statistics for the run follow from the intervals exactly.
    The last row is of the rest of an interval, in which the users have ended.
    """
    driver = _driver(course)
    times_ms = _clock(course, driver)
    make = pages_report if report == "Performance Report" else transactions_report
    columns = make(driver, times_ms)
    yield from _preamble(course)
    paths = [("All_Hosts", *column.path) for column in columns]
    for row in range(max(map(len, paths))):
        cells = [path[row] if row < len(path) else "" for path in paths]
        yield ",".join(["" if row else "Time [ms]", *cells])
    for first in range(0, len(times_ms), _BATCH):
        part = slice(first, first + _BATCH)
        cells_of_rows = zip(
            map(str, times_ms[part].tolist()),
            *(_cells(column, part) for column in columns),
            strict=True,
        )
        for row_cells in cells_of_rows:
            yield ",".join(row_cells).rstrip(",")


def file_name(course: Course, report: Report = "Performance Report") -> str:
    """Return the name of the file, which has the time of the launch in ms since 1970, UTC."""
    since_1970 = _launch(course) - datetime(1970, 1, 1, tzinfo=UTC)
    launch_ms = since_1970 // timedelta(milliseconds=1)
    return f"{course.run}_{launch_ms}_{report}.csv".replace(" ", "_")


def _launch(course: Course) -> datetime:
    """Return when the run was launched: up to a second before its start."""
    random = np.random.default_rng((*course.seed, _NOISE, 1))
    before = timedelta(milliseconds=int(random.integers(50, 600)))
    return (course.start.astimezone(UTC) - before).astimezone(course.start.tzinfo)


def _driver(course: Course) -> Driver:
    if course.driver is None:
        raise StudyBookError(
            f"run {course.run} has no load driver, so there is nothing to report\n"
            "  → write reports of runs with a driver only"
        )
    return course.driver


def _preamble(course: Course) -> Iterator[str]:
    """Write the six lines on the run. The offset of its start leaves out summer time."""
    start = course.start
    winter = (start.utcoffset() or timedelta()) - (start.dst() or timedelta())
    minutes = winter // timedelta(minutes=1)
    hours, minutes = divmod(abs(minutes), 60)
    offset = f"{'-' if winter < timedelta() else '+'}{hours:02d}{minutes:02d}"
    launch = _launch(course)
    day = f"{launch.day} {_MONTHS[launch.month - 1]} {launch.year}"
    time = launch.time().isoformat("seconds")
    yield f'Performance Test Run,"{course.run} [{day} {time} {launch.tzname()}]"'
    yield f'Run Start Time,"{start.replace(tzinfo=None).isoformat(timespec="seconds")}{offset}"'
    yield 'Time Range,"Default Time Range"'
    yield 'Node,"All Hosts"'
    yield 'Agent,"Performance Statistics"'
    yield f"Test Name,{course.run}"
    yield ""


def _clock(course: Course, driver: Driver) -> Counts:
    """Return the ends of the intervals, in ms since the start.

    Every second one is late by up to 50 ms; a partial interval comes last.
    """
    random = np.random.default_rng((*course.seed, _NOISE))
    interval_ms = driver.interval_s * 1000
    times_ms: Counts = np.arange(1, len(driver.users) + 2) * interval_ms
    late = random.integers(0, 2, len(times_ms)) * random.integers(0, 51, len(times_ms))
    rest_ms = interval_ms - interval_ms * int(random.integers(8, 93)) // 100
    times_ms += late
    times_ms[-1] -= rest_ms
    return times_ms


def _cells(column: Column, part: slice) -> list[str]:
    """Return some cells of a column."""
    values, shown = column.values[part].tolist(), column.shown[part].tolist()
    if column.whole is not None:
        whole = column.whole[part].tolist()
        values = [int(value) if one else value for value, one in zip(values, whole, strict=True)]
    return [
        (str(value) if isinstance(value, int) else _double(value)) if there else ""
        for value, there in zip(values, shown, strict=True)
    ]


def _double(value: float) -> str:
    """Return a number as Java prints a double: with an exponent below 0.001 and from ten million.

    See ``Double.toString`` in the Java platform's reference.
    """
    if 1e-3 <= value < 1e7 or value == 0:
        return repr(value)
    number = Decimal(repr(value)).normalize()
    exponent = number.adjusted()
    digits = f"{number.scaleb(-exponent):f}"
    return f"{digits}{'' if '.' in digits else '.0'}E{exponent}"
