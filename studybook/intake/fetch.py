"""Raw exports that lie elsewhere, such as in a bucket, fetched into a folder of this machine."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from studybook.intake.unpack import inside
from studybook.process.elsewhere import Elsewhere

_INSTALL = "install it; for s3:// pip install 'studybook[s3]'"
_DO = "see whether it is there, and may be read, and add again"

#: Bytes of a name of a file.
_LONGEST = 255


@dataclass(frozen=True)
class There:
    """Files of a place elsewhere.

    Attributes
    ----------
    place : Elsewhere
        The place.
    name : str
        The last part of its URL; of one file, without its suffix.
    files : dict of str to tuple
        Where each file is, by its path below the place, and its bytes where they are told.
    """

    place: Elsewhere
    name: str
    files: dict[str, tuple[str, int | None]]


def look_there(address: str, aside: list[str]) -> There:
    """List the files of a place: of a folder all that lie in it and below, or the one.

    Over HTTP a URL that ends with an oblique stroke is a folder, whose page has links to its files;
    any other is a file.

    Parameters
    ----------
    address : str
        The URL of a folder, or of a file.
    aside : list of str
        What is left out is added, with the reason: what is no file, or has a name that cannot be a
        path below a folder.

    Raises
    ------
    StudyBookError
        If it cannot be listed, or has no files.
    """
    place = Elsewhere(address, _INSTALL)
    by_http = address.startswith("http")
    root = re.split("[?#]", address)[0] if by_http else place.root
    last = PurePosixPath(unquote(root) if by_http else root).name or "files"
    with place.saying("cannot be listed", _DO):
        key = address if by_http else place.root
        info = place.files.info(key)
        if not root.endswith("/") if by_http else info["type"] == "file":
            name = PurePosixPath(last).stem.removesuffix(".tar")
            return There(place, name, {last: (key, info.get("size"))})
        found = place.files.find(key, detail=True, **_strict(place.files))
    listed: dict[str, tuple[str, int | None]] = {}
    for key, info in sorted(found.items()):
        name = key.removeprefix(f"{place.root}/")
        name = unquote(name) if by_http else name
        if info.get("type") == "directory" or key.endswith("/"):  # empty, as a browser makes one
            continue
        if info.get("type", "file") != "file":
            aside.append(f"{name}: no file")
        elif not _is_path(name):
            aside.append(f"{name}: a name that cannot be a path below a folder")
        else:
            listed[name] = key, info.get("size")
    folders = {str(above) for name in listed for above in PurePosixPath(name).parents}
    for name in folders & listed.keys():
        aside.append(f"{name}: has the name of a folder beside it")
        del listed[name]
    if not listed:
        raise place.fault("has no files", "name the folder that holds raw exports")
    return There(place, last, listed)


def _is_path(name: str) -> bool:
    """Whether a name leads to a place below a folder, and can be that of a file here."""
    path = PurePosixPath(name)
    short = all(len(part.encode()) <= _LONGEST for part in path.parts)
    return inside(name) is not None and name == path.as_posix() and short


def _strict(files: Any) -> dict[str, str]:
    """What has a file system say where it may not look into a folder.

    By default such a folder is passed over; those of buckets list a bucket as a whole, and fail.
    """
    from fsspec.asyn import AsyncFileSystem

    own = files.async_impl and type(files)._find is not AsyncFileSystem._find
    return {} if own else {"on_error": "raise"}


def fetch(there: There, folder: Path, done: Callable[[str], None]) -> None:
    """Fetch files, many at once.

    Parameters
    ----------
    there : There
        Which.
    folder : pathlib.Path
        Where they go, by their paths; it is there.
    done : callable
        Called for each.

    Raises
    ------
    StudyBookError
        If one cannot be read, or has changed since it was listed, or if there is no room.
    """
    from fsspec.callbacks import Callback

    class Done(Callback):  # type: ignore[misc]
        def relative_update(self, inc: int = 1) -> None:
            done("")

    place, files = there.place, there.files
    size, free = sum(each or 0 for _, each in files.values()), shutil.disk_usage(folder).free
    if size > free:
        raise place.fault(
            f"holds {size / 2**20:,.0f} MiB, and {folder} has room for {free / 2**20:,.0f}",
            "name a part of it, or another folder for temporary files (TMPDIR)",
        )
    targets = {name: folder / name for name in files}
    for target in targets.values():  # some libraries make no folders
        target.parent.mkdir(parents=True, exist_ok=True)
    with place.saying("cannot be fetched", _DO):
        keys = [key for key, _ in files.values()]
        place.files.get(keys, [*map(str, targets.values())], callback=Done())
    for name, (_, size_there) in files.items():
        if size_there not in (None, targets[name].stat().st_size):
            raise place.fault(
                f"{name} changed while it was fetched", "add when nothing writes there"
            )
