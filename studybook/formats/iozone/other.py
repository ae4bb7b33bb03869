"""iozone's other files: latencies by offset (``-Q``), and the binary spreadsheet (``-b``).

The latter is of Excel 2.1 (seen). It is refused: ``-R`` prints the same values as text.
"""

from __future__ import annotations

import re

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import Head, RawFile

_HEADING = re.compile(r"Offset in [kK]Bytes\s+Latency in microseconds\s+Transfer size in bytes$")
_ROW = re.compile(r"(\d{1,15})\s+(\d{1,15}(?:\.\d{1,6})?)\s+(\d{1,15})$", re.ASCII)
_TIME = re.compile(r"System time +[\d.]+ User time +[\d.]+ Real +[\d.]+ +\(seconds\)$")

#: A record of the beginning of a sheet, then a cell of text.
_SHEET = b"\x09\x00\x04\x00"


def recognise(head: Head) -> bool:
    """Whether the file begins with the heading of latencies by offset."""
    first = next((line.strip() for line in head.lines if line.strip()), "")
    return _HEADING.match(first) is not None


def read(raw: RawFile, out: Reading) -> None:
    """Read every pass over the file; each begins with a heading."""
    passes = 0
    for line, text in raw.lines():
        words = text.strip()
        if _HEADING.match(words):
            passes += 1
            out.heading()
        elif not words or _TIME.match(words):
            out.heading()
        elif passes and (match := _ROW.match(words)):
            out.record(
                "iozone_offset", pass_no=passes - 1, offset_kib=int(match[1]),
                latency_us=float(match[2]), transfer_bytes=int(match[3]), line=line,
            )  # fmt: skip
            out.used()
        else:
            out.unknown(line, text)


def recognise_sheet(head: Head) -> bool:
    """Whether the file is a sheet of Excel 2.1 that names iozone in its first cells."""
    return head.data.startswith(_SHEET) and b"iozone" in head.data[:400]


def refuse_sheet(raw: RawFile, out: Reading) -> None:
    """Refuse the spreadsheet.

    Raises
    ------
    Refused
        Always.
    """
    raise Refused(
        "is the binary spreadsheet of iozone -b",
        "export what iozone printed: with -R it holds the same values as text",
    )
