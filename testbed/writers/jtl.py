"""Sample logs of Apache JMeter as CSV (``.jtl``), with the columns that JMeter 5 saves by default.

A driver's course has counts and response times by interval, and a sample log has single samples;
so the samples of an interval are drawn: their number is that of the course, their mean is its mean
to the millisecond that rounding takes, and they are spread as its standard deviation says. JMeter
writes a sample when it ends, and stamps it with its start (``sampleresult.timestamp.start=true``
in the properties that JMeter comes with), so the stamps of a log do not quite ascend.

The samples are those of a Java sampler, as for the API of a server: they have no URL, and neither
bytes nor latency, which such a sampler does not measure.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from math import ceil, floor, sqrt

import numpy as np

from studybook.errors import StudyBookError
from testbed.course import Counts, Course, Requests

HEADER = (
    "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
    "failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect"
)

#: Number of the stream of random numbers of this writer.
_STREAM = 5
#: The most squares of normal numbers that are added up for one response time.
_MOST_SQUARES = 32
#: For the manifest of a run that holds such a log.
NOTE = "Five samples in ten thousand are marked as failed, by chance; the model knows no failures."
_GOOD = ("200", "OK", "true", "")
_FAILED = ("500", "Server error", "false", "no answer in time, operation given up")


def lines(
    course: Course, *, group: str = "ECM workload", failed_share: float = 0.0005
) -> Iterator[str]:
    """Write the samples of a run.

    Parameters
    ----------
    course : Course
        The run; it needs a driver.
    group : str
        Name of the thread group.
    failed_share : float
        Share of the samples that fail. They count like the others.

    Yields
    ------
    str
        The header, then a line for each sample in the order of their ends, without line ends.
    """
    driver = course.driver
    if driver is None:
        raise StudyBookError(
            f"{course.run}: no driver, so there are no samples\n"
            "  → write a sample log of runs with a load driver only"
        )
    yield HEADER
    random = np.random.default_rng((*course.seed, _STREAM))
    start_ms = round(course.start.timestamp() * 1000)
    labels = [_field(each.page) for each in driver.requests]
    good, failed = (_answer(group, *answer) for answer in (_GOOD, _FAILED))
    threads = _Threads()
    before = 0
    for number, users in enumerate(driver.users.tolist()):
        elapsed, end, what = _samples(random, driver.requests, number, 1000 * driver.interval_s)
        fails = random.random(len(end)) < failed_share
        # Users that came or went in the interval may have been active in it.
        threads.resize(max(users, before, 1))
        active, before = max(users, 1), users
        for took, ended, which, fail in zip(
            elapsed.tolist(), end.tolist(), what.tolist(), fails.tolist(), strict=True
        ):
            thread = threads.take(ended)
            yield (failed if fail else good) % (
                start_ms + ended - took, took, labels[which], thread, active, active
            )  # fmt: skip


class _Threads:
    """Gives each sample to the thread that has been without one for longest.

    Where the course has more requests at a time than users, which a closed system has not, the
    samples of a thread overlap.
    """

    def __init__(self) -> None:
        self._free: list[tuple[int, int]] = []
        self._parked: list[tuple[int, int]] = []
        self._count = 0

    def resize(self, count: int) -> None:
        """Let threads 1 to ``count`` work; the others keep still until they are wanted again."""
        if count < self._count:
            self._parked += [each for each in self._free if each[1] > count]
            self._free = [each for each in self._free if each[1] <= count]
        elif count > self._count:
            back = [each for each in self._parked if each[1] <= count]
            self._parked = [each for each in self._parked if each[1] > count]
            first = max([self._count, *(number for _, number in back)]) + 1
            self._free += back + [(-1, number) for number in range(first, count + 1)]
        self._count = count
        heapq.heapify(self._free)

    def take(self, end: int) -> int:
        """Return the thread of a sample with this end, later than those before."""
        number = self._free[0][1]
        heapq.heapreplace(self._free, (end, number))
        return number


def _samples(
    random: np.random.Generator, requests: tuple[Requests, ...], number: int, interval_ms: int
) -> tuple[Counts, Counts, Counts]:
    """Draw the samples of an interval: elapsed and end in ms, and which request; by end."""
    begin = number * interval_ms
    elapsed = [_elapsed(random, each, number) for each in requests]
    what = np.repeat(np.arange(len(requests)), [len(each) for each in elapsed])
    took = np.concatenate([np.zeros(0, np.int64), *elapsed])
    # None can end before it has taken its time since the start of the run.
    earliest = np.minimum(np.maximum(took - begin, 0), interval_ms - 1)
    end = earliest + (random.random(len(took)) * (interval_ms - earliest)).astype(np.int64)
    order = np.argsort(end, kind="stable")
    return took[order], begin + end[order], what[order]


def _elapsed(random: np.random.Generator, requests: Requests, number: int) -> Counts:
    """Draw the response times of an interval in whole ms, with the mean that it has.

    A sum of squares of ``k`` standard normal numbers has mean ``k`` and variance ``2 k``: it is
    Erlang distributed for even ``k``, and ``k`` follows from the coefficient of variation.
    """
    hits = int(requests.hits[number])
    mean, stdev = float(requests.mean_ms[number]), float(requests.stdev_ms[number])
    if not hits:
        return np.zeros(0, np.int64)
    squares = _MOST_SQUARES
    if stdev > 0:
        squares = min(max(round(2 * mean * mean / (stdev * stdev)), 1), _MOST_SQUARES)
    normal = random.standard_normal((hits, squares))
    drawn = (np.add.reduce(normal * normal, axis=1) - squares) / sqrt(2 * squares)
    low, high = floor(requests.min_ms[number]), ceil(requests.max_ms[number])
    elapsed: Counts = np.clip(np.rint(mean + stdev * drawn), low, high).astype(np.int64)
    missing = round(mean * hits) - int(elapsed.sum())
    while missing:
        room = np.flatnonzero(elapsed < high if missing > 0 else elapsed > low)
        if not len(room):
            break
        sign = 1 if missing > 0 else -1
        step = max(abs(missing) // len(room), 1)
        room = room[: abs(missing)]
        elapsed[room] = np.clip(elapsed[room] + sign * step, low, high)
        missing = round(mean * hits) - int(elapsed.sum())
    return elapsed


def _answer(group: str, code: str, message: str, success: str, failure: str) -> str:
    """Return a format for a line with this answer."""
    thread = _field(group.replace("%", "%%") + " 1-%d")
    return (
        f"%d,%d,%s,{code},{message},{thread},text,{success},{_field(failure)},0,0,%d,%d,null,0,0,0"
    )


def _field(text: str) -> str:
    """Quote a text that holds what divides fields."""
    if any(character in text for character in ',"\n'):
        return '"' + text.replace('"', '""') + '"'
    return text
