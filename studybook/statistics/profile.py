"""Intervals of what a curve says, by the profile of its residual sum of squares.

A curve was fitted by least squares. A quantity of it is moved away from its estimate, and all else
is fitted anew each time; the interval holds the values at which the residual sum of squares rises
by less than Student's t squared times the variance of the noise. D. M. Bates and D. G. Watts,
"Nonlinear Regression Analysis and Its Applications", Wiley 1988, section 6.1.

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
from scipy.special import fdtrc

from studybook.statistics.intervals import LEVEL, Interval, student_quantile

Values = NDArray[np.float64]

#: Below this p-value the lack of fit of a curve is no longer taken for noise of repetitions.
DOUBT = 0.05

#: Deviations this small beside the values are those of the solver, and of no measurement.
EXACT = 1e-7


@dataclass(frozen=True)
class Noise:
    """The variance of one observation, as a fit estimates it.

    Parameters
    ----------
    variance : float
        Variance of one observation, in the unit of the residuals squared.
    degrees_of_freedom : int
        Its degrees of freedom.
    lack_of_fit_p_value : float
        Probability that a right curve misses the means of repetitions by so much (F-test of lack
        of fit); not a number where no level of load was repeated.
    of_curve : bool
        Whether the noise is what the curve misses the means by, as the scatter of repetitions
        does not explain it. The intervals then hold for a curve that is right on the whole only.
    """

    variance: float
    degrees_of_freedom: int
    lack_of_fit_p_value: float
    of_curve: bool


def noise(at: Values, residuals: Values, weights: Values, parameters: int) -> Noise:
    """Estimate the noise of a fit: pure error of repetitions, set against lack of fit.

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
    degrees_of_freedom = len(at) - parameters
    if degrees_of_freedom < 1:
        raise ValueError(
            f"{len(at)} observations leave no degree of freedom beside {parameters} parameters"
        )
    rss = float(np.sum(weights * residuals**2))
    places, of = np.unique(at, return_inverse=True)
    sums = np.bincount(of, weights=weights * residuals)
    means = sums / np.bincount(of, weights=weights)
    pure_error = float(np.sum(weights * (residuals - means[of]) ** 2))
    dof_pure, dof_lack = len(at) - len(places), len(places) - parameters
    if dof_pure < 1 or dof_lack < 1 or pure_error <= 0:
        return Noise(rss / degrees_of_freedom, degrees_of_freedom, math.nan, of_curve=False)
    lack = max(rss - pure_error, 0.0) / dof_lack
    p_value = float(fdtrc(dof_lack, dof_pure, lack / (pure_error / dof_pure)))
    if p_value < DOUBT:
        return Noise(lack, dof_lack, p_value, of_curve=True)
    return Noise(rss / degrees_of_freedom, degrees_of_freedom, p_value, of_curve=False)


def profile_interval(
    cost: Callable[[float], float],
    estimate: float,
    rss: float,
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
        The residual sum of squares of the best fit in which the quantity has a given value.
    estimate, rss : float
        Its value in the best fit of all, and the residual sum of squares of that.
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
    enough = student_quantile(noise.degrees_of_freedom, level)
    if noise.variance <= 0:
        return Interval(estimate, estimate, estimate)

    @cache  # one answer for one value, wherever the solver behind it came from
    def beyond(value: float) -> float:
        """Return how far a value lies outside, on a scale that is linear where the model is."""
        return math.sqrt(max(cost(value) - rss, 0.0) / noise.variance) - enough

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
