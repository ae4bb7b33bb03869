"""Work that is counted: how many functions code calls, which no busy machine changes."""

from __future__ import annotations

import cProfile
from collections.abc import Iterator
from contextlib import contextmanager

#: Calls of functions for any file at all, importing what reads it among them; and for each byte.
#: An empty line, which is one byte, takes the readers some fifty.
CALLS, CALLS_PER_BYTE = 300_000, 100


@contextmanager
def calls_counted() -> Iterator[list[int]]:
    """Count the calls of functions made here, those of the interpreter's own among them.

    Yields
    ------
    list of int
        Empty; the number at the end.
    """
    profile = cProfile.Profile()
    number: list[int] = []
    profile.enable()
    try:
        yield number
    finally:
        profile.disable()
        number.append(sum(entry.callcount for entry in profile.getstats()))


@contextmanager
def in_one_pass(size: int) -> Iterator[None]:
    """Hold reading a text to as many calls as going through it once takes.

    A reader that goes through all of it anew for each of its lines makes more. Work within one
    call, as of an expression that is tried at each place of a long line, is not counted: done
    anew for each byte of a mebibyte it does not come to an end, and the test neither.

    Parameters
    ----------
    size : int
        Of the text, in bytes.
    """
    with calls_counted() as number:
        yield
    assert number[0] <= CALLS + CALLS_PER_BYTE * size, f"{number[0]} calls for {size} bytes"
