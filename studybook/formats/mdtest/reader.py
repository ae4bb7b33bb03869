"""What mdtest prints: one run after another, each with its summaries.

Seen: public outputs of releases 1.9 to 4.1 (``SUMMARY:``, ``SUMMARY rate:``, ``SUMMARY time:``,
``(in ops/sec)``; with colons behind the operations and without). From its source: ``-P`` with
columns for each rank, of which those of the iterations are kept; times are in milliseconds per
operation from 4.0 on, and in seconds for all before.

What was not tested is printed as 0: it is kept so, and no model has it. A file that holds output of
IOR as well is one of IOR. Of a call that tests several numbers of tasks (``-f``, ``-l``), each is a
run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading, tables
from studybook.formats.ior import words
from studybook.formats.line_reader import LineReader
from studybook.formats.load_summary import NUMBER
from studybook.formats.raw import Head, RawFile

TABLES = tables("""
mdtest_run: one run of mdtest
    run_no BIGINT, version VARCHAR, tasks BIGINT, nodes BIGINT, command VARCHAR, path VARCHAR,
    -- Files, and directories where they were tested, of all tasks together.
    items BIGINT, iterations BIGINT, started_local TIMESTAMP, finished_local TIMESTAMP,
    -- complete; or cut, where no summary is whole.
    status VARCHAR, line BIGINT

mdtest_operation: one operation of a summary, over all iterations
    run_no BIGINT, operation VARCHAR,
    -- Operations per second, all tasks together; 0 of what was not tested.
    max_per_s DOUBLE, min_per_s DOUBLE, mean_per_s DOUBLE, sd_per_s DOUBLE,
    -- Of a summary of times: seconds for all operations, or milliseconds for each.
    mean_s DOUBLE, mean_ms_per_operation DOUBLE, line BIGINT
