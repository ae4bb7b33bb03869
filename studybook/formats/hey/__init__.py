"""hey, a load driver of HTTP: its summary, and its samples as CSV."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.hey import samples
from studybook.formats.hey.samples import SAMPLE
from studybook.formats.hey.summary import Summary
from studybook.formats.load_summary import load_tables

_SUMMARY = Summary("hey", load_tables("hey", "hey"))

FORMATS = [
    Format(
        "hey", "hey, as printed", "hey", _SUMMARY.tables, _SUMMARY.recognise, _SUMMARY.read,
    ),
    Format(
        "hey-csv", "samples of hey as CSV (-o csv)", "hey", (SAMPLE,), samples.recognise,
        samples.read,
    ),
]  # fmt: skip
