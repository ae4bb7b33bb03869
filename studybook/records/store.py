"""The DuckDB file of a data set: one writer, atomically replaced; readers read-only.

The file holds the ledger of raw files and the tables of runs, factors and hosts. Records of the raw
formats, and models of runs, lie beside it in Parquet. It has a view of each kind of records, whose
rows name the raw file that they came from by ``file_id``; and the models, those of each study in a
schema of its name: as views of what lies there, or as tables where they look across runs.
"""

from __future__ import annotations

import fcntl
import glob
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from studybook.errors import StudyBookError
from studybook.formats.raw import sha256
from studybook.memory import verifying
from studybook.records import schema
from studybook.records.folders import Kind, beside, is_whole, seen

#: Memory of DuckDB, beyond which it uses the disk; by default it takes most of the machine's.
_LIMITS: dict[str, str | bool | int | float | list[str]] = {"memory_limit": "256MiB"}

#: One thread: sums of floats then come out the same on every machine.
_WRITING = _LIMITS | {"threads": 1}

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


def working(memory: str = "", spill: str = "") -> duckdb.DuckDBPyConnection:
    """Open a database in memory, to work in.

    Parameters
    ----------
    memory : str, optional
        The most that it takes; what it takes to write, by default.
    spill : str, optional
        The folder for what is beyond that.
    """
    config = _WRITING | ({"temp_directory": spill} if spill else {})
    return quiet(duckdb.connect(config=config | ({"memory_limit": memory} if memory else {})))


def connect(database: Path) -> duckdb.DuckDBPyConnection:
    """Open a database to read.

    Raises
    ------
    StudyBookError
        If it is missing or not a database of this version.
    """
    with readable(database):
        connection = quiet(duckdb.connect(str(database), read_only=True, config=_LIMITS))
        _follow(connection, database)
        return connection


@contextmanager
def readable(database: Path) -> Iterator[None]:
    """Open a database in this block, or say in words why it cannot be read."""
    if not database.is_file():
        raise StudyBookError(f"{database}: there is no database yet\n  → run: studybook load")
    try:
        yield
    except duckdb.Error as error:
        raise StudyBookError(
            f"{database}: cannot be opened: {error}\n  → delete it and run: studybook load"
        ) from error


def _follow(connection: duckdb.DuckDBPyConnection, database: Path) -> None:
    """Take records and models from where they are, if they were moved since they were written."""
    records, models = beside(database, "records"), beside(database, "models")
    # Of another version, it says nothing of them; of lost ones, whoever asks for them is told.
    with suppress(duckdb.CatalogException, duckdb.IOException):
        if connection.execute("SELECT records FROM place").fetchall() in ([], [(str(records),)]):
            return
        queries = {
            name: [schema.records_in(paths)]
            for name, paths in schema.files_of_records(connection, records).items()
        }
        for study, name, rows in schema.models_there(connection, models):
            queries.setdefault(name, []).append(rows or f'FROM "{study}".{name}')
        for name, parts in queries.items():
            query = " UNION ALL BY NAME ".join(f"({part})" for part in parts)
            connection.execute(f"CREATE TEMP VIEW {name} AS {query}")


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
            connection = working(spill=f"{temporary}.spill")
            try:
                name = str(temporary).replace("'", "''")
                # What was not finished is thrown away: a log to finish it by would be of no use.
                options = ["RECOVERY_MODE 'NO_WAL_WRITES'"]
                if not temporary.exists():
                    options += [f"BLOCK_SIZE {_BLOCK_BYTES}"]
                connection.execute(f"ATTACH '{name}' AS {NAME} ({', '.join(options)})")
                connection.execute(f"USE {NAME}")
                schema.create(connection)
                yield connection
                connection.execute(f"CHECKPOINT {NAME}")
                folders = folders_of(connection)
            finally:
                connection.close()
            note(temporary, folders)
            move(temporary, database)
        finally:
            remove_left_over(database)


def move(database: Path, target: Path) -> None:
    """Put a database in the place of another, with what was noted of it."""
    with suppress(FileNotFoundError):
        _noted(database).replace(_noted(target))
    database.replace(target)


