"""What programs of lmbench print, one after another, as in the files of its ``results``.

Recorded: single programs of release 3.0-a9. Seen: whole results of it. A line names what was
measured, with its unit; or a heading stands above rows of a size and a value. MB are of 10^6 bytes
(8.39 stands for 8 MiB), but those of ``"stride=`` of 2^20 (from memory). ``bw_mem`` alone prints
two numbers without a word: that is not recognised.

A file with ``lat_ctx`` alone, and lmbench's summary, are of the format ``context-switch``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from studybook.formats.contract import Reading, tables
from studybook.formats.line_reader import LineReader
from studybook.formats.raw import Head, RawFile

TABLES = tables("""
lmbench_fact: what a file says of the host and the suite, as [name: value]
    result_no BIGINT, name VARCHAR, value VARCHAR, line BIGINT

lmbench_value: one value that is named in its line
    -- Of several results in one file; another begins where a name comes again.
    result_no BIGINT, name VARCHAR, value DOUBLE, unit VARCHAR,
    -- The same, of a time and of a bandwidth.
    latency_us DOUBLE, rate_mb_s DOUBLE, line BIGINT

lmbench_point: one row below a heading
    result_no BIGINT, section VARCHAR, size_mb DOUBLE, size_mib DOUBLE,
    latency_us DOUBLE, rate_mb_s DOUBLE, line BIGINT

lmbench_context_switch: the time of one context switch among a number of processes
    result_no BIGINT, processes BIGINT, size_kib BIGINT, overhead_us DOUBLE,
    time_per_switch_us DOUBLE, line BIGINT

lmbench_file_system: files of one size that were made and deleted
    result_no BIGINT, size_kib BIGINT, files BIGINT, created_per_s DOUBLE, deleted_per_s DOUBLE,
    line BIGINT
""")
_FACT, _VALUE, _POINT, _SWITCH, _FILES = (table.name for table in TABLES)

_N = r"(\d{1,12}(?:\.\d{1,9})?)"
_NAMED = re.compile(
    rf"([A-Z][\w +/'.,()-]{{1,120}}?): ?{_N} (microseconds|nanoseconds|MB/sec|KB/sec)$"
)
_OPERATION = re.compile(rf"((?:integer|int64|uint64|float|double) \w{{2,12}}): {_N} (nanoseconds)$")
_BRACKETS = re.compile(r"\[([A-Za-z][\w ]{0,40}): (.{0,1000})\]$")
_OTHER_BRACKETS = re.compile(r"\[.{1,1000}\]$")
_SWITCHES = re.compile(rf'"size=(\d{{1,9}})k ovr={_N}$')
_STRIDE = re.compile(r'"stride=(\d{1,9})$')
_SECTION = re.compile(
    r'"?((?:[A-Z]\w*|read|libc|unrolled|mappings)(?: [\w/]+){0,5}?'
    r"(?: bandwidth(?: using \S{1,80})?| (?:un)?aligned| latency)|mappings)$"
)
_PAIR = re.compile(rf"{_N} {_N}(?: MB/sec)?$", re.ASCII)
_COUNT = re.compile(rf"(\d{{1,9}}) {_N}$", re.ASCII)
_FILE_ROW = re.compile(rf"(\d{{1,9}})k[\t ]+(\d{{1,12}})[\t ]+{_N}[\t ]+{_N}$", re.ASCII)
_TO_US = {"microseconds": 1.0, "nanoseconds": 1e-3}
_TO_MB = {"MB/sec": 1.0, "KB/sec": 1e-3}


def recognise(head: Head) -> bool:
    """Whether a line names a time in microseconds, or what lmbench says of a bandwidth."""
    return any(map(_is_ours, head.found(_NAMED)))


def _is_ours(name: str) -> bool:
    """Whether lmbench measures something of this name."""
    return bool(
        re.match(
            r"(?:Simple \w|Select on \d|Signal handler|Protection fault|Pipe |AF_UNIX sock|Process "
            r"fork|Procedure call|Pagefaults on|(?:UDP|TCP|RPC/\w+) latency|TCP/IP connection|"
            r"File \S+ write bandwidth|Socket bandwidth|Fifo latency|Semaphore latency)",
            name,
        )
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read every value and every row."""
    _Reader(out).read(raw, longest=4_000)


@dataclass
class _Reader(LineReader):
    result: int = 0
    names: frozenset[str] = frozenset()
    section: str = ""
    kind: str = ""
    facts: tuple[Any, ...] = ()

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            self.kind = ""
            return False
        if match := _NAMED.match(text) or _OPERATION.match(text):
            return self._named(line, match)
        if match := _BRACKETS.match(text):
            self.out.record(_FACT, result_no=self.result, name=match[1], value=match[2], line=line)
            return True
        if _OTHER_BRACKETS.match(text):
            return False
        if match := _SWITCHES.match(text):
            self.kind, self.facts = "switch", (int(match[1]), float(match[2]))
            return True
        if match := _STRIDE.match(text):
            self.kind, self.section = "stride", f"stride {match[1]}"
            return True
        if match := _SECTION.match(text):
            self.section = match[1]
            self.kind = (
                "files" if "File system" in match[1]
                else "time" if match[1] == "mappings" or match[1].endswith("latency") else "rate"
            )  # fmt: skip
            return True
        return self._row(line, text)

    def _close(self) -> None:
        """Nothing is kept back."""

    def _named(self, line: int, match: re.Match[str]) -> bool:
        name, value, unit = match[1], float(match[2]), match[3]
        if name in self.names or len(self.names) > 1_000:
            self.result, self.names = self.result + 1, frozenset()
        self.names |= {name}
        self.kind = ""
        self.out.record(
            _VALUE, result_no=self.result, name=name, value=value, unit=unit, line=line,
            latency_us=round(value * _TO_US[unit], 9) if unit in _TO_US else None,
            rate_mb_s=round(value * _TO_MB[unit], 9) if unit in _TO_MB else None,
        )  # fmt: skip
        return True

    def _row(self, line: int, text: str) -> bool | None:
        if self.kind == "files" and (match := _FILE_ROW.match(text)):
            self.out.record(
                _FILES, result_no=self.result, size_kib=int(match[1]), files=int(match[2]),
                created_per_s=float(match[3]), deleted_per_s=float(match[4]), line=line,
            )  # fmt: skip
            return True
        if self.kind == "switch" and (match := _COUNT.match(text)):
            size, overhead = self.facts
            self.out.record(
                _SWITCH, result_no=self.result, processes=int(match[1]), size_kib=size,
                overhead_us=overhead, time_per_switch_us=float(match[2]), line=line,
            )  # fmt: skip
            return True
        match = _PAIR.match(text) if self.kind in ("stride", "time", "rate") else None
        if not match:
            return None
        size, value = float(match[1]), float(match[2])
        row: dict[str, Any] = {"size_mib" if self.kind == "stride" else "size_mb": size}
        if self.kind == "rate":
            row["rate_mb_s"] = value
        else:
            row["latency_us"] = round(value / 1000, 9) if self.kind == "stride" else value
        self.out.record(_POINT, result_no=self.result, section=self.section, line=line, **row)
        return True
