"""Verifying an archive: each file is what was packed, each figure follows from its raw files."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from studybook import plugins
from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import HOME_VARIABLE, DataSet
from studybook.engine.guard import rows_moved
from studybook.engine.notebooks import figures_of
from studybook.engine.outputs import record_path
from studybook.engine.stale import differences
from studybook.engine.update import plan_figures, update_database, update_figures
from studybook.errors import StudyBookError, did_you_mean
from studybook.intake.unpack import LARGEST_BYTES, MOST_MEMBERS, inside, is_link
from studybook.process.scratch import scratch
from studybook.publish.archive.crate import METADATA, name_of_raw
from studybook.study.provenance import stack_versions

State = Literal["same", "as recorded", "differs", "cannot be run"]

#: A crate of more bytes is none of ours.
_LARGEST_CRATE = 512 * 1024**2

_PIECE_BYTES = 1024 * 1024
#: A data set has the name of a folder, and a crate from elsewhere may say anything.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

_RECORD = re.compile(r"build/[^/]+/figures/(?P<id>[^/]+/[^/]+)(?<!\.vl)(?<!-metadata)\.json")


@dataclass(frozen=True)
class Verdict:
    """Whether a figure is what its archive says, and by which lines not.

    ``same`` was run anew, and came out with the same data; ``as recorded`` was not run, and has
    the data and the raw files that its record names.
    """

    figure: str
    state: State
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Archive:
    """An archive that was read once.

    Attributes
    ----------
    path : pathlib.Path
        The file.
    data_set : str
        The data set of its book.
    faults : tuple of str
        What is not as it was packed.
    sha256 : dict
        Name to hash of each file in it; of raw files that were left out, too.
    inside : frozenset of str
        The names of those that are in it.
    records : dict
        The record of each figure, as JSON has it, by the figure's id.
    """

    path: Path
    data_set: str
    faults: tuple[str, ...]
    sha256: dict[str, str] = field(default_factory=dict)
    inside: frozenset[str] = frozenset()
    records: dict[str, dict[str, Any]] = field(default_factory=dict)


def read(path: Path) -> Archive:
    """Compare each file of an archive with its crate; nothing is unpacked.

    Raises
    ------
    StudyBookError
        If it is no archive of a book.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(path, archive)
    except FileNotFoundError as error:
        raise StudyBookError(f"{path}: there is no such file") from error
    except (zipfile.BadZipFile, IsADirectoryError, NotImplementedError, ValueError) as error:
        raise StudyBookError(
            f"{path}: is no zip archive, or was cut: {error}\n  → fetch it once more"
        ) from error


def _read(path: Path, archive: zipfile.ZipFile) -> Archive:
    members = [each for each in archive.infolist() if not each.is_dir()]
    total = sum(each.file_size for each in members)
    if len(members) > MOST_MEMBERS or total > LARGEST_BYTES:
        raise StudyBookError(
            f"{path}: holds {len(members):,} files of {total:,} bytes; at most {MOST_MEMBERS:,} of"
            f" {LARGEST_BYTES:,} are read\n  → it is no archive of a book, or a trap"
        )
    data_set, said, left_out = _crate_of(path, archive)
    faults: list[str] = []
    sha256, records = dict(left_out), {}
    names = Counter(each.filename for each in members)
    faults += [f"{name}: is in it {n} times" for name, n in names.items() if n > 1]
    for member in members:
        name = member.filename
        if name == METADATA or names[name] > 1:
            continue
        if is_link(member):
            faults.append(f"{name}: is a link")
        elif (target := inside(name)) is None or target.as_posix() != name:
            faults.append(f"{name!r}: a path that leads out of the archive")
        elif name not in said:
            faults.append(f"{name}: is not in the crate")
        elif member.file_size != said[name][1]:
            faults.append(f"{name}: has {member.file_size:,} bytes, {said[name][1]:,} were packed")
        else:
            keep = bool(found := _RECORD.fullmatch(name))
            digest, content = _content(archive, member, keep=keep)
            if digest != said[name][0]:
                faults.append(f"{name}: is not what was packed" if digest else f"{name}: is cut")
                continue
            sha256[name] = digest
            if found and (record := record_of(content)):
                records[found["id"]] = record
            elif found:
                faults.append(f"{name}: is no record of a figure")
    faults += [f"{name}: is missing" for name in said if name not in names]
    there = frozenset(sha256) - frozenset(left_out)
    return Archive(path, data_set, tuple(sorted(faults)), sha256, there, records)


