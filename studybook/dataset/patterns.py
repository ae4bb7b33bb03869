"""Patterns under ``files`` of a ``run.yml``: ``*.csv``, ``sar/**``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

#: What makes a path a pattern, if there is no file of just that name.
_MARKS = frozenset("*?[")


def is_pattern(folder: Path, path: str) -> bool:
    """Whether a path that a run lists stands for any number of files."""
    return not _MARKS.isdisjoint(path) and not (folder / path).exists()


def matches(folder: Path, pattern: str, without: Collection[str]) -> Iterator[str]:
    """The files below a folder that fit a pattern, in the order of their names.

    Parameters
    ----------
    folder : pathlib.Path
        The folder of the run.
    pattern : str
        ``*`` stands for any letters within a name, ``?`` for one, ``[ab]`` for one of those, and
        ``**`` for any folders; at the end it stands for all files in them, too.
    without : collection of str
        Paths that are never meant, such as those that the run lists by name.

    Yields
    ------
    path : str
        Below the folder. Hidden files, and files in hidden folders, are not meant.
    """
    everything = f"{pattern}/*" if pattern.split("/")[-1] == "**" else pattern
    for path in sorted({*folder.glob(everything)}):
        inner = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in inner.parts)
        if path.is_file() and not hidden and inner.as_posix() not in without:
            yield inner.as_posix()
