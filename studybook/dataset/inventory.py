"""The inventory of a data set's raw folder: runs, their files, and each file's content hash.

The inventory is made anew from the files each time; it is what loading and the check for
stale figures both go by.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TypeVar

from studybook.checked_yaml import MOST_FAULTS, line_of
from studybook.code import reach_digest, text_digest
from studybook.dataset.definition import Definition, place, read_definition
from studybook.dataset.manifest import FILE_NAME, File, Run, read_run
from studybook.dataset.paths import DataSet, look_into
from studybook.errors import Refused, StudyBookError, Unknown
from studybook.formats import FOLDER, mapped_format, plugged_files, recognise, source_of
from studybook.formats.raw import RawFile, missing
from studybook.memory import content_sha256, recall_each
from studybook.process.pool import processes
from studybook.text import counted

#: Parameters of the notebooks for one data set, beside its studies.
PARAMETERS_FILE = "parameters.yml"

#: A larger file is read a piece at a time, and its hash is taken meanwhile.
LARGEST_BYTES = 8 * 1024 * 1024

#: Handing a smaller file to a thread takes longer than its hash.
SMALLEST_BYTES = 256 * 1024

#: Fewer files are recognised before processes for that have been started.
FEW_FILES = 100


@dataclass(frozen=True)
class Content:
    """A file as it was when it was looked at first; the hash of a large one is taken later."""

    size: int
    changed_ns: int
    sha256: str | None = None
    is_missing: bool = False

    @property
    def is_large(self) -> bool:
        """Whether the file is read a piece at a time."""
        return self.size > LARGEST_BYTES

    def is_still_that_of(self, path: Path) -> bool:
        """Whether nothing has written to the file since."""
        return _stat(path) == replace(self, sha256=None)


@dataclass(frozen=True)
class Entry:
    """One raw file that a run lists."""

    run: Run
    file: File
    path: Path
    name: str
    content: Content
    #: The name of its format.
    format: str

    @property
    def source(self) -> str:
        """The kind of raw export that it is."""
        return source_of(self.format)

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
        return content_sha256(self.path)


@dataclass(frozen=True)
class LeftOut:
    """One raw file that a run lists and that cannot be read, and why, without its place on disk.

    The hash of its content is empty where there is none, or where it is not known.
    """

    run_id: str
    name: str
    sha256: str
    reason: str

    @classmethod
    def of(cls, run_id: str, name: str, sha256: str, refusal: Refused) -> LeftOut:
        """A file that was refused."""
        reason = str(refusal).removeprefix(str(refusal.path)).lstrip(",: ")
        return cls(run_id, name, sha256, reason)

    def fault(self, data_set: DataSet) -> str:
        """The reason behind the path of the file."""
        return f"{data_set.raw / self.name}: {self.reason}"


Named = TypeVar("Named", str, LeftOut)


def few_of_each_run(files: Iterable[Named]) -> tuple[list[Named], list[str]]:
    """What people are told of files that are amiss: thousands of one run are one mistake.

    Parameters
    ----------
    files : iterable of str or LeftOut
        The files, or their names: study, run, and the place below that.

    Returns
    -------
    few : list
        The first of each run, as they are.
    more : list of str
        For each run that has more, how many.
    """
    few: list[Named] = []
    seen: Counter[str] = Counter()
    for each in files:
        name = each if isinstance(each, str) else each.name
        run_id = "/".join(name.split("/")[:2])
        seen[run_id] += 1
        if seen[run_id] <= MOST_FAULTS:
            few.append(each)
    return few, [
        f"{run_id}: {counted(number - MOST_FAULTS, 'file')} more"
        for run_id, number in seen.items()
        if number > MOST_FAULTS
    ]


def faults_of(left_out: Iterable[LeftOut], data_set: DataSet) -> list[str]:
    """What is wrong with files that cannot be read, as faults of their data set."""
    few, more = few_of_each_run(left_out)
    return [each.fault(data_set) for each in few] + [f"{data_set.raw}/{each}" for each in more]


@dataclass(frozen=True)
class Inventory:
    """Runs and raw files of a data set, in the order of their names."""

    data_set: DataSet
    runs: tuple[Run, ...]
    entries: tuple[Entry, ...]
    not_listed: tuple[str, ...]
    left_out: tuple[LeftOut, ...] = ()

    @cached_property
    def run_hashes(self) -> dict[str, str]:
        """Hash of each ``run.yml``, by its name below the raw folder."""
        return {
            f"{run.run_id}/{FILE_NAME}": content_sha256(self.data_set.raw / run.run_id / FILE_NAME)
            for run in self.runs
        }

    @cached_property
    def words(self) -> dict[str, str]:
        """What each ``study.yml`` says of runs, by its name in the book."""
        root = self.data_set.root
        return {
            place(root, study).relative_to(root).as_posix(): found.of_runs
            for study in sorted({run.study for run in self.runs})
            if (found := read_definition(root, study))
        }

    @cached_property
    def file_hashes(self) -> dict[str, str]:
        """Hash of each raw file that a run lists, also of those left out, by its name."""
        there = {each.name: each.sha256 for each in self.entries}
        return there | {each.name: each.sha256 for each in self.left_out}

    @cached_property
    def entries_of(self) -> dict[str, list[Entry]]:
        """The files of each run, by its ``run_id``."""
        found: dict[str, list[Entry]] = {run.run_id: [] for run in self.runs}
        for entry in self.entries:
            found[entry.run.run_id].append(entry)
        return found

    def sources(self) -> list[str]:
        """The kinds of raw export that the data set holds."""
        return sorted({entry.source for entry in self.entries})


def take_inventory(data_set: DataSet) -> Inventory:
    """Read every manifest and look at the head of every raw file.

    A file that is missing or of no known format is left out, and named with the reason, so that it
    does not block the others; not if it is the only one.

    Parameters
    ----------
    data_set : DataSet
        The data set.

    Raises
    ------
    StudyBookError
        Naming every fault found, not just the first: folders that may not be looked into;
        manifests that are wrong; with them, or where no file can be read, files that are missing
        or of no known format.
    """
    look_into(data_set.raw, data_set.root / "pipelines")  # runs and files; goals and models
    faults: list[str] = []
    left_out: list[LeftOut] = []
    words: dict[str, Definition] = {}
    runs = list(_runs(data_set, words, faults))
    entries = list(_entries(data_set, runs, words, left_out))
    if faults or not entries:
        faults += faults_of(left_out, data_set)
    if not faults and not runs:
        faults.append(
            f"{data_set.raw}: holds no runs\n  → put raw exports into <study>/<run>/ below it, each"
            f" run with a {FILE_NAME}"
        )
    if faults:
        raise StudyBookError("\n".join(faults))
    not_listed = tuple(_not_listed(data_set, runs))
    return Inventory(data_set, tuple(runs), tuple(entries), not_listed, tuple(left_out))


def _runs(data_set: DataSet, words: dict[str, Definition], faults: list[str]) -> Iterator[Run]:
    """Read the manifests, and the words of their studies."""
    folders = sorted(path for path in data_set.raw.glob("*/*/") if path.is_dir())
    statistics: dict[tuple[str, str], tuple[str, Path]] = {}
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
            found = read_definition(data_set.root, run.study)
            words[run.study] = found or Definition(study=run.study)
            for each in (each for known in words[run.study].tables for each in known.table.metrics):
                said_there = each.statistic, place(data_set.root, run.study)
                statistics[run.study, each.name] = said_there
        own = words[run.study]
        manifest = folder / FILE_NAME
        for keys, fault in islice(own.faults(run), MOST_FAULTS):
            faults.append(f"{manifest}, line {line_of(manifest, *keys)}: {fault}")
        for each in (metric for file in run.files if file.table for metric in file.table.metrics):
            # A mean set against a percentile would look like a change.
            mapped = (each.statistic, manifest)
            first, where = statistics.setdefault((run.study, each.name), mapped)
            if first != each.statistic:
                faults.append(
                    f"{manifest}, line {line_of(manifest, 'files')}: files: {each.name} is the"
                    f" {each.statistic}, and in {where} the {first}\n"
                    "  → take one statistic for all of the study, or two metrics"
                )
        yield run


def _without_manifest(folder: Path) -> str:
    if (other := folder / "run.yaml").is_file():
        return f"{folder}: has no {FILE_NAME}\n  → rename {other.name} to {FILE_NAME}"
    needed = ", ".join(name for name, key in Run.model_fields.items() if key.is_required())
    do = f"write one beside the raw exports, with the keys {needed}"
    return f"{folder}: has no {FILE_NAME}\n  → {do}"


def _entries(
    data_set: DataSet,
    runs: Iterable[Run],
    words: Mapping[str, Definition],
    left_out: list[LeftOut],
) -> Iterator[Entry]:
    """Look at the raw files that the runs list; of a table, what its study says counts, too."""
    listed = [(run, file) for run in runs for file in run.files]
    paths = [data_set.raw / run.run_id / file.path for run, file in listed]
    contents = [*_contents(paths)]
    known = _recognised(
        {
            content.sha256: (path, content)
            for (_, file), path, content in zip(listed, paths, contents, strict=True)
            if content.sha256 and not file.table
        }
    )
    missing_of: Counter[str] = Counter()
    for (run, file), path, content in zip(listed, paths, contents, strict=True):
        name = f"{run.run_id}/{file.path}"
        try:
            if content.is_missing:
                missing_of[run.run_id] += 1
                raise missing(path, alone=missing_of[run.run_id] <= MOST_FAULTS)
            by_hash = known.get(content.sha256 or "")
            file, found = _understood(file, path, by_hash, words[run.study])
            yield Entry(run, file, path, name, content, found)
        except Refused as refusal:
            digest = content.sha256 or _hash_if_any(path)
            left_out.append(LeftOut.of(run.run_id, name, digest, refusal))


def _understood(file: File, path: Path, known: str | None, words: Definition) -> tuple[File, str]:
    """A file with the table that its study says where no reader knows it, and its format.

    What is known by its hash is as :func:`_format_of` has it.
    """
    if file.table:
        return file, mapped_format(RawFile(path)).name
    if known:
        return file, known
    table = words.table_of(file.path)
    if known is None or not table:
        # A large file is recognised sooner than its hash is taken; others say why not.
        try:
            return file, recognise(RawFile(path)).name
        except Unknown:
            if not table:
                raise
    if table.host and file.host:
        raise Refused(
            "has its host named in run.yml, and its table in study.yml a column of hosts",
            "take one of them out", path=path,
        )  # fmt: skip
    return file.model_copy(update={"table": table}), mapped_format(RawFile(path)).name


def _recognised(files: Mapping[str, tuple[Path, Content]]) -> dict[str, str | None]:
    """The name of each file's format by its hash, as :func:`_format_of` has it.

    Each content is recognised once by the same code; many of them side by side.
    """
    hashes = [*files]

    def recognise_each(places: list[int]) -> list[str | None]:
        asked = [files[hashes[place]] for place in places]
        if len(asked) < FEW_FILES:
            return [*map(_format_of, asked)]
        at_once, each = os.cpu_count() or 1, FEW_FILES // 4
        with processes(min(at_once, len(asked) // each)) as pool:
            return [*pool.map(_format_of, asked, chunksize=each)]

    code = " ".join([text_digest(FOLDER), *map(reach_digest, plugged_files())])
    contents = [each.encode() for each in hashes]
    return dict(zip(hashes, recall_each(f"format\n{code}", contents, recognise_each), strict=True))


def _format_of(file: tuple[Path, Content]) -> str | None:
    """The name of a file's format; empty where none knows it, None where that is not certain."""
    path, content = file
    try:
        name = recognise(RawFile(path)).name
    except Unknown:
        name = ""
    except Refused:
        return None
    return name if content.is_still_that_of(path) else None


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
        return content if content.is_large else replace(content, sha256=content_sha256(path))
    return content


def _hash_if_any(path: Path) -> str:
    with suppress(OSError):
        return content_sha256(path) if path.is_file() else ""
    return ""


def _stat(path: Path) -> Content:
    """A file as it is now; as empty where it cannot be looked at."""
    try:
        stat = path.stat()
    except FileNotFoundError:
        return Content(0, 0, is_missing=True)
    except OSError:
        return Content(0, 0)
    return Content(stat.st_size, stat.st_mtime_ns)
