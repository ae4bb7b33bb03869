"""What mpstat of sysstat prints of processors, as text or as JSON."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.mpstat import json_file, text

FORMATS = [
    Format(
        "mpstat-text", "mpstat of sysstat, as printed", "mpstat", text.TABLES,
        text.recognise, text.read,
    ),
    Format(
        "mpstat-json", "mpstat of sysstat as JSON (-o JSON)", "mpstat", text.TABLES,
        json_file.recognise, json_file.read, ends_itself=True,
    ),
]  # fmt: skip
