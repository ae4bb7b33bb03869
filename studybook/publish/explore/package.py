"""DuckDB for browsers: a package of npm, fetched once for all books of a user.

It is too large for a wheel, and a book without it is whole but for one page. What is fetched is
held against the hash that stands here, whoever sent it; a book needs two of its files.

Of a newer version, the registry says the hash as ``dist.integrity``. The messages that a page sends
to its worker are of one version, too: the tests in a browser tell whether they still hold.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import platformdirs

from studybook.errors import StudyBookError

NAME, VERSION = "@duckdb/duckdb-wasm", "1.32.0"  # DuckDB 1.4.3
INTEGRITY = (
    "sha512-IewXTNYEjsZCPE9weUWgtjGxUlMRo7qhX0GF6tq/"
    "KjK8bnY+RAl4cyUdYUfcdzbyb4b9ZxPC+FOsCcxgaKFWMg=="
)

#: Where npm fetches from, and the variable by which npm is told otherwise.
REGISTRY, REGISTRY_VARIABLE = "https://registry.npmjs.org", "npm_config_registry"

#: What is kept, by its name here. Browsers unpack the first one themselves: it has 34 MB.
MODULE, WORKER = "duckdb.wasm.gz", "duckdb-worker.js"
KEPT = {
    MODULE: "package/dist/duckdb-eh.wasm",
    WORKER: "package/dist/duckdb-browser-eh.worker.js",
}

#: Bytes that are read at once, the most that are read at all, and seconds without any.
_CHUNK, _MOST, _PATIENCE_S = 1 << 20, 64 << 20, 60


def place() -> Path:
    """The folder of the package, of this version; it need not be there."""
    return platformdirs.user_data_path("studybook", appauthor=False) / f"duckdb-wasm-{VERSION}"


def is_there() -> bool:
    """Whether the package is on this machine, as a whole."""
    with suppress(OSError):  # of a folder that may not be looked into
        return all((place() / name).is_file() for name in KEPT)
    return False


def address() -> str:
    """Where the package is fetched from."""
    registry = os.environ.get(REGISTRY_VARIABLE) or REGISTRY
    registry = re.sub("//[^/@]*@", "//", registry)  # a password would be printed
    return f"{registry.rstrip('/')}/{NAME}/-/{NAME.rpartition('/')[2]}-{VERSION}.tgz"


def fetch(done: Callable[[int, int], object]) -> bytes:
    """Fetch the package.

    Parameters
    ----------
    done : callable
        Told now and then how many bytes have come, of how many; 0 where that is not known.

    Returns
    -------
    bytes
        What came; nothing is known of it yet.

    Raises
    ------
    StudyBookError
        If it cannot be fetched, with the way around.
    """
    from http.client import HTTPException  # which only this needs
    from urllib.request import urlopen

    where, came = address(), bytearray()
    if not where.startswith(("https://", "http://")):
        raise StudyBookError(
            f"{where}: is no address of the web\n  → see what {REGISTRY_VARIABLE} is set to"
        )
    try:
        with urlopen(where, timeout=_PATIENCE_S) as answer:  # noqa: S310 - see above
            whole = int(answer.headers.get("Content-Length") or 0)
            while (chunk := answer.read(_CHUNK)) and len(came) < _MOST:
                came += chunk
                done(len(came), whole)
    except (OSError, ValueError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise StudyBookError(
            f"{where}: cannot be fetched: {reason}\n  → try again with a network; or fetch it on"
            " another machine, and here: studybook explore --from FILE.tgz"
        ) from error
    return bytes(came)


def take_in(packed: bytes, named: str) -> None:
    """Keep what a book needs of a package.

    Parameters
    ----------
    packed : bytes
        The package, as npm has it: a tar archive, packed by gzip.
    named : str
        Where it came from.

    Raises
    ------
    StudyBookError
        If it is not the package of this version, to the byte.
    """
    import tarfile  # which only this needs

    algorithm, _, digest = INTEGRITY.partition("-")
    if hashlib.new(algorithm, packed).digest() != base64.b64decode(digest):
        raise StudyBookError(
            f"{named}: is not {NAME} {VERSION}: its hash ({algorithm}) is another\n  → was it"
            f" cut on its way, or is it another version? What is needed is {address()}"
        )
    fresh, old = (place().with_name(f".{place().name}.{os.getpid()}.{n}") for n in ("new", "old"))
    try:
        fresh.mkdir(parents=True)
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as archive:
            for name, member in KEPT.items():
                stream = archive.extractfile(member)
                assert stream is not None  # noqa: S101 - its hash is that of one that has them
                content = stream.read()
                if name.endswith(".gz"):
                    content = gzip.compress(content, compresslevel=6, mtime=0)
                (fresh / name).write_bytes(content)
        with suppress(FileNotFoundError):
            place().replace(old)
        fresh.replace(place())
    finally:
        for each in (fresh, old):
            shutil.rmtree(each, ignore_errors=True)
