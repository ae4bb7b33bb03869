"""How the text of a raw file is written, told by its first bytes, and that text as UTF-8."""

from __future__ import annotations

import codecs
import io
import re
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, BinaryIO

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be",
}  # fmt: skip

#: What Linux of these countries had before UTF-8.
_EAST_ASIAN = ("gb18030", "big5hkscs", "euc_jp", "shift_jis", "euc_kr")
_EAST_ASIAN_DATE = re.compile(r"\d\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]")

#: EBCDIC as z/VM prints it. Code page 1047 differs in brackets and the caret only, which
#: no report of ours uses.
EBCDIC = "cp037"

#: Record lengths of printed files that have no line ends: with and without carriage control.
_RECORD_LENGTHS = (133, 132, 121, 80)

#: How much of a file is looked at, at once, to learn its size.
_PIECE = 1 << 16

#: Bytes of a text after which a place of it is known in the file.
_FAR = 1 << 20


def encoding_of(start: bytes) -> str:
    """The name of the encoding, as Python has it."""
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if start.startswith(mark):
            return encoding
    # UTF-16 without a mark: nearly every second byte is NUL, the others are not.
    for encoding, offset in (("utf-16-le", 1), ("utf-16-be", 0)):
        nuls, others = start[offset::2].count(0), start[1 - offset :: 2].count(0)
        if nuls > 0.9 * (len(start) // 2) > 10 and not others:
            return encoding
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return EBCDIC if _is_ebcdic(start) else _east_asian(start) or "cp1252"
    return "utf-8"


def _east_asian(start: bytes) -> str | None:
    """The encoding of Chinese, Japanese or Korean text in which a date makes sense, if any does."""
    for encoding in _EAST_ASIAN:
        with suppress(UnicodeDecodeError):
            text = codecs.getincrementaldecoder(encoding)().decode(start)
            if _EAST_ASIAN_DATE.search(text):
                return encoding
    return None


def _is_ebcdic(start: bytes) -> bool:
    """Whether blanks and letters stand where EBCDIC has them: X'40', X'81' to X'E9', digits."""
    blanks = start.count(b"\x40")
    letters = sum(1 for byte in start if 0x81 <= byte <= 0xE9 or 0xF0 <= byte <= 0xF9)
    return blanks > start.count(b"\x20") and blanks + letters > 0.7 * len(start)


def record_length(start: bytes, opened: Callable[[], BinaryIO]) -> int:
    """Length of the records of an EBCDIC file without line ends; 0 if it has line ends.

    Parameters
    ----------
    start : bytes
        How it begins.
    opened : callable
        Opens it.
    """
    if any(end in start for end in (b"\x15", b"\x25", b"\x0d")):
        return 0
    # Carriage control stands in front of each record: new page, one line, two, three, none.
    controls = frozenset("10 -+".encode(EBCDIC))
    for length in _RECORD_LENGTHS:
        if all(start[place] in controls for place in range(0, len(start), length)):
            return length
    with opened() as stream:
        size = sum(map(len, iter(partial(stream.read, _PIECE), b"")))
    return next((length for length in _RECORD_LENGTHS if size % length == 0), 0)


class Decoder:
    """Makes UTF-8 with line feeds, and without marks of the byte order, of a file's bytes.

    Parameters
    ----------
    encoding : str
        How it is written.
    records : int
        The length of its records, where these have no line ends.
    """

    def __init__(self, encoding: str, records: int = 0) -> None:
        self._encoding, self._records = encoding, records
        plain = encoding == "utf-8"
        self._characters: Any = (
            _Utf8OrWindows() if plain else codecs.getincrementaldecoder(encoding)("replace")
        )
        self._decoder = io.IncrementalNewlineDecoder(self._characters, translate=True)

    @property
    def mixed(self) -> bool:
        """Whether bytes that are no UTF-8 stood in text that else is."""
        return getattr(self._characters, "mixed", False)

    @property
    def is_clean(self) -> bool:
        """Whether nothing is left over of what was decoded, as at the beginning."""
        return self._decoder.getstate() == (b"", 0)

    def reset(self) -> None:
        """Begin anew, at a place where it was clean."""
        self._decoder.reset()

    def decode(self, data: bytes, *, final: bool = False) -> bytes:
        """Decode what comes next of the file: whole records, where it has such."""
        if self._is_plain(data):
            return data
        text = self._decoder.decode(data, final).replace("\ufeff", "")
        if length := self._records:
            text = "".join(
                record + "\n" * (len(record) == length)
                for start in range(0, len(text), length)
                for record in [text[start : start + length]]
            )
        elif self._encoding == EBCDIC:
            text = text.replace("\x85", "\n")
        return text.encode()

    def _is_plain(self, data: bytes) -> bool:
        """Whether bytes need no decoding: all of ASCII, nothing left over from before."""
        return self._encoding == "utf-8" and data.isascii() and b"\r" not in data and self.is_clean


class Text(io.RawIOBase):
    """The text of a file as a stream of bytes: UTF-8 with line feeds.

    Parameters
    ----------
    stream : file
        The bytes of the file.
    encoding : str
        How they are written.
    records : int
        The length of its records, where these have no line ends.
    """

    def __init__(self, stream: BinaryIO, encoding: str, records: int = 0) -> None:
        self._stream, self._record = stream, records or 1
        self.decoder = Decoder(encoding, records)
        self._at, self._read, self._ended = 0, 0, False
        self._rest = memoryview(b"")
        # Where the decoder was clean: places in the text, and in the file.
        self._places = [(0, 0)]

    def readinto(self, buffer: Any) -> int:
        """Read what fits into a buffer; nothing at the end of the file."""
        while not self._rest and not self._ended:
            if self._at >= self._places[-1][0] + _FAR and self.decoder.is_clean:
                self._places.append((self._at, self._read))
            size = max(len(buffer), self._record)
            data = self._stream.read(size - size % self._record)
            self._read += len(data)
            self._ended = not data
            self._rest = memoryview(self.decoder.decode(data, final=self._ended))
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:] or memoryview(b"")  # which keeps nothing in memory
        self._at += size
        return size

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place: read up to it, from the last one before that is known in the file."""
        if whence == io.SEEK_END:
            raise io.UnsupportedOperation("the end of a text is known when it was read")
        offset += self._at if whence == io.SEEK_CUR else 0
        known = self._places[bisect_right(self._places, offset, key=lambda each: each[0]) - 1]
        if offset < self._at or known[0] > self._at:
            self._at, self._read = known
            self._rest, self._ended = memoryview(b""), False
            self._stream.seek(self._read)
            self.decoder.reset()
        buffer = memoryview(bytearray(_PIECE))
        while left := offset - self._at:
            if not self.readinto(buffer[: min(left, _PIECE)]):
                break
        return self._at

    def close(self) -> None:
        """Close the file, too."""
        self._stream.close()
        super().close()


class _Utf8OrWindows(codecs.BufferedIncrementalDecoder):
    """UTF-8; bytes that are none are Windows-1252, as of names in an otherwise plain file."""

    mixed = False

    def _buffer_decode(self, data: Any, errors: str, final: bool) -> tuple[str, int]:
        try:
            return codecs.utf_8_decode(data, "strict", final)
        except UnicodeDecodeError:
            self.mixed = True
            return codecs.utf_8_decode(data, _WINDOWS, final)


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


_WINDOWS = "windows-1252 instead"
codecs.register_error(_WINDOWS, _as_windows)
