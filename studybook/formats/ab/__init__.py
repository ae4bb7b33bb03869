"""ab, the ApacheBench of the Apache HTTP server."""

from __future__ import annotations

from studybook.formats.ab import percentiles, text
from studybook.formats.ab.text import TABLES
from studybook.formats.contract import Format

FORMATS = [
    Format("ab", "ApacheBench (ab), as printed", "ab", TABLES, text.recognise, text.read),
    Format(
        "ab-percentiles", "percentiles of ApacheBench as CSV (ab -e)", "ab", TABLES,
        percentiles.recognise, percentiles.read,
    ),
]  # fmt: skip
