"""Batches of one run: what they say of its mean, and when they say nothing."""

from __future__ import annotations

import numpy as np
import pytest

from studybook.statistics.batches import batch_sample
from studybook.statistics.intervals import mean_interval


def test_independent_batches_are_taken_as_they_are() -> None:
    means = [10.0, 12, 9, 11, 10, 12, 8, 11, 9, 10]
    found = batch_sample(means, 10.3)
    assert found is not None
    assert (found.n, found.mean) == (10, 10.3)
    assert found.sd_population == pytest.approx(np.std(means))


def test_batches_that_do_not_vary_leave_no_doubt() -> None:
    found = batch_sample([0.1 + 0.2] * 10, 0.3)
    assert found is not None
    assert mean_interval(found).low == pytest.approx(0.3)


def test_few_batches_say_nothing() -> None:
    assert batch_sample([1.0, 2, 1] * 3, 1.5) is None
    assert batch_sample([], 1.5) is None


@pytest.mark.parametrize("n", [14, 20, 21])
def test_a_trend_says_nothing(n: int) -> None:
    assert batch_sample(list(range(n)), n / 2) is None


def test_batches_that_depend_on_their_neighbours_are_joined() -> None:
    alone = np.random.default_rng(1).normal(10, 1, 20)
    found = batch_sample(list(np.repeat(alone, 2)), 10.0)
    assert found is not None
    assert found.n == 20
    assert found.sd_population == pytest.approx(alone.std())


def test_intervals_of_autocorrelated_runs_hold_the_truth_as_often_as_they_say() -> None:
    """First-order autoregression of a known mean, 400 intervals in 20 batches."""
    noise = np.random.default_rng(7)
    inside = without = 0
    for _ in range(1000):
        values = np.empty(450)
        values[0] = 0.0
        for number, shock in enumerate(noise.normal(size=449), start=1):
            values[number] = 0.6 * values[number - 1] + shock
        series = 100 + values[50:]
        sample = batch_sample(list(series.reshape(20, 20).mean(axis=1)), float(series.mean()))
        if sample is None:
            without += 1
            continue
        inside += 100 in mean_interval(sample)
    assert inside / (1000 - without) > 0.90
    assert without < 100
