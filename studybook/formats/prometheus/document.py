"""Answers of Prometheus to ``query`` and ``query_range``, as JSON.

Seen: answers of the interface ``/api/v1`` with ``matrix`` and ``vector``, in one line and in many.
Documented: ``scalar``, errors and warnings. Inferred: the list that ``promtool query … -o json``
prints, and series of their own, as ``jq -c '.data.result[]'`` makes them.

The result of an expression, such as a rate, has no name: it is kept, but no model knows what it is.
"""

from __future__ import annotations

import re
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.json_documents import Document, documents, members, number, text
from studybook.formats.prometheus.series import (
    SAMPLE,
    SCRAPE,
    Targets,
    columns_of,
    counted,
    instant,
    value_of,
)
from studybook.formats.raw import Head, RawFile

_RESULT = re.compile(r'"resultType"\s*:\s*"(?:matrix|vector|scalar)"')
_ERROR = re.compile(r'\s*\{\s*"status"\s*:\s*"error"\s*,\s*"errorType"')
_SERIES = re.compile(
    r'[\[{\s]*"metric"\s*:\s*\{(?:[^"{}]|"(?:[^"\\]|\\.)*+")*+\}\s*,\s*"values?"\s*:\s*\['
)

_HOW = "a query for the metric itself, without rate(), and with start, end and step: query_range"
_IN_LINES = "write a series per line: jq -c '.data.result[]' FILE > NEW"


def recognise(head: Head) -> bool:
    """Whether the file begins as an answer of Prometheus, or as a series of one."""
    start = head.text[:4_000]
    return start.lstrip()[:1] in ("{", "[") and bool(
        _RESULT.search(start) or _ERROR.match(start) or _SERIES.match(start)
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read every answer in the file.

    Raises
    ------
    Refused
        If no answer has a sample; says what the server answered, where that is an error.
    """
    reader = _Reader(out)
    for each in documents(raw, out, "Prometheus"):
        reader.take(each)
    if not out.rows.get(SAMPLE):
        if raw.has_cut_lines:
            raise Refused("has a line of more than 1 MiB", _IN_LINES)
        if reader.error:
            raise Refused(f"is an error of Prometheus: {reader.error}", f"ask again: {_HOW}")
        raise Refused("has no sample", f"ask again for a time in which there are some: {_HOW}")
    if raw.has_cut_lines:
        out.remark(1, f"lines of more than 1 MiB are not read: {_IN_LINES}")
    reader.tell()


class _Reader:
    def __init__(self, out: Reading) -> None:
        self.out = out
        self.answers = 0
        self.targets = Targets()
        self.error: str | None = None
        self.nameless = self.wrong = self.no_numbers = 0

    def take(self, document: Document) -> None:
        """Read one answer, or account for its lines as not understood."""
        value = document.value
        if isinstance(value, dict) and "metric" in value:
            series: list[Any] = [value]
        elif isinstance(value, dict):
            if value.get("status") == "error":
                self.error = text(value.get("error")) or "without a text"
                self.out.remark(document.line, f"an error of Prometheus: {self.error}")
            warnings = value.get("warnings")
            for warning in warnings if isinstance(warnings, list) else []:
                self.out.remark(document.line, f"Prometheus warns: {text(warning)}")
            data = members(value.get("data")) or value
            result = data.get("result")
            if data.get("resultType") == "scalar":
                result = [{"metric": {}, "value": result}]
            series = result if isinstance(result, list) else []
        else:
            series = value if isinstance(value, list) else []
        before = self.out.rows.get(SAMPLE, 0)
        for each in series:
            self._series(members(each), document.line)
        if self.out.rows.get(SAMPLE, 0) == before:
            self.out.unknown(document.line, "an answer without samples")
            for line in range(document.line + 1, document.line + document.lines):
                self.out.unknown(line, "")
            return
        self.out.record(
            SCRAPE, scrape_no=self.answers, interval_s=None, time_known="the samples",
            line=document.line,
        )  # fmt: skip
        self.answers += 1
        self.out.used(document.lines)

    def _series(self, found: dict[str, Any], line: int) -> None:
        labels = {
            name: kept
            for name, value in members(found.get("metric")).items()
            if (kept := text(value)) is not None
        }
        series = columns_of(labels)
        points = found.get("values")
        points = points if isinstance(points, list) else [found.get("value")]
        if series is None:
            self.wrong += len(points)
            return
        self.targets.see(series, line)
        for point in points:
            row = _point(point)
            if row is None:
                self.wrong += 1
                continue
            self.nameless += series["metric"] is None
            self.no_numbers += row["value"] is None
            row["value"] = counted(self.out, series, row["value"], line)
            self.out.record(SAMPLE, scrape_no=self.answers, line=line, **series, **row)

    def tell(self) -> None:
        """Say what is missing, and what has no name."""
        self.targets.tell(self.out)
        if self.wrong:
            self.out.remark(1, f"{self.wrong} samples without a time or a value are left out")
        if self.no_numbers:
            self.out.remark(1, f"{self.no_numbers} samples are NaN or infinite: without a value")
        if self.nameless:
            self.out.remark(
                1,
                f"{self.nameless} samples are of expressions, and have no name: they are kept, and"
                f" no model knows what they are; ask for {_HOW}",
            )


def _point(point: Any) -> dict[str, Any] | None:
    """The columns of an instant and its value; None if they are none."""
    if not isinstance(point, list) or len(point) != 2 or not isinstance(point[1], str):
        return None
    seconds = number(point[0])
    when = instant(seconds) if seconds is not None else None
    value = value_of(point[1])
    return {"time_utc": when, **value} if when and value else None
