"""Metrics of Performance Co-Pilot (PCP), a row for each sample, a column for each value.

Seen: outputs of ``pmrep -o csv`` in the documentation of Red Hat and in tests of programs that
read them. From the sources of both tools: headings, with ``-X`` of pmrep as comments and
``--extcsv``; ``metric-instance`` of pmrep, ``metric["instance"]`` of pmdumptext; ``?`` and empty
cells where there is no value; the row of units of ``pmdumptext -u``. Times are those of ``-f``:
dates with the time of day, seconds since 1970, or what pmdumptext prints unless asked, which has no
year. ``pmdumptext -i`` is for people: it cuts names, and is not read.

Counters are printed as rates unless raw values were asked for (``-r``); nothing says which. pmrep
prints no units: those of the metric, unless others were asked for (``-b``, ``-B``).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from studybook.errors import Refused
from studybook.formats.clock import was_set_back
from studybook.formats.contract import Reading, tables
from studybook.formats.line_reader import LineReader
from studybook.formats.quoted_rows import END_S, EPOCH, FIRST_S, cells_of
from studybook.formats.raw import Head, RawFile

TABLES = tables(
    """
pcp_report: one output, from its heading on
    tool VARCHAR, host VARCHAR, zone VARCHAR, line BIGINT

pcp_value: one value of a metric
    sample_no BIGINT, time_local TIMESTAMP, time_utc TIMESTAMP, set_back BOOLEAN,
    metric VARCHAR,
    -- Of which of several: a disk, a processor. NULL of a metric that has one value.
    instance VARCHAR,
    -- As printed; NULL where it is not.
    unit VARCHAR, value DOUBLE,
    -- Where the value is no number.
    text VARCHAR, line BIGINT
