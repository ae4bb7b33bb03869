"""iozone: what it prints, and its other files."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.iozone import other, reader
from studybook.formats.iozone.tables import TABLES

FORMATS = [
    Format(
        "iozone", "iozone: tables, several processes, report for Excel (-R)", "iozone",
        TABLES[:-1], reader.recognise, reader.read,
    ),
    Format(
        "iozone-offset", "iozone: latencies by offset (-Q)", "iozone",
        TABLES[-1:], other.recognise, other.read,
    ),
    Format(
        "iozone-xls", "iozone spreadsheet (-b): refused", "iozone",
        TABLES[-1:], other.recognise_sheet, other.refuse_sheet, binary=True,
    ),
]  # fmt: skip
