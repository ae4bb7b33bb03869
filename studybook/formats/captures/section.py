"""The part of a capture that one command printed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from studybook.formats.captures.values import fitted
from studybook.formats.contract import Reading

_RULE = re.compile(r"[-=]{3,}(?: +[-=]+)*")
_CUT_RULE = 5


@dataclass(frozen=True)
class Line:
    """A line of the file.

    Parameters
    ----------
    number : int
        Counted from 1.
    text : str
        The line without its end.
    """

    number: int
    text: str

    @cached_property
    def words(self) -> list[str]:
        """The words, separated by blanks or TABs."""
        return self.text.split()

    @cached_property
    def squeezed(self) -> str:
        """The words with one blank between them, to compare with headings."""
        return " ".join(self.words)


@dataclass(frozen=True)
class Command:
    """A command line in a shell session.

    Parameters
    ----------
    name : str
        The command's name, without its folder.
    words : sequence of str
        What follows the name.
    host : str or None
        The host that the prompt names.
    output : int
        Which output of the file stands below it, counted from 1.
    """

    name: str = ""
    words: Sequence[str] = field(default=())
    host: str | None = None
    output: int = 0

    @property
    def device(self) -> str | None:
        """The file system that the command line names, if it names one.

        It is the first parameter; other words may be the values of options (``--block-size 1G``).
        """
        named = [word for word in self.words if not word.startswith("-")]
        first = named and (len(named) == 1 or named[0] == self.words[0])
        one = named[0].removeprefix("/dev/") if first else None
        return None if one is None or one.startswith("all") or "," in one else one


class Section:
    """The output of one command, line after line.

    Parameters
    ----------
    out : Reading
        Where rows and the account of lines go.
    command : Command
        The command line that stood above the output, if one did.
    """

    #: Whether the output says something although it has no rows.
    answered = False
    #: Whether the line that it is known by has content, and is no mere heading.
    begins_with_content = False
    #: Whether nearly any line of two words could be one of it, also what a script prints behind.
    takes_any = False

    def __init__(self, out: Reading, command: Command) -> None:
        self.out = out
        self.command = command
        #: Whether the rule that is due here has been seen, or none is.
        self.ruled = True
        self._said: set[str] = set()

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Account for the line that the output is known by."""
        if not self.begins_with_content:
            self.out.heading()
        elif not self.take(line):
            self.out.unknown(line.number, line.text)

    def expects(self, line: Line) -> bool:
        """Whether a line belongs here even though other outputs begin with such a line."""
        return False

    def take(self, line: Line) -> bool:
        """Account for a line; False, and nothing done, if it does not belong here."""
        return False

    def blank(self) -> bool:
        """Whether the output goes on after a blank line or a code fence."""
        return True

    def close(self) -> None:
        """Hand over what was held back: the output is at its end."""

    def say(self, line: int, text: str) -> None:
        """Make a remark, once in this output however many lines call for it."""
        if text not in self._said:
            self._said.add(text)
            self.out.remark(line, text)

    def mend(self, line: int, text: str) -> None:
        """Record a repair, once in this output however many lines call for it."""
        if text not in self._said:
            self._said.add(text)
            self.out.repaired(line, text)

    def row(self, table: str, line: int, texts: Mapping[str, str | None], **values: Any) -> None:
        """Add a row from texts; what does not fit its column is NULL, and told.

        Tables that tell outputs apart get the number of the output and the host of the prompt.
        """
        kinds = self.out.columns(table)
        if "capture_no" in kinds:
            texts = {"host": self.command.host, **texts}
            values["capture_no"] = self.command.output
        row, lost = fitted(kinds, texts)
        for column in lost:
            self.say(line, f"{column} is not as expected, or too large: {str(texts[column])[:60]}")
        self.out.record(table, line=line, **row, **values)

    def rule(self, line: Line) -> bool:
        """Account for a rule under a heading, whole or cut by a transcription."""
        if not _RULE.fullmatch(line.squeezed):
            return False
        self.out.heading()
        self.ruled = True
        if len(line.squeezed) <= _CUT_RULE:
            self.mend(line.number, "the rule under the heading is cut (transcribed)")
        return True

    def needs_rule(self, line: Line) -> None:
        """Record at the first line below a heading that the rule between them is lost."""
        if not self.ruled:
            self.mend(line.number, "the rule above this line is lost (transcribed)")
            self.ruled = True


class Stray(Section):
    """What a line tells of that is in the output, but does not begin it."""

    begins_with_content = True


class TableSection(Section):
    """An output that is a table: heading, rule, rows; a blank line after rows ends it."""

    #: Whether the command prints a rule between the heading and the rows.
    has_rule = True
    #: Further headings, which may stand below the first.
    headings: re.Pattern[str] | None = None

    def __init__(self, out: Reading, command: Command) -> None:
        super().__init__(out, command)
        self.rows = 0
        self.ruled = not self.has_rule

    def take(self, line: Line) -> bool:
        """Account for a rule, a further heading or a row."""
        if self.rule(line):
            return True
        if self.headings and self.headings.fullmatch(line.squeezed):
            self.out.heading()
            return True
        if not self.take_row(line):
            return False
        self.out.used()
        self.rows += 1
        self.needs_rule(line)
        if "\t" in line.text:
            self.mend(line.number, "columns are separated by TABs (transcribed)")
        return True

    def take_row(self, line: Line) -> bool:
        """Take a row; False, and nothing done, if it is none."""
        raise NotImplementedError

    def blank(self) -> bool:
        """A table ends with a blank line, but not before its first row."""
        return not self.rows


@dataclass(frozen=True)
class Start:
    """How an output begins.

    Parameters
    ----------
    pattern : re.Pattern
        Matches the whole line, its words separated by one blank.
    section : type
        What is made of the output.
    tells : bool
        Whether a file may be known by such a line; not if other tools print one like it.
    """

    pattern: re.Pattern[str]
    section: type[Section]
    tells: bool = True
