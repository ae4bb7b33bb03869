"""Times of day without a date, placed in the period of their report."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

_TIME = re.compile(r"(\d\d):(\d\d):(\d\d)", re.ASCII)
#: How far a row may lie outside the period that the heading names.
_SLACK = timedelta(seconds=60)
_HOUR = timedelta(hours=1)
_SUNDAY = 6


class OutOfPeriod(Exception):
    """A time of day that the period of the report does not hold."""


def is_time(text: str) -> bool:
    """Whether a word is a time of day, as rows of a log begin with."""
    return bool(_TIME.fullmatch(text))


class Clock:
    """Gives the rows of a log their dates: the day turns over at midnight.

    Parameters
    ----------
    begin, end : datetime, optional
        The period of the report. Without it, rows have no time.
    """

    def __init__(self, begin: datetime | None, end: datetime | None) -> None:
        self.begin = begin
        self.end = end
        self.last: datetime | None = None

    def moment(self, text: str) -> datetime | None:
        """The end of a row's interval.

        Raises
        ------
        OutOfPeriod
            If the period holds no such time.
        """
        hours, minutes, seconds = (int(part) for part in _TIME.fullmatch(text).groups())  # type: ignore[union-attr]  # callers ask is_time first
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
