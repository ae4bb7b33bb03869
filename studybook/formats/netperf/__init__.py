"""netperf, in every form that it prints."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.netperf.layouts import TABLES
from studybook.formats.netperf.reader import read, recognise

FORMAT = Format(
    "netperf", "netperf: tables, omni CSV and KEY=VALUE", "netperf", TABLES,
    recognise, read,
)  # fmt: skip
