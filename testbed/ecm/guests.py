"""The guests of the ECM system under a load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from testbed.ecm.demand import BACKGROUND, BLOCK_KIB, NODES, SERVERS, Demand
from testbed.ecm.mix import ORIGINS
from testbed.ecm.setup import DATABASE_DISKS, DISKS, OTHER_GUESTS, Setup
from testbed.network import Count
from testbed.prediction import GuestUse


@dataclass(frozen=True)
class Load:
    """The equilibrium that the guests are in.

    Parameters
    ----------
    pages_per_s : float
        Pages of all users.
    background_blocks_per_s : float
        Blocks that the background work of one node reads.
    node_shares, node_busy : list of float
        Share of the pages of each node, and its busy virtual processors.
    disk_stretch, database_disk_stretch : float
        Time of a disk request, with waiting, as a multiple of its service.
    """

    pages_per_s: float
    background_blocks_per_s: float
    node_shares: list[float]
    node_busy: list[float]
    disk_stretch: float
    database_disk_stretch: float


@dataclass(frozen=True)
class _Rates:
    """Rates per second of the guests of a group together."""

    application_ifl: float
    kernel_ifl: float
    hypervisor_ifl: float
    packets: Count


def guests(setup: Setup, need: Demand, load: Load, p: Mapping[str, float]) -> tuple[GuestUse, ...]:
    """Return what each guest does; the ECM nodes come first."""
    nodes = tuple(_node(setup, need, load, node, p) for node in range(setup.nodes))
    servers = tuple(
        _server(setup, need, load, number, p) for number in range(len(setup.server_names))
    )
    return (*nodes, *(_other(setup, need, load, name, p) for name in OTHER_GUESTS), *servers)


def _rates(
    need: Demand, group: str, pages_per_s: float, blocks_per_s: float, p: Mapping[str, float]
) -> _Rates:
    """Add up what a group does for pages and background work, and the heartbeats of one guest."""
    times: dict[str, float] = {BACKGROUND: blocks_per_s}
    for origin in ORIGINS:
        times[origin] = pages_per_s

    def total(of: Mapping[tuple[str, str], float]) -> float:
        return sum(rate * of.get((group, origin), 0.0) for origin, rate in times.items())

    counts = {origin: need.traffic.hosts.get((group, origin), Count()) for origin in times}
    # Their processor time is part of what the guest needs without users.
    beats = p["heartbeats_per_s"]
    beats_kib_s = beats * (p["heartbeat_bytes"] + p["header_bytes"]) / 1024.0
    return _Rates(
        total(need.application_s),
        total(need.kernel_s),
        total(need.hypervisor_s),
        Count(
            beats + sum(rate * counts[origin].rx_packets for origin, rate in times.items()),
            beats + sum(rate * counts[origin].tx_packets for origin, rate in times.items()),
            beats_kib_s + sum(rate * counts[origin].rx_kib for origin, rate in times.items()),
            beats_kib_s + sum(rate * counts[origin].tx_kib for origin, rate in times.items()),
        ),
    )


def _node(setup: Setup, need: Demand, load: Load, node: int, p: Mapping[str, float]) -> GuestUse:
    pages_per_s = load.pages_per_s * load.node_shares[node]
    background = load.background_blocks_per_s
    rates = _rates(need, NODES, pages_per_s, background, p)
    # What the processors do beyond their work is contention.
    wasted_ifl = load.node_busy[node] - (
        rates.application_ifl + rates.kernel_ifl + rates.hypervisor_ifl
    )
    reads = pages_per_s * need.content.misses + background
    writes = pages_per_s * p["write_blocks"]
    requests = need.content.requests_per_block
    own_disks = setup.cluster != "nsd"
    return GuestUse(
        name=setup.node_names[node],
        role="ecm-node",
        vcpus=setup.node_vcpus,
        memory_mib=setup.node_memory_mib,
        user_ifl=rates.application_ifl * (1.0 - p["kernel_share"]) + max(0.0, wasted_ifl),
        system_ifl=rates.application_ifl * p["kernel_share"] + rates.kernel_ifl,
        hypervisor_ifl=rates.hypervisor_ifl,
        rx_packets_per_s=rates.packets.rx_packets,
        tx_packets_per_s=rates.packets.tx_packets,
        rx_kib_s=rates.packets.rx_kib,
        tx_kib_s=rates.packets.tx_kib,
        mtu=setup.mtu,
        disk_reads_per_s=reads * requests * own_disks,
        disk_writes_per_s=writes * requests * own_disks,
        disk_read_kib_s=reads * BLOCK_KIB * own_disks,
        disk_write_kib_s=writes * BLOCK_KIB * own_disks,
        disk_shares=tuple((name, 1.0 / len(DISKS)) for name in DISKS) if own_disks else (),
        disk_service_ms=need.content.request_s * 1e3 * own_disks,
        disk_wait_ms=need.content.request_s * 1e3 * load.disk_stretch * own_disks,
        # Applications read and write a part of a block; the rest lies beyond the end of a file.
        file_system_read_kib_s=BLOCK_KIB
        * (pages_per_s * p["read_blocks"] * p["read_fill"] + background * p["background_fill"]),
        file_system_write_kib_s=BLOCK_KIB * writes * p["write_fill"],
        pagepool_hit_ratio=need.content.hit_ratio,
    )


def _server(
    setup: Setup, need: Demand, load: Load, server: int, p: Mapping[str, float]
) -> GuestUse:
    share = setup.server_shares()[server]
    pages_per_s = load.pages_per_s * share
    background = load.background_blocks_per_s * setup.nodes * share
    rates = _rates(need, SERVERS, pages_per_s, background, p)
    reads = pages_per_s * need.content.misses + background
    writes = pages_per_s * p["write_blocks"]
    idle_ifl = p["small_guest_background_ifl"]
    # The daemon of the file system is a process; the packets of its blocks are the kernel's.
    user_ifl = p["nsd_user_share"] * rates.kernel_ifl + (1.0 - p["kernel_share"]) * idle_ifl
    return GuestUse(
        name=setup.server_names[server],
        role="nsd-server",
        vcpus=2,
        memory_mib=2048,
        user_ifl=user_ifl,
        system_ifl=rates.kernel_ifl + idle_ifl - user_ifl,
        hypervisor_ifl=rates.hypervisor_ifl,
        rx_packets_per_s=rates.packets.rx_packets,
        tx_packets_per_s=rates.packets.tx_packets,
        rx_kib_s=rates.packets.rx_kib,
        tx_kib_s=rates.packets.tx_kib,
        mtu=setup.mtu,
        disk_reads_per_s=reads * need.content.requests_per_block,
        disk_writes_per_s=writes * need.content.requests_per_block,
        disk_read_kib_s=reads * BLOCK_KIB,
        disk_write_kib_s=writes * BLOCK_KIB,
        disk_shares=setup.disk_shares(server),
        disk_service_ms=need.content.request_s * 1e3,
        disk_wait_ms=need.content.request_s * 1e3 * load.disk_stretch,
    )


def _other(setup: Setup, need: Demand, load: Load, name: str, p: Mapping[str, float]) -> GuestUse:
    role, vcpus, memory_mib = OTHER_GUESTS[name]
    rates = _rates(need, name, load.pages_per_s, load.background_blocks_per_s, p)
    application_ifl = rates.application_ifl + p["small_guest_background_ifl"]
    ios = load.pages_per_s * p["database_ios"] if name == "DB2" else 0.0
    writes = p["database_write_share"]
    return GuestUse(
        name=name,
        role=role,
        vcpus=vcpus,
        memory_mib=memory_mib,
        user_ifl=application_ifl * (1.0 - p["kernel_share"]),
        system_ifl=application_ifl * p["kernel_share"] + rates.kernel_ifl,
        hypervisor_ifl=rates.hypervisor_ifl,
        rx_packets_per_s=rates.packets.rx_packets,
        tx_packets_per_s=rates.packets.tx_packets,
        rx_kib_s=rates.packets.rx_kib,
        tx_kib_s=rates.packets.tx_kib,
        mtu=setup.mtu,
        disk_reads_per_s=ios * (1.0 - writes),
        disk_writes_per_s=ios * writes,
        disk_read_kib_s=ios * (1.0 - writes) * p["database_io_kib"],
        disk_write_kib_s=ios * writes * p["database_io_kib"],
        disk_shares=tuple((disk, 1.0 / len(DATABASE_DISKS)) for disk in DATABASE_DISKS)
        if ios
        else (),
        disk_service_ms=p["database_io_ms"] if ios else 0.0,
        disk_wait_ms=p["database_io_ms"] * load.database_disk_stretch if ios else 0.0,
    )
