"""wrk and wrk2: what they print of each execution.

Outputs of wrk 4.1 were recorded, and public ones of wrk and wrk2 seen, with and without
``--latency`` and ``--u_latency``. What the numbers mean is from their sources:

* Times are in us, ms, s, m (minutes) or h. Sizes are in powers of 1024.
* ``requests`` are responses of any status. Of wrk one that took longer than ``--timeout`` is in
  ``requests`` and counted as timeout, but is in no latency: mean and percentiles are of the others.
* ``Req/Sec`` is of one thread, and is not kept; ``Requests/sec`` is of all.
* wrk2 begins its histograms when it has calibrated its threads: they hold fewer requests than the
  summary says. The ``Detailed Percentile spectrum`` has the value, in ms, of more of them.

What a script prints of its own is not understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.line_reader import LineReader
from studybook.formats.load_summary import COUNT, NUMBER, bytes_of, load_tables, ms_of
from studybook.formats.raw import Head, RawFile

TABLES = load_tables("wrk", "wrk or wrk2")
_RUN, _PERCENTILE = (table.name for table in TABLES)

_TIME = r"(\d{1,12}(?:\.\d{1,6})?)(us|ms|s|m|h)"
_SIZE = r"(\d{1,12}(?:\.\d{1,6})?)([KMGTP]?)B"
_TITLE = re.compile(rf"Running {_TIME} test @ (\S.*)$")
_THREADS = re.compile(rf"{COUNT} threads and {COUNT} connections$")
_HEADER = "Thread Stats Avg Stdev Max +/- Stdev"
_LATENCY = re.compile(rf"Latency +{_TIME} +{_TIME} +{_TIME} +[\d.]{{1,12}}%$")
_NO_LATENCY = re.compile(r"Latency +-?nan\S* +\S+ +\S+ +\S+$")
_SHARE = re.compile(rf"(\d{{1,3}}(?:\.\d{{1,6}})?)% +{_TIME}$")
_DISTRIBUTION = re.compile(r"Latency Distribution(?: \(HdrHistogram - (\w+) Latency\b.*\))?$")
_SPECTRUM = re.compile(rf"{NUMBER} +([01]\.\d{{1,12}}) +{COUNT} +(?:[\d.]{{1,30}}|inf)$")
_TOTAL = re.compile(rf"{COUNT} requests in {_TIME}, {_SIZE} read$")
_ERRORS = re.compile(
    rf"Socket errors: connect {COUNT}, read {COUNT}, write {COUNT}, timeout {COUNT}$"
)
_STATUS = re.compile(rf"Non-2xx or 3xx responses: {COUNT}$")
_RATE = re.compile(rf"Requests/sec: +{NUMBER}$")
_TRANSFER = re.compile(rf"Transfer/sec: +{_SIZE}$")
_HEADING = re.compile(
    r"Req/Sec\b.*|(?:Initialised|Thread calibration:|Detailed Percentile spectrum:).*|-{20,}|"
    r"Value +Percentile +TotalCount +1/\(1-Percentile\)|#?\[(?:Max|Buckets) +=.*\]"
)
_MOMENTS = re.compile(rf"#?\[Mean += +{NUMBER}, StdDeviation += +{NUMBER}\]$")
_FAILED = re.compile(r"unable to (?:connect to|resolve|create|record)\b.*|invalid (?:URL|rate)\b.*")


def recognise(head: Head) -> bool:
    """Whether the file has the title of a run, or the head of its table of threads."""
    return any(
        (line.startswith("Running ") and _TITLE.match(line))
        or (line.startswith("Thread Stats") and " ".join(line.split()) == _HEADER)
        for line in head.printed
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read every execution of the file."""
    _Reader(out).read(raw)


