"""Percentiles of ApacheBench as CSV, which ``ab -e FILE`` writes: a row for each percent.

Files of release 2.3 were recorded. 0 is the shortest time, 100 the longest. Nothing else of the
execution is in the file: that is in what ab printed.
"""

from __future__ import annotations

import re

from studybook.formats.ab.text import PERCENTILE, RUN
from studybook.formats.contract import Reading
from studybook.formats.load_summary import NUMBER
from studybook.formats.raw import Head, RawFile

_HEADER = "Percentage served,Time in ms"
_ROW = re.compile(rf"(\d{{1,3}}),{NUMBER}$")


def recognise(head: Head) -> bool:
    """Whether the file begins with the header."""
    return head.first.strip() == _HEADER


def read(raw: RawFile, out: Reading) -> None:
    """Read the rows; a second header begins a second execution."""
    runs = 0
    for line, text in raw.lines():
        plain = text.strip()
        if plain == _HEADER:
            out.record(RUN, run_no=runs, status="percentiles", line=line)
            out.heading()
            runs += 1
        elif not plain:
            out.heading()
        elif runs and (match := _ROW.match(plain)) and int(match[1]) <= 100:
            out.record(
                PERCENTILE, run_no=runs - 1, measure="response time", percent=float(match[1]),
                response_ms=float(match[2]), line=line,
            )  # fmt: skip
            out.used()
        else:
            out.unknown(line, text)
