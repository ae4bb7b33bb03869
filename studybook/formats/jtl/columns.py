"""What JMeter calls the values of a sample, in CSV and in XML, and how each is read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal

from studybook.formats.contract import DateOrder

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
