"""The figures of a build: of an archive, of a folder, or of a book."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studybook.engine.outputs import METADATA
from studybook.errors import StudyBookError
from studybook.publish.archive import verify

Rows = list[dict[str, str]]


@dataclass(frozen=True)
class Build:
    """The figures of a build: the record of each by its id, and a way to the rows of its chart."""

    name: str
    records: Mapping[str, Mapping[str, Any]]
    rows: Callable[[str], Rows]


def open_build(place: Path, data_set: str) -> Build:
    """Read the figures of a build.

    Parameters
    ----------
    place : pathlib.Path
        An archive of a book (``studybook archive``), a folder ``build/<data set>``, or a book.
    data_set : str
        The data set, where the place is a book.

    Raises
    ------
    StudyBookError
        If no figures are there, or an archive is not as it was packed.
    """
    if place.is_file():
        return _archive(place)
    for folder in (place, place / "build" / data_set):
        if (folder / "figures").is_dir():
            return _folder(folder)
    raise StudyBookError(
        f"{place}: holds no figures\n"
        "  → name an archive (studybook archive), a folder build/<data set>, or a book with a build"
    )


def _folder(folder: Path) -> Build:
    records = {}
    for path in sorted((folder / "figures").glob("*/*.json")):
        if not path.name.endswith((".vl.json", METADATA)):
            id_ = path.relative_to(folder / "figures").with_suffix("").as_posix()
            records[id_] = _record(path.read_bytes(), path)

    def rows(id_: str) -> Rows:
        path = folder / f"figures/{id_}.csv"
        return _rows(path.read_text(encoding="utf-8")) if path.is_file() else []

    return Build(str(folder), records, rows)


def _archive(path: Path) -> Build:
    archive = verify.read(path)
    if archive.faults:
        raise StudyBookError(
            f"{path}: {archive.faults[0]}\n  → see all faults by: studybook verify {path}"
        )

    def rows(id_: str) -> Rows:
        name = f"build/{archive.data_set}/figures/{id_}.csv"
        if name not in archive.inside:
            return []
        with zipfile.ZipFile(path) as opened:
            return _rows(opened.read(name).decode())

    return Build(str(path), archive.records, rows)


def _record(content: bytes, path: Path) -> Mapping[str, Any]:
    if record := verify.record_of(content):
        return record
    raise StudyBookError(f"{path}: is no record of a figure\n  → build the book again")


def _rows(text: str) -> Rows:
    return list(csv.DictReader(io.StringIO(text)))
