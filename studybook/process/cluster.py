"""A Dask cluster that does jobs in the place of processes of this machine.

Its workers see the book, and what is built of it, by the paths that they have here: on a file
system that all share. Or they see a share (:mod:`studybook.process.share`), over which they get
what they read, and give what they make; they then have a copy of what they need, below a folder of
their own, by the paths that it has here. A job writes into a folder of its own, of which the name
comes back: what a worker has left that was lost lies in another one, and goes with the folder of
all jobs.

A worker lives longer than a load, and books and the library change: before the first job of a load
it forgets what it knows of either, and it refuses where its code or its libraries are not those of
the process that asks.
"""

from __future__ import annotations

import logging
import os
import pickle
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from studybook.code import LIBRARY, text_digest
from studybook.errors import StudyBookError
from studybook.plugins import GROUP, book
from studybook.process.share import SHARE, Sent, Share, below, packed

if TYPE_CHECKING:
    from distributed import Client

Key = TypeVar("Key")

#: The environment variable with the address of a scheduler.
SCHEDULER = "STUDYBOOK_SCHEDULER"

#: What a book has of its own for readers and models.
_OWN = "pipelines"

#: Libraries of which another version could write other bytes.
_WRITE = ("altair", "duckdb", "numpy", "pandas", "pyarrow", "scipy")

#: A file in the folder of all jobs, by which a worker sees that it is the same folder.
_SEEN = "seen"

#: How the folder begins in which a worker has what it needs of a book that it does not see.
_MIRROR = "studybook-"

#: Where Dask logs, with tracebacks, that a scheduler goes: each has a level of its own, and what
#: there is to say is said in words.
_LOGS = ("distributed", "distributed.client", "tornado.application")


@dataclass(frozen=True)
class Here:
    """Who asks: its book, its code, that of the book, and versions of libraries."""

    book: Path | None
    code: str
    own: str
    versions: frozenset[str]
    folder: Path
    token: str
    #: Not shown: Dask writes to its logs what a job was handed.
    share: str = field(default="", repr=False)
    sent: tuple[Sent, ...] = field(default=(), repr=False)


#: For whom this worker has made itself ready: the token of a load.
_ready = ""


def address() -> str:
    """The scheduler that was named; empty where this machine does its jobs itself."""
    return os.environ.get(SCHEDULER, "")


def sees_books() -> bool:
    """Whether a scheduler was named whose workers see the book by its path."""
    return bool(address()) and not os.environ.get(SHARE)


