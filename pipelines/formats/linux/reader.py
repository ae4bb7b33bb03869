"""What captures of network devices begin with, and how they are read.

Which format a file is of depends on its first output; all its outputs are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from pipelines.formats._captures.section import Command
from pipelines.formats._captures.shell import host_of, split_prompt
from pipelines.formats._captures.walk import Family
from pipelines.formats.linux import ifconfig, ip, ip_json, lsqeth
from pipelines.formats.raw import Head
from pipelines.formats.scale.reader import kind_of as scale_kind_of

_COMMAND = re.compile(r"(?:/(?:usr/)?s?bin/)?(ifconfig|netstat|lsqeth|ip)")
#: Without a prompt a line is a command only if it cannot be the start of a sentence.
_BARE = re.compile(
    r"\S*(?:ifconfig|lsqeth)(?: -[a-z-]{1,10})?(?: [\w.:-]{1,20})?|\S*netstat -[a-z]{1,5}"
    r"|\S*ip(?: -[a-z]{1,10})*(?: (?:l|link|a|addr|address))(?: (?:ls|list|show))?"
    r"(?: (?:dev )?[\w.:-]{1,20})?",
    re.ASCII,
)
_MESSAGE = re.compile(
    r"\S{1,40}: error fetching interface information: .{1,100}|lsqeth: .{1,200}"
    r'|Device "[^"]{1,40}" does not exist\.|.{0,40}(?:ifconfig|lsqeth|ip): command not found'
    r"|WARNING: Qethconf is not installed !"
    r"|No ipa_takeover, vipa or parp entries will be displayed\.|Kernel Interface table"
)


def command_line(text: str, repaired: Callable[[str], None]) -> Command | None:
    """The command that a line gives, with or without a prompt.

    Parameters
    ----------
    text : str
        The line.
    repaired : callable
        Not used: no name of these commands has been seen misread.
    """
    prompt, rest = split_prompt(text)
    words = rest[:4000].split()
    if not words or not (matched := _COMMAND.fullmatch(words[0])):
        return None
    if not prompt and not _BARE.fullmatch(" ".join(words)):
        return None
    return Command(matched[1], tuple(words[1:]), host_of(prompt))


FAMILY = Family(
    title="a capture of network devices",
    starts={
        "linux-ifconfig": ifconfig.STARTS,
        "linux-ip": ip.STARTS,
        "linux-ip-json": ip_json.STARTS,
        "linux-lsqeth": lsqeth.STARTS,
    },
    command_line=command_line,
    is_message=lambda text: bool(_MESSAGE.fullmatch(text)),
)


@lru_cache(maxsize=1)
def kind_of(head: Head) -> str | None:
    """Which of the formats a file is of; a file with Spectrum Scale's captures is of none."""
    kind = FAMILY.kind_of(head)
    return kind if kind and not scale_kind_of(head) else None
