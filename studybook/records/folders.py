"""Folders of Parquet beside a database: each written once, aside, and renamed into its place.

The name of a folder tells what it is made of, so that it is never changed: whoever looks into it
finds all that its name stands for. Its account says what it holds, with the hash of each file.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from studybook.errors import StudyBookError
from studybook.formats.raw import sha256

#: Records of raw files, and models computed from these.
Kind = Literal["records", "models"]

#: What stands beside the tables of a folder.
ACCOUNT = "account.json"

#: Such an account: rows of tables of the database, by their names.
Account = dict[str, list[list[Any]]]

#: How tables are compressed: of what DuckDB reads, the least for the time that it takes.
CODEC, CODEC_LEVEL = "zstd", 1

#: The version of what is written into folders.
_LAYOUT = 3

#: Letters of the hash in the name of a folder.
_LETTERS = 20


def hash_of(made_of: object) -> str:
    """The end of the name of a folder: by what it is made of, as JSON has it."""
    return hashlib.sha256(json.dumps([_LAYOUT, made_of]).encode()).hexdigest()[:_LETTERS]


def beside(database: Path, kind: Kind) -> Path:
    """The folder of all records or models of a database; also of its copies while it is written.

    ``records`` beside the database of a data set, as a link where that is being made; beside
    another file ``<its name>-records``.
    """
    first = database.name.partition(".")[0]
    return database.with_name(kind if first == "study" else f"{first}-{kind}").resolve()


def check_place(folder: Path) -> None:
    """Refuse a folder of tables whose path DuckDB would take for a pattern of paths.

    Raises
    ------
    StudyBookError
        Naming the characters.
    """
    if found := sorted({*"*?["} & {*str(folder)}):
        raise StudyBookError(
            f"{folder}: has {' and '.join(found)} in its path, which DuckDB takes for other"
            " characters\n  → give the folder another name"
        )


def write_account(folder: Path, account: Account) -> None:
    """Finish a folder: with its account, and the hashes of its tables."""
    digests = {path.name: sha256(path) for path in sorted(folder.iterdir())}
    text = json.dumps({"account": account, "sha256": digests})
    digest = hashlib.sha256(text.encode()).hexdigest()
    (folder / ACCOUNT).write_text(f"{digest}\n{text}", encoding="utf-8")


def read_account(folder: Path) -> Account:
    """The account in a folder.

    Raises
    ------
    ValueError, OSError
        If it is not there, or not what was written.
    """
    return dict(_said(folder)["account"])


def is_whole(folder: Path) -> bool:
    """Whether a folder holds what was written into it."""
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
    """Move a folder into its place; one that is there already, and whole, may be in use: it stays.

    Where it holds something else, though it was made of the same, the new one takes its place.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        if is_whole(target) and _said(target) == _said(made):
            shutil.rmtree(made)
            return
        shutil.rmtree(target)
    made.rename(target)


def remove_others(place: Path, kept: Iterable[str]) -> None:
    """Remove all folders below a place but some, and those that are then empty."""
    wanted = {place, *(place / each for each in kept)}
    for name, _, _ in os.walk(place, topdown=False):
        folder = Path(name)
        if folder not in wanted and not any(each.is_dir() for each in folder.iterdir()):
            shutil.rmtree(folder, ignore_errors=True)
