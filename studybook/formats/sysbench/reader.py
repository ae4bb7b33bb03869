"""What sysbench prints of each execution, and of the seconds between its reports.

Outputs of release 1.0.20 were recorded, of all its tests; those of 0.4 and 0.5 are as public ones
have them. What the numbers mean is from its source:

* An event is a transaction of the SQL tests, a request of the others. An *ignored error* is one of
  a transaction that begins anew: it is a request without a response, and the transaction counts
  when it succeeds.
* Times are rounded to a hundredth of a millisecond: 0.00 is no value. The mean is the printed sum
  by the number of events, which has more digits than the printed mean.
* Percentiles are of a histogram of 1,024 buckets from 0.001 to 100,000 ms, each wider than the one
  before it by 1.8 %; with ``--histogram`` it is printed, and others are taken from it.
* With ``--report-checkpoints`` there are several reports: events, their times and rates are since
  the one before, and the total time is since the start.
* Nothing says when it was: seconds are since the start.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading, never_negative, tables
from studybook.formats.line_reader import LineReader
from studybook.formats.load_summary import COUNT, NUMBER, load_tables
from studybook.formats.raw import Head, RawFile

TABLES = (
    *load_tables(
        "sysbench",
        "sysbench",
        """
        -- Of the SQL tests: statements of any kind; before release 1.0 those that read or write.
        queries_per_s DOUBLE,
        -- Of fileio, and of memory.
        reads_per_s DOUBLE, writes_per_s DOUBLE, fsyncs_per_s DOUBLE,
        read_mib_s DOUBLE, written_mib_s DOUBLE, memory_mib_s DOUBLE
        """,
    ),
    *never_negative(
        tables("""
sysbench_interval: what sysbench reports of an interval of an execution
    run_no BIGINT,
    -- When it ended, since the start.
    offset_s DOUBLE,
    threads BIGINT,
    -- Transactions, or events of tests without a database.
    events_per_s DOUBLE, queries_per_s DOUBLE, errors_per_s DOUBLE,
    read_mib_s DOUBLE, written_mib_s DOUBLE, fsyncs_per_s DOUBLE, memory_mib_s DOUBLE,
    -- The response time that so many per cent of the events did not exceed.
    percent DOUBLE, response_ms DOUBLE, line BIGINT
