"""elbencho: results of its phases, as CSV and as printed."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.elbencho import csv_file, text
from studybook.formats.elbencho.results import TABLES

FORMATS = [
    Format(
        "elbencho", "elbencho, as printed (and --resfile)", "elbencho", TABLES, text.recognise,
        text.read,
    ),
    Format(
        "elbencho-csv", "results of elbencho as CSV (--csvfile)", "elbencho", TABLES,
        csv_file.recognise, csv_file.read,
    ),
]  # fmt: skip
