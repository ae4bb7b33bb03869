"""Tests of the difference of two sides, and the correction for asking many questions at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from studybook.statistics.batches import Values
from studybook.statistics.intervals import (
    Interval,
    OneRun,
    Sample,
    difference_interval,
    difference_p,
    mean_interval,
    ratio_interval,
)

#: From so many repetitions of each side on, skew can be told and resampled.
ENOUGH = 8

#: A sample is skewed beyond this: an exponential one has 2, a normal one 0.
SKEWED = 1.0

#: A value of more significant digits was computed, not rounded by a tool that prints it.
MOST_PRINTED = 6

#: Zeros at the end of a whole number are rounding only behind so many digits.
FEWEST_PRINTED = 3

#: Resamples of a bootstrap, and permutations of a test.
RESAMPLES = 4999


@dataclass(frozen=True)
class Difference:
    """The second side less the first.

    Attributes
    ----------
    first, second : Interval
        The mean of each side with its interval; bounds are NaN where there are none.
    difference : Interval
        In the unit of the values.
    share : Interval
        As a share of the first side, by Fieller's theorem; NaN where that side is zero.
    p : float
        Probability of a difference at least as large by chance alone; NaN where no test is
        possible.
    test : str
        Name of the test, for people; empty where there is none.
    """

    first: Interval
    second: Interval
    difference: Interval
    share: Interval
    p: float
    test: str

    @property
    def is_constant(self) -> bool:
        """Whether all values of both sides are the same."""
        ends = (self.first.low, self.first.high, self.second.low, self.second.high)
        value = self.first.estimate
        return all(math.isclose(end, value, rel_tol=1e-9, abs_tol=1e-12) for end in ends)


def by_summary(first: Sample, second: Sample, test: str = "") -> Difference:
    """Test the difference of two means by Welch's t, from summaries.

    B. L. Welch, "The generalization of 'Student's' problem when several different population
    variances are involved", Biometrika 34 (1947), 28-35. Where one side has few repetitions, and
    the other more, it is Student's t if that finds less: few say little of their own scatter.

    Two sides without any scatter have no t. Values that are rounded then get the most that their
    rounding may hide: half a unit of their last digit as the standard deviation. Of others the
    p-value is that of all ways to part them into two such sides, of which two are as far apart,
    and the difference has no interval.

    Parameters
    ----------
    first, second : Sample
        The two sides; with fewer than two repetitions of either there is no test.
    test : str
        The name to give it; if empty, that of the t.
    """
    sides = mean_interval(first), mean_interval(second)  # without what rounding may hide
    hidden = ""
    if first.standard_error == second.standard_error == 0:
        unit = _rounded_to(first.mean, second.mean)
        if unit is None:
            return _by_permutation(first, second)
        first, second = (replace(each, sd_population=unit / 2) for each in (first, second))
        hidden = ", with the scatter that rounding may hide,"
    difference = difference_interval(second, first)
    share = _share(first, second)
    if min(first.n, second.n) < 2:
        return Difference(*sides, difference, share, math.nan, "")
    p, by = difference_p(second, first)
    return Difference(*sides, difference, share, p, (test or by) + hidden)


def _rounded_to(*values: float) -> float | None:
    """The coarsest unit of the last digits of values; None if one does not look rounded."""
    units = []
    for value in filter(None, values):
        number = Decimal(f"{value:.12g}").normalize()
        last = int(number.as_tuple().exponent)
        if len(number.as_tuple().digits) > MOST_PRINTED:
            return None
        if last > 0:
            last = max(0, min(last, number.adjusted() - FEWEST_PRINTED + 1))
        units.append(10.0**last)
    return max(units, default=1.0)


def _by_permutation(first: Sample, second: Sample) -> Difference:
    """Two sides, neither of which scatters at all, in values that are not rounded."""
    alike = math.isclose(first.mean, second.mean, rel_tol=1e-12)  # sums of equal values may differ
    apart = 0.0 if alike else second.mean - first.mean
    p = min(1.0, 2 / math.comb(first.n + second.n, first.n)) if apart else 1.0
    none = math.nan, math.nan
    share = Interval(_share(first, second).estimate, *none)
    sides = mean_interval(first), mean_interval(second)
    return Difference(*sides, Interval(apart, *none), share, p, "permutation")


def _share(first: Sample, second: Sample) -> Interval:
    if first.mean == 0:
        return Interval(math.nan, math.nan, math.nan)
    ratio = ratio_interval(second, first)
    ends = (ratio.estimate - 1, ratio.low - 1, ratio.high - 1)
    return Interval(*ends) if first.mean > 0 else Interval(-ends[0], -ends[2], -ends[1])


def of_one_run(first: Sequence[float], second: Sequence[float]) -> Difference | None:
    """Test whether one run lies beside several, as one more of them would not.

    Parameters
    ----------
    first, second : sequence of float
        A value per run.

    Returns
    -------
    Difference or None
        None unless one side has a single run, and those of the other tell how runs scatter.
    """
    fewer, more = sorted((first, second), key=len)
    of = OneRun(float(fewer[0]), tuple(map(float, more)))
    if len(fewer) > 1 or not of.tells:
        return None
    sides, off = (mean_interval(summary(first)), mean_interval(summary(second))), of.difference()
    difference = off if fewer is second else off.scaled(-1)
    share = Interval(math.nan, math.nan, math.nan)
    if fewer is second and of.mean:
        share = off.scaled(1 / abs(of.mean))
    elif fewer is first and of.one > 0 and of.ratio().low > 0:
        ratio = of.ratio()
        share = Interval(1 / ratio.estimate, 1 / ratio.high, 1 / ratio.low).moved(-1)
    return Difference(*sides, difference, share, of.p(), "Student's t of one run")


def of_repetitions(first: Sequence[float] | Values, second: Sequence[float] | Values) -> Difference:
    """Test the difference of the means of repetitions: by t, as summaries are, or by resampling.

    Resampled are skewed sides (skewness beyond 1) of eight repetitions and more: the interval is
    the bias-corrected and accelerated bootstrap (B. Efron, "Better bootstrap confidence intervals",
    J. Am. Stat. Assoc. 82 (1987), 171-185), the p-value that of the permutations of Welch's t
    (A. Janssen, "Studentized permutation tests for non-i.i.d. hypotheses and the generalized
    Behrens-Fisher problem", Stat. Prob. Letters 36 (1997), 9-21). Both are seeded: the same values
    give the same answer.

    Parameters
    ----------
    first, second : sequence of float
        A value per repetition of each side, one at least, in one unit.
    """
    sides = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    plain = by_summary(summary(sides[0]), summary(sides[1]))
    scattered = all(len(each) >= ENOUGH and np.ptp(each) > 0 for each in sides)
    if not scattered or max(abs(_skewness(each)) for each in sides) <= SKEWED:
        return plain
    from scipy import stats  # takes a second to import: only those who resample wait for it

    def less(one: Values, other: Values, axis: int) -> Values:
        return np.asarray(one.mean(axis=axis) - other.mean(axis=axis))

    def studentised(one: Values, other: Values, axis: int) -> Values:
        spread = one.var(axis=axis, ddof=1) / one.shape[axis]
        spread = spread + other.var(axis=axis, ddof=1) / other.shape[axis]
        return np.asarray(less(one, other, axis) / np.sqrt(np.maximum(spread, 1e-300)))

    drawn = stats.bootstrap(
        sides[::-1], less, vectorized=True, n_resamples=RESAMPLES, rng=np.random.default_rng(1)
    ).confidence_interval
    shuffled = stats.permutation_test(
        sides[::-1],
        studentised,
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=500,
        rng=np.random.default_rng(1),
    )
    if not (math.isfinite(drawn.low) and math.isfinite(drawn.high)):
        return plain
    of = Interval(plain.difference.estimate, float(drawn.low), float(drawn.high))
    base = plain.first.estimate
    share = of.scaled(1 / abs(base)) if base else plain.share
    return Difference(plain.first, plain.second, of, share, float(shuffled.pvalue), "bootstrap")


def summary(values: Sequence[float] | Values) -> Sample:
    """Summarise repetitions."""
    array = np.asarray(values, dtype=float)
    return Sample(len(array), float(array.mean()), float(array.std()))


def _skewness(values: Values) -> float:
    centred = values - values.mean()
    return float((centred**3).mean() / (centred**2).mean() ** 1.5)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number, so that one false alarm among all stays rare.

    S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6 (1979),
    65-70.

    Parameters
    ----------
    p_values : sequence of float
        NaN where there was no test: that counts for nothing.

    Returns
    -------
    list of float
        The corrected values, in the order given; NaN where there was no test.
    """
    found = [math.nan] * len(p_values)
    tests = sorted((p, place) for place, p in enumerate(p_values) if not math.isnan(p))
    highest = 0.0
    for rank, (p, place) in enumerate(tests):
        highest = max(highest, min(1.0, p * (len(tests) - rank)))
        found[place] = highest
    return found
