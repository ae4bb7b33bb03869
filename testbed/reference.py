"""The list of the files that the testbed wrote, and the proof that it writes them again.

The list has the form that ``sha256sum --check`` reads. Packed files of another version of a
compressor may differ in their bytes; what is in them may not, and that is what is compared then.
"""

from __future__ import annotations

import gzip
import hashlib
import lzma
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backports import zstd

from studybook.errors import StudyBookError
from testbed.dataset import Written, write_run
from testbed.planned import PlannedRun

_OPENERS: dict[str, Callable[[Path], Any]] = {
    ".gz": gzip.open,
    ".xz": lzma.open,
    ".zst": zstd.open,
}


def list_of(data_set: Path) -> Path:
    """Return where the list of a data set is: beside the folder of raw exports."""
    return data_set.parent.parent / f"{data_set.name}.sha256"


def write_list(written: Iterable[Written], data_set: Path) -> None:
    """Write the list, in the order of the paths.

    Parameters
    ----------
    written : iterable of Written
        All files.
    data_set : pathlib.Path
        ``data/raw/<name>``.
    """
    ordered = sorted(written, key=lambda each: each.path)
    lines = [f"{each.sha256}  raw/{data_set.name}/{each.path}\n" for each in ordered]
    list_of(data_set).write_text("".join(lines), encoding="utf-8")


def update_list(written: Iterable[Written], runs: Iterable[PlannedRun], data_set: Path) -> None:
    """Bring the list up to date where some runs were written, if there is one.

    Parameters
    ----------
    written : iterable of Written
        All files of these runs.
    runs : iterable of PlannedRun
        The runs; what the list had of them before is forgotten.
    data_set : pathlib.Path
        ``data/raw/<name>``.
    """
    if not list_of(data_set).is_file():
        return
    own = tuple(f"{each.study}/{each.run}/" for each in runs)
    others = [
        Written(path, digest, 0)
        for path, digest in read_list(data_set).items()
        if not path.startswith(own)
    ]
    write_list([*others, *written], data_set)


def read_list(data_set: Path) -> dict[str, str]:
    """Read the list: the hash of each file, by its path within the data set."""
    path = list_of(data_set)
    if not path.is_file():
        raise StudyBookError(f"{path}: is not there\n  → write it: studybook testbed write")
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        digest, name = line.split("  ", 1)
        found[name.removeprefix(f"raw/{data_set.name}/")] = digest
    return found


@dataclass(frozen=True)
class Compared:
    """The outcome for a run that was written again.

    Parameters
    ----------
    same, packed_otherwise : int
        Files of the same bytes; and of the same content, that were packed otherwise.
    different : tuple of str
        Files of other content, or that are only on one side.
    """

    same: int
    packed_otherwise: int
    different: tuple[str, ...]


def compare(planned: PlannedRun, data_set: Path, scratch: Path) -> Compared:
    """Write a run again, elsewhere, and compare its files with the list and the data set.

    Parameters
    ----------
    planned : PlannedRun
        The run.
    data_set : pathlib.Path
        ``data/raw/<name>``.
    scratch : pathlib.Path
        A folder to write to; what is written there is deleted.
    """
    known = read_list(data_set)
    own = f"{planned.study}/{planned.run}/"
    missing = {path for path in known if path.startswith(own)}
    same, packed, different = 0, 0, []
    for each in write_run(planned, scratch):
        missing.discard(each.path)
        if known.get(each.path) == each.sha256 == _sha256(data_set / each.path):
            same += 1
        elif each.path in known and _content(scratch / each.path) == _content(data_set / each.path):
            packed += 1
        else:
            different.append(each.path)
    shutil.rmtree(scratch / planned.study / planned.run)
    return Compared(same, packed, (*different, *sorted(missing)))


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _content(path: Path) -> bytes:
    """Return what is in a file, packed or not; nothing if it is not there."""
    if not path.is_file():
        return b""
    opener = _OPENERS.get(path.suffix)
    if opener is None:
        return path.read_bytes()
    with opener(path) as stream:
        content: bytes = stream.read()
    return content
