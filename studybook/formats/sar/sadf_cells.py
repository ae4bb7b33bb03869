"""Cells of sadf's outputs, one by one and in columns: times, numbers, names of items, layouts."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from studybook.formats.contract import KEPT_NAMES
from studybook.formats.sar.activities import Layout, layout_of
from studybook.formats.sar.digits import Flags, Floats

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


@lru_cache(KEPT_NAMES)
def layout_for(names: Names) -> Layout | None:
    """How to read values with these names; None if no activity has a column for each."""
    layout = layout_of(names)
    return None if layout is None or layout.across else layout


def adds_up(values: Floats) -> Flags:
    """Whether the first value of each row is the sum of the others, as printed."""
    width = values.shape[1]
    if width == 1:
        return np.ones(len(values), bool)
    return np.asarray(np.abs(values[:, 0] - values[:, 1:].sum(axis=1)) <= 0.01 * width)


def read_table(rows: bytes, names: list[str], layout: Layout, *, matrix: bool) -> pa.Table | None:
    """Decode rows with these columns behind host, interval and time; None if some do not fit."""
    text = {names[layout.item]} if layout.item is not None else set()
    if not matrix:
        text |= {names[place] for place, column in layout.columns if column.text}
    kinds: dict[str, pa.DataType] = {
        "hostname": pa.string(), "interval": pa.int64(), "timestamp": pa.string()
    }  # fmt: skip
    kinds |= {name: pa.string() if name in text else pa.float64() for name in names}
    try:
        # Faster for small stretches than read_csv, and as fast for large ones.
        return csv.open_csv(
            pa.BufferReader(rows),
            csv.ReadOptions(column_names=list(kinds), use_threads=False, block_size=len(rows) + 1),
            csv.ParseOptions(delimiter=";", quote_char=False, ignore_empty_lines=False),
            csv.ConvertOptions(
                column_types=kinds, null_values=["N/A"], strings_can_be_null=False,
                decimal_point="," if b"," in rows else ".",
            ),
        ).read_all()  # fmt: skip
    except pa.ArrowInvalid:
        return None


def common_columns(table: pa.Table, line: int) -> dict[str, Any] | None:
    """The columns that all tables have, with times that are UTC or local; None if in doubt."""
    stamps = table["timestamp"]
    lengths = pc.min_max(pc.utf8_length(stamps)).as_py()
    try:
        epoch = lengths["min"] >= 9 and lengths["max"] <= 10
        if epoch:
            times = pc.cast(stamps, pa.int64()).cast(pa.timestamp("s"))
            zones = ["UTC"]
        else:
            times = pc.cast(pc.utf8_slice_codeunits(stamps, 0, 19), pa.timestamp("s"))
            zones = pc.utf8_slice_codeunits(stamps, 19, 60).unique().to_pylist()
    except pa.ArrowInvalid:
        return None
    if len(zones) != 1 or (not epoch and lengths["min"] < 19):
        return None
    times = times.cast(pa.timestamp("us"))
    span = pc.min_max(times.cast(pa.int64())).as_py()
    if span["min"] < EARLIEST or span["max"] >= LATEST or pc.min(table["interval"]).as_py() < 0:
        return None
    return {
        "time_utc" if zones[0].strip() == "UTC" else "time_local": times,
        "interval_s": table["interval"].cast(pa.float64()),
        "line": pa.array(np.arange(line, line + table.num_rows)),
    }


def are_numbers(cells: pa.ChunkedArray) -> bool:
    """Whether all cells are numbers that sysstat can mean, or missing."""
    if cells.null_count:
        cells = cells.drop_null()
    # The largest of values with a nan among them is nan, and no less than anything.
    return not len(cells) or bool(np.abs(cells.to_numpy()).max() < LARGEST)
