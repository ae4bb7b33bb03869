"""Going through a capture that may hold the outputs of several commands.

One reader serves the three formats. Which of them a file is of depends on what its first
output is, so a file is of one only, and a shell session in which forms are mixed is read to
its end.
"""

from __future__ import annotations

import re

from pipelines.errors import Refused
from pipelines.formats.contract import Reading
from pipelines.formats.raw import Head, RawFile
from pipelines.formats.scale import (
    mmdiag,
    mmlscluster,
    mmlsconfig,
    mmlsdisk,
    mmlsfs,
    mmlsmount,
    mmlsnsd,
    shell,
    stanza,
    y,
)
from pipelines.formats.scale.section import Command, Line, Section, Start

#: Lines with content in which the first output must begin, after prompts and prose.
LOOKED_AT = 60

TEXT_STARTS: tuple[Start, ...] = (
    *mmlscluster.STARTS,
    *mmlsnsd.STARTS,
    *mmlsconfig.STARTS,
    *mmlsfs.STARTS,
    *mmlsmount.STARTS,
    *mmlsdisk.STARTS,
    *mmdiag.STARTS,
)
_STARTS = {
    "scale-y": y.STARTS,
    "scale-stanza": stanza.STARTS,
    "scale-text": TEXT_STARTS,
}
_EVERY_START = tuple(start for starts in _STARTS.values() for start in starts)
_SCOPE_LINE = re.compile(r"\[[\w,.-]{1,2000}\](?: .*)?")


def kind_of(head: Head) -> str | None:
    """Which of the three formats a file is of, or None.

    Parameters
    ----------
    head : Head
        The first part of the file.
    """
    looked = 0
    for text in head.lines:
        line = Line(0, text)
        if not line.words or shell.is_fence(line.squeezed):
            continue
        for name, starts in _STARTS.items():
            if any(start.pattern.fullmatch(line.squeezed) for start in starts):
                return name
        if shell.command_line(text, _ignore):
            continue
        if not looked and (shell.is_message(line.squeezed) or _is_titleless(line)):
            return "scale-text"
        if not _SCOPE_LINE.fullmatch(line.squeezed):
            looked += 1
        if looked > LOOKED_AT:
            break
    return None


def _is_titleless(line: Line) -> bool:
    return mmlsconfig.looks_like_setting(line.squeezed)


def _ignore(text: str) -> None:
    """Take no notice: only the reader makes remarks."""


class Walk:
    """Hands each line to the output that it belongs to.

    Parameters
    ----------
    out : Reading
        Where rows and the account of lines go.
    comments : bool
        Whether a line that begins with ``#`` is a comment, as in stanza files.
    """

    def __init__(self, out: Reading, comments: bool = False) -> None:
        self.out = out
        self.comments = comments
        self.section: Section | None = None
        self.command = Command()
        self.messages: list[str] = []
        self.answered = False

    def line(self, line: Line) -> None:
        """Account for one line."""
        if not line.words or shell.is_fence(line.squeezed):
            self.out.heading()
            if self.section and not self.section.blank():
                self._begin(None)
        elif self.section and self.section.expects(line):
            self.section.take(line)
        elif not (
            self._start(line)
            or self._command(line)
            or (self.section and self.section.take(line))
            or self._titleless(line)
        ):
            self._rest(line)

    def end(self) -> None:
        """Close the last output."""
        self._begin(None)

    def _begin(self, section: Section | None) -> None:
        if self.section:
            self.section.close()
            self.answered = self.answered or self.section.answered
        self.section = section

    def _start(self, line: Line) -> bool:
        for start in _EVERY_START:
            if match := start.pattern.fullmatch(line.squeezed):
                self._begin(None)
                self._begin(start.make(self.out, self.command, line, match))
                return True
        return False

    def _titleless(self, line: Line) -> bool:
        if not _is_titleless(line):
            return False
        config = mmlsconfig.Config(self.out, self.command)
        self._begin(config)
        return config.take(line)

    def _command(self, line: Line) -> bool:
        command = shell.command_line(line.text, lambda text: self.out.remark(line.number, text))
        if command is None and not shell.is_session_prompt(line.text):
            return False
        self.out.heading()
        self.command = command or Command()
        # A single setting is printed without any title.
        is_config = self.command.name == "mmlsconfig"
        self._begin(mmlsconfig.Config(self.out, self.command) if is_config else None)
        return True

    def _rest(self, line: Line) -> None:
        if shell.is_message(line.squeezed):
            self.out.heading()
            self.out.remark(line.number, f"message of the command: {line.squeezed[:300]}")
            self.messages.append(line.squeezed[:300])
        elif self.comments and line.squeezed.startswith("#"):
            self.out.heading()
        else:
            self.out.unknown(line.number, line.text)


def read(raw: RawFile, out: Reading) -> None:
    """Read a capture.

    Raises
    ------
    Refused
        If there is nothing in it but headings and messages.
    """
    walk = Walk(out, comments=kind_of(raw.head) == "scale-stanza")
    for number, text in raw.lines():
        walk.line(Line(number, text))
    walk.end()
    if any(out.rows.values()) or walk.answered:
        return
    if walk.messages:
        raise Refused(
            f"holds no data; the command said: {walk.messages[0]}",
            "capture the command's output again where it succeeds",
        )
    raise Refused(
        "has the headings of a Spectrum Scale capture, but no row that could be read",
        "capture the whole output of the command again",
    )
