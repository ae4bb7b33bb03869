"""sysbench, a benchmark of databases and of parts of a machine, by threads."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.sysbench.reader import TABLES, read, recognise

FORMAT = Format("sysbench", "sysbench, as printed", "sysbench", TABLES, recognise, read)
