"""Reading the raw files of a part into Parquet: a file per table, and the account of its lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from studybook import formats
from studybook.dataset.inventory import Content, Entry, LeftOut
from studybook.errors import Refused
from studybook.formats import Hints, Reading
from studybook.formats.raw import sha256
from studybook.records.folders import CODEC, CODEC_LEVEL, write_account
from studybook.records.parts import Part
from studybook.records.side_by_side import side_by_side

#: Bytes of records that are kept before they are written, as a group of rows of each table.
KEPT_BYTES = 32 * 1024 * 1024

#: Bytes of raw files below which other processes would start too late to help.
WORTH_BYTES = 256 * 1024

_COMPRESSION = {
    "compression": CODEC, "compression_level": CODEC_LEVEL, "write_page_checksum": True,
}  # fmt: skip


@dataclass(frozen=True)
class File:
    """A raw file, for a process that knows nothing of runs."""

    file_id: int
    run_id: str
    name: str
    path: Path
    content: Content
    hints: Hints
    source: str
    format: str
    host: str | None
    provenance: str | None
    repairs: tuple[str, ...]

    @classmethod
    def of(cls, entry: Entry) -> File:
        """The file of an entry of the inventory."""
        run, file = entry.run, entry.file
        return cls(
            entry.file_id, run.run_id, entry.name, entry.path, entry.content, run.hints(file),
            entry.source, entry.format, file.host, file.provenance, tuple(file.repairs),
        )  # fmt: skip


def files_of(part: Part) -> tuple[File, ...]:
    """The files of a part."""
    return tuple(File.of(entry) for entry in part.entries)


def read_parts(parts: Iterable[Part], scratch: Path) -> Iterator[tuple[Part, Path, dict[int, str]]]:
    """Read parts side by side, in whatever order they are done.

    Parameters
    ----------
    parts : iterable of Part
        What to read.
    scratch : pathlib.Path
        The folder where the folders of their records are made.

    Yields
    ------
    part : Part
        What was read.
    made : pathlib.Path
        The folder of its records.
    digests : dict of int to str
        As of :func:`read_part`.

    Raises
    ------
    StudyBookError
        If a process that reads was killed.
    """
    # The largest first, so that none is left at the end for one process alone.
    waiting = sorted(parts, key=lambda part: -part.size)
    jobs = [(part, (files_of(part),)) for part in waiting]
    worth = sum(part.size for part in waiting) >= WORTH_BYTES
    yield from side_by_side("read raw files", read_part, jobs, scratch, worth=worth)


def read_part(files: Sequence[File], folder: Path) -> dict[int, str]:
    """Read raw files into a folder of Parquet.

    A file that cannot be read leaves no records; the account says why.

    Parameters
    ----------
    files : sequence of File
        The raw files of a part.
    folder : pathlib.Path
        Where the records go; made here.

    Returns
    -------
    dict of int to str
        The hash of each file by its number; empty where it changed meanwhile, so that no one takes
        the records for those of what it holds now.
    """
    folder.mkdir(parents=True)
    # Memory that Arrow's own pool frees stays in it; the readers take theirs from the system.
    pa.set_memory_pool(pa.system_memory_pool())
    account: defaultdict[str, list[list[Any]]] = defaultdict(list)
    digests: dict[int, str] = {}
    with ThreadPoolExecutor(2, "write") as threads:
        tables = _Tables(folder, threads)
        try:
            for file in files:
                found, digests[file.file_id] = _read(file, tables, threads, alone=len(files) == 1)
                if isinstance(found, Refused):
                    left_out = LeftOut.of(file.run_id, file.name, digests[file.file_id], found)
                    account["refused_file"].append(
                        [left_out.run_id, left_out.name, left_out.sha256, left_out.reason]
                    )
                else:
                    _enter(account, file, digests[file.file_id], found)
        finally:
            tables.close()
    write_account(folder, {**account, "part_table": tables.written})
    return digests


def _read(
    file: File, tables: _Tables, threads: ThreadPoolExecutor, *, alone: bool
) -> tuple[Reading | Refused, str]:
    """Read a file; the records of one that is alone are not kept until it has ended."""
    digest = threads.submit(lambda: file.content.sha256 or _hash_if_any(file.path))
    kept: list[tuple[str, pa.Table]] = []

    def keep(table: str, rows: pa.Table) -> None:
        kept.append((table, _numbered(rows, file.file_id)))

    def pass_on(table: str, rows: pa.Table) -> None:
        tables.take(table, _numbered(rows, file.file_id))

    sink: Callable[[str, pa.Table], None] = pass_on if alone else keep
    found: Reading | Refused
    try:
        _, found = formats.read(file.path, sink, file.hints, formats.named(file.format))
    except Refused as refusal:
        found = refusal
    sha = digest.result()
    if not file.content.is_still_that_of(file.path):
        changed = "changed while it was read", "load it when nothing writes to it"
        found, sha = Refused(*changed, path=file.path), ""
    if isinstance(found, Refused):
        if alone:
            tables.forget()
    else:
        for each in kept:
            tables.take(*each)
    return found, sha


def _hash_if_any(path: Path) -> str:
    with suppress(OSError):
        return sha256(path)
    return ""


def _numbered(rows: pa.Table, file_id: int) -> pa.Table:
    """Give rows the number of their file."""
    return rows.add_column(0, "file_id", pa.array(np.full(rows.num_rows, file_id)))


def _enter(
    account: defaultdict[str, list[list[Any]]], file: File, digest: str, reading: Reading
) -> None:
    """Enter a file in the account, with what was said of it."""
    account["raw_file"].append(
        [file.file_id, file.run_id, file.name, digest, file.content.size,
         file.source, file.format, file.host, file.provenance,
         sum(reading.rows.values()), reading.lines, reading.lines_in_records,
         reading.lines_in_headings, reading.lines_not_understood, reading.certainty]
    )  # fmt: skip
    repairs = [(None, text) for text in file.repairs] + reading.repairs
    for table, notes in (
        ("repair", repairs),
        ("remark", reading.remarks),
    ):
        account[table] += [[file.file_id, line, text] for line, text in notes]
    account["line_not_understood"] += [
        [file.file_id, line, text, reading.unlike.get(line)]
        for line, text in reading.not_understood
    ]


class _Tables:
    """Records on their way to Parquet: kept until there are enough, or being written."""

    def __init__(self, folder: Path, threads: ThreadPoolExecutor) -> None:
        self._folder, self._threads = folder, threads
        self._kept: defaultdict[str, list[pa.Table]] = defaultdict(list)
        self._bytes = 0
        self._files: dict[str, pq.ParquetWriter] = {}
        self._writing: Future[None] | None = None
        self._rows: Counter[str] = Counter()
        self._of_files: defaultdict[str, set[int]] = defaultdict(set)

    @property
    def written(self) -> list[list[Any]]:
        """Of each table its name, the number of its rows and of the files that have such."""
        return [[name, n, len(self._of_files[name])] for name, n in sorted(self._rows.items())]

    def take(self, table: str, rows: pa.Table) -> None:
        """Take records of a table, all of one file."""
        if rows.num_rows:
            self._kept[table].append(rows)
            self._bytes += rows.nbytes
            self._rows[table] += rows.num_rows
            self._of_files[table].add(rows["file_id"][0].as_py())
        if self._bytes > KEPT_BYTES:
            self._write_kept()

    def forget(self) -> None:
        """Take out everything that was taken."""
        for each in (self._kept, self._rows, self._of_files):
            each.clear()
        self._bytes = 0
        self._finish()
        for path in self._folder.iterdir():
            path.unlink()

    def close(self) -> None:
        """Write what is left."""
        self._write_kept()
        self._finish()

    def _finish(self) -> None:
        if self._writing:
            self._writing.result()
            self._writing = None
        while self._files:
            self._files.popitem()[1].close()

    def _write_kept(self) -> None:
        """Write what is kept, while more is read; what is read then waits for it."""
        kept, self._kept, self._bytes = self._kept, defaultdict(list), 0
        if self._writing:
            self._writing.result()
        self._writing = self._threads.submit(partial(self._write, kept))

    def _write(self, kept: dict[str, list[pa.Table]]) -> None:
        while kept:
            table, parts = kept.popitem()  # and let go of it
            rows = pa.concat_tables(parts).combine_chunks()
            if table not in self._files:
                path = self._folder / f"{table}.parquet"
                self._files[table] = pq.ParquetWriter(path, rows.schema, **_COMPRESSION)
            self._files[table].write_table(rows)
