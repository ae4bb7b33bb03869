"""``vegeta report -type=hdrplot``: percentiles of all results, and nothing else of them."""

from __future__ import annotations

import re

from studybook.formats.contract import Reading
from studybook.formats.load_summary import COUNT, NUMBER
from studybook.formats.raw import Head, RawFile
from studybook.formats.vegeta.report import PERCENTILE, RUN

_HEADER = "Value(ms) Percentile TotalCount 1/(1-Percentile)"
_ROW = re.compile(rf"{NUMBER} +([01]\.\d{{1,12}}) +{COUNT} +[\d.]{{1,30}}$")


def recognise(head: Head) -> bool:
    """Whether the file begins with the header."""
    return " ".join(head.first.split()) == _HEADER


def read(raw: RawFile, out: Reading) -> None:
    """Read the rows; a second header begins a second report."""
    runs = 0
    for line, text in raw.lines():
        plain = text.strip()
        if plain.startswith("Value(ms)") and " ".join(plain.split()) == _HEADER:
            out.record(RUN, run_no=runs, status="percentiles", line=line)
            out.heading()
            runs += 1
        elif not plain:
            out.heading()
        elif runs and len(plain) < 200 and (match := _ROW.match(plain)) and float(match[2]) <= 1:
            out.record(
                PERCENTILE, run_no=runs - 1, measure="response time",
                percent=round(float(match[2]) * 100, 9), response_ms=float(match[1]),
                requests=int(match[3]), line=line,
            )  # fmt: skip
            out.used()
        else:
            out.unknown(line, text)
