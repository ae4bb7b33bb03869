"""Parts that several drawings have: the networks, a host as a box, disks by file system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from studybook.topology.canvas import GAP, LINE, PAD, TRUNK, WIDTH, Box, Canvas, Network, text_width
from studybook.topology.rows import (
    ROLES,
    common_address,
    every_row,
    known,
    mtus,
    names_of,
    resources,
    short,
    with_mounts,
)

LAN, SAN = "LAN", "SAN"

#: A role that is wider than this goes over two lines, so that four boxes fit beside each other.
ROLE_WIDTH = 65.0


def lan(hosts: pd.DataFrame, paint: str | None) -> Network:
    """The network of the hosts; its label says what they have in common."""
    prefix = common_address(hosts)
    label = [f"LAN {prefix}x" if prefix else "LAN"]
    found = mtus(hosts)
    everywhere = len(found) == 1 and hosts["mtu_bytes"].notna().all()
    label += [f"MTU {found[0]}{'' if everywhere else ' if not given'}"] if found else []
    return Network(LAN, ", ".join(label), paint, TRUNK)


def san(paint: str) -> Network:
    """The storage network."""
    return Network(SAN, SAN, paint, WIDTH - TRUNK)


def node_box(node: Any, nodes: pd.DataFrame, on_san: Sequence[str]) -> Box:
    """A node of the cluster, with its designation."""
    role, paint = ROLES.get(known(node.role), ("node", "application"))
    designated = "" if pd.isna(node.designation) else node.designation or "client"
    lines = [*designated.split("-"), *_own(node, nodes)]
    if not pd.isna(node.mounted) and not node.mounted:
        lines.append("not mounted")
    return Box(known(node.host), lines, role, paint, _networks(node, on_san))


def host_box(host: Any, hosts: pd.DataFrame, on_san: Sequence[str]) -> Box:
    """A host, with its role."""
    role, paint = ROLES.get(known(host.role), (known(host.role), None))
    said = [role] if text_width(role) <= ROLE_WIDTH else role.split()
    lines = [*said, *resources(host), *_own(host, hosts)]
    return Box(known(host.host), lines, role, paint, _networks(host, on_san))


def _networks(host: Any, on_san: Sequence[str]) -> frozenset[str]:
    return frozenset({LAN, SAN} if names_of(host) & set(map(short, on_san)) else {LAN})


def _own(host: Any, hosts: pd.DataFrame) -> list[str]:
    """Address and MTU of a host, as far as the label of the network does not say them."""
    prefix, address, mtu = common_address(hosts), known(host.ip_address), known(host.mtu_bytes)
    shown = "" if mtu in mtus(hosts)[:1] else f"MTU {mtu or '?'}"
    return [
        f".{address.removeprefix(prefix)}" if prefix and address else address,
        shown if mtus(hosts) and host.host in set(hosts["host"]) else "",
    ]


def divided(disks: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Disks with servers, and disks that every node must reach itself."""
    served = disks["servers"].fillna("") != ""
    return disks[served], disks[~served]


def file_systems(disks: pd.DataFrame) -> list[str]:
    """The file systems of disks, in the order of the capture; an empty name for free disks."""
    return list(dict.fromkeys(map(known, disks["file_system"])))


def disks_on_san(
    canvas: Canvas, network: Network, nodes: pd.DataFrame, disks: pd.DataFrame
) -> None:
    """Draw the disks that hang on the storage network, one frame for each file system."""
    if disks.empty:
        return
    canvas.y += LINE
    network.label_y = canvas.y
    for name in file_systems(disks):
        top = canvas.y
        canvas.y += LINE + PAD
        boxes = [
            Box(known(disk.nsd), [], "disk", networks=frozenset({SAN}))
            for disk in every_row(disks)
            if known(disk.file_system) == name
        ]
        canvas.grid(boxes, above=network, widest=60)
        canvas.y += PAD
        canvas.frame(with_mounts(name, nodes), top, role="file system")
        canvas.y += GAP
