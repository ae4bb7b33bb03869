"""How far two clocks are apart, from what both have seen: the load, and what it did to a host.

The share of the time at work that a host counted in each of its intervals is set against the mean
of a reference (completions of a load driver, or another host) over the same intervals, moved by a
lag. The lag with the best straight line is taken. Its interval holds all lags that a likelihood
ratio does not tell from the best (S. S. Wilks, Ann. Math. Stat. 9 (1938), 60-62); as neighbouring
intervals depend on each other, they count as fewer (M. S. Bartlett, J. R. Stat. Soc. 98 (1935),
536-543).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from warnings import catch_warnings, simplefilter

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
Inside = npt.NDArray[np.bool_]

_ALL = slice(None)

#: Fewer intervals than these say nothing.
FEWEST = 20

#: A lag that is told by less than this correlation is none.
CORRELATED = 0.7

#: 95 % point of chi-square with one degree of freedom.
_CHI_SQUARE = 3.84
#: Intervals of a day in seconds are joined until there are no more than so many for the first look.
_MOST = 1500
#: Steps of a lag in the interval of the host, in the second look.
_FINE = 20
#: Values that are set against each other at once: those of many lags are more than memory may hold.
_AT_ONCE = 100_000


@dataclass(frozen=True)
class Series:
    """Means over intervals.

    Attributes
    ----------
    end_s : array of float
        The end of each interval in seconds, rising.
    interval_s : array of float
        Its length.
    value : array of float
        The mean over it, in any unit.
    """

    end_s: Values
    interval_s: Values
    value: Values

    @property
    def begin_s(self) -> float:
        """Where the first interval begins."""
        return float(self.end_s[0] - self.interval_s[0])

    def joined(self, most: int) -> Series:
        """The same with neighbours joined, so that there are no more intervals than asked."""
        by = -(-len(self.end_s) // most)
        if by == 1:
            return self
        whole = len(self.end_s) // by * by
        lengths = self.interval_s[:whole].reshape(-1, by)
        sums = (self.value[:whole] * self.interval_s[:whole]).reshape(-1, by).sum(axis=1)
        total = lengths.sum(axis=1)
        return Series(self.end_s[:whole].reshape(-1, by)[:, -1], total, sums / total)


@dataclass(frozen=True)
class Lag:
    """How far the clock of a host is ahead of that of the reference.

    Attributes
    ----------
    seconds : float
        The best lag; below zero where the host is behind.
    low_s, high_s : float
        Its 95 % interval.
    correlation : float
        Of host and reference at that lag.
    at_zero : float
        The same without a lag; not a number where they have too little time in common.
    evidence : float
        Twice the log-likelihood by which the best lag is better than none.
    """

    seconds: float
    low_s: float
    high_s: float
    correlation: float
    at_zero: float
    evidence: float

    @property
    def is_told(self) -> bool:
        """Whether there is a lag that neither chance nor the length of the intervals explains."""
        return self.correlation >= CORRELATED and self.evidence >= _EVIDENCE


#: Many hosts are asked, and many lags tried of each.
_EVIDENCE = 30.0


def lag(host: Series, reference: Series, *, rests: bool) -> Lag | None:
    """Find the lag between a host and a reference.

    Parameters
    ----------
    host : Series
        What the host counted.
    reference : Series
        What it is set against.
    rests : bool
        Whether nothing happened before and after the reference, as with a load driver: then the
        beginning and the end of the load tell, too. Else only common time counts.

    Returns
    -------
    Lag or None
        None where there are fewer than 20 intervals in common, or one of them does not change.
    """
    if min(len(host.end_s), len(reference.end_s)) < FEWEST:
        return None
    coarse = host.joined(_MOST)
    step = float(np.median(coarse.interval_s))
    look = _Look(reference, rests, coarse)
    steps = np.arange(
        np.floor((host.begin_s - reference.end_s[-1]) / step),
        np.ceil((host.end_s[-1] - reference.begin_s) / step) + 1,
    )
    lags = steps * step
    found, common = look.correlation(lags)
    found[common < max(FEWEST, 0.8 * common.max())] = np.nan
    if np.isnan(found).all():
        return None
    rough = float(lags[np.nanargmax(found)])
    return _fine(host, reference, rests, rough, step)


def _fine(host: Series, reference: Series, rests: bool, rough: float, step: float) -> Lag | None:
    """The lag to a part of an interval, its interval, and how much better it is than none."""
    look = _Look(reference, rests, host)
    interval = float(np.median(host.interval_s))
    reach = max(step, interval)
    lags = rough + np.arange(-2 * reach, 2 * reach + interval / _FINE, interval / _FINE)
    # The same intervals of the host for all lags, or their likelihoods could not be compared.
    inside = look.inside(rough)
    if not rests:
        inside &= look.inside(rough - 2 * reach) & look.inside(rough + 2 * reach)
    if inside.sum() < FEWEST:
        return None
    y = host.value[inside]
    squares = np.concatenate(
        [_unexplained(look.means(some, inside), y) for some in _columns(lags, len(y))]
    )
    best = int(np.argmin(squares))
    x = look.means(lags[best], inside)
    size = _effective(x, y)
    deviance = size * np.log(np.maximum(squares, 1e-12) / max(float(squares[best]), 1e-12))
    low, high = best, best
    while low > 0 and deviance[low - 1] <= _CHI_SQUARE:
        low -= 1
    while high < len(lags) - 1 and deviance[high + 1] <= _CHI_SQUARE:
        high += 1
    at_zero = look.means(0.0, inside)
    unexplained = float(_unexplained(at_zero, y))
    evidence = size * float(np.log(max(unexplained, 1e-12) / max(float(squares[best]), 1e-12)))
    (as_it_stands,), (common,) = look.correlation(np.zeros(1))
    return Lag(
        float(lags[best]), float(lags[low]), float(lags[high]), float(_correlation(x, y)),
        float(as_it_stands) if common >= FEWEST else np.nan, evidence,
    )  # fmt: skip


class _Look:
    """A host seen against a reference that is moved."""

    def __init__(self, reference: Series, rests: bool, host: Series) -> None:
        self.host = host
        self.begins = host.end_s - host.interval_s
        # What lies between two intervals is nothing of a driver that rests.
        edges = np.empty(2 * len(reference.end_s))
        edges[0::2] = reference.end_s - reference.interval_s
        edges[1::2] = reference.end_s
        parts = np.zeros_like(edges)
        parts[1::2] = reference.value * reference.interval_s
        self.edges, self.sums = np.maximum.accumulate(edges), np.cumsum(parts)
        around = 0.25 * (self.edges[-1] - self.edges[0]) if rests else 0.0
        self.first, self.last = self.edges[0] - around, self.edges[-1] + around

    def means(self, seconds: float | Values, inside: Inside | slice = _ALL) -> Values:
        """Mean of the reference over intervals of the host, if its clock is so far ahead.

        Of a column of lags, a row for each.
        """
        upper = np.interp(self.host.end_s[inside] - seconds, self.edges, self.sums)
        lower = np.interp(self.begins[inside] - seconds, self.edges, self.sums)
        means: Values = (upper - lower) / self.host.interval_s[inside]
        return means

    def inside(self, seconds: float | Values) -> Inside:
        """The intervals of the host that lie in the time of the reference, and somewhat around."""
        begun: Inside = self.begins - seconds >= self.first - 1e-6
        begun &= self.host.end_s - seconds <= self.last + 1e-6
        return begun

    def correlation(self, lags: Values) -> tuple[Values, npt.NDArray[np.int64]]:
        """Correlation at each lag, and of how many intervals that is."""
        found = []
        for some in _columns(lags, len(self.host.end_s)):
            inside = self.inside(some)
            found.append((_correlation(self.means(some), self.host.value, inside), inside.sum(1)))
        correlations, common = zip(*found, strict=True)
        return np.concatenate(correlations), np.concatenate(common)


def _columns(lags: Values, intervals: int) -> Iterator[Values]:
    """Columns of as many lags as memory may hold at once, each with so many intervals."""
    at_once = max(1, _AT_ONCE // intervals)
    for first in range(0, len(lags), at_once):
        yield lags[first : first + at_once, None]


def _correlation(x: Values, y: Values, inside: Inside | bool = True) -> Values:
    """Correlation of each row of x with y; not a number where one of them does not change."""
    y = np.broadcast_to(y, x.shape)
    with np.errstate(divide="ignore", invalid="ignore"), catch_warnings():
        simplefilter("ignore", RuntimeWarning)  # of rows without any value
        means = [each.mean(axis=-1, keepdims=True, where=inside) for each in (x, y)]
        by_x, by_y = x - means[0], y - means[1]
        scatter_x = np.sqrt((by_x**2).mean(axis=-1, where=inside))
        scatter_y = np.sqrt((by_y**2).mean(axis=-1, where=inside))
        found: Values = (by_x * by_y).mean(axis=-1, where=inside) / (scatter_x * scatter_y)
        changes = scatter_x > 1e-9 * abs(means[0][..., 0]) + 1e-12
        changes &= scatter_y > 1e-9 * abs(means[1][..., 0]) + 1e-12
    return np.where(changes, np.clip(found, -1, 1), np.nan)


def _unexplained(x: Values, y: Values) -> Values:
    """The part of the variance that a straight line leaves; all of it where x does not change."""
    correlation = np.nan_to_num(_correlation(x, y))
    found: Values = 1 - np.maximum(correlation, 0.0) ** 2  # a line that falls tells of no work
    return found


def _effective(x: Values, y: Values) -> float:
    """How many independent intervals the residuals of the line are worth."""
    slope, intercept = np.polyfit(x, y, 1)
    residuals = y - slope * x - intercept
    alike = max(0.0, _neighbours(residuals) * _neighbours(x))
    return len(y) * (1 - alike) / (1 + alike)


def _neighbours(values: Values) -> float:
    centred = values - values.mean()
    squares = float((centred**2).sum())
    return float((centred[1:] * centred[:-1]).sum()) / squares if squares > 0 else 0.0
