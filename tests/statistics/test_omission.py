"""Samples that a driver did not send while it waited are added as if it had."""

from __future__ import annotations

import numpy as np
import pytest

from studybook.statistics.omission import percentile, with_omitted


def test_a_stall_of_a_hundred_seconds_is_as_in_the_talk_that_named_it() -> None:
    """A hundred seconds at 1 ms and 100 requests/s, then a stall of as long: 25 s on average."""
    times, samples = with_omitted(
        np.array([1.0, 100_000.0]), np.array([10_000.0, 1.0]), [100_000.0], 100.0
    )
    assert samples.sum() == pytest.approx(20_001)
    assert (times * samples).sum() / samples.sum() == pytest.approx(25_000, rel=0.01)
    assert percentile(times, samples, 50) == pytest.approx(1, abs=501)
    assert percentile(times, samples, 75) == pytest.approx(50_000, rel=0.02)
    assert percentile(times, samples, 99) == pytest.approx(98_000, rel=0.02)


def test_without_a_stall_nothing_is_added() -> None:
    times, samples = with_omitted(np.array([5.0, 9.0]), np.array([99.0, 1.0]), [], 10)
    assert times.tolist() == [5, 9]
    assert samples.tolist() == [99, 1]


def test_percentiles_are_values_that_occurred() -> None:
    values = np.arange(1.0, 101)
    for percent in (1, 50, 95, 99, 100):
        assert percentile(values, np.ones(100), percent) == percent
    # In whatever order they come.
    assert percentile(np.array([9.0, 5.0]), np.array([1.0, 99.0]), 99) == 5
