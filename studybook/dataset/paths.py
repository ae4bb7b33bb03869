"""The places of things: the project folder, and the folders of one data set in it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from studybook.errors import StudyBookError

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

    @classmethod
    def named(cls, name: str) -> DataSet:
        """The data set of that name in the project around the current folder.

        Raises
        ------
        StudyBookError
            If the project has no such data set.
        """
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
            raise StudyBookError(
                f"{name!r} cannot be the name of a data set\n  → letters, digits, . _ and - will do"
            )
        found = cls(name, project_root())
        if not found.raw.is_dir():
            there = sorted(each.name for each in (found.root / "data/raw").glob("*/"))
            raise StudyBookError(
                f"there is no data set {name!r}: {found.raw} is not a folder\n"
                f"  → known data sets: {', '.join(there) or 'none'}; put raw exports under "
                f"data/raw/{name}/<study>/<run>/ with a run.yml"
            )
        return found

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
    def recognised(self) -> Path:
        """The format of each raw file that was recognised before, by the file's hash."""
        return self.build / "recognised.json"

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