""")
_RUN, _OPERATION = (table.name for table in TABLES)

LAUNCHED = re.compile(
    r"mdtest-(\S{1,40}) was launched with (\d{1,12}) total task\(s\)"
    r"(?: on (\d{1,12}) ?node\(?s?\)?)?$"
)
_STARTED = re.compile(r"-- started at (\d\d/\d\d/\d{4} \d\d:\d\d:\d\d) --$")
_FINISHED = re.compile(r"-- finished at (\d\d/\d\d/\d{4} \d\d:\d\d:\d\d) --$")
_COMMAND = re.compile(r"Command line used: (\S.*)$")
_PATH = re.compile(r"Path *: *(\S.{0,400})$")
_ITEMS = re.compile(r"(\d{1,12}) tasks, (\d{1,15}) (?:files?|directories|files/directories)$")
_SUMMARY = re.compile(
    r"SUMMARY(?: (rate|time))?(?: \(in (ops/sec|ms/op)\))?: \(of (\d{1,9}) iterations\)$"
)
_HEADER = re.compile(r"Operation +(per Rank: Max Min Mean per Iteration: )?Max Min Mean Std Dev$")
_ROW = re.compile(
    rf"((?:Directory|File|Tree) (?:creation|stat|read|removal|rename|removals?))"
    rf" *:? +{NUMBER} +{NUMBER} +{NUMBER}(?: +{NUMBER})?(?: +{NUMBER} +{NUMBER} +{NUMBER})?$"
)
_HEADING = re.compile(
    r"(?:FS *:|Nodemap:|random seed:|WARNING:|V-\d|---------|[Ii]tmp|=+$|Testing |options|"
    r"Using|\d+ tasks).*"
)


def recognise(head: Head) -> bool:
    """Whether a run was launched, or a summary printed; not in output of IOR."""
    summed_up = head.has(_SUMMARY) and any(
        _SUMMARY.match(line) and _HEADER.match(" ".join(below.split()))
        for line, below in pairwise(head.printed)
    )
    return (summed_up or head.has(LAUNCHED)) and words.dialect(head) is None


def read(raw: RawFile, out: Reading) -> None:
    """Read every run of the file.

    Raises
    ------
    Refused
        If no run has a result.
    """
    reader = _Reader(out)
    reader.read(raw, longest=10_000)
    if not out.rows.get(_OPERATION):
        raise Refused(
            "mdtest stopped before its summary",
            "see what the job printed besides, and run it again",
        )


@dataclass
class _Reader(LineReader):
    run: dict[str, Any] = field(default_factory=dict)
    runs: int = 0
    seen: set[tuple[str | None, str]] = field(default_factory=set)
    kind: str | None = None  # of the summary: rate, time in s, time in ms
    per_rank: bool = False
    started: tuple[datetime, int] | None = None

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if match := _STARTED.match(text):
            self._close()
            when = _time(match[1])
            self.started = (when, line) if when else None
            return True if when else None
        if match := LAUNCHED.match(text):
            if "version" in self.run:
                self._close()
            self._begin(line).update(
                version=match[1], tasks=int(match[2]), nodes=int(match[3]) if match[3] else None
            )
            return True
        if match := _SUMMARY.match(text):
            return self._summary(line, match)
        if self.kind and (match := _ROW.match(text)):
            return self._row(line, match)
        if self.kind and _HEADER.match(" ".join(text.split())):
            self.per_rank = "per Rank" in text
            return False
        if match := _FINISHED.match(text):
            if self.run:
                self.run["finished_local"] = _time(match[1])
                self._close()
            return True
        for column, pattern in (("command", _COMMAND), ("path", _PATH)):
            if match := pattern.match(text):
                self._begin(line).setdefault(column, match[1][:2000])
                return True
        if match := _ITEMS.match(text):
            # With -f and -l the same call tests one number of tasks after the other.
            of_call = ("version", "nodes", "command", "path")
            same = {name: self.run[name] for name in of_call if name in self.run}
            if self.seen:
                self._close()
                self._begin(line).update(same)
            self._begin(line).update(tasks=int(match[1]))
            self.run.setdefault("items", int(match[2]))
            return True
        return False if _HEADING.match(text) else None

    def _begin(self, line: int) -> dict[str, Any]:
        """The current run; a new one where there is none."""
        if not self.run:
            self.run = {"line": line}
            if self.started:
                self.run |= {"started_local": self.started[0], "line": self.started[1]}
                self.started = None
        return self.run

    def _summary(self, line: int, match: re.Match[str]) -> bool:
        kind = "rate" if match[1] != "time" else "ms" if match[2] == "ms/op" else "s"
        if kind == "rate" and self.seen:
            self._close()  # pasted behind one another, without the lines of the beginning
        self._begin(line)["iterations"] = int(match[3])
        self.kind, self.per_rank = kind, False
        return True

    def _row(self, line: int, match: re.Match[str]) -> bool | None:
        numbers = [float(each) for each in match.groups()[1:] if each is not None]
        if len(numbers) != (7 if self.per_rank else 4) or (self.kind, match[1]) in self.seen:
            return None
        most, least, mean, sd = numbers[-4:]
        if self.kind == "rate":
            values = {
                "max_per_s": most, "min_per_s": least, "mean_per_s": mean, "sd_per_s": sd,
            }  # fmt: skip
        else:
            values = {"mean_s" if self.kind == "s" else "mean_ms_per_operation": mean}
        self.seen.add((self.kind, match[1]))
        self.out.record(_OPERATION, run_no=self.runs, operation=match[1], line=line, **values)
        return True

    def _close(self) -> None:
        run, self.run, self.kind = self.run, {}, None
        has_result = any(kind == "rate" for kind, _ in self.seen)
        self.seen = set()
        if not run:
            return
        run["status"] = "complete" if has_result else "cut"
        if not has_result:
            self.out.remark(run["line"], "this run of mdtest has no result: it is cut, or stopped")
        self.out.record(_RUN, run_no=self.runs, **run)
        self.runs += 1


def _time(printed: str) -> datetime | None:
    """A time as mdtest prints it, month first."""
    try:
        return datetime.strptime(printed, "%m/%d/%Y %H:%M:%S")
    except ValueError:
        return None
