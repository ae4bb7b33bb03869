"""The inventory of a data set's raw folder: runs, their files, and each file's content hash.

The inventory is made anew from the files each time; it is what loading and the check for
stale figures both go by.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from studybook.checked_yaml import line_of
from studybook.dataset.definition import Definition, read_definition
from studybook.dataset.manifest import FILE_NAME, File, Run, read_run
from studybook.dataset.paths import DataSet
from studybook.dataset.recognised import Recognised
from studybook.errors import Refused, StudyBookError
from studybook.formats import Format, recognise
from studybook.formats.raw import RawFile, sha256

#: Parameters of the notebooks for one data set, beside its studies.
PARAMETERS_FILE = "parameters.yml"

#: A larger file is read a piece at a time, and its hash is taken meanwhile.
LARGEST_BYTES = 8 * 1024 * 1024

#: Handing a smaller file to a thread takes longer than its hash.
SMALLEST_BYTES = 256 * 1024


@dataclass(frozen=True)
class Content:
    """A file as it was when it was looked at first; the hash of a large one is taken later."""

    size: int
    changed_ns: int
    sha256: str | None = None

    @property
    def is_large(self) -> bool:
        """Whether the file is read a piece at a time."""
        return self.size > LARGEST_BYTES


@dataclass(frozen=True)
class Entry:
    """One raw file that a run lists."""

    run: Run
    file: File
    path: Path
    name: str
    content: Content
    format: Format

    @property
    def file_id(self) -> int:
        """A number that stays the same as long as the file keeps its name."""
        digest = hashlib.sha256(self.name.encode()).digest()
        return int.from_bytes(digest[:8], "big") >> 1

    @property
    def sha256(self) -> str:
        """Hash of the file's content."""
        return self.content.sha256 or self._sha256

    @cached_property
    def _sha256(self) -> str:
        return sha256(self.path)

    @property
    def has_changed(self) -> bool:
        """Whether something has written to the file since."""
        return _stat(self.path) != replace(self.content, sha256=None)


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
    runs = list(_runs(data_set, faults))
    entries = list(_entries(data_set, runs, faults))
    if not faults and not runs:
        faults.append(
            f"{data_set.raw}: holds no runs\n  → put raw exports into <study>/<run>/ below it, each"
            f" run with a {FILE_NAME}"
        )
    if faults:
        raise StudyBookError("\n".join(faults))
    return Inventory(data_set, tuple(runs), tuple(entries), tuple(_not_listed(data_set, runs)))


def _runs(data_set: DataSet, faults: list[str]) -> Iterator[Run]:
    """Read the manifests."""
    folders = sorted(path for path in data_set.raw.glob("*/*/") if path.is_dir())
    words: dict[str, Definition | None] = {}
    for folder in folders:
        if folder.name.startswith(".") or folder.parent.name.startswith("."):
            continue
        if not (folder / FILE_NAME).is_file():
            faults.append(_without_manifest(folder))
            continue
        try:
            run = read_run(folder / FILE_NAME)
        except StudyBookError as error:
            faults.append(str(error))
            continue
        if run.study not in words:  # read once for all its runs
            words[run.study] = read_definition(data_set.root, run.study)
        if own := words[run.study]:
            manifest = folder / FILE_NAME
            for keys, fault in own.faults(run):
                faults.append(f"{manifest}, line {line_of(manifest, *keys)}: {fault}")
        yield run


def _without_manifest(folder: Path) -> str:
    if (other := folder / "run.yaml").is_file():
        return f"{folder}: has no {FILE_NAME}\n  → rename {other.name} to {FILE_NAME}"
    needed = ", ".join(name for name, key in Run.model_fields.items() if key.is_required())
    do = f"write one beside the raw exports, with the keys {needed}"
    return f"{folder}: has no {FILE_NAME}\n  → {do}"


def _entries(data_set: DataSet, runs: Iterable[Run], faults: list[str]) -> Iterator[Entry]:
    """Look at the raw files that the runs list."""
    listed = [(run, file) for run in runs for file in run.files]
    paths = [data_set.raw / run.run_id / file.path for run, file in listed]
    recognised = Recognised(data_set.recognised)
    for (run, file), path, content in zip(listed, paths, _contents(paths), strict=True):
        try:
            if content.sha256:
                found = recognised.format(path, content.sha256)
            else:  # sooner done than taking the hash; of a file that cannot be read, it says why
                found = recognise(RawFile(path))
            yield Entry(run, file, path, f"{run.run_id}/{file.path}", content, found)
        except Refused as refusal:
            faults.append(str(refusal))
    recognised.keep()


def _not_listed(data_set: DataSet, runs: Iterable[Run]) -> Iterator[str]:
    """Files that belong to no run."""
    beside = [
        path
        for pattern in ("*", "*/*")
        for path in sorted(data_set.raw.glob(pattern))
        if not path.name.startswith(".") and path.name != PARAMETERS_FILE
    ]
    for run in runs:
        folder = data_set.raw / run.run_id
        listed = {folder / FILE_NAME, *(folder / file.path for file in run.files)}
        beside += [path for path in sorted(folder.rglob("*")) if path not in listed]
    return (str(path.relative_to(data_set.raw)) for path in beside if path.is_file())


def _contents(paths: Iterable[Path]) -> Iterator[Content]:
    """Look at files, at larger ones side by side."""
    with ThreadPoolExecutor() as pool:
        try:
            looks = [
                pool.submit(_with_hash, *each) if each[1].size > SMALLEST_BYTES else each
                for each in ((path, _stat(path)) for path in paths)
            ]
            for look in looks:
                yield _with_hash(*look) if isinstance(look, tuple) else look.result()
        except BaseException:  # Ctrl-C, most of all: it would wait for all that it was given
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _with_hash(path: Path, content: Content) -> Content:
    with suppress(OSError):
        return content if content.is_large else replace(content, sha256=sha256(path))
    return content


def _stat(path: Path) -> Content:
    """A file as it is now; as empty where it cannot be looked at."""
    try:
        stat = path.stat()
    except OSError:
        return Content(0, 0)
    return Content(stat.st_size, stat.st_mtime_ns)
