"""Results of Grafana k6: what ``k6 run --out csv=FILE`` writes, plain or as ``.gz``.

Columns, times and values are those of k6's manual (page CSV of its results output, page on
built-in metrics) and of the code that writes the file (``output/csv``). No file was seen.
"""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.k6.reader import SAMPLE, read, recognise

FORMAT = Format(
    "k6-csv", "k6 results as CSV", "k6", (SAMPLE,),
    recognise, read, "documented",
)  # fmt: skip
