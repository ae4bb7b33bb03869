"""What a drawing shows, in sentences: computed from the same rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pandas as pd

from studybook.text import counted
from studybook.topology.canvas import BREAK
from studybook.topology.draw_routing import ROUTINGS
from studybook.topology.parts import divided, file_systems
from studybook.topology.rows import (
    ROLES,
    attached_to,
    clients_of,
    every_row,
    known,
    list_of,
    nodes_of,
    resources,
    servers_of,
)  # fmt: skip


def access(hosts: pd.DataFrame, disks: pd.DataFrame) -> str:
    """How the nodes of a cluster reach the disks, and how the disks are shared out to servers.

    Parameters
    ----------
    hosts : pandas.DataFrame
        Rows of the view ``system_host`` of one run.
    disks : pandas.DataFrame
        Rows of the view ``cluster_disk`` of the same run.

    Returns
    -------
    str
        A sentence without full stop.
    """
    served, direct = divided(disks)
    said = [*_directly(hosts, direct), *([_shared_out(hosts, served)] if len(served) else [])]
    return "; ".join(said) or _without_disks(hosts)


def paths(hosts: pd.DataFrame, disks: pd.DataFrame) -> str:
    """How the nodes of a cluster reach the disks, seen from the nodes.

    Parameters
    ----------
    hosts, disks : pandas.DataFrame
        As for :func:`access`.

    Returns
    -------
    str
        A sentence without full stop.
    """
    served, direct = divided(disks)
    said = _directly(hosts, direct)
    clients, servers = len(clients_of(hosts, served)), len(servers_of(hosts, served))
    if len(served) and clients:
        who = f"{counted(clients, _kind(hosts, served))} {'reaches' if clients == 1 else 'reach'}"
        said.append(f"{who} {_all(served)} only through {counted(servers, 'NSD server')}")
    elif len(served):
        said.append(f"{counted(servers, 'NSD server')}, and no client")
    return "; ".join(said) or _without_disks(hosts)


def _without_disks(hosts: pd.DataFrame) -> str:
    return f"{counted(len(nodes_of(hosts)), 'node')}, and no disk of a file system"


def _directly(hosts: pd.DataFrame, disks: pd.DataFrame) -> list[str]:
    """A part of a sentence for the file systems that the same nodes mount."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name in filter(None, file_systems(disks)):
        alike.setdefault(tuple(attached_to(hosts, [name])), []).append(name)
    said = []
    for nodes, names in alike.items():
        theirs = disks[disks["file_system"].map(known).isin(names)]
        who = counted(len(nodes), _kind(hosts, disks)) if nodes else "no node"
        said.append(f"{who} {'reach' if len(nodes) > 1 else 'reaches'} {_all(theirs)} directly")
    return said


def _shared_out(hosts: pd.DataFrame, disks: pd.DataFrame) -> str:
    clients = len(clients_of(hosts, disks))
    first = Counter(list_of(disk)[0] for disk in every_row(disks))
    servers, idle = len(first), len(servers_of(hosts, disks)) - len(first)
    shares = sorted(set(first.values()))
    to = f" to {counted(clients, 'client')}" if clients else ""
    if servers == 1:
        alone = f"{next(iter(first))} {'alone ' if idle else ''}serves {_all(disks)}{to}"
        return f"{alone}; {counted(idle, 'more server')} {_stand(idle)}" if idle else alone
    each = f"{shares[0]} to {shares[-1]}" if len(shares) > 1 else str(shares[0])
    ending = f", {each} disk{'' if each == '1' else 's'} each"
    more = f"; {counted(idle, 'more server')} {_stand(idle)}" if idle else ""
    return f"{counted(servers, 'NSD server')} serve {_disks(disks)}{to}{ending}{more}"


def _stand(number: int) -> str:
    return "stands by" if number == 1 else "stand by"


def _all(disks: pd.DataFrame) -> str:
    return f"the one disk{_of(disks)}" if len(disks) == 1 else f"all {_disks(disks)}"


def _disks(disks: pd.DataFrame) -> str:
    return f"{counted(len(disks), 'disk')}{_of(disks)}"


def _of(disks: pd.DataFrame) -> str:
    names = [name for name in file_systems(disks) if name]
    if len(names) > 1:
        return f" of {len(names)} file systems"
    return f" of {names[0]}" if names else ""


def _kind(hosts: pd.DataFrame, disks: pd.DataFrame) -> str:
    roles = {known(node.role) for node in every_row(clients_of(hosts, disks))}
    return ROLES["ecm-node"][0] if roles == {"ecm-node"} else "node"


