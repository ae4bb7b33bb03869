"""What a drawing shows, in sentences and tables: computed from the same setup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pandas as pd

from studybook.text import counted
from studybook.topology.layout import BREAK
from studybook.topology.setup import Disk, Host, Setup, file_systems


def access(setup: Setup) -> str:
    """How the nodes of a cluster reach the disks, and how the disks are shared out to servers."""
    said = [*_directly(setup), *([_shared_out(setup)] if setup.served else [])]
    return "; ".join(said) or _without_disks(setup)


def paths(setup: Setup) -> str:
    """How the nodes of a cluster reach the disks, seen from the nodes."""
    said = list(_directly(setup))
    clients, servers = setup.clients, counted(len(setup.servers), "NSD server")
    if setup.served and clients:
        said.append(f"{_reach(clients)} {_all(setup.served)} only through {servers}")
    elif setup.served:
        said.append(f"{servers}, and no client")
    return "; ".join(said) or _without_disks(setup)


def quorum(setup: Setup) -> str:
    """Which nodes decide whether the cluster is alive: “3 of 7 nodes are quorum nodes”."""
    designations = [node.designation for node in setup.nodes]
    if all(text is None for text in designations):
        return "designations were not captured"
    voting = sum("quorum" in (text or "").split("-") for text in designations)
    are = "is a quorum node" if voting == 1 else "are quorum nodes"
    return f"{voting} of {counted(len(designations), 'node')} {are}"


def routed(setup: Setup, *, front: str, members: str, inside: Sequence[str], way: str = "") -> str:
    """Who gets the requests, and how they are spread; as :func:`topology.routing` draws it."""
    fronts, number = setup.having(front).hosts, len(setup.having(members).hosts)
    who = fronts[0].host if len(fronts) == 1 else counted(len(fronts), fronts[0].kind)
    goes = "route" if len(fronts) > 1 else "routes"
    to = f"{way} to" if way else "to"
    beside = f"with a {' and a '.join(inside[1:])} beside {'it' if number == 1 else 'each'}"
    said = f"{who} {goes} requests {to} {counted(number, f'{inside[0]} member')}"
    return f"{said}, {beside}" if inside[1:] else said


def guests(setup: Setup) -> str:
    """How many hosts of which role there are: “4 nodes, 1 web server”."""
    found = Counter(host.kind for host in setup.hosts)
    order = [kind for kind in setup.kinds if kind in found]
    return ", ".join(counted(found[kind], kind) for kind in dict.fromkeys([*order, *found]))


def tiers(setup: Setup, roles: Sequence[Sequence[str]]) -> str:
    """Who asks whom, from the load driver to what keeps the data, with the processors of each.

    Parameters
    ----------
    setup : Setup
        What was captured.
    roles : sequence of sequences of str
        The roles of each tier; hosts of other roles are in no tier.
    """
    said = [" and ".join(_in_tier(setup, each)) for each in roles]
    found = list(filter(None, said))
    return f"{counted(len(found), 'tier')}: {'; '.join(found)}"


def _in_tier(setup: Setup, roles: Sequence[str]) -> Iterator[str]:
    for role in roles:
        alike = [host for host in setup.hosts if host.role == role]
        each = {host.resources[0] if host.cpus else "" for host in alike}
        processors = f" with {each.pop()}" if len(each) == 1 and "" not in each else ""
        if alike:
            yield f"{counted(len(alike), alike[0].kind)}{processors}"


def _without_disks(setup: Setup) -> str:
    return f"{counted(len(setup.nodes), 'node')}, and no disk of a file system"


def _directly(setup: Setup) -> Iterator[str]:
    """A part of a sentence for the file systems that the same nodes mount."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name in filter(None, file_systems(setup.direct)):
        alike.setdefault(tuple(n.host for n in setup.attached([name])), []).append(name)
    for names in alike.values():
        theirs = [disk for disk in setup.direct if disk.file_system in names]
        yield f"{_reach(setup.attached(names))} {_all(theirs)} directly"


def _reach(hosts: Sequence[Host]) -> str:
    if not hosts:
        return "no node reaches"
    kinds = {host.kind for host in hosts}
    who = counted(len(hosts), kinds.pop() if len(kinds) == 1 else "node")
    return f"{who} {'reach' if len(hosts) > 1 else 'reaches'}"


