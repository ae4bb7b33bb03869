"""Opening raw files: compression, encoding, line ends and byte-order marks, once for all.

Readers get lines of text and line numbers and never see bytes. What is not text (and not a
compressed text) is refused here.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import hashlib
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from pipelines.errors import Refused

#: How much of a file a format may look at to recognise it.
HEAD_BYTES = 64 * 1024

#: A line longer than this is cut: no format known to us prints one.
LONGEST_LINE = 1024 * 1024

_COMPRESSIONS: dict[bytes, Callable[..., IO[Any]]] = {
    b"\x1f\x8b": gzip.open,
    b"\xfd7zXZ\x00": lzma.open,
    b"BZh": bz2.open,
}

#: What the standard library raises on a compressed file that is cut or damaged.
_DAMAGE = (OSError, EOFError, lzma.LZMAError, zlib.error)

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


@dataclass(frozen=True)
class Head:
    """The first 64 KiB of a file, as text and as lines without their ends."""

    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the head."""
        return self.text.splitlines()


class RawFile:
    """One raw export on disk.

    Parameters
    ----------
    path : pathlib.Path
        The file, plain or compressed by gzip, xz or bzip2 (told by its first bytes).

    Raises
    ------
    Refused
        If the file cannot be opened, or does not hold text.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with self._open() as stream:
                start = stream.read(HEAD_BYTES)
        except _DAMAGE as error:
            raise Refused(
                f"cannot be opened: {getattr(error, 'strerror', None) or error}",
                "check that the file exists, is readable and, if compressed, complete",
                path=path,
            ) from error
        self.encoding = _encoding(start)
        if self.encoding != "utf-16" and b"\x00" in start:
            raise Refused(
                "holds NUL bytes: a binary file, not a text export",
                "export the data as text with the tool that wrote it",
                path=path,
            )
        text = codecs.getincrementaldecoder(self.encoding)("replace").decode(start)
        self.head = Head(text.replace("\r\n", "\n").replace("\r", "\n"))

    def _open(self) -> BinaryIO:
        with self.path.open("rb") as stream:
            magic = stream.read(6)
        for start, opener in _COMPRESSIONS.items():
            if magic.startswith(start):
                return cast(BinaryIO, opener(self.path, "rb"))
        return self.path.open("rb")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Go through the file: line numbers from 1, and lines without their ends.

        Memory does not grow with the file. A line of more than 1 MiB is cut there.

        Raises
        ------
        Refused
            If a compressed file turns out to be cut or damaged.
        """
        number = 0
        try:
            with (
                self._open() as stream,
                io.TextIOWrapper(stream, encoding=self.encoding, errors="replace") as text,
            ):
                while line := text.readline(LONGEST_LINE):
                    number += 1
                    rest = line
                    while rest and not rest.endswith("\n"):
                        rest = text.readline(LONGEST_LINE)
                    yield number, line.rstrip("\n")
        except _DAMAGE as error:
            raise Refused(
                f"is cut or damaged: {error}",
                "copy it again from where it was recorded",
                path=self.path,
                line=number or None,
            ) from error


def _encoding(start: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if start.startswith(mark):
            return encoding
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, as stored (compressed or not), in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
