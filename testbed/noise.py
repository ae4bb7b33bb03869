"""Noise in which neighbouring intervals are alike, and the same on every machine.

First-order autoregressive: by sums and products of normal numbers only. What leaves a course is
rounded, so that the last bits, in which machines may differ, do not matter.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.signal import lfilter

from testbed.course import Series

#: Decimals that a course keeps.
_DECIMALS = 6


def wandering(random: np.random.Generator, steps: int, spread: float, memory: float) -> Series:
    """Return noise with mean 0 around which a quantity wanders.

    Parameters
    ----------
    random : numpy.random.Generator
        Where it comes from.
    steps : int
        How many intervals.
    spread : float
        Its standard deviation; it is held within three of them.
    memory : float
        How much of a deviation is left in the next interval, 0 to 1.
    """
    fresh = random.standard_normal(steps) * (spread * math.sqrt(1 - memory * memory))
    fresh[0] /= math.sqrt(1 - memory * memory)
    noise: Series = lfilter([1.0], [1.0, -memory], fresh)
    return np.clip(noise, -3 * spread, 3 * spread)


def settled(series: Series) -> Series:
    """Return a series without the digits that nobody prints."""
    return np.round(series, _DECIMALS)
