"""Opening raw files: compression, encoding, line ends and byte-order marks, once for all.

Readers get lines of text with their numbers, or blocks of whole lines as UTF-8; either way
they see neither compression nor encoding, nor the colours that a tool gave to a terminal. Only
formats that say so are handed binary files.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import hashlib
import io
import lzma
import os
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np
from backports import zstd

from studybook.errors import Refused, did_you_mean
from studybook.formats.encoding import EBCDIC, Decoder, Text, encoding_of, record_length
from studybook.formats.repetition import Repetition, repetition

#: How much of a file a format may look at to recognise it.
HEAD_BYTES = 64 * 1024

#: A line longer than this is cut: no format known to us prints one.
LONGEST_LINE = 1024 * 1024

#: Names in a folder that are compared with one that is not there.
MOST_COMPARED = 1000

#: How much text :meth:`RawFile.blocks` hands out at once, about.
BLOCK_BYTES = 2 * 1024 * 1024

_COMPRESSIONS: dict[bytes, Callable[..., IO[Any]]] = {
    b"\x1f\x8b": gzip.open, b"\xfd7zXZ\x00": lzma.open, b"BZh": bz2.open,
    b"\x28\xb5\x2f\xfd": zstd.open,
}  # fmt: skip

#: What the standard library raises on a compressed file that is cut or damaged.
_DAMAGE = (OSError, EOFError, lzma.LZMAError, zlib.error, zstd.ZstdError)

#: A compressed file that holds more than so many times its own size is taken for an attack, or a
#: mistake: exports are compressed to a fifth, or a hundredth. Below so many bytes it does no harm.
_MOST_TIMES, _HARMLESS = 300, 256 * 2**20

#: Colours and the like for a terminal, as tools print them on one, or where they are told to.
_COLOURS = re.compile(rb"\x1b\[[0-9;]{0,20}[mK]")

#: Bytes of which a text has none, but for a few that went wrong.
_NO_TEXT = bytes(set(range(1, 32)) - set(b"\t\n\f\r\x1b") | {127})


def _is_binary(start: bytes) -> bool:
    """Whether a file holds NUL bytes, and more of what is no text than a hole in a text is.

    A program that goes on writing to a log that was cut to nothing leaves NUL bytes before it.
    """
    if b"\0" not in start:
        return False
    parts = [part for part in start.split(b"\0") if part]
    rest = b"".join(parts)
    strange = len(rest) - len(rest.translate(None, delete=_NO_TEXT))
    few = len(rest) // 1000
    return b"\n" not in rest or strange > few or len(parts) > few + 5


class _Bounded(io.RawIOBase):
    """What a compressed file holds, up to as much as it may hold."""

    def __init__(self, stream: IO[bytes], path: Path) -> None:
        self._stream, self._path, self._read = stream, path, 0
        self._most = max(_MOST_TIMES * path.stat().st_size, _HARMLESS)

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        self._read += len(data)
        if self._read > self._most:
            raise Refused(
                f"is compressed, and holds more than {_MOST_TIMES} times its size: more than"
                f" {self._most // 2**20} MiB",
                "if that is right, decompress it, and name the file that comes of it",
                path=self._path,
            )
        buffer[: len(data)] = data
        return len(data)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._stream.seekable()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def close(self) -> None:
        self._stream.close()
        super().close()


@dataclass(frozen=True)
class Head:
    """The first 64 KiB of a file: as bytes (not compressed), as text, and as lines."""

    text: str
    data: bytes = b""

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the head, without their ends."""
        return self.text.splitlines()

    @cached_property
    def printed(self) -> list[str]:
        """The lines that are not blank, without the blanks around them."""
        return [bare for line in self.lines if (bare := line.strip())]

    def has(self, *patterns: re.Pattern[str]) -> bool:
        """Whether one of the patterns matches a line from its beginning, blanks around it aside."""
        return any(any(map(each.match, self.printed)) for each in patterns)

    def found(self, pattern: re.Pattern[str]) -> set[str]:
        """The first group of all lines that a pattern matches, as in :meth:`has`."""
        return {match[1] for match in map(pattern.match, self.printed) if match}

    @property
    def first(self) -> str:
        """The first line that is not blank, empty if there is none."""
        return next((line for line in self.lines if line.strip()), "")


def _beside(path: Path) -> list[str]:
    """The names of the files of its folder, where these are not too many to compare."""
    try:
        return [each.name for each in islice(path.parent.iterdir(), MOST_COMPARED)]
    except OSError:
        return []


