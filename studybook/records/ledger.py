"""The ledger of a database: runs, raw files, and which version of the readers read them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import duckdb

from studybook.code import code_digest, reach_digest
from studybook.dataset.definition import Definition, read_definition
from studybook.dataset.inventory import Inventory, LeftOut
from studybook.dataset.manifest import FILE_NAME, Run, factor_text
from studybook.errors import StudyBookError
from studybook.formats import named, reader_file
from studybook.records import schema
from studybook.records.store import connect

#: Rows of Python values in one statement, whose time and memory grow faster than their number.
_VALUES_TOGETHER = 1000


#: The code that puts records into the database, whichever format they are of.
_INTO_TABLES = (
    "load/insert.py", "load/read.py", "ledger.py", "schema.py", "../formats/whole_file.py",
)  # fmt: skip


def format_code(name: str) -> str:
    """Hash of the code that reads a format, with all that it is made of; and of its tables."""
    parts = reach_digest(reader_file(name)), repr(named(name).tables)
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()


def reader_code(names: tuple[str, ...]) -> str:
    """Hash of all code between the raw files of some formats and the rows of tables."""
    here = Path(__file__).parent
    parts = [code_digest(here / name) for name in _INTO_TABLES] + [format_code(n) for n in names]
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()


def reader_codes(inventory: Inventory) -> dict[str, str]:
    """The code that reads each source of a data set: of the formats that it has files of."""
    formats: defaultdict[str, set[str]] = defaultdict(set)
    for entry in inventory.entries:
        formats[entry.format.source].add(entry.format.name)
    return {source: reader_code(tuple(sorted(names))) for source, names in formats.items()}


def write_runs(connection: duckdb.DuckDBPyConnection, inventory: Inventory) -> None:
    """Replace the tables of runs, factors and hosts by what the manifests say."""
    rows: dict[str, list[list[object]]] = {"run": [], "factor": [], "host": [], "run_note": []}
    root = inventory.data_set.root
    words = {study: read_definition(root, study) for study in {run.study for run in inventory.runs}}
    for run in inventory.runs:
        manifest_sha256 = inventory.run_hashes[f"{run.run_id}/{FILE_NAME}"]
        of_run = _rows_of_run(run, words[run.study] or Definition(), manifest_sha256)
        for table, of_table in of_run.items():
            rows[table] += of_table
    connection.begin()
    for table, of_all in rows.items():
        connection.execute(f"DELETE FROM {table}")
        # All at once: row by row, this takes longer than the raw files of most sources.
        insert(connection, table, *of_all)
    connection.commit()


def _rows_of_run(
    run: Run, words: Definition, manifest_sha256: str
) -> dict[str, list[list[object]]]:
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
            [run.run_id, host.name, host.role, words.kind_of(host.role), host.note,
             host.clock_offset_s, host.cpus, host.memory_mib]
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
    others = [entry for entry in inventory.entries if entry.format.source != source]
    connection.execute(
        "DELETE FROM refused_file WHERE NOT list_contains(?::VARCHAR[], name)",
        [[entry.name for entry in others]],
    )
    kept = [entry.file_id for entry in others]
    there = connection.execute("SELECT file_id FROM raw_file").fetchall()
    if {file_id for (file_id,) in there} <= set(kept):
        return
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE kept AS SELECT unnest(?::BIGINT[]) AS file_id",
        [kept],
    )
    for table in (*schema.record_tables(), "raw_file", "repair", "remark", "line_not_understood"):
        connection.execute(f"DELETE FROM {table} WHERE file_id NOT IN (SELECT file_id FROM kept)")


def leave_out(connection: duckdb.DuckDBPyConnection, files: Iterable[LeftOut]) -> None:
    """Enter files that cannot be read."""
    for each in files:
        insert(connection, "refused_file", [each.run_id, each.name, each.sha256, each.reason])


def left_out(database: Path) -> tuple[LeftOut, ...]:
    """The files that were left out of a database because they cannot be read."""
    with connect(database) as connection:
        rows = connection.execute(
            "SELECT run_id, name, sha256, reason FROM refused_file ORDER BY name"
        ).fetchall()
    return tuple(LeftOut(*row) for row in rows)


def without_left_out(inventory: Inventory, database: Path) -> Inventory:
    """An inventory without the files that cannot be read, as loading a database found out.

    Parameters
    ----------
    inventory : Inventory
        The data set as it is now. What has changed since may be readable, and stays.
    database : pathlib.Path
        The DuckDB file; need not be there, nor be of this version.
    """
    try:
        found = {each.name: each for each in left_out(database)} if database.is_file() else {}
    except (StudyBookError, duckdb.Error):
        return inventory
    refused = [
        found[entry.name]
        for entry in inventory.entries
        if entry.name in found and entry.sha256 == found[entry.name].sha256
    ]
    names = {each.name for each in refused}
    return replace(
        inventory,
        entries=tuple(entry for entry in inventory.entries if entry.name not in names),
        left_out=(*inventory.left_out, *refused),
    )


def mark_loaded(connection: duckdb.DuckDBPyConnection, source: str, inventory: Inventory) -> None:
    """Note with which version of the readers a source was loaded, if there are files of it."""
    connection.execute(
        "DELETE FROM reader WHERE source = ? OR NOT list_contains(?::VARCHAR[], source)",
        [source, inventory.sources()],
    )
    if code := reader_codes(inventory).get(source):
        insert(connection, "reader", [source, code])


@dataclass(frozen=True)
class Loaded:
    """The ingredients of a database: hashes of files, manifests, and the readers by source."""

    files: dict[str, str]
    readers: dict[str, str]


def loaded(database: Path) -> Loaded | None:
    """The ingredients of a database; None if it is of another version of this package.

    Parameters
    ----------
    database : pathlib.Path
        A database that exists.
    """
    connection = connect(database)
    try:
        files = connection.execute(
            "SELECT name, sha256 FROM raw_file"
            " UNION ALL SELECT name, sha256 FROM refused_file"
            f" UNION ALL SELECT run_id || '/{FILE_NAME}', manifest_sha256 FROM run"
        ).fetchall()
        readers = connection.execute("SELECT source, code FROM reader").fetchall()
    except duckdb.Error:
        return None
    finally:
        connection.close()
    return Loaded(dict(files), dict(readers))


def not_understood(database: Path) -> tuple[int, int]:
    """The number of lines that were not understood, and of the files with such lines."""
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
    if of_source and found.readers.get(source) != reader_codes(inventory)[source]:
        return False
    refused = {each.name: each.sha256 for each in inventory.left_out}
    wanted = inventory.run_hashes | of_source | refused
    there = inventory.run_hashes.keys() | inventory.file_hashes.keys()
    return wanted.items() <= found.files.items() and found.files.keys() <= there
