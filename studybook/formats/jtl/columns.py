"""The table of JMeter's results.

And what JMeter calls the values of a sample, in CSV and in XML, and how each is read.

Which of them a CSV has is said by its header, or by JMeter's own order where there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from studybook.formats.contract import NOT_NEGATIVE, DateOrder, tables
from studybook.formats.quoted_rows import cells_of

(_SAMPLE,) = tables("""
jtl_sample: one sample: a request, a part of one, or a transaction of several
    -- When the sample began. JMeter can be told to stamp the end; a file does not say so.
    time_utc TIMESTAMP, time_local TIMESTAMP, set_back BOOLEAN,
    -- Without idle_ms: timers and pauses within a transaction.
    elapsed_ms BIGINT, idle_ms BIGINT, latency_ms BIGINT, connect_ms BIGINT, label VARCHAR,
    -- Of a Transaction Controller: told by its message.
    is_transaction BOOLEAN,
    -- 0, or more for a part of another request (an embedded resource, a redirect), whose time
    -- is in that request's time already.
    depth INTEGER, success BOOLEAN, response_code VARCHAR,
    -- The two messages are kept of samples that failed.
    response_message VARCHAR, failure_message VARCHAR, thread VARCHAR,
    -- Threads that were active: of the sample's group, and of all groups of this driver.
    group_threads BIGINT, all_threads BIGINT, bytes_received BIGINT, bytes_sent BIGINT, url VARCHAR,
    data_type VARCHAR, encoding VARCHAR, response_file VARCHAR, host VARCHAR,
    -- More than 1 where a driver sent sums only (mode Statistical): times are sums, too.
    samples BIGINT, errors BIGINT, line BIGINT
""")

#: Durations, as JMeter has them; a clock that was set back makes them negative.
SAMPLE = replace(
    _SAMPLE,
    plausible=dict.fromkeys(("elapsed_ms", "idle_ms", "latency_ms", "connect_ms"), NOT_NEGATIVE),
)

Kind = Literal["time", "ms", "count", "bytes", "flag", "text"]

#: Columns of the CSV in lower case (the manual's spelling and that of the files differ), in the
#: order in which JMeter writes them: the column of the table, and what it holds. ``time`` is how
#: JMeter 2.0 called ``elapsed``.
COLUMNS: dict[str, tuple[str, Kind]] = {
    "timestamp": ("time", "time"),
    "elapsed": ("elapsed_ms", "ms"),
    "time": ("elapsed_ms", "ms"),
    "label": ("label", "text"),
    "responsecode": ("response_code", "text"),
    "responsemessage": ("response_message", "text"),
    "threadname": ("thread", "text"),
    "datatype": ("data_type", "text"),
    "success": ("success", "flag"),
    "failuremessage": ("failure_message", "text"),
    "bytes": ("bytes_received", "bytes"),
    "sentbytes": ("bytes_sent", "bytes"),
    "grpthreads": ("group_threads", "count"),
    "allthreads": ("all_threads", "count"),
    "url": ("url", "text"),
    "filename": ("response_file", "text"),
    "latency": ("latency_ms", "ms"),
    "encoding": ("encoding", "text"),
    "samplecount": ("samples", "count"),
    "errorcount": ("errors", "count"),
    "hostname": ("host", "text"),
    "idletime": ("idle_ms", "ms"),
    "connect": ("connect_ms", "ms"),
}

#: Attributes of the XML, by the names of the CSV. ``rs`` is how the response code was once
#: called; the long names are those of JMeter 2.0.
ATTRIBUTES: dict[str, str] = {
    "ts": "timestamp", "t": "elapsed", "lb": "label", "rc": "responsecode", "rs": "responsecode",
    "rm": "responsemessage", "tn": "threadname", "dt": "datatype", "s": "success", "by": "bytes",
    "sby": "sentbytes", "ng": "grpthreads", "na": "allthreads", "lt": "latency", "de": "encoding",
    "sc": "samplecount", "ec": "errorcount", "hn": "hostname", "it": "idletime", "ct": "connect",
    "timeStamp": "timestamp", "time": "elapsed", "label": "label", "responseCode": "responsecode",
    "responseMessage": "responsemessage", "threadName": "threadname", "dataType": "datatype",
    "success": "success",
}  # fmt: skip

#: The largest numbers that are believed: three years, more threads than any driver has, and
#: what is still exact as a floating-point number.
LARGEST: dict[Kind, int] = {"ms": 10**11, "count": 2**31, "bytes": 2**53}

#: Values that must be there: without them a row is no sample.
NEEDED = frozenset({"time", "elapsed_ms", "success"})

#: What Java prints for an address or a file that is none.
NONE_AS_WORD = frozenset({"url", "response_file"})

#: The message that a Transaction Controller gives its samples.
TRANSACTION = "Number of samples in transaction : "

#: From 1990 to 2100, in milliseconds since 1970.
FIRST_MS, END_MS = 631_152_000_000, 4_102_444_800_000

_WHOLE = re.compile(r"-?0*\d{1,18}", re.A)
_YEAR_FIRST = re.compile(r"\d{4}([-/])\d\d\1\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?", re.A)
_YEAR_LAST = re.compile(r"(\d\d)/(\d\d)/(\d\d)( \d\d:\d\d:\d\d)", re.A)
_EPOCH = datetime(1970, 1, 1)


def values_of(
    given: Iterable[tuple[str, str]], date_order: DateOrder | None = None
) -> dict[str, Any] | None:
    """Read the values of a sample, by names as in :data:`COLUMNS`, into columns of the table.

    None if one is not what its name promises. `date_order` says how to read a date like 05/06/16.
    """
    row: dict[str, Any] = {}
    for name, text in given:
        column, kind = COLUMNS[name]
        value: Any = text or None
        if kind == "time":
            column, value = _time(text.strip(" \t"), date_order)
        elif kind == "flag":
            value = {"true": True, "false": False}.get(text)
        elif kind != "text":
            word = text.strip(" \t")
            value = int(word) if _WHOLE.fullmatch(word) else None
            if (word and value is None) or abs(value or 0) > LARGEST[kind]:
                return None
        elif text == "null" and column in NONE_AS_WORD:
            value = None
        if value is None and COLUMNS[name][0] in NEEDED:
            return None
        row[column] = value
    row["is_transaction"] = (row.get("response_message") or "").startswith(TRANSACTION)
    if row.get("success"):
        row["response_message"] = row["failure_message"] = None
    return row


def begin_ms(row: dict[str, Any]) -> int | None:
    """When a sample began, in milliseconds since 1970 by whichever clock."""
    time = row.get("time_utc") or row.get("time_local")
    return (time - _EPOCH) // _MS if time else None


_MS = datetime(1970, 1, 1, 0, 0, 0, 1000) - _EPOCH


def _time(text: str, date_order: DateOrder | None) -> tuple[str, datetime | None]:
    """Read a time: milliseconds since 1970 are UTC, all else is the driver's local time."""
    if _WHOLE.fullmatch(text):
        ms = int(text)
        return "time_utc", _EPOCH + ms * _MS if FIRST_MS <= ms < END_MS else None
    if short := _YEAR_LAST.fullmatch(text):
        day, month = (2, 1) if date_order != "day-first" else (1, 2)
        century = "19" if short[3] >= "90" else "20"
        text = f"{century}{short[3]}-{short[month]}-{short[day]}{short[4]}"
    elif not _YEAR_FIRST.fullmatch(text):
        return "time_local", None
    try:
        time = datetime.fromisoformat(text.replace("/", "-"))
    except ValueError:
        return "time_local", None
    return "time_local", time if 1990 <= time.year < 2100 else None


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
