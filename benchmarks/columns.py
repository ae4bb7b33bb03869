"""Whole columns of numbers to text at once: what makes 200 MB of print-out in seconds.

Rows are put together as a matrix of bytes in which NUL stands for "nothing here"; taking the
NULs out leaves rows of different lengths, as programs that use ``printf`` write them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Scales = NDArray[np.float64]

_NOTHING, _BLANK, _MINUS, _POINT, _ZERO = 0, *b" -.0"


def numbers(values: Numbers, decimals: int = 0, width: int = 0) -> Bytes:
    """Print fixed-point numbers as ``printf`` does.

    Parameters
    ----------
    values : array of int64, shape (rows,)
        The numbers, times ten to the power of ``decimals``.
    decimals : int
        Digits after the point; none and no point for 0.
    width : int
        Numbers that are shorter have blanks before them; longer ones take more room.

    Returns
    -------
    array of uint8, shape (rows, bytes)
        The text, with NULs before the shorter numbers where some are longer than ``width``.
    """
    rest = np.abs(values)
    longest = len(str(int(rest.max(initial=0)))) + 1  # the minus sign
    places = max(longest + (decimals > 0), decimals + 3, width)
    text = np.empty((len(values), places), np.uint8)
    signs = values < 0
    if rest.max(initial=0) < 2**32:
        rest = rest.astype(np.uint32)
    for place in range(places):  # from the right
        empty = _BLANK if place < width else _NOTHING
        column = text[:, places - 1 - place]
        if decimals and place == decimals:
            column[:] = _POINT
            continue
        tens = rest // 10
        digit = (rest - tens * 10).astype(np.uint8) + _ZERO
        if place > decimals + (decimals > 0) or (not decimals and place > 0):
            left = rest == 0
            digit[left] = empty
            ended = left & signs
            digit[ended] = _MINUS
            signs = signs & ~ended
        column[:] = digit
        rest = tens
    return text


def texts(choices: Sequence[str], index: NDArray[np.integer]) -> Bytes:
    """Take one of some texts for each row.

    Parameters
    ----------
    choices : sequence of str
        The texts, of any length.
    index : array of int, shape (rows,)
        Which of them each row has.

    Returns
    -------
    array of uint8, shape (rows, bytes of the longest)
    """
    table = np.array([each.encode() for each in choices])
    chosen: Bytes = table.view(np.uint8).reshape(len(choices), -1)[index]
    return chosen


def rows(*parts: Bytes | str) -> bytes:
    """Put rows together.

    Parameters
    ----------
    *parts : array of uint8 of shape (rows, bytes), or str
        From left to right; a ``str`` is the same in each row.

    Returns
    -------
    bytes
        The rows; a line feed only where a part holds one.
    """
    length = next(len(part) for part in parts if not isinstance(part, str))
    matrices = [
        np.broadcast_to(np.frombuffer(part.encode(), np.uint8), (length, len(part.encode())))
        if isinstance(part, str)
        else part
        for part in parts
    ]
    whole = np.concatenate(matrices, axis=1).reshape(-1)
    text: bytes = (whole if whole.all() else whole[whole != _NOTHING]).tobytes()
    return text