""")
    ),
)
_RUN, _PERCENTILE, _INTERVAL = (table.name for table in TABLES)

_TITLE = re.compile(r"sysbench (\d\S{0,30})(?:\b.*)?$")
_VALUE = re.compile(r"([A-Za-z][A-Za-z0-9 ,/().-]{1,50}): +(\S.{0,80})$")
#: Lines of a name and a number, wherever they stand: the column, and what may follow the number.
_NUMBERS = {
    "Number of threads": ("threads", ""), "Target transaction rate": ("asked_per_s", "/sec"),
    "events per second": ("requests_per_s", ""), "events/s (eps)": ("requests_per_s", ""),
    "time elapsed": ("duration_s", "s"), "total number of events": ("responses", ""),
    "total time": ("duration_s", "s"), "min": ("min_ms", "ms"), "avg": ("mean_ms", "ms"),
    "max": ("max_ms", "ms"), "sum": ("sum_ms", ""), "reads/s": ("reads_per_s", ""),
    "writes/s": ("writes_per_s", ""), "fsyncs/s": ("fsyncs_per_s", ""),
    "read, MiB/s": ("read_mib_s", ""), "written, MiB/s": ("written_mib_s", ""),
    # As 0.4 and 0.5 have it, which print a mean of fewer digits beside it.
    "total time taken by event execution": ("sum_s", "s"),
}  # fmt: skip
#: Counts with their rate in brackets: the columns of both.
_COUNTS = {
    "transactions": (None, "requests_per_s"), "queries": (None, "queries_per_s"),
    "read/write requests": (None, "queries_per_s"), "ignored errors": ("no_response", None),
    "deadlocks": ("no_response", None),
    "other operations": (None, None),
    "reconnects": (None, None),
}  # fmt: skip
_COUNT = re.compile(rf"{COUNT} +\({NUMBER} per sec\.\)$")
_SHARE = re.compile(
    rf"(?:approx\. +)?(\d{{1,3}}(?:\.\d{{1,4}})?)(?:th)? percentile: +{NUMBER}(?:ms)?$"
)
_BUCKET = re.compile(rf"{NUMBER} +\|\** +{COUNT}$")
_TRANSFERRED = re.compile(rf"{NUMBER} Mi?B transferred \({NUMBER} Mi?B/sec\)$")
_FAIRNESS = "execution time (avg/stddev):"

_REPORT = re.compile(r"\[ *(\d{1,9})s ?\] (.{1,300})$")
_SQL = re.compile(
    rf"thds: {COUNT} tps: {NUMBER} qps: {NUMBER} \(r/w/o: [\d./]{{5,60}}\)"
    rf" lat \(ms,{NUMBER}%\): {NUMBER} err/s:? {NUMBER} reconn/s: +{NUMBER}$"
)
_EVENTS = re.compile(rf"thds: {COUNT} eps: {NUMBER} lat \(ms,{NUMBER}%\): {NUMBER}$")
_FILES = re.compile(
    rf"reads: {NUMBER} MiB/s writes: {NUMBER} MiB/s fsyncs: {NUMBER}/s"
    rf" latency \(ms,{NUMBER}%\): {NUMBER}$"
)
_MEMORY = re.compile(rf"{NUMBER} MiB/sec$")
_SQL_05 = re.compile(
    rf"threads: {COUNT}, tps: {NUMBER}, reads(?:/s)?: {NUMBER}, writes(?:/s)?: {NUMBER},"
    rf" response time: {NUMBER}ms \({NUMBER}%\)(?:, errors: {NUMBER}, reconnects: +{NUMBER})?$"
)

#: Lines by which the tests are known; those of files say what is done with them.
_TESTS = {
    "Prime numbers limit": "cpu", "Maximum prime number": "cpu", "SQL statistics:": "SQL",
    "OLTP test statistics:": "SQL", "Running memory speed test": "memory",
    "Doing memory operations speed test": "memory",
    "Doing thread subsystem performance test": "threads", "Doing mutex performance test": "mutex",
}  # fmt: skip
_TEST = re.compile(rf"(?:{'|'.join(_TESTS)})|Doing ((?:random|sequential) .{{1,40}}) test$")
_ERROR = re.compile(r"(?:FATAL|ALERT): (.{1,400})$")
_WARNING = re.compile(r"WARNING: (.{1,400})$")
#: Titles, options and settings: what stands before a report, and above its parts.
_HEADING = re.compile(
    r"Running (?!memory).*|(?:Initializing|Random number generator|Report|DEBUG:) .*|"
    r"Validation checks: .*|\(last message repeated .*\)|"
    r"Threads? started!|Done\.|Test execution summary:|General statistics:|"
    r"queries performed:|CPU speed:|File operations:|Throughput:|"
    r"Latency(?: \(ms\)| histogram.*)?:?|per-request statistics:|Threads fairness:|"
    r"value +-+ distribution -+ count|Total operations: .*|Operations performed: .*|"
    r"percentile stats: +disabled|events \(avg/stddev\): .*|execution time \(avg/stddev\): .*|"
    r"Test options:|"
    r"Maximum .*|response time:|(?:block size|total size|operation|scope): .*|"
    r"\d+ files?, .*|\d\S* (?:total|Total) file size|Block size .*|"
    r"Number of (?:random|IO) requests.*|Read/Write ratio .*|Periodic FSYNC .*|Calling fsync.*|"
    r"Using .*|Doing .*|Creating .*|Inserting .*|"
    r"Dropping .*|Removing .*|\d+ bytes written in .*|Extra file .*|Read .*  Written .*|"
    r"(?:read|write|other|total): +\d.*|No DB drivers specified, using .*|Threads .*|"
    r"(?:queue length|Checkpoint report)\b.*|transferred .*"
)


def recognise(head: Head) -> bool:
    """Whether the file has the title of sysbench, or the end of one of its reports."""
    return head.has(_TITLE) or (
        "Threads fairness:" in head.printed
        and any(line.startswith(_FAIRNESS) for line in head.printed)
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read every execution of the file.

    Raises
    ------
    Refused
        If there is none, as in what sysbench prints when it prepares its tables.
    """
    reader = _Reader(out)
    reader.read(raw)
    if not reader.runs:
        raise Refused("holds no execution of sysbench", "keep what sysbench … run prints")


