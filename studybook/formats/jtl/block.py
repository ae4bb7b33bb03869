"""Ordinary rows of a CSV, read as whole columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from studybook.formats.jtl.columns import (
    COLUMNS,
    END_MS,
    FIRST_MS,
    LARGEST,
    NEEDED,
    NONE_AS_WORD,
    TRANSACTION,
    Layout,
)
from studybook.formats.jtl.parts import Parts
from studybook.formats.jtl.passes import Passes
from studybook.formats.raw import LONGEST_LINE

_TEXT = pa.dictionary(pa.int32(), pa.string())


def columns_of(block: bytes, layout: Layout, parts: Parts, passes: Passes) -> dict[str, Any] | None:
    """Read all rows of a block of whole lines at once.

    Returns the columns of the table but the line, as arrays of pyarrow or numpy. None, and nothing
    is noted in `parts` and `passes`, if one row is not ordinary.
    """
    characters = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    widths = np.diff(ends, prepend=-1)
    if widths.min() == 1 or widths.max() > LONGEST_LINE:
        return None
    # Arrow takes 0x10 for a number.
    if b"0x" in block or b"0X" in block or not _quoted_plainly(characters, ends, layout.delimiter):
        return None
    found = _cells(block, len(ends), layout)
    if found is not None:
        _complete(found, len(ends), parts, passes)
    return found


def _quoted_plainly(characters: Any, ends: Any, delimiter: str) -> bool:
    """Whether each pair of quotes is around a whole cell, within a line."""
    quotes = np.flatnonzero(characters == ord('"'))
    if len(quotes) % 2:
        return False
    opens, closes = quotes[::2], quotes[1::2]
    outside = [ord(delimiter), ord("\n")]
    before = np.isin(characters[np.maximum(opens - 1, 0)], outside) | (opens == 0)
    after = np.isin(characters[closes + 1], outside)  # a block ends in a line feed
    same_line = np.searchsorted(ends, opens) == np.searchsorted(ends, closes)
    return bool((before & after & same_line).all())


def _cells(block: bytes, rows: int, layout: Layout) -> dict[str, Any] | None:
    """Read the cells of ordinary rows; None if one is not."""
    names = [f"{place} {name}" for place, name in enumerate(layout.names)]
    kinds = {
        key: _kind(name, place, block, layout.delimiter)
        for place, (key, name) in enumerate(zip(names, layout.names, strict=True))
        if name
    }
    try:
        table = csv.read_csv(
            pa.BufferReader(block),
            csv.ReadOptions(column_names=names, use_threads=False, block_size=len(block) + 1),
            csv.ParseOptions(
                delimiter=layout.delimiter, newlines_in_values=True, ignore_empty_lines=False
            ),
            csv.ConvertOptions(
                column_types=kinds, include_columns=list(kinds), null_values=[""],
                strings_can_be_null=True,
            ),
        )  # fmt: skip
    except pa.ArrowInvalid:
        return None
    if table.num_rows != rows:
        return None
    found: dict[str, Any] = {}
    for key, name in zip(names, layout.names, strict=True):
        if not name:
            continue
        column, kind = COLUMNS[name]
        values = table[key].combine_chunks()
        if column in NEEDED and values.null_count:
            return None
        if kind == "time":
            column, values = _times(values)
            if values is None:
                return None
        elif kind == "flag":
            values = _flags(values)
            if values is None:
                return None
        elif kind != "text" and not _within(values, -LARGEST[kind], LARGEST[kind]):
            return None
        elif column in NONE_AS_WORD:
            values = _without_null(values)
        found[column] = values
    return found


def _kind(name: str, place: int, block: bytes, delimiter: str) -> pa.DataType:
    """How Arrow is to read a column."""
    kind = COLUMNS[name][1]
    if kind == "time":
        first = block[: block.find(b"\n")].split(delimiter.encode(), place + 1)
        return pa.int64() if first[min(place, len(first) - 1)].isdigit() else pa.string()
    return _TEXT if kind in ("flag", "text") else pa.int64()


def _complete(found: dict[str, Any], rows: int, parts: Parts, passes: Passes) -> None:
    """Add what follows from other columns."""
    messages = found.get("response_message")
    transactions = np.zeros(rows, np.bool_)
    if messages is not None and len(messages.dictionary):
        at = pc.starts_with(messages.dictionary, TRANSACTION)
        transactions = pc.take(at, messages.indices).fill_null(False).to_numpy(False)
    found["is_transaction"] = pa.array(transactions)
    none = pa.nulls(rows, pa.string()).dictionary_encode()
    time = found.get("time_utc", found.get("time_local"))
    begins = (
        np.zeros(rows, np.int64)
        if time is None
        else time.cast(pa.timestamp("us")).cast(pa.int64()).to_numpy() // 1000
    )
    took = _zeros_for_null(found.get("elapsed_ms"), rows) + _zeros_for_null(
        found.get("idle_ms"), rows
    )
    threads = none if time is None else found.get("thread", none)
    labels = found.get("label", none)
    found["depth"] = parts.depths(threads, labels, begins, begins + took, transactions)
    second = passes.second(begins + took) if "time_local" in found else None
    if second is not None:
        found["set_back"] = pa.array(second, mask=~second)
    if "success" in found:
        for column in ("response_message", "failure_message"):
            if column in found:
                dictionary = found[column]
                kept = pc.if_else(found["success"], pa.scalar(None, pa.int32()), dictionary.indices)
                found[column] = pa.DictionaryArray.from_arrays(kept, dictionary.dictionary)


def _times(values: pa.Array) -> tuple[str, pa.Array | None]:
    """Times of a column; None for them if one is none, or of a rare kind."""
    if pa.types.is_integer(values.type):
        if not _within(values, FIRST_MS, END_MS - 1):
            return "time_utc", None
        return "time_utc", values.cast(pa.timestamp("ms"))
    lengths = pc.min_max(pc.binary_length(values)).as_py()
    if lengths["min"] != lengths["max"] or lengths["min"] not in (19, 23):
        return "time_local", None
    slashes = pc.all(pc.equal(pc.count_substring(values, "/"), 2)).as_py()
    dashes = pc.all(pc.equal(pc.count_substring(values, "-"), 2)).as_py()
    if slashes == dashes:
        return "time_local", None
    try:
        times = pc.replace_substring(values, "/", "-").cast(pa.timestamp("ms"))
    except pa.ArrowInvalid:
        return "time_local", None
    ms = times.cast(pa.int64())
    return "time_local", times if _within(ms, FIRST_MS, END_MS - 1) else None


def _flags(values: pa.DictionaryArray) -> pa.Array | None:
    words = values.dictionary
    if not pc.all(pc.is_in(words, pa.array(["true", "false"]))).as_py():
        return None
    return pc.take(pc.equal(words, "true"), values.indices)


def _within(values: pa.Array, least: int, most: int) -> bool:
    found = pc.min_max(values).as_py()
    return found["min"] is None or (least <= found["min"] and found["max"] <= most)


def _without_null(values: pa.DictionaryArray) -> pa.DictionaryArray:
    """Take out the word that Java prints for nothing."""
    words = values.dictionary
    words = pc.if_else(pc.equal(words, "null"), pa.scalar(None, pa.string()), words)
    return pa.DictionaryArray.from_arrays(values.indices, words)


def _zeros_for_null(values: pa.Array | None, rows: int) -> Any:
    return np.zeros(rows, np.int64) if values is None else values.fill_null(0).to_numpy()
