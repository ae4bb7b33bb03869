"""The course of a run: what every host and every request did, interval by interval.

This is what the model hands to the writers. All series of a course have the shape
``(intervals,)`` and hold means or rates over an interval of ``interval_s`` seconds; the first
interval ends ``interval_s`` after ``start``. The load driver has an interval of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

Series = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Disk:
    """A disk as one guest sees it (a SCSI disk behind FCP, or a minidisk on ECKD).

    Parameters
    ----------
    major, minor : int
        Number of the block device: 8 for sd, 94 for dasd.
    nsd : str, optional
        The NSD that Spectrum Scale made of it.
    reads_per_s, writes_per_s : numpy.ndarray
        Requests per second.
    read_kib_s, write_kib_s : numpy.ndarray
        Bytes moved, in KiB per second.
    service_ms, wait_ms : numpy.ndarray
        Time of a request at the disk, and with waiting in the queue.
    """

    major: int
    minor: int
    nsd: str | None
    reads_per_s: Series
    writes_per_s: Series
    read_kib_s: Series
    write_kib_s: Series
    service_ms: Series
    wait_ms: Series


@dataclass(frozen=True)
class Interface:
    """A network interface of a guest, on a z/VM virtual switch.

    Parameters
    ----------
    name, address, mac : str
        ``eth0``, its IPv4 address, its hardware address.
    mtu : int
        Bytes of the largest IP packet.
    rx_packets_per_s, tx_packets_per_s, rx_kib_s, tx_kib_s : numpy.ndarray
        Packets and KiB per second.
    """

    name: str
    address: str
    mac: str
    mtu: int
    rx_packets_per_s: Series
    tx_packets_per_s: Series
    rx_kib_s: Series
    tx_kib_s: Series


@dataclass(frozen=True)
class FileSystem:
    """A mounted Spectrum Scale file system, as the applications of one node use it.

    The bytes are those that applications read and write (page pool hits included), as the
    ``fs_io_s`` request of mmpmon counts them.
    """

    name: str
    cluster: str
    disks: int
    read_kib_s: Series
    write_kib_s: Series
    opens_per_s: Series
    closes_per_s: Series
    reads_per_s: Series
    writes_per_s: Series
    readdirs_per_s: Series
    inode_updates_per_s: Series


@dataclass(frozen=True)
class Guest:
    """A Linux guest of z/VM.

    Parameters
    ----------
    name, role : str
        Host name, and role as in ``run.yml``.
    vcpus : int
        Virtual processors.
    memory_mib : int
        Size of the guest.
    user_ifl, system_ifl, iowait_ifl, steal_ifl : numpy.ndarray
        Processor time in IFLs: sums over the virtual processors, as the guest accounts them.
        The rest, up to ``vcpus``, is idle.
    hypervisor_ifl : numpy.ndarray
        What CP needs on behalf of the guest, beyond its own (USER: total less virtual).
    memory_used_mib, cached_mib, buffers_mib : numpy.ndarray
        Memory in use with cache and buffers, page cache, buffers.
    run_queue, tasks : numpy.ndarray
        Runnable tasks beyond those running; all tasks.
    context_switches_per_s, created_per_s, interrupts_per_s : numpy.ndarray
        Rates of the kernel.
    """

    name: str
    role: str
    vcpus: int
    memory_mib: int
    user_ifl: Series
    system_ifl: Series
    iowait_ifl: Series
    steal_ifl: Series
    hypervisor_ifl: Series
    memory_used_mib: Series
    cached_mib: Series
    buffers_mib: Series
    run_queue: Series
    tasks: Series
    context_switches_per_s: Series
    created_per_s: Series
    interrupts_per_s: Series
    interfaces: tuple[Interface, ...] = ()
    disks: tuple[Disk, ...] = ()
    file_system: FileSystem | None = None


@dataclass(frozen=True)
class Requests:
    """The requests of one page, over the intervals of the load driver.

    Parameters
    ----------
    transaction, page : str
        Names in the test. A transaction takes as long as its pages together.
    hits : numpy.ndarray of int
        Pages that ended in each interval; 0 leaves the times of the interval without meaning.
    mean_ms, stdev_ms, min_ms, max_ms : numpy.ndarray
        Response times of those pages.
    """

    transaction: str
    page: str
    hits: Counts
    mean_ms: Series
    stdev_ms: Series
    min_ms: Series
    max_ms: Series


@dataclass(frozen=True)
class Driver:
    """The counts of the load driver.

    Parameters
    ----------
    interval_s : int
        Its interval, in seconds.
    users : numpy.ndarray of int
        Virtual users active at the end of each interval.
    completed_users : numpy.ndarray of int
        Virtual users that have ended.
    think_time_s : float
        Mean think time between transactions.
    """

    interval_s: int
    users: Counts
    completed_users: Counts
    think_time_s: float
    requests: tuple[Requests, ...]


@dataclass(frozen=True)
class Course:
    """One run.

    Parameters
    ----------
    study, run : str
        As in ``run.yml``.
    start : datetime.datetime
        Start of the run, with its time zone.
    interval_s : int
        Interval of the hosts' series.
    ifls : int
        IFLs of the LPAR.
    system : str
        Name of the z/VM system.
    cp_ifl : numpy.ndarray
        Processor time of CP that belongs to no guest.
    seed : tuple of int
        Of the random generator: writers that need noise of their own (the share of one
        processor, a jittered clock) draw it from ``numpy.random.default_rng((*seed, n))``
        with a number ``n`` of their own.
    """

    study: str
    run: str
    start: datetime
    interval_s: int
    ifls: int
    system: str
    guests: tuple[Guest, ...]
    cp_ifl: Series
    driver: Driver | None = None
    seed: tuple[int, ...] = field(default=(1,))

    @property
    def intervals(self) -> int:
        """The number of intervals of the hosts' series."""
        return len(self.cp_ifl)
