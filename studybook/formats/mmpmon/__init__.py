"""mmpmon, the performance monitor of IBM Storage Scale (Spectrum Scale, GPFS).

Answers come in keyword form (``mmpmon -p``), one to a line, or in words. One reader takes
both: pages of documentation and sessions mix them. The keyword form of ``fs_io_s`` and
``io_s``, their form in words and the answers of the daemon's socket were seen in real files;
the others are as documented.
"""

from __future__ import annotations

import re

from studybook.formats.contract import Format
from studybook.formats.mmpmon.reader import read
from studybook.formats.mmpmon.tables import TABLES
from studybook.formats.raw import Head

_FIRST = re.compile(
    r"(?:_(?:fs_io_s|io_s|ver|reset|nlist|rhist|failed|vio_s|mmpmon::\w{1,20})_"
    r" (?:_req_ \w{1,20} )?_n_ \S|_[a-z]\w{1,30}_ _n_ \S{1,80} _nn_ \S"
    r"|_response_ begin mmpmon\b|mmpmon node \S+ name \S)",
    re.ASCII,
)


def recognise(head: Head) -> bool:
    """Whether there is an answer of mmpmon in the file's head."""
    return head.has(_FIRST)


FORMAT = Format(
    name="mmpmon", title="mmpmon of IBM Storage Scale, with or without -p", source="mmpmon",
    tables=TABLES, recognise=recognise, read=read,
)  # fmt: skip
