"""Folders for a while, which do not outlive who made them: not even a process that was killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: How the name of such a folder begins.
PREFIX = "studybook."

#: A folder this young may still be without the lock of its maker.
_YOUNG_S = 60


@contextmanager
def scratch(place: Path | None = None) -> Iterator[Path]:
    """Make a folder, and remove it at the end; before that, those that were left behind.

    Who makes one holds a lock on it, which ends with the process, however that ends. So a folder
    that can be locked is nobody's: process ids would mean nothing to another container.

    Parameters
    ----------
    place : pathlib.Path, optional
        The folder to make it in; that for temporary files, when left out.
    """
    place = place or Path(tempfile.gettempdir())
    for left in place.glob(f"{PREFIX}*"):
        with suppress(OSError):  # gone meanwhile, somebody else's, or in use
            if time.time() - left.stat().st_mtime > _YOUNG_S and left.stat().st_uid == os.getuid():
                with _locked(left):
                    shutil.rmtree(left)
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=place) as made, _locked(Path(made)):
        yield Path(made)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold a lock on a folder.

    Raises
    ------
    OSError
        If it is no folder, or somebody else holds its lock.
    """
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(opened)
