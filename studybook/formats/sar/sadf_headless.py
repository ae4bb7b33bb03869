"""Rows of ``sadf -d`` without a heading, as sysstat up to 7.0 (RHEL 4 and 5) prints them.

The columns are told by the number of values and by their kind: counts are whole, rates and
shares have decimals, names begin with a letter. Two activities of one value each (processes
created, context switches) look the same: their values go to ``sar_other``. Later releases print
headings; where those were taken off, columns of other meaning may look like these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from studybook.formats.sar.activities import KNOWN

_DECIMALS = re.compile(r"-?\d+[.,]\d+", re.ASCII)
_WHOLE = re.compile(r"-?\d+", re.ASCII)

#: By the kinds of values (s name, i whole, d decimals) the names they have in ``sar``.
_KNOWN = {kinds: tuple(names.split()) for kinds, names in KNOWN.headless.items()}

#: Rows of one value: processes created, context switches. Releases from 8.1.3 print no such row.
ONE_VALUE = "d"
#: What later releases print by the same kinds, with another meaning or unit: both of these in
#: one row; TCP, UDP and pressure; interfaces in kB; disks in kB, and interfaces with %ifutil.
_LATER = frozenset(["dd", "id", "dddd", "ddddd", "d" * 11, "sddddddd", "sdddddddd"])


def names_of(kinds: str, *, old: bool) -> tuple[str, ...]:
    """Tell the columns of a row by the kinds of its values.

    Parameters
    ----------
    kinds : str
        One letter for each value.
    old : bool
        Whether the file has rows of one value: then it is of a release up to 8.1.2.

    Returns
    -------
    tuple of str
        ``value 1`` and so on if they are not known. No row of that time is longer than those
        known: a longer one has no names.
    """
    if kinds in _KNOWN and (old or kinds not in _LATER):
        return _KNOWN[kinds]
    if len(kinds) > max(map(len, _KNOWN)):
        return ()
    return tuple(f"value {place}" for place in range(1, len(kinds) + 1))


def is_strange(kinds: str) -> bool:
    """Whether no release up to 7.0 prints a row of such values."""
    return kinds not in _KNOWN and kinds != ONE_VALUE


def kinds_of(values: Sequence[str]) -> str:
    """The kind of each value of a row: s name, i whole, d decimals."""
    return "".join(
        "d" if _DECIMALS.fullmatch(each) else "i" if _WHOLE.fullmatch(each) else "s"
        for each in values
    )