def quorum(hosts: pd.DataFrame) -> str:
    """Which nodes decide whether the cluster is alive.

    Parameters
    ----------
    hosts : pandas.DataFrame
        Rows of the view ``system_host`` of one run.

    Returns
    -------
    str
        A part of a sentence, such as “3 of 7 nodes are quorum nodes”.
    """
    nodes = nodes_of(hosts)
    if nodes["designation"].isna().all():
        return "designations were not captured"
    voting = sum("quorum" in known(text).split("-") for text in nodes["designation"])
    are = "is a quorum node" if voting == 1 else "are quorum nodes"
    return f"{voting} of {counted(len(nodes), 'node')} {are}"


def routed(hosts: pd.DataFrame, way: str) -> str:
    """Who gets the requests, and how they are spread.

    Parameters
    ----------
    hosts : pandas.DataFrame
        Rows of the view ``system_host`` of one run.
    way : str
        The value of the factor ``routing``.

    Returns
    -------
    str
        A sentence without full stop.
    """
    servers = hosts.loc[hosts["role"] == "web-server", "host"].map(known).tolist()
    members = int((hosts["role"] == "ecm-node").sum())
    who = servers[0] if len(servers) == 1 else counted(len(servers), "web server")
    goes = "route" if len(servers) > 1 else "routes"
    to = f"to {counted(members, 'ICN member')}"
    beside = "with a CPE beside it" if members == 1 else "with a CPE beside each"
    return f"{who} {goes} requests {' '.join(filter(None, [ROUTINGS.get(way, way), to]))}, {beside}"


def guests(hosts: pd.DataFrame) -> str:
    """How many hosts of which role there are.

    Parameters
    ----------
    hosts : pandas.DataFrame
        Rows of the view ``system_host`` of one run.

    Returns
    -------
    str
        Such as “4 ECM nodes, 1 web server”.
    """
    found = Counter(known(role) or "other" for role in hosts["role"])
    order = [role for role in ROLES if role in found] + ["other"] * ("other" in found)
    return ", ".join(
        counted(found[role], ROLES[role][0] if role in ROLES else "other host") for role in order
    )


#: Who asks whom: each tier, with the roles of its hosts.
_TIERS = (("driver",), ("web-server", "ecm-node"), ("database", "directory"))


def tiers(hosts: pd.DataFrame) -> str:
    """Who asks whom, from the load driver to what keeps the data, with the processors of each.

    Parameters
    ----------
    hosts : pandas.DataFrame
        Rows of the view ``system_host`` of one run.

    Returns
    -------
    str
        A sentence without full stop; hosts of other roles are in no tier.
    """
    said = [" and ".join(_in_tier(hosts, roles)) for roles in _TIERS]
    found = list(filter(None, said))
    return f"{counted(len(found), 'tier')}: {'; '.join(found)}"


def _in_tier(hosts: pd.DataFrame, roles: tuple[str, ...]) -> Iterator[str]:
    for role in roles:
        alike = hosts[hosts["role"] == role]
        each = {resources(host)[0] for host in every_row(alike)}
        processors = each.pop() if len(each) == 1 else ""
        if len(alike):
            name = counted(len(alike), ROLES[role][0])
            yield f"{name} with {processors}" if processors else name


def described(frame: pd.DataFrame) -> str:
    """A drawing in words, for readers who do not see it: its boxes, and what leads where.

    Parameters
    ----------
    frame : pandas.DataFrame
        The drawing.

    Returns
    -------
    str
        A sentence per box and network.
    """
    return " ".join(_sentences(frame))


def _sentences(frame: pd.DataFrame) -> Iterator[str]:
    for said, labels in frame[frame["part"] == "label"].groupby("role", sort=False)["name"]:
        yield f"{str(said) + ': ' if said else ''}{', '.join(labels)}."
    for part in every_row(frame[(frame["part"] == "frame") & (frame["name"] != "")]):
        yield f"Frame: {part.name}."
    boxes = frame[frame["part"] == "box"]
    for part in every_row(boxes[boxes["detail"] != ""]):
        said = part.detail.replace(BREAK, " ")
        yield f"{part.name}: {said if said.startswith(part.role) else f'{part.role}, {said}'}."
    for role, alike in boxes[boxes["detail"] == ""].groupby("role", sort=False):
        names = ", ".join(dict.fromkeys(alike["name"]))
        yield f"{str(role)[:1].upper()}{str(role)[1:]}: {names}."
    networks = set(frame.loc[frame["part"] == "network", "name"])
    links = frame[frame["part"] == "link"]
    disks = set(boxes.loc[boxes["role"] == "disk", "name"])
    for start, ends in links.groupby("start", sort=False)["end"]:
        to = dict.fromkeys("the disks" if end in disks else end for end in ends)
        yield f"{start} {'connects' if start in networks else 'leads to'} {', '.join(to)}."
