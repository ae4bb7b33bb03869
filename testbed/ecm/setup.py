"""The choices about the ECM system, and the guests that follow from them."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Literal

from studybook.errors import StudyBookError

ServerList = Literal["balanced", "unbalanced"]
ClusterKind = Literal["shared-disk", "nsd"]
MtuScope = Literal["everywhere", "inside-zvm"]

#: The disks of the file system ``FSData``.
DISKS = ("nsd14cb", "nsd15cb", "nsd14cc", "nsd15cc", "nsd14cd", "nsd15cd")
#: Disks of the object store database, as its guest names them.
DATABASE_DISKS = ("sda", "sdb", "sdc", "sdd")
#: vCPUs and MiB of memory of the guests that are always there.
OTHER_GUESTS = {
    "IHS": ("web-server", 4, 2048),
    "DB2": ("database", 8, 8192),
    "Dmgr": ("deployment-manager", 2, 2048),
    "ITDS": ("directory", 2, 2048),
}
MOST_NODES = 64


@dataclass(frozen=True)
class Setup:
    """A configuration of the system under test.

    Parameters
    ----------
    nodes : int
        ECM nodes, 1 to 64.
    file_system : {'scale', 'xfs'}
        XFS on a single node only.
    cluster : {'shared-disk', 'nsd', 'none'}
        How the nodes reach the disks of Spectrum Scale; none with XFS.
    mtu : int
        MTU of the guests, in bytes.
    mtu_scope : {'everywhere', 'inside-zvm'}
        Whether the load driver has this MTU too.
    client_pagepool_mib, server_pagepool_mib : int
        Page pool of an ECM node and of an NSD server. The latter has no effect: an NSD server
        buffers what passes through, and gives it away.
    server_list : {'balanced', 'unbalanced'}
        Whether the disks have different first NSD servers.
    routing : {'round-robin', 'random'}
        How the web server assigns a new session to a node; the session stays there.
    nsd_servers : int
        NSD servers, where there are any: 1 to 6.
    ifls : int
        Processors of the LPAR.
    """

    nodes: int = 4
    file_system: Literal["scale", "xfs"] = "scale"
    cluster: ClusterKind | Literal["none"] = "shared-disk"
    mtu: int = 1492
    mtu_scope: MtuScope = "everywhere"
    client_pagepool_mib: int = 2048
    server_pagepool_mib: int = 1024
    server_list: ServerList = "balanced"
    routing: Literal["round-robin", "random"] = "round-robin"
    nsd_servers: int = 3
    ifls: int = 30

    def __post_init__(self) -> None:
        faults = []
        if not 1 <= self.nodes <= MOST_NODES:
            faults.append(f"{self.nodes} nodes\n  → give 1 to {MOST_NODES}")
        if self.file_system == "xfs" and (self.nodes > 1 or self.cluster != "none"):
            faults.append("XFS is not shared\n  → give it one node and the cluster none")
        if self.file_system == "scale" and self.cluster == "none":
            faults.append("Spectrum Scale without disks\n  → give the cluster shared-disk or nsd")
        if not 1 <= self.nsd_servers <= len(DISKS):
            faults.append(f"{self.nsd_servers} NSD servers\n  → give 1 to {len(DISKS)}")
        if not 576 <= self.mtu <= 65535:
            faults.append(f"MTU {self.mtu}\n  → give 576 to 65535")
        if min(self.client_pagepool_mib, self.server_pagepool_mib, self.ifls) < 1:
            faults.append("a page pool or an LPAR of nothing\n  → give at least 1")
        if faults:
            raise StudyBookError("\n".join(faults))

    @property
    def node_names(self) -> tuple[str, ...]:
        """Names of the ECM nodes."""
        return tuple(f"ECMnod{number + 1}" for number in range(self.nodes))

    @property
    def node_vcpus(self) -> int:
        """Virtual processors of an ECM node.

        The study gives the members of the cluster 8 each. It does not say what the single node
        had, which used 20 IFLs; all of the LPAR is the most that can run at once.
        """
        return 8 if self.nodes > 1 else self.ifls

    @property
    def node_memory_mib(self) -> int:
        """Memory of an ECM node: 16 GiB each; a single one gets that of four."""
        return 16384 if self.nodes > 1 else 65536

    @property
    def server_names(self) -> tuple[str, ...]:
        """Names of the NSD servers; none where the nodes reach the disks themselves."""
        count = self.nsd_servers if self.cluster == "nsd" else 0
        return tuple(f"NSDsrv{number + 1}" for number in range(count))

    def first_server(self, disk: int) -> int:
        """Return which server does the input and output of a disk: the first in its list.

        With three servers the balanced lists begin 1, 3, 2, 1, 3, 2, as in the study.
        """
        return -disk % self.nsd_servers if self.server_list == "balanced" else 0

    def disk_shares(self, server: int) -> tuple[tuple[str, float], ...]:
        """Return the share of each disk in what a server reads and writes."""
        own = [self.first_server(disk) == server for disk in range(len(DISKS))]
        # A server that is first for no disk has no traffic, of which each disk has a sixth.
        own = own if any(own) else [True] * len(DISKS)
        return tuple((name, is_own / sum(own)) for name, is_own in zip(DISKS, own, strict=True))

    def server_shares(self) -> list[float]:
        """Return the share of each NSD server in all block traffic."""
        first = [self.first_server(disk) for disk in range(len(DISKS))]
        return [first.count(server) / len(DISKS) for server in range(len(self.server_names))]

    def node_shares(self, users: float) -> list[float]:
        """Return the share of each node in all sessions.

        Round robin deals them out evenly. At random, the sessions of a node are binomial; the
        nodes get the expected values of the smallest to the largest of them, in the normal
        approximation (Blom 1958).
        """
        n = self.nodes
        if self.routing == "round-robin" or n == 1:
            return [1.0 / n] * n
        normal = statistics.NormalDist()
        ranks = [normal.inv_cdf((i + 0.625) / (n + 0.25)) for i in range(n)]
        spread = ((1.0 / n) * (1.0 - 1.0 / n) / users) ** 0.5
        shares = [max(0.0, 1.0 / n + rank * spread) for rank in ranks]
        return [share / sum(shares) for share in shares]