def _crate_of(
    path: Path, archive: zipfile.ZipFile
) -> tuple[str, dict[str, tuple[str, int]], dict[str, str]]:
    """Data set, hash and size of each file, and hashes of raw files that were left out."""
    try:
        member = archive.getinfo(METADATA)
        if member.file_size > _LARGEST_CRATE:
            raise StudyBookError(f"{path}: {METADATA} has {member.file_size:,} bytes: a trap")
        graph = json.loads(archive.read(member))["@graph"]
        root = next(each for each in graph if each["@id"] == "./")
        files = {
            str(each["@id"]): (str(each["sha256"]), int(each["contentSize"]))
            for each in graph
            if "contentSize" in each
        }
        left_out = {
            str(each["name"]): str(each["sha256"])
            for each in graph
            if "sha256" in each and "contentSize" not in each
        }
        if not _NAME.fullmatch(root["identifier"]):
            raise ValueError("no name of a data set")
        return root["identifier"], files, left_out
    except (
        KeyError, StopIteration, TypeError, ValueError, RecursionError, RuntimeError, zlib.error,
        zipfile.BadZipFile,
    ) as error:  # fmt: skip
        raise StudyBookError(
            f"{path}: has no {METADATA} that can be read: it is damaged, or was not written by"
            " studybook archive"
        ) from error


def record_of(content: bytes) -> dict[str, Any] | None:
    """The record of a figure, also that of another version; None if it is none."""
    try:
        record = json.loads(content)
        texts = [record[key] for key in ("state", "message", "finding", "package")]
        for key in ("outputs", "inputs", "published", "versions"):
            texts += [text for pair in record[key].items() for text in pair]
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError):
        return None
    return dict(record) if all(isinstance(text, str) for text in texts) else None


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo, *, keep: bool) -> tuple[str, bytes]:
    """The hash of a member, empty where it cannot be unpacked; and its bytes, where asked for."""
    digest, pieces = hashlib.sha256(), []
    try:
        with archive.open(member) as stream:
            while piece := stream.read(_PIECE_BYTES):
                digest.update(piece)
                if keep:
                    pieces.append(piece)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError):
        return "", b""
    return digest.hexdigest(), b"".join(pieces)


def chosen(archive: Archive, names: Sequence[str]) -> list[str]:
    """The figures that are meant, by id, by name or by study; without names, all.

    Raises
    ------
    StudyBookError
        If a name fits none.
    """
    for name in names:
        if not any(name in (id_, *id_.split("/")) for id_ in archive.records):
            known = [part for id_ in archive.records for part in (id_, *id_.split("/"))]
            do = did_you_mean(name, known) or f"it has: {', '.join(archive.records)}"
            raise StudyBookError(f"{archive.path}: there is no figure {name!r} in it\n  → {do}")
    return sorted(
        id_
        for id_ in archive.records
        if not names or any(name in (id_, *id_.split("/")) for name in names)
    )


def by_record(archive: Archive, figures: Sequence[str]) -> list[Verdict]:
    """Whether figures have the data and the raw files that their records name; none is run."""
    verdicts = []
    for id_ in figures:
        record, build = archive.records[id_], f"build/{archive.data_set}"
        wanted = {f"{build}/{name}": digest for name, digest in record["outputs"].items()}
        wanted |= {name_of_raw(archive.data_set, n): d for n, d in record["inputs"].items()}
        wanted |= record["published"]
        now = {name: archive.sha256[name] for name in wanted if name in archive.sha256}
        lines = differences("since its record, file", wanted, now)
        verdicts.append(Verdict(id_, "differs" if lines else "as recorded", tuple(lines)))
    return verdicts


def by_running(
    archive: Archive, figures: Sequence[str], done: Callable[[str], None] = lambda _: None
) -> list[Verdict]:
    """Load the raw files of an archive, run its figures, and compare what they give.

    It runs code of the archive. What figures are of is loaded, in a folder that is removed.

    Parameters
    ----------
    archive : Archive
        One without faults.
    figures : sequence of str
        Ids of figures.
    done : callable, optional
        Called with what has come to an end.
    """
    missing = {id_: _not_inside(archive, archive.records[id_]) for id_ in figures}
    verdicts = [
        Verdict(id_, "cannot be run", (f"{len(names)} of its raw files are not in the archive",))
        for id_, names in missing.items()
        if names
    ]
    runnable = [id_ for id_ in figures if not missing[id_]]
    if not runnable:
        return verdicts
    with scratch() as folder, _book(archive, runnable, folder) as (place, before):
        try:
            ran = _run(place, runnable, done)
        except StudyBookError as error:
            why = tuple(str(error).replace(f"{place.root}/", "").splitlines())
            return verdicts + [Verdict(id_, "cannot be run", why) for id_ in runnable]
        for id_ in runnable:
            was = archive.records[id_]
            state, message = ran.get(id_, ("failed", "the archive has no notebook for it"))
            if state == was["state"] == "ok":
                lines = _moved(place, before, id_, was)
                verdicts.append(Verdict(id_, "differs" if lines else "same", tuple(lines)))
            elif state == was["state"] and message == was["message"]:
                verdicts.append(Verdict(id_, "same", (f"{state}, now as before: {message}",)))
            elif state == "ok":
                verdicts.append(Verdict(id_, "differs", (f"it was: {was['state']}; it runs now",)))
            else:
                verdicts.append(Verdict(id_, "cannot be run", tuple(message.splitlines()[:3])))
    return sorted(verdicts, key=lambda each: each.figure)


