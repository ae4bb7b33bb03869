"""What takes long to make is made once for all processes that run tests side by side."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(temporary: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that is made by the first process that asks for it; others wait until then.

    Parameters
    ----------
    temporary : pytest.TempPathFactory
        Where tests may write.
    name : str
        What there is one of in a run of the tests.
    make : callable
        Makes it, at the path that it is given. Tests change nothing in it.
    """
    place = temporary.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # its folder lies in that of the run
        place = place.parent
    folder, done = place / f"shared-{name}", place / f"shared-{name}.done"
    with (place / f"shared-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)  # of one that did not come to an end
            make(folder)
            done.touch()
    return folder
