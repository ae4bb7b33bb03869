"""The prediction for one setup and one load: steady state, no noise."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Station:
    """A place where work queues.

    Parameters
    ----------
    name : str
        Such as ``ECMnod1 cpu`` or ``disks``.
    servers : float
        How many requests it serves at a time.
    utilisation : float
        Share of its servers that is busy, 0 to 1.
    """

    name: str
    servers: float
    utilisation: float


@dataclass(frozen=True)
class GuestUse:
    """One guest, as rates per second and processor time in IFLs.

    ``user_ifl`` and ``system_ifl`` are its own (virtual) time, ``hypervisor_ifl`` what CP adds on
    its behalf. Packets are counted as the guest's interface counts them. Disk rates are those at
    the guest's own disks (nothing for a client without a path to them), file system rates those of
    its applications.
    """

    name: str
    role: str
    vcpus: int
    memory_mib: int
    user_ifl: float
    system_ifl: float
    hypervisor_ifl: float
    rx_packets_per_s: float = 0.0
    tx_packets_per_s: float = 0.0
    rx_kib_s: float = 0.0
    tx_kib_s: float = 0.0
    mtu: int = 1492
    disk_reads_per_s: float = 0.0
    disk_writes_per_s: float = 0.0
    disk_read_kib_s: float = 0.0
    disk_write_kib_s: float = 0.0
    #: Share of the guest's disk traffic on each of its disks, by NSD name (or device): sums to 1.
    disk_shares: tuple[tuple[str, float], ...] = ()
    disk_service_ms: float = 0.0
    disk_wait_ms: float = 0.0
    file_system_read_kib_s: float = 0.0
    file_system_write_kib_s: float = 0.0
    pagepool_hit_ratio: float = 0.0


@dataclass(frozen=True)
class Operation:
    """A page, or an operation of an API: how often it is done and how long it takes.

    Parameters
    ----------
    transaction, page : str
        The transaction that it belongs to; the two are the same where there is one page.
    per_s : float
        Completions per second.
    response_ms : float
        Mean response time.
    """

    transaction: str
    page: str
    per_s: float
    response_ms: float


@dataclass(frozen=True)
class Prediction:
    """The steady state of a system under one load.

    Parameters
    ----------
    users : float
        Virtual users (or threads of the driver).
    think_time_s : float
        Mean think time between transactions.
    throughput_per_s : float
        Pages (operations) per second.
    response_ms : float
        Mean response time of a page, weighted by how often each is done.
    total_ifl : float
        Processor time of the whole z/VM system.
    cp_ifl : float
        Part of it that belongs to no guest.
    ifl_wait_share : float
        Time for which a virtual processor waits for a real one (an IFL) per time that it uses one,
        over all guests; 0 where the model has no limit of the real ones.
    """

    users: float
    think_time_s: float
    throughput_per_s: float
    response_ms: float
    total_ifl: float
    cp_ifl: float
    operations: tuple[Operation, ...]
    guests: tuple[GuestUse, ...]
    stations: tuple[Station, ...]
    ifl_wait_share: float = 0.0

    @property
    def bottleneck(self) -> Station:
        """The busiest station."""
        return max(self.stations, key=lambda station: station.utilisation)

    def guest(self, name: str) -> GuestUse:
        """The guest of that name."""
        return next(guest for guest in self.guests if guest.name == name)
