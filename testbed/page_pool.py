"""How much of what is read comes out of a page pool: the approximation of Che.

A pool that throws out the block used least recently holds a block as long as it is used again
within a *characteristic time* ``T``, the same for all blocks (Che, Tung and Wang 2002; Fricker,
Robert and Roberts 2012 on why and how well that works). With accesses at random at the rate ``a``
and invalidations, by writes of other nodes, at the rate ``b``, an access finds its block when the
one before lies less than ``T`` back and no invalidation came between:

    h = a / (a + b) * (1 - exp(-(a + b) T))

By the same argument ``h`` is the share of time for which the pool holds the block. ``T`` is where
these shares add up to the number of blocks in the pool. The popularity of blocks is Zipf's.

References
----------
- H. Che, Y. Tung, Z. Wang, "Hierarchical web caching systems: modeling, design and experimental
  results", IEEE Journal on Selected Areas in Communications 20(7), 2002, pages 1305-1314.
- C. Fricker, P. Robert, J. Roberts, "A versatile and accurate approximation for LRU cache
  performance", 24th International Teletraffic Congress, 2012.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache

#: Ranks that are taken one by one; beyond, ranges of ranks grow by this factor.
SINGLE_RANKS = 64
GROWTH = 1.1


@lru_cache(maxsize=256)
def popularity(items: float, exponent: float) -> tuple[tuple[float, float], ...]:
    """Return groups of equally popular items: how many, and the share of accesses of each.

    Parameters
    ----------
    items : float
        Number of items; the last one may be there in part, so that nothing jumps.
    exponent : float
        Zipf's exponent: the item of rank ``r`` has the weight ``r ** -exponent``.
    """
    edges: list[float] = [1]
    while edges[-1] < items + 1.0:
        edge = edges[-1]
        edges.append(edge + 1 if edge <= SINGLE_RANKS else int(edge * GROWTH))
    edges[-1] = items + 1.0
    groups = []
    for first, after in itertools.pairwise(edges):
        # The sum over the ranks of a group, as the integral between their outer edges.
        low, high = first - 0.5, after - 0.5
        if first <= SINGLE_RANKS and after - first == 1.0:
            weight = first**-exponent
        elif exponent == 1.0:
            weight = math.log(high / low)
        else:
            weight = (high ** (1.0 - exponent) - low ** (1.0 - exponent)) / (1.0 - exponent)
        groups.append((after - first, weight))
    total = sum(weight for _, weight in groups)
    return tuple((number, weight / number / total) for number, weight in groups)


@lru_cache(maxsize=4096)
def hit_ratio(
    items: float, capacity: float, exponent: float, invalidations_per_access: float = 0.0
) -> float:
    """Return the share of accesses that find their item in the pool.

    Parameters
    ----------
    items : float
        Number of items that are asked for.
    capacity : float
        Items that the pool holds.
    exponent : float
        Zipf's exponent of their popularity.
    invalidations_per_access : float
        How often an item becomes invalid for each access to it.
    """
    groups = popularity(items, exponent)
    kept = 1.0 / (1.0 + invalidations_per_access)
    rates = [(number, share, share / kept) for number, share in groups]
    if capacity >= items * kept:
        # All that is valid fits in.
        return kept

    def held(time: float) -> tuple[float, float]:
        """Return the number of items held, and how it grows with time."""
        value = slope = 0.0
        for number, share, rate in rates:
            gone = math.exp(-rate * time)
            value += number * kept * (1.0 - gone)
            slope += number * share * gone
        return value, slope

    # Newton from below: the number held grows, ever slower, so that no step goes too far.
    time = 0.0
    for _ in range(200):
        value, slope = held(time)
        step = (capacity - value) / slope
        time += step
        if step <= 1e-12 * time:
            break
    return kept * sum(n * share * (1.0 - math.exp(-rate * time)) for n, share, rate in rates)
