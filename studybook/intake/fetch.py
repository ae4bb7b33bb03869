"""Raw exports that lie elsewhere, such as in a bucket, fetched into a folder of this machine."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from studybook.intake.unpack import inside
from studybook.process.elsewhere import Elsewhere

_INSTALL = "install it; for s3:// pip install 'studybook[s3]'"
_DO = "see whether it is there, and may be read, and add again"


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

    Parameters
    ----------
    address : str
        The URL of a folder, or of a file.
    aside : list of str
        Files that are left out are added, with the reason: names that are no path below a folder.

    Raises
    ------
    StudyBookError
        If it cannot be listed, or has no files.
    """
    place = Elsewhere(address, _INSTALL)
    with place.saying("cannot be listed", _DO):
        found = place.files.find(place.root, detail=True)
    by_http = urlsplit(address).scheme.startswith("http")
    last = PurePosixPath(unquote(urlsplit(address).path) if by_http else place.root).name
    files: dict[str, tuple[str, int | None]] = {}
    for key, info in sorted(found.items()):
        # What is no file, also as a browser makes one: an empty object with the name of a folder.
        if info.get("type", "file") != "file" or key.endswith("/"):
            continue
        below = key.removeprefix(f"{place.root}/") if key != place.root else last
        name = unquote(below) if by_http else below
        if inside(name) is None or name != PurePosixPath(name).as_posix():
            aside.append(f"{name}: a name that is no path below a folder")
        else:
            files[name] = key, info.get("size")
    if not files:
        raise place.fault("has no files", "name the folder that holds raw exports")
    is_one = found.keys() == {place.root}
    return There(place, PurePosixPath(last).stem.removesuffix(".tar") if is_one else last, files)


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
    with place.saying("cannot be fetched", _DO):
        keys = [key for key, _ in files.values()]
        place.files.get(keys, [*map(str, targets.values())], callback=Done())
    for name, (_, size_there) in files.items():
        if size_there not in (None, targets[name].stat().st_size):
            raise place.fault(
                f"{name} changed while it was fetched", "add when nothing writes there"
            )
