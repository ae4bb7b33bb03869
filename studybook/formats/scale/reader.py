"""What captures of Spectrum Scale commands begin with, and how they are read.

One reader serves the three formats. Which of them a file is of depends on what its first
output is, so a file is of one only, and a shell session in which forms are mixed is read to
its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from studybook.formats.captures.section import Command
from studybook.formats.captures.shell import host_of, split_prompt
from studybook.formats.captures.walk import Family
from studybook.formats.contract import Reading
from studybook.formats.raw import RawFile
from studybook.formats.scale import (
    disks,
    filesystems,
    mmdiag,
    mmhealth,
    nodes,
    settings,
    stanza,
    y,
)  # fmt: skip

_COMMAND = re.compile(r"(?:/usr/lpp/mmfs/bin/)?(mm[a-zA-Z|][a-zA-Z0-9|]{1,30}|mm1s[a-z]{2,20})")
_MISREAD = re.compile(r"mm[1I|]s(?=[a-z])")
#: Such as 'mmlsfs: No file systems were found.'.
_MESSAGE = re.compile(r"(mm(?!pmon)[a-z]{2,30}): \S")

#: Commands that may stand on a line of their own without a prompt, as headings do.
_KNOWN = re.compile(r"mm(?:ls[a-z]{2,16}|diag|df|getstate|health)")
_LONGEST_BARE = 4


def command_line(text: str, repaired: Callable[[str], None]) -> Command | None:
    """The command that a line gives, with or without a prompt.

    `repaired` is told of a name that was put right, such as ``mm1scluster``.
    """
    prompt, rest = split_prompt(text)
    words = rest[:4000].split()
    if not words or not (matched := _COMMAND.fullmatch(words[0])):
        return None
    name = _MISREAD.sub("mmls", matched[1])
    if not prompt and not _is_bare_command(name, words[1:]):
        return None
    if name != matched[1]:
        repaired(f"{matched[1]} is {name} (transcribed)")
    return Command(name, tuple(words[1:]), host_of(prompt))


def _is_bare_command(name: str, words: list[str]) -> bool:
    """Without a prompt a line is a command only if it cannot be the start of a sentence."""
    operands = [word for word in words if not word.startswith("-")]
    return bool(_KNOWN.fullmatch(name)) and len(words) <= _LONGEST_BARE and len(operands) <= 1


_SCOPE_LINE = re.compile(r"\[[\w,.-]{1,2000}\](?: .*)?")
FAMILY = Family(
    title="a Spectrum Scale capture",
    starts={
        "scale-y": y.STARTS,
        "scale-stanza": stanza.STARTS,
        "scale-text": (
            *nodes.STARTS, *disks.STARTS, *filesystems.STARTS, *settings.STARTS, *mmhealth.STARTS,
            *mmdiag.STARTS,
        ),
    },
    command_line=command_line,
    is_message=lambda text: bool(_MESSAGE.match(text)),
    is_titleless=lambda line: settings.looks_like_setting(line.squeezed),
    titleless=settings.Config,
    # A single setting is printed without any title.
    below_command=lambda out, command: (
        settings.Config(out, command) if command.name == "mmlsconfig" else None
    ),
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
