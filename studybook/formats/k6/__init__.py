"""Results of Grafana k6: what ``k6 run --out csv=FILE`` or ``--out json=FILE`` writes.

Columns, times and values are those of k6's manual (pages CSV and JSON of its results output, page
on built-in metrics) and of the code that writes the CSV (``output/csv``), of which no file was
seen.
"""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.k6 import json_lines, reader
from studybook.formats.k6.reader import SAMPLE

FORMATS = [
    Format(
        "k6-csv", "k6 results as CSV", "k6", (SAMPLE,),
        reader.recognise, reader.read, "documented",
    ),
    Format(
        "k6-json", "k6 results as JSON (a line for each value)", "k6", (SAMPLE,),
        json_lines.recognise, json_lines.read,
    ),
]  # fmt: skip
