"""Which columns a CSV has: by its header, or by JMeter's own order where there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from studybook.formats.jtl.columns import COLUMNS, values_of
from studybook.formats.quoted_rows import cells_of

DELIMITERS = ",;\t|"

#: What JMeter saved by default, by number of columns, as long as it wrote no header by default,
#: and since. Two configurations of as many columns look alike, so these are not certain.
_FIRST = ("timestamp", "elapsed", "label", "responsecode", "responsemessage", "threadname",
          "datatype", "success")  # fmt: skip
_THREADS = ("grpthreads", "allthreads")
_DEFAULTS: dict[int, tuple[str, ...]] = {
    len(columns): columns
    for columns in (
        (*_FIRST, "bytes", "latency"),
        (*_FIRST, "bytes", *_THREADS, "latency"),
        (*_FIRST, "failuremessage", "bytes", *_THREADS, "latency", "idletime"),
        (*_FIRST, "failuremessage", "bytes", "sentbytes", *_THREADS,
         "latency", "idletime", "connect"),
        (*_FIRST, "failuremessage", "bytes", "sentbytes", *_THREADS,
         "url", "latency", "idletime", "connect"),
    )
}  # fmt: skip

_THREAD = re.compile(r".*\S \d+-\d+", re.A)
_DATA_TYPES = frozenset({"", "text", "bin"})


@dataclass(frozen=True)
class Layout:
    """The columns of a CSV.

    Parameters
    ----------
    names : tuple of str
        Names as in ``COLUMNS``; empty for a column that is not kept.
    delimiter : str
        What stands between the cells.
    not_kept : tuple of str
        Columns that JMeter's manual does not have: variables of the test plan, as a rule.
    has_header : bool
        Whether the names were read, not concluded.
    """

    names: tuple[str, ...]
    delimiter: str
    not_kept: tuple[str, ...] = ()
    has_header: bool = True


def header_of(text: str) -> Layout | None:
    """The columns that a header names; None if the line is none."""
    match = re.match(r'\ufeff?"?\w+"?([,;\t|])', text, re.A)
    if not match:
        return None
    cells = cells_of(text.lstrip("\ufeff"), match[1]) or []
    names: list[str] = []
    taken: set[str] = set()
    for cell in cells:
        name = cell.strip().lower()
        column = COLUMNS[name][0] if name in COLUMNS else ""
        names.append("" if column in taken else name * bool(column))
        taken.add(column)
    known_names = set(names) - {""}
    if len(known_names) < 3 or not {"timestamp", "elapsed", "time"} & known_names:
        return None
    not_kept = tuple(cell for cell, name in zip(cells, names, strict=True) if not name)
    return Layout(tuple(names), match[1], not_kept)


def is_headless(line: str) -> bool:
    """Whether a row begins as JMeter's do by default: up to ``success`` nothing else looks so."""
    return _row_without_header(line) is not None


def headless_of(lines: Sequence[str]) -> Layout | None:
    """The columns of rows without a header, if all of these can be rows of one default only.

    Lines that are no rows, such as those within quotes, say nothing.
    """
    rows = [row for line in lines if (row := _row_without_header(line))]
    if len({(delimiter, len(cells)) for delimiter, cells in rows}) != 1:
        return None
    delimiter, first = rows[0]
    names = _DEFAULTS.get(len(first))
    if names is None or not all(_plausible(dict(zip(names, row, strict=True))) for _, row in rows):
        return None
    return Layout(names, delimiter, has_header=False)


def _row_without_header(line: str) -> tuple[str, list[str]] | None:
    """The delimiter and the cells of a row; None if it does not begin like one."""
    for delimiter in DELIMITERS:
        cells = cells_of(line.lstrip("\ufeff"), delimiter) or []
        if len(cells) > len(_FIRST):
            first = dict(zip(_FIRST, cells, strict=False))
            if (
                values_of(first.items())
                and _THREAD.fullmatch(first["threadname"])
                and first["datatype"] in _DATA_TYPES
            ):
                return delimiter, cells
    return None


def _plausible(cells: dict[str, str]) -> bool:
    """Whether no number contradicts its place: parts are not more than the whole."""
    row = values_of(cells.items())
    if row is None or row["bytes_received"] is None or row["latency_ms"] is None:
        return False
    return bool(
        row["latency_ms"] <= row["elapsed_ms"] + (row.get("idle_ms") or 0)
        and (row.get("connect_ms") or 0) <= row["elapsed_ms"]
        and (row.get("group_threads") or 0) <= (row.get("all_threads") or 0)
        and ("url" not in row or row["url"] is None or ":" in row["url"])
    )
