"""Packing a book into one zip archive: the same book gives the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from studybook.checked_yaml import read_keys
from studybook.code import LIBRARY
from studybook.dataset.paths import DataSet
from studybook.engine.notebooks import RECORDED, Notebook
from studybook.engine.outputs import Record, read_record, record_path
from studybook.errors import StudyBookError
from studybook.memory import content_sha256
from studybook.publish.archive.crate import METADATA, crate

#: Files and folders of a book that are of no one data set, where they are there.
_OF_BOOK = (
    "_config.yml", "requirements.txt", "README.md", "LICENSE*", "CITATION.cff",
    "book", "data/published", "notebooks", "pipelines",
)  # fmt: skip

#: A zip archive has no earlier time, and no file of ours needs one.
_TIME = (1980, 1, 1, 0, 0, 0)
_PIECE_BYTES = 1024 * 1024


def pack(data_set: DataSet, chosen: Sequence[Notebook], target: Path, *, raw: bool = True) -> int:
    """Write the archive of a book that is built and up to date.

    Parameters
    ----------
    data_set : DataSet
        The data set of the book.
    chosen : sequence of Notebook
        The figures that belong into it.
    target : pathlib.Path
        The archive; there must be none yet.
    raw : bool
        Whether raw files go along; if not, a list of their hashes does.

    Returns
    -------
    int
        The number of files in it.

    Raises
    ------
    StudyBookError
        If the archive is there, or the book has no pages.
    """
    if target.exists():
        raise StudyBookError(f"{target}: is there already\n  → remove it, or give another name")
    if not target.parent.is_dir():
        raise StudyBookError(f"{target.parent}: is not a folder\n  → make it, or name another one")
    if not (data_set.html / "index.html").is_file():
        raise StudyBookError(
            f"{data_set.html}: has no pages\n  → studybook book -d {data_set.name}, first"
        )
    records = [record for each in chosen if (record := read_record(data_set, each.id))]
    root = data_set.root
    of_raw = {path.relative_to(root).as_posix(): path for path in _files(data_set.raw)}
    there = _of_book(data_set, records) | _built(data_set, records) | (of_raw if raw else {})
    left_out = {} if raw else {name: content_sha256(path) for name, path in of_raw.items()}
    made = target.with_name(f"{target.name}.part")
    try:
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            said = {name: _add(archive, name, path) for name, path in sorted(there.items())}
            if left_out:
                # As sha256sum -c reads it in the folder data.
                lines = (f"{d}  {n.removeprefix('data/')}\n" for n, d in sorted(left_out.items()))
                name = f"data/{data_set.name}.sha256"
                said[name] = _write(archive, name, "".join(lines))
            book = read_keys(root / "_config.yml") or {}
            about = crate(data_set.name, book, _day(data_set, book), said, left_out, records)
            _write(archive, METADATA, json.dumps(about, indent=1, ensure_ascii=False))
        made.replace(target)
    finally:
        made.unlink(missing_ok=True)
    return len(said) + 1


def _of_book(data_set: DataSet, records: Sequence[Record]) -> dict[str, Path]:
    """What a team wrote, by its name in the book: with the code of its own that figures use."""
    root = data_set.root
    used = {name for record in records for name in (*record.modules, *record.model)}
    own = {name.partition("/")[0] for name in used} - {LIBRARY.name}
    places = [path for name in (*_OF_BOOK, *sorted(own)) for path in sorted(root.glob(name))]
    found = {path for place in places for path in _files(place)}
    # What was recorded of other data sets belongs to their archives.
    recorded = root / "notebooks" / RECORDED
    ours = recorded / data_set.name
    return {
        path.relative_to(root).as_posix(): path
        for path in found
        if not path.is_relative_to(recorded) or path.is_relative_to(ours)
    }


def _built(data_set: DataSet, records: Sequence[Record]) -> dict[str, Path]:
    """What was made of it: pages, figures with their records, executed notebooks, paper."""
    build = data_set.build
    found = {*_files(data_set.html), *_files(data_set.load_reports), *build.glob("*.pdf")}
    found |= {build / name for record in records for name in record.outputs}
    found |= {record_path(data_set, record.id) for record in records}
    return {path.relative_to(data_set.root).as_posix(): path for path in found if path.is_file()}


def _files(place: Path) -> Iterator[Path]:
    """The files in a folder, or the file itself; nothing that is hidden or compiled."""
    if place.is_file():
        yield place
    for folder, below, names in os.walk(place):
        below[:] = [name for name in below if not name.startswith(".") and name != "__pycache__"]
        found = (Path(folder, name) for name in names if not name.startswith("."))
        yield from (path for path in found if path.is_file())


def _add(archive: zipfile.ZipFile, name: str, path: Path) -> tuple[str, int]:
    """Take a file in; what it is hashed from is what is written."""
    digest, size = hashlib.sha256(), 0
    about = _about(name)
    about.file_size = path.stat().st_size  # a large one needs other fields
    with path.open("rb") as source, archive.open(about, "w") as out:
        while piece := source.read(_PIECE_BYTES):
            digest.update(piece)
            size += len(piece)
            out.write(piece)
    return digest.hexdigest(), size


def _write(archive: zipfile.ZipFile, name: str, text: str) -> tuple[str, int]:
    content = text.encode()
    archive.writestr(_about(name), content)
    return hashlib.sha256(content).hexdigest(), len(content)


def _about(name: str) -> zipfile.ZipInfo:
    about = zipfile.ZipInfo(name, _TIME)
    about.compress_type = zipfile.ZIP_DEFLATED
    about.create_system = 3  # Unix, on any system
    about.external_attr = 0o100644 << 16
    return about


def _day(data_set: DataSet, book: Mapping[str, Any]) -> str:
    """The year that the book names, or the day on which its pages were made."""
    if said := re.search(r"\b\d{4}\b", str(book.get("copyright") or "")):
        return said[0]
    built = (data_set.html / "index.html").stat().st_mtime
    return datetime.fromtimestamp(built, UTC).date().isoformat()
