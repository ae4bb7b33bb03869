"""The DuckDB file of a data set: one writer, atomically replaced; readers read-only.

The file holds the records of the raw formats (one table per kind of record, each row with
the ``file_id`` of the raw file it came from), the ledger of raw files, the tables of runs,
factors and hosts, and the semantic views of ``studybook/models``.
"""

from __future__ import annotations

import fcntl
import glob
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

import duckdb

from studybook.dataset.inventory import Inventory
from studybook.dataset.manifest import FILE_NAME, Run, factor_text
from studybook.errors import StudyBookError
from studybook.records import schema

#: DuckDB would take most of the machine's memory; beyond this it uses the disk.
_LIMITS: dict[str, str | bool | int | float | list[str]] = {"memory_limit": "256MiB"}

#: Rows go to the disk as soon as there are enough of them: writing several groups at once takes
#: more memory, and no less time. One thread inserts; the other processors read.
_WRITING = _LIMITS | {"memory_limit": "192MiB", "write_buffer_row_group_count": 1, "threads": 1}

#: Rows that are compressed and written together, a sixth of what DuckDB takes. What is left of each
#: table waits for the commit, when nothing else goes on.
_ROWS_TOGETHER = 20_480
#: More where nearly all rows have few columns: each group takes a millisecond of its own.
_NARROW_ROWS_TOGETHER = {"rpt": 61_440}

#: Rows of Python values in one statement: its time and memory grow faster than their number.
_VALUES_TOGETHER = 1000


#: What DuckDB raises where the disk, or the memory, is full.
NOT_WRITTEN = (
    duckdb.IOException, duckdb.OutOfMemoryException, duckdb.TransactionException,
    duckdb.FatalException,
)  # fmt: skip


