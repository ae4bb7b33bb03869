"""Dates as sar prints them: by the locale, and so in any order.

sysstat prints the day once, in the first line, by ``strftime("%x")``, or year first where
``S_TIME_FORMAT=ISO`` is set, as the daily script ``sa2`` does. 05/06/16 is 5 June or 6 May:
which of them is told by evidence, by the run's manifest, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from studybook.errors import AmbiguousDate, Refused
from studybook.formats.contract import Hints

_NUMBERS = re.compile(
    r"(\d{1,4})(?:[-/.]|\s?[年년])\s?(\d{1,2})(?:[-/.]|\s?[月월])\s?(\d{1,4})(?:\.|\s?[日일])?",
    re.ASCII,
)
#: With the name of the month, as in India and Hong Kong: Friday 20 Nov 2026; November 20, 2026.
_NAMED = re.compile(
    r"(?:[A-Z][a-z]{2,8},? )?"
    r"(?:(\d{1,2}) ([A-Z][a-z]{2,8}),? (\d{4})|([A-Z][a-z]{2,8}) (\d{1,2}),? (\d{4}))",
    re.ASCII,
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
#: A day in the name of a file: sar05, sa20160605, host-2016-06-05.txt.
_DAY_IN_NAME = re.compile(r"(?<![a-z])sa[r]?(\d\d)(?!\d)", re.ASCII | re.IGNORECASE)
_DATE_IN_NAME = re.compile(r"(?<!\d)(20\d\d)-?([01]\d)-?([0-3]\d)(?!\d)", re.ASCII)

#: How far the first day of a report may be from the start of the run.
_NEAR_DAYS = 7

#: How a date is known that no line has.
NOT_PRINTED = "not printed; the start of the run in run.yml"


@dataclass(frozen=True)
class Evidence:
    """What a file says of the order of day and month.

    Parameters
    ----------
    name : str
        The file's name.
    dates : sequence of str
        All dates in first lines of the file, as printed.
    twelve_hours : bool
        Whether its times have AM or PM, and no word for a zone.
    decimal_comma : bool
        Whether its numbers have a decimal comma.
    """

    name: str
    dates: Sequence[str]
    twelve_hours: bool
    decimal_comma: bool


def understand(printed: str, evidence: Evidence, hints: Hints, line: int) -> tuple[date, str]:
    """Read a date.

    Parameters
    ----------
    printed : str
        The date as the first line has it.
    evidence : Evidence
        What else the file says.
    hints : Hints
        What the run's manifest says; it wins.
    line : int
        The line of the date, for messages.

    Returns
    -------
    day : date
    known : str
        How it was understood.

    Raises
    ------
    Refused
        If it is no date, or day and month cannot be told apart.
    """
    match = _NUMBERS.fullmatch(printed)
    if not match:
        if (named := _NAMED.fullmatch(printed)) and (month := named[2] or named[4])[:3] in _MONTHS:
            number = _MONTHS.index(month[:3]) + 1
            day = int(named[1] or named[5])
            return _day(int(named[3] or named[6]), number, day, printed, line), f"{month} is named"
        if hints.start and set(printed) <= set("?/"):
            return hints.start, NOT_PRINTED
        raise Refused(
            f"{printed!r} is no date that is known here",
            "print the report again with S_TIME_FORMAT=ISO or LC_ALL=C set",
            line=line,
        )
    first, second, third = match.groups()
    if len(first) == 4:
        return _day(int(first), int(second), int(third), printed, line), "year first"
    year = int(third) + (0 if len(third) == 4 else 1900 if int(third) > 68 else 2000)
    if hints.date_order == "year-first":
        return _day(
            2000 + int(first), int(second), int(third), printed, line
        ), "year first, by run.yml"
    both = {"day-first": (int(second), int(first)), "month-first": (int(first), int(second))}
    order, known = _order(printed, evidence, hints, both, year)
    if order is None:
        raise AmbiguousDate(
            f"the date {printed} is {both['day-first'][1]} of month {both['day-first'][0]} or"
            f" {both['month-first'][1]} of month {both['month-first'][0]}, and nothing in the"
            " file tells which",
            "write date_order: day-first (or month-first) at the file's entry in run.yml, or"
            " give studybook inspect --date-order",
            line=line,
        )
    return _day(year, *both[order], printed, line), known


def _order(
    printed: str, evidence: Evidence, hints: Hints, both: dict[str, tuple[int, int]], year: int
) -> tuple[str | None, str]:
    if hints.date_order:
        return hints.date_order, f"{hints.date_order}, by run.yml"
    month_first = both["month-first"]
    if month_first[0] == month_first[1]:
        return "day-first", "day and month are the same"
    if certain := _certain(printed):
        return certain, f"{certain}, by the date itself"
    others = {order for other in evidence.dates if (order := _certain(other))}
    if len(others) == 1:
        order = others.pop()
        return order, f"{order}, as another date in the file"
    if order := _by_name(evidence.name, both):
        return order, f"{order}, by the name of the file"
    if order := _by_start(hints.start, both, year):
        return order, f"{order}, by the start of the run in run.yml"
    # Of both, each says the contrary of the other: nothing is known.
    if evidence.decimal_comma and not evidence.twelve_hours:
        return "day-first", "day-first, as where numbers have a decimal comma"
    if evidence.twelve_hours and not evidence.decimal_comma:
        return "month-first", "month-first, as where times have AM and PM"
    return None, ""


def _certain(printed: str) -> str | None:
    """Tell the order of a date with the year at its end, by itself alone."""
    match = _NUMBERS.fullmatch(printed)
    if not match or len(match[1]) == 4:
        return None
    if int(match[1]) > 12:
        return "day-first"
    if int(match[2]) > 12:
        return "month-first"
    # Points and hyphens stand between day, month and year; only a slash may be American.
    return None if "/" in printed else "day-first"


def _by_name(name: str, both: dict[str, tuple[int, int]]) -> str | None:
    if match := _DATE_IN_NAME.search(name):
        wanted = (int(match[2]), int(match[3]))
        return next((order for order, found in both.items() if found == wanted), None)
    if match := _DAY_IN_NAME.search(name):
        return next((order for order, found in both.items() if found[1] == int(match[1])), None)
    return None


def _by_start(start: date | None, both: dict[str, tuple[int, int]], year: int) -> str | None:
    if not start:
        return None
    near = []
    for order, (month, day) in both.items():
        try:
            distance = abs((date(year, month, day) - start).days)
        except ValueError:
            continue
        if distance <= _NEAR_DAYS:
            near.append(order)
    return near[0] if len(near) == 1 else None


def _day(year: int, month: int, day: int, printed: str, line: int) -> date:
    try:
        found = date(year, month, day)
    except ValueError as error:
        raise Refused(
            f"there is no such date as {printed!r}",
            "if day and month are the other way round, write date_order at the file's entry in"
            " run.yml; else print the report again with S_TIME_FORMAT=ISO set",
            line=line,
        ) from error
    if not 1990 <= found.year <= 2200:
        raise Refused(
            f"the date {printed!r} is not of the time of sysstat",
            "set the clock of the host right, or print the report again",
            line=line,
        )
    return found
