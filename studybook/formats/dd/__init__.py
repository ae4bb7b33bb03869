"""dd, with what time says of it."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.dd.reader import TABLES, read, recognise
from studybook.formats.dd.timed import TIMES

FORMAT = Format("dd", "dd, and what time says of it", "dd", TABLES + TIMES, recognise, read)
