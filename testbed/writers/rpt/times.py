"""Response times in whole milliseconds, as sums that add up: of a page, of all, of a transaction.

Means, standard deviations and extremes of a run follow from those of its intervals, and those of
all pages from those of each, because what is kept are counts, sums, and sums of squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from testbed.course import Counts, Requests, Series

_Array = TypeVar("_Array", Counts, Series)

#: Later than any time.
_NEVER_MS = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Times:
    """Counts and response times by interval, and from the start up to the end of each.

    Parameters
    ----------
    hits, tried : numpy.ndarray of int
        What ended and what began in each interval.
    sum_ms : numpy.ndarray of int
        Sum of the times of what ended.
    squares : numpy.ndarray
        Sum of their squares, in ms².
    low_ms, high_ms : numpy.ndarray of int
        Shortest and longest time, where something ended.
    """

    hits: Counts
    tried: Counts
    sum_ms: Counts
    squares: Series
    low_ms: Counts
    high_ms: Counts

    @property
    def any(self) -> NDArray[np.bool_]:
        """The intervals in which something ended."""
        return self.hits > 0

    @property
    def begun(self) -> NDArray[np.bool_]:
        """From the first beginning on."""
        return self.tried_so_far > 0

    @property
    def tried_so_far(self) -> Series:
        """The number of those that have begun."""
        return np.cumsum(self.tried).astype(np.float64)

    @property
    def hits_so_far(self) -> Series:
        """The number of those that have ended."""
        return np.cumsum(self.hits).astype(np.float64)

    @property
    def percent(self) -> Series:
        """How much of what ended is good: all of it, for a course knows no errors."""
        return np.full(len(self.hits), 100.0)

    @property
    def interval_mean_ms(self) -> Series:
        """Mean of each interval."""
        mean: Series = self.sum_ms / np.maximum(self.hits, 1)
        return mean

    @property
    def mean_ms(self) -> Series:
        """Mean of all so far."""
        mean: Series = np.cumsum(self.sum_ms) / np.maximum(np.cumsum(self.hits), 1)
        return mean

    @property
    def deviation_ms(self) -> Series:
        """Standard deviation of the sample of all so far; 0 of a single one."""
        count, total = np.cumsum(self.hits), np.cumsum(self.sum_ms).astype(np.float64)
        spread = np.cumsum(self.squares) - total * total / np.maximum(count, 1)
        deviation: Series = np.sqrt(np.maximum(spread, 0.0) / np.maximum(count - 1, 1))
        return np.where(count > 1, deviation, 0.0)

    @property
    def min_ms(self) -> Counts:
        """Shortest of all so far."""
        return np.minimum.accumulate(np.where(self.any, self.low_ms, _NEVER_MS))

    @property
    def max_ms(self) -> Counts:
        """Longest of all so far."""
        return np.maximum.accumulate(np.where(self.any, self.high_ms, 0))


def times_of(requests: Requests, interval_s: int) -> Times:
    """Return the times of a page, with an interval at the end in which nothing happens.

    How many are on their way at the end of an interval follows from Little's law (1961): their
    rate times their response time. All of them end.
    """
    hits = np.append(requests.hits, 0)
    mean_ms, stdev_ms, low_ms, high_ms = (
        np.where(hits > 0, np.append(series, 0.0), 0.0)
        for series in (requests.mean_ms, requests.stdev_ms, requests.min_ms, requests.max_ms)
    )
    sum_ms = _whole(hits * mean_ms)
    mean = sum_ms / np.maximum(hits, 1)
    # A single time is mean and extremes at once, and has no spread.
    one = hits == 1
    spread = np.where(one, 0.0, stdev_ms * stdev_ms) * np.maximum(hits - 1, 0)
    ended = np.cumsum(hits)
    on_their_way = _whole(hits * mean_ms / (1000 * interval_s))
    begun = np.minimum(np.maximum.accumulate(ended + on_their_way), ended[-1])
    return Times(
        hits=hits,
        tried=np.diff(begun, prepend=0),
        sum_ms=sum_ms,
        squares=spread + sum_ms * mean,
        low_ms=np.where(one, sum_ms, np.minimum(_whole(low_ms), _whole(np.floor(mean)))),
        high_ms=np.where(one, sum_ms, np.maximum(_whole(high_ms), _whole(np.ceil(mean)))),
    )


def pooled(parts: Sequence[Times]) -> Times:
    """Return the times of several together."""
    return Times(
        hits=_sum([part.hits for part in parts]),
        tried=_sum([part.tried for part in parts]),
        sum_ms=_sum([part.sum_ms for part in parts]),
        squares=_sum([part.squares for part in parts]),
        low_ms=np.minimum.reduce([np.where(part.any, part.low_ms, _NEVER_MS) for part in parts]),
        high_ms=np.maximum.reduce([np.where(part.any, part.high_ms, 0) for part in parts]),
    )


def transactions_of(requests: Sequence[Requests]) -> dict[str, Requests]:
    """Return each transaction as if it were one page: it takes as long as its pages together.

    It ends with its last page. Pages are independent of each other: so their variances add up, and
    the squares of how far their extremes are from their means. A page that did not end in an
    interval counts with its values of an interval before.
    """
    pages: dict[str, list[Requests]] = {}
    for each in requests:
        pages.setdefault(each.transaction, []).append(_filled(each))
    whole = {}
    for name, parts in pages.items():
        mean_ms = _sum([part.mean_ms for part in parts])
        below, above = (
            np.sqrt(_sum([(getattr(part, end) - part.mean_ms) ** 2 for part in parts]))
            for end in ("min_ms", "max_ms")
        )
        whole[name] = Requests(
            transaction=name,
            page=name,
            hits=parts[-1].hits,
            mean_ms=mean_ms,
            stdev_ms=np.sqrt(_sum([part.stdev_ms * part.stdev_ms for part in parts])),
            min_ms=np.maximum(mean_ms - below, 0.0),
            max_ms=mean_ms + above,
        )
    return whole


def _filled(page: Requests) -> Requests:
    """Return a page with the times of intervals without hits taken from before (or after)."""
    there = np.flatnonzero(page.hits > 0)
    if not len(there):
        nothing = np.zeros(len(page.hits))
        return replace(page, mean_ms=nothing, stdev_ms=nothing, min_ms=nothing, max_ms=nothing)
    last = np.searchsorted(there, np.arange(len(page.hits)), side="right") - 1
    source = there[np.maximum(last, 0)]
    return replace(
        page,
        mean_ms=page.mean_ms[source],
        stdev_ms=page.stdev_ms[source],
        min_ms=page.min_ms[source],
        max_ms=page.max_ms[source],
    )


def _sum(parts: Sequence[_Array]) -> _Array:
    """Return the sum, added up in the order of the parts."""
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _whole(values: Series) -> Counts:
    return np.floor(values + 0.5).astype(np.int64)