def copy(database: Path, target: Path) -> None:
    """Copy a database, with what was noted of it."""
    with suppress(FileNotFoundError):
        shutil.copyfile(_noted(database), _noted(target))
    shutil.copyfile(database, target)


def folders_in_use(database: Path) -> dict[Kind, list[str]]:
    """The folders that a database shows; none where it is not there, or cannot be read."""
    with suppress(StudyBookError, duckdb.Error), connect(database) as connection:
        return folders_of(connection)
    return {"records": [], "models": []}


def folders_of(connection: duckdb.DuckDBPyConnection) -> dict[Kind, list[str]]:
    """The folders that a database shows, of each kind."""
    records = connection.execute("SELECT folder FROM part ORDER BY 1").fetchall()
    models = connection.execute("SELECT folder FROM run_group ORDER BY 1").fetchall()
    return {"records": [each for (each,) in records], "models": [each for (each,) in models]}


def note(database: Path, folders: Mapping[Kind, Iterable[str]]) -> None:
    """Note what a database and its folders hold, so that what becomes of them is noticed."""
    size, changed_ns = _seen(database)
    said: dict[str, Any] = {
        "sha256": sha256(database), "size": size, "changed_ns": changed_ns,
    }  # fmt: skip
    for kind, names in folders.items():
        said[kind] = {name: seen(beside(database, kind) / name) for name in names}
    _write_note(database, said)


def digest_noted(database: Path) -> str:
    """The hash of a database when it was written; empty where nothing was noted."""
    try:
        return str((_said(database) or {}).get("sha256", ""))
    except ValueError:
        return ""


def is_altered(database: Path) -> bool:
    """Whether a database is not what was written: damaged, or changed by others.

    It is read only where its size, or the time of its last change, is another than was noted.
    False where nothing was noted of it.
    """
    try:
        said = _said(database)
    except ValueError:
        return True
    size, changed_ns = _seen(database)
    as_noted = said is not None and (said["size"], said["changed_ns"]) == (size, changed_ns)
    if said is None or (as_noted and not verifying()):
        return False
    if said["sha256"] != sha256(database):
        return True
    _note_again(database, said | {"changed_ns": changed_ns})
    return False


def altered(database: Path, kind: Kind, folders: Iterable[str]) -> set[str]:
    """The folders of records or models, of some, that do not hold what was written into them.

    They are read only where the size of a file in them, or the time of its last change, is another
    than was noted with the database.
    """
    place = beside(database, kind)
    try:
        said = _said(database)
    except ValueError:
        said = None
    noted = said[kind] if said else {}
    now = {folder: seen(place / folder) for folder in folders}
    touched = {
        folder
        for folder, state in now.items()
        if verifying() or not state or state != noted.get(folder)
    }
    found = {folder for folder in touched if not is_whole(place / folder)}
    if said and (whole := {folder: now[folder] for folder in touched - found if folder in noted}):
        _note_again(database, said | {kind: noted | whole})
    return found


def _note_again(database: Path, said: dict[str, Any]) -> None:
    """Note when files that hold what they held were touched, so that they are not read again."""
    with suppress(OSError):  # of someone who may read only
        _write_note(database, said)


def _write_note(database: Path, said: dict[str, Any]) -> None:
    """Write it as a whole: others may read it at that moment."""
    temporary = database.with_name(f"{database.name}.{os.getpid()}.tmp.json")
    temporary.write_text(json.dumps(said), encoding="utf-8")
    temporary.replace(_noted(database))


def _said(database: Path) -> dict[str, Any] | None:
    """What was noted of a database; None where nothing was.

    Raises
    ------
    ValueError
        If it cannot be read.
    """
    try:
        said = json.loads(_noted(database).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ValueError(str(error)) from error
    kinds = {"sha256": str, "size": int, "changed_ns": int, "records": dict, "models": dict}
    if not isinstance(said, dict) or any(
        not isinstance(said.get(name), kind) for name, kind in kinds.items()
    ):
        raise ValueError("not what was written")
    return said


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
