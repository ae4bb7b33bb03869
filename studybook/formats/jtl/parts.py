"""Which rows of a CSV are parts of another request, and counted within it.

JMeter writes the parts of a request (redirects, embedded resources) right after it, as rows like
any other, and names them ``<label>-<number>``, but where it is told not to. Thread and time say so,
too: a thread does one thing at a time, so what began and ended within the time of a request of the
same thread is a part of it. Of threads of several hosts that have one name that is not so; what has
another name is a part only where a transaction is around both, and the thread known to be one.
The requests of a Transaction Controller are no parts, wherever its own sample stands: before them,
where it generates a parent sample, or after them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

_NUMBERED = re.compile(r"-\d{1,9}$", re.A)
_NUMBERS = re.compile(r"(?:-\d{1,9})+", re.A)

#: Threads that are remembered; beyond that they are no threads.
_MOST_THREADS = 100_000

#: A transaction has a time and pauses, each rounded: its last request may end a moment after it.
_ROUNDING_MS = 2

Integers = npt.NDArray[np.int64]


@dataclass
class Whole:
    """The last request of a thread that is no part of another."""

    label: str
    begin_ms: int
    end_ms: int


@dataclass
class Parts:
    """Goes through the rows of a file and finds those that are parts."""

    found: int = 0
    _transactions: bool = False
    _wholes: dict[str, Whole] = field(default_factory=dict)
    #: The last sample of a Transaction Controller of each thread.
    _around: dict[str, Whole] = field(default_factory=dict)

    def depths(
        self,
        threads: pa.DictionaryArray,
        labels: pa.DictionaryArray,
        begin_ms: Integers,
        end_ms: Integers,
        is_transaction: npt.NDArray[np.bool_],
    ) -> npt.NDArray[np.int32]:
        """How deep within another request each row lies: 0 for those that stand alone.

        Parameters
        ----------
        threads, labels : pyarrow.DictionaryArray
            Of each row; a row without a thread stands alone.
        begin_ms, end_ms : numpy.ndarray
            By any clock.
        is_transaction : numpy.ndarray
            Whether the row is of a Transaction Controller.
        """
        depth = np.zeros(len(begin_ms), np.int32)
        names = [name or "" for name in labels.dictionary.to_pylist()] + [""]
        thread_names = [name or "" for name in threads.dictionary.to_pylist()] + [""]
        label = _codes(labels)
        thread = _codes(threads)
        numbered = np.array([bool(_NUMBERED.search(name)) for name in names])
        if len(self._wholes) > _MOST_THREADS:
            self._wholes.clear()
            self._around.clear()
        self._transactions |= bool(is_transaction.any())
        if not self._transactions and not numbered[label].any():
            # Only the last row of each thread can have parts in what follows.
            last = np.full(len(thread_names), -1)
            last[thread] = np.arange(len(thread))
            rows = last[last >= 0]
        else:
            rows = np.arange(len(thread))
        for row in rows.tolist():
            name = thread_names[thread[row]]
            own = Whole(names[label[row]], int(begin_ms[row]), int(end_ms[row]))
            whole = self._wholes.get(name)
            if is_transaction[row]:
                self._around[name] = own
            elif name and whole and (found := _depth(own, whole, self._around.get(name))):
                depth[row] = found
                self.found += 1
            else:
                self._wholes[name] = own
        return depth


def _depth(own: Whole, whole: Whole, around: Whole | None) -> int:
    if not _within(own, whole):
        return 0
    numbers = own.label.removeprefix(whole.label)
    if numbers != own.label and _NUMBERS.fullmatch(numbers):
        return numbers.count("-")
    # What begins when a request has ended is the next one.
    is_next = own.begin_ms >= whole.end_ms
    is_inside = around is not None and _within(whole, around, over_ms=_ROUNDING_MS)
    return int(is_inside and not is_next)


def _within(own: Whole, other: Whole, *, over_ms: int = 0) -> bool:
    return own.begin_ms >= other.begin_ms and own.end_ms <= other.end_ms + over_ms


def _codes(values: pa.DictionaryArray) -> Integers:
    codes: Integers = values.indices.fill_null(len(values.dictionary)).to_numpy().astype(np.int64)
    return codes
