"""Samples of hey, which ``hey -o csv`` prints: a row for each response.

Files of hey 0.1.4 were recorded. Times are in seconds, with four decimals. Requests that got no
response have no row: how many there were is in no place of the file. hey keeps
a million responses, and no more.
"""

from __future__ import annotations

import re

from studybook.errors import Refused
from studybook.formats.contract import Reading, tables
from studybook.formats.raw import Head, RawFile

(SAMPLE,) = tables("""
hey_sample: one response
    run_no BIGINT, response_ms DOUBLE, status BIGINT,
    -- When the request was sent, since the start.
    offset_s DOUBLE, line BIGINT
""")

_HEADER = (
    "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset"
)
_TIME = r"(\d{1,9}\.\d{1,9})"
#: So many responses hey keeps.
_MOST = 1_000_000
_ROW = re.compile(rf"{_TIME}(?:,{_TIME}){{5}},(\d{{3}}),{_TIME}$")


def recognise(head: Head) -> bool:
    """Whether the file begins with the header."""
    return head.first.strip() == _HEADER


def read(raw: RawFile, out: Reading) -> None:
    """Read the rows; a second header begins a second execution."""
    runs = rows = 0
    any_response = False
    for line, text in raw.lines():
        plain = text.strip()
        if plain == _HEADER:
            runs, rows = runs + 1, 0
            out.heading()
        elif not plain:
            out.heading()
        elif runs and len(plain) < 200 and (match := _ROW.match(plain)):
            out.record(
                SAMPLE.name, run_no=runs - 1, response_ms=float(match[1]) * 1000,
                status=int(match[3]), offset_s=float(match[4]), line=line,
            )  # fmt: skip
            out.used()
            rows += 1
            any_response = True
            if rows == _MOST:
                out.remark(line, "hey keeps a million responses: those behind this one are lost")
        else:
            out.unknown(line, text)
    if not any_response:
        raise Refused(
            "is the header of a hey log and nothing else: no request got a response",
            "look whether the service was there, and leave the file out of the run",
        )
    out.remark(
        1,
        "hey leaves requests without a response out of its CSV: the share of errors is of"
        " responses",
    )
