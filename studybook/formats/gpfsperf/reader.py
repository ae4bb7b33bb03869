"""gpfsperf, the sample benchmark that comes with GPFS (IBM Storage Scale).

One call prints one heading (program, operation, pattern, file), its settings and one
line of results. A file may hold any number of calls, with other lines between.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.contract import Reading, tables
from studybook.formats.line_reader import LineReader, float_or_none
from studybook.formats.raw import Head, RawFile

TABLES = tables(
    """
gpfsperf_run: one call of gpfsperf
    run_no BIGINT, operation VARCHAR, pattern VARCHAR, path VARCHAR, record_size_bytes BIGINT,
    total_bytes BIGINT, file_size_bytes BIGINT, processes BIGINT, threads_per_process BIGINT,
    rate_printed_kbytes_s DOUBLE, kbyte_bytes BIGINT, rate_bytes_s DOUBLE, op_rate_per_s DOUBLE,
    latency_ms DOUBLE, thread_utilization DOUBLE, bytes_transferred BIGINT, cpu_user_percent DOUBLE,
    cpu_system_percent DOUBLE, cpu_idle_percent DOUBLE, cpu_wait_percent DOUBLE, options VARCHAR,
    line BIGINT
""",
    shares=("cpu_user_percent", "cpu_system_percent", "cpu_idle_percent", "cpu_wait_percent"),
)

_NUMBER = r"(\d{1,15}(?:\.\d{1,9})?)"
_HEADING = re.compile(r"\S*gpfsperf(?:-mpi)? (\w+) (\w+) (\S.*)$")
_SIZES = re.compile(r"recSize (\w+) nBytes (\w+)(?: fileSize (\w+))?$")
_COUNTS = re.compile(r"nProcesses (\d{1,9})(?: nThreadsPerProcess (\d{1,9}))?$")
_RESULT = re.compile(
    rf"Data rate was {_NUMBER} Kbytes/sec"
    rf"(?:, (?:Op Rate was {_NUMBER} Ops/sec|iops was {_NUMBER}))?"
    rf"(?:, Avg Latency was {_NUMBER} milliseconds)?"
    rf"(?:, thread utilization {_NUMBER})?"
    r"(?:, bytesTransferred (\d{1,18}))?$"
)
_CPU = re.compile(
    rf"CPU utilization: user {_NUMBER}%, sys {_NUMBER}%, idle {_NUMBER}%, wait {_NUMBER}%$"
)
_SIZE_COLUMNS = ["record_size_bytes", "total_bytes", "file_size_bytes"]
_COUNT_COLUMNS = ["processes", "threads_per_process"]
_CPU_COLUMNS = [f"cpu_{name}_percent" for name in ("user", "system", "idle", "wait")]
_SIZE = re.compile(r"(\d{1,15})([KMGT]?)$", re.I)
_SUFFIXES = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}

#: Settings that gpfsperf puts in words, one to a line.
_SETTING = re.compile(
    r"(?:not |no )?(?:using|releasing|file cache|fsync|offsets|data shipping|byte-range)\b"
)


def recognise(head: Head) -> bool:
    """Whether the file starts with a call of gpfsperf and its settings."""
    return head.has(_HEADING) and head.has(_SIZES, _RESULT)


def read(raw: RawFile, out: Reading) -> None:
    """Read every call of the file."""
    _Reader(out).read(raw)


@dataclass
class _Reader(LineReader):
    call: dict[str, Any] = field(default_factory=dict)
    options: list[str] = field(default_factory=list)
    #: Lines of the call below its heading.
    lines = 0
    calls = 0

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if match := _HEADING.match(text):
            self._close()
            operation, pattern, path = match.groups()
            self.call = {"operation": operation, "pattern": pattern, "path": path, "line": line}
            return False
        if not self.call or not self._detail(text):
            return None
        if not self.lines:
            # Alone the heading is a command that a script has echoed.
            self.out.heading(-1)
            self.out.used()
        self.lines += 1
        return True

    def _detail(self, text: str) -> bool:
        """Take a setting or result of the current call."""
        found: dict[str, Any] = {}
        if match := _SIZES.match(text):
            cells = zip(_SIZE_COLUMNS, match.groups(), strict=True)
            found = {name: size(cell) for name, cell in cells}
        elif match := _COUNTS.match(text):
            cells = zip(_COUNT_COLUMNS, match.groups(), strict=True)
            found = {name: int(cell) for name, cell in cells if cell}
        elif match := _RESULT.match(text):
            rate, op_rate, iops, latency, utilization, moved = match.groups()
            found = {
                "rate_printed_kbytes_s": float(rate), "latency_ms": float_or_none(latency),
                "op_rate_per_s": float_or_none(op_rate or iops),
                "thread_utilization": float_or_none(utilization),
                "bytes_transferred": int(moved) if moved else None,
            }  # fmt: skip
        elif match := _CPU.match(text):
            cells = zip(_CPU_COLUMNS, match.groups(), strict=True)
            found = {name: float(cell) for name, cell in cells}
        elif _SETTING.match(text):
            self.options.append(text)
            return True
        if not found or found.keys() & self.call.keys():
            return False
        self.call |= found
        return True

    def _close(self) -> None:
        values, self.call = self.call, {}
        options, self.options = self.options, []
        lines, self.lines = self.lines, 0
        if not lines:
            return
        rate = values.get("rate_printed_kbytes_s")
        if rate is None:
            self.out.remark(values["line"], "this call of gpfsperf has no line of results")
        else:
            values["kbyte_bytes"] = kbyte(
                rate, values.get("op_rate_per_s"), values.get("record_size_bytes")
            )
            if values["kbyte_bytes"]:
                values["rate_bytes_s"] = rate * values["kbyte_bytes"]
        told = json.dumps(options) if options else None
        self.out.record("gpfsperf_run", run_no=self.calls, options=told, **values)
        self.calls += 1


def kbyte(rate: float, op_rate: float | None, record_size: int | None) -> int | None:
    """How many bytes gpfsperf means by a Kbyte: 1000, 1024, or None if it does not show.

    Older releases print units of 1024 bytes and newer ones of 1000, under one name. The
    rate of operations, each of one record, tells which; it must do so within 0.5 %.
    """
    if not rate or not op_rate or not record_size:
        return None
    unit = op_rate * record_size / rate
    return next((size for size in (1000, 1024) if abs(unit / size - 1) < 0.005), None)


def size(cell: str | None) -> int | None:
    """Read ``8M`` or ``10G``: gpfsperf's sizes are powers of 1024."""
    match = _SIZE.match(cell or "")
    if not match:
        return None
    value = int(match[1]) * _SUFFIXES[match[2].upper()]
    return value if value < 2**63 else None
