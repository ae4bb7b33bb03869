"""IOR: its output for people, and its files of JSON and CSV."""

from __future__ import annotations

from studybook.formats.contract import JSON_MARKS, Format
from studybook.formats.ior import csv_file, json_file, text
from studybook.formats.ior.tables import TABLES
from studybook.formats.ior.words import BANNER

FORMATS = [
    Format(
        "ior-text", "IOR text output (2.10 to 4.x)", "ior", TABLES[:-1], text.recognise, text.read,
        banner=BANNER.pattern,
    ),
    Format(
        "ior-json", "IOR JSON output (3.2 to 4.x)", "ior", TABLES[:-1],
        json_file.recognise, json_file.read, ends_itself=JSON_MARKS,
    ),
    Format(
        "ior-csv", "IOR CSV output (4.x) and rank details", "ior", TABLES,
        csv_file.recognise, csv_file.read,
    ),
]  # fmt: skip
