"""Reading raw files: one of them piece by piece, or a group of small ones together.

Rows of one table that come in thousands of small pieces are dear to hand over, and to insert: what
is read of a group is put together before it goes on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from studybook import formats
from studybook.dataset.inventory import Entry
from studybook.errors import Refused
from studybook.formats import Hints, Reading, Sink

#: Records that are kept before they are passed on.
KEPT_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class Task:
    """A raw file, for a process that knows nothing of runs."""

    file_id: int
    path: Path
    hints: Hints
    format: str


#: The account of a file's lines, or the reason why it cannot be read.
Found = Reading | Refused


def task_of(entry: Entry) -> Task:
    """A raw file, as a process is told of it."""
    return Task(entry.file_id, entry.path, entry.run.hints(entry.file), entry.format.name)


def read_here(group: Sequence[Entry], sink: Sink) -> list[Found]:
    """Read a group in this process; the records of a single file go on as they come.

    Parameters
    ----------
    group : sequence of Entry
        The files.
    sink : callable
        Called with a table's name and an Arrow table, ``file_id`` among its columns.

    Returns
    -------
    list of Reading or Refused
        One per file.
    """
    if len(group) == 1:
        return [_read_in_pieces(group[0], sink)]
    return read_together([task_of(entry) for entry in group], sink)


def _read_in_pieces(entry: Entry, sink: Sink) -> Found:
    """Read a file without keeping its records; its hash is taken meanwhile."""
    with ThreadPoolExecutor(1, "hash") as thread:
        digest = thread.submit(lambda: entry.sha256)
        task = task_of(entry)

        def pass_on(table: str, rows: pa.Table) -> None:
            sink(table, _numbered(rows, (task.file_id, rows.num_rows)))

        found = _read(task, pass_on)
        digest.result()
    return found


def read_together(tasks: Sequence[Task], sink: Sink) -> list[Found]:
    """Read files as :func:`read_here` does; records of all files for one table come together."""
    records: defaultdict[str, list[tuple[int, pa.Table]]] = defaultdict(list)
    kept = 0

    def keep(file_id: int, table: str, rows: pa.Table) -> None:
        nonlocal kept
        records[table].append((file_id, rows))
        kept += rows.nbytes
        if kept > KEPT_BYTES:
            pass_on()

    def pass_on() -> None:
        nonlocal kept
        kept = 0
        for table, parts in records.items():
            whole = pa.concat_tables(rows for _, rows in parts).combine_chunks()
            sink(table, _numbered(whole, *((number, rows.num_rows) for number, rows in parts)))
        records.clear()

    found = [_read(task, partial(keep, task.file_id)) for task in tasks]
    pass_on()
    return found


def _read(task: Task, sink: Sink) -> Found:
    """Read a file."""
    try:
        _, reading = formats.read(task.path, sink, task.hints, formats.named(task.format))
    except Refused as refusal:
        return refusal
    # The rest of the reading stays here: another process needs only the records.
    return replace(reading, tables=(), sink=_nowhere)


def _numbered(rows: pa.Table, *numbers: tuple[int, int]) -> pa.Table:
    """Give rows the numbers of their files: so many rows of each."""
    file_ids, counts = zip(*numbers, strict=True)
    return rows.add_column(0, "file_id", pa.array(np.repeat(file_ids, counts)))


def _nowhere(table: str, rows: pa.Table) -> None:
    raise AssertionError("nothing is read any more")
