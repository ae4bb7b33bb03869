"""Locks that have no name: nothing of them is left, however those that share them end.

Python's own, between processes that do not fork, are files in shared memory. Another process
removes them at the end; where all of a group are killed, as a terminal or a scheduler does, it is
killed, too, and they stay until the machine is started anew.
"""

from __future__ import annotations

import os
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext


class Tokens:
    """A lock or a semaphore: a pipe that holds a byte for each that may still enter.

    Parameters
    ----------
    count : int
        How many may.
    """

    def __init__(self, count: int) -> None:
        self._free, self._back = Pipe(duplex=False)
        os.set_blocking(self._free.fileno(), False)  # for all that share it
        os.write(self._back.fileno(), bytes(count))

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:
        """Enter, or wait until that may be; whether it was possible."""
        while True:
            with suppress(BlockingIOError):
                os.read(self._free.fileno(), 1)
                return True
            # Who is woken by a byte may find that another was faster.
            if not block or not wait([self._free], timeout):
                return False

    def release(self) -> None:
        """Leave."""
        os.write(self._back.fileno(), b"\0")

    @property
    def _semlock(self) -> Tokens:
        return self

    def _is_zero(self) -> bool:
        """Whether nobody may enter now: a queue asks it so whether it is full."""
        return not wait([self._free], 0)

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class Nameless(SpawnContext):
    """Processes that are started anew, with such locks."""

    def Lock(self) -> Tokens:  # type: ignore[override]  # noqa: N802 - multiprocessing's name
        """Return a lock."""
        return Tokens(1)

    def BoundedSemaphore(self, value: int = 1) -> Tokens:  # type: ignore[override]  # noqa: N802
        """Return a semaphore; that it is bounded is not held against who shares it."""
        return Tokens(value)
