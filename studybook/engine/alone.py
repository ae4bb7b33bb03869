"""One command at a time works on a data set; a second one waits."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from studybook.dataset.paths import DataSet


@contextmanager
def alone(data_set: DataSet, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the data set's build folder while something is made in it.

    Parameters
    ----------
    data_set : DataSet
        Its build folder is made where it does not exist.
    waiting : callable, optional
        Called once if another process holds the folder; this one then waits for it.
    """
    data_set.build.mkdir(parents=True, exist_ok=True)
    with (data_set.build / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
