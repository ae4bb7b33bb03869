"""A straight line through points, by least squares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.stats import linregress

from studybook.statistics.intervals import LEVEL, Interval, student_quantile


@dataclass(frozen=True)
class Line:
    """A straight line.

    Parameters
    ----------
    slope : Interval
        Change of *y* for each unit of *x*, with its confidence interval.
    intercept : float
        *y* where *x* is 0.
    r_squared : float
        Share of the variance of *y* that the line explains.
    n : int
        Number of points.
    """

    slope: Interval
    intercept: float
    r_squared: float
    n: int

    def at(self, x: float) -> float:
        """*y* of the line at *x*."""
        return self.intercept + self.slope.estimate * x


def line_through(x: Sequence[float], y: Sequence[float], level: float = LEVEL) -> Line | None:
    """Fit a straight line to points by ordinary least squares.

    The interval of the slope takes the points as independent, with the same spread everywhere:
    N. R. Draper and H. Smith, *Applied Regression Analysis*, 3rd ed. (1998), section 1.4.

    Parameters
    ----------
    x, y : sequence of float
        The points.
    level : float
        Confidence level, between 0 and 1.

    Returns
    -------
    Line or None
        None for points that lie at fewer than two *x*. With two points there is no interval.
    """
    if len(set(x)) < 2:
        return None
    found = linregress(list(x), list(y))
    n, slope = len(x), float(found.slope)
    half = student_quantile(n - 2, level) * float(found.stderr) if n > 2 else math.nan
    interval = Interval(slope, slope - half, slope + half)
    return Line(interval, float(found.intercept), float(found.rvalue) ** 2, n)
