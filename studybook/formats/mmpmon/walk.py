"""The walk through a file: what each line begins, goes on with, or is not."""

from __future__ import annotations

import re

from studybook.formats.contract import Reading
from studybook.formats.mmpmon.below import Notes
from studybook.formats.mmpmon.human import Human
from studybook.formats.mmpmon.keyed import Keyed, starts_answer
from studybook.formats.mmpmon.values import NotUnderstood, is_key, words

#: A record that is wrapped over more lines than this is none.
_MOST_LINES = 12

#: A record stands behind fewer words than this, if it is not the first in its line.
_MOST_IN_FRONT = 5

#: A line in words that is longer, in characters, is none of mmpmon's.
_LONGEST = 4000

_REST_OF_NUMBER = re.compile(r"[0-9]{1,9}")

_MESSAGE = re.compile(
    r"(?:[\w./-]{0,40}mmpmon: .+|.{0,12}6027-[0-9]{3,5} .+"
    r"|Could not establish connection to file system daemon\.?)",
    re.ASCII,
)


class Walk:
    """Hands each line to the answer that it belongs to."""

    def __init__(self, out: Reading) -> None:
        self.out = out
        self.notes = Notes(out)
        self.keyed = Keyed(out, self.notes)
        self.human = Human(out, self.notes, self.keyed.histogram)
        self._open: list[tuple[int, str]] = []
        self._parts: list[str] = []

    def line(self, line: int, text: str) -> None:
        """Account for one line."""
        parts = words(text)
        if not parts:
            self.close()
            self.out.heading()
        elif parts == ["_end_"]:
            self.interrupt()
            self.keyed.end_pass()
            self.out.used()
        elif parts[0] == "_response_":
            self.interrupt()  # begin or end of an answer of the daemon's socket
            self.out.heading()
        elif starts_answer(parts):
            self.close()
            self.human.close()
            self._open, self._parts = [(line, text)], parts
        elif self._continues(parts):
            self._open.append((line, text))
            self._parts += parts
        else:
            self._other(line, text, " ".join(parts))

    def _continues(self, parts: list[str]) -> bool:
        """Whether a line goes on with the record before it.

        It does if it begins with a keyword, or with the value of the keyword before. A lone
        number behind a record is the rest of one that was cut within a number; one of ten
        digits is rather a time that a script printed. A line with a record of its own, behind a
        prompt or the name of a node, does not: it would spoil the one before it.
        """
        if not self._open or len(self._open) > _MOST_LINES:
            return False
        if is_key(parts[0]) or is_key(self._parts[-1]):
            return True
        if _REST_OF_NUMBER.fullmatch(" ".join(parts[:2])):
            return True
        behind = range(1, min(_MOST_IN_FRONT, len(parts)))
        return "_rc_" in parts and not any(starts_answer(parts[place:]) for place in behind)

    def _other(self, line: int, text: str, squeezed: str) -> None:
        """Account for a line that is not in keyword form."""
        heading = squeezed.startswith("mmpmon node ")
        try:
            if len(squeezed) > _LONGEST:
                raise NotUnderstood("no line of an answer in words")
            if heading:
                self.interrupt()
                self.human.heading(line, squeezed, self.keyed.passes + 1)
            if heading or self.human.take(line, text):
                return
        except NotUnderstood:
            if heading:
                self.interrupt()  # what follows belongs to no answer
            self.out.unknown(line, text)
            return
        if _MESSAGE.fullmatch(squeezed):
            self.out.record(
                "mmpmon_mark", line=line, kind="message", text=squeezed[:400],
                **{"pass": self.keyed.passes + 1},
            )  # fmt: skip
            self.out.used()
        else:
            self.out.unknown(line, text)

    def close(self) -> None:
        """Record the answer in keyword form that is complete."""
        lines, parts = self._open, self._parts
        self._open, self._parts = [], []
        if not lines:
            return
        try:
            self.keyed.take(lines[0][0], parts)
        except NotUnderstood:
            for line, text in lines:
                self.out.unknown(line, text)
            return
        self.out.used(len(lines))
        if len(lines) > 1:
            self.notes.repaired(lines[0][0], "records that were wrapped over lines, and are joined")

    def interrupt(self) -> None:
        """End all answers: other lines were read between."""
        self.close()
        self.human.close()
        self.keyed.close()

    def finish(self) -> None:
        """End all answers, and say what is to be said of the file."""
        self.interrupt()
        self.notes.finish()
