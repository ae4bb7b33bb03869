"""Processes that work for this one: an interrupt ends them, and so does the end of this one."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import active_children, get_context, parent_process, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Literal

import psutil

from studybook.plugins import book, use_book
from studybook.process.nameless import Nameless
from studybook.process.stop import SIGNALS, Stop, undisturbed

#: By which a process asks the kernel for orphans below it (``linux/prctl.h``).
_SET_CHILD_SUBREAPER = 36

#: Seconds between two looks at processes that are to end.
_LOOK_S = 0.005


Method = Literal["spawn", "fork"]


def method() -> Method:
    """How to start a process: by a fork, which has all modules at once, where that is safe.

    On other systems than Linux it is not, and not where the threads of what draws charts may run.
    """
    safe = sys.platform == "linux" and "vl_convert" not in sys.modules
    return "fork" if safe else "spawn"


@contextmanager
def processes(
    most: int, by: Method | None = None, first: Callable[[], None] | None = None
) -> Iterator[ProcessPoolExecutor]:
    """Start processes that work side by side on the book of this one; end them with the block.

    If an error or an interrupt leaves the block, they are killed at once, with all that they have
    started. The executor alone would first finish everything that was submitted.

    Parameters
    ----------
    most : int
        Number of processes.
    by : str, optional
        ``fork`` where they need what this process has in memory; else :func:`method` says.
    first : callable, optional
        Called before their work: in each of them, or once here where they are forks.
    """
    by = by or method()
    if by == "fork" and first:
        first()
        first = None
    others = set(active_children())
    context: BaseContext = get_context("fork")
    if by == "spawn":
        context = Nameless()
        # Started with the first process, it would unblock the signals that are blocked then.
        resource_tracker.ensure_running()
    # Twice: a second Ctrl-C may come before the killing has begun.
    with (
        ProcessPoolExecutor(most, context, _begin, (book(), first)) as pool,
        _emptied_on_error(pool),
        _killed_on_error(others),
        _killed_on_error(others),
    ):
        _start(pool, most)
        yield pool


@contextmanager
def _killed_on_error(others: set[BaseProcess]) -> Iterator[None]:
    """Kill all processes but those that were there before, if an error leaves the block."""
    try:
        yield
    except BaseException:
        with Stop():  # a second Ctrl-C does not interrupt the killing
            _kill([*(set(active_children()) - others)])
        raise


@contextmanager
def _emptied_on_error(pool: ProcessPoolExecutor) -> Iterator[None]:
    """Read what was handed to processes that were killed, if an error leaves the block.

    Python 3.11.2, as Debian has it, would wait until someone reads a pipe that is full.
    """
    calls = os.dup(pool._call_queue._reader.fileno())  # type: ignore[attr-defined]
    try:
        yield
    except BaseException:
        manager = pool._executor_manager_thread
        threading.Thread(target=_empty, args=(calls, manager), daemon=True).start()
        raise
    os.close(calls)


def _empty(calls: int, manager: threading.Thread | None) -> None:
    """Read from a pipe as long as there is a thread that may wait for that."""
    while manager and manager.is_alive():
        if wait([calls], _LOOK_S):
            os.read(calls, 65536)
    os.close(calls)


@contextmanager
def none_left_running() -> Iterator[None]:
    """Kill, when the block is left, every process that was started in it.

    Those of a session of their own, too, whose parents have ended: on Linux they become children
    of this process.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    before = set(psutil.Process().children())
    try:
        yield
    finally:
        for each in _kill_trees(each.pid for each in {*psutil.Process().children()} - before):
            _wait_for(each)
            with suppress(ChildProcessError):  # of another, which waits for it itself
                os.waitpid(each.pid, os.WNOHANG)


def _start(pool: ProcessPoolExecutor, most: int) -> None:
    """Start all processes; signals wait until then, here and in them.

    So does the collection of garbage: a fork would collect that of this process as its own, such as
    a connection to a database whose threads are not there, which is a segmentation fault.
    """
    with undisturbed():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # which they inherit
        collects = gc.isenabled()
        gc.disable()
        try:
            with warnings.catch_warnings():
                # Python warns of a fork while other threads run, as in a kernel: a lock that one
                # holds stays locked in the new process. What runs there takes no such lock.
                warnings.simplefilter("ignore", DeprecationWarning)
                for _ in range(most):
                    pool.submit(os.getpid)
        finally:
            if collects:
                gc.enable()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(root: Path | None, first: Callable[[], None] | None) -> None:
    """Begin a process: Ctrl-C is not for it, but for the one that started it, and its book is."""
    os.setsid()
    gc.freeze()  # what it has inherited, see _start
    gc.enable()
    # To ignore a signal discards one that is pending. A fork inherits handlers: they are reset.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    use_book(root)
    if first:
        first()


def _end_with_parent() -> None:
    """End with the parent: a worker would wait for work, and keep the database locked, for ever."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _kill(children: Sequence[BaseProcess]) -> None:
    """Kill processes and all that they have started, and wait until they are gone."""
    found = _kill_trees(child.pid for child in children)
    for child in children:  # else multiprocessing would take them for alive
        child.join()
    for process in found:
        _wait_for(process)


def _kill_trees(asked: Iterable[int | None]) -> list[psutil.Process]:
    """Kill processes and all that they have started; those that there were.

    Each is halted before its children are listed: one that ran on could start another after that,
    and be killed before anyone knew of it. All of one generation are halted before the children of
    any are listed: those that ran on meanwhile could start them faster than they are found.
    """
    found: list[psutil.Process] = []
    asked = [*asked]
    while asked:
        generation = []
        for pid in asked:
            with suppress(psutil.NoSuchProcess):
                process = psutil.Process(pid)
                process.suspend()
                generation.append(process)
        asked = []
        for process in generation:
            with suppress(psutil.NoSuchProcess):
                while not _is_halted(process):
                    time.sleep(_LOOK_S)
                asked += [each.pid for each in process.children()]
        found += generation
    for process in found:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    return found


def _wait_for(process: psutil.Process) -> None:
    """Wait until a process that was killed is gone."""
    while not _is_gone(process):
        time.sleep(_LOOK_S)


def _is_halted(process: psutil.Process) -> bool:
    """Whether all its threads have stopped; assumed where there is no /proc to tell.

    A thread that is starting a process stops only when that is started.
    """
    with suppress(FileNotFoundError, ProcessLookupError):  # a thread, or all, may end meanwhile
        return all(
            (task / "stat").read_text(errors="replace").rpartition(")")[2].split()[0] in "TtZX"
            for task in Path(f"/proc/{process.pid}/task").glob("*")
        )
    return False


def _is_gone(process: psutil.Process) -> bool:
    """Whether a process has ended; it may stay a zombie where nobody waits for orphans."""
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
