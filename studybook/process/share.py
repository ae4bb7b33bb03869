"""A share: a place that all workers of a cluster see, on any file system that fsspec knows.

Where workers do not see the book, the files that a job is handed go to the share, and what it has
made comes back over it. Each file lies there by the hash of what it holds: it is sent once, and
whoever fetches it sees whether it is what was sent.
"""

from __future__ import annotations

import io
import os
import pickle
import re
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studybook.errors import StudyBookError
from studybook.memory import content_sha256

#: The environment variable with the address of a share.
SHARE = "STUDYBOOK_SHARE"


@dataclass(frozen=True)
class Sent:
    """A file that was sent: from where, and what it held; no hash where it changed meanwhile."""

    path: str
    size: int
    changed_ns: int
    sha256: str


class Share:
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
        #: As it is told to people: without a password.
        self.name = url = re.sub(r"//[^/@]*@", "//", address)
        self.address = address
        try:
            from fsspec.core import url_to_fs

            # Others write there, too: what was listed before says nothing.
            self._files, self._root = url_to_fs(address, use_listings_cache=False)
        except ImportError as error:
            raise StudyBookError(
                f"{url}: {error}\n  → pip install 'studybook[dask,s3]', here and for the workers"
            ) from error
        except ValueError as error:
            raise StudyBookError(
                f"{url}: {error}\n  → name a folder such as s3://bucket/prefix or file:///mnt/all"
            ) from error

    def send(self, path: Path) -> Sent:
        """Send a file, unless the share has it.

        Raises
        ------
        StudyBookError
            If the share cannot be written to.
        """
        before = path.stat()
        digest = content_sha256(path)
        place = self._place(digest)
        try:
            if missing := not self._has(place, before.st_size):
                # It is seen when it is whole.
                with (
                    self._files.transaction,
                    path.open("rb") as source,
                    self._files.open(place, "wb") as target,
                ):
                    shutil.copyfileobj(source, target, 1 << 20)
            after = path.stat()
            still = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
            if missing and not still:  # nobody knows what was sent
                self._files.rm_file(place)
        except Exception as error:  # of whichever library it is
            raise self._fault("cannot be written to", error) from error
        return Sent(str(path), after.st_size, after.st_mtime_ns, digest if still else "")

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
        try:
            self._files.get_file(self._place(sent.sha256), str(place))
        except Exception as error:  # of whichever library it is
            raise self._fault(f"{sent.path} cannot be read from there", error) from error
        if content_sha256(place) != sent.sha256:
            raise StudyBookError(
                f"{self.name}: {self._place(sent.sha256)} is not what was sent\n"
                "  → delete it there, and load again"
            )
        os.utime(place, ns=(sent.changed_ns, sent.changed_ns))

    def _place(self, digest: str) -> str:
        return f"{self._root.rstrip('/')}/{digest}"

    def _has(self, place: str, size: int) -> bool:
        with suppress(FileNotFoundError):
            return bool(self._files.info(place)["size"] == size)
        return False

    def _fault(self, what: str, error: Exception) -> StudyBookError:
        return StudyBookError(
            f"{self.name}: {what}: {error}\n"
            "  → see whether it is there, and may be read and written, here and by the workers"
        )


def packed(share: Share, job: object) -> bytes:
    """A job as bytes, with the files that it names in the share."""
    stream = io.BytesIO()
    pickler = _Packing(stream)
    pickler.share = share
    pickler.dump(job)
    return stream.getvalue()


def unpacked(share: Share, job: bytes, mirror: Path) -> tuple[Any, list[Path]]:
    """A job, with its files fetched below another folder, and what was fetched."""
    unpickler = _Unpacking(io.BytesIO(job))
    unpickler.share, unpickler.mirror, unpickler.fetched = share, mirror, []
    return unpickler.load(), unpickler.fetched


def below(mirror: Path, path: Path) -> Path:
    """Where a path of the one who asks lies below the folder of a worker."""
    return mirror / path.relative_to(path.anchor)


class _Packing(pickle.Pickler):
    """Sends the files that a job names."""

    share: Share

    def persistent_id(self, obj: object) -> Sent | tuple[str] | None:
        if not isinstance(obj, Path):
            return None
        try:
            return self.share.send(obj) if obj.is_file() else (str(obj),)
        except OSError:  # gone meanwhile: its reader will say so
            return (str(obj),)


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
