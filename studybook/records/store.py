"""The DuckDB file of a data set: one writer, atomically replaced; readers read-only.

The file holds the records of the raw formats (one table per kind of record, each row with
the ``file_id`` of the raw file it came from), the ledger of raw files, the tables of runs,
factors and hosts, and the models: those of each study in a schema of its name.
"""

from __future__ import annotations

import fcntl
import glob
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from studybook.errors import StudyBookError
from studybook.formats.raw import sha256
from studybook.records import schema

#: Memory of DuckDB, beyond which it uses the disk; by default it takes most of the machine's.
_LIMITS: dict[str, str | bool | int | float | list[str]] = {"memory_limit": "256MiB"}

#: Insert with one thread, and write each group of rows as soon as it is full: several at once take
#: more memory and no less time, and the other processors are busy reading.
_WRITING = _LIMITS | {"memory_limit": "192MiB", "write_buffer_row_group_count": 1, "threads": 1}

#: Rows of a group, which is compressed and written at once: a sixth of DuckDB's default. The last,
#: incomplete group of each table is written at the commit, when nothing else runs.
_ROWS_TOGETHER = 20_480

#: Bytes of a block of the file: DuckDB's least. Most models of a study are small or empty, and each
#: takes whole blocks.
_BLOCK_BYTES = 16_384

Connection = duckdb.DuckDBPyConnection

#: The name of the database while it is written.
NAME = "study"

#: Raised by DuckDB where the disk, or the memory, is full.
NOT_WRITTEN = (
    duckdb.IOException, duckdb.OutOfMemoryException, duckdb.TransactionException,
    duckdb.FatalException,
)  # fmt: skip


def quiet(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Have DuckDB draw no bars: it takes a process of ours for a person at a terminal."""
    # In a kernel without widgets it draws none, and refuses to be told.
    if connection.execute("SELECT current_setting('enable_progress_bar')").fetchone() == (True,):
        connection.execute("SET enable_progress_bar = false")
    return connection


def connect(database: Path) -> duckdb.DuckDBPyConnection:
    """Open a database to read.

    Raises
    ------
    StudyBookError
        If it is missing or not a database of this version.
    """
    if not database.is_file():
        raise StudyBookError(f"{database}: there is no database yet\n  → run: studybook load")
    try:
        return quiet(duckdb.connect(str(database), read_only=True, config=_LIMITS))
    except duckdb.Error as error:
        raise StudyBookError(
            f"{database}: cannot be opened: {error}\n  → delete it and run: studybook load"
        ) from error


@contextmanager
def writer(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Change a database as a whole or not at all.

    A copy is changed and then moved over the original: readers see the old state or the
    new one, and an error leaves the original as it was. A second writer waits.

    Parameters
    ----------
    database : pathlib.Path
        The file; made if it does not exist.
    """
    database.parent.mkdir(parents=True, exist_ok=True)
    temporary = database.with_name(f"{database.name}.{os.getpid()}.tmp")
    with database.with_name(f"{database.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        remove_left_over(database)
        try:
            if database.exists():
                shutil.copyfile(database, temporary)
            spill = {"temp_directory": f"{temporary}.spill"}
            connection = quiet(duckdb.connect(config=_WRITING | spill))
            try:
                name = str(temporary).replace("'", "''")
                options = [f"ROW_GROUP_SIZE {_ROWS_TOGETHER}"]
                # What was not finished is thrown away: a log to finish it by would be of no use.
                options += ["RECOVERY_MODE 'NO_WAL_WRITES'"]
                if not temporary.exists():
                    options += [f"BLOCK_SIZE {_BLOCK_BYTES}"]
                connection.execute(f"ATTACH '{name}' AS {NAME} ({', '.join(options)})")
                connection.execute(f"USE {NAME}")
                schema.create(connection)
                yield connection
                connection.execute(f"CHECKPOINT {NAME}")
            finally:
                connection.close()
            note(temporary)
            move(temporary, database)
        finally:
            remove_left_over(database)


def move(database: Path, target: Path) -> None:
    """Put a database in the place of another, with what was noted of it."""
    with suppress(FileNotFoundError):
        _noted(database).replace(_noted(target))
    database.replace(target)


def note(database: Path) -> None:
    """Note what a database holds, so that what becomes of it otherwise is noticed."""
    size, changed_ns = _seen(database)
    said = {"sha256": sha256(database), "size": size, "changed_ns": changed_ns}
    _noted(database).write_text(json.dumps(said), encoding="utf-8")


def is_altered(database: Path) -> bool:
    """Whether a database is not what was written: damaged, or changed by others.

    It is read only where its size, or the time of its last change, is another than was noted.
    False where nothing was noted of it.
    """
    try:
        said = json.loads(_noted(database).read_text(encoding="utf-8"))
        if (said["size"], said["changed_ns"]) == _seen(database):
            return False
        if said["sha256"] != sha256(database):
            return True
    except FileNotFoundError:
        return False
    except (OSError, ValueError, TypeError, KeyError):
        return True
    with suppress(OSError):  # of someone who may read only
        note(database)
    return False


def _seen(database: Path) -> tuple[int, int]:
    found = database.stat()
    return found.st_size, found.st_mtime_ns


def _noted(database: Path) -> Path:
    return database.with_name(f"{database.name}.json")


def scratch(connection: duckdb.DuckDBPyConnection) -> Path:
    """The place of a folder for whoever writes a database; it does not outlive the writer."""
    rows = connection.execute("SELECT path FROM duckdb_databases() WHERE database_name = ?", [NAME])
    return Path(f"{rows.fetchall()[0][0]}.scratch")


def remove_left_over(database: Path) -> None:
    """Remove copies that were not finished, by this process or by one that was killed.

    Whoever holds the lock is the only one with such files.
    """
    for left in database.parent.glob(f"{glob.escape(database.name)}.*.tmp*"):
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink()
