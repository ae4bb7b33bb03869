"""The history of Locust.

Each second has a row of all requests, or one of each kind, too.
"""

from __future__ import annotations

import math
import re
from datetime import timedelta
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading, tables
from studybook.formats.names import pairs
from studybook.formats.quoted_rows import END_S, EPOCH, FIRST_S, cells_for, cells_of
from studybook.formats.raw import LONGEST_LINE, Head, RawFile

(STATE,) = tables("""
locust_state: what was known at one moment of one kind of request, or of all together
    time_utc TIMESTAMP, users BIGINT, method VARCHAR, name VARCHAR,
    -- Of all requests together, which Locust calls Aggregated.
    is_total BOOLEAN,
    -- Means over the last ten seconds, about.
    requests_per_s DOUBLE, failures_per_s DOUBLE,
    -- Of the last ten seconds where the file has the full history, else of all requests since
    -- the start. Locust rounds response times: from 100 ms on, two digits are left.
    p50_ms DOUBLE, p66_ms DOUBLE, p75_ms DOUBLE, p80_ms DOUBLE, p90_ms DOUBLE, p95_ms DOUBLE, p98_ms
    DOUBLE, p99_ms DOUBLE, p99_9_ms DOUBLE, p99_99_ms DOUBLE, p100_ms DOUBLE,
    -- Since the start, or since the statistics were reset.
    total_requests BIGINT, total_failures BIGINT, total_median_ms DOUBLE, total_mean_ms DOUBLE,
    total_min_ms DOUBLE, total_max_ms DOUBLE,
    -- Of the content, without headers.
    total_mean_bytes DOUBLE, line BIGINT
""")

FULL_HISTORY = "--csv-full-history"

_START = ["Timestamp", "User Count", "Type", "Name"]
_COUNTS = {
    "User Count": "users",
    "Total Request Count": "total_requests",
    "Total Failure Count": "total_failures",
}
#: Columns of percentiles, in all that Locust writes.
PERCENTILES = {
    f"{part}%": f"p{part.replace('.', '_')}_ms"
    for part in ("50", "66", "75", "80", "90", "95", "98", "99", "99.9", "99.99", "100")
}
_NUMBERS = PERCENTILES | pairs("""
    Requests/s=requests_per_s; Failures/s=failures_per_s;
    Total Median Response Time=total_median_ms; Total Average Response Time=total_mean_ms;
    Total Min Response Time=total_min_ms; Total Max Response Time=total_max_ms;
    Total Average Content Size=total_mean_bytes
""")
_NEEDED = frozenset({"users", "total_requests", "total_failures", "total_mean_ms"})
_KNOWN = {*_START, *_COUNTS, *_NUMBERS}

WHOLE = re.compile(r"\d{1,15}", re.A)
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?", re.A | re.I)
#: Larger numbers are not believed.
_LARGEST = 1e15
#: In the place of a number that there is none of: percentiles before the first request.
NONE = ("", "N/A", "None")


def number_of(cell: str) -> float | None:
    """A number as Locust writes it; None where the cell is none, or not believed."""
    value = float(cell) if _NUMBER.fullmatch(cell) else math.inf
    return None if abs(value) > _LARGEST else value


def recognise(head: Head) -> bool:
    """Whether the file begins with the header of a history."""
    return _header(head.first) is not None


def read(raw: RawFile, out: Reading) -> None:
    """Read the rows of the history.

    Raises
    ------
    Refused
        If there is none, or if it has no totals to tell intervals from.
    """
    names: list[str] = []
    rows = parts = 0
    for number, text in raw.lines():
        if not text.strip():
            out.heading()
        elif header := _header(text):
            names = header
            _check(names, number)
            out.heading()
        elif row := _row(text, names):
            out.record(STATE.name, **row, line=number)
            out.used()
            rows += 1
            parts += not row["is_total"]
        else:
            out.unknown(number, text)
    if not rows:
        raise Refused(
            "has the header of Locust's history, but no row could be read",
            f"run the test again by: locust --headless --csv NAME {FULL_HISTORY}",
            line=out.first_unknown,
        )
    if not_kept := [name for name in names if name not in _KNOWN]:
        out.remark(1, f"{len(not_kept)} columns are not kept: {', '.join(not_kept[:10])}")
    if not parts:
        out.remark(
            1,
            "there are rows of all requests together only: their percentiles are of the whole run"
            f" up to then, so intervals have none ({FULL_HISTORY} writes those)",
        )


def _header(text: str) -> list[str] | None:
    cells = cells_of(text.lstrip("\ufeff"))
    return cells if cells and cells[:4] == _START and len(set(cells)) == len(cells) else None


def _check(names: list[str], line: int) -> None:
    known = {_COUNTS.get(name) or _NUMBERS.get(name) for name in names}
    if missing := sorted(each for each in _NEEDED - known if each):
        raise Refused(
            "is a history of Locust before release 1.0, or of columns of one's own: there is no "
            + ", ".join(missing),
            "run the test again with Locust 1.0 or later",
            line=line,
        )


def _row(text: str, names: list[str]) -> dict[str, Any] | None:
    """Read a row; None if one of its cells is not what its name promises."""
    cells = cells_for(names, text)
    # A line of that length is cut off.
    if cells is None or len(text) >= LONGEST_LINE // 4:
        return None
    given = dict(zip(names, cells, strict=True))
    if not WHOLE.fullmatch(given["Timestamp"]) or not given["Name"]:
        return None
    seconds = int(given["Timestamp"])
    if not FIRST_S <= seconds < END_S:
        return None
    row: dict[str, Any] = {
        "time_utc": EPOCH + timedelta(seconds=seconds), "method": given["Type"] or None,
        "name": given["Name"], "is_total": not given["Type"] and given["Name"] == "Aggregated",
    }  # fmt: skip
    for name, column in _COUNTS.items():
        if not WHOLE.fullmatch(given[name]):
            return None
        row[column] = int(given[name])
    for name, column in _NUMBERS.items():
        cell = given.get(name, "")
        if cell in NONE and column not in _NEEDED:
            continue
        if (value := number_of(cell)) is None:
            return None
        row[column] = value
    return row