@dataclass
class _Reader(LineReader):
    #: What was asked of the executions that follow.
    asked: dict[str, Any] = field(default_factory=dict)
    run: dict[str, Any] = field(default_factory=dict)
    shares: dict[float, tuple[float, int]] = field(default_factory=dict)
    buckets: list[tuple[float, int]] = field(default_factory=list)
    #: Where options stand of which no report has come; what checkpoints had reported until then.
    begun = 0
    checkpoints = False
    before_s = 0.0
    runs = 0

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if match := _TITLE.match(text):
            self._close()
            self.asked, self.begun = {"version": match[1]}, 0
            self.checkpoints, self.before_s = False, 0.0
            return True
        if text.startswith("Running the test with following options"):
            self._close()
            self.asked = {"version": self.asked.get("version")}
            self.begun, self.checkpoints, self.before_s = line, False, 0.0
            return False
        if match := _TEST.match(text):
            self.asked["url"] = _TESTS.get(match[0]) or f"fileio, {match[1]}"
            return True
        if match := _REPORT.match(text):
            return self._report(line, float(match[1]), match[2])
        kept = self._number(line, text)
        if kept is None and _HEADING.fullmatch(text):
            kept = False
        if text.startswith(_FAIRNESS):
            self._close()
        return kept

    def _number(self, line: int, text: str) -> bool | None:
        """Take a line of a report; None where it is none."""
        if match := _SHARE.match(text):
            self._begun(line)
            if float(match[2]):
                self.shares[float(match[1])] = float(match[2]), line
        elif match := _BUCKET.match(text):
            self._begun(line)
            self.buckets.append((float(match[1]), int(match[2])))
        elif match := _TRANSFERRED.match(text):
            self._begun(line)["memory_mib_s"] = float(match[2])
        elif match := _ERROR.match(text):
            self._begun(line).setdefault("error", match[1])
        elif match := _WARNING.match(text):
            self.out.remark(line, f"sysbench warns: {match[1]}")
        elif match := _VALUE.match(text):
            return self._value(line, match[1], match[2])
        else:
            return None
        return True

    def _value(self, line: int, name: str, value: str) -> bool | None:
        if name in _NUMBERS:
            column, unit = _NUMBERS[name]
            number = re.fullmatch(NUMBER, value.removesuffix(unit).strip())
            if not number:
                return None
            of = self.asked if column in ("threads", "asked_per_s") else self._begun(line)
            of[column] = int(number[1]) if column in ("threads", "responses") else float(number[1])
            return True
        if name in _COUNTS and (match := _COUNT.match(value)):
            count, rate = _COUNTS[name]
            run = self._begun(line)
            if count:
                run[count] = int(match[1])
            if rate:
                run[rate] = float(match[2])
            return bool(count or rate)
        return None

    def _report(self, line: int, offset_s: float, text: str) -> bool | None:
        """Take what is said of an interval."""
        found: dict[str, Any]
        if match := _SQL.match(text):
            threads, tps, qps, percent, ms, errors, _ = match.groups()
            found = {
                "threads": threads, "events_per_s": tps, "queries_per_s": qps, "percent": percent,
                "response_ms": ms, "errors_per_s": errors,
            }  # fmt: skip
        elif match := _SQL_05.match(text):
            threads, tps, _, _, ms, percent, errors, _ = match.groups()
            found = {
                "threads": threads, "events_per_s": tps, "percent": percent, "response_ms": ms,
                "errors_per_s": errors,
            }  # fmt: skip
        elif match := _EVENTS.match(text):
            found = dict(
                zip(
                    ("threads", "events_per_s", "percent", "response_ms"),
                    match.groups(),
                    strict=True,
                )
            )
        elif match := _FILES.match(text):
            names = ("read_mib_s", "written_mib_s", "fsyncs_per_s", "percent", "response_ms")
            found = dict(zip(names, match.groups(), strict=True))
        elif match := _MEMORY.match(text):
            found = {"memory_mib_s": match[1]}
        else:
            self.checkpoints = self.checkpoints or text == "Checkpoint report:"
            return False if _HEADING.fullmatch(text) else None
        self._begun(line)
        values = {name: float(value) for name, value in found.items() if value is not None}
        if "threads" in values:
            values["threads"] = int(values["threads"])
        if not values.get("response_ms"):
            values.pop("response_ms", None)
        self.out.record(_INTERVAL, run_no=self.runs, offset_s=offset_s, line=line, **values)
        return True

    def _begun(self, line: int) -> dict[str, Any]:
        """The current execution, which begins with its options, or here."""
        self.run = self.run or {"line": self.begun or line}
        return self.run

    def _close(self) -> None:
        run, self.run = self.run, {}
        shares, self.shares, buckets, self.buckets = self.shares, {}, self.buckets, []
        if self.begun:  # there may be options, and nothing after them
            run, self.begun = run or {"line": self.begun}, 0
        if not run:
            return
        sum_ms, events = run.pop("sum_ms", None), run.get("responses")
        if (sum_s := run.pop("sum_s", None)) is not None:
            sum_ms = 1000 * sum_s
        for name in ("min_ms", "mean_ms", "max_ms"):
            run[name] = run.get(name) or None
        if self.checkpoints and "duration_s" in run:
            until_s = run["duration_s"]
            run["duration_s"], self.before_s = until_s - self.before_s, until_s
        whole = events is not None and run.get("duration_s", 0) > 0 and sum_ms is not None
        if whole and events:
            run["mean_ms"] = sum_ms / events or None
            run.setdefault("requests_per_s", events / run["duration_s"])
        if not whole:
            run["status"] = "failed" if "error" in run else "cut"
            self.out.remark(
                run["line"],
                "this execution of sysbench has no result:"
                f" {run.get('error', 'its report is cut')}",
            )
        else:
            run |= {"status": "complete", "bad_responses": 0}
            run.setdefault("no_response", 0)
        threads = self.asked.get("threads")
        self.out.record(_RUN, run_no=self.runs, **self.asked, connections=threads, **run)
        for percent, (ms, line) in (_ranked(buckets, run["line"]) | shares).items():
            self.out.record(
                _PERCENTILE, run_no=self.runs, measure="response time", percent=percent,
                response_ms=ms, line=line,
            )  # fmt: skip
        self.runs += 1


def _ranked(buckets: list[tuple[float, int]], line: int) -> dict[float, tuple[float, int]]:
    """Percentiles of a histogram: of each, the bucket below which, and in which, so many are."""
    total = sum(count for _, count in buckets)
    found: dict[float, tuple[float, int]] = {}
    up_to = 0
    for value, count in sorted(buckets):
        up_to += count
        for percent in (50.0, 90.0, 95.0, 99.0):
            if percent not in found and 100 * up_to >= percent * total and value:
                found[percent] = value, line
    return found
