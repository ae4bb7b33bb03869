"""The clock of a host as its exports print it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import numpy as np
import numpy.typing as npt

#: By so much clocks are set back when summer time ends, at most.
ONE_HOUR = timedelta(hours=1)
_HOUR_US = ONE_HOUR // timedelta(microseconds=1)


def was_set_back(since: timedelta | None) -> bool:
    """Whether a clock was set back between a time and the next, as when summer time ends.

    What lies further back is another day, or another file.
    """
    return since is not None and -ONE_HOUR <= since < timedelta(0)


@dataclass
class Passes:
    """Goes through times in order and tells which come after the clock was set back."""

    _last: int | None = None
    _back: bool = False

    def one(self, time_us: int) -> bool | None:
        """The same of one time: True, or None."""
        since = time_us - (time_us if self._last is None else self._last)
        self._back |= -_HOUR_US <= since < 0
        self._last = time_us
        return self._back or None

    def after(self, times_us: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_] | None:
        """Whether the clock had been set back before each time; None if it had before none.

        Parameters
        ----------
        times_us : numpy.ndarray
            Local times in microseconds, which go on from those of the call before.
        """
        if not len(times_us):
            return None
        first = times_us[0] if self._last is None else self._last
        since = np.diff(times_us, prepend=first)
        back = (since < 0) & (since >= -_HOUR_US)
        self._last = int(times_us[-1])
        if not self._back and not back.any():
            return None
        found: npt.NDArray[np.bool_] = np.logical_or.accumulate(back) | self._back
        self._back = True
        return found
