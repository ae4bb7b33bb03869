"""Coordinated omission: what a load driver that waits for a stalled server does not measure.

While all its users wait, it sends nothing; a stall of seconds is then a few slow samples, where
users who come by themselves would have met it by the hundred. G. Tene, "How NOT to measure
latency" (2013), gave it the name; his HdrHistogram adds the samples that are missing as if they had
been sent at the usual rate. So does this.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]


def with_omitted(
    times_ms: Values, samples: Values, stalls_ms: Sequence[float], per_s: float
) -> tuple[Values, Values]:
    """Add the samples that a driver would have sent while it stood still.

    Parameters
    ----------
    times_ms : array of float
        Response times.
    samples : array of float
        How often each occurred.
    stalls_ms : sequence of float
        How long it stood still, each time.
    per_s : float
        Samples per second that it sends otherwise.

    Returns
    -------
    tuple of array
        Response times and how often each occurred, with those added: a sample sent in a stall
        waits for the rest of it, and each moment of it is alike.
    """
    parts = 100
    waits = [np.asarray(times_ms, dtype=float)]
    counts = [np.asarray(samples, dtype=float)]
    for stall in stalls_ms:
        waits.append(stall * (np.arange(parts) + 0.5) / parts)
        counts.append(np.full(parts, per_s * stall / 1000 / parts))
    return np.concatenate(waits), np.concatenate(counts)


def percentile(times_ms: Values, samples: Values, percent: float) -> float:
    """The least response time that so many per cent of the samples do not exceed."""
    order = np.argsort(times_ms, kind="stable")
    up_to = np.cumsum(samples[order])
    place = np.searchsorted(up_to, percent / 100 * up_to[-1] * (1 - 1e-12))
    return float(times_ms[order][min(int(place), len(order) - 1)])
