"""Words of a capture as values: sizes and percent codes."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from studybook.formats.captures.section import Line, Section
from studybook.formats.captures.values import whole
from studybook.formats.names import words

_SIZE = re.compile(r"([0-9]{1,12})([kmgtp])(?:i?b)?", re.IGNORECASE)

#: Settings that are sizes in bytes even when printed without a unit.
SIZES = frozenset(
    words("""
        pagepool maxblocksize maxBlockSize scatterBufferSize nsdInlineWriteMax tokenMemLimit
        seqDiscardThreshold seqDiscardThreshhold writebehindThreshold writebehindThreshhold
        sharedMemLimit prefetchLargeBlockThreshold ignorePrefetchLUNCountThreshold logBufferSize
    """)
)

#: Settings that count something, so that 4M is four million and not four mebibytes.
_COUNT = re.compile(r".*(?:Threads|ToCache|StatCache|Inodes|Count|Queues?)")


def size_bytes(attribute: str, value: str | None) -> int | None:
    """The bytes of a setting that is a size: units are powers of 1024.

    Parameters
    ----------
    attribute : str
        Name of the setting; a number without unit is bytes only for those in :data:`SIZES`,
        and what counts threads or files has no bytes.
    value : str or None
        The value as printed, such as ``3500m``.
    """
    if value is None or _COUNT.fullmatch(attribute):
        return None
    if sized := _SIZE.fullmatch(value):
        number = int(sized[1]) << 10 * ("kmgtp".index(sized[2].lower()) + 1)
        return whole(str(number), "BIGINT")
    return whole(value, "BIGINT") if attribute in SIZES else None


def is_damaged_size(attribute: str, value: str | None) -> bool:
    """Whether a size cannot be read, as ``4O96M`` with a letter in the place of the zero."""
    return (
        attribute in SIZES
        and bool(value and re.search("[0-9]", value) and "%" not in value)
        and size_bytes(attribute, value) is None
    )


def keep_setting(section: Section, line: Line, name: str, value: str | None, **more: Any) -> None:
    """Record a setting, with its bytes where it is a size, and say so where that is damaged."""
    size = size_bytes(name, value)
    section.out.record(
        "scale_config", line=line.number, attribute=name, value=value, value_bytes=size, **more
    )
    if is_damaged_size(name, value):
        section.say(line.number, f"{name}: {value!r} is no size: no bytes are known of it")


def percent_decoded(text: str) -> str:
    """A field of a -Y row in plain text; a plus sign stays a plus sign."""
    return unquote(text) if "%" in text else text
