"""Files of a book that people write or bring: which of them count, and when they change."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path, PurePath
from queue import Empty, SimpleQueue
from threading import Event, Thread

import watchfiles

from studybook.dataset.paths import DataSet
from studybook.engine.bounds import CONFIG
from studybook.errors import StudyBookError
from studybook.process.stop import undisturbed
from studybook.publish.build import OF_BOOK

#: Milliseconds without a change after which those before it are one, and the longest wait for that:
#: an editor writes a file in several steps, a copy of raw files goes on.
_QUIET_MS, _LONGEST_MS = 200, 10_000

#: What editors write beside the files that are meant.
_OF_EDITORS = re.compile(r"#.*#|.*~|.*\.(tmp|bak|part|py[cod])|4913|___jb_.*", re.IGNORECASE)

_Heard = SimpleQueue[set[PurePath] | Exception]


def counts(path: PurePath, data_set: str) -> bool:
    """Whether the book may follow from a file.

    Parameters
    ----------
    path : pathlib.PurePath
        The file, below the folder of the book.
    data_set : str
        Name of the data set that the book is made of.
    """
    if any(part.startswith(".") or part == "__pycache__" for part in path.parts):
        return False
    if _OF_EDITORS.fullmatch(path.name):
        return False
    return path == PurePath(CONFIG) or any(map(path.is_relative_to, _folders(data_set)))


def _folders(data_set: str) -> tuple[PurePath, ...]:
    return tuple(PurePath(name) for name in (*OF_BOOK, f"data/raw/{data_set}"))


@contextmanager
def changes(data_set: DataSet) -> Iterator[Callable[[], list[str]]]:
    """Watch the files of a book that count, until the block is left.

    Yields
    ------
    callable
        Waits until something has changed since it was last called, and names the files. It raises
        StudyBookError where they cannot be watched.
    """
    root, heard = data_set.root, _Heard()
    folders = _folders(data_set.name)

    def below() -> AbstractContextManager[None]:
        there = [root / each for each in folders if (root / each).is_dir()]
        return _listening(data_set, there, heard, recursive=True)

    # That one of them is made or removed, and that a file has taken the place of _config.yml, is
    # seen from the folder above.
    above = [root, root / "data", root / "data/raw"]
    with _listening(data_set, above, heard, recursive=False), ExitStack() as deep:
        deep.enter_context(below())

        def changed() -> list[str]:
            found = _take(heard.get())
            with suppress(Empty):
                while True:
                    found |= _take(heard.get_nowait())
            if found.intersection(folders):
                deep.close()
                deep.enter_context(below())
            return sorted(path.as_posix() for path in found)

        yield changed


class _Stop(Event):
    """Whether to stop: it is asked again and again from when folders are watched."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = Event()

    def is_set(self) -> bool:
        self.begun.set()
        return super().is_set()


@contextmanager
def _listening(
    data_set: DataSet, folders: Sequence[Path], heard: _Heard, *, recursive: bool
) -> Iterator[None]:
    """Have a thread put what changes in folders into a queue; an error, too, if it ends by one."""
    root, stop = data_set.root, _Stop()

    def listen() -> None:
        try:
            for found in watchfiles.watch(
                *folders,
                watch_filter=lambda _, path: counts(Path(path).relative_to(root), data_set.name),
                debounce=_LONGEST_MS,
                step=_QUIET_MS,
                rust_timeout=0,  # none: what changes just when it passes would be lost
                stop_event=stop,
                recursive=recursive,
                ignore_permission_denied=True,
            ):
                heard.put({Path(path).relative_to(root) for _, path in found})
        except Exception as error:
            heard.put(error)
            stop.begun.set()

    thread = Thread(target=listen)
    thread.start()
    try:
        stop.begun.wait()
        yield
    finally:
        with undisturbed():
            stop.set()
            thread.join()


def _take(found: set[PurePath] | Exception) -> set[PurePath]:
    if isinstance(found, Exception):
        raise StudyBookError(
            f"the files of the book cannot be watched: {found}\n  → allow more of them"
            " (sysctl fs.inotify.max_user_watches), or set WATCHFILES_FORCE_POLLING=1"
        ) from found
    return found
