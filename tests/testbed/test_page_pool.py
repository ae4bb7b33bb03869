"""Hit ratios of page pools against pools that are simulated access by access."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from testbed.page_pool import hit_ratio, popularity

#: Largest difference of a hit ratio from a simulated one.
TOLERANCE = 0.01


def simulated(
    items: int, capacity: int, exponent: float, invalidations: float, accesses: int = 120_000
) -> float:
    """Run a pool that throws out what was used least recently, from empty; skip the first half."""
    random = np.random.default_rng(1)
    weights = [rank**-exponent for rank in range(1, items + 1)]
    shares = np.array(weights) / sum(weights)
    asked = random.choice(items, size=accesses, p=shares).tolist()
    # The other nodes write what is popular: as many writes of an item as there are accesses to it.
    written = random.choice(items, size=round(accesses * invalidations), p=shares).tolist()
    due = np.sort(random.random(len(written)) * accesses).tolist()
    pool: OrderedDict[int, None] = OrderedDict()
    hits = writes = 0
    for number, item in enumerate(asked):
        while writes < len(due) and due[writes] <= number:
            pool.pop(written[writes], None)
            writes += 1
        if item in pool:
            hits += number >= accesses // 2
            pool.move_to_end(item)
        else:
            pool[item] = None
            if len(pool) > capacity:
                pool.popitem(last=False)
    return hits / (accesses - accesses // 2)


@pytest.mark.parametrize("exponent", [0.6, 0.8, 1.0])
@pytest.mark.parametrize("capacity", [50, 300, 1500])
@pytest.mark.parametrize("invalidations", [0.0, 0.5, 2.0])
def test_agrees_with_a_simulated_pool(exponent: float, capacity: int, invalidations: float) -> None:
    model = hit_ratio(4000, capacity, exponent, invalidations)
    assert model == pytest.approx(simulated(4000, capacity, exponent, invalidations), abs=TOLERANCE)


def test_groups_of_ranks_do_not_change_the_result() -> None:
    items, capacity, exponent = 20_000, 1_000, 0.8
    weights = np.arange(1, items + 1) ** -exponent
    shares = weights / weights.sum()
    low, high = 0.0, 1e7
    for _ in range(200):
        time = (low + high) / 2
        low, high = (time, high) if (1 - np.exp(-shares * time)).sum() < capacity else (low, time)
    exact = float((shares * (1 - np.exp(-shares * low))).sum())
    assert hit_ratio(items, capacity, exponent) == pytest.approx(exact, rel=1e-3)


@given(
    items=st.floats(1, 2e6),
    capacity=st.floats(1, 2e6),
    exponent=st.floats(0.3, 1.5),
    invalidations=st.floats(0, 10),
)
def test_more_room_never_hurts_and_writes_never_help(
    items: float, capacity: float, exponent: float, invalidations: float
) -> None:
    ratio = hit_ratio(items, capacity, exponent, invalidations)
    assert 0.0 <= ratio <= 1.0 / (1.0 + invalidations) + 1e-9
    assert hit_ratio(items, 2 * capacity, exponent, invalidations) >= ratio - 1e-9
    assert hit_ratio(items, capacity, exponent, invalidations + 0.5) <= ratio + 1e-9


@given(items=st.floats(1, 2e6), exponent=st.floats(0.3, 1.5))
def test_popularity_adds_up(items: float, exponent: float) -> None:
    groups = popularity(items, exponent)
    assert sum(number for number, _ in groups) == pytest.approx(items)
    assert sum(number * share for number, share in groups) == pytest.approx(1.0)
