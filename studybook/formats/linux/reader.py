"""What captures of a Linux host begin with, and how they are read.

Which format a file is of depends on its first output; all its outputs are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from studybook.formats.captures.section import Command
from studybook.formats.captures.shell import host_of, split_prompt
from studybook.formats.captures.walk import Family
from studybook.formats.linux import (
    db2set,
    ifconfig,
    ip,
    ip_json,
    lsdasd,
    lsqeth,
    lvdisplay,
    lvm,
    multipath,
)  # fmt: skip
from studybook.formats.raw import Head
from studybook.formats.scale.reader import kind_of as scale_kind_of

_COMMAND = re.compile(
    r"(?:/(?:usr/)?s?bin/)?(ifconfig|netstat|lsqeth|ip|lsdasd|pvscan|pvs|lvs|lvdisplay|db2set"
    r"|multipath)"
)
#: Without a prompt a line is a command only if it cannot be the start of a sentence.
_BARE = re.compile(
    r"\S*(?:ifconfig|lsqeth)(?: -[a-z-]{1,10})?(?: [\w.:-]{1,20})?|\S*netstat -[a-z]{1,5}"
    r"|\S*ip(?: -[a-z]{1,10})*(?: (?:l|link|a|addr|address))(?: (?:ls|list|show))?"
    r"(?: (?:dev )?[\w.:-]{1,20})?"
    r"|\S*(?:lsdasd|multipath|db2set)(?: --?[a-zA-Z-]{1,20}){0,6}(?: DB2\w{1,60}=\S{0,200})?"
    r"|\S*(?:pvscan|pvs|lvs|lvdisplay)"
    r"(?: --?[a-zA-Z]{1,20}(?:[ =](?:\+\S{1,200}|[a-z]|json(?:_std)?|\w{1,40}(?:,\w{1,40})+))?)"
    r"{0,8}"
    r"(?: /dev/\S{1,80})?",
    re.ASCII,
)
_MESSAGE = re.compile(
    r"\S{1,40}: error fetching interface information: .{1,100}|(?:lsqeth|lsdasd): .{1,200}"
    r'|Device "[^"]{1,40}" does not exist\.|.{0,40}(?:ifconfig|lsqeth|ip|lsdasd|pvscan|pvs|lvs'
    r"|lvdisplay|db2set|multipath): command not found"
    r"|WARNING: Qethconf is not installed !"
    r"|No ipa_takeover, vipa or parp entries will be displayed\.|Kernel Interface table"
    # LVM
    r"|WARNING: (?:Activation|Running|Failed|PV|VG|Device|Locking|Couldn't|This|Reading) .{1,300}"
    r"|File descriptor [0-9]{1,6} .{0,200}leaked on \w{1,30} invocation\..{0,100}"
    r"|/dev/mapper/control: open failed: .{1,100}|No matching physical volumes found"
    r"|Failed to (?:find|communicate) .{1,200}"
    # DB2, and multipath
    r"|DBI[0-9]{4}[EWI] .{1,300}"
    r"|[A-Z][a-z]{2} [0-9]{1,2} [0-9:]{8} \| .{1,300}"
)


def command_line(text: str, repaired: Callable[[str], None]) -> Command | None:
    """The command that a line gives, with or without a prompt; no name of these is misread."""
    prompt, rest = split_prompt(text)
    words = rest[:4000].split()
    if not words or not (matched := _COMMAND.fullmatch(words[0])):
        return None
    if not prompt and not _BARE.fullmatch(" ".join(words)):
        return None
    return Command(matched[1], tuple(words[1:]), host_of(prompt))


FAMILY = Family(
    title="a capture of a Linux host",
    starts={
        "linux-ifconfig": ifconfig.STARTS, "linux-ip": ip.STARTS, "linux-ip-json": ip_json.STARTS,
        "linux-lsqeth": lsqeth.STARTS, "linux-lsdasd": lsdasd.STARTS, "linux-pvscan": lvm.SCAN,
        "linux-lvm-report": lvm.REPORT, "linux-lvm-json": lvm.JSON,
        "linux-lvdisplay": lvdisplay.STARTS, "linux-db2set": db2set.STARTS,
        "linux-multipath": multipath.STARTS,
    },
    command_line=command_line,
    is_message=lambda text: bool(_MESSAGE.fullmatch(text)),
)  # fmt: skip


@lru_cache(maxsize=1)
def kind_of(head: Head) -> str | None:
    """Which of the formats a file is of; a file with Spectrum Scale's captures is of none."""
    kind = FAMILY.kind_of(head)
    return kind if kind and not scale_kind_of(head) else None
