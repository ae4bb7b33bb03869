"""Scalability laws: what more processors, nodes or users bring, and where they bring no more.

The Universal Scalability Law of N. J. Gunther ("Guerrilla Capacity Planning", Springer 2007,
chapters 4 to 6; doi:10.1007/978-3-540-31010-5) says that N of a kind do

    X(N) = gamma N / (1 + alpha (N - 1) + beta N (N - 1))

with *gamma* the throughput of one, *alpha* the contention (waiting for what is shared), and *beta*
the coherency (work to keep what is shared the same everywhere). With beta = 0 it is Amdahl's law.
Both are fitted by least squares; intervals are profiles (:mod:`studybook.statistics.profile`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import fdtrc

from studybook.statistics.intervals import LEVEL, Interval
from studybook.statistics.profile import EXACT, Noise, Values, noise, profile_interval
from studybook.statistics.scalability_solver import (
    UPPER,
    Complete,
    Data,
    least_squares_fit,
    start_values,
    throughput,
    typical_sizes,
)

#: Different N that a law needs at least: one more than it has parameters.
FEWEST = {"usl": 4, "amdahl": 3}


@dataclass(frozen=True)
class Fit:
    """A law with its parameters, fitted to observations.

    Parameters
    ----------
    law : {"usl", "amdahl"}
        Which law.
    n, x, weights : array
        The observations: how many of a kind, and their throughput; several at one N are
        repetitions.
    parameters : array
        gamma (unit of x), alpha and beta (without unit).
    level : float
        Confidence level of all intervals.
    """

    law: str
    n: Values = field(repr=False)
    x: Values = field(repr=False)
    weights: Values = field(repr=False)
    parameters: Values
    level: float = LEVEL

    @property
    def _data(self) -> Data:
        return Data(self.n, self.x, self.weights)

    def at(self, n: ArrayLike) -> Values:
        """X(N) by the fitted law."""
        return throughput(n, *self.parameters)

    @property
    def residuals(self) -> Values:
        """Observed less fitted, in the unit of x."""
        return self.x - self.at(self.n)

    @property
    def rss(self) -> float:
        """The residual sum of squares, weighted, in the unit of x squared."""
        return float(np.sum(self.weights * self.residuals**2))

    @property
    def r_squared(self) -> float:
        """Share of the variance of x that the law explains; NaN where x does not vary."""
        total = float(
            np.sum(self.weights * (self.x - np.average(self.x, weights=self.weights)) ** 2)
        )
        return 1 - self.rss / total if total > 0 else math.nan

    @cached_property
    def noise(self) -> Noise:
        """The variance of one observation, with its degrees of freedom."""
        found = noise(self.n, self.residuals, self.weights, FEWEST[self.law] - 1)
        if math.sqrt(found.variance) > self.rounding_error:
            return found
        return replace(found, variance=0.0, of_curve=False)

    @property
    def rounding_error(self) -> float:
        """Residuals as small as this are those of arithmetic, in the unit of x."""
        return EXACT * float(np.max(self.x))

    @cached_property
    def gamma(self) -> Interval:
        """Throughput of one, in the unit of x."""
        return self._profile(0, self.parameters, lambda p: p)

    @cached_property
    def alpha(self) -> Interval:
        """Contention, from 0 to 1."""
        return self._profile(1, self.parameters, lambda p: p)

    @cached_property
    def beta(self) -> Interval:
        """Coherency, from 0; 0 without interval in Amdahl's law."""
        if self.law == "amdahl":
            return Interval(0.0, 0.0, 0.0)
        return self._profile(2, self.parameters, lambda p: p)

    @cached_property
    def peak_n(self) -> Interval:
        """N of the highest throughput, root((1 - alpha) / beta); infinite without coherency."""
        if self.law == "amdahl":
            return Interval(math.inf, math.inf, math.inf)
        gamma, alpha, beta = self.parameters
        # By 1 / N², which is 0 where there is no peak.
        found = self._profile(
            2,
            np.array([gamma, alpha, beta / max(1 - alpha, EXACT)]),
            lambda p: np.array([p[0], p[1], p[2] * (1 - p[1])]),
        )
        turned = [math.inf if v <= 0 else v**-0.5 for v in (found.estimate, found.high, found.low)]
        return Interval(*turned)

    @cached_property
    def peak_x(self) -> Interval:
        """The highest throughput: at the peak, or the limit for many N where there is none."""
        gamma, alpha, beta = self.parameters
        root = math.sqrt(beta)
        # By gamma / X: alpha - beta + 2 root(beta (1 - alpha)), and alpha where beta is 0.
        overhead = _overhead(alpha, root)
        if overhead <= 0:
            return Interval(math.inf, math.nan, math.inf)
        found = self._profile(
            0,
            np.array([overhead / gamma, alpha, root]),
            lambda p: np.array([_overhead(p[1], p[2]) / p[0], p[1], p[2] ** 2]),
            lowest=EXACT * overhead / gamma,
        )
        high = math.inf if found.low <= 2 * EXACT * found.estimate else 1 / found.low
        return Interval(1 / found.estimate, 1 / found.high, high)

    def mean_at(self, n: float) -> Interval:
        """X(N) by the law with the interval of the curve there, in the unit of x."""
        start = self.parameters.copy()
        start[0] = float(self.at(n))

        def complete(p: Values) -> Values:
            return np.array([p[0] / float(throughput(n, 1.0, p[1], p[2])), p[1], p[2]])

        return self._profile(0, start, complete)

    def _profile(
        self, held: int, start: Values, complete: Complete, *, lowest: float = 0.0
    ) -> Interval:
        """The interval of one of three coordinates; the others are fitted anew for each value."""
        scale = typical_sizes(self.n, start)
        fixed = {held, 2} if self.law == "amdahl" else {held}
        free = [index for index in range(3) if index not in fixed]
        warm = start.copy()
        limits = [UPPER[index] for index in free]

        def cost(value: float) -> float:
            trial = warm.copy()
            trial[held] = value
            found, rss = least_squares_fit(self._data, trial, complete, free, scale, limits, 1e-9)
            warm[free] = found[free]
            return rss

        return profile_interval(
            cost,
            float(start[held]),
            self.rss,
            self.noise,
            step=0.05 * float(scale[held]),
            lowest=lowest,
            highest=UPPER[held],
            level=self.level,
        )


