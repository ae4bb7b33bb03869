"""What vmstat of Linux prints: processes, memory, swapping, blocks, interrupts, processor time.

Headings and rows are those of procps 2 to 4 (seen; ``gu`` and the wide layout of ``-w`` recorded
with 4.0). The first row of an output is the mean since the host was booted, unless ``-y`` was asked
for; nothing in the row says so. The units of ``-S`` are not printed either, nor is the interval:
the command tells them where it stands in front of the heading. KiB are a multiple of four, as pages
are; numbers that are large and no such multiples are in another unit. Blocks are of 1024 bytes in
all releases whose kernel is 2.6 or later (documented).

With ``-t`` each row has the time of the host's clock; the zone stands in the heading (procps 3.3
and later) or behind the time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from studybook.errors import Refused
from studybook.formats.clock import was_set_back
from studybook.formats.contract import UNPLACED, Reading, tables
from studybook.formats.line_reader import LineReader
from studybook.formats.names import pairs
from studybook.formats.raw import Head, RawFile

TABLES = tables(
    """
vmstat_report: one output of vmstat, from its first heading on
    command VARCHAR, interval_s DOUBLE, unit_bytes BIGINT, unit_known VARCHAR, zone VARCHAR,
    header VARCHAR, line BIGINT

vmstat_sample: one row
    sample_no BIGINT, time_local TIMESTAMP, time_utc TIMESTAMP, set_back BOOLEAN,
    interval_s DOUBLE, since_boot BOOLEAN, run_queue DOUBLE, blocked_tasks DOUBLE,
    swapped_tasks DOUBLE, swap_used_kib DOUBLE, free_kib DOUBLE, buffers_kib DOUBLE,
    cached_kib DOUBLE, inactive_kib DOUBLE, active_kib DOUBLE, swap_in_kib_s DOUBLE,
    swap_out_kib_s DOUBLE, read_kib_s DOUBLE, write_kib_s DOUBLE, interrupts_per_s DOUBLE,
    context_switches_per_s DOUBLE, user_percent DOUBLE, system_percent DOUBLE,
    idle_percent DOUBLE, iowait_percent DOUBLE, steal_percent DOUBLE, guest_percent DOUBLE,
    line BIGINT
