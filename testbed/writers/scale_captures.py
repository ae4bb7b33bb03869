"""Captures of IBM Spectrum Scale 4.2: what ``mmlscluster``, ``mmlsnsd``, … print of a cluster.

The layouts are those of real captures. Where a release pads its rows with blanks, so do these.
"""

from __future__ import annotations

from collections.abc import Iterator

from testbed.cluster import Cluster, Setting


def mmlscluster(cluster: Cluster) -> Iterator[str]:
    """Write the summary of the cluster, and a row per node.

    Each column is as wide as its longest cell, and the rule is one longer than the headings.
    """
    yield ""
    yield from _titled("GPFS cluster information", "=")
    for label, value in (
        ("GPFS cluster name", cluster.name),
        ("GPFS cluster id", cluster.identifier),
        ("GPFS UID domain", cluster.name),
        ("Remote shell command", "/usr/bin/ssh"),
        ("Remote file copy command", "/usr/bin/scp"),
        ("Repository type", "CCR"),
    ):
        yield f"  {label + ':':27}{value}"
    yield ""
    names = ["Daemon node name", *(node.name for node in cluster.nodes)]
    addresses = ["IP address", *(node.address for node in cluster.nodes)]
    admins = ["Admin node name", *(node.name for node in cluster.nodes)]
    rows = [
        "  ".join(cells)
        for cells in zip(
            _padded(names),
            _padded(addresses),
            _padded(admins),
            ["Designation", *(node.designation for node in cluster.nodes)],
            strict=True,
        )
    ]
    heading = f" Node  {rows[0]}"
    yield heading
    yield "-" * (len(heading) + 1)
    for number, row in enumerate(rows[1:], 1):
        yield f"{number:4d}   {row}"
    yield ""


def mmlsnsd(cluster: Cluster) -> Iterator[str]:
    """Write a row per disk: file system, disk, its servers in order."""
    yield ""
    yield f" {'File system':13} {'Disk name':12} {'NSD servers':47}"
    yield "-" * 75
    for nsd in cluster.nsds:
        servers = ",".join(nsd.servers) or "(directly attached)"
        yield f" {cluster.file_system:13} {nsd.name:12} {servers:24} "
    yield ""


def mmlsconfig(cluster: Cluster, attribute: str | None = None) -> Iterator[str]:
    """Write all settings, or with an attribute, only that one.

    The list of all has the nodes of a setting in a line above it; that of one has them behind.
    """
    if attribute:
        for setting in cluster.settings:
            if setting.name == attribute:
                behind = f" [{','.join(setting.nodes)}]" if setting.nodes else ""
                yield f"{setting.name} {setting.value}{behind}"
        return
    yield from _titled(f"Configuration data for cluster {cluster.name}:", "-")
    identity = (
        Setting("clusterName", cluster.name),
        Setting("clusterId", str(cluster.identifier)),
    )
    nodes: tuple[str, ...] = ()
    for setting in (*identity, *cluster.settings):
        if setting.nodes != nodes:
            nodes = setting.nodes
            yield f"[{','.join(nodes) or 'common'}]"
        yield f"{setting.name} {setting.value}"
    yield ""
    yield from _titled(f"File systems in cluster {cluster.name}:", "-")
    yield f"/dev/{cluster.file_system}"


def mmlsmount(cluster: Cluster) -> Iterator[str]:
    """Write the nodes that have mounted the file system, as option ``-L`` does.

    The nodes of the quorum come first: they mounted it first.
    """
    yield ""
    yield f"File system {cluster.file_system} is mounted on {len(cluster.nodes)} nodes:"
    for node in sorted(cluster.nodes, key=lambda node: not node.quorum):
        yield f"  {node.address:15} {node.name}"


def _titled(title: str, rule: str) -> tuple[str, str]:
    """Return a title, and the rule of its length."""
    return title, rule * len(title)


def _padded(cells: list[str]) -> list[str]:
    """Return the cells of a column, all as wide as the widest."""
    width = max(map(len, cells))
    return [f"{cell:{width}}" for cell in cells]
