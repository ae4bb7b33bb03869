"""From the rows of the views ``system_host`` and ``cluster_disk`` to what a drawing says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from studybook.text import counted

#: What a role of the manifest is called, and whose colour it has.
ROLES: dict[str, tuple[str, str | None]] = {
    "ecm-node": ("ECM node", "application"),
    "nsd-client": ("NSD client", "application"),
    "nsd-server": ("NSD server", "nsd server"),
    "database": ("database", "database"),
    "web-server": ("web server", None),
    "directory": ("directory", None),
    "deployment-manager": ("deployment manager", None),
    "driver": ("load driver", None),
    "hypervisor": ("hypervisor", "z/VM"),
    "storage-system": ("storage system", None),
}


def known(value: Any) -> str:
    """A value of a row as text; empty where there is none."""
    return "" if pd.isna(value) else str(value)


def every_row(table: pd.DataFrame) -> Iterator[Any]:
    """The rows of a table, with its columns as attributes."""
    yield from table.itertuples()


def short(name: str) -> str:
    """A host's name as it is compared: up to the first dot, in small letters."""
    return _first_label(name).lower()


def with_short_names(hosts: pd.DataFrame, disks: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The same rows with names up to the first dot, unless two hosts would have the same one."""
    names = hosts["host"].map(_first_label)
    if names.nunique() < len(names):
        return hosts, disks
    lists = [", ".join(map(_first_label, list_of(disk))) for disk in every_row(disks)]
    return hosts.assign(host=names), disks.assign(servers=lists)


def _first_label(name: Any) -> str:
    return known(name) if re.fullmatch(r"[0-9.:]+", known(name)) else known(name).split(".")[0]


def nodes_of(hosts: pd.DataFrame) -> pd.DataFrame:
    """The hosts that are nodes of the cluster, in its order."""
    return hosts[hosts["in_cluster"].astype(bool)].sort_values("node_number", kind="stable")


def clients_of(hosts: pd.DataFrame, disks: pd.DataFrame) -> pd.DataFrame:
    """The nodes that serve no disk to others."""
    nodes = nodes_of(hosts)
    servers = {short(name) for disk in every_row(disks) for name in list_of(disk)}
    return nodes[[not names_of(node) & servers for node in every_row(nodes)]]


def list_of(disk: Any) -> list[str]:
    """The servers of a disk in their order; none where it is attached directly."""
    return [name.strip() for name in known(disk.servers).split(",") if name.strip()]


def servers_of(hosts: pd.DataFrame, disks: pd.DataFrame) -> list[str]:
    """The names of all servers in the lists of the disks: as the cluster orders its nodes."""
    named = dict.fromkeys(name for disk in every_row(disks) for name in list_of(disk))
    nodes = [short(known(node.host)) for node in every_row(nodes_of(hosts))]
    order = {node: place for place, node in enumerate(nodes)}
    return sorted(named, key=lambda name: order.get(short(name), len(order)))


def names_of(host: Any) -> set[str]:
    """How a host is called: by run.yml, and by its cluster."""
    return {short(known(name)) for name in (host.host, host.node) if known(name)}


def host_of(hosts: pd.DataFrame, name: str) -> Any:
    """The row of a host, by its own name or that of its daemon; None if it is not there."""
    for host in every_row(hosts):
        if short(name) in names_of(host):
            return host
    return None


def attached_to(hosts: pd.DataFrame, file_systems: Iterable[str]) -> list[str]:
    """The nodes that reach the disks of file systems directly: all that mount one of them.

    Where it was not captured which nodes mount it, all nodes count: they need the disks to.
    """
    wanted = set(file_systems) - {""}  # a disk of no file system is mounted by nobody
    return [
        known(node.host)
        for node in every_row(nodes_of(hosts))
        if wanted and (pd.isna(node.mounted) or wanted & set(str(node.mounted).split(", ")))
    ]


def common_address(hosts: pd.DataFrame) -> str:
    """What all addresses begin with, up to a dot; empty where they have nothing in common."""
    parts = [known(address).split(".") for address in hosts["ip_address"] if known(address)]
    if len(parts) < 2 or any(len(each) != 4 for each in parts):
        return ""
    same = 0
    while same < 3 and len({each[same] for each in parts}) == 1:
        same += 1
    return "".join(f"{part}." for part in parts[0][:same])


def mtus(hosts: pd.DataFrame) -> list[str]:
    """The MTUs that the interfaces of the hosts have, the most frequent first."""
    return [str(mtu) for mtu, _ in Counter(hosts["mtu_bytes"].dropna()).most_common()]


def resources(host: Any) -> list[str]:
    """Processors and memory of a host, where the manifest says them."""
    cpus, memory = (known(getattr(host, name, None)) for name in ("cpus", "memory_mib"))
    return [
        f"{float(cpus):.0f} CPU{'' if float(cpus) == 1 else 's'}" if cpus else "",
        f"{float(memory) / 1024:.3g} GiB" if memory else "",
    ]


def with_mounts(file_system: str, hosts: pd.DataFrame) -> str:
    """The name of a file system and, where that was captured, how many nodes mount it."""
    nodes = nodes_of(hosts)
    if not file_system or nodes["mounted"].isna().all():
        return file_system or "no file system"
    mounting = sum(file_system in known(text).split(", ") for text in nodes["mounted"])
    return f"{file_system}, mounted on {mounting} of {counted(len(nodes), 'node')}"