def _shared_out(setup: Setup) -> str:
    disks, clients = setup.served, len(setup.clients)
    first = Counter(disk.servers[0] for disk in disks)
    idle, shares = len(setup.servers) - len(first), sorted(set(first.values()))
    to = f" to {counted(clients, 'client')}" if clients else ""
    stand = "stands by" if idle == 1 else "stand by"
    more = f"; {counted(idle, 'more server')} {stand}" if idle else ""
    if len(first) == 1:
        return f"{next(iter(first))} {'alone ' if idle else ''}serves {_all(disks)}{to}{more}"
    each = f"{shares[0]} to {shares[-1]}" if len(shares) > 1 else str(shares[0])
    ending = f", {each} disk{'' if each == '1' else 's'} each"
    return f"{counted(len(first), 'NSD server')} serve {_some(disks)}{to}{ending}{more}"


def _all(disks: Sequence[Disk]) -> str:
    return f"the one disk{_of(disks)}" if len(disks) == 1 else f"all {_some(disks)}"


def _some(disks: Sequence[Disk]) -> str:
    return f"{counted(len(disks), 'disk')}{_of(disks)}"


def _of(disks: Sequence[Disk]) -> str:
    names = [name for name in file_systems(disks) if name]
    several = f" of {len(names)} file systems"
    return several if len(names) > 1 else "".join(f" of {name}" for name in names)


def described(frame: pd.DataFrame) -> str:
    """A drawing in words, for readers who do not see it: its boxes, and what leads where."""
    return " ".join(_sentences(frame))


def _sentences(frame: pd.DataFrame) -> Iterator[str]:
    parts = {part: frame[frame["part"] == part] for part in ("label", "frame", "box", "link")}
    for said, labels in parts["label"].groupby("role", sort=False)["name"]:
        yield f"{f'{said!s}: ' if said else ''}{', '.join(labels)}."
    yield from (f"Frame: {name}." for name in parts["frame"]["name"] if name)
    boxes, plain = parts["box"], parts["box"]["detail"] == ""
    for name, role, detail in boxes.loc[~plain, ["name", "role", "detail"]].to_numpy():
        said = detail.replace(BREAK, " ")
        yield f"{name}: {said if said.startswith(role) else f'{role}, {said}'}."
    for role, names in boxes[plain].groupby("role", sort=False)["name"]:
        yield f"{str(role)[:1].upper()}{str(role)[1:]}: {', '.join(dict.fromkeys(names))}."
    networks = set(frame.loc[frame["part"] == "network", "name"])
    disks = set(boxes.loc[boxes["role"] == "disk", "name"])
    for start, ends in parts["link"].groupby("start", sort=False)["end"]:
        to = dict.fromkeys("the disks" if end in disks else end for end in ends)
        yield f"{start} {'connects' if start in networks else 'leads to'} {', '.join(to)}."


def hosts_listed(setup: Setup) -> pd.DataFrame:
    """List hosts with their roles, processors, memory, address and MTU, to be shown."""
    return pd.DataFrame(
        {
            "host": host.host,
            "role": host.kind,
            "processors and memory": ", ".join(host.resources) or None,
            **_network(host),
        }
        for host in setup.hosts
    )


def nodes_listed(setup: Setup) -> pd.DataFrame:
    """List the nodes of a cluster with their designations, to be shown."""
    return pd.DataFrame(
        {
            "number": "" if node.node_number is None else str(node.node_number),
            "node": node.host,
            "designation": "(empty)" if node.designation == "" else node.designation,
            **_network(node),
            "page pool": node.page_pool,
            "mounts": "nothing" if node.mounted == "" else node.mounted,
        }
        for node in setup.nodes
    )


def disks_listed(setup: Setup) -> pd.DataFrame:
    """List disks with their servers in order, to be shown."""
    return pd.DataFrame(
        {
            "file system": disk.file_system or None,
            "disk": disk.nsd,
            "servers in their order": ", ".join(disk.servers) or "(directly attached)",
        }
        for disk in setup.disks
    )


def _network(host: Host) -> dict[str, str | None]:
    return {"address": host.ip_address, "MTU (bytes)": host.mtu_bytes}
