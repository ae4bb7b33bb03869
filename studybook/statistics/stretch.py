"""Stretches of a series that are unlike the rest of it, such as a fault of some minutes.

At each place the middle is taken of its neighbours, a twentieth of the series: what is shorter than
half of that counts for nothing. A stretch is where this middle is further from the median of the
whole than the values themselves scatter, by far, and by a part of the median that matters. Median
and scatter are those that up to half of the values could not move (F. R. Hampel, "The influence
curve and its role in robust estimation", J. Am. Stat. Assoc. 69 (1974), 383-393).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.ndimage import median_filter

Values = npt.NDArray[np.float64]

#: Of so many neighbours, at least, the middle is taken.
_WINDOW = 5
#: As many values say what the rest is like.
FEWEST = 4 * _WINDOW
#: Further away than so many standard deviations.
_FAR = 3.0
#: The standard deviation of normal values over the median of their distances from the median.
_NORMAL = 1.4826


def unlike_stretches(values: Values, part: float) -> list[tuple[int, int]]:
    """Find where a series is unlike the rest of itself.

    Parameters
    ----------
    values : array of float
        Without NaN, in their order in time.
    part : float
        How far from the median, as a part of it, matters.

    Returns
    -------
    list of tuple of int
        First place and the one behind the last, of each; none of fewer than :data:`FEWEST` values.
    """
    if len(values) < FEWEST:
        return []
    usual = float(np.median(values))
    scatter = _NORMAL * float(np.median(np.abs(values - usual)))
    window = max(_WINDOW, len(values) // 20) | 1  # an odd number has a middle
    middle = median_filter(values, window, mode="reflect")
    far = np.abs(middle - usual) > max(_FAR * scatter, part * abs(usual))
    edges = np.flatnonzero(np.diff(np.concatenate([[False], far, [False]]).astype(np.int8)))
    return [(int(start), int(end)) for start, end in list(pairwise(edges))[::2]]
