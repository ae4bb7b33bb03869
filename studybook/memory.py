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
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from functools import cache, lru_cache
from multiprocessing.util import Finalize
from pathlib import Path
from threading import get_ident
from typing import Any

from studybook.plugins import book

#: The file in a book, a database of SQLite: a process looks up what it asks for, and no more.
FILE = Path("build/memory.sqlite")

#: Of the content of a file, whatever the library makes of it.
_CONTENT = "content of a file"

#: A file that has grown beyond this is begun anew: most in it is of what is no longer there. That
#: with which books begin is smaller.
_MOST_BYTES, _MOST_SHARED_BYTES = 48_000_000, 12_000_000

#: A file that changed less long ago may change once more at what the clock of files has as the same
#: time: its hash is not kept.
_SETTLED_S = 2

#: So long a file is waited for that another process is writing to; by one who reads, less: it can
#: work out what it asks.
_WAIT_S, _LOOK_S = 5.0, 0.5

#: What SQLite says of a file that is damaged, or none of ours.
_DAMAGED = (
    sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_READONLY,
)  # fmt: skip

#: Answers of all books that this process has met: what a content gives is the same in each.
_met: dict[str, Any] = {}
#: The keys of those that a book has kept, and of those that it has yet to keep.
_there: defaultdict[Path | None, set[str]] = defaultdict(set)
_new: defaultdict[Path | None, set[str]] = defaultdict(set)
#: The keys of those that stand in the file with which books begin.
_common: set[str] = set()
#: Books that had kept nothing.
_begun: set[Path | None] = set()
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
    root = book()
    about = f"{kind}\n{sys.version}\n{'' if kind == _CONTENT else _code()}\n".encode()
    keys = [hashlib.sha256(about + content).hexdigest() for content in contents]
    asked = [key for key in keys if key not in _there[root] and key not in _new[root]]
    if asked:
        kept = _kept(root, asked)
        missing = [place for place, key in enumerate(keys) if key not in _met]
        if missing:
            answers = zip(missing, work_out(missing), strict=True)
            _met.update((keys[place], answer) for place, answer in answers)
        if private:
            _private.update(asked)
        if new := {*asked} - kept:
            _new[root] |= new
            _save_at_the_end()
    return [_met[key] for key in keys]


@cache
def _code() -> str:
    """What tells the library's code from that of another release: sizes and times of its files."""
    folder = Path(__file__).parent
    seen = sorted(
        (path.relative_to(folder).as_posix(), (stat := path.stat()).st_size, stat.st_mtime_ns)
        for path in folder.rglob("*.py")
    )
    return hashlib.sha256(repr(seen).encode()).hexdigest()


def _kept(root: Path | None, keys: Sequence[str]) -> set[str]:
    """Meet answers that are kept, and say which of them need not be kept once more."""
    own = _of_book(root, os.getpid(), get_ident())
    if own is None:
        _begun.add(root)
    found = _answers(own, keys)
    common = {}
    if others := [key for key in keys if key not in found and key not in _met]:
        common = _answers(_of_all(os.getpid(), get_ident()), others)
    _met.update(found | common)
    _common.update(common)
    there = {*(found if root else common)}
    _there[root] |= there
    return there


def _answers(store: sqlite3.Connection | None, keys: Sequence[str]) -> dict[str, Any]:
    """Those of a store that it has, and that can be read."""
    found: dict[str, Any] = {}
    if store is None:
        return found
    with suppress(sqlite3.Error, ValueError):  # what cannot be read is worked out again
        for key in keys:
            for answer, check in store.execute(
                "SELECT answer, checked FROM kept WHERE key = ?", [key]
            ):
                if isinstance(answer, str) and check == _check(key, answer):
                    found[key] = json.loads(answer)
    return found


def _check(key: str, answer: str) -> bytes:
    """By which it is seen that an answer is as it was written: SQLite does not look."""
    return hashlib.blake2b(f"{key}{answer}".encode(), digest_size=8).digest()


# Neither a fork nor another thread uses what one has opened.
@lru_cache(64)
def _of_book(root: Path | None, process: int, thread: int) -> sqlite3.Connection | None:
    return _opened(root / FILE) if root else None


@lru_cache(64)
def _of_all(process: int, thread: int) -> sqlite3.Connection | None:
    return _opened(_shared())


def _opened(path: Path) -> sqlite3.Connection | None:
    """Open a store to look up, if it is there."""
    with suppress(sqlite3.Error):
        # Not to write to: but what a killed process left unfinished has to be undone first.
        place = f"{path.absolute().as_uri()}?mode=rw"
        store = sqlite3.connect(place, uri=True, timeout=_LOOK_S)
        store.execute("SELECT answer, checked FROM kept WHERE key = ''").fetchall()
        return store
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


def _as_a_fork() -> None:
    """Leave to the process that a fork is of what that one has yet to keep."""
    for root, keys in _new.items():
        _there[root] |= keys
    _new.clear()


os.register_at_fork(after_in_child=_as_a_fork)


def _save() -> None:
    for root, keys in _new.items():
        if root and (root / FILE).parent.is_dir():
            _write(root / FILE, keys, _MOST_BYTES)
        if root in _begun:
            with suppress(OSError):
                _shared().parent.mkdir(parents=True, exist_ok=True)
                _write(_shared(), keys - _private - _common, _MOST_SHARED_BYTES)


def _write(path: Path, keys: Iterable[str], most_bytes: int) -> None:
    """Keep answers in a file. A full disk, or another process that is writing, is no fault."""
    answers = ((key, json.dumps(_met[key])) for key in keys)
    rows = [(key, answer, _check(key, answer)) for key, answer in answers]
    if not rows:
        return
    try:
        _insert(path, rows, most_bytes)
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF in _DAMAGED and os.access(path, os.W_OK):
            with suppress(OSError, sqlite3.Error):
                path.unlink()
                _insert(path, rows, most_bytes)


def _insert(path: Path, rows: Iterable[tuple[str, str, bytes]], most_bytes: int) -> None:
    with closing(sqlite3.connect(path, timeout=_WAIT_S, isolation_level=None)) as store:
        store.execute("PRAGMA synchronous = NORMAL")
        store.execute("BEGIN IMMEDIATE")
        store.execute(
            "CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, answer TEXT, checked BLOB)"
            " WITHOUT ROWID"
        )
        ((used,),) = store.execute(
            "SELECT (page_count - freelist_count) * page_size"
            " FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
        )
        if used > most_bytes:
            store.execute("DELETE FROM kept")
        store.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
        store.execute("COMMIT")
    with suppress(OSError):
        path.with_suffix(".json").unlink()  # as it was kept before
