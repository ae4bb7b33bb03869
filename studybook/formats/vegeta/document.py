"""``vegeta report -type=json``: a document for each report; times are in nanoseconds."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.json_documents import count, documents, members, number
from studybook.formats.raw import Head, RawFile
from studybook.formats.vegeta.report import PERCENTILE, RUN, run_of

_PERCENT = re.compile(r"(\d{1,2}(?:\.\d{1,4})?)th$")


def recognise(head: Head) -> bool:
    """Whether the file has the keys of a report."""
    keys = ("latencies", "status_codes", "throughput", "bytes_in")
    return all(f'"{key}"' in head.text for key in keys)


def read(raw: RawFile, out: Reading) -> None:
    """Read every report of the file."""
    run_no = 0
    for document in documents(raw, out, "vegeta"):
        found = members(document.value)
        latencies = members(found.get("latencies"))
        if not latencies or not members(found.get("status_codes")):
            out.remark(document.line, "this document is no report of vegeta")
            for line in range(document.line, document.line + document.lines):
                out.unknown(line, "")
            continue
        out.record(RUN, run_no=run_no, line=document.line, **_run(found, latencies))
        for name, value in latencies.items():
            nanos, match = number(value), _PERCENT.match(name)
            if match and nanos is not None:
                out.record(
                    PERCENTILE, run_no=run_no, measure="response time", percent=float(match[1]),
                    response_ms=nanos / 1e6, line=document.line,
                )  # fmt: skip
        if isinstance(errors := found.get("errors"), list) and errors:
            out.remark(
                document.line, f"errors of requests in this report, the first: {errors[0]!s:.200}"
            )
        out.used(document.lines)
        run_no += 1


def _run(found: dict[str, Any], latencies: dict[str, Any]) -> dict[str, Any]:
    """The columns of an execution."""
    statuses = {
        int(status): times
        for status, value in members(found.get("status_codes")).items()
        if re.fullmatch(r"\d{1,3}", status, re.A) and (times := count(value)) is not None
    }
    attack, wait = number(found.get("duration")), number(found.get("wait"))
    duration_s = None if attack is None or wait is None else (attack + wait) / 1e9
    run = run_of(statuses, duration_s)
    for name in ("min", "mean", "max"):
        nanos = number(latencies.get(name))
        run[f"{name}_ms"] = None if nanos is None else nanos / 1e6
    run["received_bytes"] = number(members(found.get("bytes_in")).get("total"))
    run["status"] = "complete"
    run["time_utc"] = instant(found.get("earliest"))
    return run


def instant(printed: Any) -> datetime | None:
    """An RFC 3339 time as a UTC instant; None if it is none, or of no test."""
    if not isinstance(printed, str) or not re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", printed):
        return None
    # Python reads six decimals and no more.
    plain = re.sub(r"(\.\d{6})\d+", r"\1", printed)
    try:
        found = datetime.fromisoformat(plain).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None
    return found if 1990 <= found.year < 2100 else None
