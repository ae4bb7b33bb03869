"""Differences of two sides, against scipy, other tools' rules, and data made to be told."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from studybook.statistics.batches import batch_sample
from studybook.statistics.difference import (
    by_summary,
    holm,
    of_one_run,
    of_repetitions,
    summary,
)
from studybook.statistics.far_out import far_out
from studybook.statistics.intervals import OneRun, Sample, ratio_interval

ALPHA = 0.05


def sides(seed: int, n: int, shift: float) -> tuple[list[float], list[float]]:
    """Return two samples around 100 with a deviation of 3, the second one shifted."""
    random = np.random.default_rng(seed)
    first = random.normal(100, 3, n).round(2).tolist()
    return first, (random.normal(100, 3, n) + shift).round(2).tolist()


def test_repetitions_are_tested_as_scipy_does() -> None:
    first, second = sides(1, 6, 5)
    found = of_repetitions(first, second)
    wanted = stats.ttest_ind(second, first, equal_var=False)
    bounds = wanted.confidence_interval(0.95)
    assert found.p == pytest.approx(wanted.pvalue)
    assert (found.difference.low, found.difference.high) == pytest.approx((bounds.low, bounds.high))
    assert found.share.estimate == pytest.approx(np.mean(second) / np.mean(first) - 1)


def test_the_interval_of_a_share_leaves_out_zero_as_that_of_the_difference_does() -> None:
    for seed in range(60):
        found = of_repetitions(*sides(seed, 5, 4))
        clear = [each.low > 0 or each.high < 0 for each in (found.difference, found.share)]
        assert clear[0] == clear[1] or abs(found.p - ALPHA) < 0.01


def test_skewed_repetitions_are_resampled_and_come_out_the_same_again() -> None:
    random = np.random.default_rng(4)
    first, second = random.lognormal(3, 1, 14), random.lognormal(4.5, 1, 14)
    found = of_repetitions(first, second)
    assert found.test == "bootstrap"
    assert found == of_repetitions(first, second)
    assert found.difference.low < found.difference.estimate < found.difference.high
    assert found.p < ALPHA


def test_one_value_each_is_no_test() -> None:
    found = of_repetitions([10.0], [12.0])
    assert math.isnan(found.p)
    assert found.test == ""
    assert found.difference.estimate == 2


@pytest.mark.parametrize(("n", "told"), [(2, False), (3, False), (4, True)])
def test_values_without_scatter_prove_as_much_as_their_number(n: int, told: bool) -> None:
    found = of_repetitions([300.0] * n, [301.0] * n)
    assert (found.p < ALPHA) == told
    assert of_repetitions([300.0] * n, [300.0] * n).p == 1


@pytest.mark.parametrize(
    ("first", "second", "hidden"),
    [
        (50.6, 0.5, 0.1),
        (50.0, 0.5, 1),
        (50, 20, 1),
        (1230, 2460, 10),
        (0, 0.8, 0.1),
        (4e6, 3e6, 1e4),
    ],
)
def test_what_is_rounded_may_scatter_by_half_a_unit(
    first: float, second: float, hidden: float
) -> None:
    found = of_repetitions([first] * 3, [second] * 3)
    values = [[mean - hidden / 2, mean + hidden / 2] * 2 for mean in (first, second)]
    wanted = by_summary(*(Sample(3, np.mean(each), np.std(each)) for each in values))
    assert (found.p, found.difference.low) == pytest.approx((wanted.p, wanted.difference.low))
    assert found.p < ALPHA
    assert found.difference.high < 0 < -found.difference.low or found.difference.low > 0


def test_sums_of_floating_point_numbers_leave_no_scatter() -> None:
    values = [0.0007 * 1000] * 3
    assert summary(values).sd_population > 0
    found = of_repetitions([50.9, 51.0, 51.1], values)
    assert (found.second.low, found.second.high) == (found.second.estimate,) * 2


def test_what_is_not_rounded_and_does_not_scatter_has_no_interval() -> None:
    found = of_repetitions([0.1 + 0.2 / 7] * 3, [2 / 3] * 3)
    assert (found.test, found.p) == ("permutation", 0.1)
    assert math.isnan(found.difference.low)
    assert math.isnan(found.share.high)


def test_a_first_side_of_zero_has_no_share() -> None:
    found = by_summary(Sample(5, 0.0, 0.0), Sample(5, 2.0, 0.5))
    assert math.isnan(found.share.estimate)
    assert found.p < ALPHA


# ---- one run beside several ------------------------------------------------------------


def t_of_one(one: float, runs: np.ndarray) -> tuple[float, float]:
    """Return p, and half the interval of the difference, as scipy's t and the textbook have it."""
    error = runs.std(ddof=1) * math.sqrt(1 + 1 / len(runs))
    t = abs(one - runs.mean()) / error
    return 2 * stats.t.sf(t, len(runs) - 1), stats.t.ppf(0.975, len(runs) - 1) * error


