"""Which format a file is of, by its content; and in words, why it is of none."""

from __future__ import annotations

import re
from itertools import islice

from studybook.errors import Refused, Unknown
from studybook.formats.contract import Format
from studybook.formats.failure import failing_in_words
from studybook.formats.in_front import without_prefix
from studybook.formats.raw import HEAD_BYTES, Head, RawFile
from studybook.formats.registry import all_formats

#: How far a banner is looked for: 64 MiB. Of MPI, 93,000 lines were seen before one.
_NOISY_BLOCKS = 32

#: Lines that look like one, in prose for instance, before it.
_MOST_BANNERS = 10


#: Files that exports come in or with, or could have been: at which place they have which bytes; and
#: what to do.
_NO_EXPORTS = (
    (
        0, b"PK\x03\x04", "a zip archive, or a workbook",
        "unpack it; save sheets of a workbook as CSV",
    ),
    (257, b"ustar", "a tar archive", "unpack it, and name the files in it"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it, and name the files in it"),
    (0, b"\x89PNG\r\n", "a picture (PNG)", "numbers cannot be read from it: find the export"),
    (0, b"\xff\xd8\xff", "a picture (JPEG)", "numbers cannot be read from it: find the export"),
    (0, b"%PDF-", "a PDF document", "find the export that it was made from, or copy the text out"),
)  # fmt: skip


#: What to do with a table.
_MAP = "map it by table in run.yml, or by tables in study.yml"


def recognise(raw: RawFile) -> Format:
    """The format of a file, by its content.

    Raises
    ------
    Unknown
        If no format knows it.
    Refused
        If more than one does, or it is of a kind that holds no export.
    """
    matches = []
    for each in all_formats():
        if each.binary == raw.binary:
            with failing_in_words(raw.path, f"what recognises {each.name}", each):
                matches += [each] if each.recognise(raw.head) else []
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = " and ".join(each.name for each in matches)
        raise Refused(f"looks like {names} at once", "report the file", path=raw.path)
    if behind := _behind_noise(raw):
        return behind
    for place, mark, what, do in _NO_EXPORTS:
        if raw.head.data.startswith(mark, place):
            raise Refused(f"is {what}", do, path=raw.path)
    if raw.binary:
        if raw.head.data.startswith(b"PAR1"):
            raise Unknown("is a table in Parquet that nobody has mapped", _MAP, path=raw.path)
        raise Refused(
            "holds NUL bytes: a binary file, not a text export",
            "export the data as text with the tool that wrote it",
            path=raw.path,
        )
    refuse_prefixed(raw)
    first = raw.head.first.strip()
    if not first:
        do = "the export failed, or was not finished: make it again"
        raise Refused("is empty", do, path=raw.path)
    raise Unknown(
        f"is of no known format; it begins {first[:60]!r}",
        f"studybook inspect --formats lists those that are known; a table with a header: {_MAP}",
        path=raw.path,
    )


def refuse_prefixed(raw: RawFile) -> None:
    """Refuse a file that has something in front of its lines, and else is of a known format."""
    if front := without_prefix(raw.head):
        prefix, expression, rest = front
        known = [each for each in all_formats() if not each.binary and each.recognise(rest)]
        if len(known) == 1:
            raise Refused(
                f"looks like {known[0].title}, but something stands in front of its lines:"
                f" {prefix!r}",
                f"take it off, the lines of each host into a file of their own:"
                f" sed '{expression}' FILE > NEW",
                path=raw.path,
            )


def _behind_noise(raw: RawFile) -> Format | None:
    """The format of which the first banner in a text is, however much stands before it."""
    long = len(raw.head.data) >= HEAD_BYTES
    able = [
        each
        for each in all_formats()
        if each.banner and not raw.binary and (long or each.behind_others)
    ]
    patterns = {each.name: re.compile(rf"^[ \t]*{each.banner}", re.M) for each in able}
    if not able:
        return None
    for _, block in islice(raw.blocks(), _NOISY_BLOCKS):
        text = block.decode()
        for each in able:
            for found in islice(patterns[each.name].finditer(text), _MOST_BANNERS):
                if each.recognise(Head(text[found.start() : found.start() + HEAD_BYTES])):
                    return each
    return None
