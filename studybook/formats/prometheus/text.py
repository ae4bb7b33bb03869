"""Metrics as exporters print them, and OpenMetrics; of one scrape or of several.

Seen: outputs of node_exporter of 2016 to 2024 (its own expected outputs) and of other exporters.
Documented: the grammar of both formats, names in UTF-8 within the braces, exemplars, timestamps (in
milliseconds; of OpenMetrics in seconds), ``# EOF``. Inferred: what ``promtool tsdb dump`` prints,
names among the labels.

Exporters print no time. That of a scrape is told by a line of its own in front of it (seconds since
1970, as of ``date +%s``, or ISO 8601 with its zone), else by the metric ``node_time_seconds``. A
scrape begins where such a line stands, behind ``# EOF``, or where a series comes a second time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime

from studybook.errors import Refused
from studybook.formats.contract import UNPLACED, Reading
from studybook.formats.line_reader import LineReader
from studybook.formats.prometheus.series import (
    SAMPLE,
    SCRAPE,
    VALUE,
    Targets,
    columns_of,
    counted,
    instant,
    plain,
    value_of,
)
from studybook.formats.raw import Head, RawFile

#: ``# EOF`` may have no line end. No value ends with this letter.
LAST_MARK = "F"

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]{0,400}+"
_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_LINE = re.compile(
    rf'({_NAME})?[ \t]*+(?:\{{((?:[^"{{}}]|{_QUOTED})*+)\}})?[ \t]*+({VALUE})'
    rf"(?:[ \t]++(-?\d{{1,16}}(?:\.\d{{1,9}})?(?:e\+?\d\d?)?))?[ \t]*+(#[ \t]*\{{.*)?$",
    re.ASCII,
)
_LABEL = re.compile(
    rf"[ \t]*+(?:([a-zA-Z_][\w.]{{0,200}}|{_QUOTED})[ \t]*=[ \t]*)?({_QUOTED})[ \t]*"
)
_TYPE = re.compile(rf"# TYPE ({_NAME}|{_QUOTED}) ([a-z]{{3,20}})$", re.ASCII)
_KINDS = frozenset(
    ("counter", "gauge", "histogram", "summary", "untyped", "unknown", "info", "stateset",
     "gaugehistogram")
)  # fmt: skip
_SECONDS = re.compile(r"(?:# ?)?(\d{10}(?:\.\d{1,9})?)$", re.ASCII)
_ISO = re.compile(
    r"(?:# ?)?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$", re.ASCII
)

#: Times of the host, among its metrics.
_CLOCKS = ("node_time_seconds", "node_time")

#: A time of more is in milliseconds.
_MOST_SECONDS = 5e9
#: Lines that are looked at, and how many of them must be samples where no type is told.
_LINES, _SHARE = 300, 0.9
#: Series of a scrape by which the next one is told; no more are remembered.
_MOST_SERIES = 200_000

_HOW = "while sleep 10; do date +%s; curl -s HOST:9100/metrics; done > FILE"


def recognise(head: Head) -> bool:
    """Whether a type of a metric is told, or nearly all lines are samples with labels."""
    lines = [line.strip() for line in head.lines[:_LINES] if line.strip()]
    if any(line.startswith("# TYPE ") and _kind(line) for line in lines):
        return True
    others = [line for line in lines if not line.startswith("#")][: _LINES // 3]
    found = [line for line in others if "{" in line and len(line) < 10_000 and _LINE.match(line)]
    return len(found) > _SHARE * len(others) and any(_labels(*_parts(line)) for line in found)


def read(raw: RawFile, out: Reading) -> None:
    """Read every scrape.

    Raises
    ------
    Refused
        If there is no sample.
    """
    reader = _Reader(out)
    reader.read(raw, longest=20_000)
    if not out.rows.get(SAMPLE):
        raise Refused("has no sample of a metric", f"record it again: {_HOW}")
    reader.tell()


def _kind(line: str) -> tuple[str, str] | None:
    """The name of a metric and its kind, where a line says it."""
    match = _TYPE.match(line)
    return (match[1].strip('"'), match[2]) if match and match[2] in _KINDS else None


def _parts(line: str) -> tuple[str | None, str | None]:
    match = _LINE.match(line)
    return (match[1], match[2]) if match else (None, None)


def _labels(name: str | None, body: str | None) -> dict[str, str] | None:
    """The labels of a series, with its name; None if they are none."""
    found = {"__name__": name} if name else {}
    rest = (body or "").strip()
    place = 0
    while place < len(rest):
        match = _LABEL.match(rest, place)
        if not match:
            return None
        label = plain(match[1].strip('"')) if match[1] else "__name__"
        if label in found:
            return None
        found[label] = plain(match[2][1:-1])
        place = match.end()
        if place < len(rest):
            if rest[place] != ",":
                return None
            place += 1
    return found or None


@dataclass
class _Reader(LineReader):
    scrape: int = 0
    first: int = 0  # line of the first sample of the scrape
    seen: set[tuple[str | None, str]] = field(default_factory=set)
    told: datetime | None = None  # by a line in front of the scrape
    clock: datetime | None = None  # among its metrics
    untimed: int = 0  # samples of the scrape without a time of their own
    family: str = ""
    kind: str | None = None
    ended: bool = True
    is_open: bool = False  # whether it is known to be OpenMetrics
    without: int = 0  # scrapes whose time is not known
    no_numbers: int = 0
    targets: Targets = field(default_factory=Targets)

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if found := _kind(text):
            self.family, self.kind = found
            self.is_open |= found[1] in ("unknown", "info", "stateset", "gaugehistogram")
            return False
        if (when := _instant(text)) is not None:
            self._close()
            self.told, self.first = when, line
            return True
        if text.startswith("#"):
            if text == "# EOF":
                self._close()
                self.ended = True
            self.is_open |= text.startswith("# UNIT ")
            return False
        return self._sample(line, text)

    def _sample(self, line: int, text: str) -> bool | None:
        match = _LINE.match(text)
        labels = _labels(match[1], match[2]) if match else None
        series = columns_of(labels) if labels else None
        value = value_of(match[3]) if match else None
        if match is None or series is None or value is None:
            return None
        when = None
        if match[4]:
            seconds = float(match[4])
            when = instant(seconds if abs(seconds) < _MOST_SECONDS else seconds / 1000)
            if when is None:
                return None
        metric = series["metric"]
        if when is None:
            key = (metric, series["labels"])
            if key in self.seen:
                self._close()
            if len(self.seen) < _MOST_SERIES:
                self.seen.add(key)
            self.untimed += 1
            if metric in _CLOCKS and value["value"] is not None:
                self.clock = instant(value["value"])
        self.first = self.first or line
        self.ended = False
        self.no_numbers += value["value"] is None
        self.targets.see(series, line)
        series["kind"] = self.kind if self._is_of_family(metric or "") else None
        value["value"] = counted(self.out, series, value["value"], line)
        self.out.record(SAMPLE, scrape_no=self.scrape, time_utc=when, line=line, **series, **value)
        return True

    def _is_of_family(self, metric: str) -> bool:
        """Whether a sample is of the metric whose type was told last: its name may go on."""
        return bool(self.family) and (metric + "_").startswith(self.family + "_")

    def _close(self) -> None:
        """End the scrape."""
        if not self.first:
            return
        when = self.told or self.clock
        known = "a line in front" if self.told else "a metric" if self.clock else None
        interval = self.out.hints.interval_s
        self.out.record(
            SCRAPE, scrape_no=self.scrape, time_utc=when, time_known=known, interval_s=interval,
            line=self.first,
        )  # fmt: skip
        self.without += bool(self.untimed) and when is None
        self.scrape += 1
        self.first, self.untimed, self.told, self.clock, self.seen = 0, 0, None, None, set()

    def tell(self) -> None:
        """Say what the file leaves open."""
        out = self.out
        self.targets.tell(out)
        if self.without and out.hints.interval_s is None:
            out.remark(
                1,
                f"{self.without} scrapes have no time: {UNPLACED}, until interval_s at"
                " the file's entry in run.yml says how many seconds they are apart; a line of"
                " `date +%s` in front of each tells their time",
            )
        elif self.without:
            out.remark_placed(1, "scrapes")
        if self.is_open and not self.ended:
            out.remark(1, "there is no # EOF at the end: the file is cut")
        if self.no_numbers:
            out.remark(1, f"{self.no_numbers} samples are NaN or infinite: kept without a value")


def _instant(text: str) -> datetime | None:
    """The moment that a line of its own tells; None if it tells none."""
    if match := _SECONDS.match(text):
        return instant(float(match[1]))
    if not _ISO.match(text):
        return None
    try:
        when = datetime.fromisoformat(text.lstrip("# ").replace(",", "."))
        return when.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None
