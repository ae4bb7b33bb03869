"""Confidence intervals of means, and of ratios and differences of means, from summaries.

Benchmarks often print only the number of repetitions, the mean and the standard deviation.
That is enough for Student's interval of a mean, and for the ratio and the difference of two means.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

#: The level of every interval in the book.
LEVEL = 0.95

#: From so many runs on, their scatter tells where one more would lie.
RUNS_THAT_TELL = 5

#: Fewer repetitions than this say little of their own scatter.
_FEW = 8

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

    def within(self, least: float, most: float) -> Interval:
        """The interval without what the quantity cannot be."""
        low, high = (
            max(self.low, min(self.estimate, least)),
            min(self.high, max(self.estimate, most)),
        )
        return Interval(self.estimate, low, high)

    def moved(self, by: float) -> Interval:
        """The same interval from another zero."""
        return Interval(self.estimate + by, self.low + by, self.high + by)

    def scaled(self, factor: float) -> Interval:
        """The same interval in another unit."""
        low, high = sorted((self.low * factor, self.high * factor))
        return Interval(self.estimate * factor, low, high)


def pooled(samples: Sequence[Sample]) -> Sample:
    """Repetitions of several samples as those of one."""
    n = sum(each.n for each in samples)
    mean = sum(each.n * each.mean for each in samples) / n
    square = sum(each.n * (each.sd_population**2 + (each.mean - mean) ** 2) for each in samples)
    return Sample(n, mean, math.sqrt(square / n))


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
    return Interval(sample.mean, sample.mean - half, sample.mean + half).within(least, most)


def ratio_interval(over: Sample, under: Sample, level: float = LEVEL) -> Interval:
    """Confidence interval of the ratio of two independent means, by Fieller's theorem.

    E. C. Fieller, "Some problems in interval estimation", J. R. Stat. Soc. B 16 (1954),
    175-185; degrees of freedom by Welch and Satterthwaite. Where one side has few repetitions, it
    is as wide as with one scatter for both, if that is wider.

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
    # The variance of over - ratio * under decides, so its two parts weigh the degrees of freedom.
    errors = _errors(over, under, ratio)
    if errors[0].of_both == 0:  # nothing of something is nothing, whatever that scatters
        return Interval(ratio, ratio, ratio)
    ends = [_by_fieller(ratio, under.mean, each, level) for each in errors]
    if math.isnan(ends[0][0]):
        return Interval(ratio, math.nan, math.nan)
    # A denominator that is known well does not scatter as a numerator may.
    known = [each for each in ends if not math.isnan(each[0])]
    return Interval(ratio, min(low for low, _ in known), max(high for _, high in known))


def _by_fieller(ratio: float, under: float, error: _Error, level: float) -> tuple[float, float]:
    """The ends of the interval; NaN where the denominator cannot be told from zero."""
    t = student_quantile(error.degrees_of_freedom, level)
    of_over, of_under = error.variances
    g = t**2 * of_under / under**2
    if g >= 1:
        return math.nan, math.nan
    half = t / abs(under) * math.sqrt(of_over * (1 - g) + ratio**2 * of_under)
    low, high = sorted(((ratio - half) / (1 - g), (ratio + half) / (1 - g)))
    return low, high


