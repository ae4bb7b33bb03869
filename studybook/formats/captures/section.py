"""The part of a capture that one command printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from studybook.formats.captures.values import fitted
from studybook.formats.contract import Reading

_RULE = re.compile(r"[-=]{3,}(?: +[-=]+)*")
_CUT_RULE = 5


@dataclass(frozen=True)
class Line:
    """A line of the file: its number, from 1, and its text without the end."""

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

    def device_of(self, name: str) -> str | None:
        """The file system that the command line names, if it is of that command."""
        return self.device if self.name == name else None


@dataclass
class Section:
    """The output of one command, line after line, and the command line that stood above it."""

    out: Reading
    command: Command
    #: What the line that the output is known by matched.
    title: re.Match[str] = field(init=False)
    _said: set[str] = field(default_factory=set, init=False)

    #: Whether the output says something although it has no rows.
    answered = False
    #: Whether the line that it is known by has content, and is no mere heading.
    begins_with_content = False
    #: Whether nearly any line of two words could be one of it, also what a script prints behind.
    takes_any = False
    #: Whether the rule that is due here has been seen, or none is.
    ruled = True
    #: Whether the file ends with it: it may be cut.
    ends_file = False

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Account for the line that the output is known by."""
        self.title = match
        if not self.begins_with_content:
            self.out.heading()
        elif not self.take(line):
            self.out.unknown(line.number, line.text)

    def expects(self, line: Line) -> bool:
        """Whether a line belongs here even though other outputs begin with such a line."""
        return False

    def take(self, line: Line) -> bool:
        """Account for a line; False, and nothing done, if it does not belong here."""
        kept = self._take(line)
        if kept is not None:
            self.out.account(line.number, line.text, kept)
        return kept is not None

    def _take(self, line: Line) -> bool | None:
        """Whether the content of a line is kept; None, and nothing done, if it is not of here."""
        return None

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

    def is_rule(self, line: Line) -> bool:
        """Whether a line is the rule under a heading, whole or cut by a transcription."""
        if not _RULE.fullmatch(line.squeezed):
            return False
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


@dataclass
class Items(Section):
    """An output that is a list of things; one that was there already begins the next output."""

    seen: set[str] = field(default_factory=set, init=False)

    begins_with_content = True
    #: Matches the first line of a thing, and names it in its first group.
    item: ClassVar[re.Pattern[str]]

    def expects(self, line: Line) -> bool:
        """A thing that was not yet there."""
        found = self.item.fullmatch(line.squeezed)
        return found is not None and found[1] not in self.seen


@dataclass
class TableSection(Section):
    """An output that is a table: heading, rule, rows; a blank line after rows ends it."""

    rows: int = field(default=0, init=False)

    #: Further headings, which may stand below the first.
    headings: ClassVar[re.Pattern[str] | None] = None
    #: Rows whose words go to columns by the names of their groups, and the table of the columns.
    pattern: ClassVar[re.Pattern[str]]
    table: ClassVar[str]
    ruled = False

    def _take(self, line: Line) -> bool | None:
        if self.is_rule(line) or (self.headings and self.headings.fullmatch(line.squeezed)):
            return False
        if not self._row(line):
            return None
        self.rows += 1
        self.needs_rule(line)
        if "\t" in line.text:
            self.mend(line.number, "columns are separated by TABs (transcribed)")
        return True

    def _row(self, line: Line) -> bool:
        """Take a row; False, and nothing done, if it is none."""
        found = self.pattern.fullmatch(line.squeezed)
        if found:
            self.row(self.table, line.number, found.groupdict())
        return found is not None

    def blank(self) -> bool:
        """A table ends with a blank line, but not before its first row."""
        return not self.rows


@dataclass(frozen=True)
class Start:
    """How an output begins.

    Parameters
    ----------
    pattern : str
        Regular expression of the whole line, its words separated by one blank.
    section : type
        What is made of the output.
    tells : bool
        Whether a file may be known by such a line; not if other tools print one like it.
    """

    pattern: str
    section: type[Section]
    tells: bool = True

    @cached_property
    def match(self) -> Callable[[str], re.Match[str] | None]:
        """Matches a line that begins the output."""
        return re.compile(self.pattern).fullmatch
