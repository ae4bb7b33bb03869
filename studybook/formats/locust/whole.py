"""What Locust writes of a whole run: statistics of each request, failures and exceptions.

``NAME_stats.csv``, ``NAME_failures.csv`` and ``NAME_exceptions.csv`` lie beside the history of
``locust --csv NAME``. They have no times. Columns are those of ``StatsCSV`` in ``locust/stats.py``.
"""

from __future__ import annotations

from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Certainty, Format, Reading, Table, tables
from studybook.formats.locust.reader import NONE, PERCENTILES, WHOLE, number_of
from studybook.formats.names import pairs
from studybook.formats.quoted_rows import QuotedRows, cells_for, cells_of
from studybook.formats.raw import Head, RawFile

TOTAL, FAILURE, EXCEPTION = tables("""
locust_total: one kind of request over the whole run, or all of them together
    method VARCHAR, name VARCHAR,
    -- Of all requests together, which Locust calls Aggregated.
    is_total BOOLEAN,
    requests BIGINT, failures BIGINT,
    median_ms DOUBLE, mean_ms DOUBLE, min_ms DOUBLE, max_ms DOUBLE,
    -- Of the content, without headers.
    mean_bytes DOUBLE,
    -- From the first request to the last.
    requests_per_s DOUBLE, failures_per_s DOUBLE,
    -- Locust rounds response times: from 100 ms on, two digits are left.
    p50_ms DOUBLE, p66_ms DOUBLE, p75_ms DOUBLE, p80_ms DOUBLE, p90_ms DOUBLE, p95_ms DOUBLE, p98_ms
    DOUBLE, p99_ms DOUBLE, p99_9_ms DOUBLE, p99_99_ms DOUBLE, p100_ms DOUBLE, line BIGINT

locust_failure: one way in which requests of a name failed
    method VARCHAR, name VARCHAR, error VARCHAR, occurrences BIGINT, line BIGINT

locust_exception: an exception in the users' own code
    occurrences BIGINT, message VARCHAR, traceback VARCHAR,
    -- The workers on which it was raised.
    nodes VARCHAR, line BIGINT
""")

#: What each column is kept as; a header begins with the first of them.
_COLUMNS = {
    TOTAL.name: pairs("""
        Type=method; Name=name; Request Count=requests; Failure Count=failures;
        Median Response Time=median_ms; Average Response Time=mean_ms; Min Response Time=min_ms;
        Max Response Time=max_ms; Average Content Size=mean_bytes; Requests/s=requests_per_s;
        Failures/s=failures_per_s
    """) | PERCENTILES,
    FAILURE.name: pairs("Method=method; Name=name; Error=error; Occurrences=occurrences"),
    EXCEPTION.name: pairs(
        "Count=occurrences; Message=message; Traceback=traceback; Nodes=nodes"
    ),
}  # fmt: skip
_STARTS = {table: [*columns][:6] for table, columns in _COLUMNS.items()}
_TEXT = {"method", "name", "error", "message", "traceback", "nodes"}
_COUNTS = {"requests", "failures", "occurrences"}


class _Rows(QuotedRows):
    """The rows of a file below its header."""

    def __init__(self, out: Reading, table: str) -> None:
        super().__init__(out)
        self.table = table
        self.names: list[str] = []
        self.rows = self.totals = 0

    def _many(self, line: int, block: bytes) -> bool:
        return False  # there is one row for each kind of request, and no more

    def _header(self, text: str) -> bool:
        names = _header(text, self.table)
        self.names = names or self.names
        return names is not None

    def _row(self, text: str) -> dict[str, Any] | None:
        if (cells := cells_for(self.names, text)) is None:
            return None
        row: dict[str, Any] = {}
        for name, cell in zip(self.names, cells, strict=True):
            column = _COLUMNS[self.table].get(name)
            if column in _TEXT:
                row[column] = cell or None
            elif column in _COUNTS:
                if not WHOLE.fullmatch(cell):
                    return None
                row[column] = int(cell)
            elif column and cell not in NONE:
                if (value := number_of(cell)) is None:
                    return None
                row[column] = value
        if self.table == TOTAL.name:
            row["is_total"] = row["method"] is None and row["name"] == "Aggregated"
        return row

    def _keep(self, line: int, lines: int, row: dict[str, Any]) -> None:
        self.out.record(self.table, **row, line=line)
        self.out.used(lines)
        self.rows += 1
        self.totals += row.get("is_total", False)


def _header(text: str, table: str) -> list[str] | None:
    names, start = cells_of(text.lstrip("\ufeff").rstrip()), _STARTS[table]
    return names if names and names[: len(start)] == start else None


def _format(name: str, title: str, table: Table, certainty: Certainty) -> Format:
    """A format of one table, told by its header."""

    def recognise(head: Head) -> bool:
        return _header(head.first, table.name) is not None

    def read(raw: RawFile, out: Reading) -> None:
        rows = _Rows(out, table.name)
        rows.read(raw)
        if table == TOTAL and not rows.rows:
            raise Refused(
                "has the header of Locust's statistics, but no row could be read",
                "run the test again by: locust --headless --csv NAME",
                line=out.first_unknown,
            )
        if table == TOTAL and rows.totals != 1:
            out.remark(1, f"{rows.totals} rows of all requests together, where one is usual")

    return Format(name, title, "locust", (table,), recognise, read, certainty)


FORMATS = [
    _format("locust-stats", "Locust results of the whole run (_stats.csv)", TOTAL, "seen"),
    _format("locust-failures", "failures of Locust (_failures.csv)", FAILURE, "seen"),
    _format("locust-exceptions", "exceptions of Locust (_exceptions.csv)", EXCEPTION, "documented"),
]
