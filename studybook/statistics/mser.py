"""MSER-5: the truncation point of a time series, before which it is warm-up.

K. P. White, "An effective truncation heuristic for bias reduction in simulation output",
Simulation 69 (1997), 323-334; batches of five: K. P. White, M. J. Cobb, S. C. Spratt, "A comparison
of five steady-state truncation heuristics for simulation", Winter Simulation Conference (2000).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

TimeSeries = npt.NDArray[np.float64]

#: Values that are joined to a batch.
BATCH = 5

#: Batches of which a series must have as many before it can be called steady or not.
FEWEST = 10

#: How far the means of the two halves may be apart in a series that is steady.
MOVED = 0.05


def batch_means(values: TimeSeries) -> TimeSeries:
    """The means of whole batches of a time series; values that fill no batch are left out."""
    whole = len(values) // BATCH * BATCH
    means: TimeSeries = values[:whole].reshape(-1, BATCH).mean(axis=1)
    return means


def mser(means: TimeSeries) -> TimeSeries:
    """The statistic of MSER for each number of batches that is dropped.

    Parameters
    ----------
    means : array of float
        The batch means, in their order.

    Returns
    -------
    array of float
        At place d the squared standard error of the mean of what is left when d are dropped,
        ``sum((x - mean)²) / (n - d)²``, in the square of the unit.
    """
    level = means.mean() if len(means) else 0.0
    centred = means - level  # so that the sums of squares lose no digits
    kept = np.arange(len(means), 0, -1)
    from_here = np.cumsum(centred[::-1])[::-1]
    squares = np.cumsum((centred * centred)[::-1])[::-1] - from_here**2 / kept
    # Batches that differ in the tenth digit and beyond are equal: that is rounding.
    squares = np.where(squares <= kept * (1e-9 * level) ** 2, 0.0, squares)
    found: TimeSeries = squares / kept**2
    return found


@dataclass(frozen=True)
class Truncation:
    """How many batches are dropped, and whether the rest is steady; None where that is not told."""

    dropped: int
    steady: bool | None


def truncation(means: TimeSeries) -> Truncation:
    """Find how many batches at the beginning are warm-up.

    The number with the least statistic, up to the half of all batches. A minimum at the half
    itself, where the means of the two halves are more than 5 % apart, says that the series was
    still moving. Fewer than ten batches are too few to say.

    Parameters
    ----------
    means : array of float
        The batch means, in their order: one at least.
    """
    n = len(means)
    half = n // 2
    # One batch that is left has no spread: of two, none is dropped.
    allowed = max(1, min(half + 1, n - 1))
    dropped = int(np.argmin(mser(means)[:allowed]))
    if n < FEWEST:
        return Truncation(dropped, None)
    moved = abs(means[:half].mean() / means[half:].mean() - 1)
    return Truncation(dropped, bool(dropped < half or moved <= MOVED))
