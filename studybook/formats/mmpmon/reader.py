"""Going through a file of answers, in keyword form, in words, or both."""

from __future__ import annotations

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.mmpmon.blocks import Block
from studybook.formats.mmpmon.walk import Walk
from studybook.formats.raw import RawFile

#: Tables whose answers were met in real files; the others are as documented.
_SEEN = {"mmpmon_fs_io", "mmpmon_io", "mmpmon_value"}


def read(raw: RawFile, out: Reading) -> None:
    """Read a file of answers.

    Raises
    ------
    Refused
        If there is none in it that can be read.
    """
    walk = Walk(out)
    before: Block | None = None
    for first, data in raw.blocks():
        if before:
            before.read(walk)
        before = Block(first, data)
    if before:
        if raw.no_last_line_end:
            before.drop_last_word()
        before.read(walk)
    walk.finish()
    if walk.human.ranges:
        out.certainty = "from memory"
    elif out.rows.keys() - _SEEN:
        out.certainty = "documented"
    if not any(out.rows.values()):
        raise Refused(
            "begins like output of mmpmon, but no answer in it could be read",
            "record it again: mmpmon -p -i requests -r 10 -d 1000 > file",
        )