""",
    first="report_no INTEGER",
    shares=(
        "user_percent",
        "system_percent",
        "idle_percent",
        "iowait_percent",
        "steal_percent",
        "guest_percent",
    ),
)

COLUMNS = pairs(
    "r=run_queue b=blocked_tasks w=swapped_tasks swpd=swap_used_kib free=free_kib"
    " buff=buffers_kib cache=cached_kib inact=inactive_kib active=active_kib si=swap_in_kib_s"
    " so=swap_out_kib_s bi=read_kib_s bo=write_kib_s in=interrupts_per_s"
    " cs=context_switches_per_s us=user_percent sy=system_percent id=idle_percent"
    " wa=iowait_percent st=steal_percent gu=guest_percent"
)
#: Those that -S prints in another unit.
_IN_UNIT = frozenset(pairs(
    "swap_used_kib=1 free_kib=1 buffers_kib=1 cached_kib=1 inactive_kib=1 active_kib=1"
    " swap_in_kib_s=1 swap_out_kib_s=1"
))  # fmt: skip
_UNITS = {"k": 1000, "K": 1024, "m": 10**6, "M": 2**20}

_NAMES = re.compile(
    r"\s*r\s+b\s+(?:w\s+)?swpd\s+free\s+(?:buff\s+cache|inact\s+active)\s+si\s+so\s+bi\s+bo\s+in"
    r"\s+cs\s+us\s+sy\s+id(?:\s|$)"
)
_TITLE = re.compile(r"\s*-*procs-*\s+-*memory-*\s+-*swap-*\s+-*io-*\s+-*system-*\s+-*cpu-*")
#: Names of other systems: AIX, Solaris, the BSDs; and tables of other modes.
_OTHER_SYSTEM = re.compile(r"\s*r\s+b\s+(?:w\s+)?(?:avm|swap)\s+fre")
_COUNTERS = re.compile(r"disk-? -+reads-+ -+writes-+")
_COMMAND = re.compile(r"(?:.{0,80}?[#$>%] ?)?((?:\S{0,60}/)?vmstat(?:\s+[-\w.=]{1,40}){0,12})\s*$")
_NUMBER = re.compile(r"\d{1,15}", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(r"\d\d:\d\d:\d\d", re.ASCII)
_ZONE = re.compile(r"[A-Z]{2,5}|[+-]\d{2,4}", re.ASCII)

#: A file begins as vmstat within so many lines that are not blank.
_LINES_BEFORE = 20
#: vmstat prints its heading again after a screen, and no screen is lower.
_LEAST_SCREEN = 10
#: Memory, free and for caches, of a host that is not believed to have less, in KiB.
_LEAST_KIB = 2**20
#: The smallest page of any machine with Linux, in KiB; larger ones are multiples of it.
_PAGE_KIB = 4
#: No share of time is more, but for rounding.
_MOST_PERCENT = 110
#: The means since boot of one output and of the next differ by less, in all of these; small numbers
#: do not tell.
_LIKE_BOOT, _SMALL, _LEAST_ALIKE = 0.03, 20, 3
#: By so much a clock may be put right.
_CORRECTED_S = 60
_MEANS = ("read_kib_s", "write_kib_s", "interrupts_per_s", "context_switches_per_s")

_HOW = "record it again with times: vmstat -t 5 > FILE"


def recognise(head: Head) -> bool:
    """Whether the file begins with a heading of vmstat, of Linux or another system."""
    lines = [line for line in head.lines if line.strip()][:_LINES_BEFORE]
    return any(map(_NAMES.match, lines)) or _other(lines) is not None


def _other(lines: Sequence[str]) -> str | None:
    """Name what else the file is, where it is output of vmstat that is not read."""
    for line in lines:
        if _NAMES.match(line):
            return None
        if _OTHER_SYSTEM.match(line):
            return "vmstat of another system (AIX, Solaris or a BSD)"
        if _COUNTERS.match(line):
            return "vmstat -d"
    return None


def read(raw: RawFile, out: Reading) -> None:
    """Read every output in the file.

    Raises
    ------
    Refused
        If it is of another system or mode, or has no row.
    """
    lines = [line for line in raw.head.lines if line.strip()][:_LINES_BEFORE]
    if other := _other(lines):
        raise Refused(
            f"is output of {other}: its columns mean other things",
            "leave it out of the run; nmon or sar of this host tell the same"
            if other != "vmstat -d"
            else "leave it out of the run, and record disks by: iostat -xt 5",
        )
    reader = _Reader(out)
    reader.read(raw, longest=4_000)
    if not reader.rows:
        raise Refused("has a heading of vmstat, and no row", _HOW, line=out.first_unknown)
    reader.tell()


@dataclass
class _Reader(LineReader):
    names: list[str] = field(default_factory=list)
    header: str = ""
    zone: str | None = None
    report: int = -1
    begins: bool = True  # another output begins with the next row
    command: str | None = None
    skips_first: bool = False
    interval: float | None = None
    unit: int | None = None
    sample: int = 0
    stretch: int = 0  # rows since the last heading
    screen: int = 0  # rows between two headings
    again: bool = False  # whether the heading was just repeated
    boot: dict[str, float] = field(default_factory=dict)  # the mean since boot of this output
    last: datetime | None = None
    usual: float | None = None  # seconds between the last two rows
    back: bool = False
    rows: int = 0
    untimed: int = 0  # rows after the first of an output, without time
    placed: int = 0  # those of them whose interval is known
    first_line: int = 0
    no_unit: int = 0

    def _take(self, line: int, text: str) -> bool | None:
        words = text.split()
        if not words:
            return False
        if _TITLE.match(text):
            return False
        if _NAMES.match(text):
            return self._heading(words)
        if match := _COMMAND.match(text):
            self.command, self.begins, self.screen, self.stretch = match[1], True, 0, 0
            return False
        row = self._row(words) if self.names else None
        if row is None:
            return None
        self._keep(line, *row)
        return True

    def _close(self) -> None:
        """Nothing is kept back."""

    def _heading(self, words: list[str]) -> bool | None:
        names = [word for word in words if word in COLUMNS]
        zone = words[len(names) :]
        if words[: len(names)] != names or len(zone) > 1 or (zone and not _ZONE.match(zone[0])):
            return None
        if len(set(names)) < len(names):
            return None
        # A heading before the screen is full, or of another screen, is that of another output.
        new = self.stretch < _LEAST_SCREEN or self.screen not in (0, self.stretch)
        if names != self.names or (self.rows and new):
            self.begins, self.screen = True, 0
        else:
            self.screen = self.stretch
        self.names, self.header, self.stretch, self.again = names, " ".join(words), 0, True
        self.zone = zone[0] if zone else None
        return False

    def _row(self, words: list[str]) -> tuple[dict[str, float], datetime | None, str | None] | None:
        n = len(self.names)
        numbers, rest = words[:n], words[n:]
        if len(numbers) < n or not all(map(_NUMBER.fullmatch, numbers)):
            return None
        values = dict(zip((COLUMNS[name] for name in self.names), map(float, numbers), strict=True))
        if any(each > _MOST_PERCENT for name, each in values.items() if "percent" in name):
            return None
        if not rest:
            return values, None, None
        if len(rest) > 3 or len(rest) < 2 or not (_DATE.fullmatch(rest[0])):
            return None
        zone = rest[2] if len(rest) == 3 else self.zone
        if not _TIME.fullmatch(rest[1]) or (zone and not _ZONE.fullmatch(zone)):
            return None
        try:
            return values, datetime.fromisoformat(" ".join(rest[:2])), zone
        except ValueError:
            return None

    def _keep(
        self, line: int, values: dict[str, float], time: datetime | None, zone: str | None
    ) -> None:
        if self.again and self._is_of_another_output(values, time):
            self.begins, self.screen = True, 0
        self.again = False
        self._begin(line, values, zone)
        gap: float | None = self.interval if time is None else None
        if time and self.last:
            since = time - self.last
            self.back |= was_set_back(since)
            gap = since.total_seconds() if since > timedelta(0) else None
            self.usual = gap or self.usual
        self.last = time or self.last
        since_boot = self.sample == 0 and not self.skips_first
        if since_boot:
            self.boot = values
        elif not time:
            self.untimed += 1
            self.placed += gap is not None
        factor = self.unit / 1024 if self.unit else None
        kept: dict[str, Any] = {
            name: (value * factor if factor else None) if name in _IN_UNIT else value
            for name, value in values.items()
        }
        # Times of UTC are instants; others are those of the host's clock.
        where = "time_utc" if zone in ("UTC", "GMT") else "time_local"
        self.out.record(
            "vmstat_sample", report_no=self.report, sample_no=self.sample, **{where: time},
            set_back=self.back or None, interval_s=None if since_boot else gap,
            since_boot=since_boot, line=line, **kept,
        )  # fmt: skip
        self.sample += 1
        self.stretch += 1
        self.rows += 1
        self.first_line = self.first_line or line

    def _is_of_another_output(self, values: dict[str, float], time: datetime | None) -> bool:
        """Whether the row below a repeated heading is the first of an output that was appended.

        Then it is long after the row before it, or much earlier; without times, it is about the
        mean since boot that the output before it began with.
        """
        if time and self.last:
            since = (time - self.last).total_seconds()
            usual = self.usual or 0.0
            # A clock that is set back goes on from there.
            goes_on = since > -_CORRECTED_S or abs(since + 3600 - usual) <= usual / 2 + 1
            return bool(since > 1.5 * usual + 1 if since > 0 and usual else not goes_on)
        both = [(values.get(name, 0.0), self.boot.get(name, 0.0)) for name in _MEANS]
        return sum(boot >= _SMALL for _, boot in both) >= _LEAST_ALIKE and all(
            abs(value - boot) <= max(_LIKE_BOOT * boot, 1) for value, boot in both
        )

    def _begin(self, line: int, values: dict[str, float], zone: str | None) -> None:
        """Begin the report of another output, where one begins."""
        if not self.begins:
            return
        options = (self.command or "").split()[1:]
        self.report += 1
        self.begins, self.sample, self.last, self.back = False, 0, None, False
        self.boot, self.usual = {}, None
        self.skips_first = any(re.fullmatch("-[a-zA-RT-Z]*y.*|--no-first", o) for o in options)
        delay = next((option for option in options if _NUMBER.fullmatch(option)), None)
        self.interval = float(delay) if delay else self.out.hints.interval_s
        self.unit, known = _unit(options, values, stated=self.command is not None)
        if self.unit is None and not self.no_unit:
            self.no_unit = line
        self.out.record(
            "vmstat_report", report_no=self.report, command=self.command,
            interval_s=self.interval, unit_bytes=self.unit, unit_known=known, zone=zone,
            header=self.header, line=line,
        )  # fmt: skip
        self.command = None

    def tell(self) -> None:
        """Say what the file leaves open."""
        out = self.out
        if self.rows == self.report + 1 and not self.untimed:
            out.remark(
                self.first_line, "each output has one row, the mean since the host was booted"
            )
        if self.no_unit:
            out.remark(
                self.no_unit,
                "memory and swapping are left out: in KiB, free memory and caches would be less"
                " than 1 GiB, or no whole pages, and -S M prints no unit; the command as a line in"
                " front of the heading (vmstat -S M 5) tells it",
            )
        if self.untimed > self.placed:
            out.remark(
                self.first_line,
                f"{self.untimed - self.placed} rows have no time and no interval: {UNPLACED}"
                " until interval_s at the file's entry in run.yml says how many seconds they are"
                " apart, and start when the run began (vmstat -t prints times)",
            )
        elif self.untimed:
            out.remark_placed(self.first_line, "rows")


def _unit(
    options: list[str], values: dict[str, float], *, stated: bool
) -> tuple[int | None, str | None]:
    """The unit of memory in bytes, and from where it is known; None where it is not.

    Releases print KiB unless asked; a command that is there says whether they were.
    """
    for place, option in enumerate(options):
        if match := re.fullmatch(r"(?:-[a-zA-RT-Z]*S|--unit)=?([kKmM]?)", option):
            letter = match[1] or (options[place + 1] if place + 1 < len(options) else "")
            return _UNITS.get(letter), "command"
    if stated:
        return 1024, "command"
    known = ("free_kib", "buffers_kib", "cached_kib", "inactive_kib", "active_kib")
    memory = [values[name] for name in known if name in values]
    is_kib = sum(memory) >= _LEAST_KIB and not any(each % _PAGE_KIB for each in memory)
    return (1024, "by its size") if is_kib else (None, None)