def _run(
    place: DataSet, figures: Sequence[str], done: Callable[[str], None]
) -> dict[str, tuple[str, str]]:
    """Load a data set and run figures of it; for each its state, and why."""
    inventory = take_inventory(place)
    update_database(place, inventory)
    done("the raw files")
    wanted = [each for each in figures_of(inventory) if each.id in figures]
    plans = plan_figures(place, inventory, wanted)
    records = update_figures(place, plans, done=lambda outcome: done(outcome.task.id))
    return {record.id: (record.state, record.message) for record in records}


def _not_inside(archive: Archive, record: Mapping[str, Any]) -> list[str]:
    names = (name_of_raw(archive.data_set, name) for name in record["inputs"])
    return [name for name in names if name not in archive.inside]


@contextmanager
def _book(
    archive: Archive, figures: Sequence[str], folder: Path
) -> Iterator[tuple[DataSet, DataSet]]:
    """Unpack a book without what was built, and beside it the figures as they were; work in it."""
    names = (name for id_ in figures for name in archive.records[id_]["inputs"])
    runs = {tuple(name.split("/")[:2]) for name in names}
    # Figures that have no use for a run are drawn beside some all the same.
    whole = not runs or len(figures) == len(archive.records)
    raw, build = f"data/raw/{archive.data_set}/", f"build/{archive.data_set}/"
    root, before = folder / "book", folder / "before"
    with zipfile.ZipFile(archive.path) as opened:
        for name in sorted(archive.inside):
            if name.startswith("build/"):
                if name.startswith((f"{build}figures/", f"{build}notebooks/")):
                    opened.extract(name, before)
                continue
            parts = name.removeprefix(raw).split("/")
            if whole or not name.startswith(raw) or len(parts) == 1 or tuple(parts[:2]) in runs:
                opened.extract(name, root)
    (root / raw).mkdir(parents=True, exist_ok=True)
    said, around = os.environ.get(HOME_VARIABLE), plugins.book()
    os.environ[HOME_VARIABLE] = str(root)
    try:
        was = DataSet(archive.data_set, before)
        # A book's own code is found from its folder, and its formats from that of its data set.
        with contextlib.chdir(root):
            yield DataSet(archive.data_set, root), was
    finally:
        plugins.use_book(around)
        os.environ.pop(HOME_VARIABLE)
        if said is not None:
            os.environ[HOME_VARIABLE] = said


def _moved(now: DataSet, before: DataSet, id_: str, was: Mapping[str, Any]) -> list[str]:
    """The lines by which a figure's data are other ones: rows of its chart, else its notebook."""
    if was["finding"]:
        rows = [record_path(place, id_).with_suffix(".csv") for place in (before, now)]
        if not rows[1].is_file():
            return ["it draws no chart any more"]
        return rows_moved(*rows)
    executed = [(place.notebooks / f"{id_}.ipynb").read_text("utf-8") for place in (before, now)]
    outputs = [
        [cell["outputs"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        for text in executed
    ]
    if len(outputs[0]) != len(outputs[1]):
        return ["its notebook has other cells"]
    pairs = enumerate(zip(*outputs, strict=True), 1)
    return [
        f"cell of code {n} of its notebook gives something else" for n, (a, b) in pairs if a != b
    ]


def other_versions(archive: Archive) -> list[str]:
    """The libraries that are of other versions here than where the figures were made."""
    from studybook import __version__

    here = stack_versions() | {"studybook": __version__}
    found = {
        f"{name} {version} there, {here.get(name, 'none')} here"
        for record in archive.records.values()
        for name, version in (record["versions"] | {"studybook": record["package"]}).items()
        if here.get(name) != version
    }
    return sorted(found)
