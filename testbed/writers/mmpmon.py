"""mmpmon: counters of a mounted file system, as ``mmpmon -p -i requests -d … -r …`` prints them.

One line per answer, of keywords and values. The list of nodes is made once; then each loop asks
all nodes in turn, and ends in ``_end_``. A loop begins some milliseconds later than the delay
says, and each node answers a little after the one before it. So no interval is exactly as long as
was asked for, and counters are those of the instants that are printed beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal

import numpy as np

from studybook.errors import StudyBookError
from testbed.course import Counts, Course, FileSystem, Guest, Series

Request = Literal["fs_io_s", "io_s"]

#: Number of this writer's random numbers.
_NOISE = 702

#: Loops whose answers are made at a time.
_BATCH = 512

_SECOND_US = 1_000_000
_KIB = 1024

#: Return code of a node that has lost the quorum.
_NO_QUORUM = 668

_KEYS = ("br", "bw", "oc", "cc", "rdc", "wc", "dir", "iu")
_COUNTERS = "".join(f" _{key}_ %d" for key in _KEYS)
#: Counters of bytes have 64 bits (here the sign takes one), those of calls have 32.
_LARGEST = np.array([2**63 - 1] * 2 + [2**32 - 1] * 6)


def lines(
    course: Course,
    guests: Sequence[Guest],
    *,
    requests: Sequence[Request] = ("fs_io_s", "io_s"),
    reset_at: int | None = None,
    dead: tuple[str, int] | None = None,
) -> Iterator[str]:
    """Write the answers of some nodes, from the start of the run to its end.

    Parameters
    ----------
    course : Course
        The run.
    guests : sequence of Guest
        The nodes in the list, each with an interface; mmpmon runs on the first one. A node
        without a file system answers that none is mounted.
    requests : sequence of str
        What is asked in each loop, in this order.
    reset_at : int, optional
        A loop, counted from 0, before which someone else's mmpmon has set the counters of all
        nodes to 0. Nothing in the file says so.
    dead : tuple of str and int, optional
        A node, and the loop in which it does not answer.

    Raises
    ------
    StudyBookError
        If there is no node to ask, or no such loop or node.
    """
    if not guests or any(not guest.interfaces for guest in guests):
        raise StudyBookError(
            "mmpmon needs nodes with an address\n  → name guests that have a network interface"
        )
    random = np.random.default_rng((*course.seed, _NOISE))
    began_us = (course.start - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    yield from _first_lines(guests, began_us - int(random.integers(200_000, 900_000)))
    times_us, turns = _turns(course, len(requests), len(guests), random)
    _check(guests, len(times_us), reset_at, dead)
    reset_us = None
    if reset_at is not None:
        reset_us = int(random.integers(times_us[reset_at - 1, -1] + 1, times_us[reset_at, 0]))
    hours_mounted = random.integers(20, 400, len(guests))
    answers = [
        _Answer(request, guest, course, int(hours), reset_us)
        for request in requests
        for guest, hours in zip(guests, hours_mounted, strict=True)
    ]
    for first in range(0, len(times_us), _BATCH):
        times, turn = times_us[first : first + _BATCH], turns[first : first + _BATCH]
        times_of_answers = np.take_along_axis(
            times, np.argsort(turn, axis=1, kind="stable"), axis=1
        )
        counters = [
            answer.counters(times_of_answers[:, number]).tolist()
            for number, answer in enumerate(answers)
        ]
        for place, instants in enumerate((times + began_us).tolist()):
            for number, instant in zip(turn[place].tolist(), instants, strict=True):
                answer, stamp = answers[number], divmod(instant, _SECOND_US)
                if dead == (answer.node, first + place):
                    yield answer.failed % stamp
                else:
                    yield answer.form % (*stamp, *counters[number][place])
            yield "_end_"


class _Answer:
    """The answers of one node to one request.

    Counters are integrals of the rates of the course, from an earlier mount on. Before the run
    the node has done a tenth of what it does in it.
    """

    def __init__(
        self, request: Request, guest: Guest, course: Course, hours: int, reset_us: int | None
    ) -> None:
        mounted = guest.file_system
        self.node = guest.name
        self.interval_us = course.interval_s * _SECOND_US
        self.reset_us = reset_us
        who = _who(guest)
        self.failed = f"_failed_ {who} _rc_ {_NO_QUORUM} _t_ %d _tu_ %d"
        self.form = f"_{request}_ {who} _rc_ 0 _t_ %d _tu_ %d"
        self.width = len(_KEYS)
        if request == "io_s":
            self.form += _COUNTERS
        elif mounted:
            self.form += f" _cl_ {mounted.cluster} _fs_ {mounted.name} _d_ {mounted.disks}"
            self.form += _COUNTERS
        else:
            self.form = self.form.replace("_rc_ 0", "_rc_ 1") + " _cl_ - _fs_ -"
            self.width = 0
        self.per_s = _rates(mounted, course.intervals)
        self.at_start = np.zeros((course.intervals + 1, len(_KEYS)))
        self.at_start[1:] = np.cumsum(self.per_s * course.interval_s, axis=0)
        mean_per_s = self.at_start[-1] / (course.intervals * course.interval_s)
        self.before = np.floor(mean_per_s * (360 * hours)).astype(np.int64)

    def counters(self, times_us: Counts) -> Counts:
        """Return the counters at some instants, in µs since the start of the run."""
        counted = self.before + self._done(times_us)
        if self.reset_us is not None:
            since = counted - self.before - self._done(np.array([self.reset_us]))
            counted = np.where((times_us > self.reset_us)[:, None], since, counted)
        found: Counts = (counted & _LARGEST)[:, : self.width]
        return found

    def _done(self, times_us: Counts) -> Counts:
        """Return what was counted since the start of the run."""
        interval = np.minimum(times_us // self.interval_us, len(self.per_s) - 1)
        into_s = (times_us - interval * self.interval_us) / _SECOND_US
        done: Counts = np.floor(
            self.at_start[interval] + self.per_s[interval] * into_s[:, None]
        ).astype(np.int64)
        return done


def _rates(mounted: FileSystem | None, intervals: int) -> Series:
    """Return what the counters grow by, per second: a row per interval."""
    if mounted is None:
        return np.zeros((intervals, len(_KEYS)))
    return np.column_stack(
        (
            mounted.read_kib_s * _KIB,
            mounted.write_kib_s * _KIB,
            mounted.opens_per_s,
            mounted.closes_per_s,
            mounted.reads_per_s,
            mounted.writes_per_s,
            mounted.readdirs_per_s,
            mounted.inode_updates_per_s,
        )
    )


def _turns(
    course: Course, requests: int, nodes: int, random: np.random.Generator
) -> tuple[Counts, Counts]:
    """Return when answers come, and whose: a row per loop that ends within the run.

    Times are µs since the start of the run. An answer is numbered by request, then by node; the
    nodes answer a request in any order.
    """
    loops, interval_us = course.intervals + 1, course.interval_s * _SECOND_US
    gaps_us = random.integers(150, 900, (loops, requests * nodes))
    gaps_us[1:, 0] += interval_us + random.integers(1_500, 6_000, loops - 1)
    times_us = np.cumsum(gaps_us).reshape(gaps_us.shape)
    within = times_us[:, -1] <= course.intervals * interval_us
    every = np.broadcast_to(np.arange(nodes), (loops, requests, nodes))
    order = random.permuted(every, axis=2) + nodes * np.arange(requests)[:, None]
    return times_us[within], order.reshape(gaps_us.shape)[within]


def _first_lines(guests: Sequence[Guest], at_us: int) -> Iterator[str]:
    """Write the version, and how the list of nodes was made."""
    second, micro = divmod(at_us, _SECOND_US)
    yield f"_ver_ {_who(guests[0])} _v_ 4 _lv_ 2 _vt_ 0"
    head = f"_nlist_ {_who(guests[0])} _req_ add _rc_ 0 _t_ {second} _tu_ {micro}"
    yield f"{head} _c_ {len(guests)}"
    for guest in guests:
        address = guest.interfaces[0].address
        yield f"{head} _ni_ {guest.name} _nx_ {guest.name} _nxip_ {address}"
    yield f"{head} _did_ {len(guests)} _nlc_ {len(guests)}"


def _who(guest: Guest) -> str:
    return f"_n_ {guest.interfaces[0].address} _nn_ {guest.name}"


def _check(
    guests: Sequence[Guest], loops: int, reset_at: int | None, dead: tuple[str, int] | None
) -> None:
    """Refuse what cannot happen in this run."""
    names = [guest.name for guest in guests]
    if dead and dead[0] not in names:
        raise StudyBookError(
            f"{dead[0]} is not among the nodes that mmpmon asks\n  → name one of {', '.join(names)}"
        )
    if reset_at is not None and not 1 <= reset_at < loops:
        raise StudyBookError(
            f"no counters can be reset before loop {reset_at} of {loops}\n"
            f"  → name a loop from 1 to {loops - 1}"
        )
    if dead and not 0 <= dead[1] < loops:
        raise StudyBookError(
            f"there is no loop {dead[1]} among {loops}\n  → name a loop from 0 to {loops - 1}"
        )
