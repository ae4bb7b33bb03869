"""Demands of a mean page, and of a block of background work, on each part of the ECM system."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

from testbed import page_pool
from testbed.ecm.mix import ORIGINS
from testbed.ecm.setup import Setup
from testbed.network import (
    Count,
    Flow,
    Traffic,
    guest_cpu_s,
    hypervisor_cpu_s,
    mtu_between,
    traffic,
)

BLOCK_KIB = 256.0
#: Groups of like guests, as the flows name them.
NODES, SERVERS = "ECM", "NSD"
#: Origin of what the nodes do without users; counted per block instead of per page.
BACKGROUND = "background"


@dataclass(frozen=True)
class Content:
    """The ways of the blocks of a mean page.

    Parameters
    ----------
    hit_ratio : float
        Share of the blocks read that the page pool of the node holds.
    misses : float
        Blocks read from disk.
    tokens : float
        Blocks that another node wrote since.
    requests_per_block, request_s : float
        Disk requests for a block, and how long each takes.
    """

    hit_ratio: float
    misses: float
    tokens: float
    requests_per_block: float
    request_s: float

    @property
    def block_s(self) -> float:
        """Time of a disk for one block."""
        return self.requests_per_block * self.request_s


def content(setup: Setup, p: Mapping[str, float]) -> Content:
    """Return what the page pools of a setup make of the blocks that a page reads.

    A node does its share of the reads. For each of them the other nodes read as well, and a part
    of all reads comes with a write that makes the block invalid everywhere else.
    """
    invalidations = p["invalidations_per_read"] * (setup.nodes - 1)
    xfs = setup.file_system == "xfs"
    pool_mib = p["xfs_cache_mib"] if xfs else setup.client_pagepool_mib
    hit_ratio = page_pool.hit_ratio(
        items=p["active_content_gib"] * 1024.0 * 1024.0 / BLOCK_KIB,
        capacity=pool_mib * 1024.0 / BLOCK_KIB,
        exponent=p["popularity_exponent"],
        invalidations_per_access=invalidations,
    )
    per_block = BLOCK_KIB / p["xfs_request_kib"] if xfs else 1.0
    moving_s = BLOCK_KIB / per_block / 1024.0 / p["disk_mib_s"]
    return Content(
        hit_ratio=hit_ratio,
        misses=p["read_blocks"] * (1.0 - hit_ratio),
        tokens=p["read_blocks"] * invalidations / (1.0 + invalidations),
        requests_per_block=per_block,
        request_s=p["disk_request_ms"] * 1e-3 + moving_s,
    )


def flows(setup: Setup, blocks: Content, p: Mapping[str, float]) -> list[Flow]:
    """Return what the hosts send each other on behalf of a mean page."""
    small = p["small_packet_bytes"]
    block = BLOCK_KIB * 1024.0
    chunks, exchanges = p["answer_chunks"], p["exchanges"]
    result = [
        Flow("work", "driver", "IHS", 1.0, small),
        Flow("work", "IHS", NODES, 1.0, small),
        Flow("work", NODES, "IHS", chunks, small, one_way=True),
        Flow("work", "IHS", "driver", 1.0, chunks * small),
    ]
    for origin, server, calls in (
        ("database", "DB2", exchanges),
        ("work", "ITDS", p["directory_exchanges"]),
    ):
        result += [
            Flow(origin, NODES, server, calls, p["query_bytes"]),
            Flow(origin, server, NODES, calls, p["answer_bytes"]),
        ]
    down = p["read_blocks"] * p["read_fill"] * block
    up = p["write_blocks"] * p["write_fill"] * block
    for origin, size, path in (
        ("read", down, (NODES, "IHS", "driver")),
        ("write", up, ("driver", "IHS", NODES)),
    ):
        result += [
            Flow(origin, sender, receiver, 1.0, size)
            for sender, receiver in itertools.pairwise(path)
        ]
    # A token: asked for and given up, two calls of a packet there and one back.
    result.append(Flow("read", NODES, NODES, 4.0 * blocks.tokens, small))
    if setup.cluster == "nsd":
        for origin, number in _blocks_read(blocks):
            result += [
                Flow(origin, NODES, SERVERS, number, small),
                Flow(origin, SERVERS, NODES, number, block),
            ]
        result += [
            Flow("write", NODES, SERVERS, p["write_blocks"], block),
            Flow("write", SERVERS, NODES, p["write_blocks"], small),
        ]
    return result


def _blocks_read(blocks: Content) -> tuple[tuple[str, float], ...]:
    return (("read", blocks.misses), (BACKGROUND, 1.0))


@dataclass(frozen=True)
class Demand:
    """Demands of a mean page, and of a block of background work.

    Parameters
    ----------
    content : Content
        Of the page pools and disks.
    traffic : Traffic
        Packets, by group of guests and origin.
    application_s, kernel_s, hypervisor_s : dict
        Processor time by group of guests and origin: of the application, of network and block
        traffic in the guest, and of the hypervisor for the latter.
    elsewhere_s : dict of str to float
        Time spent without using any part that others could want, by origin.
    """

    content: Content
    traffic: Traffic
    application_s: dict[tuple[str, str], float]
    kernel_s: dict[tuple[str, str], float]
    hypervisor_s: dict[tuple[str, str], float]
    elsewhere_s: dict[str, float]

    def cpu_s(self, group: str, origin: str) -> float:
        """Return the time for which a page keeps virtual processors of a group busy."""
        key = (group, origin)
        return self.application_s.get(key, 0.0) + self.kernel_s[key] + self.hypervisor_s[key]


def demand(setup: Setup, p: Mapping[str, float]) -> Demand:
    """Return what a mean page needs in a setup."""
    blocks = content(setup, p)
    moved = traffic(flows(setup, blocks, p), mtu_between(setup.mtu, setup.mtu_scope), p)
    groups = (NODES, SERVERS, "IHS", "DB2", "ITDS")
    keys = [(group, origin) for group in groups for origin in (*ORIGINS, BACKGROUND)]
    counts = {key: moved.hosts.get(key, Count()) for key in keys}
    kernel = {key: guest_cpu_s(count, p) for key, count in counts.items()}
    kernel[NODES, "read"] += blocks.tokens * p["token_cpu_us"] * 1e-6
    elsewhere = {
        "work": p["driver_delay_ms"] * 1e-3,
        "read": blocks.tokens * p["token_delay_ms"] * 1e-3,
        "write": 0.0,
        BACKGROUND: 0.0,
    }
    if setup.cluster == "nsd":
        for origin, number in (*_blocks_read(blocks), ("write", p["write_blocks"])):
            for group in (NODES, SERVERS):
                kernel[group, origin] += number * p["nsd_block_ms"] * 1e-3
            elsewhere[origin] += number * p["nsd_delay_ms"] * 1e-3
    return Demand(
        content=blocks,
        traffic=moved,
        application_s={
            (NODES, "work"): p["node_cpu_ms"] * 1e-3,
            (NODES, BACKGROUND): p["background_cpu_ms"] * 1e-3,
            ("IHS", "work"): p["web_server_cpu_ms"] * 1e-3,
            ("ITDS", "work"): p["directory_cpu_ms"] * 1e-3,
            ("DB2", "database"): p["database_cpu_ms"] * 1e-3,
        },
        kernel_s=kernel,
        hypervisor_s={key: hypervisor_cpu_s(count, p) for key, count in counts.items()},
        elsewhere_s=elsewhere,
    )
