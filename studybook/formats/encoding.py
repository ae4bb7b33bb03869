"""How the text of a raw file is written, told by its first bytes."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from typing import Any

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16",
}  # fmt: skip


#: What Linux of these countries had before UTF-8.
_EAST_ASIAN = ("gb18030", "big5hkscs", "euc_jp", "shift_jis", "euc_kr")
_EAST_ASIAN_DATE = re.compile(r"\d\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]")

#: EBCDIC as z/VM prints it. Code page 1047 differs in brackets and the caret only, which
#: no report of ours uses.
EBCDIC = "cp037"


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


class Utf8OrWindows(codecs.BufferedIncrementalDecoder):
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
