"""Results of Locust: the history that ``locust --csv NAME`` writes, ``NAME_stats_history.csv``.

Columns and what they mean are those of the code that writes the file (``StatsCSVFileWriter`` in
``locust/stats.py``, release 1.0 and later) and of Locust's manual. No file was seen.
"""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.locust import reader
from studybook.formats.locust.reader import STATE

FORMATS = [
    Format(
        "locust-history", "Locust results over time (_stats_history.csv)", "locust", (STATE,),
        reader.recognise, reader.read, "documented",
    ),
    Format(
        "locust-other", "Locust results of the whole run as CSV: refused", "locust", (STATE,),
        reader.recognise_other, reader.refuse_other, "documented",
    ),
]  # fmt: skip
