"""IO500: the results that it prints, which are those of result_summary.txt."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.io500.reader import TABLES, read, recognise

FORMAT = Format("io500", "IO500 (result_summary.txt)", "io500", TABLES, recognise, read)
