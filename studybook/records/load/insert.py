"""Records of many files on their way into the database: one insert per table for all of them.

DuckDB inserts in a thread of its own, while the next files are read.
"""

from __future__ import annotations

import gc
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import duckdb
import pyarrow as pa

from studybook.dataset.inventory import Entry, LeftOut
from studybook.errors import Refused, StudyBookError
from studybook.formats import Reading
from studybook.records.ledger import insert, leave_out
from studybook.records.load.ahead import read_files
from studybook.records.schema import record_tables
from studybook.records.store import scratch

#: Bytes of records in one insert, of however many files; fewer where DuckDB is idle.
BATCH_BYTES, IDLE_BYTES = 16 * 1024 * 1024, 4 * 1024 * 1024

#: Most bytes of records that wait for their insert: then the readers wait for DuckDB.
WAITING_BYTES = 32 * 1024 * 1024

#: Bytes of records in one transaction. Until the commit DuckDB keeps a part of each group of rows
#: in memory; after it, the incomplete last group of each table is written once more.
COMMIT_BYTES = 96 * 1024 * 1024

#: Least bytes of one table in an insert, as one of few rows costs too much.
FEW_BYTES = 2 * 1024 * 1024


def load_files(
    connection: duckdb.DuckDBPyConnection, entries: Iterable[Entry], *, strict: bool = False
) -> None:
    """Read raw files into the record tables and enter them in the ledger.

    A file that cannot be read is entered as left out, and none of its records stay.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database, open to write.
    entries : iterable of Entry
        The files.
    strict : bool
        Whether a file that cannot be read is a fault instead.

    Raises
    ------
    StudyBookError
        Naming every such fault.
    """
    # Memory that Arrow's own pool frees stays in it; the readers take theirs from the system.
    pa.set_memory_pool(pa.system_memory_pool())
    ledger: defaultdict[str, list[list[object]]] = defaultdict(list)
    refused: dict[int, LeftOut] = {}
    faults: list[str] = []
    connection.begin()
    with ThreadPoolExecutor(1, "insert") as thread, _frozen():
        batch = _Batch(connection, thread)
        for entry, found in read_files(entries, batch.take, scratch(connection)):
            if entry.has_changed:
                changed = "changed while it was read", "load it when nothing writes to it"
                found = Refused(*changed, path=entry.path)
            if isinstance(found, Refused):
                # Without its hash, what changed is read by the next load.
                digest = "" if entry.has_changed else entry.sha256
                refused[entry.file_id] = LeftOut.of(entry.run, entry.name, digest, found)
                faults.append(str(found))
            else:
                _enter(ledger, entry, found)
        if faults and strict:
            raise StudyBookError("\n".join(faults))
        batch.flush()
    if refused:  # its first records may be in the tables
        for table in record_tables():
            connection.execute(
                f"DELETE FROM {table} WHERE list_contains(?::BIGINT[], file_id)", [[*refused]]
            )
        leave_out(connection, refused.values())
    for table, rows in ledger.items():
        insert(connection, table, *rows)
    connection.commit()


@contextmanager
def _frozen() -> Iterator[None]:
    """Keep the garbage collector from visiting all older objects again and again.

    Of the time that a large file takes, that is 3 %.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _enter(ledger: dict[str, list[list[object]]], entry: Entry, reading: Reading) -> None:
    """Enter a file in the ledger, with what was said of it."""
    file_id = entry.file_id
    ledger["raw_file"].append(
        [file_id, entry.run.run_id, entry.name, entry.sha256, entry.content.size,
         entry.format.source, entry.format.name, entry.file.host, entry.file.provenance,
         sum(reading.rows.values()), reading.lines, reading.lines_in_records,
         reading.lines_in_headings, reading.lines_not_understood, reading.certainty]
    )  # fmt: skip
    repairs = [(None, text) for text in entry.file.repairs] + reading.repairs
    for table, notes in (
        ("repair", repairs),
        ("remark", reading.remarks),
        ("line_not_understood", reading.not_understood),
    ):
        ledger[table] += [[file_id, line, text] for line, text in notes]


class _Batch:
    """Records on their way into the tables: waiting, or being inserted."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, thread: ThreadPoolExecutor) -> None:
        self._connection, self._thread = connection, thread
        self._inserting: deque[tuple[int, Future[None]]] = deque()
        self._waiting: defaultdict[str, list[pa.Table]] = defaultdict(list)
        self._bytes: Counter[str] = Counter()
        self._written = 0

    def take(self, table: str, rows: pa.Table) -> None:
        """Take records; they are inserted when there are enough."""
        self._waiting[table].append(rows)
        self._bytes[table] += rows.nbytes
        idle = not self._inserting or self._inserting[-1][1].done()
        if self._bytes.total() > (IDLE_BYTES if idle else BATCH_BYTES):
            self._begin_insert(FEW_BYTES)

    def flush(self) -> None:
        """Insert all that is waiting."""
        self._begin_insert(0)
        while self._inserting:
            self._wait()

    def _begin_insert(self, at_least: int) -> None:
        """Begin to insert the records of the tables that have so many bytes waiting."""
        sizes = list(self._bytes.items())
        ready = {table: self._waiting.pop(table) for table, size in sizes if size >= at_least}
        if ready:
            size = sum(self._bytes.pop(table) for table in ready)
            self._inserting.append((size, self._thread.submit(self._insert, ready, size)))
        while sum(size for size, _ in self._inserting) > WAITING_BYTES:
            self._wait()

    def _wait(self) -> None:
        """Wait for the insert that was begun first, and raise what went wrong in it."""
        _, insert = self._inserting.popleft()
        insert.result()

    def _insert(self, ready: dict[str, list[pa.Table]], size: int) -> None:
        while ready:
            table, waiting = ready.popitem()  # and let go of it
            # Registering the rows as a view takes twice as long, and keeps them in memory.
            rows_read = pa.concat_tables(waiting)  # noqa: F841 - DuckDB finds them by their name
            self._connection.execute(f"INSERT INTO {table} BY NAME FROM rows_read")
        self._written += size
        if self._written > COMMIT_BYTES:
            self._connection.commit()
            self._connection.begin()
            self._written = 0
