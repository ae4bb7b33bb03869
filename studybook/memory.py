"""What follows from the content of files alone, kept in the book: it is worked out once.

A value is found by the hash of all that it follows from, the library's own code included, so that
none is ever stale. The content itself follows from where a file lies, its size and its times,
unless someone asks to verify that. A book that has kept nothing yet begins with what others of the
same person have found, and so does a command without a book: most of it is of the library's models.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

from studybook.plugins import book

#: The file in a book.
FILE = Path("build/memory.json")

#: Of the content of a file, whatever the library makes of it.
_CONTENT = "content of a file"

#: A file that has grown beyond this is begun anew: most in it is of what is no longer there. That
#: with which books begin is smaller, for it is read where hardly anything is asked.
_MOST_BYTES, _MOST_SHARED_BYTES = 32_000_000, 8_000_000

#: A file that was begun so many seconds ago, and is not whole, was left behind.
_YOUNG_S = 60

#: A file that changed less long ago may change once more at what the clock of files has as the same
#: time: its hash is not kept.
_SETTLED_S = 2

_said: dict[Path | None, dict[str, Any]] = {}
#: Those that had nothing of their own.
_begun: set[Path | None] = set()
#: Answers of all books that this process has met: what a content gives is the same in each.
_met: dict[str, Any] = {}
#: Keys of what stays in its book.
_private: set[str] = set()
_saving: set[int] = set()
_verifying = False


def verify() -> None:
    """From now on, have this process read every file whose hash is asked."""
    global _verifying
    _verifying = True


def verifying() -> bool:
    """Whether files are read though nothing tells that they have changed."""
    return _verifying


def content_sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hex.

    It is read only where its size, one of its times, or its place is another than when it was read
    before. The time of the last change of its entry cannot be set by a program that copies others.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    stat = path.stat()

    def work_out() -> str:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    changed_ns = max(stat.st_mtime_ns, stat.st_ctime_ns)
    if _verifying or time.time_ns() - changed_ns < _SETTLED_S * 10**9:
        return work_out()
    seen = (str(path), stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    return str(recall(_CONTENT, repr(seen).encode(), work_out, private=True))


def recall(kind: str, content: bytes, work_out: Callable[[], Any], *, private: bool = False) -> Any:
    """What follows from one content; of several, see :func:`recall_each`."""
    (answer,) = recall_each(kind, [content], lambda _: [work_out()], private=private)
    return answer


def recall_each(
    kind: str,
    contents: Sequence[bytes],
    work_out: Callable[[list[int]], Sequence[Any]],
    *,
    private: bool = False,
) -> list[Any]:
    """What follows from each of some contents.

    Parameters
    ----------
    kind : str
        What is asked, with all else that the answers follow from, such as versions of libraries.
    contents : sequence of bytes
        What the answers follow from.
    work_out : callable
        Called once with the places of the contents whose answers are not known yet, if there are
        any; returns these, as JSON has them.

    Returns
    -------
    list
        An answer for each content.
    """
    known = _known()
    about = f"{kind}\n{sys.version}\n{'' if kind == _CONTENT else _code()}\n".encode()
    keys = [hashlib.sha256(about + content).hexdigest() for content in contents]
    if any(key not in known for key in keys):
        missing = [place for place, key in enumerate(keys) if not (key in known or key in _met)]
        if missing:
            answers = zip(missing, work_out(missing), strict=True)
            _met.update((keys[place], answer) for place, answer in answers)
        if private:
            _private.update(keys)
        known.update((key, _met[key]) for key in keys if key not in known)
        _save_at_the_end()
    return [known[key] for key in keys]


@cache
def _code() -> str:
    """What tells the library's code from that of another release: sizes and times of its files."""
    folder = Path(__file__).parent
    seen = sorted(
        (path.relative_to(folder).as_posix(), (stat := path.stat()).st_size, stat.st_mtime_ns)
        for path in folder.rglob("*.py")
    )
    return hashlib.sha256(repr(seen).encode()).hexdigest()


def _known() -> dict[str, Any]:
    root = book()
    if root not in _said:
        own = _read(root / FILE) if root else None
        if own is None:
            _begun.add(root)
        _said[root] = own or _read(_shared()) or {}
        _met.update(_said[root])
    return _said[root]


def _read(path: Path) -> dict[str, Any] | None:
    with suppress(OSError, ValueError):
        found = json.loads(path.read_bytes())
        return found if isinstance(found, dict) else None
    return None


def _shared() -> Path:
    """The file with which books begin."""
    import platformdirs

    return platformdirs.user_cache_path("studybook", appauthor=False) / FILE.name


def _save_at_the_end() -> None:
    """Have this process save what it has worked out when it ends; a fork is another one."""
    if os.getpid() not in _saving:
        _saving.add(os.getpid())
        Finalize(None, _save, exitpriority=0)


def _save() -> None:
    for root, said in _said.items():
        if root and (root / FILE).parent.is_dir():
            _write(root / FILE, said, _MOST_BYTES)
        if root in _begun:
            with suppress(OSError):
                _shared().parent.mkdir(parents=True, exist_ok=True)
                of_all = {key: value for key, value in said.items() if key not in _private}
                _write(_shared(), of_all, _MOST_SHARED_BYTES)


def _write(path: Path, said: dict[str, Any], most_bytes: int) -> None:
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    with suppress(OSError):
        for left in path.parent.glob(f"{path.stem}.*.tmp"):  # of a process that was killed
            if time.time() - left.stat().st_mtime > _YOUNG_S:
                left.unlink()
        # What another process has found meanwhile is not worth a lock.
        kept = said if not path.exists() or path.stat().st_size < most_bytes else {}
        try:
            temporary.write_text(json.dumps(kept), encoding="utf-8")
            temporary.replace(path)
        finally:  # of a full disk, it would take what little room is left
            temporary.unlink(missing_ok=True)
