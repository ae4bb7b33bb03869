"""Which of several values lies far out of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from studybook.statistics.intervals import RUNS_THAT_TELL

#: A value is called far out where its p-value, corrected for the number of values, is below that.
FAR_OUT = 0.01


def far_out(values: Sequence[float]) -> list[float]:
    """The p-value of each of several values as one more of the others, two-sided.

    The externally studentised residual (F. E. Grubbs, "Sample criteria for testing outlying
    observations", Ann. Math. Stat. 21 (1950), 27-58): each value is set against the mean and the
    scatter of all others. Where all are above 0, it is that of their logarithms. Two that lie far
    out hide one another.

    Parameters
    ----------
    values : sequence of float
        A value per run.

    Returns
    -------
    list of float
        In their order; not corrected for their number. NaN where the others are too few to tell, or
        do not scatter.
    """
    from scipy.special import stdtr  # whoever only reads a verdict need not wait for it

    array = np.asarray(values, dtype=float)
    n = len(array)
    if n <= RUNS_THAT_TELL:
        return [math.nan] * n
    scaled = np.log(array) if array.min() > 0 else array
    others = np.where(np.eye(n, dtype=bool), np.nan, scaled)  # a row without each
    mean, deviation = np.nanmean(others, axis=1), np.nanstd(others, axis=1, ddof=1)
    told = deviation > 1e-9 * np.abs(scaled).max()
    error = np.where(told, deviation, 1.0) * np.sqrt(n / (n - 1))
    found = 2 * stdtr(n - 2, -np.abs(scaled - mean) / error)
    return [float(p) if known else math.nan for p, known in zip(found, told, strict=True)]
