"""Going through a capture that may hold the outputs of several commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from studybook.errors import Refused
from studybook.formats.captures import shell
from studybook.formats.captures.section import Command, Line, Section, Start
from studybook.formats.contract import Reading
from studybook.formats.raw import Head, RawFile

#: Lines with content in which the first output must begin, after prompts and prose.
LOOKED_AT = 60


def _nothing(*of: object) -> None:
    return None


@dataclass(frozen=True)
class Family:
    """The captures of one source.

    Parameters
    ----------
    title : str
        What the captures are of, for messages.
    starts : mapping of str to sequence of Start
        Name of a format to the starts of its outputs. The first output in a file says of
        which format the file is; all its outputs are read.
    command_line : callable
        The command that a line gives, or None; is handed the line and a function that takes
        note of what had to be put right in it.
    is_message : callable
        Whether a line is a message of a command.
    is_titleless : callable
        Whether a line begins an output that has no title; such a file is of ``text``.
    titleless : callable
        Makes the section of such an output.
    below_command : callable
        Makes the section of an output that is known by the command line above it, or None.
    is_aside : callable
        Whether a line does not count among those in which the first output must begin.
    text : str
        The format of a file that begins with a message or an output without title.
    """

    title: str
    starts: Mapping[str, Sequence[Start]]
    command_line: Callable[[str, Callable[[str], None]], Command | None]
    is_message: Callable[[str], bool]
    is_titleless: Callable[[Line], bool] = lambda line: False
    titleless: Callable[[Reading, Command], Section | None] = _nothing
    below_command: Callable[[Reading, Command], Section | None] = _nothing
    is_aside: Callable[[Line], bool] = lambda line: False
    text: str | None = None

    @cached_property
    def _tell(self) -> list[tuple[str, Callable[[str], object]]]:
        """What each line of a file is tried for: names of formats, in their order."""
        return [
            (name, start.match)
            for name, starts in self.starts.items()
            for start in starts
            if start.tells
        ]

    def kind_of(self, head: Head) -> str | None:
        """Which format of the family a file that starts with this head is of, or None."""
        looked = 0
        for text in head.lines:
            line = Line(0, text)
            if not line.words or shell.is_fence(line.squeezed):
                continue
            for name, is_start in self._tell:
                if is_start(line.squeezed):
                    return name
            if self.command_line(text, _nothing):
                continue
            if self.is_message(line.squeezed) or (not looked and self.is_titleless(line)):
                if self.text and not looked:
                    return self.text
                continue
            looked += not self.is_aside(line)
            if looked > LOOKED_AT:
                break
        return None

    def read(self, raw: RawFile, out: Reading, comments: bool = False) -> None:
        """Read a capture; with `comments`, lines that begin with ``#`` are some, as in stanzas.

        Raises
        ------
        Refused
            If there is nothing in it but headings and messages.
        """
        walk = Walk(self, out, comments)
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
            f"has the headings of {self.title}, but no row that could be read",
            "capture the whole output of the command again",
        )


#: A line within a frame, or of the frame.
_BOXED = re.compile(r"\|(.*)\||[=+-]{20,}")


class Walk:
    """Hands each line to the output that it belongs to."""

    def __init__(self, family: Family, out: Reading, comments: bool = False) -> None:
        self.family = family
        self.starts = [start for starts in family.starts.values() for start in starts]
        self.out = out
        self.comments = comments
        self.section: Section | None = None
        self.command = Command()
        self.outputs = 0
        self.messages: list[str] = []
        self.box: list[str] = []
        self.answered = False

    def line(self, line: Line) -> None:
        """Account for one line."""
        if not line.words or shell.is_fence(line.squeezed):
            self.out.heading()
            if self.section and not self.section.blank():
                self._begin(None)
        elif not (
            (self.section and self.section.expects(line) and self.section.take(line))
            or self._start(line)
            or self._command(line)
            or (self.section and self.section.take(line))
            or self._titleless(line)
        ):
            self._rest(line)

    def end(self) -> None:
        """Close the last output."""
        if self.section:
            self.section.ends_file = True
        self._begin(None)

    def _begin(self, section: Section | None) -> None:
        if self.section:
            self.section.close()
            self.answered = self.answered or self.section.answered
        self.section = section

    def _start(self, line: Line) -> bool:
        for start in self.starts:
            if match := start.match(line.squeezed):
                self._begin(None)
                self.outputs += 1
                command = replace(self.command, output=self.outputs)
                section = start.section(self.out, command)
                section.begin(line, match)
                self._begin(section)
                return True
        return False

    def _titleless(self, line: Line) -> bool:
        if not self.family.is_titleless(line):
            return False
        section = self.family.titleless(self.out, self.command)
        self._begin(section)
        return section is not None and section.take(line)

    def _command(self, line: Line) -> bool:
        found = self.family.command_line(
            line.text, lambda text: self.out.repaired(line.number, text)
        )
        if found is None and not shell.SESSION_PROMPT.match(line.text[:200]):
            return False
        self.out.heading()
        self.command = found or Command(host=shell.host_of(shell.split_prompt(line.text)[0]))
        self._begin(self.family.below_command(self.out, found) if found else None)
        return True

    def _in_box(self, number: int, text: str) -> None:
        """Take a line of a message in a frame, as of licences; it is said where the frame ends."""
        self.out.heading()
        if text:
            self.box.append(text)
        elif self.box:
            self.out.remark(number, f"message of the command: {' '.join(self.box)[:300]}")
            self.box = []

    def _rest(self, line: Line) -> None:
        if self.family.is_message(line.squeezed):
            self.out.heading()
            self.out.remark(line.number, f"message of the command: {line.squeezed[:300]}")
            self.messages.append(line.squeezed[:300])
        elif self.section is None and (boxed := _BOXED.fullmatch(line.squeezed)):
            self._in_box(line.number, (boxed[1] or "").strip())
        elif self.comments and line.squeezed.startswith("#"):
            self.out.heading()
        else:
            self.out.unknown(line.number, line.text)
            if shell.split_prompt(line.text)[0]:
                # '# cat notes' may be a command or a comment; either way an output ends here.
                self._begin(None)
            elif shell.BANNER.match(line.squeezed[:200]):
                if self.section and self.section.takes_any:
                    self._begin(None)
                # The next output is not that of the command line above.
                self.command = Command(host=self.command.host)
