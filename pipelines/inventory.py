"""What lies in a data set's raw folder: runs, their files, and each file's content hash.

The inventory is made anew from the files each time; it is what loading and the check for
stale figures both go by.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pipelines.checked_yaml import read_yaml
from pipelines.errors import Refused, StudyBookError
from pipelines.formats import Format, recognise
from pipelines.formats.raw import RawFile, sha256
from pipelines.manifest import FILE_NAME, File, Run, read_run
from pipelines.paths import DataSet
from pipelines.published import Published
from pipelines.recognised import Recognised

#: Parameters of the notebooks for one data set, beside its studies.
PARAMETERS_FILE = "parameters.yml"

#: A larger file is read a piece at a time, and its hash is taken meanwhile.
LARGEST_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True)
class Entry:
    """One raw file that a run lists."""

    run: Run
    file: File
    path: Path
    name: str
    recognised: Recognised

    @property
    def file_id(self) -> int:
        """A number that stays the same as long as the file keeps its name."""
        digest = hashlib.sha256(self.name.encode()).digest()
        return int.from_bytes(digest[:8], "big") >> 1

    @cached_property
    def sha256(self) -> str:
        """Hash of the file's content."""
        return sha256(self.path)

    @cached_property
    def _stamp(self) -> tuple[int, int]:
        """Size and time of the last change when the file was looked at first."""
        return _size_and_time(self.path)

    @property
    def size(self) -> int:
        """How many bytes the file had then."""
        return self._stamp[0]

    @property
    def has_changed(self) -> bool:
        """Whether something has written to the file since."""
        try:
            return _size_and_time(self.path) != self._stamp
        except OSError:  # it is gone
            return True

    @property
    def is_large(self) -> bool:
        """Whether it is read a piece at a time."""
        return self.size > LARGEST_BYTES

    @cached_property
    def format(self) -> Format:
        """The file's format, by its content."""
        try:
            if self.is_large:
                return recognise(RawFile(self.path))  # sooner done than taking the hash
            digest = self.sha256
        except OSError:
            return recognise(RawFile(self.path))  # which says what is wrong with the file
        return self.recognised.format(self.path, digest)


@dataclass(frozen=True)
class Inventory:
    """Runs and raw files of a data set, in the order of their names."""

    data_set: DataSet
    runs: tuple[Run, ...]
    entries: tuple[Entry, ...]
    not_listed: tuple[str, ...]

    @cached_property
    def run_hashes(self) -> dict[str, str]:
        """Hash of each ``run.yml``, by its name below the raw folder."""
        return {
            f"{run.run_id}/{FILE_NAME}": sha256(self.data_set.raw / run.run_id / FILE_NAME)
            for run in self.runs
        }

    def of_source(self, source: str) -> Iterator[Entry]:
        """The files of one kind of raw export."""
        return (entry for entry in self.entries if entry.format.source == source)

    def sources(self) -> list[str]:
        """The kinds of raw export that the data set holds."""
        return sorted({entry.format.source for entry in self.entries})


def take_inventory(data_set: DataSet) -> Inventory:
    """Read every manifest and look at the head of every raw file.

    Raises
    ------
    StudyBookError
        Naming every fault found, not just the first: manifests that are wrong, files that
        are missing or of no known format.
    """
    faults: list[str] = []
    runs: list[Run] = []
    entries: list[Entry] = []
    not_listed: list[str] = []
    recognised = Recognised(data_set.recognised)
    # Files beside the studies or beside the runs belong to no run.
    not_listed += [
        str(path.relative_to(data_set.raw))
        for pattern in ("*", "*/*")
        for path in sorted(data_set.raw.glob(pattern))
        if path.is_file() and not path.name.startswith(".") and path.name != PARAMETERS_FILE
    ]
    folders = sorted(path for path in data_set.raw.glob("*/*/") if path.is_dir())
    published = _published(data_set.root, {folder.parent.name for folder in folders})
    for folder in folders:
        if folder.name.startswith(".") or folder.parent.name.startswith("."):
            continue
        if not (folder / FILE_NAME).is_file():
            faults.append(f"{folder}: has no {FILE_NAME}\n  → write one beside the raw exports")
            continue
        try:
            run = read_run(folder / FILE_NAME)
        except StudyBookError as error:
            faults.append(str(error))
            continue
        known = published.get(run.study)
        factor_faults = known.factor_faults(run) if known else []
        faults += [f"{folder / FILE_NAME}: {fault}" for fault in factor_faults]
        runs.append(run)
        for file in run.files:
            path = folder / file.path
            entry = Entry(run, file, path, f"{run.run_id}/{file.path}", recognised)
            try:
                entry.format  # noqa: B018 - looked up here so that every refusal is collected
                entries.append(entry)
            except Refused as refusal:
                faults.append(str(refusal))
        listed = {FILE_NAME, *(file.path for file in run.files)}
        not_listed += [
            str(path.relative_to(data_set.raw))
            for path in sorted(folder.rglob("*"))
            if path.is_file() and str(path.relative_to(folder)) not in listed
        ]
    if not faults and not runs:
        faults.append(
            f"{data_set.raw}: holds no runs\n  → put raw exports into <study>/<run>/ below it, each"
            f" run with a {FILE_NAME}"
        )
    recognised.keep()
    if faults:
        raise StudyBookError("\n".join(faults))
    return Inventory(data_set, tuple(runs), tuple(entries), tuple(not_listed))


def _size_and_time(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def _published(root: Path, studies: Iterable[str]) -> dict[str, Published]:
    """What was published of each study, if anything was; a file is read once for all its runs."""
    paths = {study: root / "data/published" / f"{study}.yml" for study in studies}
    return {study: read_yaml(path, Published) for study, path in paths.items() if path.is_file()}
