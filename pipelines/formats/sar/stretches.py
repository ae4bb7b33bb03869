"""Where the stretches of lines in a block end, before each is looked at."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipelines.formats.sar.digits import Flags


def line_ends(ends: Flags) -> Iterator[int]:
    """Where each line ends."""
    return iter((np.flatnonzero(ends) + 1).tolist())


def stretch_ends(block: bytes, ends: Flags) -> list[int]:
    """Where lines end before which a blank line stands, or the first line of a report."""
    found: list[int] = (np.flatnonzero(ends[1:] & ends[:-1]) + 1).tolist()
    # First lines are the only ones, nearly, with a parenthesis.
    place = block.find(b"(")
    while place >= 0:
        start = block.rfind(b"\n", 0, place) + 1
        if start and block.startswith(b"Linux ", start):
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