@cache
def reader_code() -> str:
    """Hash of everything that turns raw files into rows and loading reports.

    A change calls for a new load.
    """
    package = Path(__file__).parent.parent
    readers = package / "formats"
    code = [*readers.rglob("*.py"), *readers.rglob("*.yml"), *schema.view_files()]
    modules = (
        "checked_yaml",
        "claims/published_values",
        "claims/tables",
        "dataset/inventory",
        "dataset/manifest",
        "records/batch",
        "records/loading",
        "records/read_ahead",
        "records/reading",
        "records/schema",
        "records/store",
    )
    code += [package / f"{name}.py" for name in modules]
    digest = hashlib.sha256()
    for path in sorted(code):
        digest.update(path.read_bytes())
    for path in sorted((package / "load").glob("*.ipynb")):
        # What a person wrote, not the outputs: storing those is no change of the notebook.
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        digest.update(json.dumps([cell["source"] for cell in cells]).encode())
    return digest.hexdigest()


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
def writer(database: Path, source: str = "") -> Iterator[duckdb.DuckDBPyConnection]:
    """Change a database as a whole or not at all.

    A copy is changed and then moved over the original: readers see the old state or the
    new one, and an error leaves the original as it was. A second writer waits.

    Parameters
    ----------
    database : pathlib.Path
        The file; made if it does not exist.
    source : str, optional
        The kind of raw export that is to be written, if it is one only.
    """
    database.parent.mkdir(parents=True, exist_ok=True)
    temporary = database.with_name(f"{database.name}.{os.getpid()}.tmp")
    with database.with_name(f"{database.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        remove_left_over(database)
        try:
            if database.exists():
                shutil.copyfile(database, temporary)
            else:
                schema.write_empty(temporary)
            spill = {"temp_directory": f"{temporary}.spill"}
            connection = quiet(duckdb.connect(config=_WRITING | spill))
            try:
                name = str(temporary).replace("'", "''")
                together = _NARROW_ROWS_TOGETHER.get(source, _ROWS_TOGETHER)
                connection.execute(f"ATTACH '{name}' AS study (ROW_GROUP_SIZE {together})")
                connection.execute("USE study")
                if database.exists() and not _is_of_this_version(connection):
                    schema.create(connection)
                yield connection
            finally:
                connection.close()
            temporary.replace(database)
        finally:
            remove_left_over(database)


def scratch(connection: duckdb.DuckDBPyConnection) -> Path:
    """Where whoever writes a database may make a folder: it does not outlive the writer."""
    rows = connection.execute("SELECT path FROM duckdb_databases() WHERE database_name = 'study'")
    return Path(f"{rows.fetchall()[0][0]}.scratch")


def remove_left_over(database: Path) -> None:
    """Remove copies that were not finished, by this process or by one that was killed.

    DuckDB would go on with their logs. Whoever holds the lock is the only one with such files.
    """
    for left in database.parent.glob(f"{glob.escape(database.name)}.*.tmp*"):
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink()


def _is_of_this_version(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether all that is in a database was made by this code: tables and views, too."""
    with suppress(duckdb.CatalogException):
        loaders = connection.execute("SELECT DISTINCT code FROM reader").fetchall()
        return loaders == [(reader_code(),)]
    return False


def write_runs(connection: duckdb.DuckDBPyConnection, inventory: Inventory) -> None:
    """Replace the tables of runs, factors and hosts by what the manifests say.

    Nothing is done where they say it already: the sources of a data set are loaded one by one.
    """
    there = connection.execute("SELECT run_id, manifest_sha256 FROM run").fetchall()
    hashes = {f"{run_id}/{FILE_NAME}": sha256 for run_id, sha256 in there}
    if _is_of_this_version(connection) and hashes == inventory.run_hashes:
        return
    rows: dict[str, list[list[object]]] = {"run": [], "factor": [], "host": [], "run_note": []}
    for run in inventory.runs:
        manifest_sha256 = inventory.run_hashes[f"{run.run_id}/{FILE_NAME}"]
        for table, of_run in _rows_of_run(run, manifest_sha256).items():
            rows[table] += of_run
    connection.begin()
    for table, of_all in rows.items():
        connection.execute(f"DELETE FROM {table}")
        # All at once: row by row, this takes longer than the raw files of most sources.
        insert(connection, table, *of_all)
    connection.commit()


def _rows_of_run(run: Run, manifest_sha256: str) -> dict[str, list[list[object]]]:
    source, stable = run.source, run.stable_phase
    notes = [*run.notes, *(f"{file.path}: {note}" for file in run.files for note in file.notes)]
    return {
        "run": [
            [run.run_id, run.study, run.run, run.title, run.origin, run.kind,
             source and source.document, source and source.id, source and source.place,
             run.time_zone, run.time_zone_known,
             run.start.replace(tzinfo=None) if run.start else None, run.start_utc,
             stable and stable.from_s, stable and stable.to_s, manifest_sha256]
        ],
        "factor": [
            [run.run_id, name, factor_text(value),
             float(value) if isinstance(value, int | float) else None]
            for name, value in run.factors.items()
        ],
        "host": [
            [run.run_id, host.name, host.role, host.note, host.clock_offset_s,
             host.cpus, host.memory_mib]
            for host in run.hosts
        ],
        "run_note": [[run.run_id, note] for note in notes],
    }  # fmt: skip


def insert(connection: duckdb.DuckDBPyConnection, table: str, *rows: list[object]) -> None:
    """Insert rows of Python values."""
    for start in range(0, len(rows), _VALUES_TOGETHER):
        some = rows[start : start + _VALUES_TOGETHER]
        marks = ", ".join(f"({', '.join('?' * len(row))})" for row in some)
        connection.execute(f"INSERT INTO {table} VALUES {marks}", [*chain(*some)])


def forget(connection: duckdb.DuckDBPyConnection, source: str, inventory: Inventory) -> None:
    """Take out the files of a source, and every file that the data set no longer has."""
    kept = [entry.file_id for entry in inventory.entries if entry.format.source != source]
    there = connection.execute("SELECT file_id FROM raw_file").fetchall()
    if {file_id for (file_id,) in there} <= set(kept):
        return
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE kept AS SELECT unnest(?::BIGINT[]) AS file_id",
        [kept],
    )
    for table in (*schema.record_tables(), "raw_file", "repair", "remark", "line_not_understood"):
        connection.execute(f"DELETE FROM {table} WHERE file_id NOT IN (SELECT file_id FROM kept)")


def mark_loaded(connection: duckdb.DuckDBPyConnection, source: str, inventory: Inventory) -> None:
    """Note with which version of the readers a source was loaded, if there are files of it."""
    connection.execute("DELETE FROM reader WHERE source = ?", [source])
    if source in inventory.sources():
        insert(connection, "reader", [source, reader_code()])


@dataclass(frozen=True)
class Loaded:
    """What a database was made from: hashes of files, manifests, and the readers by source."""

    files: dict[str, str]
    readers: dict[str, str]


def loaded(database: Path) -> Loaded | None:
    """What a database was made from; None if it is of another version of this package.

    Parameters
    ----------
    database : pathlib.Path
        A database that exists.
    """
    connection = connect(database)
    try:
        files = connection.execute(
            "SELECT name, sha256 FROM raw_file"
            f" UNION ALL SELECT run_id || '/{FILE_NAME}', manifest_sha256 FROM run"
        ).fetchall()
        readers = connection.execute("SELECT source, code FROM reader").fetchall()
    except duckdb.Error:
        return None
    finally:
        connection.close()
    return Loaded(dict(files), dict(readers))


def not_understood(database: Path) -> tuple[int, int]:
    """How many lines of how many files were not understood."""
    with connect(database) as connection:
        ((lines, files),) = connection.execute(
            "SELECT coalesce(sum(lines_not_understood), 0)::BIGINT,"
            " count(*) FILTER (lines_not_understood > 0) FROM raw_file"
        ).fetchall()
    return lines, files


def hosts_not_listed(database: Path) -> list[tuple[str, str]]:
    """Hosts of sar that their run does not list, though it lists hosts; and a file of each."""
    with connect(database) as connection:
        return connection.execute(
            "SELECT s.host, min(f.name) FROM sar_source s JOIN raw_file f USING (run_id, file_id)"
            " SEMI JOIN host any_host ON any_host.run_id = s.run_id"
            " ANTI JOIN host h ON h.run_id = s.run_id AND h.host = s.host"
            " WHERE s.host IS NOT NULL GROUP BY s.run_id, s.host ORDER BY ALL"
        ).fetchall()


def holds(database: Path, source: str, inventory: Inventory) -> bool:
    """Whether a database has the runs and the files of a source as they are now, and none gone.

    Of a source without files there is nothing to have, once another was loaded by these readers.

    Parameters
    ----------
    database : pathlib.Path
        The DuckDB file; need not be there.
    source : str
        Kind of raw export.
    inventory : Inventory
        What there is to load.
    """
    found = loaded(database) if database.is_file() else None
    if found is None:
        return False
    of_source = {each.name: each.sha256 for each in inventory.of_source(source)}
    readers = found.readers.values() if not of_source else [found.readers.get(source)]
    if set(readers) != {reader_code()}:
        return False
    wanted = inventory.run_hashes | of_source
    there = set(inventory.run_hashes) | {each.name for each in inventory.entries}
    return wanted.items() <= found.files.items() and found.files.keys() <= there
