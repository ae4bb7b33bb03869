"""The drawing of a cluster: its nodes, and how they reach the disks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from studybook.text import counted
from studybook.topology.canvas import (
    LINE,
    MARGIN,
    PAD,
    ROW,
    STUB,
    WIDTH,
    Box,
    Canvas,
    Network,
    box_height,
    box_width,
)  # fmt: skip
from studybook.topology.parts import (
    LAN,
    SAN,
    disks_on_san,
    divided,
    file_systems,
    lan,
    node_box,
    san,
)  # fmt: skip
from studybook.topology.rows import (
    attached_to,
    clients_of,
    every_row,
    host_of,
    known,
    list_of,
    nodes_of,
    servers_of,
    with_mounts,
    with_short_names,
)  # fmt: skip


def cluster(hosts: pd.DataFrame, disks: pd.DataFrame, origin: str) -> pd.DataFrame:
    """Draw a Spectrum Scale cluster: its nodes, and how they reach the disks.

    Parameters
    ----------
    hosts : pandas.DataFrame
        Rows of the view ``system_host`` of one run; those outside the cluster are not drawn.
    disks : pandas.DataFrame
        Rows of the view ``cluster_disk`` of the same run; possibly none.
    origin : str
        Where the captures come from.

    Returns
    -------
    pandas.DataFrame
        A row per part, with its place.
    """
    hosts, disks = with_short_names(hosts, disks)
    nodes, (served, direct) = nodes_of(hosts), divided(disks)
    canvas = Canvas(origin)
    network, storage = lan(nodes, None if served.empty else "NSD"), san("SD")
    network.label += ": control only" if served.empty else ": control and data"
    canvas.y = network.label_y = LINE + 3 if len(nodes) > 1 else 0
    on_san = attached_to(hosts, file_systems(direct))
    boxes = [node_box(node, nodes, on_san) for node in every_row(clients_of(hosts, disks))]
    canvas.grid(boxes, above=network, below=None if direct.empty else storage)
    canvas.y += ROW
    if not served.empty:
        _served(canvas, network, nodes, served, on_san)
    disks_on_san(canvas, storage, nodes, direct)
    for each in (network, storage):
        canvas.close(each)
    return canvas.table()


def _served(
    canvas: Canvas,
    network: Network,
    nodes: pd.DataFrame,
    disks: pd.DataFrame,
    on_san: Sequence[str],
) -> None:
    """Draw each server with the disks for which it stands first, one below the other."""
    names, lists = servers_of(nodes, disks), [list_of(disk) for disk in every_row(disks)]
    boxes = {name: _server(name, nodes, on_san) for name in names}
    width = min(max(map(box_width, boxes.values())), 0.42 * WIDTH)
    height = box_height(list(boxes.values()))
    left = MARGIN + width + STUB
    said = "; ".join(with_mounts(name, nodes) for name in file_systems(disks))
    canvas.label(f"Disks of {said}")
    canvas.y += 3
    for name in names:
        top, middle = canvas.y, canvas.y + height / 2
        first = disks[[servers[0] == name for servers in lists]]
        state = "standby" if first.empty else ""
        _disks(canvas, name, first, sum(name in servers for servers in lists), left)
        canvas.y = max(canvas.y + PAD, top + height)
        canvas.box(boxes[name], MARGIN, top, width, height)
        network.taps.append((boxes[name].name, MARGIN, middle, middle))
        canvas.add(
            "link", MARGIN + width, middle, left, middle,
            start=boxes[name].name, end=f"disks of {name}", state=state, paint="nsd server",
        )  # fmt: skip
        canvas.frame("", top, x=left, role=f"disks of {name}", state=state, paint="nsd server")


def _server(name: str, nodes: pd.DataFrame, on_san: Sequence[str]) -> Box:
    row = host_of(nodes, name)
    box = Box(name) if row is None else node_box(row, nodes, on_san)
    # there is no way for a line from here to the disks that no server serves: say it in words
    more = ["also direct"] if SAN in box.networks else []
    return Box(box.name, [*box.lines, *more], "NSD server", "nsd server", frozenset({LAN}))


def _disks(canvas: Canvas, server: str, first: pd.DataFrame, listed: int, left: float) -> None:
    """Write whose turn it is when, and draw the disks."""
    rest = {tuple(list_of(disk)[1:]) for disk in every_row(first)}
    heads = [f"first server of {counted(len(first), 'disk')}"]
    if first.empty:
        heads = ["stands by:", f"later in the list of {counted(listed, 'disk')}"]
    elif len(rest) == 1:
        heads.append(f"then {', '.join(next(iter(rest)))}" if any(rest) else "no other server")
    canvas.y += 4
    for head in heads:
        canvas.label(head, left + PAD, WIDTH - PAD, role=server)
    canvas.y += 4
    boxes = [
        Box(known(disk.nsd), [_second(disk)] if len(rest) > 1 else [], f"disk of {server}")
        for disk in every_row(first)
    ]
    canvas.grid(boxes, left=left + PAD, right=WIDTH - PAD, widest=60)


def _second(disk: Any) -> str:
    return f"then {', '.join(list_of(disk)[1:2]) or 'none'}"
