"""A Spectrum Scale cluster: its nodes, its disks with their servers, and its settings.

The two kinds are those of the ECM scale-out study. In a *shared-disk* cluster each node reaches
all disks itself; in an *nsd* cluster only the NSD servers do, and the first server in the list of
a disk does its I/O while it is up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from studybook.errors import StudyBookError
from testbed.ecm.setup import DISKS, ClusterKind, ServerList

#: Nodes that form the quorum, where there are as many: an odd number outlives the loss of one.
QUORUM_NODES = 3


@dataclass(frozen=True)
class Node:
    """A node of the cluster.

    Parameters
    ----------
    name, address : str
        Host name, and address in the daemon network.
    quorum, manager : bool
        Whether it counts for the quorum, and may manage file systems; a client does neither.
    """

    name: str
    address: str
    quorum: bool = False
    manager: bool = False

    @property
    def designation(self) -> str:
        """As ``mmlscluster`` prints it: nothing for a client."""
        return "-".join(["quorum"] * self.quorum + ["manager"] * self.manager)


@dataclass(frozen=True)
class Nsd:
    """A network shared disk and its servers in order; none if each node reaches it itself."""

    name: str
    servers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setting:
    """A setting that is not the default, and the nodes it holds for; none means all of them."""

    name: str
    value: str
    nodes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cluster:
    """A cluster with one file system, mounted on all its nodes.

    Parameters
    ----------
    name : str
        Name of the cluster, and of its user domain.
    identifier : int
        Number of the cluster, of up to 64 bits.
    file_system : str
        Name of the file system.
    nodes, nsds, settings : tuple
        In the order in which they are listed.
    """

    name: str
    identifier: int
    file_system: str
    nodes: tuple[Node, ...]
    nsds: tuple[Nsd, ...]
    settings: tuple[Setting, ...]


def of(
    cluster_kind: ClusterKind,
    nodes: int,
    server_list: ServerList = "balanced",
    client_pagepool_mib: int = 2048,
    server_pagepool_mib: int = 1024,
    nsd_servers: int = 3,
    *,
    addresses: Mapping[str, str] | None = None,
) -> Cluster:
    """Make the cluster of a setup.

    Parameters
    ----------
    cluster_kind : str
        ``shared-disk``, or ``nsd`` with NSD servers beside the ECM nodes.
    nodes : int
        Number of ECM nodes, ECMnod1 and so on.
    server_list : str
        ``unbalanced``: NSDsrv1 is the first server of all disks; ``balanced``: each server is the
        first one of as many disks.
    client_pagepool_mib, server_pagepool_mib : int
        Page pool of each ECM node, and of each NSD server, in MiB.
    nsd_servers : int
        Number of NSD servers, NSDsrv1 and so on; a shared-disk cluster has none.
    addresses : mapping, optional
        Address of each node by name; otherwise addresses that are set aside for documentation.
    """
    if nodes < 1 or (cluster_kind == "nsd" and nsd_servers < 1):
        raise StudyBookError(
            f"a cluster of {nodes} ECM nodes and {nsd_servers} NSD servers cannot be made\n"
            "  → ask for one ECM node at least, and for one NSD server at least in an nsd cluster"
        )
    clients = [f"ECMnod{number}" for number in range(1, nodes + 1)]
    servers = [f"NSDsrv{number}" for number in range(1, nsd_servers + 1)]
    if cluster_kind == "shared-disk":
        servers = []
    known = dict(addresses or {})
    for start, names in ((1, clients), (max(11, nodes + 1), servers)):
        for number, name in enumerate(names, start):
            known.setdefault(name, f"192.0.2.{number}")
    return Cluster(
        name=(name := f"ECM_{nodes}_node"),
        identifier=int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big"),
        file_system="FSData",
        nodes=_nodes([*clients, *servers], servers or clients, known),
        nsds=tuple(
            Nsd(disk, _servers(servers, place if server_list == "balanced" else 0))
            for place, disk in enumerate(DISKS)
        ),
        settings=_settings(servers, client_pagepool_mib, server_pagepool_mib),
    )


def _nodes(names: list[str], holders: list[str], addresses: dict[str, str]) -> tuple[Node, ...]:
    """Return all nodes; those that reach the disks form the quorum, the first one manages."""
    quorum = holders[: QUORUM_NODES if len(holders) >= QUORUM_NODES else 1]
    return tuple(
        Node(name, addresses[name], quorum=name in quorum, manager=name == holders[0])
        for name in names
    )


def _servers(servers: list[str], turn: int) -> tuple[str, ...]:
    """Return the list of servers, with the last one moved to the front ``turn`` times."""
    first = -turn % len(servers) if servers else 0
    return (*servers[first:], *servers[:first])


def _settings(servers: list[str], client_mib: int, server_mib: int) -> tuple[Setting, ...]:
    """Return the settings that the study changed, and what any new cluster has."""
    common = [
        Setting("autoload", "yes"),
        Setting("dmapiFileHandleSize", "32"),
        Setting("minReleaseLevel", "4.2.0.1"),
        Setting("ccrEnabled", "yes"),
        Setting("cipherList", "AUTHONLY"),
        Setting("maxFilesToCache", "20000"),
        Setting("maxStatCache", "512"),
        Setting("pagepool", _size(client_mib)),
    ]
    if servers and server_mib != client_mib:
        common.append(Setting("pagepool", _size(server_mib), tuple(servers)))
    return (*common, Setting("adminMode", "central"))


def _size(mib: int) -> str:
    """Return a size as an administrator types it: ``2G``, ``256M``."""
    return f"{mib // 1024}G" if mib % 1024 == 0 else f"{mib}M"
