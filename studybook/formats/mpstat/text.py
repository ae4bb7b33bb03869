"""What mpstat prints: the layout of sar, with columns of its own.

Recorded with sysstat 12.6; headings of older releases are those of public outputs (seen).
"""

from __future__ import annotations

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import Head, RawFile
from studybook.formats.sar.reader import Reader
from studybook.formats.sar.tables import tables_of
from studybook.formats.sar.text import tool_in, without_front

TABLES = tables_of("mpstat")


def recognise(head: Head) -> bool:
    """Whether the first heading of the file is one of mpstat."""
    return tool_in(head) == "mpstat"


def read(raw: RawFile, out: Reading) -> None:
    """Read every report of the file.

    Raises
    ------
    Refused
        As the reader of sar does; and if no row could be read.
    """
    without_front(raw.head)
    Reader(raw, out, plain=False, tool="mpstat").run()
    if not out.rows.keys() & {"mpstat_cpu", "mpstat_other"}:
        raise Refused(
            "has a heading of mpstat, and no row",
            "record it again: mpstat -P ALL 10 > FILE",
            line=out.first_unknown,
        )
