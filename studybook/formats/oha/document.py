"""oha as JSON: one document for each execution.

Public outputs of oha 1.x were seen, and parts of programs that read them. Times are in seconds.
``statusCodeDistribution`` counts responses, ``errorDistribution`` requests without one; those that
were broken off at the end (``aborted due to deadline``) are no failures.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from studybook.formats.contract import Reading, Table
from studybook.formats.json_documents import count, documents, members, number
from studybook.formats.raw import Head, RawFile

_ABORTED = "aborted due to deadline"
_PERCENT = re.compile(r"p(\d{1,2}(?:\.\d{1,4})?)$")
_TIMES = {"mean_ms": "average", "min_ms": "fastest", "max_ms": "slowest"}


def recognise(head: Head) -> bool:
    """Whether the file has the keys of a document of oha."""
    text = head.text
    return '"requestsPerSec"' in text and '"successRate"' in text and head.first.startswith("{")


def reader(tables: tuple[Table, Table]) -> Callable[[RawFile, Reading], None]:
    """A function that reads documents into these tables, of executions and of percentiles."""

    def read(raw: RawFile, out: Reading) -> None:
        """Read every document of the file."""
        run_no = 0
        for document in documents(raw, out, "oha"):
            found = members(document.value)
            summary = members(found.get("summary"))
            if number(summary.get("total")) is None:
                out.remark(document.line, "this document is none of oha: it has no summary")
                for line in range(document.line, document.line + document.lines):
                    out.unknown(line, "")
                continue
            out.record(tables[0].name, run_no=run_no, line=document.line, **_run(found, summary))
            for name, value in members(found.get("latencyPercentiles")).items():
                seconds, match = number(value), _PERCENT.match(name)
                if match and seconds is not None:
                    out.record(
                        tables[1].name, run_no=run_no, measure="response time",
                        percent=float(match[1]), response_ms=seconds * 1000, line=document.line,
                    )  # fmt: skip
            out.used(document.lines)
            run_no += 1

    return read


def _run(found: dict[str, Any], summary: dict[str, Any]) -> dict[str, Any]:
    """The columns of an execution."""
    statuses = {
        int(status): times
        for status, value in members(found.get("statusCodeDistribution")).items()
        if re.fullmatch(r"[1-9]\d\d", status, re.A) and (times := count(value)) is not None
    }
    errors = members(found.get("errorDistribution"))
    no_response = sum(
        times
        for name, value in errors.items()
        if name != _ABORTED and (times := count(value)) is not None
    )
    duration, rate = number(summary.get("total")), number(summary.get("requestsPerSec"))
    responses = sum(statuses.values())
    run: dict[str, Any] = {
        "status": "complete", "duration_s": duration, "responses": responses,
        "bad_responses": sum(times for status, times in statuses.items() if status >= 400),
        "no_response": no_response, "received_bytes": number(summary.get("totalData")),
        # oha counts requests without a response, too, and those that it broke off.
        "requests_per_s": responses / duration if errors and duration else rate,
    }  # fmt: skip
    for column, name in _TIMES.items():
        seconds = number(summary.get(name))
        run[column] = None if seconds is None or not responses else seconds * 1000
    return run
