"""Which time a clock went through the hour that comes twice, when summer time ends.

JMeter writes a sample when it has ended, so the ends of a file's rows go on. Where local times go
back by up to an hour, the clock was set back: rows are of the second pass from there on, but for
samples that had begun before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

HOUR_MS = 3_600_000
#: Rows of several threads and hosts are no further out of order than this, nor samples longer
#: that are stamped with their end.
OUT_OF_ORDER_MS = HOUR_MS // 4


@dataclass
class Passes:
    """Goes through the rows of a file and tells the second pass from the first."""

    #: The latest end so far, by a clock that was not set back.
    _latest: int | None = None
    _set_back: bool = False

    def second(self, end_ms: Integers) -> npt.NDArray[np.bool_] | None:
        """Whether each row is of the second pass; None if none is.

        Parameters
        ----------
        end_ms : numpy.ndarray
            When each row ended, in milliseconds of local time.
        """
        if not len(end_ms):
            return None
        if self._latest is None:
            self._latest = int(end_ms[0])
        # As long as nothing else happens: all of the pass that it is.
        ends = end_ms + HOUR_MS * self._set_back
        latest = np.maximum.accumulate(np.concatenate(([self._latest], ends)))
        ahead = ends - latest[:-1]
        goes_on = ahead.min() >= -OUT_OF_ORDER_MS
        if goes_on and (not self._set_back or ahead.max() < HOUR_MS / 2):
            self._latest = int(latest[-1])
            return np.ones(len(ends), np.bool_) if self._set_back else None
        found = np.array([self.one(end) for end in end_ms.tolist()])
        return found if found.any() else None

    def one(self, end: int) -> bool:
        """Whether a row that ended then is of the second pass."""
        latest = self._latest or end
        back = latest - end
        if back > HOUR_MS + OUT_OF_ORDER_MS:  # no hour that comes twice: another test, or a fault
            self._latest, self._set_back = end, False
            return False
        is_second = back > OUT_OF_ORDER_MS
        self._set_back |= is_second
        self._latest = max(latest, end + HOUR_MS * is_second)
        return is_second
