"""Rates of interrupts: hundreds of values in each interval, kept as one row with a list.

``names`` says, with blanks between, whose rates they are: of interrupts, or, where the row has
an ``interrupt``, of processors. The view ``interrupt_rate`` has one row per rate. A row may hold
part of an interval only: files are read block by block.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from studybook.formats.sar.digits import Floats, Ints, nullable

TABLE = "sar_interrupt"


def listed(rates: Floats, starts: Ints) -> pa.ListArray:
    """Rates as lists, of which each begins at one of the starts; NaN is NULL."""
    offsets = pa.array(np.append(starts, len(rates)), pa.int32())
    return pa.ListArray.from_arrays(offsets, nullable(rates))


def joined_names(names: Sequence[str], item: Ints, starts: Ints) -> pa.Array:
    """For each list the names of its rates, in one text."""
    lengths = np.diff(starts, append=len(item))
    length = int(lengths[0])
    if (lengths == length).all():
        lists = item.reshape(-1, length)
        if (lists == lists[0]).all():
            return pa.repeat(pa.scalar(_text([names[place] for place in lists[0]])), len(starts))
    known: dict[bytes, str] = {}
    texts = []
    for start, end in zip(starts, np.append(starts[1:], len(item)), strict=True):
        places = item[start:end]
        key = places.tobytes()
        if key not in known:
            known[key] = _text([names[place] for place in places])
        texts.append(known[key])
    return pa.array(texts, pa.string())


def as_lists(rows: pa.Table) -> pa.Table:
    """Rows of one rate each, in their order, as rows with lists.

    Parameters
    ----------
    rows : pyarrow.Table
        With columns ``interrupt``, ``cpu`` (NULL: of all processors) and ``interrupts_per_s``.
    """
    by_cpu = rows["cpu"].null_count < len(rows)
    keys = ["report_no", "segment", "time_local", "time_utc", "interval_s"]
    new = np.zeros(len(rows), bool)
    new[:1] = True
    for key in [*keys, "interrupt"] if by_cpu else keys:
        if key in rows.column_names:
            new[1:] |= _changes(rows[key])
    of_list = pc.fill_null(rows["cpu"], "all") if by_cpu else rows["interrupt"]
    encoded = of_list.combine_chunks().dictionary_encode()
    names, codes = encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.int64)
    # The first name again: another list, printed with the same time.
    first = np.maximum.accumulate(np.where(new, np.arange(len(new)), 0))
    starts = np.flatnonzero(new | (codes == codes[first]))
    columns: dict[str, Any] = {
        name: rows[name].take(pa.array(starts))
        for name in rows.column_names
        if name not in ("interrupt", "cpu", "interrupts_per_s")
    }
    if by_cpu:
        columns["interrupt"] = rows["interrupt"].take(pa.array(starts))
    columns["names"] = joined_names(names, codes, starts)
    columns["rates_per_s"] = listed(rows["interrupts_per_s"].to_numpy().astype(float), starts)
    return pa.table(columns)


def _changes(column: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    codes = column.combine_chunks().dictionary_encode(null_encoding="encode").indices.to_numpy()
    changes: npt.NDArray[np.bool_] = codes[1:] != codes[:-1]
    return changes


def _text(names: Sequence[str]) -> str:
    return " ".join(name.replace(" ", "_") for name in names)
