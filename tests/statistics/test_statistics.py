"""Intervals: against hand-worked values, against scipy on raw samples, and on their edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from studybook.statistics.intervals import Interval, Sample, mean_interval, ratio_interval

VALUES = st.lists(st.floats(1, 1e6), min_size=2, max_size=30)


def summarised(values: list[float]) -> Sample:
    return Sample(len(values), float(np.mean(values)), float(np.std(values)))


@given(VALUES)
def test_mean_interval_is_that_of_the_single_values(values: list[float]) -> None:
    found = mean_interval(summarised(values))
    if np.std(values) < 1e-9 * np.mean(values):
        return
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)


def test_mean_interval_by_hand() -> None:
    # 2, 4, 6: mean 4, sample deviation 2, t(2) = 4.302653, half-width 4.302653 * 2 / sqrt(3)
    found = mean_interval(Sample(3, 4.0, math.sqrt(8 / 3)))
    assert found.high - found.estimate == pytest.approx(4.968275, rel=1e-6)


def test_an_interval_ends_where_the_quantity_does() -> None:
    sample = Sample(3, 99.0, 1.0)
    assert mean_interval(sample).high > 100
    assert mean_interval(sample, most=100).high == 100
    assert mean_interval(sample, most=100).low == mean_interval(sample).low
    # What is beyond is wrong, and is shown as it is.
    assert mean_interval(Sample(3, 104.0, 1.0), most=100).high == 104


def test_one_repetition_has_no_interval() -> None:
    found = mean_interval(Sample(1, 5.0, 0.0))
    assert found.estimate == 5.0
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert math.isnan(ratio_interval(Sample(1, 5.0, 0.0), Sample(9, 2.0, 0.1)).low)


def test_ratio_of_equal_values_has_no_width() -> None:
    assert ratio_interval(Sample(5, 6.0, 0.0), Sample(5, 2.0, 0.0)) == Interval(3.0, 3.0, 3.0)


def test_ratio_without_a_clear_denominator_has_no_bounds() -> None:
    found = ratio_interval(Sample(5, 6.0, 0.1), Sample(5, 0.1, 5.0))
    assert math.isnan(found.low)


def test_ratio_over_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="denominator"):
        ratio_interval(Sample(5, 6.0, 0.1), Sample(5, 0.0, 1.0))


def test_ratio_interval_covers_the_true_ratio_as_often_as_it_says() -> None:
    generator = np.random.default_rng(7)
    trials, hits = 2000, 0
    for _ in range(trials):
        over = generator.normal(60, 3, 10)
        under = generator.normal(10, 0.8, 10)
        hits += 6.0 in ratio_interval(summarised(list(over)), summarised(list(under)))
    # binomial standard error of the share is 0.5 %
    assert 0.935 < hits / trials < 0.965


@given(VALUES, VALUES)
def test_ratio_interval_contains_its_estimate(over: list[float], under: list[float]) -> None:
    found = ratio_interval(summarised(over), summarised(under))
    if not math.isnan(found.low):
        assert found.low <= found.estimate * (1 + 1e-12)
        assert found.high >= found.estimate * (1 - 1e-12)


def test_scaling_turns_the_bounds_with_the_sign() -> None:
    assert Interval(2, 1, 3).scaled(-1) == Interval(-2, -3, -1)
