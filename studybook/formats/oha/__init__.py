"""oha, a load driver of HTTP: its summary as text and as JSON."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.hey.summary import Summary
from studybook.formats.load_summary import load_tables
from studybook.formats.oha import document

_TABLES = load_tables("oha", "oha")
_SUMMARY = Summary("oha", _TABLES)

FORMATS = [
    Format(
        "oha", "oha, as printed", "oha", _TABLES, _SUMMARY.recognise, _SUMMARY.read,
    ),
    Format(
        "oha-json", "oha as JSON (--output-format json)", "oha", _TABLES, document.recognise,
        document.reader(_TABLES), ends_itself=True,
    ),
]  # fmt: skip
