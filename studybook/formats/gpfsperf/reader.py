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
from studybook.formats.raw import Head, RawFile

TABLES = tables("""
gpfsperf_run: one call of gpfsperf
    run_no BIGINT, operation VARCHAR, pattern VARCHAR, path VARCHAR, record_size_bytes BIGINT,
    total_bytes BIGINT, file_size_bytes BIGINT, processes BIGINT, threads_per_process BIGINT,
    rate_printed_kbytes_s DOUBLE, kbyte_bytes BIGINT, rate_bytes_s DOUBLE, op_rate_per_s DOUBLE,
    latency_ms DOUBLE, thread_utilization DOUBLE, bytes_transferred BIGINT, cpu_user_percent DOUBLE,
    cpu_system_percent DOUBLE, cpu_idle_percent DOUBLE, cpu_wait_percent DOUBLE, options VARCHAR,
    line BIGINT
""")

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


@dataclass
class _Call:
    """One call while its lines come in."""

    values: dict[str, Any]
    options: list[str] = field(default_factory=list)
    lines: int = 1


def recognise(head: Head) -> bool:
    """Whether the file starts with a call of gpfsperf and its settings."""
    lines = [line.strip() for line in head.lines]
    return any(_HEADING.match(line) for line in lines) and any(
        _SIZES.match(line) or _RESULT.match(line) for line in lines
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read every call of the file."""
    reader = _Reader(out)
    for line, text in raw.lines():
        if not reader.take(line, text.strip()):
            out.unknown(line, text)
    reader.close()


class _Reader:
    def __init__(self, out: Reading) -> None:
        self.out = out
        self.call: _Call | None = None
        self.calls = 0

    def take(self, line: int, text: str) -> bool:
        """Account for a line; False if it is not understood."""
        if not text:
            self.out.heading()
            return True
        if match := _HEADING.match(text):
            self.close()
            operation, pattern, path = match.groups()
            self.call = _Call(
                {"operation": operation, "pattern": pattern, "path": path, "line": line}
            )
            return True
        if self.call is None or not self._detail(self.call, text):
            return False
        self.call.lines += 1
        return True

    def _detail(self, call: _Call, text: str) -> bool:
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
                "rate_printed_kbytes_s": float(rate), "op_rate_per_s": _float(op_rate or iops),
                "latency_ms": _float(latency), "thread_utilization": _float(utilization),
                "bytes_transferred": int(moved) if moved else None,
            }  # fmt: skip
        elif match := _CPU.match(text):
            cells = zip(_CPU_COLUMNS, match.groups(), strict=True)
            found = {name: float(cell) for name, cell in cells}
        elif _SETTING.match(text):
            call.options.append(text)
            return True
        if not found or found.keys() & call.values.keys():
            return False
        call.values |= found
        return True

    def close(self) -> None:
        """Record the call that is complete."""
        call, self.call = self.call, None
        if call is None:
            return
        values = call.values
        if call.lines == 1:
            # A heading alone is a command that a script has echoed.
            self.out.heading()
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
        options = json.dumps(call.options) if call.options else None
        self.out.record("gpfsperf_run", run_no=self.calls, options=options, **values)
        self.out.used(call.lines)
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


def _float(cell: str | None) -> float | None:
    return float(cell) if cell else None
