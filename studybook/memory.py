"""What follows from the content of files alone, kept in the book: it is worked out once.

A value is found by the hash of all that it follows from, so that none is ever stale. The content
itself follows from where a file lies, its size and its times, unless someone asks to verify that.
Without a book, or where its ``build/`` cannot be written, each process works out its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

from studybook.plugins import book

#: The file in a book.
FILE = Path("build/memory.json")

#: A file that has grown beyond this is begun anew: most in it is of what is no longer there.
_MOST_BYTES = 32_000_000

#: A file that was begun so many seconds ago, and is not whole, was left behind.
_YOUNG_S = 60

#: A file that changed less long ago may change once more at what the clock of files has as the same
#: time: its hash is not kept.
_SETTLED_S = 2

_said: dict[Path | None, dict[str, Any]] = {}
#: Answers of all books that this process has met: what a content gives is the same in each.
_met: dict[str, Any] = {}
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
    return str(recall("content of a file", repr(seen).encode(), work_out))


def recall(kind: str, content: bytes, work_out: Callable[[], Any]) -> Any:
    """What follows from one content; of several, see :func:`recall_each`."""
    (answer,) = recall_each(kind, [content], lambda _: [work_out()])
    return answer


def recall_each(
    kind: str, contents: Sequence[bytes], work_out: Callable[[list[int]], Sequence[Any]]
) -> list[Any]:
    """What follows from each of some contents.

    Parameters
    ----------
    kind : str
        What is asked, with all else that the answers follow from, such as versions.
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
    about = f"{kind}\n{sys.version}\n".encode()
    keys = [hashlib.sha256(about + content).hexdigest() for content in contents]
    if any(key not in known for key in keys):
        missing = [place for place, key in enumerate(keys) if not (key in known or key in _met)]
        if missing:
            answers = zip(missing, work_out(missing), strict=True)
            _met.update((keys[place], answer) for place, answer in answers)
        known.update((key, _met[key]) for key in keys if key not in known)
        _save_at_the_end()
    return [known[key] for key in keys]


def _known() -> dict[str, Any]:
    root = book()
    if root not in _said:
        _said[root] = {}
        if root:
            with suppress(OSError, ValueError):
                found = json.loads((root / FILE).read_bytes())
                _said[root] = found if isinstance(found, dict) else {}
                _met.update(_said[root])
    return _said[root]


def _save_at_the_end() -> None:
    """Have this process save what it has worked out when it ends; a fork is another one."""
    if os.getpid() not in _saving:
        _saving.add(os.getpid())
        Finalize(None, _save, exitpriority=0)


def _save() -> None:
    for root, said in _said.items():
        if root is None or not (root / FILE).parent.is_dir():
            continue
        path = root / FILE
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        with suppress(OSError):
            for left in path.parent.glob(f"{path.stem}.*.tmp"):  # of a process that was killed
                if time.time() - left.stat().st_mtime > _YOUNG_S:
                    left.unlink()
            # What another process has found meanwhile is not worth a lock.
            kept = said if not path.exists() or path.stat().st_size < _MOST_BYTES else {}
            try:
                temporary.write_text(json.dumps(kept), encoding="utf-8")
                temporary.replace(path)
            finally:  # of a full disk, it would take what little room is left
                temporary.unlink(missing_ok=True)