def fit(
    n: Sequence[float] | Values,
    x: Sequence[float] | Values,
    *,
    law: str = "usl",
    weights: Sequence[float] | Values | None = None,
    level: float = LEVEL,
) -> Fit:
    """Fit a law by weighted least squares.

    Parameters
    ----------
    n : array
        How many of a kind; equal values are repetitions.
    x : array
        Their throughput, in any unit.
    law : {"usl", "amdahl"}
        Which law.
    weights : array, optional
        Of each observation: one over its variance, up to a factor.
    level : float
        Confidence level of the intervals.

    Raises
    ------
    ValueError
        If there are too few different N, or values that are not positive numbers.
    """
    n, x = np.asarray(n, dtype=np.float64), np.asarray(x, dtype=np.float64)
    w = np.ones_like(x) if weights is None else np.asarray(weights, dtype=np.float64)
    if not n.shape == x.shape == w.shape or n.ndim != 1:
        raise ValueError(f"{n.shape} N, {x.shape} values and {w.shape} weights do not pair up")
    if not all(np.all(np.isfinite(each) & (each > 0)) for each in (n, x, w)):
        raise ValueError("a scalability law takes positive numbers only")
    if (different := len(np.unique(n))) < FEWEST[law]:
        raise ValueError(f"{different} different N are too few: the law needs {FEWEST[law]}")
    free = [0, 1] if law == "amdahl" else [0, 1, 2]
    w = w / float(np.mean(w))
    data, rounding_error = Data(n, x, w), EXACT * float(np.max(x))
    upper = [UPPER[index] for index in free]
    tried = [
        least_squares_fit(data, start, lambda p: p, free, typical_sizes(n, start), upper)
        for start in start_values(data, free)
    ]
    best, rss = min(tried, key=lambda each: each[1])
    # The solver stays a hair within the bounds; a parameter at its bound is none.
    for index, bound in ((2, 0.0), (1, 0.0), (1, 1.0)):
        others = [each for each in free if each != index and (each == 0 or best[each] > 0)]
        start = np.where(np.arange(3) == index, bound, best)
        limits = [UPPER[each] for each in others]
        found, bounded = least_squares_fit(
            data, start, lambda p: p, others, typical_sizes(n, start), limits
        )
        if bounded <= rss * (1 + EXACT) or bounded < rounding_error**2:
            best, rss = found, min(bounded, rss)
    return Fit(law, n, x, w, best, level)


def coherency_p_value(usl: Fit, amdahl: Fit) -> float:
    """Return the p-value of the F-test of Amdahl's law against the universal one.

    It is the probability that data without coherency lower the residual sum of squares by so much.
    The test is conservative, as it does not know that beta cannot be negative. An information
    criterion would not do: that for small samples (AICc) is not defined for four observations.

    Parameters
    ----------
    usl, amdahl : Fit
        Both laws, fitted to the same observations.
    """
    gained = amdahl.rss - usl.rss
    if usl.noise.variance <= 0:
        return float(math.sqrt(max(gained, 0.0)) <= usl.rounding_error)
    f_statistic = max(gained, 0.0) / usl.noise.variance
    return float(fdtrc(1, usl.noise.degrees_of_freedom, f_statistic))


def _overhead(alpha: float, root: float) -> float:
    return alpha - root**2 + 2 * root * math.sqrt(max(1 - alpha, 0.0))
