"""Change points in a history of runs: where the level moved, and how sure that is.

The statistic is the largest difference of the means before and after a place, over all places,
each divided by its standard error but for the scatter that all share; this is the likelihood ratio
for one shift of normal values (D. M. Hawkins, "Testing a sequence of observations for a shift in
location", J. Am. Stat. Assoc. 72 (1977), 180-186). Its p-value is that of the permutations of the
history (J. Antoch, M. Hušková, "Permutation tests in change point analysis", Stat. Prob. Letters 53
(2001), 37-46), which holds for any distribution of the noise as long as runs are independent.
Further changes are looked for on both sides of one that was found (L. Ju. Vostrikova, "Detecting
'disorder' in multidimensional random processes", Soviet Math. Dokl. 24 (1981), 55-59).

A single run far out is no change, and hides none: a level has three runs at least, and a value that
is further from both levels than three standard deviations, estimated by the median step from run to
run, counts as no further from its own. The place is that with the least sum of distances of the
values, as they are, from the medians of both sides. The levels are those of the order observed:
what that costs in false alarms is measured (benchmarks/change_points.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

#: Runs of a level, at least.
SHORTEST = 3

#: A change is told where chance would give one as large in no more than this share of histories:
#: well below 1 %, for the share of false alarms is an estimate, too.
ALPHA = 0.004

#: And so it is, as measured: of histories without a change, one is told in no more than this share.
FALSE_ALARMS = 0.01

#: A change that is less sure than that is not even suspected.
SUSPECTED = 0.05

#: Permutations behind a p-value; the least is one over one more than these.
PERMUTATIONS = 1999

#: Runs that a history needs: there are 462 ways to part eleven at their middle, and two of these
#: are more than ALPHA. Where three of them are new, it needs sixteen.
FEWEST = 12

#: Values far out of both levels count as so many robust standard deviations from their own.
FAR_OUT = 3.0

#: The standard deviation of normal values over the median of their distances from zero.
_NORMAL = 1.4826


@dataclass(frozen=True)
class Change:
    """A place where the level of a history moved.

    Attributes
    ----------
    at : int
        Place of the first run of the new level; the first run of the history has 0.
    before, after : float
        Medians of the two levels, up to their own next change.
    p : float
        Share of shuffled histories with a change as large.
    """

    at: int
    before: float
    after: float
    p: float

    @property
    def share(self) -> float:
        """The change as a share of the level before; NaN where that is zero."""
        return (self.after - self.before) / abs(self.before) if self.before else float("nan")

    @property
    def size(self) -> float:
        """The size of the share, infinite where the level before is zero."""
        return abs(self.share) if self.before else math.inf


def changes(values: Sequence[float], alpha: float = ALPHA) -> list[Change]:
    """Find the changes of level in a history.

    Parameters
    ----------
    values : sequence of float
        One per run, in the order of time; the runs are taken as independent of one another.
    alpha : float
        Share of histories without any change in which one would be told.

    Returns
    -------
    list of Change
        In the order of time; seeded, so that the same history gives the same answer.
    """
    array = np.asarray(values, dtype=float)
    if not len(array):
        return []
    found = dict(sorted(_within(array, 0, alpha)))
    ends = [0, *found, len(array)]
    levels = [float(np.median(array[a:b])) for a, b in pairwise(ends)]
    return [
        Change(at, before, after, p)
        for (at, p), (before, after) in zip(found.items(), pairwise(levels), strict=True)
    ]


def told_and_suspected(values: Sequence[float]) -> tuple[list[Change], Change | None]:
    """The changes of a history; and where there is none, the one that less care would tell.

    Few new runs cannot be told from chance, however far away they are: of twelve runs, four that
    are new lie at one end in one of 248 orders. In too short a history nothing is suspected.

    Parameters
    ----------
    values : sequence of float
        One per run, in the order of time.
    """
    told = changes(values)
    if told or len(values) < FEWEST:
        return told, None
    return told, min(changes(values, SUSPECTED), key=lambda change: change.p, default=None)


def _within(values: Values, offset: int, alpha: float) -> list[tuple[int, float]]:
    if len(values) < 2 * SHORTEST:
        return []
    place = _place(values)
    near = _near(values, place)
    rows = np.broadcast_to(near, (PERMUTATIONS, len(near)))
    size = _largest(near[None, :])
    sizes = _largest(np.random.default_rng(len(near)).permuted(rows, axis=1))
    # Sums in another order differ in their last digits.
    p = (1 + int((sizes >= size[0] * (1 - 1e-9)).sum())) / (1 + PERMUTATIONS)
    if p > alpha:
        return []
    return [
        *_within(values[:place], offset, alpha),
        (offset + place, p),
        *_within(values[place:], offset + place, alpha),
    ]


def _near(values: Values, place: int) -> Values:
    """Bring what is far out of both levels to its own, where it no longer decides.

    How far is told by the differences of neighbours, which a change of level leaves as they are.
    Where most of these agree to the digit, they do not tell: then it counts to which level a value
    is nearer.
    """
    sides = values[:place], values[place:]
    old, new = (float(np.median(side)) for side in sides)
    spread = _NORMAL * np.median(np.abs(np.diff(values))) / np.sqrt(2)
    if spread == 0:
        return np.sign(values - (old + new) / 2)
    own = np.repeat([old, new], [len(side) for side in sides])
    far = np.minimum(np.abs(values - old), np.abs(values - new)) > FAR_OUT * spread
    return np.where(far, own + FAR_OUT * spread * np.sign(values - own), values)


def _largest(rows: Values) -> Values:
    """The size of the largest change of each row."""
    n = rows.shape[1]
    centred = rows - rows.mean(axis=1, keepdims=True)
    places = np.arange(SHORTEST, n - SHORTEST + 1)
    sums = np.cumsum(centred, axis=1)[:, SHORTEST - 1 : n - SHORTEST]
    sizes: Values = (np.abs(sums) * np.sqrt(n / (places * (n - places)))).max(axis=1)
    return sizes


def _place(values: Values) -> int:
    """The first of the new level, where both levels lie nearest to their runs."""

    def distance(place: int) -> float:
        sides = values[:place], values[place:]
        return float(sum(np.abs(side - np.median(side)).sum() for side in sides))

    return min(range(SHORTEST, len(values) - SHORTEST + 1), key=distance)
