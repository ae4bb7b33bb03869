"""A share: a place that all workers of a cluster see, on any file system that fsspec knows.

Where workers do not see the book, the files that a job is handed go to the share, and what it has
made comes back over it. Each file lies there by the hash of what it holds: it is sent once, and
whoever fetches it sees whether it is what was sent.
"""

from __future__ import annotations

import io
import os
import pickle
import shutil
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from studybook.errors import StudyBookError
from studybook.memory import content_sha256
from studybook.process.elsewhere import Elsewhere

#: The environment variable with the address of a share.
SHARE = "STUDYBOOK_SHARE"


@dataclass(frozen=True)
class Sent:
    """A file that was sent: from where, and what it held; no hash where it changed meanwhile."""

    path: str
    size: int
    changed_ns: int
    sha256: str


class Share(Elsewhere):
    """A share.

    Parameters
    ----------
    address : str
        URL of a folder that is there: ``s3://bucket/prefix``, ``file:///mnt/all``, or on another
        file system that fsspec knows.

    Raises
    ------
    StudyBookError
        If no such file system is known, or what reads it is not installed.
    """

    def __init__(self, address: str) -> None:
        super().__init__(
            address,
            "install it here and for the workers; for s3:// pip install 'studybook[dask,s3]'",
        )

    def send(self, path: Path) -> Sent:
        """Send a file, unless the share has it.

        Raises
        ------
        StudyBookError
            If the share cannot be written to.
        """
        before = _seen(path)
        digest = content_sha256(path)
        place = self._place(digest)
        # Under a name of its own, until all of it is there, and is what the hash is of.
        aside = f"{place}.{uuid4().hex}"
        with path.open("rb") as source, self._saying("cannot be written to"):
            if missing := not self._has(place, before[0]):
                with self.files.open(aside, "wb") as target:
                    shutil.copyfileobj(source, target, 1 << 20)
        now = _seen(path)
        with self._saying("cannot be written to"):
            if missing and now == before:
                self.files.mv(aside, place)
            elif missing:
                self.files.rm_file(aside)
        return Sent(str(path), *now, sha256=digest if now == before else "")

    def fetch(self, sent: Sent, place: Path) -> None:
        """Fetch a file; an empty one, of long ago, in the place of one that changed meanwhile.

        Raises
        ------
        StudyBookError
            If it cannot be read, or is not what was sent.
        """
        place.parent.mkdir(parents=True, exist_ok=True)
        if not sent.sha256:
            place.touch()
            os.utime(place, ns=(0, 0))
            return
        with self._saying(f"{sent.path} cannot be fetched"):
            self.files.get_file(self._place(sent.sha256), str(place))
        if content_sha256(place) != sent.sha256:
            raise StudyBookError(
                f"{self.name}: {self._place(sent.sha256)} is not what was sent\n"
                "  → delete it there, and load again"
            )
        os.utime(place, ns=(sent.changed_ns, sent.changed_ns))

    def _place(self, digest: str) -> str:
        return f"{self.root}/{digest}"

    def _has(self, place: str, size: int) -> bool:
        with suppress(FileNotFoundError):
            return bool(self.files.info(place)["size"] == size)
        return False

    def _saying(self, what: str) -> AbstractContextManager[None]:
        return self.saying(
            what, "see whether it is there, and may be read and written, here and by the workers"
        )


def _seen(path: Path) -> tuple[int, int]:
    """What tells whether a file is what it was."""
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def packed(share: Share, job: object) -> bytes:
    """A job as bytes, with the files that it names in the share."""
    stream = io.BytesIO()
    pickler = _Packing(stream)
    pickler.share = share
    pickler.dump(job)
    return stream.getvalue()


def unpacked(share: Share, job: bytes, mirror: Path, fetched: list[Path]) -> Any:
    """A job, with its files fetched below another folder; what is fetched is listed."""
    unpickler = _Unpacking(io.BytesIO(job))
    unpickler.share, unpickler.mirror, unpickler.fetched = share, mirror, fetched
    return unpickler.load()


def below(mirror: Path, path: Path) -> Path:
    """Where a path of the one who asks lies below the folder of a worker."""
    return mirror / path.relative_to(path.anchor)


class _Packing(pickle.Pickler):
    """Sends the files that a job names."""

    share: Share

    def persistent_id(self, obj: object) -> Sent | tuple[str] | None:
        if not isinstance(obj, Path):
            return None
        path = Path(os.path.abspath(obj))  # a link stays one  # noqa: PTH100
        try:
            return self.share.send(path) if path.is_file() else (str(path),)
        except OSError:  # gone meanwhile, or not to be read: its reader will say so
            return (str(path),)


class _Unpacking(pickle.Unpickler):
    """Fetches them."""

    share: Share
    mirror: Path
    fetched: list[Path]

    def persistent_load(self, pid: Any) -> Path:
        if not isinstance(pid, Sent):
            return below(self.mirror, Path(pid[0]))
        place = below(self.mirror, Path(pid.path))
        self.fetched.append(place)
        self.share.fetch(pid, place)
        return place
