"""The sections of a sar report: headings, formats, and numbers of a course.

Headings and printf formats are those of sysstat 8.1.x (``pr_stats.c``), in the order in which
``sar -A -f`` prints its activities. Left out are activities that a course says nothing of
(paging, kernel tables, sockets, …), as if sar had been asked for the others only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studybook.errors import StudyBookError
from testbed.course import Course, Disk, Guest, Series

Floats = NDArray[np.float64]

#: Behind the seed of a course, for noise of this writer.
SEED = 11
#: How much one processor's share of the work is off the mean: always, and in each interval.
_UNEVEN, _NOISE = 0.08, 0.12

#: Lines after which sar repeats a heading where its output is no terminal: 3600 * 24.
_SCREEN = 86_400
#: Processors that a sample of all counts: the bits of their bitmap, used or not.
_CPU_BITS = 1024 + 8

#: Of the kernel (``sched.h``): every 5 s, what is left of a load average over 1, 5, 15 minutes.
_LOAD_STEP_S = 5
_LOAD_KEPT = (1884 / 2048, 2014 / 2048, 2037 / 2048)


@dataclass(frozen=True)
class Section:
    """One activity in one stretch between two starts of the host.

    Parameters
    ----------
    heading : str
        The names of the columns, as they follow the time.
    items : tuple of str
        What stands between the time and the values, one for each line of a sample.
    row : str
        printf format of the values.
    values : callable
        Rates and gauges in some intervals: shape ``(intervals, items, quantities)``.
    shown : callable
        Makes columns of quantities. sar averages counters, not columns: an average of a
        quotient is the quotient of averages.
    lines_per_sample : int
        What sar counts for a sample on the way to the next heading, if not its items.
    """

    heading: str
    items: tuple[str, ...]
    row: str
    values: Callable[[slice], Floats]
    shown: Callable[[Floats], Floats] = lambda quantities: quantities
    lines_per_sample: int = 0

    @property
    def samples_per_heading(self) -> int:
        """Samples after which the heading is repeated."""
        return math.ceil(_SCREEN / (self.lines_per_sample or max(len(self.items), 1)))


def sections(course: Course, guest: Guest, first: int, last: int, per_cpu: bool) -> list[Section]:
    """The sections of a guest, for intervals ``first`` to ``last`` (without it).

    Raises
    ------
    StudyBookError
        If the guest is busier than its processors can be.
    """

    def plain(heading: str, row: str, *series: Series, item: str = "") -> Section:
        return Section(heading, (item,), row, _values([series]))

    nothing, switches = np.zeros(course.intervals), guest.context_switches_per_s
    running = np.rint(guest.run_queue + guest.user_ifl + guest.system_ifl + guest.steal_ifl)
    loads = _load_averages(running, course.interval_s, first, last)
    reads, writes, read_kib, written_kib = (
        sum((getattr(disk, name) for disk in guest.disks), nothing)
        for name in ("reads_per_s", "writes_per_s", "read_kib_s", "write_kib_s")
    )
    return [
        _processors(course, guest, per_cpu),
        plain("    proc/s   cswch/s", " %9.2f" * 2, guest.created_per_s, switches),
        plain("      INTR    intr/s", " %9.2f", guest.interrupts_per_s, item="       sum"),
        plain(
            "       tps      rtps      wtps   bread/s   bwrtn/s", " %9.2f" * 5,
            reads + writes, reads, writes, 2 * read_kib, 2 * written_kib,
        ),
        _memory(guest),
        # The guests have no swap space.
        plain(
            " kbswpfree kbswpused  %swpused  kbswpcad   %swpcad",
            " %9.0f %9.0f    %6.2f %9.0f    %6.2f", *[nothing] * 5,
        ),
        plain(
            "   runq-sz  plist-sz   ldavg-1   ldavg-5  ldavg-15",
            " %9.0f %9.0f %9.2f %9.2f %9.2f", running, np.rint(guest.tasks), *loads,
        ),
        _disks(guest.disks),
        *_networks(guest, nothing),
    ]  # fmt: skip


def _values(rows: Sequence[Sequence[Series]]) -> Callable[[slice], Floats]:
    """Quantities that are series already: one row for each item."""

    def values(part: slice) -> Floats:
        if not rows:
            return np.zeros((part.stop - part.start, 0, 0))
        return np.stack([np.stack([each[part] for each in row], axis=-1) for row in rows], axis=1)

    return values


def _processors(course: Course, guest: Guest, per_cpu: bool) -> Section:
    """All processors together, and each: the work is split unevenly, and adds up."""
    busy = guest.user_ifl + guest.system_ifl + guest.iowait_ifl + guest.steal_ifl
    over = np.flatnonzero(busy > guest.vcpus * (1 + 1e-9))
    if len(over):
        raise StudyBookError(
            f"{guest.name} needs {busy[over[0]]:.2f} processors in interval {over[0] + 1} of"
            f" {course.run}, and has {guest.vcpus}\n  → give the guest more virtual processors,"
            " or the run less load"
        )
    number = [each.name for each in course.guests].index(guest.name)
    random = np.random.default_rng((*course.seed, SEED, number + 1))
    uneven = _UNEVEN * random.standard_normal(guest.vcpus)
    noise = uneven + _NOISE * random.standard_normal((course.intervals, guest.vcpus))
    noise -= noise.mean(axis=1, keepdims=True)
    kinds = (guest.user_ifl, 0 * busy, guest.system_ifl, guest.iowait_ifl, guest.steal_ifl)

    def values(part: slice) -> Floats:
        mean = np.stack([each[part] for each in kinds], axis=-1) * (100 / guest.vcpus)
        used = (100 / guest.vcpus) * busy[part]
        # No processor can be less than idle, nor more than busy.
        room = np.minimum(1.0, np.maximum(100 - used, 0.0) / np.maximum(used, 1e-9))
        widest = np.maximum(np.abs(noise[part]).max(axis=1), 1e-9)
        share = 1 + noise[part] * np.minimum(1.0, room / widest)[:, None]
        rows = mean[:, None, :]
        if per_cpu:
            rows = np.concatenate([rows, rows * share[:, :, None]], axis=1)
        left = np.maximum(100 - rows.sum(axis=2, keepdims=True), 0.0)
        return np.concatenate([rows, left], axis=2)

    return Section(
        "     CPU     %user     %nice   %system   %iowait    %steal     %idle",
        ("     all", *(f"     {cpu:3}" for cpu in range(guest.vcpus * per_cpu))),
        "    %6.2f" * 6,
        values,
        lines_per_sample=_CPU_BITS * per_cpu,
    )


def _memory(guest: Guest) -> Section:
    """Memory in use, with buffers and cache in it, as ``kbmemused`` has them until 11.7.3."""
    total = guest.memory_mib * 1024.0
    parts = guest.memory_used_mib, guest.buffers_mib, guest.cached_mib

    def shown(quantities: Floats) -> Floats:
        used, buffers, cached = np.moveaxis(quantities, -1, 0)
        # Programs are taken to have asked for what they have.
        committed = used - buffers - cached
        used_share, committed_share = 100 * used / total, 100 * committed / total
        columns = total - used, used, used_share, buffers, cached, committed, committed_share
        return np.stack(columns, axis=-1)

    return Section(
        " kbmemfree kbmemused  %memused kbbuffers  kbcached  kbcommit   %commit",
        ("",),
        " %9.0f %9.0f    %6.2f %9.0f %9.0f %9.0f   %7.2f",
        _values([[np.rint(each * 1024) for each in parts]]),
        shown,
    )


def _disks(disks: tuple[Disk, ...]) -> Section:
    """Block devices; a guest that has none gets a heading with nothing below it."""

    def of(disk: Disk) -> list[Series]:
        tps = disk.reads_per_s + disk.writes_per_s
        # Little's law: the queue is throughput times response time.
        queue = tps * disk.wait_ms / 1000
        # A device with several requests at a time is busy no more than all the time.
        util = np.minimum(tps * disk.service_ms / 10, 100.0)
        return [tps, 2 * disk.read_kib_s, 2 * disk.write_kib_s, queue, util]

    def shown(quantities: Floats) -> Floats:
        if not disks:
            return quantities
        tps, read, written, queue, util = np.moveaxis(quantities, -1, 0)
        size, wait, service = (
            np.divide(each, tps, out=np.zeros_like(tps), where=tps > 0)
            for each in (read + written, 1000 * queue, 10 * util)
        )
        return np.stack([tps, read, written, size, queue, wait, service, util], axis=-1)

    return Section(
        "       DEV       tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz     await     svctm"
        "     %util",
        tuple(f" {f'dev{disk.major}-{disk.minor}':>9}" for disk in disks),
        " %9.2f" * 8,
        _values([of(disk) for disk in disks]),
        shown,
    )


def _networks(guest: Guest, nothing: Series) -> list[Section]:
    """Interfaces, the loopback first: rates, and errors, of which there are none."""
    rates = {"lo": (nothing,) * 4}
    for each in guest.interfaces:
        packets = each.rx_packets_per_s, each.tx_packets_per_s
        rates[each.name] = (*packets, each.rx_kib_s, each.tx_kib_s)
    items = tuple(f" {name:>9}" for name in rates)
    return [
        Section(
            "     IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s",
            items, " %9.2f" * 7, _values([(*four, *[nothing] * 3) for four in rates.values()]),
        ),
        Section(
            "     IFACE   rxerr/s   txerr/s    coll/s  rxdrop/s  txdrop/s  txcarr/s  rxfram/s"
            "  rxfifo/s  txfifo/s",
            items, " %9.2f" * 9, _values([[nothing] * 9] * len(rates)),
        ),
    ]  # fmt: skip


def _load_averages(running: Series, interval_s: int, first: int, last: int) -> list[Series]:
    """Load over 1, 5, 15 minutes, from 0 at the start: as the kernel damps what is running."""
    found = []
    few = interval_s // _LOAD_STEP_S
    for kept in _LOAD_KEPT:
        series, load = np.zeros(len(running)), 0.0
        # An interval that is no multiple of 5 s has one update more or less than another.
        left = [math.prod([kept] * steps) for steps in (few, few + 1)]
        for number in range(first, last):
            end_s = (number + 1) * interval_s
            share = left[end_s // _LOAD_STEP_S - (end_s - interval_s) // _LOAD_STEP_S - few]
            load = load * share + float(running[number]) * (1 - share)
            series[number] = load
        found.append(series)
    return found
