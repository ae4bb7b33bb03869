"""A course as the hypervisor's monitor sees it: means over the intervals of a listing.

One sum holds throughout: the processor time of the guests, total, and that of CP which belongs
to no guest, together are the busy time of the processors of the partition.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property

import numpy as np

from studybook.errors import StudyBookError
from testbed.course import Course, Guest, Interface, Series

#: Major number of ECKD disks. SCSI disks behind FCP do their transfers without start I/O, so the
#: hypervisor does not count them.
ECKD = 94

#: Number of the stream of random numbers that spreads the load over the processors.
_STREAM = 225


@dataclass(frozen=True)
class Means:
    """Means of a course over the intervals of its listing.

    Parameters
    ----------
    course : Course
        The run.
    every : int
        Intervals of the course in one of the listing; the last one may have fewer.
    """

    course: Course
    every: int

    def __post_init__(self) -> None:
        if self.every < 1 or not self.course.intervals:
            raise StudyBookError(
                f"{self.course.run}: no interval for a listing\n"
                "  → a listing needs a course of one interval at least, and every of 1 or more"
            )
        if np.any(self.busy_ifl > self.course.ifls):
            raise StudyBookError(
                f"{self.course.run}: guests and CP use {self.busy_ifl.max():.2f} processors, and "
                f"the partition has {self.course.ifls}\n  → lower the load or give it more"
            )

    @cached_property
    def _starts(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.arange(0, self.course.intervals, self.every)

    @cached_property
    def counts(self) -> Series:
        """Intervals of the course in each interval of the listing."""
        ends = np.append(self._starts[1:], self.course.intervals)
        return np.asarray(ends - self._starts, np.float64)

    @cached_property
    def ends(self) -> list[datetime]:
        """Ends of the intervals, in local time."""
        zone, start = self.course.start.tzinfo, self.course.start.astimezone(UTC)
        seconds = np.cumsum(self.counts) * self.course.interval_s
        return [(start + timedelta(seconds=each)).astimezone(zone) for each in seconds.tolist()]

    def of(self, series: Series) -> Series:
        """Average a series over the intervals of the listing."""
        return np.add.reduceat(series, self._starts) / self.counts

    def total_ifl(self, guest: Guest) -> Series:
        """Processor time of a guest with what CP does for it."""
        return self.virtual_ifl(guest) + self.of(guest.hypervisor_ifl)

    def virtual_ifl(self, guest: Guest) -> Series:
        """Processor time that a guest used itself. Waiting (iowait, steal) uses none."""
        return self.of(guest.user_ifl) + self.of(guest.system_ifl)

    @cached_property
    def emulation_ifl(self) -> Series:
        """Processor time of all guests themselves."""
        return sum((self.virtual_ifl(guest) for guest in self.course.guests), self._nothing())

    @cached_property
    def user_ifl(self) -> Series:
        """Processor time of all guests with what CP does for them."""
        return sum((self.total_ifl(guest) for guest in self.course.guests), self._nothing())

    @cached_property
    def busy_ifl(self) -> Series:
        """Busy time of all processors."""
        return self.user_ifl + self.of(self.course.cp_ifl)

    @cached_property
    def processor_share(self) -> Series:
        """Busy share of each processor, of shape (intervals, processors).

        The dispatcher keeps processors almost evenly busy. A deviation of each is drawn from the
        share ``u`` that is left on both sides: at most ``u (1 − u)``, so none is above 1.
        """
        random = np.random.default_rng((*self.course.seed, _STREAM))
        share = self.busy_ifl / self.course.ifls
        spread = random.random((len(share), self.course.ifls)) - 0.5
        spread -= (np.add.reduce(spread, axis=1) / self.course.ifls)[:, np.newaxis]
        return share[:, np.newaxis] + 0.5 * (share * (1 - share))[:, np.newaxis] * spread

    def eckd(self, guest: Guest) -> tuple[Series, Series]:
        """Requests per second of a guest to its ECKD disks, and those times response time in ms."""
        rate, weighted = self._nothing(), self._nothing()
        for disk in guest.disks:
            if disk.major == ECKD:
                requests = disk.reads_per_s + disk.writes_per_s
                rate = rate + self.of(requests)
                weighted = weighted + self.of(requests * disk.wait_ms)
        return rate, weighted

    def packets(self, interface: Interface) -> tuple[Series, Series, Series, Series]:
        """Bytes and packets per second out, then in."""
        return (
            self.of(interface.tx_kib_s) * 1024,
            self.of(interface.tx_packets_per_s),
            self.of(interface.rx_kib_s) * 1024,
            self.of(interface.rx_packets_per_s),
        )

    def mean(self, series: Series, part: slice = slice(None)) -> float:
        """Average over some intervals of the listing, weighted by their lengths."""
        weights = self.counts[part]
        return float(np.add.reduce(series[part] * weights) / np.add.reduce(weights))

    def seconds(self, part: slice = slice(None)) -> float:
        """Length of some intervals of the listing."""
        return float(np.add.reduce(self.counts[part])) * self.course.interval_s

    def _nothing(self) -> Series:
        return np.zeros(len(self._starts))
