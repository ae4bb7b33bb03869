"""What is to be said of a file of sar as a whole, once all of it was read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.sar.activities import layout_of
from studybook.formats.sar.heading import Heading, is_number
from studybook.formats.sar.rows import Rows

#: So many lines at the end that were not understood are another thing, and no damage.
_MANY_LINES = 20
_LOOKS_LIKE_TIME = re.compile(r"\d{1,2}\D{1,2}\d\d\D{1,2}\d\d(?!\d)", re.ASCII)

#: What to do where times are in a language that is not known here.
PLAIN_LANGUAGE = "print the report again with LC_ALL=C (or S_TIME_FORMAT=ISO) set"


@dataclass
class Verdict:
    """What is counted on the way through a file.

    Attributes
    ----------
    rows : int
        Rows that were read.
    understood : int
        The last line that was understood, and is not blank.
    tail, tail_start : int
        Lines not understood after the last one that was, and the first of them.
    last_unknown : int
        The last line that was not understood.
    with_time : list of str
        The first line that was not understood and seems to have a time, if there is one.
    """

    rows: int = 0
    understood: int = 0
    tail: int = 0
    tail_start: int = 0
    last_unknown: int = 0
    with_time: list[str] = field(default_factory=list)

    def take(self, found: Rows, heading: Heading) -> None:
        """Look at the rows of a section from one block.

        Raises
        ------
        Refused
            If each row begins with a word for a part of the day.
        """
        for lines in (found.data.line, found.means.line):
            if len(lines):
                self.understood = max(self.understood, int(lines[-1]))
        if not len(found.data.line):
            return
        self.rows += len(found.data.line)
        if not heading.layout:
            _refuse_time_word(found, heading)

    def leave(self, unknown: Sequence[tuple[int, str]]) -> None:
        """Take note of the lines of one block that were not understood."""
        if self.tail_start <= self.understood:
            self.tail = 0
        if not self.with_time:
            self.with_time = [text for _, text in unknown if _LOOKS_LIKE_TIME.search(text)][:1]
        for line, _ in unknown:
            self.last_unknown = max(self.last_unknown, line)
            if line > self.understood:
                self.tail_start = min(line, self.tail_start) if self.tail else line
                self.tail += 1

    def pronounce(self, out: Reading) -> None:
        """Say it.

        Raises
        ------
        Refused
            If there is no row, and most lines were not understood.
        """
        if not self.rows and 2 * out.lines_not_understood > out.lines:
            self._refuse(out)
        if self.tail >= _MANY_LINES:
            out.remark(
                self.tail_start,
                f"from line {self.tail_start} on nothing was understood ({self.tail} lines):"
                " something else follows the report",
            )

    def _refuse(self, out: Reading) -> None:
        few = f"no row was found, and {out.lines_not_understood} of {out.lines} lines were not"
        if self.with_time:
            raise Refused(
                f"{few} understood; times are of a language (LC_TIME) not known here, or"
                f" something stands in front of them: {self.with_time[0][:40].strip()!r}",
                f"{PLAIN_LANGUAGE}, with nothing in front of its lines",
            )
        line, text = out.not_understood[0]
        raise Refused(
            f"{few} understood: {text[:40].strip()!r}",
            "print the report again with LC_ALL=C set, and leave it as it is",
            line=line,
        )


def _refuse_time_word(found: Rows, heading: Heading) -> None:
    """Refuse rows that have the first "name" of their heading again, or another word there."""
    first = found.names if heading.item == 0 else found.data.texts[0]
    again = all(word == heading.names[0] for word in first)
    words = not any(is_number(word.encode()) for word in first)
    if again or (words and layout_of(heading.names[1:])):
        raise Refused(
            f"the word {heading.names[0]!r} behind the times is that for a part of the day in"
            " some language, and not known here",
            PLAIN_LANGUAGE,
            line=int(found.data.line[0]) - 1,
        )