@contextmanager
def connected(where: str) -> Iterator[Client]:
    """Connect to a scheduler.

    Raises
    ------
    StudyBookError
        If Dask is not installed, or no scheduler answers.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise StudyBookError(
            f"{where}: Dask is not installed\n  → pip install 'studybook[dask]'"
        ) from error
    try:
        client = Client(where, set_as_default=False)
    except (OSError, ValueError) as error:
        raise StudyBookError(
            f"{where}: no Dask scheduler answers: {error}\n"
            "  → start one (dask scheduler), or leave out --scheduler"
        ) from error
    for name in _LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with client:
        yield client


def on_cluster(
    doing: str,
    work: Callable[..., Any],
    jobs: Sequence[tuple[Key, tuple[Any, ...]]],
    folder: Path,
) -> Iterator[tuple[Key, Path, Any]]:
    """Do jobs on the cluster, as :func:`studybook.records.side_by_side.side_by_side` does."""
    import distributed

    folder.mkdir(parents=True, exist_ok=True)
    where = address()
    share = Share(os.environ[SHARE]) if os.environ.get(SHARE) else None
    here = _here(folder, share)
    with connected(where) as client:
        begun = {
            client.submit(
                _do,
                here,
                # Its classes are known to a worker only when it has made itself ready.
                _as_bytes((work.__module__, work.__qualname__, arguments), share),
                pure=False,
                key=f"{work.__name__}-{here.token}-{turn}",
                priority=-turn,
            ): key
            for turn, (key, arguments) in enumerate(jobs)
        }
        for done in distributed.as_completed(begun, loop=client.loop):
            try:
                made, *result = done.result()
            except distributed.KilledWorker as error:
                raise StudyBookError(
                    f"{where}: one worker after the other that {doing} was lost with"
                    f" {begun[done]}, perhaps for want of memory\n"
                    "  → see the log of the workers, and give them more (--memory-limit)"
                ) from error
            except (CancelledError, OSError) as error:
                raise StudyBookError(
                    f"{where}: the scheduler is gone: {error}\n"
                    "  → start it again, or leave out --scheduler, and load again"
                ) from error
            target = folder / Path(made).name
            if share:
                for name, sent in result[1]:
                    share.fetch(sent, target / name)
            yield begun[done], target, result[0]


def _as_bytes(job: tuple[str, str, tuple[Any, ...]], share: Share | None) -> bytes:
    return packed(share, job) if share else pickle.dumps(job)


def _here(folder: Path, share: Share | None = None) -> Here:
    """Say who asks, and leave a sign in the folder of all jobs."""
    token = uuid4().hex
    (folder / _SEEN).write_text(token)
    root = book()
    return Here(
        root, text_digest(LIBRARY), _digest_of_own(root), _versions(), folder, token,
        share.address if share else "",
        tuple(map(share.send, _own(root))) if share else (),
    )  # fmt: skip


def _own(root: Path | None) -> list[Path]:
    """The files that a book has of its own for readers and models, also behind links to folders."""
    found, met = [], set()
    for name, folders, files in os.walk(root / _OWN, followlinks=True) if root else ():
        folder = Path(name)
        if folder.name == "__pycache__" or folder.resolve() in met:
            folders.clear()
            continue
        met.add(folder.resolve())
        found += [folder / each for each in files if (folder / each).is_file()]
    return sorted(found)


def _digest_of_own(root: Path | None) -> str:
    digest = sha256()
    for path in _own(root):
        digest.update(f"{path.relative_to(root or path)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def _versions() -> frozenset[str]:
    """What another version of could write other bytes, with its version; also formats of others."""
    formats = {each.dist.name for each in entry_points(group=GROUP) if each.dist}
    named = {f"{name} {version(name)}" for name in (*_WRITE, *formats)}
    return frozenset({"python {}.{}".format(*sys.version_info), *named})


def _do(here: Here, job: bytes) -> tuple[str, Any, list[tuple[str, Sent]]]:
    """Do a job, on a worker.

    Returns
    -------
    tuple
        The folder that it filled, what it returned, and what of the folder was sent to the share.
    """
    try:
        _be_ready(here)
        if here.share:
            return _do_away(here, job)
        module, name, arguments = pickle.loads(job)  # noqa: S301 - of the cluster's own client
        folder = here.folder / uuid4().hex
        return str(folder), getattr(import_module(module), name)(*arguments, folder), []
    except OSError as error:  # who asks would take it for one of the network
        from studybook.errors import StudyBookError  # that of now

        raise StudyBookError(
            f"{_me()}: {error}\n  → see whether its disk has room, and whether it may write there"
        ) from error


def _do_away(here: Here, job: bytes) -> tuple[str, Any, list[tuple[str, Sent]]]:
    """Do a job where the book is not seen."""
    from studybook.errors import StudyBookError  # those of now
    from studybook.process.share import Share, below, unpacked

    share, mirror = Share(here.share), _mirror(here)
    folder = below(mirror, here.folder) / uuid4().hex
    fetched: list[Path] = []
    try:
        module, name, arguments = unpacked(share, job, mirror, fetched)
        folder.parent.mkdir(parents=True, exist_ok=True)
        result = getattr(import_module(module), name)(*arguments, folder)
        made = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        sent = [(str(path.relative_to(folder)), share.send(path)) for path in made]
    except StudyBookError as error:  # which names files by where they lie here
        raise StudyBookError(str(error).replace(str(mirror), "")) from error
    finally:
        for path in fetched:
            path.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
    return str(folder), result, sent


def _mirror(here: Here) -> Path:
    """Where a worker that does not see the book has what it needs of it."""
    from distributed import get_worker

    return Path(get_worker().local_directory).resolve() / f"{_MIRROR}{here.token}"


def _me() -> str:
    from distributed import get_worker

    return f"the Dask worker {get_worker().address}"


def _fetch_own(here: Here) -> None:
    """Fetch what a book has of its own, and remove that of loads before."""
    from studybook.errors import StudyBookError  # those of now
    from studybook.process.share import Share, below

    mirror = _mirror(here)
    for left in mirror.parent.glob(f"{_MIRROR}*"):
        shutil.rmtree(left, ignore_errors=True)
    share = Share(here.share)
    for sent in here.sent:
        share.fetch(sent, below(mirror, Path(sent.path)))
    if here.book and _digest_of_own(below(mirror, here.book)) != here.own:
        raise StudyBookError(
            f"{here.book / _OWN}: changed while it was sent\n"
            "  → load again, when nothing writes to it"
        )


def _be_ready(here: Here) -> None:
    """Be as a process that was started now, where this is the first job of a load."""
    global _ready
    if _ready == here.token:
        return
    _ready = ""  # whoever it was for: what is begun here may end in a refusal
    for each in [each for each in sys.modules if each.partition(".")[0] == LIBRARY.name]:
        if each != __name__:
            del sys.modules[each]
    from distributed import get_worker

    from studybook import code, errors, plugins  # those of now

    me = _me()
    seen = here.folder / _SEEN
    if not here.share and (not seen.is_file() or seen.read_text() != here.token):
        raise errors.StudyBookError(
            f"{me} does not see {here.folder}\n"
            "  → start workers where the book is found by the same path, on a file system of all;"
            " or name what they all see, such as --share s3://bucket/prefix"
        )
    if _versions() != here.versions:
        said = [", ".join(sorted(each)) or "none of that"
                for each in (_versions() - here.versions, here.versions - _versions())]  # fmt: skip
        raise errors.StudyBookError(
            f"{me} has {said[0]}; here is {said[1]}\n"
            "  → install the same versions there, and start it again"
        )
    if code.text_digest(code.LIBRARY) != here.code:
        raise errors.StudyBookError(
            f"{me} has another studybook than this one\n"
            "  → install the same version there, and start it again"
        )
    if (threads := get_worker().state.nthreads) != 1:
        raise errors.StudyBookError(
            f"{me} has {threads} threads, of which each would need its own memory\n"
            "  → start workers with --nthreads 1, as many as there are processors"
        )
    if here.share:
        _fetch_own(here)
    root = below(_mirror(here), here.book) if here.share and here.book else here.book
    plugins.use_book(root)
    _ready = here.token
