"""Which rows of a CSV are parts of another sample, and counted within it.

JMeter writes the parts of a sample (redirects, embedded resources) right after it, as rows like
any other. Two kinds can be told with certainty: those named by JMeter 5, ``<label>-<number>``,
and those that follow the sample of a Transaction Controller that generates a parent sample. In
both cases thread and time say so, too: a thread does one thing at a time, so what began and
ended within the time of a sample of the same thread is a part of it.
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

#: Times and pauses are whole milliseconds each.
_ROUNDING_MS = 2

Integers = npt.NDArray[np.int64]


@dataclass
class Whole:
    """The last sample of a thread that is no part of another."""

    label: str
    begin_ms: int
    end_ms: int
    is_transaction: bool


@dataclass
class Parts:
    """Goes through the rows of a file and finds those that are parts."""

    found: int = 0
    _wholes: dict[str, Whole] = field(default_factory=dict)
    _transactions: bool = False

    def depths(
        self,
        threads: pa.DictionaryArray,
        labels: pa.DictionaryArray,
        begin_ms: Integers,
        end_ms: Integers,
        is_transaction: npt.NDArray[np.bool_],
    ) -> npt.NDArray[np.int32]:
        """How deep within another sample each row lies: 0 for those that stand alone.

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
        self._transactions |= bool(is_transaction.any())
        numbered = np.array([bool(_NUMBERED.search(name)) for name in names])
        if len(self._wholes) > _MOST_THREADS:
            self._wholes.clear()
        if not self._transactions and not numbered[label].any():
            # Only the last row of each thread can have parts in what follows.
            last = np.full(len(thread_names), -1)
            last[thread] = np.arange(len(thread))
            rows = last[last >= 0]
        else:
            rows = np.arange(len(thread))
        for row in rows.tolist():
            name = thread_names[thread[row]]
            own = Whole(
                names[label[row]], int(begin_ms[row]), int(end_ms[row]), bool(is_transaction[row])
            )
            whole = self._wholes.get(name)
            if name and whole and (found := _depth(own, whole)):
                depth[row] = found
                self.found += 1
            else:
                self._wholes[name] = own
        return depth


def _depth(own: Whole, whole: Whole) -> int:
    over = own.end_ms - whole.end_ms
    # A transaction has a time and pauses, each rounded: what began well within it and ends a moment
    # after it is no other sample of the thread.
    well_within = whole.is_transaction and own.begin_ms < whole.end_ms - _ROUNDING_MS
    rounded = well_within and over <= _ROUNDING_MS
    if own.begin_ms < whole.begin_ms or (over > 0 and not rounded):
        return 0
    if whole.is_transaction:
        # A sample right after a transaction begins when that has ended, at the earliest; and a
        # transaction around another, without parent samples, may take just as long.
        same = (own.begin_ms, own.end_ms) == (whole.begin_ms, whole.end_ms)
        return int(own.begin_ms < whole.end_ms and not (own.is_transaction and same))
    numbers = own.label.removeprefix(whole.label)
    if numbers != own.label and _NUMBERS.fullmatch(numbers):
        return numbers.count("-")
    return 0


def _codes(values: pa.DictionaryArray) -> Integers:
    codes: Integers = values.indices.fill_null(len(values.dictionary)).to_numpy().astype(np.int64)
    return codes
