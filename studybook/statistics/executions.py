"""Several executions in one log of a load driver: the load stopped, and began again.

No request ended for a minute, where at the usual rate 20 would have, and no answer was waited for;
or all but a tenth of the users went away.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

#: A shorter pause parts no executions, nor one in which fewer requests would have ended.
_PAUSE_S, _INTERVALS, _REQUESTS = 60.0, 3.0, 20.0
#: With fewer of the users than this part of the most, nothing is going on.
_FEW = 0.1
#: So many executions are told one by one.
_TOLD = 6

Times = npt.NDArray[np.datetime64]
Values = npt.NDArray[np.float64]


class Execution(NamedTuple):
    """When an execution began, and when it ended."""

    first: datetime
    last: datetime


def executions(
    ends: Times, interval_s: Values, completed: Values, response_s: Values, users: Values
) -> list[Execution]:
    """Part the intervals of a load into executions.

    Parameters
    ----------
    ends : array of datetime64
        When each interval ends, in their order.
    interval_s, completed : array of float
        How long it is, and the requests that ended in it.
    response_s, users : array of float
        How long these took, and how many users there were; NaN where it is not known.
    """
    most = np.nanmax(users) if not np.isnan(users).all() else np.nan
    busy = (completed > 0) & ~(users <= _FEW * most)
    if not busy.any():
        return []
    ends, interval_s, completed = ends[busy].astype("M8[us]"), interval_s[busy], completed[busy]
    begins = ends - (interval_s * 1e6).astype("m8[us]")
    pauses = np.diff(ends).astype(float) / 1e6 - interval_s[1:]
    apart = (
        (pauses >= np.maximum(_PAUSE_S, _INTERVALS * interval_s[1:]))
        & (pauses * completed.sum() / interval_s.sum() >= _REQUESTS)
        & (np.nan_to_num(response_s[busy][1:]) < pauses / 2)
    )
    starts = np.flatnonzero(np.concatenate([[True], apart]))
    stops = [*(starts[1:] - 1), len(ends) - 1]
    return [
        Execution(begins[start].item(), ends[stop].item())
        for start, stop in zip(starts, stops, strict=True)
    ]


def said(found: Sequence[Execution]) -> str:
    """In words: how many executions, and when the first of them were."""
    times = [f"{each.first:%m-%d %H:%M}–{each.last:%H:%M}" for each in found]
    return f"{len(found)} executions: {', '.join([*times[:_TOLD], *['…'] * (len(found) > _TOLD)])}"
