"""Samples of iostat: when they were, and what is left open."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from studybook.formats.clock import was_set_back
from studybook.formats.contract import UNPLACED, Reading
from studybook.formats.sar.clock import TIME, on, seconds

#: As S_TIME_FORMAT=ISO has it.
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)([+-]\d\d):?(\d\d)", re.ASCII)
_ZONE = re.compile(r" [A-Z]{3,5}$")
_COMMAND = re.compile(r"(?:.{0,80}?[#$>%] ?)?((?:\S{0,60}/)?iostat(?:\s+[-\w./=]{1,40}){0,15})\s*$")


def command_in(text: str) -> str | None:
    """The command of iostat in a line, behind a prompt or alone."""
    match = _COMMAND.match(text)
    return match[1] if match else None


@dataclass
class Samples:
    """The samples of a file as they come in.

    Parameters
    ----------
    out : Reading
        Takes the rows.
    date_of : callable
        The day that a printed date means, at a line; raises Refused.
    """

    out: Reading
    date_of: Callable[[str, int], date]
    report: int = -1
    number: int = -1
    stated: str | None = None
    skips_first: bool = False
    delay: float | None = None
    midnight: datetime | None = None
    last_s: int | None = None
    last: datetime | None = None
    back: bool = False
    when: dict[str, Any] = field(default_factory=dict)
    timed: int = 0
    since_boot: int = 0
    untimed: int = 0
    placed: int = 0
    rows: int = 0
    first_line: int = 0
    _dates: dict[str, date] = field(default_factory=dict)

    def begin_report(self, day: date | None, line: int, **facts: Any) -> None:
        """Begin the report of a host."""
        options = (self.stated or "").split()[1:]
        delay = next((each for each in options if re.fullmatch(r"\d{1,9}", each)), None)
        self.report += 1
        self.number, self.last, self.last_s, self.back, self.when = -1, None, None, False, {}
        self.midnight = datetime.combine(day, datetime.min.time()) if day else None
        self.skips_first = any(re.fullmatch("-[a-zA-Z]*y[a-zA-Z]*", each) for each in options)
        self.delay = float(delay) if delay else self.out.hints.interval_s
        self.out.record(
            "iostat_report", report_no=self.report, command=self.stated, interval_s=self.delay,
            line=line, **facts,
        )  # fmt: skip
        self.stated = None

    def begin(self, printed: str | None, line: int) -> bool:
        """Begin a sample at a time, or at none; False if the text is no time."""
        stamp = self._stamp(printed, line) if printed is not None else {}
        if stamp is None:
            return False
        self.number += 1
        time = next(iter(stamp.values()), None)
        gap = self.delay if time is None else None
        if time and self.last:
            since = time - self.last
            self.back |= "time_local" in stamp and was_set_back(since)
            gap = since.total_seconds() if since > timedelta(0) else None
        self.last = time or self.last
        first = self.number == 0 and not self.skips_first
        self.when = {
            "report_no": self.report, "sample_no": self.number, **stamp,
            "set_back": self.back or None, "interval_s": None if first else gap,
            "since_boot": first,
        }  # fmt: skip
        if first:
            self.since_boot += 1
        elif time:
            self.timed += 1
        else:
            self.untimed += 1
            self.placed += gap is not None
        self.first_line = self.first_line or line
        return True

    def record(self, table: str, line: int, **values: Any) -> None:
        """Record a row of the sample."""
        self.out.record(table, line=line, **self.when, **values)
        self.rows += 1

    def _stamp(self, printed: str, line: int) -> dict[str, datetime] | None:
        """The time of a sample; None if the text is none."""
        try:
            if iso := _ISO.fullmatch(printed):
                text = f"{iso[1]}T{iso[2]}{iso[3]}:{iso[4]}"
                when = datetime.fromisoformat(text).astimezone(UTC)
                return {"time_utc": when.replace(tzinfo=None)}
        except (ValueError, OverflowError):
            return None
        zone = _ZONE.search(printed)
        text = printed
        if zone and zone[0] not in (" AM", " PM"):
            text = printed[: zone.start()]
        for match in re.finditer(r"(?:^|(?<=\s))\d{1,2}[:.]\d\d[:.]\d\d", text):
            time = TIME.match(f"{text[match.start() :]}\n".encode())
            if not time or time.end() != len(text[match.start() :].encode()):
                continue
            of_day = seconds(time)
            if of_day is None:
                return None
            before = text[: match.start()].strip()
            if before.rstrip(":") in ("Time", ""):
                if self.midnight is None:
                    return None
                self.last_s = on(self.last_s, of_day)
                return {"time_local": self.midnight + timedelta(seconds=self.last_s)}
            if before not in self._dates:
                if not re.search(r"\d", before) or len(self._dates) > 10_000:
                    return None
                self._dates[before] = self.date_of(before, line)
            day = datetime.combine(self._dates[before], datetime.min.time())
            where = "time_utc" if zone and zone[0] in (" UTC", " GMT") else "time_local"
            return {where: day + timedelta(seconds=of_day)}
        return None

    def tell(self) -> None:
        """Say what the file leaves open."""
        out = self.out
        if self.since_boot and not self.timed and not self.untimed:
            out.remark(
                self.first_line, "each report has one sample, the mean since the host was booted"
            )
        if self.untimed > self.placed:
            out.remark(
                self.first_line,
                f"{self.untimed - self.placed} samples have no time and no interval:"
                f" {UNPLACED} until interval_s at the file's entry in run.yml says how many seconds"
                " they are apart, and start when the run began (iostat -t prints times)",
            )
        elif self.untimed:
            out.remark_placed(self.first_line, "samples")
