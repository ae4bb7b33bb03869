"""Stretches that are unlike the rest: found where there are some, and not where there are none."""

from __future__ import annotations

import numpy as np
import pytest

from studybook.statistics.stretch import FEWEST, unlike_stretches

NOISE = np.exp(0.15 * np.random.default_rng(20).normal(size=360))


@pytest.mark.parametrize(("times", "found"), [(3.0, 1), (0.1, 1), (1.2, 0)])
def test_a_fault_within_noise_is_found_where_it_is(times: float, found: int) -> None:
    assert unlike_stretches(100 * NOISE, 0.5) == []
    values = 100 * NOISE
    values[150:222] *= times
    stretches = unlike_stretches(values, 0.5)
    assert len(stretches) == found
    for start, end in stretches:
        assert abs(start - 150) <= 4
        assert abs(end - 222) <= 4


def test_single_values_and_short_series_are_no_stretch() -> None:
    values = np.ones(100)
    values[[10, 30, 31, 70]] = 50
    assert unlike_stretches(values, 0.5) == []
    assert unlike_stretches(np.r_[np.ones(10), np.full(FEWEST - 11, 9.0)], 0.5) == []
