"""How far two clocks are apart, from a load and what it did to a host: against known lags."""

from __future__ import annotations

import numpy as np
import pytest

from studybook.statistics.lag import Lag, Series, lag

#: Seconds of a load, between rests of five minutes.
LENGTH = 900


def load(interval_s: float = 10) -> Series:
    """A load that grows for two minutes and then stays."""
    ends = np.arange(interval_s, LENGTH + interval_s, interval_s)
    return Series(ends, np.full(len(ends), interval_s), 50 * np.minimum(1, ends / 120))


def work(
    ahead: float, noise: float = 5, seed: int = 0, interval_s: float = 10, around: float = 300
) -> Series:
    """What a host counts whose clock is ahead: its neighbouring intervals depend on each other."""
    rng = np.random.default_rng(seed)
    ends = np.arange(-around, LENGTH + around, interval_s) + 3.0
    moments = np.arange(-around - interval_s, LENGTH + around, 1.0)
    true = np.where((moments > 0) & (moments <= LENGTH), np.minimum(1, moments / 120), 0)
    means = [true[(moments > end - interval_s) & (moments <= end)].mean() for end in ends]
    shocks = rng.normal(0, noise, len(ends))
    for at in range(1, len(shocks)):
        shocks[at] += 0.5 * shocks[at - 1]
    return Series(ends + ahead, np.full(len(ends), interval_s), 5 + 60 * np.array(means) + shocks)


def found(host: Series, reference: Series, *, rests: bool = True) -> Lag:
    one = lag(host, reference, rests=rests)
    assert one is not None
    return one


@pytest.mark.parametrize("ahead", [-7200.0, -75.0, 42.0, 300.0, 3600.0])
def test_a_known_lag_is_found(ahead: float) -> None:
    one = found(work(ahead), load())
    assert one.is_told
    assert one.seconds == pytest.approx(ahead, abs=10)
    assert one.low_s <= one.seconds <= one.high_s
    assert one.correlation > 0.9


def test_the_interval_holds_the_lag_about_as_often_as_it_says() -> None:
    lags = [found(work(60, noise=8, seed=seed), load()) for seed in range(60)]
    # Steps of half a second, and a load that is known in intervals of ten.
    held = [one.low_s - 2 <= 60 <= one.high_s + 2 for one in lags]
    assert sum(held) >= 53


def test_clocks_that_agree_are_told_to_be_apart_by_no_more_than_chance() -> None:
    lags = [found(work(0, seed=seed), load()) for seed in range(40)]
    assert not any(one.is_told and min(abs(one.low_s), abs(one.high_s)) > 10 for one in lags)


def test_a_host_that_does_other_work_says_nothing() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        ends = np.arange(-300.0, 1200, 10)
        idle = Series(ends, np.full(len(ends), 10.0), rng.normal(20, 5, len(ends)))
        one = lag(idle, load(), rests=True)
        assert one is None or not one.is_told


def test_a_day_in_intervals_of_ten_seconds_is_looked_at_as_a_whole() -> None:
    host = work(5400, around=43_200)
    assert len(host.end_s) > 8000
    assert found(host, load()).seconds == pytest.approx(5400, abs=10)


def test_two_hosts_are_lined_up_without_a_load_driver() -> None:
    one = found(work(80, noise=3, seed=1), work(0, noise=3, seed=2), rests=False)
    assert one.is_told
    assert one.seconds == pytest.approx(80, abs=10)


@pytest.mark.parametrize("level", [0.0, 40.0])
def test_what_does_not_change_cannot_be_lined_up(level: float) -> None:
    ends = np.arange(10.0, 900, 10)
    flat = Series(ends, np.full(len(ends), 10.0), np.full(len(ends), level))
    assert lag(flat, load(), rests=False) is None
    few = Series(ends[:10], flat.interval_s[:10], ends[:10])
    assert lag(few, load(), rests=True) is None
