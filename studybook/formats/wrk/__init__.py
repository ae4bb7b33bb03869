"""wrk, and wrk2, which holds a rate."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.wrk.reader import TABLES, read, recognise

FORMAT = Format("wrk", "wrk and wrk2, as printed", "wrk", TABLES, recognise, read)
