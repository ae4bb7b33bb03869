"""The places of things: the project folder, and the folders of one data set in it."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from studybook.errors import StudyBookError
from studybook.plugins import use_book

#: Names the project folder where it is not the current one or above it.
HOME_VARIABLE = "STUDYBOOK_HOME"


def project_root() -> Path:
    """The folder of the book: it holds ``_config.yml`` and ``data/``.

    Looked for from the current folder upwards, so that a notebook finds it from its own
    folder; the environment variable ``STUDYBOOK_HOME`` overrules.

    Raises
    ------
    StudyBookError
        If there is none.
    """
    start = Path(os.environ.get(HOME_VARIABLE) or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        # A staged copy of the book below build/ looks alike, but holds no data.
        if (folder / "_config.yml").is_file() and (folder / "data").is_dir():
            return folder
    raise StudyBookError(
        f"{start}: no study book here or above it (a folder with _config.yml and data/)\n"
        f"  → change into the book, or set {HOME_VARIABLE}"
    )


def use_book_around() -> None:
    """Know the formats of the book around the current folder, if there is one."""
    with suppress(StudyBookError):
        use_book(project_root())


def look_into(*folders: Path) -> None:
    """Make sure that all that lies in folders can be found; hidden folders are not meant.

    Patterns pass over a folder that may not be looked into: what is in it would seem not to be
    there.

    Raises
    ------
    StudyBookError
        Naming all folders that may not be looked into.
    """
    refused: list[OSError] = []
    for folder in folders:
        for _, below, _ in os.walk(folder, onerror=refused.append):
            below[:] = sorted(name for name in below if not name.startswith("."))
    faults = [
        f"{each.filename}: cannot be looked into: {each.strerror}"
        for each in refused
        if not isinstance(each, FileNotFoundError)
    ]
    if faults:
        do = "see by ls -ld to whom it belongs, and who may read there"
        raise StudyBookError("\n".join(faults) + f"\n  → {do}")


#: The data set of a book that names none.
REFERENCE = "reference"

#: The first data set of a book of one's own.
FIRST = "main"


def data_sets(root: Path) -> list[str]:
    """Names of the data sets of a book."""
    return sorted(each.name for each in (root / "data/raw").glob("[!.]*/"))


def usual_data_set(root: Path) -> str:
    """The data set that is meant where none is named: the only one, else the reference.

    Of a book that has none yet, it is the first.
    """
    there = data_sets(root)
    if len(there) == 1:
        return there[0]
    return REFERENCE if REFERENCE in there else FIRST


@dataclass(frozen=True)
class DataSet:
    """The folders and files of one data set.

    Parameters
    ----------
    name : str
        Name of the data set, and of its folders below ``data/raw`` and ``build``.
    root : pathlib.Path
        The project folder.
    """

    name: str
    root: Path

    def __post_init__(self) -> None:
        use_book(self.root)

    @classmethod
    def named(cls, name: str) -> DataSet:
        """The data set of that name in the project around the current folder.

        Raises
        ------
        StudyBookError
            If the project has no such data set.
        """
        found = cls.to_fill(name)
        if not found.raw.is_dir():
            there = ", ".join(data_sets(found.root))
            raise StudyBookError(
                f"there is no data set {name!r}: {found.raw} is not a folder\n"
                + (f"  → known data sets: {there}; name one by --data-set\n" if there else "")
                + "  → studybook add FOLDER takes in a folder of raw exports"
            )
        return found

    @classmethod
    def to_fill(cls, name: str) -> DataSet:
        """The data set of that name, which need not be there yet.

        Raises
        ------
        StudyBookError
            If it cannot be the name of one, or there is no book.
        """
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
            raise StudyBookError(
                f"{name!r} cannot be the name of a data set\n  → letters, digits, . _ and - will do"
            )
        return cls(name, project_root())

    @property
    def raw(self) -> Path:
        """The raw exports: ``<study>/<run>/`` below it."""
        return self.root / "data/raw" / self.name

    @property
    def build(self) -> Path:
        """Everything that is made from the raw exports; may be deleted at any time."""
        return self.root / "build" / self.name

    @property
    def database(self) -> Path:
        """The DuckDB file."""
        return self.build / "study.duckdb"

    @property
    def records(self) -> Path:
        """The records of the raw files, in folders of Parquet."""
        return self.build / "records"

    @property
    def models(self) -> Path:
        """The models computed from these, in folders of Parquet."""
        return self.build / "models"

    @property
    def notebooks(self) -> Path:
        """Executed notebooks."""
        return self.build / "notebooks"

    @property
    def load_reports(self) -> Path:
        """Executed load notebooks: the loading reports."""
        return self.build / "load"

    @property
    def figures(self) -> Path:
        """Data, specification, picture and record of each figure."""
        return self.build / "figures"

    @property
    def html(self) -> Path:
        """The published book."""
        return self.build / "html"
