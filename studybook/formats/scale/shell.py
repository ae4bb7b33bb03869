"""Command lines and messages of Spectrum Scale."""

from __future__ import annotations

import re
from collections.abc import Callable

from studybook.formats.captures.section import Command
from studybook.formats.captures.shell import host_of, split_prompt

_COMMAND = re.compile(r"(?:/usr/lpp/mmfs/bin/)?(mm[a-zA-Z|][a-zA-Z0-9|]{1,30}|mm1s[a-z]{2,20})")
_MISREAD = re.compile(r"mm[1I|]s(?=[a-z])")
_MESSAGE = re.compile(r"(mm(?!pmon)[a-z]{2,30}): \S")

#: Commands that may stand on a line of their own without a prompt, as headings do.
_KNOWN = re.compile(r"mm(?:ls[a-z]{2,16}|diag|df|getstate|health)")
_LONGEST_BARE = 4


def command_line(text: str, repaired: Callable[[str], None]) -> Command | None:
    """The command that a line gives, with or without a prompt.

    Parameters
    ----------
    text : str
        The line.
    repaired : callable
        Told of a name that was put right, such as ``mm1scluster``.
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


def is_message(text: str) -> bool:
    """Whether a line is a message of a command: 'mmlsfs: No file systems were found.'."""
    return bool(_MESSAGE.match(text))