def difference_interval(of: Sample, less: Sample, level: float = LEVEL) -> Interval:
    """Confidence interval of the difference of two independent means, by Welch.

    B. L. Welch, "The generalization of 'Student's' problem when several different population
    variances are involved", Biometrika 34 (1947), 28-35. Where one side has few repetitions, it is
    as wide as Student's, if that is wider.

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
    half = max(
        each.of_both * student_quantile(each.degrees_of_freedom, level) if each.of_both else 0.0
        for each in _errors(of, less)
    )
    return Interval(difference, difference - half, difference + half)


def difference_p(of: Sample, less: Sample) -> tuple[float, str]:
    """Probability of a difference at least as large by chance alone, two-sided; and by which test.

    It is that of Welch's t. Where one side has few repetitions it is that of Student's t, if that
    is larger.

    Parameters
    ----------
    of, less : Sample
        Two repetitions of each, at least; those of one of them must scatter.
    """
    from scipy.special import stdtr  # whoever only reads a verdict need not wait for it

    apart = -abs(of.mean - less.mean)
    return max(
        (2 * float(stdtr(each.degrees_of_freedom, apart / each.of_both)), each.test)
        for each in _errors(of, less)
        if each.of_both
    )


@dataclass(frozen=True)
class _Error:
    """The squared standard errors of two means, and how well they are known."""

    test: str
    variances: tuple[float, float]
    degrees_of_freedom: float
    #: The standard error of the first less so many times the second.
    of_both: float


def _errors(of: Sample, less: Sample, times: float = 1.0) -> list[_Error]:
    """The errors by Welch; and by Student, with one scatter for both, if one side has few.

    A side of few that lie together by chance says that it does not scatter: of two against ten of
    the same, one in ten then differ by Welch's t at 5 %, and of 20 metrics one in a third of all
    comparisons, even after Holm's correction; of five against thirty, in one of eight.
    """
    apart = of.standard_error**2, less.standard_error**2
    parts = apart[0], times**2 * apart[1]
    squares = parts[0] ** 2 / (of.n - 1) + parts[1] ** 2 / (less.n - 1)
    freedom = sum(parts) ** 2 / squares if squares else math.nan
    found = [_Error("Welch's t", apart, freedom, math.sqrt(sum(parts)))]
    if min(of.n, less.n) < _FEW and of.n != less.n:
        rest = of.n + less.n - 2
        scatter = (apart[0] * of.n * (of.n - 1) + apart[1] * less.n * (less.n - 1)) / rest
        alike = scatter / of.n, scatter / less.n
        both = math.sqrt(alike[0] + times**2 * alike[1])
        found.append(_Error("Student's t", alike, rest, both))
    return found


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
    """One run beside several of the same, as one more of them: their scatter is that of it, too.

    This is Student's t of two samples of which one has a single value, which says nothing of the
    scatter (J. R. Crawford, D. C. Howell, "Comparing an individual's test score against norms
    derived from small samples", Clin. Neuropsychol. 12 (1998), 482-486). Where all values are above
    0, it is that of their logarithms: times and rates scatter by a share of their level, and
    further up than down.

    Parameters
    ----------
    one : float
        The value of the one.
    runs : tuple of float
        The others, two at least; :data:`RUNS_THAT_TELL` where little is to hang on how they happen
        to scatter.
    """

    one: float
    runs: tuple[float, ...]

    @property
    def tells(self) -> bool:
        """Whether there are runs enough, and they scatter."""
        return len(self.runs) >= RUNS_THAT_TELL and self.scatter

    @property
    def scatter(self) -> bool:
        """Whether the others differ from one another."""
        return stdev(self.runs) > _NOISE * abs(self.mean)

    @property
    def mean(self) -> float:
        """The mean of the others."""
        return fmean(self.runs)

    @property
    def _by_share(self) -> bool:
        return min(self.one, *self.runs) > 0

    @property
    def _scale(self) -> Callable[[float], float]:
        """What makes the values scatter alike at each level."""
        return math.log if self._by_share else float

    def _error(self, *, of_both: bool) -> float:
        """Standard error on that scale: of the one, or of how far it is off."""
        return stdev(map(self._scale, self.runs)) * math.sqrt(1 + of_both / len(self.runs))

    def _half(self, *, of_both: bool) -> float:
        return student_quantile(len(self.runs) - 1, LEVEL) * self._error(of_both=of_both)

    def interval(self) -> Interval:
        """Where the level lies of which the one is a value."""
        half = self._half(of_both=False)
        if self._by_share:
            return Interval(self.one, self.one * math.exp(-half), self.one * math.exp(half))
        return Interval(self.one, self.one - half, self.one + half)

    def ratio(self) -> Interval:
        """The one over the mean of the others, which is not 0."""
        ratio, half = self.one / self.mean, self._half(of_both=True)
        if self._by_share:
            return Interval(ratio, ratio * math.exp(-half), ratio * math.exp(half))
        return self.difference().scaled(1 / self.mean).moved(1)

    def difference(self) -> Interval:
        """The one less the mean of the others."""
        if self._by_share:
            return self.ratio().moved(-1).scaled(self.mean)
        half, apart = self._half(of_both=True), self.one - self.mean
        return Interval(apart, apart - half, apart + half)

    def p(self) -> float:
        """Probability of a value at least as far from their mean by chance alone, two-sided."""
        from scipy.special import stdtr

        apart = self._scale(self.one) - fmean(map(self._scale, self.runs))
        return 2 * float(stdtr(len(self.runs) - 1, -abs(apart) / self._error(of_both=True)))
