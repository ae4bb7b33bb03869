"""Results of Locust, as ``locust --csv NAME`` writes them: its history, and the whole run.

Columns and what they mean are those of the code that writes the file (``StatsCSVFileWriter`` in
``locust/stats.py``, release 1.0 and later) and of Locust's manual. Statistics and failures
were seen.
"""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.locust import reader, whole
from studybook.formats.locust.reader import STATE

FORMATS = [
    Format(
        "locust-history", "Locust results over time (_stats_history.csv)", "locust", (STATE,),
        reader.recognise, reader.read, "documented",
    ),
    *whole.FORMATS,
]  # fmt: skip
