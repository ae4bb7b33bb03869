"""The knee of response times: on exact curves of queueing theory, with noise, and on edges."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook.statistics import knee
from studybook.statistics.profile import Values
from tests.support.exact_mva import Station, exact_mva

LOADS = np.linspace(0.15, 0.93, 8)


def mmc(servers: int, load: float) -> float:
    """Response time of M/M/c in service times, by Erlang's formula C written out."""
    offered = servers * load
    terms = [offered**k / math.factorial(k) for k in range(servers)]
    last = offered**servers / math.factorial(servers) / (1 - load)
    return 1 + last / (sum(terms) + last) / (servers * (1 - load))


def curve(servers: int, loads: Values = LOADS) -> Values:
    return np.array([mmc(servers, load) for load in loads])


@pytest.mark.parametrize("servers", [1, 2, 4, 8, 16])
def test_the_knee_of_queues_with_several_servers(servers: int) -> None:
    fine = np.linspace(0.2, 0.97, 4000)
    expected = float(fine[np.argmin(curve(servers, fine) / fine)])
    found = knee.fit(LOADS, curve(servers))
    assert found.knee.estimate == pytest.approx(expected, abs=0.008)
    assert found.seen
    doubled = float(fine[np.argmax(curve(servers, fine) >= 2)])
    assert found.reaches(2).estimate == pytest.approx(doubled, abs=0.01)


def test_knees_by_hand() -> None:
    # R = 1 / (1 - rho^c) for c = 1 and 2 is exact; R / rho is least at (c + 1)^(-1 / c), which is
    # 1/2 and 1/root(3); R has doubled at root_c(1/2).
    assert knee.fit(LOADS, curve(1)).knee.estimate == pytest.approx(0.5, rel=1e-6)
    assert knee.fit(LOADS, curve(2)).knee.estimate == pytest.approx(3**-0.5, rel=1e-6)
    assert knee.fit(LOADS, curve(2)).reaches(2).estimate == pytest.approx(0.5**0.5, rel=1e-6)
    assert knee.fit(LOADS, curve(1)).stretch_factor(0.8) == pytest.approx(5)


def test_the_knee_of_a_closed_system_with_more_than_processors() -> None:
    # Two processors, and a disk that answers whatever the load: the utilisation comes from the
    # forced flow law, the response time of both never grows without bound.
    stations = [Station(2, [0.05]), Station(0, [0.03])]
    rows = [
        (found.throughput_per_s[0] * 0.05 / 2, found.response_s[0])
        for users in range(4, 44, 3)
        for found in [exact_mva(stations, [0.5], (users,))]
    ]
    load, response = (np.array(column) for column in zip(*rows, strict=True))
    least = float(load[np.argmin(response / load)])
    assert knee.fit(load, response).knee.estimate == pytest.approx(least, abs=0.06)


@settings(max_examples=10, deadline=None)
@given(load=st.floats(0.01, 1000), time=st.floats(1e-3, 1e4))
def test_units_do_not_move_the_knee(load: float, time: float) -> None:
    found = knee.fit(LOADS * load, curve(4) * time)
    assert found.knee.estimate == pytest.approx(knee.fit(LOADS, curve(4)).knee.estimate * load)


def test_the_interval_covers_the_knee_as_often_as_it_says() -> None:
    generator, trials, hits = np.random.default_rng(4), 60, 0
    loads, levels = np.repeat([0.25, 0.45, 0.6, 0.8, 0.93], 3), np.repeat(range(5), 3)
    for _ in range(trials):
        noisy = curve(2, loads) * np.exp(generator.normal(0, 0.03, 15))
        hits += 3**-0.5 in knee.fit(loads, noisy, levels=levels).knee
    # binomial standard error of the share is 3 %
    assert hits / trials > 0.87


def test_repetitions_are_told_by_their_level() -> None:
    generator = np.random.default_rng(9)
    levels = np.repeat(range(5), 3)
    loads = np.repeat([0.25, 0.45, 0.6, 0.8, 0.93], 3) + generator.normal(0, 0.002, 15)
    found = knee.fit(loads, curve(2, loads) * np.exp(generator.normal(0, 0.02, 15)), levels=levels)
    assert found.noise.degrees_of_freedom == 12
    assert found.noise.lack_of_fit_p_value > 0.01
    assert math.isnan(knee.fit(loads, curve(2, loads)).noise.lack_of_fit_p_value)


def test_a_flat_curve_has_no_knee() -> None:
    found = knee.fit([0.1, 0.2, 0.3, 0.4, 0.5], [5.0, 5.1, 4.9, 5.02, 5.0])
    assert found.knee.high == math.inf
    assert not found.seen


def test_a_knee_that_was_not_reached_is_open_upward() -> None:
    loads = np.array([0.05, 0.1, 0.15, 0.2, 0.25])
    generator = np.random.default_rng(1)
    found = knee.fit(loads, curve(4, loads) * np.exp(generator.normal(0, 0.01, 5)))
    assert found.knee.high == math.inf


@pytest.mark.parametrize(
    ("load", "response", "levels", "reason"),
    [
        ([0.1, 0.2, 0.3], [1, 2, 3], None, "3 levels of load are too few: a knee needs 4"),
        ([0.1, 0.2, 0.3, 0.4], [1, 2, 3, 4], [1, 1, 2, 3], "3 levels"),
        ([0.1, 0.2, 0.3, 0.0], [1, 2, 3, 4], None, "positive numbers"),
        ([0.1, 0.2], [1], None, "do not pair up"),
    ],
)
def test_what_has_no_knee_to_find_is_refused(
    load: list[float], response: list[float], levels: Any, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        knee.fit(load, response, levels=levels)
