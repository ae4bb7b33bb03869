"""The time of a context switch: ``lat_ctx`` of lmbench, and ``perf bench sched pipe``.

``lat_ctx`` prints microseconds per switch by number of processes (seen); its own overhead, in the
heading, is taken off already (inferred). Summaries of lmbench have the same in columns (seen):
``0.4K`` is 400.

``perf bench`` prints microseconds per operation: a word there and back between two processes, which
are two switches (seen: 10,000 operations, 20,002 switches); on two CPUs it is the time of waking
one another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.contract import Reading, tables
from studybook.formats.line_reader import LineReader
from studybook.formats.lmbench import reader as lmbench
from studybook.formats.raw import Head, RawFile

TABLES = tables("""
context_switch_latency: the time of one context switch among a number of processes
    series_no BIGINT, tool VARCHAR, host VARCHAR, system VARCHAR, processes BIGINT, size_kib BIGINT,
    overhead_us DOUBLE, time_per_switch_us DOUBLE, line BIGINT

context_switch_pipe: one run of perf bench sched pipe
    run_no BIGINT, operations BIGINT, between VARCHAR, total_s DOUBLE, time_per_operation_us DOUBLE,
    operations_per_s DOUBLE, command VARCHAR, line BIGINT
""")

_N = r"(\d{1,12}(?:\.\d{1,9})?)"
_SERIES = re.compile(rf'"size=(\d{{1,9}})k ovr={_N}$')
_ROW = re.compile(rf"(\d{{1,9}}) {_N}$", re.ASCII)
_PERF = re.compile(r"# Running '?sched/pipe'? benchmark(?::|\.\.\.)$")
_EXECUTED = re.compile(r"# Executed (\d{1,15}) pipe operations between two (\w{1,20})$")
_TOTAL = re.compile(rf"Total time: ?{_N} \[(sec|msec)\]$")
_PER_OPERATION = re.compile(rf"{_N} usecs/op$")
_RATE = re.compile(rf"{_N} ops/sec$")
_COMMAND = re.compile(r"(?:\S{0,60}[$#] )?((?:\S+ )*\S*perf bench (?:-\S+ )*sched pipe.*)$")
_SUMMARY = re.compile(r"Context switching - times in microseconds - smaller is better$")
_OTHER_SECTION = re.compile(r"\S.* - (?:times in|smaller|bigger) .*|L M B E N C H .*")
_COLUMN = re.compile(r"(\d{1,6})p/(\d{1,9})K$")
_CELL = re.compile(r"(\d{1,9}(?:\.\d{0,6})?|\.\d{1,6})(K?)$", re.ASCII)


def recognise(head: Head) -> bool:
    """Whether lat_ctx, a summary of lmbench or perf bench sched pipe is in the file.

    Results of lmbench that hold more than lat_ctx are not of this format.
    """
    return head.has(_SERIES, _PERF, _SUMMARY) and not lmbench.recognise(head)


def read(raw: RawFile, out: Reading) -> None:
    """Read every series and every run."""
    _Reader(out).read(raw, longest=4_000)


@dataclass
class _Reader(LineReader):
    series: dict[str, Any] = field(default_factory=dict)
    run: dict[str, Any] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    number = 0
    runs = 0
    command: str | None = None
    section = ""

    def _take(self, line: int, text: str) -> bool | None:
        text = text.rstrip()
        words = text.strip()
        if not words:
            return False
        if match := _SERIES.match(words):
            self.series = self.begin("lat_ctx") | {
                "size_kib": int(match[1]), "overhead_us": float(match[2])
            }  # fmt: skip
        elif self.series and (match := _ROW.match(words)):
            self.out.record(
                "context_switch_latency", processes=int(match[1]),
                time_per_switch_us=float(match[2]), line=line, **self.series,
            )  # fmt: skip
        elif self.perf(line, words):
            pass
        elif _SUMMARY.match(words):
            self.series, self.section, self.names, self.spans = {}, "own", [], []
            return False
        elif _OTHER_SECTION.match(words):
            self.section = "other"
            return False
        else:
            return self.summary(line, text)
        return True

    def begin(self, tool: str) -> dict[str, Any]:
        """Return the first columns of another series."""
        self._close()
        self.section = ""
        self.number += 1
        return {"series_no": self.number - 1, "tool": tool}

    def perf(self, line: int, words: str) -> bool:
        """Take a line of perf bench."""
        if match := _COMMAND.match(words):
            self._close()
            self.command = match[1][:400]
            return True
        if _PERF.match(words):
            self._close()
            self.series, self.section = {}, ""
            self.run = {"line": line, "command": self.command}
            self.command = None
            return True
        if not self.run:
            return False
        found: dict[str, Any] = {}
        if match := _EXECUTED.match(words):
            found = {"operations": int(match[1]), "between": match[2]}
        elif match := _TOTAL.match(words):
            found = {"total_s": float(match[1]) / (1 if match[2] == "sec" else 1000)}
        elif match := _PER_OPERATION.match(words):
            found = {"time_per_operation_us": float(match[1])}
        elif match := _RATE.match(words):
            found = {"operations_per_s": float(match[1])}
        if not found or found.keys() & self.run.keys():
            return False
        self.run |= found
        return True

    def summary(self, line: int, text: str) -> bool | None:
        """Take a line of lmbench's summary; sections on other things are passed over."""
        if self.section != "own":
            return False if self.section == "other" else None
        if set(text) <= {"-", " "}:
            if " " in text.strip():
                self.spans = [match.span() for match in re.finditer(r"-+", text)]
            return False
        if text.startswith("Host "):
            self.names = [word for word in text.split() if _COLUMN.match(word)]
            return False
        if set(text.split()) == {"ctxsw"}:
            return False
        whole = self.spans and len(self.spans) == len(self.names) + 2
        return True if whole and self.summary_row(line, text) else None

    def summary_row(self, line: int, text: str) -> bool:
        """Record the row of a host, by the columns of the rule above it."""
        cells = [(text[a - 1 : b] if a else text[a:b]).strip() for a, b in self.spans[2:]]
        found = [_CELL.match(cell) if cell else None for cell in cells]
        if not any(found) or any(
            cell and not each for cell, each in zip(cells, found, strict=True)
        ):
            return False
        host, system = self.spans[0][1], self.spans[1][1]
        series = {
            "series_no": self.number, "tool": "lmbench summary", "host": text[:host].strip(),
            "system": text[host:system].strip(),
        }  # fmt: skip
        self.number += 1
        for name, each in zip(self.names, found, strict=True):
            column = _COLUMN.match(name)
            if column and each:
                self.out.record(
                    "context_switch_latency", processes=int(column[1]), size_kib=int(column[2]),
                    time_per_switch_us=float(each[1]) * (1000 if each[2] else 1), line=line,
                    **series,
                )  # fmt: skip
        return True

    def _close(self) -> None:
        run, self.run = self.run, {}
        if not run:
            return
        if "time_per_operation_us" not in run:
            self.out.remark(run["line"], "this run of perf bench has no result")
        self.out.record("context_switch_pipe", run_no=self.runs, **run)
        self.runs += 1
