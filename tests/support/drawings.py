"""Setups of any size for drawings, and what must hold of the places of their parts."""

from __future__ import annotations

import itertools
from typing import Any

import pandas as pd

from studybook import topology
from studybook.dataset.definition import Definition, Role, read_definition
from studybook.topology.layout import BREAK, LINE, WIDTH, text_width
from tests.conftest import REPOSITORY

Rows = tuple[pd.DataFrame, pd.DataFrame]
#: What drawings of the tests are told of roles: the words of a study of this book.
ROLES: dict[str, Role] = (read_definition(REPOSITORY, "ecm-scaleout") or Definition()).roles
TIERS = [["web-server"], ["ecm-node"], ["database", "directory"], ["nsd-server"]]
WAY: dict[str, Any] = {"front": "web-server", "members": "ecm-node", "inside": ["ICN", "CPE"]}
DISK = ["file_system", "nsd", "servers", "line"]


def setup(
    nodes: int, servers: int = 0, disks: int = 6, *, balanced: bool = True, prefix: str = "node"
) -> Rows:
    """Make the rows of a cluster, as the views give them, with a web server and a hypervisor."""
    names = [f"{prefix}{number}" for number in range(1, nodes + 1)]
    serving = [f"srv{number}" for number in range(1, servers + 1)]
    hosts: list[dict[str, Any]] = [
        {
            "host": name, "role": "nsd-server" if name in serving else "ecm-node", "node": name,
            "in_cluster": True, "node_number": number, "designation": "quorum" * (number < 4),
            "mounted": "fs1", "ip_address": f"10.0.0.{number}", "mtu_bytes": "1492", "cpus": 2,
            "memory_mib": 4096, "page_pool": "1 GiB",
        }
        for number, name in enumerate([*names, *serving], start=1)
    ]  # fmt: skip
    around = {"web": "web-server", "zvm": "hypervisor", "load": "driver"}
    hosts += [{"host": host, "role": role, "in_cluster": False} for host, role in around.items()]
    rows = [
        ["fs1", f"nsd{number:02}", turned(serving, number if balanced else 0), number]
        for number in range(disks)
    ]
    return pd.DataFrame(hosts), pd.DataFrame(rows, columns=DISK)


def turned(servers: list[str], by: int) -> str | None:
    place = by % len(servers) if servers else 0
    return ",".join(servers[place:] + servers[:place]) or None


def taken(hosts: pd.DataFrame, disks: pd.DataFrame | None = None, **more: Any) -> topology.Setup:
    """Make of rows what a drawing takes."""
    none = pd.DataFrame(columns=DISK)
    return topology.Setup.of(hosts, none if disks is None else disks, ROLES, **more)


def system(setup: topology.Setup) -> pd.DataFrame:
    """Draw a system with the tiers of the tests."""
    return topology.system(setup, tiers=TIERS, outside=["driver"], around="hypervisor")


def drawings(rows: Rows) -> dict[str, pd.DataFrame]:
    return {
        "cluster": topology.cluster(taken(*rows)),
        "system": system(taken(*rows)),
        "routing": topology.routing(taken(*rows), **WAY, way="in turn"),
    }


def idea() -> pd.DataFrame:
    """Draw something of which nothing was captured, without origin."""
    lan, both = frozenset({"LAN"}), frozenset({"LAN", "SAN"})
    nodes = [topology.Box(f"Node {n}", ["asks"], "node", "NSD", lan) for n in (1, 2)]
    servers = [topology.Box(f"Node {n}", ["serves"], "server", None, both) for n in (3, 4)]
    disks = [topology.Box(f"NSD {n}", [], "disk", None, frozenset({"SAN"})) for n in (1, 2, 3)]
    rows = [topology.Row(nodes, "LAN"), topology.Row(servers, "LAN", "SAN")]
    group = topology.Group("Its disks", [topology.Row(disks, above="SAN", widest=60)], "disks")
    networks = [topology.Network("LAN", "NSD"), topology.Network("SAN", "SD", right=True)]
    return topology.drawn([topology.Group("Files", ["LAN", *rows]), "SAN", group], networks)


def parts(frame: pd.DataFrame, part: str) -> list[Any]:
    return list(frame[frame["part"] == part].itertuples())


def overlap(one: Any, other: Any) -> bool:
    return bool(
        one.x < other.x2 and other.x < one.x2 and one.y < other.y2 and other.y < one.y2
    )  # fmt: skip


def on_border(x: float, y: float, box: Any) -> bool:
    across, down = box.x <= x <= box.x2, box.y <= y <= box.y2
    return bool((across and y in (box.y, box.y2)) or (down and x in (box.x, box.x2)))


def on_line(x: float, y: float, line: Any) -> bool:
    return bool(min(line.x, line.x2) <= x <= max(line.x, line.x2) and line.y <= y <= line.y2)


def in_one_piece(lines: list[Any]) -> bool:
    """Say whether lines all hang together."""
    reached, waiting = lines[:1], lines[1:]
    for line in reached:
        ends = [(line.x, line.y), (line.x2, line.y2)]
        for other in [*waiting]:
            theirs = [(other.x, other.y), (other.x2, other.y2)]
            if any(on_line(*p, other) for p in ends) or any(on_line(*p, line) for p in theirs):
                reached.append(other)
                waiting.remove(other)
    return not waiting


def check_places(frame: pd.DataFrame) -> None:
    boxes, frames = parts(frame, "box"), parts(frame, "frame")
    assert not [pair for pair in itertools.combinations(boxes, 2) if overlap(*pair)]
    assert frame[["x", "x2"]].min().min() >= 0
    assert frame[["x", "x2"]].max().max() <= WIDTH
    assert frame["y"].min() >= 0
    lines: dict[str, list[Any]] = {line.name: [] for line in parts(frame, "network")}
    for line in parts(frame, "network"):
        lines[line.name].append(line)
        # no line runs through a box
        assert not [box for box in boxes if overlap(line, box)], line
    for name, network in lines.items():
        assert in_one_piece(network), name
    for link in parts(frame, "link"):
        ends_of = boxes + frames
        assert any(on_border(link.x2, link.y2, each) for each in ends_of), link
        starts = [on_line(link.x, link.y, line) for line in lines.get(link.start, [])]
        assert any(starts) or any(on_border(link.x, link.y, box) for box in boxes), link
    for box in boxes:
        assert text_width(box.name, bold=True) <= box.x2 - box.x, box
        assert all(text_width(line) <= box.x2 - box.x for line in box.detail.split(BREAK)), box
        assert LINE * (1 + len(box.detail.split(BREAK)) * bool(box.detail)) < box.y2 - box.y, box


def connected(frame: pd.DataFrame, network: str) -> set[str]:
    return set(frame.loc[(frame["part"] == "link") & (frame["start"] == network), "end"])
