"""Two folders of raw files as the two sides of a comparison, without a book.

They are loaded into a book that lives as long as the comparison: one run per folder, with a
``run.yml`` of what the files say themselves. The folders are only read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from studybook.dataset.inspection import inspect_file
from studybook.dataset.inventory import take_inventory
from studybook.dataset.manifest import FILE_NAME
from studybook.dataset.paths import DataSet
from studybook.errors import Refused, StudyBookError
from studybook.frames.evidence import Evidence, read_evidence
from studybook.process.scratch import scratch
from studybook.records.load import update
from studybook.study.scope import Scope
from studybook.study.study import Study

#: The study, and the data set, of the book that is made.
NAME = "two-folders"


@contextmanager
def folders_as_runs(before: Path, after: Path) -> Iterator[tuple[Evidence, list[str]]]:
    """Load two folders as the runs ``before`` and ``after``.

    Local times are taken as UTC, for nothing states their zone: both sides are read alike.

    Parameters
    ----------
    before, after : pathlib.Path
        The folders; files below them are taken, too.

    Yields
    ------
    tuple of Evidence and list of str
        What they say, and the files that were left aside, each with the reason.

    Raises
    ------
    StudyBookError
        If a folder holds no raw file of a known format.
    """
    with scratch() as root:
        (root / "_config.yml").write_text("title: Two folders\n", encoding="utf-8")
        data_set = DataSet(NAME, root)
        aside: list[str] = []
        for run, folder in (("before", before), ("after", after)):
            aside += _add(data_set.raw / NAME / run, run, folder)
        data_set.build.mkdir(parents=True)
        inventory = take_inventory(data_set)
        update(data_set.database, inventory, inventory.sources())
        yield read_evidence(Study(Scope(NAME, {}), data_set.database, root)), aside


def _add(target: Path, run: str, folder: Path) -> list[str]:
    """Make a run of a folder, and return what was left aside."""
    if not folder.is_dir():
        raise StudyBookError(f"{folder}: is no folder\n  → name the folder of the raw files")
    try:
        paths = sorted(path for path in _below(folder) if path.name != FILE_NAME)
    except OSError as error:
        raise StudyBookError(f"{folder}: cannot be read: {error.strerror}") from error
    files: list[dict[str, Any]] = []
    hosts: set[str] = set()
    aside: list[str] = []
    target.mkdir(parents=True)
    for number, path in enumerate(paths):
        try:
            seen = inspect_file(path, keep=0)
        except Refused as refusal:
            aside.append(str(refusal))
            continue
        except (StudyBookError, OSError) as error:
            aside.append(f"{path}: {error}")
            continue
        name = f"{number}-{path.name}"
        (target / name).symlink_to(path.resolve())
        files.append({"path": name})
        hosts.update(seen.hosts)
    if not files:
        why = f"\n{aside[0]}" if aside else ""
        raise StudyBookError(
            f"{folder}: holds no raw file of a known format{why}\n  → studybook inspect FILE says"
            " what a file is"
        )
    manifest = {
        "study": NAME, "run": run, "title": folder.name or run, "origin": "measured",
        "time_zone": "UTC", "time_zone_known": "assumed", "files": files,
        "hosts": [{"name": host} for host in sorted(hosts)],
    }  # fmt: skip
    (target / FILE_NAME).write_text(yaml.safe_dump(manifest), encoding="utf-8")
    return aside


def _below(folder: Path) -> Iterator[Path]:
    """All files below a folder; links to folders are not followed, they may lead in a circle."""
    for place, names, files in os.walk(folder):
        names[:] = [name for name in names if not name.startswith(".")]
        yield from (Path(place) / name for name in files if not name.startswith("."))
