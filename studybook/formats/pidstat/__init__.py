"""What pidstat of sysstat prints of processes.

Recorded with sysstat 12.6 (``-u -r -d -w -t -l -h``); columns of other options are those of its
manual page.
"""

from __future__ import annotations

import re

from studybook.errors import Refused
from studybook.formats.contract import Format, Reading
from studybook.formats.raw import Head, RawFile
from studybook.formats.sar.reader import Reader
from studybook.formats.sar.tables import tables_of
from studybook.formats.sar.text import tool_in, without_front

#: A row of ``-H``, and of ``-h`` in releases to 11.
_EPOCH = re.compile(r"\s*\d{9,10}\s+\d+\s+\d", re.ASCII)

_HOW = "record it again without -H, and with old releases without -h: pidstat -u -r -d 10 > FILE"


def recognise(head: Head) -> bool:
    """Whether the first heading of the file is one of pidstat."""
    return tool_in(head) == "pidstat"


def read(raw: RawFile, out: Reading) -> None:
    """Read every report of the file.

    Raises
    ------
    Refused
        As the reader of sar does; and if no row could be read.
    """
    without_front(raw.head)
    if any(map(_EPOCH.match, raw.head.lines)):
        raise Refused("has times in seconds since 1970", _HOW)
    Reader(raw, out, plain=False, tool="pidstat").run()
    if not out.rows.keys() & {"pidstat_process", "pidstat_other"}:
        raise Refused(
            "has a heading of pidstat, and no row that could be read", _HOW, line=out.first_unknown
        )


FORMAT = Format(
    "pidstat", "pidstat of sysstat, as printed", "pidstat", tables_of("pidstat"), recognise, read
)
