"""fio, as JSON."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.fio.entries import TABLES
from studybook.formats.fio.reader import read, recognise

FORMAT = Format(
    "fio", "fio as JSON (--output-format=json)", "fio", TABLES, recognise, read, ends_itself=True
)
