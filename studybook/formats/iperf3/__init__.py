"""iperf3, as JSON."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.iperf3.reader import TABLES, read, recognise

FORMAT = Format(
    "iperf3", "iperf3 as JSON (-J)", "iperf3", TABLES, recognise, read, ends_itself=True
)
