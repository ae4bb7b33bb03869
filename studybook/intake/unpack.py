"""Archives of raw exports, unpacked into a folder that is removed afterwards."""

from __future__ import annotations

import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from studybook.errors import StudyBookError

#: What all archives of one folder may hold unpacked.
LARGEST_BYTES = 20 * 1024**3

#: What one archive may hold unpacked: so much, or so many times its size. Text that is printed by
#: tools becomes ten to fifty times as long; what is made to fill a disk, a thousand times.
LARGE_BYTES = 1024**3
_TIMES = 100

#: Members of one archive.
MOST_MEMBERS = 100_000

_PIECE_BYTES = 1024 * 1024


@dataclass
class Limit:
    """So many bytes may still be unpacked."""

    left: int = LARGEST_BYTES


def is_archive(path: Path) -> bool:
    """Whether a file is a zip or tar archive, compressed or not."""
    try:
        return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)
    except (OSError, EOFError):
        return False


def unpack(archive: Path, name: str, folder: Path, limit: Limit, aside: list[str]) -> None:
    """Write the files of an archive into a folder, and nothing outside of it.

    Parameters
    ----------
    archive : pathlib.Path
        A zip or tar archive.
    name : str
        The name to call it by.
    folder : pathlib.Path
        Where its members go, by their paths; made.
    limit : Limit
        What all archives may hold together; counted down.
    aside : list of str
        Members that are left out are added, with the reason: links, devices, paths that lead out.

    Raises
    ------
    StudyBookError
        If it is damaged, locked by a password, or holds too much; nothing of it is left then.
    """
    before = limit.left
    try:
        least = before - max(LARGE_BYTES, _TIMES * archive.stat().st_size)
        members = _of_zip if zipfile.is_zipfile(archive) else _of_tar
        for number, (member, stream) in enumerate(members(archive, name, aside)):
            if number >= MOST_MEMBERS:
                raise StudyBookError(f"{name}: holds more than {MOST_MEMBERS:,} files\n{_DO}")
            target = inside(member)
            if target is None:
                aside.append(f"{name}: {member!r}: a path that leads out of the archive")
                continue
            _write(stream, folder / target, limit, max(least, 0), name)
    except (
        zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, RuntimeError, ValueError,
        NotImplementedError,
    ) as error:  # fmt: skip
        shutil.rmtree(folder, ignore_errors=True)
        raise StudyBookError(
            f"{name}: cannot be unpacked: {error}\n  → unpack it yourself, and add the folder"
        ) from error
    except StudyBookError:
        shutil.rmtree(folder, ignore_errors=True)
        limit.left = before
        raise


_DO = "  → unpack what belongs to the study yourself, and add the folder"


def _of_zip(archive: Path, name: str, aside: list[str]) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            if member.is_dir():
                continue
            if is_link(member):
                aside.append(f"{name}: {member.filename!r}: a link")
                continue
            with opened.open(member) as stream:
                yield member.filename, stream


def is_link(member: zipfile.ZipInfo) -> bool:
    """Whether a member of a zip archive is a symbolic link, as Unix writes them."""
    return (member.external_attr >> 16) & 0o170000 == 0o120000


def _of_tar(archive: Path, name: str, aside: list[str]) -> Iterator[tuple[str, IO[bytes]]]:
    with tarfile.open(archive) as opened:
        for member in opened:
            if member.isdir():
                continue
            stream = opened.extractfile(member) if member.isreg() else None
            if stream is None:
                aside.append(f"{name}: {member.name!r}: a link or a device")
                continue
            with stream:
                yield member.name, stream


def inside(member: str) -> Path | None:
    """The path of a member below the folder; None if it would lie elsewhere."""
    plain = PurePosixPath(member.replace("\\", "/"))
    parts = [part for part in plain.parts if part != "."]
    odd = plain.is_absolute() or ".." in parts or "\0" in member or ":" in member[1:2]
    return Path(*parts) if parts and not odd else None


def _write(stream: IO[bytes], target: Path, limit: Limit, least: int, name: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as out:
        while piece := stream.read(_PIECE_BYTES):
            limit.left -= len(piece)
            if limit.left < least:
                most = f"{LARGE_BYTES // 1024**3} GiB unpacked, {_TIMES} times its size"
                if not least:
                    most = f"{LARGEST_BYTES // 1024**3} GiB unpacked, with the archives before it"
                raise StudyBookError(f"{name}: holds more than {most}\n{_DO}")
            out.write(piece)
