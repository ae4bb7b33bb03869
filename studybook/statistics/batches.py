"""Batch means: how far the mean of one run can be trusted, from the run itself.

Neighbouring intervals of a run depend on each other, so that their scatter says too little. The
means of long batches hardly do: their scatter gives the standard error of the mean over all.
A. M. Law, "Simulation Modeling and Analysis", 5th ed. (2015), section 9.5.3; B. Schmeiser, "Batch
size effects in the analysis of simulation output", Operations Research 30 (1982), 556-568, on why
10 to 30 batches will do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from studybook.statistics.intervals import Sample

#: Fewer batches than these say nothing.
FEWEST = 5

#: One-sided quantile of the normal distribution at 95 %.
_ONE_SIDED = 1.645


def batch_sample(values: Sequence[float], estimate: float) -> Sample | None:
    """The batches of one run, as repetitions that an interval can be taken from.

    Batches that depend on their neighbours (the autocorrelation at lag 1 is positive, at 5 %) are
    joined two by two, until they do not, or are too few.

    Parameters
    ----------
    values : sequence of float
        The value of each batch, in their order in time.
    estimate : float
        The value of the run as a whole, in the same unit: the middle of the interval.

    Returns
    -------
    Sample or None
        None where the batches are fewer than five, or still depend on each other.
    """
    means = np.asarray(values, dtype=float)
    while len(means) >= FEWEST:
        if _lag_1(means) <= _ONE_SIDED / math.sqrt(len(means)):
            return Sample(len(means), estimate, float(means.std()))
        pairs = len(means) // 2
        # An odd one at the beginning is left out: it is the nearest to the warm-up.
        means = means[len(means) - 2 * pairs :].reshape(pairs, 2).mean(axis=1)
    return None


def _lag_1(means: np.ndarray) -> float:
    """Autocorrelation of neighbours; 0 of a series that does not vary."""
    centred = means - means.mean()
    squares = float(centred @ centred)
    # Differences in the tenth digit are rounding.
    if squares <= len(means) * (1e-9 * float(means.mean())) ** 2:
        return 0.0
    return float(centred[1:] @ centred[:-1]) / squares
