"""ApacheBench: what it prints of each execution.

Outputs of release 2.3 were recorded, and public ones of 2.0 to 2.3 were seen. What it counts:
``Complete requests`` are those that ended, in whatever way; of ``Failed requests`` most are often
responses of another length than the first, as pages have that are made anew each time, and one that
could not be received is counted in both. ``Non-2xx responses`` are not among the failed ones.
Times are in ms, most of them whole ones. ``Time per request`` has more digits: it is connections by
rate, which is the mean where all are busy all the time. It is taken where it is the mean but for
rounding. A time of 0 is one of less than half a ms: that is no value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.line_reader import LineReader
from studybook.formats.load_summary import COUNT, NUMBER, load_tables
from studybook.formats.raw import Head, RawFile

TABLES = load_tables("ab", "ApacheBench")
RUN, PERCENTILE = (table.name for table in TABLES)

_TITLE = re.compile(r"This is ApacheBench, Version (\S{1,40})\b.*$")
_FIELD = re.compile(r"([A-Z][A-Za-z0-9/ -]{2,40}):(?:\s+(\S.*))?$")
_COUNTS = {
    "Concurrency Level": "connections", "Complete requests": "complete",
    "Non-2xx responses": "bad_responses",
}  # fmt: skip
_NUMBERS = {
    "Time taken for tests": ("duration_s", " seconds"),
    "Requests per second": ("requests_per_s", " [#/sec] (mean)"),
    "Total transferred": ("received_bytes", " bytes"),
}
_WHERE = frozenset({"Server Hostname", "Server Port", "Document Path"})
#: What is not kept.
_OTHERS = frozenset({
    "Server Software", "SSL/TLS Protocol", "Server Temp Key", "TLS Server Name", "Document Length",
    "Keep-Alive requests", "HTML transferred", "Total POSTed", "Total body sent", "Total PUT",
    "Time per request", "Transfer rate", "Failed requests", "Write errors",
})  # fmt: skip
_PER_REQUEST = re.compile(rf"{NUMBER} \[ms\] \(mean\)")
_FAILURES = re.compile(
    rf"\(Connect: {COUNT}, (?:Receive: {COUNT}, )?Length: {COUNT}, Exceptions: {COUNT}\)$"
)
_TOTAL = re.compile(rf"Total: +{NUMBER} +{NUMBER} +{NUMBER} +{NUMBER} +{NUMBER}$")
#: With -S there is neither median nor deviation.
_TOTAL_SHORT = re.compile(rf"Total: +{NUMBER} +{NUMBER} +{NUMBER}$")
_PART = re.compile(r"(?:Connect|Processing|Waiting): +[\d. ]+$")
_SHARE = re.compile(rf"(\d{{1,3}})% +{NUMBER}(?: \(longest request\)| \(last request\))?$")
_ERROR = re.compile(
    r"(?:Benchmarking .*\.\.\. ?)?(?:ab|apr_\w{1,60}(?:\(\))?): .*|Test aborted after \d+ failures|"
    r"Total of \d+ requests completed|SSL (?:handshake|read) failed.*|Send request .*"
)
_HEADING = re.compile(
    r"Copyright .*|Licensed to .*|Benchmarking .*|Completed \d+ requests|Finished \d+ requests|"
    r"Connection Times \(ms\)|min +(?:mean|avg).*|Percentage of the requests served within .*|"
    r"(?:WARNING|ERROR): The median and mean for .*|These results are probably not that reliable\.|"
    r"a normal deviation.*|[\d.]+ kb/s (?:sent|total)|"
    r"within a normal deviation.*|"
    r"\.\.\.done|\.*done"
)


def recognise(head: Head) -> bool:
    """Whether the file has ab's title, or two of the names in its summary."""
    return head.has(_TITLE) or (
        {"Concurrency Level", "Time taken for tests", "Complete requests"} <= head.found(_FIELD)
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read every execution of the file."""
    _Reader(out).read(raw)


@dataclass
class _Reader(LineReader):
    run: dict[str, Any] = field(default_factory=dict)
    where: dict[str, str] = field(default_factory=dict)
    shares: dict[float, tuple[float, int]] = field(default_factory=dict)
    runs = 0
    failed = 0
    per_request_ms = 0.0

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if match := _TITLE.match(text):
            self._close()
            self.run = {"line": line, "version": match[1]}
        elif match := _FAILURES.match(text):
            connect, receive, length, exceptions = (int(each or 0) for each in match.groups())
            self.run.update(
                no_response=connect + receive + exceptions, other_length=length, received=receive
            )
        elif match := _TOTAL.match(text):
            self.take_times(match[1], match[2], match[5])
            self.run["sd_ms"] = float(match[3])
        elif match := _TOTAL_SHORT.match(text):
            self.take_times(*match.groups())
        elif self.run and (match := _SHARE.match(text)) and int(match[1]) <= 100:
            self.shares[float(match[1])] = (float(match[2]), line)
        elif _ERROR.match(text):
            self.begin(line).setdefault("error", text[:400])
        elif _PART.match(text) or _HEADING.match(text):
            return False
        elif match := _FIELD.match(text):
            return self.value(line, match[1], match[2] or "")
        else:
            return None
        return True

    def value(self, line: int, name: str, value: str) -> bool | None:
        """Take a line with a name and a value."""
        if name in ("Server Software", "Server Hostname") and "connections" in self.run:
            self._close()
        if name in _WHERE:
            self.begin(line)
            self.where[name] = value
            return True
        if name in _COUNTS and re.fullmatch(COUNT, value):
            self.begin(line)[_COUNTS[name]] = int(value)
            return True
        if name in _NUMBERS:
            column, unit = _NUMBERS[name]
            if not (match := re.fullmatch(NUMBER + re.escape(unit), value)):
                return None
            self.begin(line)[column] = float(match[1])
            return True
        if name == "Time per request" and (per_request := _PER_REQUEST.fullmatch(value)):
            self.per_request_ms = float(per_request[1])
            return False
        if name == "Failed requests" and re.fullmatch(COUNT, value):
            self.failed = int(value)
            return True
        if name == "SSL/TLS Protocol":
            self.where[name] = value
        return False if name in _OTHERS else None

    def take_times(self, least: str, mean: str, most: str) -> None:
        """Take the times of whole requests."""
        self.run.update(min_ms=float(least), mean_ms=float(mean), max_ms=float(most))

    def begin(self, line: int) -> dict[str, Any]:
        """The current run; a new one where there is none."""
        self.run = self.run or {"line": line}
        return self.run

    def _close(self) -> None:
        run, self.run, shares, self.shares = self.run, {}, self.shares, {}
        where, self.where, failed, self.failed = self.where, {}, self.failed, 0
        exact, self.per_request_ms = self.per_request_ms, 0.0
        if "line" not in run:
            return
        run["url"] = _url(where)
        complete, received = run.pop("complete", None), run.pop("received", 0)
        # The rate comes after all counts.
        if complete is None or "requests_per_s" not in run:
            run["status"] = "failed" if "error" in run else "cut"
            self.out.remark(
                run["line"],
                f"this run of ab has no result: {run.get('error', 'its summary is cut')}",
            )
        else:
            run["status"] = "complete"
            run["responses"] = max(complete - received, 0)
            # Lines of failures are printed only where there are some.
            run.setdefault("bad_responses", 0)
            if not failed:
                run.setdefault("no_response", 0)
                run.setdefault("other_length", 0)
            if run["bad_responses"]:
                self.out.remark(
                    run["line"],
                    f"{run['bad_responses']} responses have no status of 200 to 299: they count as"
                    " errors, redirects among them",
                )
            if run.get("other_length"):
                self.out.remark(
                    run["line"],
                    f"{run['other_length']} responses were of another length than the first: ab"
                    " counts them as failed, which they are not if the page is made anew each time"
                    " (ab -l accepts them); they are no errors here",
                )
        if exact and abs(exact - run.get("mean_ms", -1.0)) <= 0.5:
            run["mean_ms"] = exact
        zeros = [name for name in ("min_ms", "mean_ms", "max_ms") if run.get(name) == 0]
        run |= dict.fromkeys(zeros)
        if zeros or not all(ms for ms, _ in shares.values()):
            self.out.remark(
                run["line"],
                "times of less than half a ms are printed as 0: they are left out (ab -e FILE"
                " writes percentiles with their decimals)",
            )
        shares = {percent: share for percent, share in shares.items() if share[0]}
        self.out.record(RUN, run_no=self.runs, **run)
        for percent, (ms, line) in shares.items():
            self.out.record(
                PERCENTILE, run_no=self.runs, measure="response time", percent=percent,
                response_ms=ms, line=line,
            )  # fmt: skip
        self.runs += 1


def _url(where: dict[str, str]) -> str | None:
    """The address that was asked, from what the summary says of it."""
    host, path = where.get("Server Hostname"), where.get("Document Path")
    if not host:
        return path
    secure = "SSL/TLS Protocol" in where
    port = where.get("Server Port", "")
    usual = "443" if secure else "80"
    address = host if port in ("", usual) else f"{host}:{port}"
    return f"http{'s' * secure}://{address}{path or ''}"[:400]
