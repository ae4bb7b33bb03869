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
import numpy.typing as npt

from studybook.statistics.intervals import Sample

Values = npt.NDArray[np.float64]

#: Fewer batches than these say nothing.
FEWEST = 10

#: Batches are taken as independent where chance alone makes neighbours as alike this often.
CORRELATED = 0.05


def independent(means: Sequence[float] | Values) -> Values | None:
    """The batches of one run, joined two by two until they pass as independent.

    Parameters
    ----------
    means : sequence of float
        The value of each batch, in their order in time; all of the same length.

    Returns
    -------
    array of float or None
        None where the batches are fewer than ten, or still depend on each other.
    """
    found = np.asarray(means, dtype=float)
    while len(found) >= FEWEST:
        if not correlated(found):
            return found
        pairs = len(found) // 2
        # An odd one at the beginning is left out: it is the nearest to the warm-up.
        found = found[len(found) - 2 * pairs :].reshape(pairs, 2).mean(axis=1)
    return None


def batch_sample(means: Sequence[float] | Values, estimate: float) -> Sample | None:
    """The batches of one run, as repetitions that an interval can be taken from.

    Parameters
    ----------
    means : sequence of float
        The value of each batch, in their order in time.
    estimate : float
        The value of the run as a whole, in the same unit: the middle of the interval.

    Returns
    -------
    Sample or None
        None where there are no batches that pass as independent.
    """
    found = independent(means)
    return None if found is None else Sample(len(found), estimate, float(found.std()))


def correlated(means: Values) -> bool:
    """Whether neighbours among the parts of a run are more alike than chance would have it.

    J. von Neumann, "Distribution of the ratio of the mean square successive difference to the
    variance", Ann. Math. Stat. 12 (1941), 367-395, in its normal approximation.

    Parameters
    ----------
    means : array of float
        Three at least, in their order in time.
    """
    centred = means - means.mean()
    squares = float((centred**2).sum())
    # Differences in the tenth digit are rounding.
    if squares <= len(means) * (1e-9 * float(means.mean())) ** 2:
        return False
    n = len(means)
    ratio = float((np.diff(means) ** 2).sum()) / squares
    z = (1 - ratio / 2) * math.sqrt((n * n - 1) / (n - 2))
    return math.erfc(z / math.sqrt(2)) / 2 < CORRELATED
