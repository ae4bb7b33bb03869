"""What vmstat of Linux (procps) prints in its default mode, once or every few seconds."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.vmstat.reader import TABLES, read, recognise

FORMAT = Format(
    "vmstat", "vmstat of Linux (procps), with -t or without", "vmstat", TABLES, recognise, read
)
