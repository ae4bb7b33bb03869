"""Confidence intervals of means, and of ratios and differences of means, from summaries.

Benchmarks often print only the number of repetitions, the mean and the standard deviation.
That is enough for Student's interval of a mean, and for the ratio and the difference of two means.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

#: The level of every interval in the book.
LEVEL = 0.95

#: From so many runs on, their scatter tells where one more would lie.
RUNS_THAT_TELL = 5

#: A scatter below this part of the mean is one of floating-point sums: 0.7 thrice has 1.1e-16.
_NOISE = 1e-12


@dataclass(frozen=True)
class Sample:
    """Repetitions of one measurement, summarised.

    Parameters
    ----------
    n : int
        Number of repetitions.
    mean : float
        Their arithmetic mean.
    sd_population : float
        Their standard deviation with divisor *n*, as IOR prints it.
    """

    n: int
    mean: float
    sd_population: float

    @property
    def standard_error(self) -> float:
        """Standard error of the mean: sample deviation (divisor *n* - 1) over root *n*.

        Not a number for fewer than two repetitions; zero where there is no scatter but that which
        sums of floating-point numbers leave.
        """
        if self.n < 2:
            return math.nan
        if self.sd_population <= _NOISE * abs(self.mean):
            return 0.0
        # sd_sample / sqrt(n) = sd_population * sqrt(n / (n - 1)) / sqrt(n)
        return self.sd_population / math.sqrt(self.n - 1)


@dataclass(frozen=True)
class Interval:
    """An estimate with the bounds of its interval; the bounds are NaN where n is too small."""

    estimate: float
    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def scaled(self, factor: float) -> Interval:
        """The same interval in another unit."""
        low, high = sorted((self.low * factor, self.high * factor))
        return Interval(self.estimate * factor, low, high)


def mean_interval(
    sample: Sample, level: float = LEVEL, least: float = -math.inf, most: float = math.inf
) -> Interval:
    """Student's confidence interval of a mean.

    Parameters
    ----------
    sample : Sample
        The repetitions; taken as independent and near enough to normal.
    level : float
        Confidence level, between 0 and 1.
    least, most : float
        What the quantity can be: its interval does not go beyond.

    Returns
    -------
    Interval
        In the unit of the mean.
    """
    if sample.n < 2:
        return Interval(sample.mean, math.nan, math.nan)
    half = student_quantile(sample.n - 1, level) * sample.standard_error
    low = max(sample.mean - half, min(sample.mean, least))
    high = min(sample.mean + half, max(sample.mean, most))
    return Interval(sample.mean, low, high)


def ratio_interval(over: Sample, under: Sample, level: float = LEVEL) -> Interval:
    """Confidence interval of the ratio of two independent means, by Fieller's theorem.

    E. C. Fieller, "Some problems in interval estimation", J. R. Stat. Soc. B 16 (1954),
    175-185; degrees of freedom by Welch and Satterthwaite.

    Parameters
    ----------
    over, under : Sample
        Numerator and denominator.
    level : float
        Confidence level, between 0 and 1.

    Returns
    -------
    Interval
        Without unit. The bounds are NaN where the denominator cannot be told from zero.

    Raises
    ------
    ValueError
        If the mean of the denominator is zero.
    """
    if under.mean == 0:
        raise ValueError("the denominator of a ratio has mean 0")
    ratio = over.mean / under.mean
    if over.n < 2 or under.n < 2:
        return Interval(ratio, math.nan, math.nan)
    variance_over, variance_under = over.standard_error**2, under.standard_error**2
    if variance_over + variance_under == 0:
        return Interval(ratio, ratio, ratio)
    # The variance of over - ratio * under decides, so its two parts weigh the degrees of freedom.
    part_over, part_under = variance_over, ratio**2 * variance_under
    if part_over + part_under == 0:  # nothing of something is nothing, whatever that scatters
        return Interval(ratio, ratio, ratio)
    degrees_of_freedom = (part_over + part_under) ** 2 / (
        part_over**2 / (over.n - 1) + part_under**2 / (under.n - 1)
    )
    t = student_quantile(degrees_of_freedom, level)
    return _by_fieller(ratio, under.mean, variance_over, variance_under, t)


def _by_fieller(
    ratio: float, mean_under: float, variance_over: float, variance_under: float, t: float
) -> Interval:
    g = t**2 * variance_under / mean_under**2
    if g >= 1:
        return Interval(ratio, math.nan, math.nan)
    half = t / abs(mean_under) * math.sqrt(variance_over * (1 - g) + ratio**2 * variance_under)
    low, high = sorted(((ratio - half) / (1 - g), (ratio + half) / (1 - g)))
    return Interval(ratio, low, high)


def difference_interval(of: Sample, less: Sample, level: float = LEVEL) -> Interval:
    """Confidence interval of the difference of two independent means, by Welch.

    B. L. Welch, "The generalization of 'Student's' problem when several different population
    variances are involved", Biometrika 34 (1947), 28-35.

    Parameters
    ----------
    of, less : Sample
        What is compared, and what is taken from it.
    level : float
        Confidence level, between 0 and 1.

    Returns
    -------
    Interval
        In the unit of the means. The bounds are NaN with fewer than two repetitions of either.
    """
    difference = of.mean - less.mean
    if of.n < 2 or less.n < 2:
        return Interval(difference, math.nan, math.nan)
    error, degrees_of_freedom = _welch(of, less)
    if error == 0:
        return Interval(difference, difference, difference)
    half = student_quantile(degrees_of_freedom, level) * error
    return Interval(difference, difference - half, difference + half)


def difference_p(of: Sample, less: Sample) -> float:
    """Probability of a difference at least as large by chance alone: Welch's t, two-sided.

    Parameters
    ----------
    of, less : Sample
        Two repetitions of each, at least; those of one of them must scatter.
    """
    from scipy.special import stdtr  # whoever only reads a verdict need not wait for it

    error, degrees_of_freedom = _welch(of, less)
    return 2 * float(stdtr(degrees_of_freedom, -abs(of.mean - less.mean) / error))


def _welch(of: Sample, less: Sample) -> tuple[float, float]:
    """Standard error of the difference of two means, and its degrees of freedom."""
    parts = of.standard_error**2, less.standard_error**2
    if sum(parts) == 0:
        return 0.0, math.nan
    degrees_of_freedom = sum(parts) ** 2 / (
        parts[0] ** 2 / (of.n - 1) + parts[1] ** 2 / (less.n - 1)
    )
    return math.sqrt(sum(parts)), degrees_of_freedom


def student_quantile(degrees_of_freedom: float, level: float) -> float:
    """Return the two-sided quantile of Student's t at a confidence level.

    From scipy.special, which loads in a tenth of scipy.stats' time.
    """
    from scipy.special import stdtrit

    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not at {level}")
    return float(stdtrit(degrees_of_freedom, (1 + level) / 2))


@dataclass(frozen=True)
class OneRun:
    """One run set against several, as one more of these: by their scatter, which it has, too.

    This is Student's t of two samples of which one has a single value: it says nothing of the
    scatter (R. R. Sokal, F. J. Rohlf, "Biometry", 1995, 227-229; J. R. Crawford, D. C. Howell,
    "Comparing an individual's test score against norms derived from small samples", Clin.
    Neuropsychol. 12 (1998), 482-486).

    Parameters
    ----------
    one : float
        The value of the one.
    runs : Sample
        The others: :data:`RUNS_THAT_TELL` at least, which scatter.
    """

    one: float
    runs: Sample

    @property
    def _scatter(self) -> float:
        return self.runs.standard_error * math.sqrt(self.runs.n)

    def interval(self, least: float = -math.inf, most: float = math.inf) -> Interval:
        """Where the level lies of which the one is a value."""
        half = student_quantile(self.runs.n - 1, LEVEL) * self._scatter
        return Interval(
            self.one, max(self.one - half, min(self.one, least)),
            min(self.one + half, max(self.one, most)),
        )  # fmt: skip

    def difference(self) -> Interval:
        """The one less the mean of the others."""
        apart = self.one - self.runs.mean
        half = student_quantile(self.runs.n - 1, LEVEL) * self._error
        return Interval(apart, apart - half, apart + half)

    def ratio(self, *, over: bool = True) -> Interval:
        """The one over the mean of the others, by Fieller's theorem; or the mean over the one."""
        means = self.one, self.runs.mean
        variances = self._scatter**2, self.runs.standard_error**2
        if not over:
            means, variances = means[::-1], variances[::-1]
        t = student_quantile(self.runs.n - 1, LEVEL)
        return _by_fieller(means[0] / means[1], means[1], *variances, t)

    def p(self) -> float:
        """Probability of a value at least as far from their mean by chance alone, two-sided."""
        from scipy.special import stdtr

        return 2 * float(stdtr(self.runs.n - 1, -abs(self.one - self.runs.mean) / self._error))

    @property
    def _error(self) -> float:
        return math.hypot(self._scatter, self.runs.standard_error)
