"""Errors that a person can act on.

Every error that the package raises on purpose is a :class:`StudyBookError`. The
command line prints its text without a traceback, so the text must name the file,
the line where there is one, what was expected, and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class StudyBookError(Exception):
    """Something that the reader of the message can put right."""


class Refused(StudyBookError):
    """A raw file that cannot be read, with the reason and the way out.

    Parameters
    ----------
    reason : str
        What was found, as against what was expected.
    do : str
        What the reader of the message should do next.
    path : pathlib.Path or str, optional
        The file; filled in by the registry where a format leaves it out.
    line : int, optional
        The line, counted from 1.
    """

    def __init__(
        self, reason: str, do: str = "", *, path: Path | str | None = None, line: int | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.do = do
        self.path = path
        self.line = line

    def __str__(self) -> str:
        place = str(self.path or "") + (f", line {self.line}" if self.line else "")
        text = f"{place}: {self.reason}" if place else self.reason
        return f"{text}\n  → {self.do}" if self.do else text


class Unknown(Refused):
    """A raw file that no format knows."""


class AmbiguousDate(Refused):
    """A raw file with a date that may be two, and nothing in it that tells which."""


class ReaderFailed(Refused):
    """A raw file on which its reader broke: a mistake of the reader, whatever is in the file."""


class NeedsData(StudyBookError):
    """A figure that cannot be drawn because the data set lacks a raw export."""

    def _render_traceback_(self) -> list[str]:
        """The lines that a notebook shows: no fault of its code, so no traceback."""
        return [f"{type(self).__name__}: {self}"]


def did_you_mean(given: str, known: Iterable[str], most: int = 1) -> str:
    """Ask whether one of the known names was meant; empty where none is like what was given.

    Parameters
    ----------
    given : str
        A name that is not known.
    known : iterable of str
        Those that are.
    most : int
        So many of them are named at most.
    """
    import difflib  # only faults need it

    near = difflib.get_close_matches(given, list(known), n=most)
    return f"did you mean {' or '.join(near)}?" if near else ""
