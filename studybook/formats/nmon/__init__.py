"""What nmon records on Linux and AIX (topas_nmon): comma-separated lines, one kind per section.

The layout is that of public documentation of the format and of extracts of files there; no whole
file of a known release was read.
"""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.nmon.reader import TABLES, read, recognise

FORMAT = Format(
    "nmon", "nmon of Linux and AIX (.nmon)", "nmon", TABLES, recognise, read, "documented"
)
