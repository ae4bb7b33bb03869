"""Processes that work for this one: an interrupt ends them, and so does the end of this one."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Literal

import psutil

from studybook.process.stop import SIGNALS, Stop

#: Seconds for processes that were killed to be gone.
_GONE_S = 10


@contextmanager
def processes(
    most: int,
    method: Literal["spawn", "fork"] = "spawn",
    first: Callable[[], None] | None = None,
) -> Iterator[ProcessPoolExecutor]:
    """Have processes for work side by side.

    Where the work is left by an error or an interrupt, nothing of it goes on: the executor alone
    would do all that it was given first.

    Parameters
    ----------
    most : int
        How many.
    method : str
        ``fork`` where they need what this process has in memory.
    first : callable, optional
        Called in each of them before its work.
    """
    others = set(active_children())
    with ProcessPoolExecutor(most, get_context(method), _begin, (first,)) as pool:
        try:
            _start(pool, most)
            yield pool
        except BaseException:
            with Stop():  # one who asks again need not wait longer, and nothing is left alive
                _kill(set(active_children()) - others)
            raise


def _start(pool: ProcessPoolExecutor, most: int) -> None:
    """Start all the processes; signals wait meanwhile, here and in them."""
    with Stop() as stop:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # which they inherit
        try:
            with warnings.catch_warnings():
                # Of threads in this one, as a kernel has: a fork uses nothing of theirs.
                warnings.simplefilter("ignore", DeprecationWarning)
                for _ in range(most):
                    pool.submit(os.getpid)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if stop.signal:
        signal.raise_signal(stop.signal)


def _begin(first: Callable[[], None] | None) -> None:
    """Begin a process: Ctrl-C is not for it, but for the one that started it."""
    os.setsid()
    # With this, what waits is forgotten; a fork has the handlers of who started it, besides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if first:
        first()


def _end_with_parent() -> None:
    """It would wait for work for ever, and hold the lock of the database with it."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _kill(children: Iterable[BaseProcess]) -> None:
    """Kill processes and all that they have started, and wait until they are gone."""
    grandchildren = []
    for child in children:
        with suppress(psutil.NoSuchProcess):
            grandchildren += psutil.Process(child.pid).children(recursive=True)
        child.kill()
    for process in grandchildren:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    for child in children:  # by multiprocessing, which would take them for alive else
        child.join(_GONE_S)
    until = time.monotonic() + _GONE_S
    while not all(map(_is_gone, grandchildren)) and time.monotonic() < until:
        time.sleep(0.01)


def _is_gone(process: psutil.Process) -> bool:
    """Whether a process has ended; where nobody waits for orphans, it stays in the list."""
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
