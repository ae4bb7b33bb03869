"""iozone: what it prints, and its other files."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.iozone import reader
from studybook.formats.iozone.reader import TABLES

FORMATS = [
    Format(
        "iozone", "iozone: tables, several processes, report for Excel (-R)", "iozone",
        TABLES[:-1], reader.recognise, reader.read,
    ),
    Format(
        "iozone-offset", "iozone: latencies by offset (-Q)", "iozone",
        TABLES[-1:], reader.recognise_offsets, reader.read_offsets,
    ),
    Format(
        "iozone-xls", "iozone spreadsheet (-b): refused", "iozone",
        TABLES[-1:], reader.recognise_sheet, reader.refuse_sheet, binary=True,
    ),
]  # fmt: skip
