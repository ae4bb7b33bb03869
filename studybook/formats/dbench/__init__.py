"""dbench and tbench: file system calls, replayed by a number of clients."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.dbench.reader import TABLES, read, recognise

FORMAT = Format("dbench", "dbench and tbench (1.x to 5.x)", "dbench", TABLES, recognise, read)
