"""Intervals of what a curve says, by the profile of its sum of squares.

A curve was fitted by least squares. A quantity of it is moved away from its estimate, and all else
is fitted anew each time; the interval holds the values at which the sum of squares rises by less
than Student's t squared times the variance of the noise. D. M. Bates and D. G. Watts, "Nonlinear
Regression Analysis and Its Applications", Wiley 1988, section 6.1.

Why not a bootstrap: of three repetitions it draws deviations that are too small by a fifth, and
says nothing of a curve that misses the means. Why not standard errors: they are symmetric, and so
know nothing of a parameter that cannot be negative. A profile stops at that bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import fdtrc, stdtrit

from studybook.statistics.intervals import LEVEL, Interval

Values = NDArray[np.float64]

#: Below this probability the misses of a curve are no longer taken for noise of repetitions.
DOUBT = 0.05

#: Deviations this small beside the values are those of the solver, and of no measurement.
EXACT = 1e-7


@dataclass(frozen=True)
class Noise:
    """What a fit takes for noise.

    Parameters
    ----------
    variance : float
        Variance of one observation, in the unit of the residuals squared.
    freedom : int
        Its degrees of freedom.
    misfit : float
        Probability that a right curve misses the means of repetitions by so much (F-test of lack
        of fit); not a number where no level of load was repeated.
    of_curve : bool
        Whether the noise is what the curve misses the means by, as the scatter of repetitions
        does not explain it. The intervals then hold for a curve that is right on the whole only.
    """

    variance: float
    freedom: int
    misfit: float
    of_curve: bool


def noise(at: Values, residuals: Values, weights: Values, parameters: int) -> Noise:
    """Tell the noise of a fit, by what the repetitions at one place say of it.

    N. R. Draper and H. Smith, "Applied Regression Analysis", 3rd edition, Wiley 1998, section 2.1.

    Parameters
    ----------
    at : array
        Where each observation was made; equal values are repetitions.
    residuals, weights : array
        Of each observation.
    parameters : int
        How many were fitted.

    Raises
    ------
    ValueError
        If there are no more observations than parameters.
    """
    freedom = len(at) - parameters
    if freedom < 1:
        raise ValueError(f"{len(at)} observations leave no freedom beside {parameters} parameters")
    total = float(np.sum(weights * residuals**2))
    places, of = np.unique(at, return_inverse=True)
    sums = np.bincount(of, weights=weights * residuals)
    means = sums / np.bincount(of, weights=weights)
    within = float(np.sum(weights * (residuals - means[of]) ** 2))
    free_within, free_between = len(at) - len(places), len(places) - parameters
    if free_within < 1 or free_between < 1 or within <= 0:
        return Noise(total / freedom, freedom, math.nan, of_curve=False)
    between = max(total - within, 0.0) / free_between
    misfit = float(fdtrc(free_between, free_within, between / (within / free_within)))
    if misfit < DOUBT:
        return Noise(between, free_between, misfit, of_curve=True)
    return Noise(total / freedom, freedom, misfit, of_curve=False)


def profile_interval(
    cost: Callable[[float], float],
    estimate: float,
    least: float,
    noise: Noise,
    *,
    step: float,
    lowest: float = -math.inf,
    highest: float = math.inf,
    level: float = LEVEL,
) -> Interval:
    """Return the interval of a quantity by its profile.

    Parameters
    ----------
    cost : callable
        The least sum of squares when the quantity has a given value.
    estimate, least : float
        The value of the best fit, and its sum of squares.
    noise : Noise
        Of that fit.
    step : float
        A first step away from the estimate, above 0; it is doubled until it is far enough.
    lowest, highest : float
        Values that the quantity can have.
    level : float
        Confidence level, between 0 and 1.

    Returns
    -------
    Interval
        A bound is that of the quantity where the profile does not rise enough before it.
    """
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not at {level}")
    if noise.variance <= 0:
        return Interval(estimate, estimate, estimate)
    enough = float(stdtrit(noise.freedom, (1 + level) / 2))

    @cache  # one answer for one value, wherever the solver behind it came from
    def beyond(value: float) -> float:
        """How far a value lies outside, on a scale on which a straight line is straight."""
        return math.sqrt(max(cost(value) - least, 0.0) / noise.variance) - enough

    low, high = (
        _bound(beyond, estimate, side * step, limit)
        for side, limit in ((-1.0, lowest), (1.0, highest))
    )
    return Interval(estimate, low, high)


def _bound(beyond: Callable[[float], float], estimate: float, step: float, limit: float) -> float:
    inside, outwards = estimate, math.copysign(1.0, step)
    while inside != limit:
        outside = inside + step
        if (limit - outside) * outwards < 0:
            outside = limit
        if beyond(outside) >= 0:
            if beyond(inside) >= 0:
                return inside
            found = brentq(beyond, inside, outside, xtol=1e-12 * abs(outside - estimate), rtol=1e-8)
            return float(found)
        inside, step = outside, 2 * step
        if abs(step) > 1e12 * (abs(estimate) or 1.0):
            return outwards * math.inf
    return limit
