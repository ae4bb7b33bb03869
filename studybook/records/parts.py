"""Parts: raw files of one run and kind that are read together, and folders with their records.

A folder has its name by what the records are made of: the content of the files, what ``run.yml``
says of them, and the code that reads them. It is written aside, renamed as a whole, and never
changed: whoever looks into it finds all the records that its name stands for.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from studybook.dataset.inventory import Entry, Inventory
from studybook.errors import StudyBookError
from studybook.formats.raw import sha256
from studybook.records.readers import reader_code

#: Bytes of raw files in a part, and their number; a file that is larger is one by itself.
PART_BYTES, PART_FILES = 24 * 1024 * 1024, 24

#: What stands beside the records of a part: the account of its raw files.
ACCOUNT = "account.json"

#: Such an account: rows of tables of the database, by their names.
Account = dict[str, list[list[Any]]]

#: The version of what is written into the folder of a part.
_LAYOUT = 1

#: Letters of the hash in the name of a folder.
_LETTERS = 20


@dataclass(frozen=True, eq=False)
class Part:
    """Raw files of one run and one source."""

    entries: tuple[Entry, ...]

    @property
    def run_id(self) -> str:
        """The run that they are of."""
        return self.entries[0].run.run_id

    @property
    def source(self) -> str:
        """The kind of raw export that they are."""
        return self.entries[0].format.source

    @property
    def size(self) -> int:
        """Bytes of the raw files."""
        return sum(entry.content.size for entry in self.entries)

    @cached_property
    def code(self) -> str:
        """Hash of the code that reads them."""
        return reader_code(tuple(sorted({entry.format.name for entry in self.entries})))

    @cached_property
    def folder(self) -> str:
        """Where the records lie, below the folder of all records."""
        return self.folder_of({entry.file_id: entry.sha256 for entry in self.entries})

    def folder_of(self, digests: Mapping[int, str]) -> str:
        """Where records lie that come from files with these hashes, by ``file_id``."""
        made_of = [
            [
                entry.name, entry.format.name, digests[entry.file_id],
                entry.file.model_dump_json(), repr(entry.run.hints(entry.file)),
            ]
            for entry in self.entries
        ]  # fmt: skip
        text = json.dumps([_LAYOUT, self.code, *made_of])
        return f"{self.run_id}/{self.source}-{hashlib.sha256(text.encode()).hexdigest()[:_LETTERS]}"


def parts_of(inventory: Inventory, sources: Iterable[str]) -> list[Part]:
    """The raw files of some sources in parts, in the order of runs and files."""
    wanted = {*sources}
    found: list[Part] = []
    for _, of_run in groupby(inventory.entries, lambda entry: entry.run.run_id):
        by_source: dict[str, list[Entry]] = {}
        for entry in of_run:
            by_source.setdefault(entry.format.source, []).append(entry)
        for source in sorted(wanted & by_source.keys()):
            found += _packed(by_source[source])
    return found


def _packed(entries: Iterable[Entry]) -> Iterator[Part]:
    together: list[Entry] = []
    for entry in entries:
        size = entry.content.size + sum(each.content.size for each in together)
        alone = entry.content.is_large or bool(together and together[-1].content.is_large)
        if together and (alone or size > PART_BYTES or len(together) == PART_FILES):
            yield Part(tuple(together))
            together = []
        together.append(entry)
    if together:
        yield Part(tuple(together))


def records_beside(database: Path) -> Path:
    """The folder of all records that a database is made of; also of its copies while it is written.

    ``records`` beside the database of a data set, as a link where that is being made; beside
    another file ``<its name>-records``.
    """
    first = database.name.partition(".")[0]
    return database.with_name("records" if first == "study" else f"{first}-records").resolve()


def check_place(records: Path) -> None:
    """Refuse a folder of records whose path DuckDB would take for a pattern of paths.

    Raises
    ------
    StudyBookError
        Naming the characters.
    """
    if found := sorted({*"*?["} & {*str(records)}):
        raise StudyBookError(
            f"{records}: has {' and '.join(found)} in its path, which DuckDB takes for other"
            " characters\n  → give the folder another name"
        )


def write_account(folder: Path, account: Account) -> None:
    """Finish the folder of a part: with the account of its files, and the hashes of its tables."""
    digests = {path.name: sha256(path) for path in sorted(folder.iterdir())}
    text = json.dumps({"account": account, "sha256": digests})
    digest = hashlib.sha256(text.encode()).hexdigest()
    (folder / ACCOUNT).write_text(f"{digest}\n{text}", encoding="utf-8")


def read_account(folder: Path) -> Account:
    """The account of the files of a part.

    Raises
    ------
    ValueError, OSError
        If it is not there, or not what was written.
    """
    return dict(_said(folder)["account"])


def is_whole(folder: Path) -> bool:
    """Whether the folder of a part holds what was written into it."""
    try:
        digests = _said(folder)["sha256"]
        there = {path.name: sha256(path) for path in folder.iterdir() if path.name != ACCOUNT}
    except (OSError, ValueError):
        return False
    return bool(there == digests)


def _said(folder: Path) -> dict[str, Any]:
    digest, _, text = (folder / ACCOUNT).read_text(encoding="utf-8").partition("\n")
    if hashlib.sha256(text.encode()).hexdigest() != digest:
        raise ValueError(f"{folder / ACCOUNT}: is not what was written")
    return dict(json.loads(text))


def seen(folder: Path) -> str:
    """What tells that nobody has written to a folder since; empty where it is not there."""
    try:
        stats = [(each.name, each.stat()) for each in folder.iterdir()]
    except OSError:
        return ""
    said = sorted((name, stat.st_size, stat.st_mtime_ns) for name, stat in stats)
    return hashlib.sha256(repr(said).encode()).hexdigest()[:_LETTERS]


def put(made: Path, target: Path) -> None:
    """Move the folder of a part into its place, which may hold a damaged one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        shutil.rmtree(target)
    made.rename(target)


def remove_others(records: Path, kept: Iterable[str]) -> None:
    """Remove all parts but some."""
    wanted = {*kept}
    for folder in records.glob("*/*/*/"):
        if folder.relative_to(records).as_posix() not in wanted:
            shutil.rmtree(folder, ignore_errors=True)
    for depth in ("*/*/", "*/"):
        for folder in records.glob(depth):
            if not any(folder.iterdir()):
                folder.rmdir()