@given(st.integers(0, 2**32 - 1), st.integers(5, 40))
def test_one_run_is_a_t_test_of_logarithms_where_all_are_above_zero(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    runs, one = rng.lognormal(3, 0.2, n), rng.lognormal(3.3, 0.2, 1)
    p, half = t_of_one(np.log(one[0]), np.log(runs))
    found = of_one_run(runs, one)
    assert found
    assert found.p == pytest.approx(p)
    ratio = one[0] / runs.mean()
    assert found.share.estimate == pytest.approx(ratio - 1)
    assert found.share.low == pytest.approx(ratio * math.exp(-half) - 1)
    assert found.difference.high == pytest.approx((ratio * math.exp(half) - 1) * runs.mean())
    back = of_one_run(one, runs)
    assert back
    assert back.p == found.p
    assert back.difference.low == pytest.approx(-found.difference.high)
    assert 1 + back.share.high == pytest.approx(1 / (1 + found.share.low))


@given(st.integers(0, 2**32 - 1), st.integers(5, 40))
def test_one_run_is_a_plain_t_test_where_some_are_not(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    runs, one = rng.normal(0, 10, n), rng.normal(5, 10, 1)
    runs[0] = -1
    p, half = t_of_one(one[0], runs)
    found = of_one_run(runs, one)
    assert found
    assert found.p == pytest.approx(p)
    assert found.difference.low == pytest.approx(one[0] - runs.mean() - half)
    assert found.difference.high == pytest.approx(one[0] - runs.mean() + half)


@pytest.mark.parametrize("scatter", [0.05, 0.5])
@pytest.mark.parametrize("level", [1, 8])
def test_one_run_is_called_another_as_seldom_as_it_says(scatter: float, level: int) -> None:
    """Whatever the level, as scatter is a share of it; skewed values, too."""
    rng = np.random.default_rng(5)
    off = [
        of_one_run(100 * row[:-1], 100 * level * row[-1:])
        for row in rng.lognormal(0, scatter, (2000, 8))
    ]
    mean = math.exp(scatter**2 / 2)  # of the others, over their median
    assert 0.93 < np.mean([level / mean - 1 in each.share for each in off if each]) < 0.97
    if level == 1:
        assert 0.035 < np.mean([each.p < ALPHA for each in off if each]) < 0.065


def test_four_runs_or_such_as_do_not_scatter_tell_nothing_of_one() -> None:
    assert of_one_run([1.0, 2.0, 3.0, 4.0], [9.0]) is None
    assert of_one_run([1.0] * 9, [9.0]) is None
    assert of_one_run([1.0, 2.0, 3.0, 4.0, 5.0], [9.0, 9.0]) is None
    assert of_one_run([9.0], [1.0, 2.0, 3.0, 4.0, 5.0])


# ---- single runs ---------------------------------------------------------------------


def course(seed: int, n: int, carried: float) -> np.ndarray:
    """Return a course around 100 each of whose values carries over to the next."""
    noise = np.random.default_rng(seed).normal(size=n)
    for place in range(1, n):
        noise[place] += carried * noise[place - 1]
    return 100 + 3 * noise


def test_two_runs_alike_are_rarely_told_apart() -> None:
    false = told = 0
    for seed in range(400):
        courses = [course(2 * seed + each, 400, 0.6) for each in (0, 1)]
        both = [batch_sample(each.reshape(20, 20).mean(axis=1), each.mean()) for each in courses]
        if both[0] and both[1]:
            told += 1
            false += by_summary(both[0], both[1]).p < ALPHA
    assert told > 320
    assert false <= 0.08 * told  # 5 % and the scatter of the count


def test_neighbouring_intervals_taken_one_by_one_would_cry_wolf() -> None:
    pairs = [[course(2 * seed + each, 400, 0.6) for each in (0, 1)] for seed in range(100)]
    assert sum(by_summary(summary(a), summary(b)).p < ALPHA for a, b in pairs) > 20


# ---- many metrics ----------------------------------------------------------------------


def test_holm_is_that_of_the_textbook() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_what_was_not_tested_counts_for_nothing() -> None:
    found = holm([math.nan, 0.03])
    assert math.isnan(found[0])
    assert found[1] == 0.03


def test_of_twenty_metrics_without_any_difference_hardly_one_is_told() -> None:
    alarms = sum(
        min(holm([of_repetitions(*sides(1000 * study + m, 5, 0)).p for m in range(20)])) < ALPHA
        for study in range(60)
    )
    assert alarms <= 7  # 5 % of 60 are 3; uncorrected, two of three studies had one


@pytest.mark.parametrize(
    ("few", "many", "log_sd", "by_welch"),
    [(2, 10, 0.05, 40), (2, 10, 0.5, 40), (4, 30, 0.05, 25), (5, 100, 0.05, 12), (7, 20, 0.5, 0)],
)
def test_few_runs_against_many_are_no_alarm_because_they_lie_together(
    few: int, many: int, log_sd: float, by_welch: int
) -> None:
    """Of 20 metrics without a difference; of two runs, Welch's t alone alarms once in three."""
    random = np.random.default_rng(few)
    alarms = wrong = 0
    for _ in range(150):
        pairs = [
            tuple(summary(np.exp(random.normal(5, log_sd, n))) for n in (many, few))
            for _ in range(20)
        ]
        alarms += min(holm([by_summary(*pair).p for pair in pairs])) < ALPHA
        wrong += min(holm([welch(*pair) for pair in pairs])) < ALPHA
    assert alarms <= 14  # 5 % of 150 are 8
    assert wrong >= by_welch


def welch(first: Sample, second: Sample) -> float:
    """Return the p-value of Welch's t, by scipy."""
    sides = [
        (each.mean, each.standard_error * math.sqrt(each.n), each.n) for each in (first, second)
    ]
    return float(stats.ttest_ind_from_stats(*sides[0], *sides[1], equal_var=False).pvalue)


def test_where_the_denominator_is_known_well_the_numerator_does_not_hide_it() -> None:
    over, under = summary([100.0, 400.0, 260.0]), summary([95.0, 98.0, 102.0, 105.0])
    found = ratio_interval(over, under)
    assert found.low < 2.5 < found.high


# ---- one of several that lies far out ----------------------------------------------------


@pytest.mark.parametrize("middle", [5.0, 0.0])
def test_what_lies_far_out_is_told_as_one_run_beside_the_others(middle: float) -> None:
    values = np.random.default_rng(4).normal(middle, 1, 9).tolist()
    for place, p in enumerate(far_out(values)):
        others = tuple(values[:place] + values[place + 1 :])
        assert p == pytest.approx(OneRun(values[place], others).p())


def test_few_values_and_such_as_do_not_scatter_have_none_far_out() -> None:
    assert all(map(math.isnan, far_out([1.0, 1.1, 0.9, 1.05, 7.0])))
    assert all(map(math.isnan, far_out([0.7] * 9)))
    p = far_out([0.7] * 9 + [0.8])
    assert math.isnan(p[-1])  # beside what does not scatter nothing can be told
    assert min(p[:-1]) > 0.5


def test_hardly_ever_is_one_far_out_where_all_are_alike() -> None:
    random = np.random.default_rng(6)
    told = sum(
        min(holm([p for _ in range(20) for p in far_out(np.exp(random.normal(3, 0.3, 10)))])) < 0.01
        for _ in range(400)
    )
    assert told <= 10  # 1 % of 400 are 4
    lone = sum(far_out([*random.normal(100, 3, 9), 150])[-1] < 1e-4 for _ in range(100))
    assert lone >= 98


# ---- the rules of other tools ------------------------------------------------------------

# benchstat: Mann-Whitney's U, told below 0.05. pyperf compare_to: Student's t with one variance for
# both sides, against the two-sided quantile of 95 %. Neither corrects for the number of benchmarks.


def as_benchstat(first: list[float], second: list[float]) -> bool:
    return bool(stats.mannwhitneyu(first, second).pvalue < ALPHA)


def as_pyperf(first: list[float], second: list[float]) -> bool:
    return bool(stats.ttest_ind(first, second).pvalue < ALPHA)


@pytest.mark.parametrize(("n", "shift"), [(10, 0), (10, 10), (20, 0), (20, 6)])
def test_others_say_the_same_of_what_is_plain(n: int, shift: float) -> None:
    agreed = 0
    for seed in range(50):
        first, second = sides(seed, n, shift)
        ours = of_repetitions(first, second).p < ALPHA
        agreed += ours == as_benchstat(first, second) == as_pyperf(first, second)
    assert agreed >= 46


def test_benchstat_cannot_tell_three_repetitions_and_welch_can() -> None:
    first, second = [100.0, 101.0, 99.5], [120.0, 121.5, 119.0]
    assert not as_benchstat(first, second)  # of 20 ways to rank them, two are as extreme: p = 0.1
    assert as_pyperf(first, second)
    assert of_repetitions(first, second).p < ALPHA


def test_pyperf_is_misled_by_unlike_scatter_and_numbers_and_welch_is_not() -> None:
    random = np.random.default_rng(8)
    many, few = random.normal(100, 0.5, (400, 30)), random.normal(100, 8, (400, 4))
    theirs = sum(as_pyperf(list(a), list(b)) for a, b in zip(many, few, strict=True))
    ours = sum(of_repetitions(list(a), list(b)).p < ALPHA for a, b in zip(many, few, strict=True))
    assert theirs > 80
    assert ours <= 34


def test_few_runs_against_many_are_told_where_they_lie_apart() -> None:
    random = np.random.default_rng(5)
    ten, two = random.normal(100, 3, (200, 10)), random.normal(120, 3, (200, 2))
    pairs = list(zip(ten, two, strict=True))
    found = [of_repetitions(*pair) for pair in pairs]
    assert {each.test for each in found} == {"Welch's t", "Student's t"}
    told = sum(each.p < ALPHA for each in found)
    by_welch = sum(stats.ttest_ind(*pair, equal_var=False).pvalue < ALPHA for pair in pairs)
    assert told >= 130
    assert by_welch - told <= 10  # what Welch's t tells of such a difference is hardly ever lost
    inside = sum(each.difference.low <= 20 <= each.difference.high for each in found)
    shares = sum(each.share.low <= 0.2 <= each.share.high for each in found)
    assert min(inside, shares) >= 186
    for each in found:  # what is told and the interval agree
        assert (each.p < ALPHA) == (not each.difference.low <= 0 <= each.difference.high)


def test_sides_of_one_value_are_constant_however_it_is_summed_up() -> None:
    assert of_repetitions([0.1] * 3, [0.1] * 2).is_constant
    assert of_repetitions([1.1] * 3, [1.1] * 6).is_constant
    assert of_repetitions([0.6980132450331126] * 5, [0.6980132450331126] * 7).p == 1
    assert not of_repetitions([3.0], [9.0]).is_constant
    assert not of_repetitions([5.0] * 3, [5.1] * 3).is_constant
