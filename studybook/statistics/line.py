"""A straight line through points, by least squares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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
    n = len(x)
    # As scipy.stats has it, whose import takes longer than all else that a figure does.
    ((of_x, of_both), (_, of_y)) = np.cov(x, y, bias=True).tolist()
    slope = of_both / of_x
    r = max(-1.0, min(1.0, of_both / math.sqrt(of_x * of_y))) if of_y else math.nan
    half = math.nan
    if n > 2:
        half = student_quantile(n - 2, level) * math.sqrt((1 - r**2) * of_y / of_x / (n - 2))
    interval = Interval(slope, slope - half, slope + half)
    return Line(interval, float(np.mean(y) - slope * np.mean(x)), r**2, n)
