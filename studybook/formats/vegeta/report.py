"""``vegeta report``: the summary of all results that it was given.

Outputs of release 12 were recorded, and public ones of others were seen. Names of the values stand
in brackets in front of them; which there are differs by release. Response times are those of all
requests, the ones without a response included; percentiles are estimates (t-digest). A request is
a success if its status is from 200 to 399; the status 0 stands for no response. The rate here is
that of responses of any status, over the time of the attack and the wait for the last one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.line_reader import LineReader
from studybook.formats.load_summary import load_tables, ms_of
from studybook.formats.raw import Head, RawFile

TABLES = load_tables("vegeta", "vegeta")
RUN, PERCENTILE = (table.name for table in TABLES)

_LINE = re.compile(
    r"(Requests|Duration|Latencies|Bytes In|Bytes Out|Success|Status Codes) +"
    r"\[([a-z0-9:, ]{4,60})\] *(.*)$"
)
_PART = r"\d{1,12}(?:\.\d{1,9})?(?:h|ms|m|s|µs|us|ns)"
_DURATION = re.compile(rf"(?:{_PART}){{1,4}}$")
_PARTS = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)(h|ms|m|s|µs|us|ns)")
_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,9})?$")
_STATUS = re.compile(r"(\d{1,3}):(\d{1,15})$")
_PERCENT = re.compile(r"\d{1,2}(?:\.\d{1,4})?$")


def recognise(head: Head) -> bool:
    """Whether the file has the lines of a report."""
    return {"Requests", "Duration", "Latencies"} <= head.found(_LINE)


def read(raw: RawFile, out: Reading) -> None:
    """Read every report of the file."""
    _Reader(out).read(raw)


def duration_ms(printed: str) -> float | None:
    """A duration as Go prints it, such as 1m40.5s, in milliseconds; None if it is none."""
    if not _DURATION.match(printed):
        return None
    return sum(ms_of(number, unit) for number, unit in _PARTS.findall(printed))


def run_of(statuses: dict[int, int], duration_s: float | None) -> dict[str, Any]:
    """The columns of an execution that follow from how often each status occurred."""
    responses = sum(times for status, times in statuses.items() if status)
    bad = sum(times for status, times in statuses.items() if status and not 200 <= status < 400)
    return {
        "responses": responses, "bad_responses": bad, "no_response": statuses.get(0, 0),
        "duration_s": duration_s,
        "requests_per_s": responses / duration_s if duration_s else None,
    }  # fmt: skip


@dataclass
class _Reader(LineReader):
    run: dict[str, Any] = field(default_factory=dict)
    duration_s: float | None = None
    statuses: dict[int, int] = field(default_factory=dict)
    shares: dict[float, tuple[float, int]] = field(default_factory=dict)
    in_errors: bool = False
    runs: int = 0

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        match = _LINE.match(text)
        if not match:
            if text == "Error Set:" and self.run:
                self.in_errors = True
                return False
            if not text:
                self.in_errors = False
                return False
            if self.in_errors:
                self.run.setdefault("first_error", text[:200])
                return False
            return None
        self.in_errors = False
        if match[1] == "Requests":
            self._close()
            self.run = {"line": line}
        if not self.run:
            return None
        values = match[3].split(", ") if match[1] != "Status Codes" else match[3].split()
        named = dict(zip(match[2].split(", "), values, strict=False))
        return self.values(line, match[1], named, values)

    def values(self, line: int, what: str, named: dict[str, str], values: list[str]) -> bool | None:
        """Take the values of a line by their names."""
        if what == "Latencies":
            times = {name: duration_ms(value) for name, value in named.items()}
            if None in times.values():
                return None
            for name, ms in times.items():
                if name in ("min", "mean", "max"):
                    self.run[f"{name}_ms"] = ms
                elif _PERCENT.match(name) and ms is not None:
                    self.shares[float(name)] = (ms, line)
        elif what == "Duration":
            total = duration_ms(named.get("total", ""))
            if total is None:
                return None
            self.duration_s = total / 1000
        elif what == "Bytes In":
            if not _NUMBER.match(named.get("total", "")):
                return None
            self.run["received_bytes"] = float(named["total"])
        elif what == "Status Codes":
            statuses = [_STATUS.match(each) for each in values]
            if None in statuses:
                return None
            for each in statuses:
                if each:
                    self.statuses[int(each[1])] = int(each[2])
        else:
            return False
        return True

    def _close(self) -> None:
        run, self.run, shares, self.shares = self.run, {}, self.shares, {}
        statuses, self.statuses = self.statuses, {}
        duration_s, self.duration_s = self.duration_s, None
        if not run:
            return
        if error := run.pop("first_error", None):
            self.out.remark(run["line"], f"errors of requests in this report, the first: {error}")
        if statuses:
            run |= run_of(statuses, duration_s) | {"status": "complete"}
        else:
            run["status"] = "cut"
            self.out.remark(run["line"], "this report of vegeta is cut: it has no status codes")
        self.out.record(RUN, run_no=self.runs, **run)
        for percent, (ms, line) in shares.items():
            self.out.record(
                PERCENTILE, run_no=self.runs, measure="response time", percent=percent,
                response_ms=ms, line=line,
            )  # fmt: skip
        self.runs += 1
