"""The ledger of a database: runs, raw files, and which version of the readers read them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import duckdb
import pyarrow as pa

from studybook.dataset.definition import FILE_NAME as STUDY_FILE
from studybook.dataset.definition import Definition, read_definition
from studybook.dataset.inventory import Inventory, LeftOut, faults_of
from studybook.dataset.manifest import FILE_NAME, Run, factor_text
from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.records.folders import Account
from studybook.records.parts import Part
from studybook.records.schema import LEDGER
from studybook.records.store import connect
from studybook.text import counted

#: The tables of raw files, in which a part enters its own.
OF_FILES = ("raw_file", "refused_file", "repair", "remark", "line_not_understood")

#: The check of data by whose name it is accepted that a file cannot be read.
LEFT_OUT = "left-out"

#: The tables of runs, as their manifests and the words of their studies have them.
_OF_RUNS = ("run", "factor", "host", "run_note", "accepted", "study_words")


def write_runs(connection: duckdb.DuckDBPyConnection, inventory: Inventory) -> None:
    """Replace the tables of runs, factors and hosts by what the manifests say."""
    rows: dict[str, list[list[object]]] = {name: [] for name in _OF_RUNS}
    root = inventory.data_set.root
    words = {study: read_definition(root, study) for study in {run.study for run in inventory.runs}}
    for run in inventory.runs:
        manifest_sha256 = inventory.run_hashes[f"{run.run_id}/{FILE_NAME}"]
        of_run = _rows_of_run(run, words[run.study] or Definition(), manifest_sha256)
        for table, of_table in of_run.items():
            rows[table] += of_table
    rows["study_words"] = [[*each] for each in inventory.words.items()]
    connection.begin()
    for table, of_all in rows.items():
        connection.execute(f"DELETE FROM {table}")
        # All at once: row by row, this takes longer than the raw files of most sources.
        insert(connection, table, *of_all)
    connection.commit()


def _rows_of_run(
    run: Run, words: Definition, manifest_sha256: str
) -> dict[str, list[list[object]]]:
    source, stable = run.source, run.stable_phase or words.stable_phase
    notes = [f"Excluded: {run.excluded}"] if run.excluded else []
    notes += [*run.notes, *(f"{file.path}: {note}" for file in run.files for note in file.notes)]
    return {
        "run": [
            [run.run_id, run.study, run.run, run.title, run.origin, run.kind,
             source and source.document, source and source.id, source and source.place,
             run.time_zone, run.time_zone_known,
             run.start.replace(tzinfo=None) if run.start else None, run.start_utc,
             run.start_known if run.start else None,
             stable and stable.from_s, stable and stable.to_s,
             stable and (FILE_NAME if run.stable_phase else STUDY_FILE),
             run.excluded, manifest_sha256]
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
        "accepted": [
            [run.run_id, each.check, each.subject, each.because, of_study]
            for of_study, accepted in ((False, run.accepted), (True, words.accepted))
            for each in accepted
        ],
    }  # fmt: skip


def insert(connection: duckdb.DuckDBPyConnection, table: str, *rows: list[object]) -> None:
    """Insert rows of Python values."""
    if rows:  # of thousands, a fiftieth of the time of a statement with the values
        columns = [pa.array(cells) for cells in zip(*rows, strict=True)]
        names = [str(place) for place, _ in enumerate(columns)]
        connection.from_arrow(pa.table(columns, names)).insert_into(table)


def write_files(
    connection: duckdb.DuckDBPyConnection,
    accounts: Iterable[Account],
    left_out: Iterable[LeftOut],
) -> None:
    """Replace the tables of raw files by the accounts of all parts.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database, open to write.
    accounts : iterable of dict
        Rows by the names of tables.
    left_out : iterable of LeftOut
        Files of which no part was read.
    """
    rows: defaultdict[str, list[list[object]]] = defaultdict(list)
    rows["refused_file"] = [[each.run_id, each.name, each.sha256, each.reason] for each in left_out]
    for account in accounts:
        for table in OF_FILES:
            rows[table] += account.get(table, [])
    connection.begin()
    for table in OF_FILES:
        connection.execute(f"DELETE FROM {table}")
        insert(connection, table, *rows[table])
    connection.commit()


def refused(connection: duckdb.DuckDBPyConnection) -> tuple[LeftOut, ...]:
    """The files that were left out of a database because they cannot be read."""
    rows = connection.execute(
        "SELECT run_id, name, sha256, reason FROM refused_file ORDER BY name"
    ).fetchall()
    return tuple(LeftOut(*row) for row in rows)


def accepted(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """The names of those of which a person has said that they are known, with the reason.

    So has who has excluded their run.
    """
    rows = connection.execute(
        "SELECT name, because FROM refused_file r JOIN accepted a USING (run_id)"
        " WHERE check_id = ? AND name[length(run_id) + 2 :] GLOB subject"
        " UNION ALL SELECT name, 'the run is excluded: ' || excluded"
        " FROM refused_file JOIN run USING (run_id) WHERE excluded IS NOT NULL",
        [LEFT_OUT],
    )
    return dict(rows.fetchall())


def refuse_left_out(
    connection: duckdb.DuckDBPyConnection, data_set: DataSet, hint: str = ""
) -> None:
    """Make a fault of the files that were left out, but for those that are known.

    Raises
    ------
    StudyBookError
        If there is one, with a hint at its end.
    """
    known = accepted(connection)
    left_out = [each for each in refused(connection) if each.name not in known]
    if left_out:
        raise StudyBookError("\n".join(faults_of(left_out, data_set)) + hint)


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
        there = loaded(database) if database.is_file() else None
    except StudyBookError:
        return inventory
    if there is None:
        return inventory
    found = {each.name: each for each in there.refused}
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


def write_parts(
    connection: duckdb.DuckDBPyConnection, records: Path, read: Iterable[tuple[Part, str, Account]]
) -> None:
    """Replace the tables of parts.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database, open to write.
    records : pathlib.Path
        The folder of all records.
    read : iterable of tuple of Part, str and dict
        The parts, in the order of their rows, their folders and the accounts in these.
    """
    rows: dict[str, list[list[object]]] = {"place": [[str(records)]], "part": [], "part_table": []}
    for turn, (part, folder, account) in enumerate(read):
        rows["part"].append([folder, part.run_id, part.source, part.code, turn])
        rows["part_table"] += [[folder, *each] for each in account["part_table"]]
    connection.begin()
    for table, of_all in rows.items():
        connection.execute(f"DELETE FROM {table}")
        insert(connection, table, *of_all)
    connection.commit()


@dataclass(frozen=True)
class Loaded:
    """The ingredients of a database.

    Attributes
    ----------
    files : dict of str to str
        Hashes of raw files and manifests, and what words of studies say of runs, by name.
    parts : dict of str to tuple of str
        The folders of records; of each its source, and the code that read it.
    groups : frozenset of str
        The folders of models.
    refused : tuple of LeftOut
        The files that cannot be read.
    models : dict of str to dict of str to str
        The digests of all models of each study.
    """

    files: dict[str, str]
    parts: dict[str, tuple[str, str]]
    groups: frozenset[str]
    refused: tuple[LeftOut, ...]
    models: dict[str, dict[str, str]]


def loaded(database: Path) -> Loaded | None:
    """The ingredients of a database; None if it is of another version of this package.

    Parameters
    ----------
    database : pathlib.Path
        A database that exists.

    Raises
    ------
    StudyBookError
        If it cannot be opened.
    """
    stat = database.stat()
    return _loaded(database, stat.st_ino, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=4)
def _loaded(database: Path, *_as_it_is: int) -> Loaded | None:
    """Opening a database of a book takes longer than all that is asked of it here."""
    connection = connect(database)
    try:
        for table, columns in LEDGER.items():  # whatever one has is not there in another version
            names = ", ".join(column.split()[0] for column in columns.split(", "))
            connection.execute(f"SELECT {names} FROM {table} LIMIT 0")
        files = connection.execute(
            "SELECT name, sha256 FROM raw_file"
            " UNION ALL SELECT name, sha256 FROM refused_file"
            f" UNION ALL SELECT run_id || '/{FILE_NAME}', manifest_sha256 FROM run"
            " UNION ALL SELECT name, words FROM study_words"
        ).fetchall()
        parts = connection.execute("SELECT folder, source, code FROM part").fetchall()
        groups = connection.execute("SELECT folder FROM run_group").fetchall()
        studies = connection.execute("SELECT DISTINCT study FROM run ORDER BY 1").fetchall()
        models = connection.execute("SELECT study, name, digest FROM model").fetchall()
        cannot_be_read = refused(connection)
    except duckdb.Error:
        return None
    finally:
        connection.close()
    known = {folder: (source, code) for folder, source, code in parts}
    of_studies: dict[str, dict[str, str]] = {study: {} for (study,) in studies}
    for study, name, digest in models:
        of_studies.setdefault(study, {})[name] = digest
    folders = frozenset(folder for (folder,) in groups)
    return Loaded(dict(files), known, folders, cannot_be_read, of_studies)


def made_since(database: Path, before: Loaded | None) -> list[str]:
    """What is in a database that was not there before: what was read and computed, for people.

    Parameters
    ----------
    database : pathlib.Path
        A database that exists.
    before : Loaded, optional
        What there was before.
    """
    parts, groups = (before.parts, before.groups) if before else ({}, frozenset())
    with connect(database) as connection:
        of_parts = connection.execute("SELECT folder, run_id, source FROM part").fetchall()
        of_groups = connection.execute("SELECT folder, run_ids FROM run_group").fetchall()
    read = [(run_id, source) for folder, run_id, source in of_parts if folder not in parts]
    computed = {each for folder, run_ids in of_groups if folder not in groups for each in run_ids}
    said = []
    if read:
        sources = ", ".join(sorted({source for _, source in read}))
        said.append(f"read       {sources} of {_runs({run_id for run_id, _ in read})}")
    if computed:
        said.append(f"computed   models of {_runs(computed)}")
    return said


def _runs(run_ids: set[str]) -> str:
    return min(run_ids) if len(run_ids) == 1 else counted(len(run_ids), "run")


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
