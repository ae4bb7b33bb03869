"""Samples of Prometheus: series with their labels, values and times."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from studybook.formats.contract import Reading, most_of, tables
from studybook.formats.quoted_rows import END_S, EPOCH, FIRST_S

TABLES = tables("""
prometheus_scrape: one answer: of an exporter, or of the server to one query
    scrape_no BIGINT, time_utc TIMESTAMP,
    -- From where the time is known, where the samples have none of their own.
    time_known VARCHAR, interval_s DOUBLE, line BIGINT

prometheus_target: one target that the file speaks of
    -- NULL of an exporter that was asked itself.
    instance VARCHAR,
    -- The name that it gives itself, else its address without the port.
    host VARCHAR, line BIGINT

prometheus_sample: the value of one series at one instant
    scrape_no BIGINT, time_utc TIMESTAMP,
    -- NULL of the result of an expression, which has no name.
    metric VARCHAR,
    -- counter, gauge, …, where the file says it.
    kind VARCHAR,
    -- Labels that say of what the value is; and all of them, in alphabetical order.
    instance VARCHAR, job VARCHAR, nodename VARCHAR, cpu VARCHAR, mode VARCHAR, device VARCHAR,
    labels VARCHAR,
    -- NULL where it is no number: printed then says what stands there.
    value DOUBLE, printed VARCHAR, line BIGINT
""")
SCRAPE, TARGET, SAMPLE = (table.name for table in TABLES)

#: A value, as Go prints it; and what is none.
VALUE = r"[+-]?(?:\d{1,25}(?:\.\d{0,25})?|\.\d{1,25})(?:[eE][+-]?\d{1,3})?|[+-]?[Ii]nf|NaN"

_KEPT = ("instance", "job", "nodename", "cpu", "mode", "device")
_ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}
_LONGEST = 2_000
#: Names of what is counted, by their ends or as node_exporter has them. Others may be below 0, or
#: tell of no limit by all bits.
_COUNTED = re.compile(
    r".*_(?:total|count|bucket)|node_(?:load|memory|procs|vmstat)\w*|node_\w+_bytes", re.ASCII
)
#: Targets of one file that are remembered.
_MOST_TARGETS = 10_000


def columns_of(labels: Mapping[str, str]) -> dict[str, Any] | None:
    """The columns that say of which series a sample is; None if its labels are too long.

    The name is among the labels, as ``__name__``.
    """
    others = sorted((name, value) for name, value in labels.items() if name != "__name__")
    listed = ",".join(f"{name}={_quoted(value)}" for name, value in others)
    if len(listed) > _LONGEST or len(labels.get("__name__", "")) > _LONGEST:
        return None
    kept = {name: labels[name] for name in _KEPT if name in labels}
    return {"metric": labels.get("__name__"), "labels": listed, **kept}


def value_of(printed: str) -> dict[str, Any] | None:
    """The columns of a value; None if the text is none."""
    if not re.fullmatch(VALUE, printed, re.ASCII):
        return None
    value = float(printed)
    return {"value": value} if math.isfinite(value) else {"value": None, "printed": printed}


def instant(seconds: float) -> datetime | None:
    """The moment of so many seconds since 1970; None outside of the years that a run can be of."""
    if not FIRST_S <= seconds < END_S:
        return None
    return EPOCH + timedelta(microseconds=round(seconds * 1e6))


def _quoted(value: str) -> str:
    for escaped, plain in _ESCAPES.items():
        value = value.replace(plain, escaped)
    return f'"{value}"'


def plain(quoted: str) -> str:
    """The text of a label's value as it stands between quotes."""
    return re.sub(r'\\[\\"n]', lambda each: _ESCAPES[each[0]], quoted)


@dataclass
class Targets:
    """The targets that a file speaks of, as they come in."""

    hosts: dict[str | None, tuple[str | None, int]] = field(default_factory=dict)

    def see(self, series: Mapping[str, Any], line: int) -> None:
        """Take in a series."""
        instance = series.get("instance")
        named = series.get("nodename") if series["metric"] == "node_uname_info" else None
        if (instance in self.hosts and not named) or len(self.hosts) > _MOST_TARGETS:
            return
        address = re.sub(r":\d{1,5}$", "", instance) if instance else None
        self.hosts[instance] = (named or address or None, line)

    def tell(self, out: Reading) -> None:
        """Record those whose host is known."""
        for instance, (host, line) in self.hosts.items():
            if host:
                out.record(TARGET, instance=instance, host=host, line=line)


def counted(
    out: Reading, series: Mapping[str, Any], value: float | None, line: int
) -> float | None:
    """A value, or None where what is counted cannot have it: below 0, or what is left of 2**64."""
    metric = series["metric"] or ""
    if series.get("kind") != "counter" and not _COUNTED.fullmatch(metric):
        return value
    most = most_of("_s" if metric.endswith("_seconds_total") else "")
    return out.within(metric, value, line, (0.0, most))
