"""Cells of sadf's outputs: times, numbers, names of items, and the layouts of rows."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any, NamedTuple

import pyarrow.compute as pc

from studybook.formats.sar.activities import Layout, layout_of

Names = tuple[str, ...]

#: No counter of 64 bits is longer.
LARGEST = 1e20

#: Times of sysstat lie between these years; others are damage.
EARLIEST, LATEST = (
    int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000 for year in (1970, 2200)
)

#: A time as sadf prints it: UTC, without a zone (-t, -T), with one, or an epoch (-U).
STAMP = r"(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: [\w+-]{1,40})?|\d{9,10})"

_PARTS = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?: ([\w+-]{1,40}))?|(\d{9,10})", re.ASCII)
_NUMBER = re.compile(r"[-+]?[\d.,]{1,40}(?:[eE][-+]?\d{1,3})?", re.ASCII)

#: How items are named where they are not as in ``sar``: CPU -1 is all, interrupt -1 the sum.
_ALL = {"CPU": "all", "INTR": "sum"}


class Stamp(NamedTuple):
    """A time in microseconds, and whether it is UTC."""

    micros: int
    utc: bool

    def column(self) -> dict[str, datetime]:
        """The time in whole seconds, by the name of the column that it belongs to."""
        moment = datetime.fromtimestamp(self.micros // 1_000_000, UTC).replace(tzinfo=None)
        return {"time_utc" if self.utc else "time_local": moment}


@lru_cache(maxsize=4096)
def stamp(text: str) -> Stamp | None:
    """Read a time of sadf; None if it is none."""
    match = _PARTS.fullmatch(text)
    if not match:
        return None
    moment, zone, epoch = match.groups()
    if epoch:
        micros = int(epoch) * 1_000_000
    else:
        try:
            read = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        except ValueError:
            return None
        micros = int(read.timestamp()) * 1_000_000
    if not EARLIEST <= micros < LATEST:
        return None
    return Stamp(micros, bool(epoch) or zone == "UTC")


@lru_cache(maxsize=65536)
def number(text: str | None) -> float | None:
    """Read a value; None if it is not there.

    Raises
    ------
    ValueError
        If it is no number that sysstat can mean.
    """
    if text is None or text == "N/A":
        return None
    if not _NUMBER.fullmatch(text.strip()):
        raise ValueError(text)
    value = float(text.replace(",", "."))
    if not math.isfinite(value) or abs(value) >= LARGEST:
        raise ValueError(text)
    return value


def item_names(printed: str, items: Any) -> Any:
    """Name the items of a column as ``sar`` does; what is empty is missing."""
    whole = _ALL.get(printed, "-1")
    named = pc.if_else(pc.equal(items, "-1"), whole, items) if whole != "-1" else items
    return pc.if_else(pc.equal(named, ""), None, named)


@cache
def layout_for(names: Names) -> Layout | None:
    """How to read values with these names; None if no activity has a column for each."""
    layout = layout_of(names)
    return None if layout is None or layout.across else layout
