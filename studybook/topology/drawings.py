"""What stands in which row of the drawing of a setup; :func:`drawn` gives it a place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from studybook.text import counted
from studybook.topology.layout import (
    MARGIN,
    STUB,
    WIDTH,
    Box,
    Group,
    Network,
    Row,
    drawn,
    text_width,
)
from studybook.topology.setup import Disk, Host, Setup, common_address, file_systems, mtus

LAN, SAN = "LAN", "SAN"

#: A role that is wider than this goes over two lines, so that four boxes fit beside each other.
ROLE_WIDTH = 65.0

Parts = list[Row | Group | str]


def system(
    setup: Setup, *, tiers: Sequence[Sequence[str]], outside: Sequence[str] = (), around: str = ""
) -> pd.DataFrame:
    """Draw a system under test: its hosts by tier, with the networks and the disks.

    Parameters
    ----------
    setup : Setup
        What was captured.
    tiers : sequence of sequences of str
        The roles whose hosts stand beside each other, from the users' side to the disks' side;
        hosts of a role that is named nowhere stand in a row of their own below.
    outside : sequence of str, optional
        Roles of what asks from outside.
    around : str, optional
        The role of what all hosts run under.

    Returns
    -------
    pandas.DataFrame
        A row per part, with its place.
    """
    own = setup.attached(file_systems(setup.direct))
    on_san = {host.host for host in own} | {*setup.servers}
    guests = [host for host in setup.hosts if host.role not in (*outside, around)]
    named = {role for roles in (*tiers, outside, [around]) for role in roles}
    rest = dict.fromkeys(host.role for host in guests if host.role not in named)

    def row(roles: Iterable[str | None], *, below: bool = False) -> Parts:
        hosts = [host for role in roles for host in setup.hosts if host.role == role]
        boxes = [_host(host, guests, on_san) for host in hosts]
        san = SAN if any(SAN in box.networks for box in boxes) else None
        return [Row(boxes, None if below else LAN, LAN if below else san)] if boxes else []

    inner = [part for roles in (*tiers, list(rest)) for part in row(roles)]
    if len(guests) > 1:
        inner.insert(0, _network(guests))
    shells = [host for host in setup.hosts if host.role == around]
    if shells:
        names = " and ".join(", ".join([host.host, *host.resources]) for host in shells)
        kind = shells[0].kind
        title = f"{kind[:1].upper()}{kind[1:]} {names}"
        inner = [Group(title, inner or [""], kind, shells[0].colour)]
    parts = [*row(outside, below=True), *inner, *_disks(setup, setup.disks)]
    return drawn(parts, _networks(setup), setup.origin)


def cluster(setup: Setup) -> pd.DataFrame:
    """Draw a Spectrum Scale cluster: its nodes, and how they reach the disks.

    Parameters
    ----------
    setup : Setup
        What was captured; hosts outside the cluster are not drawn.

    Returns
    -------
    pandas.DataFrame
        A row per part, with its place.
    """
    nodes, served, direct = setup.nodes, setup.served, setup.direct
    on_san = {host.host for host in setup.attached(file_systems(direct))}
    boxes = [_node(node, nodes, on_san) for node in setup.clients]
    carries = "control and data" if served else "control only"
    parts: Parts = [f"{_network(nodes)}: {carries}"] if len(nodes) > 1 else []
    parts.append(Row(boxes, LAN, SAN if direct else None))
    if served:
        by_name = {node.host: _node(node, nodes, on_san) for node in nodes}
        boxes = [_server(by_name.get(name, Box(name))) for name in setup.servers]
        left = MARGIN + min(max(box.width for box in boxes), 0.42 * WIDTH) + STUB
        parts.append(f"Disks of {'; '.join(map(setup.with_mounts, file_systems(served)))}")
        parts += [_share(box, served, left) for box in boxes]
    return drawn([*parts, *_disks(setup, direct)], _networks(setup), setup.origin)


def routing(
    setup: Setup, *, front: str, members: str, inside: Sequence[str], way: str = ""
) -> pd.DataFrame:
    """Draw the way of requests: from a front to members on each host.

    Parameters
    ----------
    setup : Setup
        What was captured.
    front, members : str
        The role of the hosts that get the requests, and of those to which they go on.
    inside : sequence of str
        What stands on each of the latter: requests come to the first, which asks the next.
    way : str, optional
        How the front picks a member, in words.

    Returns
    -------
    pandas.DataFrame
        A row per part, with its place.
    """
    name, requests = "Routing", frozenset({"Routing"})
    paints = ["application", *[None] * len(inside)]
    chain = [Box(n, (), f"{n} member", paint) for n, paint in zip(inside, paints, strict=False)]
    said = f"routes {way}" if way else ""
    fronts = [
        Box(h.host, [h.kind, said], h.kind, networks=requests) for h in setup.having(front).hosts
    ]
    boxes = [
        Box(host.host, networks=requests, inside=chain) for host in setup.having(members).hosts
    ]
    rows = [Row(fronts, below=name, widest=130), Row(boxes, above=name, widest=90)]
    return drawn(rows, [Network(name, "application")], setup.origin)


def _networks(setup: Setup) -> list[Network]:
    return [Network(LAN, "NSD" if setup.served else None), Network(SAN, "SD", right=True)]


def _network(hosts: Sequence[Host]) -> str:
    """The network of the hosts; it says what they have in common."""
    prefix, found = common_address(hosts), mtus(hosts)
    label = f"LAN {prefix}x" if prefix else "LAN"
    everywhere = len(found) == 1 and all(host.mtu_bytes for host in hosts)
    return f"{label}, MTU {found[0]}{'' if everywhere else ' if not given'}" if found else label


def _node(node: Host, nodes: Sequence[Host], on_san: Iterable[str]) -> Box:
    """A node of the cluster, with its designation."""
    designated = [] if node.designation is None else (node.designation or "client").split("-")
    mounts = ["not mounted"] if node.mounted == "" else []
    lines = [*designated, *_own(node, nodes), *mounts]
    paint = node.colour or "application"
    return Box(node.host, lines, node.kind, paint, _connected(node, on_san))


def _host(host: Host, hosts: Sequence[Host], on_san: Iterable[str]) -> Box:
    """A host, with its role."""
    said = [host.kind] if text_width(host.kind) <= ROLE_WIDTH else host.kind.split()
    lines = [*said, *host.resources, *_own(host, hosts)]
    return Box(host.host, lines, host.kind, host.colour, _connected(host, on_san))


def _connected(host: Host, on_san: Iterable[str]) -> frozenset[str]:
    return frozenset({LAN, SAN} if host.host in on_san else {LAN})


def _own(host: Host, hosts: Sequence[Host]) -> list[str]:
    """Address and MTU of a host, as far as the label of the network does not say them."""
    prefix, address, found = common_address(hosts), host.ip_address or "", mtus(hosts)
    own = [f".{address.removeprefix(prefix)}" if prefix and address else address]
    said = not found or host.mtu_bytes == found[0] or host not in hosts
    return own if said else [*own, f"MTU {host.mtu_bytes or '?'}"]


def _disks(setup: Setup, disks: Sequence[Disk]) -> Parts:
    """The disks that hang on the storage network, one group for each file system."""
    parts: Parts = [SAN] if disks else []
    for name in file_systems(disks):
        boxes = [
            Box(disk.nsd, (), "disk", networks=frozenset({SAN}))
            for disk in disks
            if disk.file_system == name
        ]
        rows = [Row(boxes, above=SAN, widest=60)]
        parts.append(Group(setup.with_mounts(name), rows, "file system"))
    return parts


def _server(box: Box) -> Box:
    # there is no way for a line from here to the disks that no server serves: say it in words
    more = ["also direct"] if SAN in box.networks else []
    return Box(box.name, [*box.lines, *more], "NSD server", "nsd server", frozenset({LAN}))


def _share(server: Box, disks: Sequence[Disk], left: float) -> Group:
    """A server beside the disks for which it stands first, and whose turn it is then."""
    first = [disk for disk in disks if disk.servers[0] == server.name]
    listed = sum(server.name in disk.servers for disk in disks)
    rest = {disk.servers[1:] for disk in first}
    parts: Parts = [f"first server of {counted(len(first), 'disk')}"]
    if not first:
        parts = ["stands by:", f"later in the list of {counted(listed, 'disk')}"]
    elif len(rest) == 1:
        then = ", ".join(next(iter(rest)))
        parts.append(f"then {then}" if then else "no other server")
    role = f"disk of {server.name}"
    seconds = [
        [f"then {', '.join(disk.servers[1:2]) or 'none'}"] if len(rest) > 1 else []
        for disk in first
    ]
    boxes = [Box(disk.nsd, then, role) for disk, then in zip(first, seconds, strict=True)]
    parts += [Row(boxes, widest=60)] if boxes else []
    state = "" if first else "standby"
    return Group("", parts, f"disks of {server.name}", "nsd server", state, server, left)
