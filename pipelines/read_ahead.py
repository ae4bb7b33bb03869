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
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

from pipelines import formats
from pipelines.errors import Refused, StudyBookError
from pipelines.formats import Hints, Reading, Sink, all_formats
from pipelines.inventory import LARGEST_BYTES, Entry

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


#: The account of a file's lines, or the reason why it cannot be read.
Found = Reading | Refused

#: Where the records of a group of files lie, of which tables, and what was found of each file.
_Ahead = tuple[Path, list[str], list[Found]]


def read_files(entries: Iterable[Entry], sink: Sink) -> Iterator[tuple[Entry, Found]]:
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
    if workers == 1:
        for group in groups:
            yield from zip(group, _read_here(group, sink), strict=True)
        return
    # What processes have read lies in files until it is inserted: to hand it over costs nothing.
    with TemporaryDirectory(prefix="studybook-") as folder, _pool(workers) as pool:
        waiting: deque[tuple[list[Entry], Callable[[], list[Found]]]] = deque()
        for number, group in enumerate(groups):
            if _is_large(group):
                waiting.append((group, partial(_read_here, group, sink)))
            else:
                ahead = _submit(pool, group, Path(folder) / str(number))
                waiting.append((group, partial(_result, ahead, sink)))
            if len(waiting) > WAITING * workers:
                yield from _next(waiting)
        while waiting:
            yield from _next(waiting)


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


def _task(entry: Entry) -> _Task:
    return _Task(entry.file_id, entry.path, entry.run.hints(entry.file), entry.format.name)


def _next(
    waiting: deque[tuple[list[Entry], Callable[[], list[Found]]]],
) -> Iterator[tuple[Entry, Found]]:
    group, read = waiting.popleft()
    yield from zip(group, read(), strict=True)


def _read_here(group: Sequence[Entry], sink: Sink) -> list[Found]:
    """Read a group in this process; the records of one file as they come."""
    if len(group) == 1:
        return [_read_in_pieces(group[0], sink)]
    tables, found = _read_together([_task(entry) for entry in group])
    for table, rows in tables.items():
        sink(table, rows)
    return found


def _read_in_pieces(entry: Entry, sink: Sink) -> Found:
    """Read a file without keeping its records; its hash is taken meanwhile."""
    before = entry.path.stat()
    with ThreadPoolExecutor(1, "hash") as thread:
        digest = thread.submit(lambda: entry.sha256)
        found = _read(_task(entry), sink)
        digest.result()
    after = entry.path.stat()
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        return Refused(
            "changed while it was read", "load it when nothing writes to it", path=entry.path
        )
    return found


def _submit(pool: Executor, group: Sequence[Entry], place: Path) -> Future[_Ahead]:
    with warnings.catch_warnings():
        # Of threads in the parent, as a notebook's kernel has: the child uses nothing of theirs.
        warnings.simplefilter("ignore", DeprecationWarning)
        return pool.submit(_read_ahead, [_task(entry) for entry in group], place)


def _read_ahead(tasks: Sequence[_Task], place: Path) -> _Ahead:
    """Read a group in another process; its records go to a file, one table after the other."""
    tables, found = _read_together(tasks)
    with pa.OSFile(str(place), "wb") as file:
        for rows in tables.values():
            with pa.ipc.new_stream(file, rows.schema) as stream:
                stream.write_table(rows)
    return place, list(tables), found


def _result(ahead: Future[_Ahead], sink: Sink) -> list[Found]:
    """Wait for a group, and pass its records on."""
    try:
        place, tables, found = ahead.result()
    except BrokenProcessPool as error:
        raise StudyBookError(
            "a process that read raw files was killed, perhaps for want of memory\n"
            "  → close what else runs, and try again"
        ) from error
    if tables:
        file = pa.memory_map(str(place))
        place.unlink()  # the system keeps it as long as it is in use
        for table in tables:
            sink(table, pa.ipc.open_stream(file).read_all())
    return found


def _read_together(tasks: Sequence[_Task]) -> tuple[dict[str, pa.Table], list[Found]]:
    records: defaultdict[str, list[pa.Table]] = defaultdict(list)
    found = [_read(task, lambda table, rows: records[table].append(rows)) for task in tasks]
    return {
        table: pa.concat_tables(parts).combine_chunks() for table, parts in records.items()
    }, found


def _read(task: _Task, sink: Sink) -> Found:
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