@dataclass
class _Reader(LineReader):
    run: dict[str, Any] = field(default_factory=dict)
    #: Of each measure and percentage what was printed last, which is the most exact.
    shares: dict[tuple[str, float], dict[str, Any]] = field(default_factory=dict)
    measure = ""
    runs = 0

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if match := _TITLE.match(text):
            self._close()
            self.run = {"line": line, "asked_s": ms_of(match[1], match[2]) / 1000, "url": match[3]}
        elif match := _THREADS.match(text):
            self.begin_if_none(line, "threads").update(
                threads=int(match[1]), connections=int(match[2])
            )
        elif " ".join(text.split()) == _HEADER:
            self.begin_if_none(line, "header")["header"] = True
            return False
        elif not self.run:
            return None
        elif match := _DISTRIBUTION.match(text):
            self.measure = "uncorrected" if match[1] == "Uncorrected" else "response time"
            self.run["wrk2"] = self.run.get("wrk2") or match[1] is not None
            return False
        elif _HEADING.match(text):
            self.run["wrk2"] = self.run.get("wrk2") or text.startswith("Thread calibration")
            return False
        else:
            return self.number(line, text)
        return True

    def number(self, line: int, text: str) -> bool | None:
        """Take a line with numbers of the current run."""
        if match := _LATENCY.match(text):
            mean, sd, most = (ms_of(*match.group(place, place + 1)) for place in (1, 3, 5))
            self.run.update(mean_ms=mean, sd_ms=sd, max_ms=most)
        elif _NO_LATENCY.match(text):
            self.out.remark(line, "no request of this run of wrk has a latency")
        elif self.measure and (match := _SHARE.match(text)):
            self.share(line, float(match[1]), ms_of(match[2], match[3]))
        elif self.measure and (match := _SPECTRUM.match(text)):
            self.share(line, round(float(match[2]) * 100, 9), float(match[1]), int(match[3]))
        elif self.measure and (match := _MOMENTS.match(text)):
            if self.measure == "response time":
                self.run.update(mean_ms=float(match[1]), sd_ms=float(match[2]))
        elif match := _TOTAL.match(text):
            self.run.update(
                responses=int(match[1]), duration_s=ms_of(match[2], match[3]) / 1000,
                received_bytes=bytes_of(match[4], match[5]),
            )  # fmt: skip
            self.measure = ""
        elif match := _ERRORS.match(text):
            connect, reading, writing, timeout = (int(each) for each in match.groups())
            self.run.update(no_response=connect + reading + writing, timeouts=timeout)
        elif match := _STATUS.match(text):
            self.run["bad_responses"] = int(match[1])
        elif match := _RATE.match(text):
            self.run["requests_per_s"] = float(match[1])
        elif _TRANSFER.match(text):
            return False
        elif _FAILED.match(text):
            self.run.setdefault("error", text[:400])
        else:
            return None
        return True

    def share(self, line: int, percent: float, ms: float, requests: int | None = None) -> None:
        """Keep a percentile of the current histogram."""
        if percent <= 100:
            self.shares[self.measure, percent] = {
                "response_ms": ms, "requests": requests, "line": line,
            }  # fmt: skip

    def begin_if_none(self, line: int, column: str) -> dict[str, Any]:
        """The current run; a new one where there is none or it has the column already."""
        if column in self.run:
            self._close()
        self.run = self.run or {"line": line}
        return self.run

    def _close(self) -> None:
        run, self.run, shares, self.shares = self.run, {}, self.shares, {}
        self.measure = ""
        if not run:
            return
        run.pop("header", None)
        is_wrk2 = run.pop("wrk2", False)
        # Counts of failures, and then this rate, are the last that is printed.
        if "requests_per_s" not in run or "responses" not in run:
            run["status"] = "failed" if "error" in run else "cut"
            self.out.remark(
                run["line"],
                f"this run of wrk has no result: {run.get('error', 'its summary is cut')}",
            )
        else:
            run["status"] = "complete"
            # Lines of failures are printed only where there are some.
            for column in ("no_response", "timeouts", "bad_responses"):
                run.setdefault(column, 0)
            if run["timeouts"] and not is_wrk2:
                self.out.remark(
                    run["line"],
                    f"{run['timeouts']} requests took longer than --timeout: wrk leaves them out of"
                    " its latencies, so its mean and percentiles are of the others, and the longest"
                    " is not known",
                )
        run["version"] = "wrk2" if is_wrk2 else "wrk"
        self.out.record(_RUN, run_no=self.runs, **run)
        for (measure, percent), share in shares.items():
            self.out.record(
                _PERCENTILE, run_no=self.runs, measure=measure, percent=percent, **share
            )
        self.runs += 1
