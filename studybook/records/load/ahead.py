"""Raw files are read by several processes, a group of files at a time, ahead of the writer.

A folder of raw exports is mostly many small files, and Python reads with one processor.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pyarrow as pa

from studybook.dataset.inventory import Entry
from studybook.errors import StudyBookError
from studybook.formats import Sink
from studybook.process.pool import processes
from studybook.records.load.read import Found, Task, read_here, read_together, task_of

#: Size of a group of files that one process reads: so many bytes, or so many files. A few large
#: tables of records are handed over and inserted in a third less time than many small ones.
GROUP_BYTES, GROUP_FILES = 24 * 1024 * 1024, 24

#: Groups for each process, so that none waits long for the last one; and the least size of a group.
GROUPS_EACH, LEAST_BYTES = 4, 1024 * 1024

#: Bytes of all files below which other processes would start too late to help.
WORTH_BYTES = 256 * 1024

#: Groups for each process that may be in work, or wait to be written.
WAITING = 2

#: Most processes that read: more are faster than the one that writes.
MOST_WORKERS = 8

#: Result of a group: the file with its records, the tables in it, and the account of each raw file.
_Ahead = tuple[Path, list[str], list[Found]]


def read_files(
    entries: Iterable[Entry], sink: Sink, scratch: Path
) -> Iterator[tuple[Entry, Found]]:
    """Read raw files in their order.

    Parameters
    ----------
    entries : iterable of Entry
        The files.
    sink : callable
        Called with a table's name and an Arrow table for each batch of rows, ``file_id`` among
        its columns.
    scratch : pathlib.Path
        Where what was read waits for its turn: a folder that is made for it.

    Yields
    ------
    entry : Entry
        A file.
    found : Reading or Refused
        The account of its lines, or the reason why it cannot be read.
    """
    all_files = list(entries)
    small = sum(entry.content.size for entry in all_files if not entry.content.is_large)
    workers = _processors() if small > WORTH_BYTES else 1
    most = min(max(small // (GROUPS_EACH * workers), LEAST_BYTES), GROUP_BYTES)
    groups = list(in_groups(all_files, most))
    if workers == 1 or len(groups) == 1:
        for group in groups:
            yield from zip(group, read_here(group, sink), strict=True)
        return
    # Processes hand over their records in files: a pipe takes longer. They are forked: a fork has
    # all modules at once, and does not import the main program anew.
    with _made(scratch), processes(workers, "fork") as pool:
        waiting: deque[tuple[list[Entry], Callable[[], list[Found]]]] = deque()
        for number, group in enumerate(groups):
            if group[0].content.is_large:
                waiting.append((group, partial(read_here, group, sink)))
            else:
                tasks = [task_of(entry) for entry in group]
                ahead = pool.submit(_read_ahead, tasks, scratch / str(number))
                waiting.append((group, partial(_result, ahead, sink)))
            if len(waiting) > WAITING * workers:
                yield from _next(waiting)
        while waiting:
            yield from _next(waiting)


def in_groups(entries: Iterable[Entry], most: int) -> Iterator[list[Entry]]:
    """Put files together, in their order; a large one is alone.

    Parameters
    ----------
    entries : iterable of Entry
        The files.
    most : int
        How many bytes a group of several may have.
    """
    group: list[Entry] = []
    total = 0
    for entry in entries:
        full = total + entry.content.size > most or len(group) == GROUP_FILES
        if group and (full or entry.content.is_large):
            yield group
            group, total = [], 0
        if entry.content.is_large:
            yield [entry]
        else:
            group.append(entry)
            total += entry.content.size
    if group:
        yield group


def _processors() -> int:
    """The number of processors for readers; 1 where a fork is not safe."""
    return min(len(os.sched_getaffinity(0)), MOST_WORKERS) if sys.platform == "linux" else 1


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    folder.mkdir()
    try:
        yield
    finally:
        shutil.rmtree(folder)


def _next(
    waiting: deque[tuple[list[Entry], Callable[[], list[Found]]]],
) -> Iterator[tuple[Entry, Found]]:
    group, read = waiting.popleft()
    yield from zip(group, read(), strict=True)


def _read_ahead(tasks: Sequence[Task], place: Path) -> _Ahead:
    """Read a group in another process; its records go to a file, one table after the other."""
    tables: list[str] = []
    with pa.OSFile(str(place), "wb") as file:

        def write(table: str, rows: pa.Table) -> None:
            tables.append(table)
            with pa.ipc.new_stream(file, rows.schema) as stream:
                stream.write_table(rows)

        found = read_together(tasks, write)
    return place, tables, found


def _result(ahead: Future[_Ahead], sink: Sink) -> list[Found]:
    """Wait for a group, and pass its records on."""
    try:
        place, tables, found = ahead.result()
    except BrokenProcessPool as error:
        raise StudyBookError(
            "a process that read raw files was killed, perhaps for want of memory\n"
            "  → close what else runs, and try again"
        ) from error
    # Not by mmap: one small table that waits would keep the whole file in memory.
    with pa.OSFile(str(place), "rb") as file:
        for table in tables:
            sink(table, pa.ipc.open_stream(file).read_all())
    place.unlink()
    return found
