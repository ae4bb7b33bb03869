"""Stretches of regular rows of ``sadf -d``, read as whole columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from studybook.formats.sar.activities import Layout
from studybook.formats.sar.sadf_cells import EARLIEST, LARGEST, LATEST


def adds_up(values: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.bool_]]:
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
