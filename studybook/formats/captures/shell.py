"""What stands around the outputs: prompts with commands, code fences."""

from __future__ import annotations

import re

#: A prompt: '# ', '[root@node1 ~]# ', 'node1:~ # ', '$ sudo '. All parts are bounded, so that
#: a hostile line costs no time.
_PROMPT = re.compile(
    r"\s{0,8}(?:\[[^\]]{1,80}\]\s?|[\w.@:~/-]{1,80}\s?)?[#$>]\s{0,4}(?:sudo\s+)?(?=[\w/.])"
)
#: Some other command at a prompt that names user or host.
SESSION_PROMPT = re.compile(r"\s{0,8}(?:\[[\w@:~/. -]{1,80}\]|[\w.-]{1,40}@[\w.:~/-]{1,80})[#$]\s")
#: A script's title of what follows: '=== uptime ===', '##### df'.
BANNER = re.compile(r"([=#*])\1{2,80} ?[\w/.]")
_HOST = re.compile(r"\[?(?:[\w.-]{1,40}@([\w.-]{1,64})|([\w.-]{1,64}):[~/])", re.ASCII)


def split_prompt(text: str) -> tuple[str, str]:
    """The prompt at the start of a line, empty if there is none, and what follows it."""
    prompt = _PROMPT.match(text)
    end = prompt.end() if prompt else 0
    return text[:end], text[end:]


def host_of(prompt: str) -> str | None:
    """The host that a prompt names: '[root@node1 ~]# ', 'root@node1:~# ', 'node1:~ # '."""
    named = _HOST.match(prompt.strip())
    return (named[1] or named[2]) if named else None


def is_fence(text: str) -> bool:
    """Whether a line begins or ends a block of code in a document."""
    return text.startswith("```")
