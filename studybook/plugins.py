"""Where the formats of the book lie that this process works on: ``pipelines/formats/`` of it.

Code is run from there and from installed packages only, and never from a data set.
"""

from __future__ import annotations

from pathlib import Path

#: The folder in a book.
FOLDER = Path("pipelines/formats")

#: The group of entry points by which packages name theirs: a Format, or several in a list.
GROUP = "studybook.formats"

_root: Path | None = None


def use_book(root: Path | None) -> None:
    """Say which book this process works on, in the place of the one before."""
    global _root
    _root = root


def book() -> Path | None:
    """The book that this process works on, if it works on one."""
    return _root
