"""The summary of hey, and that of oha, which is laid out like it.

Outputs of hey 0.1.4 were recorded, and public ones of hey and oha were seen; the units of oha are
from its source. The address that was asked is in neither, nor are the connections.

Both divide all requests by the time, those included that got no response: where there are such, the
rate here is that of the responses. hey prints ``0% in 0.0000 secs`` for a percentile that too few
requests have. Requests that oha broke off at the end (``aborted due to deadline``) are no failures,
but newer releases count them in their rate. With ``--stats-success-breakdown`` it prints the
percentiles of good and of bad responses behind those of all, which are the only ones kept.

hey keeps a million responses (from its source): statuses, percentiles and extremes are of the first
million, its rate is of all, and what it calls the average is the sum of all by a million.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.contract import Reading, Table
from studybook.formats.line_reader import LineReader
from studybook.formats.load_summary import COUNT, NUMBER, bytes_of, ms_of
from studybook.formats.raw import Head, RawFile

_UNIT = r"(secs?|ms|us|µs|ns|10 sec|min|10 min|hr)"
#: Units of oha, by the slowest request.
_LONGER_MS = {"10 sec": 1e4, "min": 6e4, "10 min": 6e5, "hr": 3.6e6}
_TIME = re.compile(rf"(Total|Slowest|Fastest|Average): +{NUMBER} +{_UNIT}$")
_RATE = re.compile(rf"Requests/sec: +{NUMBER}$")
_SUCCESS = re.compile(r"Success rate: +(?:[\d.]{1,12}%?|NaN%?)$")
_SIZE = re.compile(rf"Total data: +{NUMBER} +(?:bytes|([KMGT]?)i?B)$")
_SHARE = re.compile(rf"(\d{{1,3}}(?:\.\d{{1,4}})?)%{{1,2}} +in +{NUMBER} +{_UNIT}$")
_STATUS = re.compile(rf"\[(\d{{1,3}})\] +{COUNT} responses$")
_ERROR = re.compile(rf"\[{COUNT}\] +(\S.*)$")
_ABORTED = "aborted due to deadline"
_PART_OF = re.compile(r"(?:Latency|Response time) distribution \(.{1,40}\):?$")
#: So many responses hey keeps.
_MOST_OF_HEY = 1_000_000
_NOT_KEPT = re.compile(
    r"(?:(?:Average|Slowest|Fastest):|\d{1,3}\.\d\d% in) +(?:NaN|[+-]?Inf) +(?:10 )?\w+|"
    r"Size/(?:request|sec): .*|"
    r"(?:Response time histogram(?: \(.{1,40}\))?|(?:Latency|Response time) distribution|"
    r"Status code distribution|"
    r"Error distribution|Details \(average, fastest, slowest\)):?|"
    r"(?:DNS\+dialup|DNS-lookup|req write|resp wait|resp read|First byte): .*|"
    r"\d+\.\d+ +(?:10 )?(?:\w+ +)?\[\d+\] *\|?[■∎ ]*|\d+ requests done\."
)
_COLUMNS = {"Total": "duration_s", "Slowest": "max_ms", "Fastest": "min_ms", "Average": "mean_ms"}


@dataclass(frozen=True)
class Summary:
    """How the summary of one of the two is recognised and read.

    Parameters
    ----------
    tool : str
        ``hey`` or ``oha``; oha is known by its rate of success.
    tables : tuple of Table
        Executions and percentiles.
    """

    tool: str
    tables: tuple[Table, Table]

    def recognise(self, head: Head) -> bool:
        """Whether the file has the times of a summary, and is of this tool."""
        lines = [" ".join(line.split()) for line in head.printed if ":" in line]
        times = {match[1] for match in map(_TIME.match, lines) if match}
        is_oha = any(map(_SUCCESS.match, lines))
        return "Total" in times and any(map(_RATE.match, lines)) and is_oha == (self.tool == "oha")

    def read(self, raw: RawFile, out: Reading) -> None:
        """Read every execution of the file."""
        _Reader(out, self).read(raw)


@dataclass
class _Reader(LineReader):
    summary: Summary
    run: dict[str, Any] = field(default_factory=dict)
    statuses: dict[int, int] = field(default_factory=dict)
    errors: int = 0
    aborted: int = 0
    #: What a digit of the total time stands for, at its end.
    digit_s: float = 1e-4
    shares: dict[float, tuple[float, int]] = field(default_factory=dict)
    runs: int = 0
    part: str = ""

    def _take(self, line: int, text: str) -> bool | None:
        text = " ".join(text.split())
        if not text:
            return False
        if text == "Summary:":
            self._close()
            self.run, self.part = {"line": line}, "summary"
            return False
        if not self.run:
            return None
        if self.part == "summary" and (match := _TIME.match(text)):
            ms = _ms(match[2], match[3])
            column = _COLUMNS[match[1]]
            self.run[column] = ms / 1000 if column == "duration_s" else ms
            if column == "duration_s":
                self.digit_s = _ms("0.0001", match[3]) / 1000
        elif match := _RATE.match(text):
            self.run["requests_per_s"] = float(match[1])
        elif match := _SIZE.match(text):
            self.run["received_bytes"] = bytes_of(match[1], match[2] or "")
        elif match := _SHARE.match(text):
            percent = float(match[1])
            if not 0 < percent <= 100:
                return False
            if self.part == "part of all":
                return False
            self.shares[percent] = (_ms(match[2], match[3]), line)
        elif match := _STATUS.match(text):
            status = int(match[1])
            self.statuses[status] = self.statuses.get(status, 0) + int(match[2])
        elif self.part == "Error distribution:" and (match := _ERROR.match(text)):
            if match[2] == _ABORTED:
                self.aborted += int(match[1])
            else:
                self.errors += int(match[1])
        elif _PART_OF.match(text):
            self.part = "part of all"
            return False
        elif _SUCCESS.match(text) or _NOT_KEPT.fullmatch(text):
            if text.endswith(":"):
                self.part = text
            return False
        else:
            return None
        return True

    def _close(self) -> None:
        run, self.run, shares, self.shares = self.run, {}, self.shares, {}
        statuses, self.statuses, errors, self.errors = self.statuses, {}, self.errors, 0
        aborted, self.aborted, self.part = self.aborted, 0, ""
        if not run:
            return
        tool, responses = self.summary.tool, sum(statuses.values())
        counted = _counted(run, self.digit_s)
        beyond = tool == "hey" and responses == _MOST_OF_HEY and counted.above(responses + errors)
        if beyond:
            self._of_the_first_million(run, errors)
        elif not (counted.is_(responses + errors) or counted.is_(responses + errors + aborted)):
            run["status"] = "cut"
            run.pop("requests_per_s", None)
            self.out.remark(
                run["line"],
                f"this summary of {tool} is cut: it does not have as many statuses and errors as"
                " its rate and its time say",
            )
        else:
            run["status"] = "complete"
            run["responses"] = responses
            run["bad_responses"] = sum(n for status, n in statuses.items() if status >= 400)
            run["no_response"] = errors
            if errors or aborted:
                run["requests_per_s"] = responses / run["duration_s"]
        if not responses:
            # Zeros of requests that there were none of.
            for column in ("mean_ms", "min_ms", "max_ms"):
                run.pop(column, None)
        runs, percentiles = self.summary.tables
        self.out.record(runs.name, run_no=self.runs, **run)
        for percent, (ms, line) in shares.items():
            self.out.record(
                percentiles.name, run_no=self.runs, measure="response time", percent=percent,
                response_ms=ms, line=line,
            )  # fmt: skip
        self.runs += 1

    def _of_the_first_million(self, run: dict[str, Any], errors: int) -> None:
        """Put right what hey says of an execution with more responses than it keeps."""
        responses = round(run["requests_per_s"] * run["duration_s"]) - errors
        run.update(status="complete", responses=responses, no_response=errors)
        run["requests_per_s"] = responses / run["duration_s"]
        if "mean_ms" in run:
            run["mean_ms"] *= _MOST_OF_HEY / responses
        run.pop("max_ms", None)
        run.pop("min_ms", None)
        self.out.remark(
            run["line"],
            f"hey kept the first million of {responses} responses: percentiles are of these, how"
            " many of all failed and what the longest took is not known, and the average that it"
            " prints is too long (here it is put right)",
        )


def _ms(number: str, unit: str) -> float:
    """A time in milliseconds, of a number and a unit as hey and oha print it."""
    if unit in _LONGER_MS:
        return float(number) * _LONGER_MS[unit]
    return ms_of(number, unit.removesuffix("ecs").removesuffix("ec"))


@dataclass(frozen=True)
class _Counted:
    """How many requests the rate and the time say that there were, by their last digits."""

    requests: float
    margin: float

    def is_(self, requests: int) -> bool:
        """Whether it is so many."""
        return abs(self.requests - requests) <= self.margin

    def above(self, requests: int) -> bool:
        """Whether it is more."""
        return self.requests > requests + self.margin


def _counted(run: dict[str, Any], digit_s: float) -> _Counted:
    """How many requests the rate and the time say; none where one of the two is missing."""
    rate, duration_s = run.get("requests_per_s"), run.get("duration_s")
    if not rate or not duration_s:
        return _Counted(float("nan"), 0.0)
    return _Counted(rate * duration_s, 0.5 + 0.6 * (rate * digit_s + duration_s * 1e-4))
