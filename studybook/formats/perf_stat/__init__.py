"""perf stat, as printed, as CSV and as JSON."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.perf_stat import printed, reader

FORMATS = [
    Format(
        "perf-text", "perf stat, as printed", "perf", (reader.COUNT, reader.RUN), printed.recognise,
        printed.read, banner=printed.BANNER, behind_others=True,
    ),
    Format(
        "perf-csv", "perf stat as CSV (-x,)", "perf", (reader.COUNT,), reader.recognise_csv,
        reader.read_csv,
    ),
    Format(
        "perf-json", "perf stat as JSON (-j)", "perf", (reader.COUNT,), reader.recognise_json,
        reader.read_json,
    ),
]  # fmt: skip
