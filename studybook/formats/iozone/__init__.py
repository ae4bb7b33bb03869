"""iozone: what it prints, and its other files."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.iozone import other, reader
from studybook.formats.iozone.tables import OFFSET, RATE, REPORT, RUN, THROUGHPUT

FORMATS = [
    Format(
        "iozone", "iozone: tables, several processes, report for Excel (-R)", "iozone",
        (RUN, RATE, THROUGHPUT, REPORT), reader.recognise, reader.read,
    ),
    Format(
        "iozone-offset", "iozone: latencies by offset (-Q)", "iozone",
        (OFFSET,), other.recognise, other.read,
    ),
    Format(
        "iozone-xls", "iozone spreadsheet (-b): refused", "iozone",
        (OFFSET,), other.recognise_sheet, other.refuse_sheet, binary=True,
    ),
]  # fmt: skip
