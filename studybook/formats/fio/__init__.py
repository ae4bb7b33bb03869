"""fio, as JSON, as printed and with --minimal."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.fio import reader, terse, text
from studybook.formats.fio.entries import TABLES

FORMATS = [
    Format(
        "fio", "fio as JSON (--output-format=json)", "fio", TABLES, reader.recognise, reader.read,
        ends_itself=True,
    ),
    Format(
        "fio-terse", "fio with --minimal (terse, version 3 to 5)", "fio", TABLES, terse.recognise,
        terse.read,
    ),
    Format("fio-text", "fio, as printed", "fio", TABLES, text.recognise, text.read),
]  # fmt: skip
