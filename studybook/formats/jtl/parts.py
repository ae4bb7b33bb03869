"""Which rows of a CSV are parts of another request, and counted within it.

JMeter writes the parts of a request (redirects, embedded resources) right after it, as rows like
any other, and names them ``<label>-<number>`` since its release 5. Thread and time say so, too: a
thread does one thing at a time, so what began and ended within the time of a request of the same
thread is a part of it. The requests of a Transaction Controller are no parts, wherever its own
sample stands: before them, where it generates a parent sample, or after them.
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
    _wholes: dict[str, Whole] = field(default_factory=dict)

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
        if not numbered[label].any():
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
                self._wholes.pop(name, None)
            elif name and whole and (found := _depth(own, whole)):
                depth[row] = found
                self.found += 1
            else:
                self._wholes[name] = own
        return depth


def _depth(own: Whole, whole: Whole) -> int:
    if own.begin_ms < whole.begin_ms or own.end_ms > whole.end_ms:
        return 0
    numbers = own.label.removeprefix(whole.label)
    is_part = numbers != own.label and _NUMBERS.fullmatch(numbers)
    return numbers.count("-") if is_part else 0


def _codes(values: pa.DictionaryArray) -> Integers:
    codes: Integers = values.indices.fill_null(len(values.dictionary)).to_numpy().astype(np.int64)
    return codes
