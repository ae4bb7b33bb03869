"""What ``collectl -P`` writes: a head of comments, names of columns, and a row for each interval.

Seen: recordings of releases 3.6 to 4.3, of processors, memory, disks and network, in sum and one by
one, with blanks, commas and semicolons between the cells, and with times in three ways (date and
time, with parts of a second, ``#UTC``). The head tells host and offset from UTC.

Processes (``-sZ``) and slabs have files of their own, which are not read. Nor is what collectl
records itself (``.raw``): it makes the files read here from that (``-p FILE -P``).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from studybook.errors import Refused
from studybook.formats.clock import was_set_back
from studybook.formats.collectl.rows import HEADING, REPORT, ROW, within
from studybook.formats.contract import Reading
from studybook.formats.line_reader import LineReader
from studybook.formats.quoted_rows import END_S, EPOCH, FIRST_S
from studybook.formats.raw import Head, RawFile

_TOOL = re.compile(r"# Collectl: +V(\S{1,30})")
_COLUMN = r"\[[A-Za-z]\w{0,20}(?::[^\]\s]{1,80})?\][\w/%.\-]{1,40}"
_NAMES = re.compile(rf"#(?:UTC|Date(.)Time)(\1|[ ,;|:\t])(?:{_COLUMN}(?:\2|\s*$))+", re.ASCII)
#: Processes, and whatever else has columns that are named otherwise.
_OTHERS = re.compile(r"#(?:UTC|Date.Time)[ ,;|:\t](?!\[)\w")
_FACT = re.compile(r"(\w+): +(\S+)")
#: -on and its likes: what was counted is not divided by the length of the interval.
_NO_RATES = re.compile(r"(?:^| )(?:-o ?|--options[ =])[A-Za-z0-9]*n|^# SubSys:.* Options: \w*n\w* ")
_SAMPLE = re.compile(r">>> \d{9,}\S* <<<$")
_DATE = re.compile(r"\d{8}", re.ASCII)
_TIME = re.compile(r"\d\d:\d\d:\d\d(?:\.\d{1,6})?", re.ASCII)
_EPOCH = re.compile(r"\d{10}(?:\.\d{1,6})?", re.ASCII)
_OFFSET = re.compile(r"([+-])(\d\d)(\d\d)", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,20}(?:\.\d{0,12})?", re.ASCII)
#: Columns that hold text.
_TEXTS = ("Name", "Map")
_SUMMER_TIME = timedelta(hours=1)

_HOW = "collectl -scdmnCDN -P -oz -f FOLDER, or of a recording: collectl -p FILE.raw.gz -P"


def recognise(head: Head) -> bool:
    """Whether the head of a recording is there, or names of its columns."""
    lines = [line for line in head.lines[:60] if line.strip()]
    return any(_TOOL.match(line) or _NAMES.match(line) for line in lines)


def read(raw: RawFile, out: Reading) -> None:
    """Read every recording in the file.

    Raises
    ------
    Refused
        If it is what collectl records itself, of processes, has counts and no rates, or no row.
    """
    reader = _Reader(out)
    reader.read(raw)
    if reader.no_rates:
        raise Refused(
            "has counts of intervals, not rates per second: collectl was started with -on",
            "make it again without n among its -o options; of a recording: collectl -p FILE -P",
            line=reader.no_rates,
        )
    if out.rows.get(ROW):
        reader.tell()
        return
    if reader.is_raw:
        raise Refused(
            "is a recording as collectl keeps it for itself", f"make a table of it: {_HOW}"
        )
    if reader.others:
        raise Refused(
            "is of processes or slabs, which are not read",
            f"leave it out of the run, and record the host: {_HOW}",
        )
    raise Refused("has the head of collectl, and no row", f"record it again: {_HOW}")


@dataclass
class _Reader(LineReader):
    report: int = -1
    heading: int = -1
    sample: int = 0
    facts: dict[str, str] = field(default_factory=dict)
    first: int = 0  # line of the head
    in_head: bool = False
    in_report: bool = False
    names: list[str] = field(default_factory=list)
    separator: str = " "
    is_utc: bool = False
    offset: timedelta | None = None
    last: datetime | None = None
    back: bool = False
    is_raw: bool = False
    no_rates: int = 0  # line of a head that says that rates were not made
    others: int = 0
    misfits: int = 0

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if match := _TOOL.match(text):
            self.facts, self.first, self.in_head = {"version": match[1]}, line, True
            self.in_report, self.names = False, []
            return self._head(text)
        if _NAMES.match(text):
            return self._columns(line, text)
        if _OTHERS.match(text):
            self.others += 1
            self.names = []
            return None
        if text.startswith("#"):
            return self._head(text) if self.in_head else False
        if _SAMPLE.match(text):
            self.is_raw = True
        return self._row(line, text) if self.names else None

    def _close(self) -> None:
        """Nothing is kept back."""

    def _head(self, text: str) -> bool:
        """Keep what a line of the head says."""
        found = {name: value for name, value in _FACT.findall(text[1:600]) if value[-1] != ":"}
        self.facts |= {name: value for name, value in found.items() if name not in self.facts}
        if _NO_RATES.search(text):
            self.no_rates = self.no_rates or self.first
        if text.startswith("# Collectl:") and "Options:" in text:
            self.facts["Options"] = text.partition("Options:")[2].strip()[:400]
        return bool(found)

    def _columns(self, line: int, text: str) -> bool | None:
        is_utc = text.startswith("#UTC")
        separator = text[4] if is_utc else text[5]
        names = [name for name in text.split(separator)[1 if is_utc else 2 :] if name]
        if len(set(names)) < len(names) or len(names) > 50_000:
            self.names = []
            return None
        self.in_head, self.is_utc, self.separator = False, is_utc, separator
        if not self.in_report:
            self._begin(line)
        self.heading += 1
        self.names = names
        self.out.record(
            HEADING,
            report_no=self.report,
            heading_no=self.heading,
            names=" ".join(names),
            line=line,
        )
        return True

    def _begin(self, line: int) -> None:
        """Begin a recording."""
        facts, self.facts = self.facts, {}
        self.report += 1
        self.in_report, self.sample, self.last, self.back = True, 0, None, False
        zone = _OFFSET.fullmatch(facts.get("TZ", ""))
        self.offset = None
        if zone and int(zone[2]) < 24:
            sign = -1 if zone[1] == "-" else 1
            self.offset = sign * timedelta(hours=int(zone[2]), minutes=int(zone[3]))
        interval = facts.get("Interval", "").partition(":")[0]
        self.out.record(
            REPORT, report_no=self.report, host=facts.get("Host"), version=facts.get("version"),
            options=facts.get("Options"), cpus=_int(facts.get("NumCPUs", "")),
            memory_kib=_int(facts.get("Memory", "")), zone=zone[0] if zone else None,
            interval_s=_float(interval),
            line=self.first or line,
        )  # fmt: skip
        self.first = 0

    def _row(self, line: int, text: str) -> bool | None:
        cells = text.split(None if self.separator == " " else self.separator)
        before = 1 if self.is_utc else 2
        stamp = self._stamp(cells[:before])
        if stamp is None:
            return None
        cells = [cell.strip() for cell in cells[before:]]
        if len(cells) != len(self.names):
            self.misfits += 1
            return None
        numbers = []
        for name, cell in zip(self.names, cells, strict=True):
            number = _float(cell)
            if number is None and cell and not name.endswith(_TEXTS):
                return None
            numbers.append(number)
        when = next(iter(stamp.values()))
        since = when - self.last if self.last else None
        if self.offset is not None and since and -_SUMMER_TIME <= since < -_SUMMER_TIME / 2:
            # The offset of the head is that of the beginning.
            self.offset -= _SUMMER_TIME
            stamp = {"time_utc": when + _SUMMER_TIME}
            when, since = when + _SUMMER_TIME, since + _SUMMER_TIME
            self.out.remark(
                line, "the clock was set back by an hour, as when summer time ends: read so"
            )
        self.back |= "time_local" in stamp and was_set_back(since)
        self.last = when
        self.out.record(
            ROW, report_no=self.report, heading_no=self.heading, sample_no=self.sample,
            set_back=self.back or None, line=line, **stamp,
            numbers=within(self.out, self.names, numbers, line),
            interval_s=since.total_seconds() if since and since > timedelta(0) else None,
        )  # fmt: skip
        self.sample += 1
        return True

    def _stamp(self, cells: list[str]) -> dict[str, datetime] | None:
        """The time of a row; None if the cells are none."""
        if self.is_utc:
            if len(cells) < 1 or not _EPOCH.fullmatch(cells[0]):
                return None
            when = _instant(float(cells[0]))
            return {"time_utc": when} if when else None
        if len(cells) < 2 or not _DATE.fullmatch(cells[0]) or not _TIME.fullmatch(cells[1]):
            return None
        try:
            when = datetime.fromisoformat(f"{cells[0]}T{cells[1]}")
            if self.offset is None:
                return {"time_local": when}
            return {"time_utc": when - self.offset}
        except (ValueError, OverflowError):
            return None

    def tell(self) -> None:
        """Say what was not read."""
        if self.misfits:
            self.out.remark(
                1, f"{self.misfits} rows do not have as many cells as columns: not read"
            )


def _float(cell: str) -> float | None:
    if not _NUMBER.fullmatch(cell):
        return None
    number = float(cell)
    return number if math.isfinite(number) else None


def _int(cell: str) -> int | None:
    return int(cell) if re.fullmatch(r"\d{1,15}", cell, re.ASCII) else None


def _instant(seconds: float) -> datetime | None:
    if not FIRST_S <= seconds < END_S:
        return None
    return EPOCH + timedelta(microseconds=round(seconds * 1e6))
