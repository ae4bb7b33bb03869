"""dbench and tbench: file system calls, replayed by a number of clients."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.dbench.reader import OPERATION, RUN, SECOND, read, recognise

FORMAT = Format(
    "dbench", "dbench and tbench (1.x to 5.x)", "dbench", (RUN, SECOND, OPERATION), recognise, read
)
