"""The knee of a response time over the load, with an interval.

The knee is the load at which the response time per load, R / rho, is least: below it more load
costs little time, beyond it more time than it brings work. It is where a line from the origin
touches the curve, and where the power rho / R of L. Kleinrock is greatest ("Power and
deterministic rules of thumb for probabilistic problems in computer communications", ICC 1979,
43.1.1-43.1.10); C. Millsap calls it the knee ("Thinking clearly about performance, part 2", ACM
Queue 8(10), 2010). It does not depend on the units, nor on how far a chart is stretched.

The curve is that of a station with several servers, R = S / (1 - rho^c) (N. J. Gunther,
"Analyzing Computer System Performance with Perl::PDQ", Springer 2005, section 2.7), freed of two
ties: *c* need not be a number of servers, and the load of full congestion need not be 1. By its
knee *k* it reads

    R(rho) = S / (1 - (rho / k)^c / (c + 1))

It is fitted to the logarithms, as response times scatter in proportion to their size. Loads are
taken as exact: their errors count as scatter of the times. Intervals are profiles
(:mod:`studybook.statistics.profile`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import least_squares

from studybook.statistics.intervals import LEVEL, Interval
from studybook.statistics.profile import EXACT, Noise, Values, noise, profile_interval

#: Different loads that a knee needs at least: one more than the curve has parameters.
FEWEST = 4

#: Bounds of the sharpness c. Beyond them a curve cannot be told from those within.
SHARPNESS = (0.1, 60.0)

#: A knee this many times beyond the highest load is none.
FAR = 10.0


@dataclass(frozen=True)
class Knee:
    """A fitted curve of response times.

    Parameters
    ----------
    load, response : array
        The observations: utilisation or any other load, and response time in any unit.
    groups : array
        Numbers of the load levels; the observations of one are repetitions.
    parameters : array
        Service time S (unit of the response time), knee (unit of the load), sharpness c.
    level : float
        Confidence level of the intervals.
    """

    load: Values = field(repr=False)
    response: Values = field(repr=False)
    groups: Values = field(repr=False)
    parameters: Values
    level: float = LEVEL

    def at(self, load: ArrayLike) -> Values:
        """Response time by the curve, in the unit of the observed ones; infinite where it ends."""
        service_time, knee, c = self.parameters
        left = 1 - (np.asarray(load, dtype=np.float64) / knee) ** c / (c + 1)
        with np.errstate(divide="ignore"):
            return np.asarray(service_time / np.maximum(left, 0.0), dtype=np.float64)

    def stretch_factor(self, load: float) -> float:
        """Response time at a load over that without load (R / S), by the curve."""
        return float(self.at(load)) / float(self.parameters[0])

    @property
    def residuals(self) -> Values:
        """Observed less fitted, of the natural logarithms."""
        return np.asarray(np.log(self.response / self.at(self.load)), dtype=np.float64)

    @property
    def rss(self) -> float:
        """The residual sum of squares, of logarithms."""
        return float(np.sum(self.residuals**2))

    @cached_property
    def noise(self) -> Noise:
        """The variance of one logarithm, with its degrees of freedom."""
        found = noise(self.groups, self.residuals, np.ones_like(self.load), FEWEST - 1)
        if math.sqrt(found.variance) > EXACT:
            return found
        return replace(found, variance=0.0, of_curve=False)

    @cached_property
    def knee(self) -> Interval:
        """The load of the knee; a bound is infinite where the data know of none on that side."""
        return self._profile(float(self.parameters[1]), lambda value, c: value)

    @property
    def seen(self) -> bool:
        """Whether the loads go beyond the knee."""
        return self.knee.estimate <= float(np.max(self.load))

    def reaches(self, times: float) -> Interval:
        """The load at which the response time is so many times that without load.

        Parameters
        ----------
        times : float
            A factor above 1.
        """

        def stretch(c: float) -> float:
            return float(((c + 1) * (1 - 1 / times)) ** (1 / c))

        _, knee, c = self.parameters
        return self._profile(float(knee) * stretch(c), lambda value, c: value / stretch(c))

    def _profile(self, estimate: float, knee_of: Callable[[float, float], float]) -> Interval:
        warm = self.parameters.copy()
        furthest = FAR * float(np.max(self.load))
        if estimate >= furthest:
            return Interval(math.inf, math.nan, math.inf)

        def cost(value: float) -> float:
            def residuals(free: Values) -> Values:
                trial = np.array([free[0] * self.parameters[0], knee_of(value, free[1]), free[1]])
                return _log_response(self.load, trial) - np.log(self.response)

            found = [
                _solve(residuals, [warm[0] / self.parameters[0], c], [1e-9, SHARPNESS[0]])
                for c in (warm[2], self.parameters[2])
            ]
            solved, rss = min(found, key=lambda each: each[1])
            warm[0], warm[2] = solved[0] * self.parameters[0], solved[1]
            return rss

        found = profile_interval(
            cost,
            estimate,
            self.rss,
            self.noise,
            step=0.02 * estimate,
            lowest=1e-3 * float(np.min(self.load)),
            highest=furthest,
            level=self.level,
        )
        return Interval(estimate, found.low, found.high if found.high < furthest else math.inf)


def fit(
    load: Sequence[float] | Values,
    response: Sequence[float] | Values,
    *,
    levels: Sequence[Any] | None = None,
    level: float = LEVEL,
) -> Knee:
    """Fit the curve of response times, and with it the knee.

    Parameters
    ----------
    load : array
        Utilisation, or any other load.
    response : array
        Response times, in any unit.
    levels : sequence, optional
        Of each observation, the level of load that was set; those of one level are repetitions,
        even if their utilisations are not quite the same. Equal loads, where it is left out.
    level : float
        Confidence level of the intervals.

    Raises
    ------
    ValueError
        If there are too few levels of load, or values that are not positive numbers.
    """
    rho, r = np.asarray(load, dtype=np.float64), np.asarray(response, dtype=np.float64)
    if rho.shape != r.shape or rho.ndim != 1:
        raise ValueError(f"{rho.shape} loads and {r.shape} response times do not pair up")
    if not np.all(np.isfinite(rho) & np.isfinite(r) & (rho > 0) & (r > 0)):
        raise ValueError("a knee is looked for in positive numbers only")
    _, groups = np.unique(rho if levels is None else np.asarray(levels), return_inverse=True)
    if (different := len(np.unique(groups))) < FEWEST:
        raise ValueError(f"{different} levels of load are too few: a knee needs {FEWEST}")
    most, least = float(np.max(rho)), float(np.min(r))

    def residuals(free: Values) -> Values:
        return _log_response(rho, free * [least, most, 1.0]) - np.log(r)

    # From curves of few and of many servers, that are full just beyond the highest load.
    tried = [
        _solve(
            residuals,
            [1.0, 1.02 / (c + 1) ** (1 / c), c],
            [1e-9, 1e-3, SHARPNESS[0]],
            [math.inf, 10 * FAR, SHARPNESS[1]],
        )
        for c in (1.0, 2.0, 4.0, 8.0, 16.0)
    ]
    best, _ = min(tried, key=lambda each: each[1])
    numbered = np.asarray(groups, dtype=np.float64)
    return Knee(rho, r, numbered, best * [least, most, 1.0], level)


def _log_response(load: Values, parameters: Values) -> Values:
    """The logarithm of R; goes on in a straight line where the curve has left the plane."""
    service_time, knee, c = parameters
    with np.errstate(over="ignore"):
        left = 1 - np.minimum((load / knee) ** c / (c + 1), 1e9)
    edge = 1e-6
    beyond = -math.log(edge) + (edge - left) / edge
    return np.asarray(
        math.log(service_time) + np.where(left > edge, -np.log(np.maximum(left, edge)), beyond),
        dtype=np.float64,
    )


def _solve(
    residuals: Callable[[Values], Values],
    start: Sequence[float],
    lower: Sequence[float],
    upper: Sequence[float] = (math.inf, SHARPNESS[1]),
) -> tuple[Values, float]:
    begin = np.clip(start, np.asarray(lower) * (1 + 1e-9), np.asarray(upper) * (1 - 1e-9))
    solved: Any = least_squares(
        residuals, begin, jac="3-point", bounds=(lower, upper), xtol=1e-12, ftol=1e-12, gtol=1e-12
    )
    return np.asarray(solved.x, dtype=np.float64), float(2 * solved.cost)
