"""The CSV of k6: a header, and one row per value of a metric; errors are messages of any kind."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from studybook.errors import Refused
from studybook.formats.contract import Reading, tables
from studybook.formats.quoted_rows import END_S, EPOCH, FIRST_S, QuotedRows, cells_for, cells_of
from studybook.formats.raw import LONGEST_LINE, Head, RawFile, line_count

(SAMPLE,) = tables("""
k6_sample: one value of one metric: each request has several, one per part of its time
    -- When it was taken: of a request, its end. k6 cuts it to the second unless told otherwise.
    time_utc TIMESTAMP, metric VARCHAR,
    -- In the metric's unit: ms of http_req_*, iteration_duration and group_duration; bytes of
    -- data_*; else a count, or 0 or 1.
    value DOUBLE, check_name VARCHAR, error VARCHAR, error_code VARCHAR,
    -- Of a request: whether its status is one that the script expects (200 to 399 by default).
    expected_response BOOLEAN,
    -- The groups that it is in: ::outer::inner
    group_path VARCHAR, method VARCHAR,
    -- The address, unless the script names the request.
    name VARCHAR, scenario VARCHAR, status VARCHAR, url VARCHAR, extra_tags VARCHAR, line BIGINT
""")

#: The first columns of each file; then come the tags that are switched on, in alphabetical order.
FIRST = ["metric_name", "timestamp", "metric_value"]

#: Columns of the file that are kept, and how the table calls them.
KEPT = {
    "metric_name": "metric", "metric_value": "value", "check": "check_name", "error": "error",
    "error_code": "error_code", "expected_response": "expected_response", "group": "group_path",
    "method": "method", "name": "name", "scenario": "scenario", "status": "status", "url": "url",
    "extra_tags": "extra_tags",
}  # fmt: skip

#: Larger values are not believed: beyond them whole numbers are not exact.
LARGEST = 2.0**53
_PER_S = (1, 10**3, 10**6, 10**9)
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.A | re.I)
_WHOLE = re.compile(r"\+?\d{1,19}", re.A)
_RFC3339 = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[-+]\d\d:\d\d)", re.A
)  # fmt: skip
_FLAGS = {"true": True, "false": False}
_TEXT = pa.dictionary(pa.int32(), pa.string())


def header_of(text: str) -> list[str] | None:
    """The columns that a header names; None if the line is none."""
    names = cells_of(text.lstrip("\ufeff").rstrip())
    return names if names and names[:3] == FIRST and len(set(names)) == len(names) else None


def time_of(text: str) -> datetime | None:
    """A time as k6 writes it, in UTC: seconds or parts of them since 1970, or RFC 3339."""
    if _WHOLE.fullmatch(text):
        per_s = _per_s(int(text), int(text))
        return EPOCH + timedelta(microseconds=int(text) * 10**6 // per_s) if per_s else None
    match = _RFC3339.fullmatch(text)
    if not match:
        return None
    second, fraction, zone = match.groups()
    try:
        time = datetime.fromisoformat(second + zone.replace("Z", "+00:00")).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    time = time.replace(tzinfo=None, microsecond=int((fraction or "0").ljust(6, "0")[:6]))
    return time if FIRST_S <= (time - EPOCH).total_seconds() < END_S else None


def _per_s(least: int, most: int) -> int | None:
    """How many of the unit are a second, told by the size of the numbers."""
    return next((per for per in _PER_S if FIRST_S * per <= least <= most < END_S * per), None)


def row_of(given: dict[str, str], time: datetime, value: float) -> dict[str, Any]:
    """A row of the table; what is empty in the file is NULL."""
    row: dict[str, Any] = {KEPT[name]: cell or None for name, cell in given.items() if name in KEPT}
    row["expected_response"] = _FLAGS.get(given.get("expected_response", ""))
    return {**row, "value": value, "time_utc": time}


class Rows(QuotedRows):
    """The rows of a file as they come in."""

    def __init__(self, out: Reading) -> None:
        super().__init__(out)
        self.names: list[str] = []
        self.values = 0
        self.whole_seconds = True

    def _header(self, text: str) -> bool:
        names = header_of(text)
        self.names = names or self.names
        return names is not None

    def _row(self, text: str) -> dict[str, Any] | None:
        if (cells := cells_for(self.names, text)) is None:
            return None
        given = dict(zip(self.names, cells, strict=True))
        time, number = time_of(given["timestamp"].strip(" \t")), given["metric_value"].strip(" \t")
        value = float(number) if _NUMBER.fullmatch(number) else math.inf
        if time is None or not given["metric_name"] or abs(value) > LARGEST:
            return None
        return row_of(given, time, value)

    def _keep(self, line: int, lines: int, row: dict[str, Any]) -> None:
        self.out.record(SAMPLE.name, **row, line=line)
        self.out.used(lines)
        self.values += 1
        self.whole_seconds = self.whole_seconds and not row["time_utc"].microsecond

    def _many(self, line: int, block: bytes) -> bool:
        if not self.names or b'"' in block or b"0x" in block or len(block) >= 2**31:
            return False
        if len(block) >= LONGEST_LINE and max(map(len, block.split(b"\n"))) >= LONGEST_LINE:
            return False
        kinds = {name: _TEXT for name in self.names if name in KEPT}
        kinds |= {"timestamp": pa.int64(), "metric_value": pa.float64()}
        try:
            table = arrow_csv.read_csv(
                pa.BufferReader(block),
                arrow_csv.ReadOptions(
                    column_names=self.names, use_threads=False, block_size=len(block) + 1
                ),
                arrow_csv.ParseOptions(ignore_empty_lines=False),
                arrow_csv.ConvertOptions(
                    column_types=kinds, include_columns=list(kinds),
                    null_values=[""], strings_can_be_null=True,
                ),
            )  # fmt: skip
        except pa.ArrowInvalid:
            return False
        rows = table.num_rows
        columns = {KEPT[name]: table[name] for name in kinds if name in KEPT}
        times, values = table["timestamp"], table["metric_value"]
        if rows != line_count(block) or columns["metric"].null_count:
            return False
        if times.null_count or values.null_count:
            return False
        extent = pc.min_max(times).as_py()
        per_s = _per_s(extent["min"], extent["max"])
        if per_s is None or not pc.all(pc.less_equal(pc.abs(values), LARGEST)).as_py():
            return False
        in_us = pc.divide(times, per_s // 10**6) if per_s > 10**6 else pc.multiply(
            times, 10**6 // per_s)  # fmt: skip
        columns["time_utc"] = in_us.cast(pa.timestamp("us"))
        if (flags := columns.get("expected_response")) is not None:
            words = flags.cast(pa.string())
            known = pc.is_in(words, pa.array(list(_FLAGS)))
            columns["expected_response"] = pc.if_else(known, pc.equal(words, "true"), None)
        columns["line"] = pa.array(range(line, line + rows), pa.int64())
        self.out.block(SAMPLE.name, pa.table(columns))
        self.out.used(rows)
        self.values += rows
        self.whole_seconds = self.whole_seconds and per_s == 1
        return True


def recognise(head: Head) -> bool:
    """Whether the file begins with k6's header."""
    return header_of(head.first) is not None


def read(raw: RawFile, out: Reading) -> None:
    """Read the values of the file.

    Raises
    ------
    Refused
        If there is none.
    """
    rows = Rows(out)
    rows.read(raw)
    if not rows.values:
        raise Refused(
            "has k6's header, but no row could be read"
            if out.lines_not_understood
            else "has k6's header, and nothing else",
            "write it again by: k6 run --out csv=FILE SCRIPT",
            line=out.first_unknown,
        )
    not_kept = [name for name in rows.names if name not in (*KEPT, *FIRST)]
    if not_kept:
        out.remark(1, f"{len(not_kept)} columns are not kept: {', '.join(not_kept[:10])}")
    if rows.whole_seconds:
        out.remark(
            1,
            "times are cut to the second, k6's default: a request may lie in the interval before"
            " its own (K6_CSV_TIME_FORMAT=unix_milli keeps the milliseconds)",
        )
    if "expected_response" not in rows.names:
        out.remark(
            1, "there is no column expected_response: requests with an error code count as failed"
        )
