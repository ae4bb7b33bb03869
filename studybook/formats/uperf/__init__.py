"""uperf: what it prints of a run."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.uperf.reader import TABLES, read, recognise

FORMAT = Format("uperf", "uperf, as printed", "uperf", TABLES, recognise, read)
