"""Raw files are read a group at a time, ahead of the writer, by as many processes as there are.

A folder of raw exports is mostly many small files. What is read of a few of them is put together
before it goes on: rows of one table that come in thousands of small pieces are dear to hand over,
and to insert.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process
from pathlib import Path

import pyarrow as pa

from pipelines import formats
from pipelines.errors import Refused, StudyBookError
from pipelines.formats import Hints, Reading, Sink, all_formats
from pipelines.inventory import Entry

#: A larger file is read where it is written, a piece at a time: of others, all records are kept.
LARGEST_BYTES = 8 * 1024 * 1024

#: Files that are read together: so many bytes of them, or so many files.
GROUP_BYTES, GROUP_FILES = 1024 * 1024, 24

#: Less than this, over all files, is read before other processes have started.
WORTH_BYTES = 256 * 1024

#: Groups that wait to be written, or are being read, for each process.
WAITING = 2


@dataclass(frozen=True)
class _Task:
    """What a process needs to know of a file."""

    file_id: int
    path: Path
    hints: Hints
    format: str


#: Records of a group of files, by table, and of each file the account or the reason of a refusal.
_Group = tuple[dict[str, pa.Table], list[Reading | Refused]]


def read_files(entries: Iterable[Entry], sink: Sink) -> Iterator[tuple[Entry, Reading | Refused]]:
    """Read raw files in their order.

    Parameters
    ----------
    entries : iterable of Entry
        The files.
    sink : callable
        Called with a table's name and an Arrow table for each batch of rows, ``file_id`` among
        its columns.

    Yields
    ------
    entry : Entry
        A file.
    found : Reading or Refused
        The account of its lines, or the reason why it cannot be read.
    """
    groups = list(_groups(entries))
    small = [group for group in groups if not _is_large(group)]
    size = sum(entry.path.stat().st_size for group in small for entry in group)
    workers = _processors() if len(small) > 1 and size > WORTH_BYTES else 1
    with _pool(workers) if workers > 1 else nullcontext() as pool:
        waiting: deque[tuple[list[Entry], Callable[[], _Group]]] = deque()
        for group in groups:
            waiting.append((group, _begin(group, sink, pool)))
            if len(waiting) > (WAITING * workers if pool else 0):
                yield from _next(waiting, sink)
        while waiting:
            yield from _next(waiting, sink)


def _groups(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Put files together, in their order; a large one is alone."""
    group: list[Entry] = []
    total = 0
    for entry in entries:
        size = entry.path.stat().st_size
        if group and (total + size > GROUP_BYTES or len(group) == GROUP_FILES):
            yield group
            group, total = [], 0
        group.append(entry)
        total += size
    if group:
        yield group


def _is_large(group: Sequence[Entry]) -> bool:
    return len(group) == 1 and group[0].path.stat().st_size > LARGEST_BYTES


def _processors() -> int:
    """How many processors this process may use; 1 where a fork is not safe."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def _pool(workers: int) -> ProcessPoolExecutor:
    # A fork has all modules at once, and asks nothing of the program that is running.
    return ProcessPoolExecutor(workers, get_context("fork"), _end_with_parent)


def _end_with_parent() -> None:
    """End this process with the one that started it, also where that is killed.

    It would wait for ever, and hold the lock of the database with it.
    """
    parent = parent_process()

    def wait() -> None:
        if parent:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _begin(group: Sequence[Entry], sink: Sink, pool: Executor | None) -> Callable[[], _Group]:
    """Begin to read files; what is returned waits for them."""
    tasks = [
        _Task(entry.file_id, entry.path, entry.run.hints(entry.file), entry.format.name)
        for entry in group
    ]
    if _is_large(group):
        return lambda: ({}, [_read(tasks[0], sink)])
    if pool is None:
        return lambda: _read_group(tasks)
    with warnings.catch_warnings():
        # Of threads in the parent, as a notebook's kernel has: the child uses nothing of theirs.
        warnings.simplefilter("ignore", DeprecationWarning)
        future: Future[_Group] = pool.submit(_read_group, tasks)
    return future.result


def _next(
    waiting: deque[tuple[list[Entry], Callable[[], _Group]]], sink: Sink
) -> Iterator[tuple[Entry, Reading | Refused]]:
    group, wait = waiting.popleft()
    try:
        tables, found = wait()
    except BrokenProcessPool as error:
        raise StudyBookError(
            "a process that read raw files was killed, perhaps for want of memory\n"
            "  → close what else runs, and try again"
        ) from error
    for table, rows in tables.items():
        sink(table, rows)
    yield from zip(group, found, strict=True)


def _read_group(tasks: Sequence[_Task]) -> _Group:
    records: defaultdict[str, list[pa.Table]] = defaultdict(list)
    found = [_read(task, lambda table, rows: records[table].append(rows)) for task in tasks]
    return {
        table: pa.concat_tables(parts).combine_chunks() for table, parts in records.items()
    }, found


def _read(task: _Task, sink: Sink) -> Reading | Refused:
    """Read a file; its rows have its number."""

    def numbered(table: str, rows: pa.Table) -> None:
        number = pa.repeat(pa.scalar(task.file_id), rows.num_rows)
        sink(table, rows.add_column(0, "file_id", number))

    known = next(each for each in all_formats() if each.name == task.format)
    try:
        _, reading = formats.read(task.path, numbered, task.hints, known)
    except Refused as refusal:
        return refusal
    # All is in the records: what is left need not, and cannot, go to another process.
    return replace(reading, tables=(), sink=_nowhere)


def _nowhere(table: str, rows: pa.Table) -> None:
    raise AssertionError("nothing is read any more")
