"""Records of many files on their way into the database: one insert per table for all of them."""

from __future__ import annotations

from collections import Counter, defaultdict

import duckdb
import pyarrow as pa

from pipelines import formats
from pipelines.inventory import Entry
from pipelines.store import insert

#: Records that are kept in memory, of however many files, before they are inserted.
BATCH_BYTES = 96 * 1024 * 1024

#: Of a table that has less than this waiting, records wait on: an insert of few rows is dear.
FEW_BYTES = 4 * 1024 * 1024


class Batch:
    """Records on their way into the database: one insert per table for many files.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database, open to write.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        # Arrow's own pool would keep what was inserted from the readers, who use the system's.
        pa.set_memory_pool(pa.system_memory_pool())
        self._connection = connection
        self._waiting: defaultdict[str, list[tuple[int, pa.Table]]] = defaultdict(list)
        self._bytes: Counter[str] = Counter()
        self._ledger: defaultdict[str, list[list[object]]] = defaultdict(list)

    def write_file(self, entry: Entry) -> None:
        """Read one raw file into the record tables and enter it in the ledger.

        Raises
        ------
        Refused
            If the file's format will not have it.
        """
        file_id = entry.file_id
        # Before reading: a file that changes meanwhile is then stale, not taken for the new one.
        digest = entry.sha256

        def sink(table: str, rows: pa.Table) -> None:
            self._waiting[table].append((file_id, rows))
            self._bytes[table] += rows.nbytes
            if self._bytes.total() > BATCH_BYTES:
                self._insert(FEW_BYTES)

        found, reading = formats.read(entry.path, sink, entry.run.hints(entry.file), entry.format)
        self._ledger["raw_file"].append(
            [file_id, entry.run.run_id, entry.name, digest, entry.path.stat().st_size,
             found.source, found.name, entry.file.host, entry.file.provenance,
             sum(reading.rows.values()), reading.lines, reading.lines_in_records,
             reading.lines_in_headings, reading.lines_not_understood, reading.certainty]
        )  # fmt: skip
        repairs = [(None, text) for text in entry.file.repairs] + reading.repairs
        for table, notes in (
            ("repair", repairs),
            ("remark", reading.remarks),
            ("line_not_understood", reading.not_understood),
        ):
            self._ledger[table] += [[file_id, line, text] for line, text in notes]

    def flush(self) -> None:
        """Insert all that is waiting."""
        self._insert(0)
        for table, rows in self._ledger.items():
            insert(self._connection, table, *rows)
        self._ledger.clear()

    def _insert(self, at_least: int) -> None:
        """Insert the records of the tables that have so many bytes waiting, in one transaction."""
        self._connection.begin()
        for table, size in list(self._bytes.items()):
            if size >= at_least:
                self._insert_table(table, self._waiting.pop(table))
                del self._bytes[table]
        self._connection.commit()

    def _insert_table(self, table: str, waiting: list[tuple[int, pa.Table]]) -> None:
        first = waiting[0][0]
        if all(file_id == first for file_id, _ in waiting):
            number, parts = str(first), [rows for _, rows in waiting]
        else:
            number = "file_id"
            parts = [
                rows.append_column("file_id", pa.repeat(pa.scalar(file_id), rows.num_rows))
                for file_id, rows in waiting
            ]
        names = ", ".join(f'"{name}"' for name in waiting[0][1].column_names)
        self._connection.register("rows_read", pa.concat_tables(parts))
        self._connection.execute(f"INSERT INTO {table} SELECT {number}, {names} FROM rows_read")
        self._connection.unregister("rows_read")
