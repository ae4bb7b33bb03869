"""The drawing of an idea: one file system on every node, and two ways to its disks."""

from __future__ import annotations

import pandas as pd

from studybook.topology.canvas import LINE, PAD, ROW, TRUNK, Box, Canvas, Network
from studybook.topology.parts import LAN, SAN, san


def schema() -> pd.DataFrame:
    """Draw Spectrum Scale as such: nodes, servers, disks, and the ways between them.

    Returns
    -------
    pandas.DataFrame
        A row per part, with its place; without origin, for nothing of it was captured.
    """
    canvas = Canvas(None)
    network = Network(LAN, "LAN: control, and data for those without a path", "NSD", TRUNK)
    storage = san("SD")
    storage.label = "SAN: data, block by block"
    both, one = frozenset({LAN, SAN}), frozenset({LAN})
    nodes = [
        *[Box(f"Node {number}", ["reads and", "writes", "directly"], "node", "SD", both)
          for number in (1, 2)],
        *[Box(f"Node {number}", ["NSD client:", "asks a", "server"], "node", "NSD", one)
          for number in (3, 4)],
    ]  # fmt: skip
    servers = [
        Box(f"Node {number}", ["NSD server"], "NSD server", "nsd server", both) for number in (5, 6)
    ]
    top = canvas.y
    canvas.y += 2 * LINE + PAD
    network.label_y = canvas.y
    canvas.grid(nodes, above=network, below=storage)
    canvas.y += ROW
    canvas.grid(servers, above=network, below=storage)
    canvas.y += ROW
    canvas.frame("One file system: the same files on every node", top, role="file system")
    canvas.y += LINE
    storage.label_y = canvas.y
    top = canvas.y
    canvas.y += LINE + PAD
    disks = [Box(f"NSD {n}", [], "disk", networks=frozenset({SAN})) for n in range(1, 5)]
    canvas.grid(disks, above=storage, widest=60)
    canvas.y += PAD
    canvas.frame("Its disks: files are striped over all of them", top, role="disks")
    for each in (network, storage):
        canvas.close(each)
    return canvas.table()
