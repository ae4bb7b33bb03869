"""The load driver's part of a run: users, transactions and pages, interval by interval.

The number of users, their response and think time and their rate are bound together by Little's
law: where a wandering response time is longer, the rate is lower. The pages of a transaction follow
each other, and each response time is drawn: counts, means and extremes are those of samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

import numpy as np

from testbed.course import Counts, Driver, Requests, Series
from testbed.noise import settled, wandering
from testbed.planned import PlannedRun
from testbed.prediction import Operation, Prediction

Along = Callable[[Callable[[Prediction], float], Series], Series]

#: Relative spread of the response time between repetitions, and within a run; of think times.
RUN_SPREAD, RESPONSE_SPREAD, THINK_SPREAD = 0.012, 0.03, 0.008

#: How much of a deviation is left after an interval of the driver.
MEMORY = 0.8

#: A response time is the sum of so many squares of normal numbers: three stages of exponential
#: service, whose coefficient of variation is 0.58.
SQUARES = 6

#: Smallest share of the users for which the model is solved.
FEWEST = 0.02

#: Intervals whose samples are drawn at once: memory does not grow with the run.
_AT_ONCE = 256


def users_of(planned: PlannedRun, steps: int) -> tuple[Counts, Counts]:
    """Return the users at work and those that have ended, at the end of each step.

    They log in one after another, and end one after another.
    """
    phases = planned.phases
    at_s = np.arange(1, steps + 1) * planned.driver_interval_s
    most = int(planned.users)
    begun = np.minimum(at_s * most // phases.ramp_up_s, most)
    ending_s = at_s - phases.ramp_up_s - phases.stable_s
    ended = np.clip(ending_s * most // phases.ramp_down_s, 0, most)
    return begun - ended, ended


def response_noise(random: np.random.Generator, steps: int) -> Series:
    """Return the factor by which response times differ from those predicted."""
    run = 1 + RUN_SPREAD * random.standard_normal()
    return run * (1 + wandering(random, steps, RESPONSE_SPREAD, MEMORY))


def load_of(random: np.random.Generator, state: Prediction, response: Series) -> Series:
    """Return the factor by which rates differ then, by Little's law.

    Parameters
    ----------
    random : numpy.random.Generator
        For the think times.
    state : Prediction
        The steady state.
    response : numpy.ndarray
        Factor of the response times.
    """
    cycle_s = state.users / sum(each[0].per_s for each in _transactions(state.operations))
    waiting_s = cycle_s - state.think_time_s
    thinking = 1 + wandering(random, len(response), THINK_SPREAD, MEMORY)
    return cycle_s / (waiting_s * response + state.think_time_s * thinking)


def driver_of(
    random: np.random.Generator,
    planned: PlannedRun,
    state: Prediction,
    along: Along,
    load: Series,
    response: Series,
) -> Driver:
    """Make the driver's part of a course.

    Parameters
    ----------
    random : numpy.random.Generator
        For what is drawn.
    planned : PlannedRun
        The run.
    state : Prediction
        The steady state with all users.
    along : callable
        Interpolates a quantity of the predictions at numbers of users.
    load, response : numpy.ndarray
        Factors of rates and of response times.
    """
    users, completed = users_of(planned, len(load))
    requests: list[Requests] = []
    first = 0
    for pages in _transactions(state.operations):
        numbers = range(first, first + len(pages))
        first += len(pages)
        requests += _pages(random, planned, pages, numbers, along, users, load, response)
    return Driver(
        interval_s=planned.driver_interval_s,
        users=users,
        completed_users=completed,
        think_time_s=state.think_time_s,
        requests=tuple(requests),
    )


def _transactions(operations: Sequence[Operation]) -> Iterator[list[Operation]]:
    """Put the pages together that follow each other: those are done as often as each other."""
    for _, pages in groupby(operations, key=lambda each: (each.transaction, each.per_s)):
        yield list(pages)


def _pages(
    random: np.random.Generator,
    planned: PlannedRun,
    pages: Sequence[Operation],
    numbers: range,
    along: Along,
    users: Counts,
    load: Series,
    response: Series,
) -> Iterator[Requests]:
    at = users.astype(float)
    first = numbers[0]
    expected = along(lambda state: state.operations[first].per_s, at) * load
    # Below the fewest users for which the model was solved, work is in proportion to them.
    expected *= np.minimum(at / (FEWEST * planned.users), 1.0) * planned.driver_interval_s
    # Users of a closed system take turns, so their number spreads less than a Poisson count.
    begun = np.rint(expected + 0.6 * np.sqrt(expected) * random.standard_normal(len(expected)))
    so_far = np.cumsum(np.maximum(begun, 0))
    ends = np.arange(1.0, len(at) + 1)
    late = np.zeros(len(at))
    for number, page in zip(numbers, pages, strict=True):
        mean = along(lambda state, n=number: state.operations[n].response_ms, at) * response  # type: ignore[misc]  # n is no argument
        late = late + mean / (1000 * planned.driver_interval_s)
        # What had begun so much earlier has ended by now.
        then = np.maximum.accumulate(ends - late)
        ended = np.floor(np.interp(then, np.append(0.0, ends), np.append(0.0, so_far)))
        hits = np.diff(ended, prepend=0.0).astype(np.int64)
        yield Requests(page.transaction, page.page, hits, *_drawn(random, hits, mean))


def _drawn(
    random: np.random.Generator, hits: Counts, mean_ms: Series
) -> tuple[Series, Series, Series, Series]:
    """Draw each response time; return mean, standard deviation, least and most by interval."""
    mean, stdev, least, most = (np.zeros(len(hits)) for _ in range(4))
    for begin in range(0, len(hits), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        counts = hits[part]
        normal = random.standard_normal((int(counts.sum()), SQUARES))
        times = np.repeat(mean_ms[part], counts) * (normal * normal).sum(axis=1) / SQUARES
        which = np.flatnonzero(counts) + begin
        starts = np.cumsum(counts) - counts
        starts = starts[counts > 0]
        if not len(starts):
            continue
        several = counts[counts > 0]
        mean[which] = np.add.reduceat(times, starts) / several
        around = times - np.repeat(mean[which], several)
        squares = np.add.reduceat(around * around, starts)
        stdev[which] = np.sqrt(squares / np.maximum(several - 1, 1))
        least[which] = np.minimum.reduceat(times, starts)
        most[which] = np.maximum.reduceat(times, starts)
    return settled(mean), settled(stdev), settled(least), settled(most)
