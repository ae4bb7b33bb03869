"""The heading of a page: which report it is, of which system, and for which time.

A printed page begins with six lines, from ``FCXnnn Run ...`` to a rule; a screen has one line.
Nothing is taken from a place in the line, only from words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

_DATE = r"(\d{4}/\d\d/\d\d|\d{4}-\d\d-\d\d)"
_TIME = r"(\d\d:\d\d:\d\d|HH:MM:SS)"
FIRST = re.compile(r"[ 1]?\s*(FCX\d{3})\b(.*)", re.ASCII)
#: Lines that were cut at their right, to fit on a screen or a page, have no page number.
_LISTING = re.compile(
    rf"\s+Run {_DATE} {_TIME}\s+(\S+)"
    r"(?:(?:\s+(\S.*?))??\s+Page\s+(\d{1,9})|(?:\s{1,3}(\S+(?: \S+){0,3}))?)",
    re.ASCII,
)
_SCREEN = re.compile(
    rf"\s+(?:CPU\s+(\w{{4}})\s+SER\s+(\w{{5}})|Data for\s+{_DATE})"
    rf"\s+(?:Interval\s+{_TIME}\s+-\s+{_TIME}|Initial\s+{_TIME})\s+(\S.*)",
    re.ASCII,
)
_FROM = re.compile(rf"\s*From\s+{_DATE}\s+{_TIME}(?:\s+(\S.*))?", re.ASCII)
_TO = re.compile(rf"\s*To\s+{_DATE}\s+{_TIME}(?:\s+(\S.*))?", re.ASCII)
_FOR = re.compile(r"\s*For\s+(\d{1,9})\s+Secs\s+(\d{1,5}):(\d\d):(\d\d)(?:\s+(\S.*))?", re.ASCII)
_CPU = re.compile(r"CPU\s+(\S+)\s+SN\s+(\S+)")
_LEVEL = re.compile(r"(?:.*\s)?z/VM\s+(\S.*)")


@dataclass
class Page:
    """What the heading of a page says."""

    line: int
    values: dict[str, Any]
    asa: bool
    remarks: list[str] = field(default_factory=list)
    known_lines: int = 1
    number: int | None = None
    printed: tuple[str | None, ...] = ()

    @property
    def identity(self) -> tuple[Any, ...]:
        """What two pages of one report have in common."""
        names = (
            "report", "name", "subject", "run_local", "from_local", "to_local", "form",
            "system_id", "serial",
        )  # fmt: skip
        return (*(self.values.get(name) for name in names), self.printed)

    def goes_on(self, last: int | None) -> bool:
        """Whether its number lets it follow page `last`; a screen has no number."""
        return self.number is None or last is None or self.number > last

    @property
    def is_listing(self) -> bool:
        """Whether more lines of heading follow."""
        return bool(self.values["form"] == "listing")


def first_line(line: int, text: str, day: date | None) -> Page | None:
    """Read the first line of a page, with its carriage control; None if it is not understood.

    `day` is that of the run, for screens: they print none.
    """
    match = FIRST.fullmatch(text)
    if not match:
        return None
    report, rest = match.groups()
    asa = text[0] == "1"
    if listing := _LISTING.fullmatch(rest.rstrip()):
        run_day, run_time, name, subject, number, cut = listing.groups()
        listed = {
            "report": report, "name": name, "subject": subject or cut,
            "run_local": _moment(run_day, run_time), "form": "listing",
        }  # fmt: skip
        return Page(line, listed, asa, number=int(number) if number else None)
    screen = _SCREEN.fullmatch(rest.rstrip())
    if not screen:
        return None
    model, serial, printed_day, begin, end, initial, right = screen.groups()
    values: dict[str, Any] = {
        "report": report, "cpu_model": model, "serial": serial,
        "form": "scan" if printed_day else "screen",
        "system_id": None if right in ("Perf. Monitor", "Monitor Scan") else right,
    }  # fmt: skip
    # Without a day the times as printed still tell one screen from another.
    page = Page(line, values, asa, printed=(begin, end, initial))
    if initial:
        page.remarks.append(
            f"the values are those since the first sample at {initial}: the end is not printed"
        )
        begin = initial
    if "HH:MM:SS" in (begin, end):
        page.remarks.append("the heading has HH:MM:SS where times should be: a printed example")
        return page
    if not printed_day and day:
        page.remarks.append("a screen prints no date; that of the start in run.yml is taken")
    elif not printed_day:
        page.remarks.append("a screen prints no date, and run.yml no start: its times are unknown")
    base = printed_day or (day.isoformat() if day else None)
    values["from_local"] = _moment(base, begin)
    values["to_local"] = _moment(base, end)
    if values["from_local"] and values["to_local"]:
        if values["to_local"] < values["from_local"]:
            values["to_local"] += timedelta(days=1)
        values["interval_s"] = (values["to_local"] - values["from_local"]).total_seconds()
    return page


def further_line(page: Page, text: str) -> bool:
    """Take one of the other lines of a printed heading; False if it is none of them."""
    values = page.values
    if (match := _FROM.fullmatch(text)) and "from_local" not in values:
        values["from_local"] = _moment(match[1], match[2])
        values["system_id"] = match[3]
    elif (match := _TO.fullmatch(text)) and "to_local" not in values:
        values["to_local"] = _moment(match[1], match[2])
        if machine := _CPU.fullmatch(match[3] or ""):
            values["cpu_model"], values["serial"] = machine.groups()
    elif (match := _FOR.fullmatch(text)) and "interval_s" not in values:
        values["interval_s"] = _seconds(page, match)
        if level := _LEVEL.fullmatch(match[5] or ""):
            values["zvm_level"] = level[1]
    elif "title" not in values and "from_local" not in values and text.startswith(" " * 8):
        values["title"] = text.strip()
    else:
        return False
    return True


def _seconds(page: Page, match: re.Match[str]) -> float | None:
    """The length of the period, if its three spellings agree."""
    seconds = int(match[1])
    clock = int(match[2]) * 3600 + int(match[3]) * 60 + int(match[4])
    begin, end = page.values.get("from_local"), page.values.get("to_local")
    difference = (end - begin).total_seconds() if begin and end else None
    if seconds == clock and difference in (seconds, None) and seconds > 0:
        return float(seconds)
    page.remarks.append(
        f"For says {seconds} s and {clock} s, but From and To are {difference} s apart:"
        " the length of the period is taken as unknown"
    )
    return None


def _moment(day: str | None, time: str | None) -> datetime | None:
    if not day or not time:
        return None
    try:
        return datetime.fromisoformat(f"{day.replace('/', '-')} {time}")
    except ValueError:
        return None


_CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d)", re.ASCII)
#: How far a row may lie outside the period that the heading names.
_SLACK = timedelta(seconds=60)
_HOUR = timedelta(hours=1)
_SUNDAY = 6


class OutOfPeriod(Exception):
    """A time of day that the period of the report does not hold."""


def is_time(text: str) -> bool:
    """Whether a word is a time of day, as rows of a log begin with."""
    return bool(_CLOCK.fullmatch(text))


def begins_with_time(text: str) -> bool:
    """Whether the first word of a line is a time of day."""
    return is_time(text.split(maxsplit=1)[0])


class Clock:
    """Gives the rows of a log their dates: the day turns over at midnight.

    Without the period of the report, rows have no time.
    """

    def __init__(self, begin: datetime | None, end: datetime | None) -> None:
        self.begin = begin
        self.end = end
        self.last: datetime | None = None

    def moment(self, text: str) -> datetime | None:
        """The end of a row's interval; raises OutOfPeriod if the period holds no such time."""
        hours, minutes, seconds = (int(part) for part in _CLOCK.fullmatch(text).groups())  # type: ignore[union-attr]  # callers ask is_time first
        if hours > 24 or minutes > 59 or seconds > 59:
            raise OutOfPeriod(f"{text} is no time of day")
        if not self.begin or not self.end:
            return None
        midnight = datetime.combine(self.begin.date(), datetime.min.time())
        found = midnight + timedelta(hours=hours, minutes=minutes, seconds=seconds)
        # Rows of one processor may follow those of another, so only a period of more than a day
        # needs the row before; else the period alone says which day it is.
        earliest = self.begin - _SLACK
        if self.last and self.end - self.begin >= timedelta(days=1) - 2 * _SLACK:
            earliest = max(earliest, self._earliest_after(self.last, found))
        if found < earliest:
            found += timedelta(days=-(-(earliest - found) // timedelta(days=1)))
        if not earliest <= found <= self.end + _SLACK:
            raise OutOfPeriod(f"{text} is not in the period of the report")
        self.last = found
        return found

    @staticmethod
    def _earliest_after(last: datetime, found: datetime) -> datetime:
        """When the row after one at `last` may be, with the time of day of `found`.

        Clocks are put back by an hour in the night to a Sunday when summer time ends; a step
        back by up to an hour on that morning is this, not a gap of 23 hours or more.
        """
        back = timedelta(0)
        if last.weekday() == _SUNDAY and last.hour < 4:
            back = last - datetime.combine(last.date(), found.time())
        return last - back if timedelta(0) < back <= _HOUR else last
