"""lmbench: latencies and bandwidths, of the whole suite or of single programs."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.lmbench.reader import TABLES, read, recognise

FORMAT = Format(
    "lmbench", "lmbench: results of the suite, or of lat_… and bw_… with names", "lmbench", TABLES,
    recognise, read,
)  # fmt: skip