def missing(path: Path, *, alone: bool = True) -> Refused:
    """The refusal of a file that is not there.

    Parameters
    ----------
    path : pathlib.Path
        Where it was expected.
    alone : bool
        Whether it is one of few: for thousands it would take minutes to find what was meant.
    """
    like = did_you_mean(path.name, _beside(path)) if alone else ""
    do = like or "check that the file exists"
    return Refused(f"cannot be opened: {os.strerror(errno.ENOENT)}", do, path=path)


class RawFile:
    """One raw export on disk.

    Parameters
    ----------
    path : pathlib.Path
        The file, plain or compressed by gzip, xz, zstd or bzip2 (told by its first bytes).

    Attributes
    ----------
    encoding : str
        How its text is written.
    binary : bool
        Whether it holds NUL bytes, and more of them than a damaged text has.
    head : Head
        Its first 64 KiB.
    ends_itself : bool or str
        Whether its format says where a file ends, or the marks that a whole last line may end with,
        as in :class:`~studybook.formats.contract.Format`; set before it is read.
    cut_line : tuple of int and str, optional
        Number and text of a last line that has no end and is not handed out: it may be cut within a
        number. Known when all lines were read.
    mixed : bool
        Whether bytes that are no UTF-8 stand in text that else is, and were taken for
        Windows-1252; known when all lines were read.
    has_cut_lines : bool
        Whether a line read so far was longer than 1 MiB.
    coloured : bool
        Whether colours for a terminal were taken out of what was read so far.
    hole : int, optional
        Number of the first line that holds NUL bytes; known when all lines were read.
    count : int
        The number of its lines, but for a cut one; known when all lines were read.
    repeated : range
        Numbers of the lines that were left out because they repeat all lines before them; known
        when all lines were read.

    Raises
    ------
    Refused
        If the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ends_itself: bool | str = False
        self.cut_line: tuple[int, str] | None = None
        self.mixed = False
        self.has_cut_lines = False
        self.coloured = False
        self.count = 0
        self.hole: int | None = None
        self.repeated = range(0)
        try:
            if path.exists() and not path.is_file():
                if path.is_dir():
                    raise Refused("is a folder", "name the files in it", path=path)
                raise Refused(
                    "is a pipe or a device, not a file",
                    "write it to a file first: it is read more than once",
                    path=path,
                )
            with self.open() as stream:
                start = stream.read(HEAD_BYTES)
        except _DAMAGE as error:
            if isinstance(error, FileNotFoundError):
                raise missing(path) from error
            raise Refused(
                f"cannot be opened: {getattr(error, 'strerror', None) or error}",
                "check that the file is readable and, if compressed, complete",
                path=path,
            ) from error
        self.encoding = encoding_of(start)
        wide = self.encoding.startswith("utf-16") or self.encoding == EBCDIC
        self.binary = not wide and _is_binary(start)
        self._records = record_length(start, self.open) if self.encoding == EBCDIC else 0
        text = Decoder(self.encoding, self._records).decode(start)
        self.head = Head(_without_colours(text).decode(), start)

    def _without_colours(self, block: bytes) -> bytes:
        plain = _without_colours(block)
        self.coloured |= len(plain) < len(block)
        return plain

    def open(self) -> BinaryIO:
        """Open the file's bytes, no longer compressed.

        Reading raises :class:`~studybook.errors.Refused` where a compressed file holds far more
        than an export would.
        """
        with self.path.open("rb") as stream:
            magic = stream.read(6)
        for start, opener in _COMPRESSIONS.items():
            if magic.startswith(start):
                return io.BufferedReader(_Bounded(opener(self.path, "rb"), self.path), 1 << 18)
        return self.path.open("rb")

    def open_text(self) -> io.BufferedReader:
        """Open the file's text: UTF-8 with line feeds, whatever it is written in."""
        return io.BufferedReader(self._text())

    def _text(self) -> Text:
        return Text(self.open(), self.encoding, self._records)

    @cached_property
    def repetition(self) -> Repetition | None:
        """The part of the file that repeats what stands before it, if there is one.

        Lines and blocks leave it out, unless a tool may have printed the same again.
        """
        return repetition(self.open_text)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Go through the file: line numbers from 1, and lines without their ends.

        Memory does not grow with the file. A line of more than 1 MiB is cut there.

        Raises
        ------
        Refused
            If a compressed file turns out to be cut or damaged.
        """
        for first, block in self.blocks(LONGEST_LINE):
            yield from enumerate(block.decode().split("\n")[:-1], first)

    def blocks(self, size: int = BLOCK_BYTES) -> Iterator[tuple[int, bytes]]:
        """Go through the file in blocks of whole lines, for readers that work on columns.

        Parameters
        ----------
        size : int
            How much of the file to read at once, in bytes.

        Yields
        ------
        first : int
            The number of the block's first line.
        block : bytes
            The lines as UTF-8, each with one line feed at its end. A line of more than 1 MiB is
            cut there.

        Raises
        ------
        Refused
            If a compressed file turns out to be cut or damaged.
        """
        first = 1
        rest = b""
        cut = False  # whether the rest is of a line whose start was handed out as too long
        try:
            with io.BufferedReader(written := self._text()) as stream:
                for text in self._read(stream, size):
                    if isinstance(text, Repetition):
                        self.repeated = range(first, first + self._lines_in(text, first - 1))
                        first = self.repeated.stop
                        continue
                    end = text.rfind(b"\n") + 1
                    if end:
                        block = b"".join((rest, memoryview(text)[:end]))  # copied once only
                        rest = text[end:]
                    else:
                        block, rest = b"", rest + text
                    if cut and block:
                        block, cut = block[block.find(b"\n") + 1 :], False
                    elif cut:
                        rest = b""
                    if len(rest) > LONGEST_LINE:
                        block += _cut(rest) + b"\n"
                        rest, cut = b"", True
                        self.has_cut_lines = True
                    if block:
                        block = self._without_colours(block)
                        size_before = len(block)
                        block = _with_short_lines(block)
                        self.has_cut_lines |= len(block) < size_before
                        if self.hole is None and b"\0" in block:
                            self.hole = first + line_count(block[: block.index(b"\0")])
                        yield first, block
                        first += line_count(block)
                self.count = first - 1
                last = self._without_colours(rest)
                self.mixed = written.decoder.mixed
                if last and not cut:
                    if self._is_whole(last.decode().strip()):
                        self.count = first
                        yield first, last + b"\n"
                    else:
                        self.cut_line = first, last.decode()
        except _DAMAGE as error:
            raise Refused(
                f"is cut or damaged: {error}", "copy it again from where it was recorded",
                path=self.path, line=first - 1 or None,
            ) from error  # fmt: skip

    def _read(self, stream: BinaryIO, size: int) -> Iterator[bytes | Repetition]:
        """The bytes of the file; those that are left out as what they are."""
        if (again := self.repetition) and again.is_needless:
            for start in range(0, again.start, size):
                yield stream.read(min(size, again.start - start))
            stream.seek(again.end)
            yield again
        while data := stream.read(size):
            yield data

    def _lines_in(self, again: Repetition, lines: int) -> int:
        """How many lines repeat so many before them; the first copy may be cut, and the last."""
        if again.cut:  # within a line, with which the first of these begins
            return lines
        whole, rest = divmod(again.end - again.start, again.start)
        found, some = whole * lines, b"\n"
        with self.open_text() as stream:
            for start in range(0, rest, BLOCK_BYTES):
                some = stream.read(min(BLOCK_BYTES, rest - start))
                found += line_count(some)
        return found + (not some.endswith(b"\n"))

    def lines_of(self, start: int, end: int) -> int:
        """How many lines end in some bytes of the file."""
        with self.open_text() as stream:
            stream.seek(start)
            sizes = (min(BLOCK_BYTES, end - at) for at in range(start, end, BLOCK_BYTES))
            return sum(line_count(stream.read(size)) for size in sizes)

    def _is_whole(self, last: str) -> bool:
        """Whether no number can be cut at the end of a last line that has no line end."""
        if isinstance(self.ends_itself, bool):
            return self.ends_itself or not last
        return not last or last[-1] in self.ends_itself


def line_count(block: bytes) -> int:
    """The number of line feeds, faster than ``bytes.count`` does where lines are short."""
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))


def _without_colours(block: bytes) -> bytes:
    """Take the marks for colours out of a text."""
    return _COLOURS.sub(b"", block) if b"\x1b" in block else block


def _cut(line: bytes) -> bytes:
    """Cut a line at 1 MiB, not within a character."""
    return line[:LONGEST_LINE].decode(errors="ignore").encode()


def _with_short_lines(block: bytes) -> bytes:
    """Cut the lines of a block that are longer than 1 MiB."""
    if len(block) <= LONGEST_LINE:
        return block
    # Such a line lies across a multiple of 1 MiB, so looking there is enough.
    for place in range(LONGEST_LINE, len(block), LONGEST_LINE):
        start = block.rfind(b"\n", 0, place) + 1
        end = block.find(b"\n", place)
        if end - start > LONGEST_LINE:
            lines = block.split(b"\n")
            return b"\n".join(_cut(line) if len(line) > LONGEST_LINE else line for line in lines)
    return block


def sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, as stored (compressed or not), in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
