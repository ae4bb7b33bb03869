"""What iostat of sysstat prints of processors and block devices, as text or as JSON."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.iostat import json_file, text
from studybook.formats.iostat.columns import TABLES

FORMATS = [
    Format(
        "iostat-text", "iostat of sysstat, as printed", "iostat", TABLES, text.recognise, text.read
    ),
    Format(
        "iostat-json", "iostat of sysstat as JSON (-o JSON)", "iostat", TABLES,
        json_file.recognise, json_file.read, ends_itself=True,
    ),
]  # fmt: skip
