"""What is printed to a terminal: raw files and their names may hold what steers one."""

from __future__ import annotations

import io
import re
import sys

#: Control characters, and those that turn the direction of a text; not those of our own: line ends,
#: TABs, plain colours, and what a progress bar begins and ends with.
_STEERS = re.compile(
    r"(?!\x1b\[(?:[0-2]|3[0-7]|9[0-7])m|\x1b\[\?25[lh])"
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def shown(text: str) -> str:
    """A text with what would steer a terminal as it is written in Python, such as ``\\x1b``.

    A carriage return at its beginning stays: a progress bar is drawn anew.
    """
    begin = text[:1] if text.startswith("\r") else ""
    return begin + _STEERS.sub(_written, text[len(begin) :])


def _written(found: re.Match[str]) -> str:
    return repr(found[0])[1:-1]


class _Terminal(io.TextIOWrapper):
    def write(self, text: str) -> int:
        """Write a text, as it may be shown."""
        super().write(shown(text))
        return len(text)


def guard() -> None:
    """Have what this process prints to a terminal not steer it."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and stream.isatty():
            encoding, errors = stream.encoding, stream.errors
            guarded = _Terminal(stream.detach(), encoding, errors, line_buffering=True)
            setattr(sys, name, guarded)
