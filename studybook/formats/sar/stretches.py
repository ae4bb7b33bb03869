"""Where the stretches of lines in a block end, before each is looked at."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from studybook.formats.sar.digits import Ints


def line_feeds(block: bytes) -> Ints:
    """Where the line feeds are."""
    return np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))


def stretch_ends(block: bytes, feeds: Ints) -> list[int]:
    """Where lines end before which a blank line stands, or the first line of a report."""
    found: list[int] = (feeds[:-1][feeds[1:] - feeds[:-1] == 1] + 1).tolist()
    # First lines are the only ones, nearly, with a parenthesis.
    place = block.find(b"(")
    while place >= 0:
        start = block.rfind(b"\n", 0, place) + 1
        if start and block.startswith((b"Linux ", b"Linux\t"), start):
            found.append(start)
        place = block.find(b"(", block.find(b"\n", place))
    return sorted({*found, len(block)})


def with_last(blocks: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes, bool]]:
    """Say of each block whether it is the last one."""
    held = next(blocks, None)
    while held:
        ahead = next(blocks, None)
        yield *held, ahead is None
        held = ahead
