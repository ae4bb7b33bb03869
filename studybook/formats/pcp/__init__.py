"""Performance Co-Pilot: metrics as pmrep and pmdumptext print them for other programs."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.pcp.reader import TABLES, read, recognise

FORMAT = Format(
    "pcp", "metrics of PCP: pmrep -o csv, pmdumptext -m", "pcp", TABLES, recognise, read
)