""",
    first="report_no INTEGER",
)

_METRIC = r"[A-Za-z]\w{0,60}(?:\.\w{1,60}){1,12}"
_BEGINS = re.compile(rf'(?:Host(.)Interval\1)?Time([,;|: \t])"?(?:[^"{{}}]{{0,80}}[:/])?{_METRIC}')
#: pmrep has the instance behind a hyphen, pmdumptext in brackets, and the source in front.
_PMREP = re.compile(rf"({_METRIC})(?:-(.{{0,300}}))?", re.ASCII)
_PMDUMPTEXT = re.compile(
    rf'(?:([^\s\[\]]{{1,200}})[:/])?({_METRIC})(?:\["?([^\]]{{0,300}}?)"?\])?', re.ASCII
)
_COMMENT = re.compile(r"#\s*(?:(archive|host|timezone|start|end|metrics|samples|interval|duration)"
                      r"\s*:\s*(.{0,300}))?$")  # fmt: skip
_NUMBER = re.compile(r"[+-]?\d{1,25}(?:\.\d{0,25})?(?:[eE][+-]?\d{1,3})?", re.ASCII)
#: A number with a decimal comma, or a list such as of processors: nothing says which of the two.
_WITH_COMMA = re.compile(r"[+-]?\d{1,25},\d{1,25}", re.ASCII)
_NONE = frozenset(("", "?", "N/A", "NaN", "nan", "inf", "-inf"))

#: Metrics of what is counted, and the most of these: less than what is left of 2**64 where a
#: counter fell, divided by the seconds of an interval of minutes.
_COUNTED = re.compile(r"(?:disk|filesys|hinv|kernel|mem|network|nfs|proc|swap|swapdev|vfs|xfs)\.")
_BOUNDS = (0.0, 1e17)

_DATED = re.compile(
    r"(\d{4}-\d\d-\d\d)[ T_](\d\d:\d\d:\d\d(?:\.\d{1,6})?)(?: ?(Z|UTC|GMT|[+-]\d\d:?\d\d))?", re.A
)
_OFFSET = re.compile(r" UTC([+-]\d{1,2})(?::?(\d\d))?$", re.A)
_EPOCH = re.compile(r"\d{10}(?:\.\d{1,6})?", re.A)
_CTIME = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d)(?: (\d{4}))?", re.A)
_LINES_BEFORE = 40

_HOW = "pmrep -o csv -f '%Y-%m-%d %H:%M:%S' …"


def recognise(head: Head) -> bool:
    """Whether there is a heading with names of metrics, behind comments at most."""
    for line in [line for line in head.lines if line.strip()][:_LINES_BEFORE]:
        if _BEGINS.match(line):
            return _columns(line) is not None
        if not _COMMENT.match(line.strip()):
            return False
    return False


def read(raw: RawFile, out: Reading) -> None:
    """Read every output in the file.

    Raises
    ------
    Refused
        If no row has a time with its date.
    """
    reader = _Reader(out)
    reader.read(raw)
    if not reader.rows:
        raise Refused(
            "has a heading of PCP, and no row with a date and a time"
            if reader.wrong_time is None
            else f"has times without a date that is known: {reader.wrong_time!r}",
            f"print it again with dates: {_HOW}",
            line=out.first_unknown,
        )
    reader.tell()


@dataclass(frozen=True)
class _Columns:
    """The columns of an output."""

    tool: str
    delimiter: str
    extended: bool  # whether host and interval stand in front
    source: str | None
    metrics: list[tuple[str, str | None]]


def _columns(line: str) -> _Columns | None:
    """Take the columns from a heading; None if it is none."""
    match = _BEGINS.match(line)
    if not match:
        return None
    delimiter, extended = match[2], match[1] is not None
    cells = cells_of(line.strip("\r\n "), delimiter)
    if cells is None or len(cells) > 20_000 or (extended and match[1] != delimiter):
        return None
    cells = cells[3 if extended else 1 :]
    quoted = '"' in line and not re.search(r'\["', line)
    found: list[tuple[str, str | None]] = []
    sources: set[str | None] = set()
    for cell in cells:
        name = cell.strip()
        if quoted and (each := _PMREP.fullmatch(name)):
            found.append((each[1], each[2] or None))
        elif not quoted and (each := _PMDUMPTEXT.fullmatch(name)):
            sources.add(each[1])
            found.append((each[2], each[3] or None))
        else:
            return None
    if not found or len(sources) > 1:
        return None
    source = next(iter(sources), None)
    return _Columns(
        "pmrep" if quoted else "pmdumptext", delimiter, extended,
        source if source and "/" not in source else None, found,
    )  # fmt: skip


@dataclass
class _Reader(LineReader):
    columns: _Columns | None = None
    units: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)  # from comments
    report: int = -1
    is_told: bool = False  # whether the report was recorded
    sample: int = 0
    last: datetime | None = None
    back: bool = False
    rows: int = 0
    wrong_time: str | None = None
    of_bytes: int = 0
    with_comma: tuple[int, str] | None = None
    line: int = 0

    def _take(self, line: int, text: str) -> bool | None:
        if not text.strip():
            return False
        if _BEGINS.match(text):
            return self._heading(line, text)
        if match := _COMMENT.match(text.strip()):
            if match[1]:
                self.facts[match[1]] = match[2].strip()
            return False
        if (columns := self.columns) is None:
            return None
        cells = cells_of(text.rstrip("\r\n"), columns.delimiter)
        before = 3 if columns.extended else 1
        if cells is None or len(cells) != before + len(columns.metrics):
            return None
        if cells[0].strip() == "none" and not self.sample:
            self.units = [cell.strip()[:40] for cell in cells[1:]]
            return False
        return self._row(line, columns, cells[:before], cells[before:])

    def _close(self) -> None:
        """Nothing is kept back."""

    def _heading(self, line: int, text: str) -> bool | None:
        columns = _columns(text)
        if columns is None:
            self.columns = None
            return None
        self.columns, self.units, self.is_told = columns, [], False
        self.report += 1
        self.sample, self.last, self.back = 0, None, False
        self.line = line
        return True

    def _row(self, line: int, columns: _Columns, front: list[str], cells: list[str]) -> bool | None:
        stamp = self._stamp(front[-1].strip())
        if stamp is None:
            self.wrong_time = self.wrong_time or front[-1].strip()[:60]
            return None
        values = [_value(cell.strip()) for cell in cells]
        if any(value is None for value in values):
            return None
        if not self.is_told:
            host = front[0].strip() if len(front) > 1 else self.facts.get("host")
            self.out.record(
                "pcp_report", report_no=self.report, tool=columns.tool,
                host=(host or columns.source or "")[:200] or None,
                zone=self.facts.get("timezone"), line=self.line,
            )  # fmt: skip
            self.is_told, self.facts = True, {}
        if "time_local" in stamp:
            since = stamp["time_local"] - (self.last or stamp["time_local"])
            self.back |= was_set_back(since)
            self.last = stamp["time_local"]
        units = self.units or [""] * len(values)
        for (metric, instance), unit, value in zip(columns.metrics, units, values, strict=True):
            if value:
                if "value" in value and _COUNTED.match(metric):
                    value["value"] = self.out.within(metric, value["value"], line, _BOUNDS)
                if _WITH_COMMA.fullmatch(value.get("text", "")):
                    self.with_comma = self.with_comma or (line, value["text"])
                self.out.record(
                    "pcp_value", report_no=self.report, sample_no=self.sample, metric=metric,
                    instance=instance, unit=unit or None, set_back=self.back or None, line=line,
                    **stamp, **value,
                )  # fmt: skip
        if not self.units:
            self.of_bytes += any(
                metric.startswith("mem.") or metric.endswith("bytes")
                for metric, _ in columns.metrics
            )
        self.sample += 1
        self.rows += 1
        return True

    def _stamp(self, printed: str) -> dict[str, datetime] | None:
        """The time of a row; None if the text is none."""
        try:
            if _EPOCH.fullmatch(printed):
                seconds = float(printed)
                if not FIRST_S <= seconds < END_S:
                    return None
                return {"time_utc": EPOCH + timedelta(microseconds=round(seconds * 1e6))}
            if match := _CTIME.fullmatch(printed):
                start = self.out.hints.start
                year = match[4] or (str(start.year) if start else None)
                if year is None:
                    return None
                text = f"{match[1]} {match[2].strip()} {year} {match[3]}"
                return {"time_local": datetime.strptime(text, "%b %d %Y %H:%M:%S")}
            if behind := _OFFSET.search(printed):
                hours, minutes = int(behind[1]), int(behind[2] or 0)
                offset = timezone(
                    timedelta(hours=hours, minutes=math.copysign(minutes, hours or 1))
                )
                when = datetime.fromisoformat(printed[: behind.start()]).replace(tzinfo=offset)
                return {"time_utc": when.astimezone(UTC).replace(tzinfo=None)}
            match = _DATED.fullmatch(printed)
            if not match:
                return None
            if match[3] is None:
                return {"time_local": datetime.fromisoformat(f"{match[1]}T{match[2]}")}
            behind_it = match[3] if match[3][0] in "+-" else "+00:00"
            when = datetime.fromisoformat(f"{match[1]}T{match[2]}{behind_it}")
            return {"time_utc": when.astimezone(UTC).replace(tzinfo=None)}
        except (ValueError, OverflowError):
            return None

    def tell(self) -> None:
        """Say what the file leaves open."""
        if self.with_comma:
            line, text = self.with_comma
            self.out.remark(
                line,
                f"{text!r} may be a number with a decimal comma: such values are kept as text, and"
                " count in no figure; print them again with LC_ALL=C",
            )
        if self.of_bytes:
            self.out.remark(
                1,
                "no units are printed: bytes are taken to be in the units of the metric, which is"
                " wrong if -b or -B asked for others (pmdumptext -u prints them)",
            )


def _value(cell: str) -> dict[str, Any] | None:
    """The columns of a cell; none of an empty one, None if it is neither number nor text."""
    if cell in _NONE:
        return {}
    if _NUMBER.fullmatch(cell):
        value = float(cell)
        return {"value": value} if math.isfinite(value) else None
    plain = cell.strip('"')
    return {"text": plain[:400]} if plain.isprintable() and len(plain) <= 4000 else None
