"""The summary of hey, and that of oha, which is laid out like it.

Outputs of hey 0.1.4 were recorded, and public ones of hey and oha were seen; that newer releases of
oha print ms is inferred. The address that was asked is in neither, nor are the connections.

Both divide all requests by the time, those included that got no response: where there are such, the
rate here is that of the responses. hey prints ``0% in 0.0000 secs`` for a percentile that too few
requests have. Requests that oha broke off at the end (``aborted due to deadline``) are no failures.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.contract import Reading, Table
from studybook.formats.line_reader import LineReader
from studybook.formats.load_summary import COUNT, NUMBER, bytes_of, ms_of
from studybook.formats.raw import Head, RawFile

_UNIT = r"(secs?|ms|us|µs|ns)"
_TIME = re.compile(rf"(Total|Slowest|Fastest|Average): +{NUMBER} +{_UNIT}$")
_RATE = re.compile(rf"Requests/sec: +{NUMBER}$")
_SUCCESS = re.compile(r"Success rate: +(?:[\d.]{1,12}%?|NaN%?)$")
_SIZE = re.compile(rf"Total data: +{NUMBER} +(?:bytes|([KMGT]?)i?B)$")
_SHARE = re.compile(rf"(\d{{1,3}}(?:\.\d{{1,4}})?)%{{1,2}} +in +{NUMBER} +{_UNIT}$")
_STATUS = re.compile(rf"\[(\d{{1,3}})\] +{COUNT} responses$")
_ERROR = re.compile(rf"\[{COUNT}\] +(\S.*)$")
_ABORTED = "aborted due to deadline"
_NOT_KEPT = re.compile(
    r"(?:Average|Slowest|Fastest): +(?:NaN|[+-]?Inf) +secs?|Size/(?:request|sec): .*|"
    r"(?:Response time histogram|(?:Latency|Response time) distribution|Status code distribution|"
    r"Error distribution|Details \(average, fastest, slowest\)):?|"
    r"(?:DNS\+dialup|DNS-lookup|req write|resp wait|resp read|First byte): .*|"
    r"\d+\.\d+ +(?:\w+ +)?\[\d+\] *\|?[■∎ ]*|\d+ requests done\."
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
        lines = [" ".join(line.split()) for line in head.lines]
        times = {match[1] for line in lines if (match := _TIME.match(line))}
        rated = any(_RATE.match(line) for line in lines)
        is_oha = any(_SUCCESS.match(line) for line in lines)
        return "Total" in times and rated and is_oha == (self.tool == "oha")

    def read(self, raw: RawFile, out: Reading) -> None:
        """Read every execution of the file."""
        _Reader(out, self).read(raw)


@dataclass
class _Reader(LineReader):
    summary: Summary
    run: dict[str, Any] = field(default_factory=dict)
    statuses: dict[int, int] = field(default_factory=dict)
    errors: int = 0
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
            ms = ms_of(match[2], match[3].removesuffix("ecs").removesuffix("ec"))
            column = _COLUMNS[match[1]]
            self.run[column] = ms / 1000 if column == "duration_s" else ms
        elif match := _RATE.match(text):
            self.run["requests_per_s"] = float(match[1])
        elif match := _SIZE.match(text):
            self.run["received_bytes"] = bytes_of(match[1], match[2] or "")
        elif match := _SHARE.match(text):
            percent = float(match[1])
            if not 0 < percent <= 100:
                return False
            unit = match[3].removesuffix("ecs").removesuffix("ec")
            self.shares[percent] = (ms_of(match[2], unit), line)
        elif match := _STATUS.match(text):
            status = int(match[1])
            self.statuses[status] = self.statuses.get(status, 0) + int(match[2])
        elif self.part == "Error distribution:" and (match := _ERROR.match(text)):
            if match[2] != _ABORTED:
                self.errors += int(match[1])
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
        self.part = ""
        if not run:
            return
        tool, responses = self.summary.tool, sum(statuses.values())
        if not _adds_up(run, responses + errors):
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
            if errors:
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


def _adds_up(run: dict[str, Any], requests: int) -> bool:
    """Whether there are as many requests as the rate and the time say, by their last digit."""
    rate, duration_s = run.get("requests_per_s"), run.get("duration_s")
    if not rate or not duration_s:
        return False
    return bool(abs(rate * duration_s - requests) <= 0.5 + (rate + duration_s) * 6e-5)
