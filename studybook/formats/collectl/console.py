"""What collectl prints on a terminal: a line for each interval, one heading above another.

Seen: outputs with and without times, of processors, disks, network and memory. Other columns, and
what ``--verbose`` and details (``-sC``) print, are not read: ``-P`` has all of it. From its
source: ``cpu`` is all but idle and waiting, ``sys`` has interrupts and stolen time in it.

Numbers that end in K, M or G are rounded (K is taken as 1000); memory is in KiB, and K as 1024.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from itertools import pairwise

from studybook.errors import Refused
from studybook.formats.clock import was_set_back
from studybook.formats.collectl.rows import HEADING, REPORT, ROW, within
from studybook.formats.contract import UNPLACED, Reading
from studybook.formats.line_reader import LineReader
from studybook.formats.names import pairs
from studybook.formats.raw import Head, RawFile

#: The columns that are known, by the names that -P gives them.
_NAMES = pairs(
    "cpu=[CPU]Totl% sys=[CPU]Sys% inter=[CPU]Intrpt/sec ctxsw=[CPU]Ctx/sec"
    " KBRead=[DSK]ReadKBTot Reads=[DSK]ReadTot KBWrit=[DSK]WriteKBTot Writes=[DSK]WriteTot"
    " KBIn=[NET]RxKBTot PktIn=[NET]RxPktTot KBOut=[NET]TxKBTot PktOut=[NET]TxPktTot"
    " Free=[MEM]Free Buff=[MEM]Buf Cach=[MEM]Cached Inac=[MEM]Inactive Slab=[MEM]Slab"
    " Map=[MEM]Map"
)
_FIRST = re.compile(r"#(?:Date\s|Time\s)?\s*<-+[A-Z]\w+-+>")
_SECOND = re.compile(r"#(Date\s+Time|Time)?\s*(\S.{0,400})$")
_VERBOSE = re.compile(r"### RECORD +\d+ >>> (\S{1,200}) <<< ")
_WAITING = re.compile(r"[Ww]aiting for [\d.]+ second sample|Ouch!$|\^C$")
_CELL = re.compile(r"(\d{1,15}(?:\.\d{1,3})?)([KMGT]?)", re.ASCII)
_DATE = re.compile(r"\d{8}", re.ASCII)
_TIME = re.compile(r"\d\d:\d\d:\d\d(?:\.\d{1,6})?", re.ASCII)
_KIB = {"": 1.0, "K": 1.0, "M": 1024.0, "G": 1048576.0, "T": 1073741824.0}
_THOUSANDS = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_DAY = timedelta(days=1)

_HOW = "record it again: collectl -scdmnCDN -P -f FOLDER"


def recognise(head: Head) -> bool:
    """Whether the two headings are there, or the line above a verbose record."""
    lines = head.printed[:40]
    if any(_VERBOSE.match(line) for line in lines):
        return True
    return any(_FIRST.match(above) and _known(below) for above, below in pairwise(lines))


def _known(line: str) -> tuple[str, list[str]] | None:
    """The times and the columns of a second heading; None where one is not known."""
    match = _SECOND.match(line)
    names = match[2].split() if match else []
    if not match or len(set(names)) < len(names) or not all(name in _NAMES for name in names):
        return None
    return " ".join((match[1] or "").split()), names


def read(raw: RawFile, out: Reading) -> None:
    """Read every output in the file.

    Raises
    ------
    Refused
        If it is verbose, or has no row.
    """
    reader = _Reader(out)
    reader.read(raw, longest=2_000)
    if reader.rows:
        reader.tell()
        return
    if reader.is_verbose:
        raise Refused("is verbose output of collectl, which is for people", _HOW)
    raise Refused("has a heading of collectl, and no row", _HOW)


@dataclass
class _Reader(LineReader):
    names: list[str] = field(default_factory=list)
    times: str = ""
    report: int = -1
    heading: int = -1
    sample: int = 0
    begins: bool = True  # whether a recording begins with the next heading
    last: datetime | None = None
    midnight: datetime | None = None
    rows: int = 0
    untimed: int = 0
    of_cpu: int = 0  # line of a heading with processors
    is_verbose: bool = False

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if _VERBOSE.match(text):
            self.is_verbose, self.names = True, []
            return None
        if _WAITING.match(text):
            self.begins = True
            return False
        if _FIRST.match(text):
            return False
        if text.startswith("#"):
            return self._columns(line, text)
        return self._row(line, text.split()) if self.names else None

    def _close(self) -> None:
        """Nothing is kept back."""

    def _columns(self, line: int, text: str) -> bool | None:
        found = _known(text)
        if found is None:
            self.names = []
            return None
        if found == (self.times, self.names) and not self.begins:
            return False  # printed again, as after each screen
        self.times, self.names = found
        interval = self.out.hints.interval_s
        start = self.out.hints.start
        self.report += 1
        self.sample, self.last, self.begins, self.back = 0, None, False, False
        self.midnight = datetime.combine(start, time()) if start else None
        self.out.record(REPORT, report_no=self.report, interval_s=interval, line=line)
        self.heading += 1
        self.of_cpu = self.of_cpu or (line if "cpu" in self.names else 0)
        self.out.record(
            HEADING, report_no=self.report, heading_no=self.heading, line=line,
            names=" ".join(_NAMES[name] for name in self.names),
        )  # fmt: skip
        return True

    def _row(self, line: int, cells: list[str]) -> bool | None:
        before = len(self.times.split())
        stamp, cells = cells[:before], cells[before:]
        if len(cells) != len(self.names):
            return None
        numbers = []
        for name, cell in zip(self.names, cells, strict=True):
            match = _CELL.fullmatch(cell)
            if not match:
                return None
            factors = _KIB if _NAMES[name].startswith("[MEM]") else _THOUSANDS
            numbers.append(float(match[1]) * factors[match[2]])
        when = self._when(stamp)
        if stamp and when is None and not self._is_time(stamp):
            return None
        gap = self.out.hints.interval_s if when is None else None
        since = when - self.last if when and self.last else None
        if since and since > timedelta(0):
            gap = since.total_seconds()
        self.back |= was_set_back(since)
        self.last = when or self.last
        self.untimed += when is None
        self.out.record(
            ROW, report_no=self.report, heading_no=self.heading, sample_no=self.sample,
            time_local=when, set_back=self.back or None, interval_s=gap, line=line,
            numbers=within(self.out, [_NAMES[name] for name in self.names], numbers, line),
        )  # fmt: skip
        self.sample += 1
        self.rows += 1
        self.begins = False
        return True

    def _is_time(self, stamp: list[str]) -> bool:
        return self.times == "Time" and bool(_TIME.fullmatch(stamp[0]))

    def _when(self, stamp: list[str]) -> datetime | None:
        """The time of a row; None where its day is not known, or it is none."""
        try:
            if len(stamp) == 2 and _DATE.fullmatch(stamp[0]) and _TIME.fullmatch(stamp[1]):
                return datetime.fromisoformat(f"{stamp[0]}T{stamp[1]}")
            if len(stamp) != 1 or not _TIME.fullmatch(stamp[0]) or self.midnight is None:
                return None
            when = datetime.combine(self.midnight, time.fromisoformat(stamp[0]))
            if self.last and when < self.last - _DAY / 2:
                self.midnight += _DAY
                when += _DAY
            return when
        except (ValueError, OverflowError):
            return None

    def tell(self) -> None:
        """Say what the file leaves open."""
        if self.of_cpu:
            self.out.remark(
                self.of_cpu,
                "cpu and sys have the time in them that a hypervisor took (steal), which other"
                " tools tell apart: in a virtual machine, processors look busier than they are"
                " (collectl -P tells it apart)",
            )
        if not self.untimed:
            return
        if self.out.hints.interval_s is None:
            self.out.remark(
                1,
                f"{self.untimed} rows have no time with a date: {UNPLACED} until start in"
                " run.yml says the day, or interval_s at the file's entry how many seconds they are"
                " apart (collectl -oD prints both)",
            )
        else:
            self.out.remark_placed(1, "rows")
