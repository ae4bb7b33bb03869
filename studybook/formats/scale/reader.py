"""What captures of Spectrum Scale commands begin with, and how they are read.

One reader serves the three formats. Which of them a file is of depends on what its first
output is, so a file is of one only, and a shell session in which forms are mixed is read to
its end.
"""

from __future__ import annotations

import re
from functools import lru_cache

from studybook.formats.captures.section import Command, Line
from studybook.formats.captures.walk import Family
from studybook.formats.contract import Reading
from studybook.formats.raw import RawFile
from studybook.formats.scale import (
    mmdf,
    mmdiag,
    mmgetstate,
    mmhealth,
    mmlscluster,
    mmlsconfig,
    mmlsdisk,
    mmlsfileset,
    mmlsfs,
    mmlslicense,
    mmlsmount,
    mmlsnsd,
    mmlspool,
    shell,
    stanza,
    y,
)

_SCOPE_LINE = re.compile(r"\[[\w,.-]{1,2000}\](?: .*)?")


def _below_command(out: Reading, command: Command) -> mmlsconfig.Config | None:
    # A single setting is printed without any title.
    return mmlsconfig.Config(out, command) if command.name == "mmlsconfig" else None


def _is_titleless(line: Line) -> bool:
    return mmlsconfig.looks_like_setting(line.squeezed)


FAMILY = Family(
    title="a Spectrum Scale capture",
    starts={
        "scale-y": y.STARTS,
        "scale-stanza": stanza.STARTS,
        "scale-text": (
            *mmlscluster.STARTS, *mmlsnsd.STARTS, *mmlsconfig.STARTS, *mmlsfs.STARTS,
            *mmlsmount.STARTS, *mmlsdisk.STARTS, *mmlsfileset.STARTS, *mmlspool.STARTS,
            *mmlslicense.STARTS, *mmdf.STARTS, *mmgetstate.STARTS, *mmhealth.STARTS, *mmdiag.STARTS,
        ),
    },
    command_line=shell.command_line,
    is_message=shell.is_message,
    is_titleless=_is_titleless,
    titleless=mmlsconfig.Config,
    below_command=_below_command,
    is_aside=lambda line: bool(_SCOPE_LINE.fullmatch(line.squeezed)),
    text="scale-text",
)  # fmt: skip
kind_of = lru_cache(maxsize=1)(FAMILY.kind_of)


def read(raw: RawFile, out: Reading) -> None:
    """Read a capture.

    Raises
    ------
    Refused
        If there is nothing in it but headings and messages.
    """
    FAMILY.read(raw, out, comments=kind_of(raw.head) == "scale-stanza")
