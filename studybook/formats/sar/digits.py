"""Numbers of fixed width, many rows at a time.

Rows of equal length are a matrix of bytes. A number in it is right-aligned in a field that
begins with a blank. Eight characters are taken as one 64-bit word and turned into a number by
three multiplications, for all rows at once; the same word tells whether they were blanks
followed by digits and nothing else. A row that is not of this form is reported, never read.

The integer that the digits form is below 10^15, and so dividing it by a power of ten gives the
double that is nearest to the printed number: the same as ``float(text)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Words = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_ONES = 0x0101010101010101

#: More characters than this before the point are not read here: the number may lose digits.
WIDEST = 13

#: Numbers read at once: few enough to stay in the processor's cache, which is four times faster.
_AT_ONCE = 24_000


@dataclass(frozen=True)
class Fields:
    """Neighbouring fields of one shape.

    Parameters
    ----------
    start : int
        Where the first field begins, in bytes from the start of the row: 8 or more.
    width : int
        Characters per field, the blank in front among them.
    number : int
        How many fields there are.
    decimals : int
        How many digits stand behind the point, 0 to 2.
    point : int
        The character of the decimal point.
    """

    start: int
    width: int
    number: int
    decimals: int
    point: int = ord(".")

    @property
    def whole(self) -> int:
        """Characters in front of the point."""
        return self.width - (self.decimals + 1 if self.decimals else 0)

    @property
    def end(self) -> int:
        """Where the last field ends."""
        return self.start + self.width * self.number


def _words(rows: Bytes, place: int, number: int, step: int, kind: str = "<u8") -> Words:
    """Eight characters of every row as one word (or one, as ``u1``), again and again.

    There are ``number`` of them, ``step`` bytes apart; the first begins at ``place``. The shape
    is (number, rows).
    """
    shape, strides = (number, len(rows)), (step, rows.shape[1])
    view: Words = np.ndarray(shape, kind, rows, place, strides)
    return view.copy()


def read(rows: Bytes, fields: Fields) -> tuple[Floats, Flags]:
    """Read neighbouring fields of every row.

    Parameters
    ----------
    rows : array of uint8, shape (n, length)
        The rows, C-contiguous.
    fields : Fields
        Where they are. ``fields.whole`` is at most :data:`WIDEST`.

    Returns
    -------
    values : array of float64, shape (fields.number, n)
    good : array of bool, shape (n,)
        Whether all fields of the row were numbers in this form.
    """
    values = np.empty((fields.number, len(rows)))
    good = np.empty(len(rows), bool)
    step = max(_AT_ONCE // fields.number, 1)
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        values[:, part], good[part] = _read(rows[part], fields)
    if not good.all():
        _read_negative(rows, fields, values, good)
    return values, good


def _read_negative(rows: Bytes, fields: Fields, values: Floats, good: Flags) -> None:
    """Read the rows again that were not good, now with minus signs, if they have any."""
    which = np.flatnonzero(~good)
    some = rows[which]
    inside = some[:, fields.start : fields.end]
    minus = inside == ord("-")
    if not minus.any():
        return
    # A digit must follow; a blank in its place is then no other number than before.
    digit = np.zeros(inside.shape, bool)
    digit[:, :-1] = (inside[:, 1:] ^ 0x30) <= 9
    inside[minus] = ord(" ")
    found, fine = _read(some, fields)
    fine &= ~(minus & ~digit).any(axis=1)
    signs = minus.reshape(len(some), fields.number, fields.width).any(axis=2).T
    values[:, which] = np.where(signs, -found, found)
    good[which] = fine


def _read(rows: Bytes, fields: Fields) -> tuple[Floats, Flags]:
    """Read fields: without the point their characters are those of one word or two."""
    point, behind = fields.start + fields.whole, fields.decimals
    digits = fields.whole - 1 + behind
    where = (fields.number, fields.width)
    # The blank that parts the field from the one before.
    bad = _words(rows, fields.start, *where, "u1") ^ ord(" ")
    low = _words(rows, point - 8 + behind, *where)
    if behind:
        cut = 8 * (8 - behind)
        bad = bad | ((low >> cut) & 0xFF) ^ fields.point
        low &= (1 << cut) - 1
        low |= _words(rows, point - 7 + behind, *where) >> cut << cut
    value, blank, wrong = _digits(low, min(digits, 8))
    # The last character before the point must be a digit.
    wrong |= (blank >> (8 * (7 - behind))) & 1
    if digits > 8:
        more, high_blank, high_wrong = _digits(
            _words(rows, point - 16 + behind, *where), digits - 8
        )
        value += more * 100_000_000
        # Where the word in front ends in a digit, this one must not begin with a blank.
        wrong |= high_wrong | blank & _ONES & ((high_blank >> 56) ^ 1)
    good: Flags = np.logical_not((wrong | bad).any(axis=0))
    return value / float(10**behind), good


def _digits(word: Words, inside: int) -> tuple[Words, Words, Words]:
    """Read the last ``inside`` characters of each word.

    Returns
    -------
    value : array of uint64
    blank : array of uint64
        A one in each byte that is a blank.
    wrong : array of uint64
        0 where there is nothing but digits, and blanks in front of them.
    """
    if inside < 8:
        outside = (1 << 8 * (8 - inside)) - 1
        word &= ~np.uint64(outside)
        word |= np.uint64(ord(" ") * _ONES & outside)
    word ^= 0x30 * _ONES  # digits are now 0 to 9, blanks 0x10
    blank: Words = (word >> np.uint64(4)) & np.uint64(_ONES)
    word &= 0xEF * _ONES  # and now blanks are 0
    # Other bits in what was taken for a blank, or no blank before it.
    blanks = blank * 0xFF
    wrong: Words = (blanks << np.uint64(8)) ^ np.uint64(0xFF * _ONES - 0xFF)
    wrong |= word
    wrong &= blanks
    wrong |= (word + 0x06 * _ONES) & (0xF0 * _ONES)
    # Two digits, four, eight at a time.
    word = word * 10 + (word >> 8)
    left = (word & 0x000000FF000000FF) * 0x000F424000000064
    right = ((word >> 16) & 0x000000FF000000FF) * 0x0000271000000001
    value: Words = (left + right) >> np.uint64(32)
    return value, blank, wrong


def nullable(numbers: Floats) -> pa.Array:
    """Numbers as a column: NaN is NULL.

    Arrow looks at each of them, which takes eight times as long as to see that none is NaN.
    """
    return pa.array(numbers, from_pandas=math.isnan(numbers.min(initial=0)))
