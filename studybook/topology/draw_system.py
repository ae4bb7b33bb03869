"""The drawing of a system under test: guests by tier, load driver and disks outside."""

from __future__ import annotations

import pandas as pd

from studybook.topology.canvas import LINE, PAD, ROW, Box, Canvas
from studybook.topology.parts import SAN, disks_on_san, divided, file_systems, host_box, lan, san
from studybook.topology.rows import (
    attached_to,
    every_row,
    known,
    nodes_of,
    resources,
    servers_of,
    with_short_names,
)

#: Roles from the users' side to the disks' side.
TIERS = (
    ("web-server", "deployment-manager"),
    ("ecm-node", "nsd-client"),
    ("database", "directory", "other"),
    ("nsd-server",),
)

#: Roles of what is no guest.
OUTSIDE = ("driver", "hypervisor", "storage-system")


def system(hosts: pd.DataFrame, disks: pd.DataFrame, origin: str) -> pd.DataFrame:
    """Draw a system under test: its hosts by tier, with the networks and the disks.

    Parameters
    ----------
    hosts : pandas.DataFrame
        Rows of the view ``system_host`` of one run.
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
    served, direct = divided(disks)
    roles = hosts["role"].where(hosts["role"].notna(), "other")
    guests = hosts[~roles.isin(OUTSIDE)]
    canvas = Canvas(origin)
    network = lan(guests, None if served.empty else "NSD")
    storage = san("SD")
    on_san = [*attached_to(hosts, file_systems(direct)), *servers_of(hosts, disks)]

    def tier(*wanted: str) -> list[Box]:
        rows = (row for role in wanted for row in every_row(hosts[roles == role]))
        return [host_box(host, guests, on_san) for host in rows]

    if drivers := tier("driver"):
        canvas.grid(drivers, below=network)
        canvas.y += ROW
    hypervisors = [
        ", ".join(filter(None, [known(host.host), *resources(host)]))
        for host in every_row(hosts[roles == "hypervisor"])
    ]
    top = canvas.y
    canvas.y += LINE + PAD if hypervisors else 0
    canvas.y += LINE if len(guests) > 1 else 0
    network.label_y = canvas.y
    for boxes in filter(None, (tier(*wanted) for wanted in TIERS)):
        used = any(SAN in box.networks for box in boxes)
        canvas.grid(boxes, above=network, below=storage if used else None)
        canvas.y += ROW
    if hypervisors:
        name = f"Hypervisor {' and '.join(hypervisors)}"
        canvas.frame(name, top, role="hypervisor", paint="z/VM")
    disks_on_san(canvas, storage, nodes_of(hosts), disks)
    if systems := tier("storage-system"):
        canvas.grid(systems)
    for each in (network, storage):
        canvas.close(each)
    return canvas.table()
