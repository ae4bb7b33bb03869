"""Predictions of the ECM model where nothing was measured: other nodes, frames, pools, loads.

Each function gives one tidy frame for a chart: a row per mark, of the origin *simulated*, and the
published values of the same setups and loads beside them, of the origin *published*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from studybook.frames.figure_data import rounded
from studybook.study.origin import NO_RUN
from testbed import ecm, fit_tables
from testbed.ecm.quantities import QUANTITIES
from testbed.ecm.setup import ClusterKind, MtuScope
from testbed.model import Model

#: Headings of the panels of a chart, by quantity.
TITLES = {
    "response_ms": "Response time (ms)",
    "pages_per_s": "Throughput (pages/s)",
    "total_ifl": "All of z/VM (IFLs)",
    "node_packets_per_s": "Packets of a node (1/s)",
    "disk_read_mib_s": "Disk reads (MiB/s)",
}

SHARED, NSD = "SD", "NSD"
_CLUSTERS: dict[str, ClusterKind] = {SHARED: "shared-disk", NSD: "nsd"}


@dataclass(frozen=True)
class Point:
    """A setup under a load, and the values by which a chart tells it from others."""

    labels: Mapping[str, Any]
    setup: ecm.Setup
    users: float


def nodes(
    model: Model, counts: Iterable[int], *, users: float, users_per_node: float, ifls: int
) -> pd.DataFrame:
    """Predict clusters of different size, under one load and under one that grows with them.

    Parameters
    ----------
    model : Model
        That of the ECM study.
    counts : iterable of int
        Numbers of ECM nodes.
    users, users_per_node : float
        Virtual users in all, and for each node.
    ifls : int
        Processors of the LPAR.
    """
    loads = {f"{users:,g} users": (users, 0.0), f"{users_per_node:g} per node": (0, users_per_node)}
    points = [
        Point(
            {"cluster": name, "load": load, "nodes": count},
            ecm.Setup(nodes=count, cluster=cluster, ifls=ifls),
            fixed + each * count,
        )
        for load, (fixed, each) in loads.items()
        for name, cluster in _CLUSTERS.items()
        for count in counts
    ]
    # throughput first: whether it keeps pace is the question
    return predictions(model, points, ("pages_per_s", "response_ms", "total_ifl"), by="load")


def mtu(model: Model, sizes: Iterable[int], *, users: float) -> pd.DataFrame:
    """Predict the largest packet's effect, used everywhere and between the guests only.

    Parameters
    ----------
    model : Model
        That of the ECM study.
    sizes : iterable of int
        MTU of the guests, in bytes.
    users : float
        Virtual users.
    """
    scopes: dict[str, MtuScope] = {"everywhere": "everywhere", "inside z/VM only": "inside-zvm"}
    points = [
        Point(
            {"cluster": name, "where": where, "mtu": size},
            ecm.Setup(cluster=cluster, mtu=size, mtu_scope=scope),
            users,
        )
        for where, scope in scopes.items()
        for name, cluster in _CLUSTERS.items()
        for size in sizes
    ]
    quantities = ("response_ms", "node_packets_per_s", "total_ifl")
    return predictions(model, points, quantities, by="where")


def pagepool(
    model: Model, sizes_mib: Iterable[int], *, users: float, server_mib: int
) -> pd.DataFrame:
    """Predict the effect of the page pool of the ECM nodes.

    Parameters
    ----------
    model : Model
        That of the ECM study.
    sizes_mib : iterable of int
        Page pool of each ECM node.
    users : float
        Virtual users.
    server_mib : int
        Page pool of the NSD servers.
    """
    points = [
        Point(
            {"cluster": name, "pool_mib": size},
            ecm.Setup(
                cluster=cluster,
                client_pagepool_mib=size,
                server_pagepool_mib=server_mib if name == NSD else ecm.Setup.server_pagepool_mib,
            ),
            users,
        )
        for name, cluster in _CLUSTERS.items()
        for size in sizes_mib
    ]
    return predictions(model, points, ("disk_read_mib_s", "response_ms"))


def load(model: Model, users: Iterable[float]) -> pd.DataFrame:
    """Predict each of the study's four systems under more and more users.

    Parameters
    ----------
    model : Model
        That of the ECM study.
    users : iterable of float
        Virtual users.
    """
    one, four = "one node", "four nodes"
    systems = {
        (one, "XFS"): ecm.Setup(nodes=1, file_system="xfs", cluster="none"),
        (one, SHARED): ecm.Setup(nodes=1),
        (four, SHARED): ecm.Setup(),
        (four, NSD): ecm.Setup(cluster="nsd"),
    }
    points = [
        Point({"cluster": cluster, "size": size}, setup, each)
        for (size, cluster), setup in systems.items()
        for each in users
    ]
    return predictions(model, points, ("response_ms", "pages_per_s"), by="size")


def predictions(
    model: Model, points: Sequence[Point], quantities: Sequence[str], by: str | None = None
) -> pd.DataFrame:
    """Predict points, and put beside them what was published of the same ones.

    Parameters
    ----------
    model : Model
        That of the ECM study.
    points : sequence of Point
        Setups under loads.
    quantities : sequence of str
        What of each prediction is shown.
    by : str, optional
        The label that panels differ by, beside the quantity.

    Returns
    -------
    pandas.DataFrame
        One row per mark: ``origin``, ``run``, the labels, ``users``, ``quantity``, ``panel``,
        ``value``; of a prediction ``bottleneck`` and ``busy`` (share of it), of what is published
        ``text``, ``label`` (as it is printed, with its unit), and ``low`` or ``high`` where that is
        a range or a bound.
    """
    rows, shown = [], []
    for point in points:
        found = ecm.predict(point.setup, point.users, model.values)
        published = [
            each
            for each in model.targets
            if each.against is None
            and each.users == point.users
            and ecm.Setup(**each.setup) == point.setup
        ]
        for quantity in quantities:
            place = {**point.labels, "users": point.users, "quantity": quantity}
            place["panel"] = TITLES[quantity] + (f", {point.labels[by]}" if by else "")
            rows.append(
                {"origin": "simulated", "run": NO_RUN, **place}
                | {"value": rounded(QUANTITIES[quantity](found))}
                | {"bottleneck": in_words(found.bottleneck.name)}
                | {"busy": rounded(found.bottleneck.utilisation)}
            )
            of_quantity = [each for each in published if each.quantity == quantity]
            shown += of_quantity
            rows += [
                {**place, **each.said(), "text": each.text, "label": fit_tables.accepted(each)}
                for each in of_quantity
            ]
    model.note_published(shown)
    frame = pd.DataFrame(rows)
    # In the order of the panels: row by row, a quantity each.
    order = {quantity: number for number, quantity in enumerate(quantities)}
    frame = frame.sort_values("quantity", key=lambda each: each.map(order), kind="stable")
    return frame.reset_index(drop=True)


def in_words(station: str) -> str:
    """Name a station of a prediction for readers: ``ECMnod1 cpu`` is one of an ECM node."""
    node = re.fullmatch(r"(?:ECMnod\d+) (cpu|locks)", station)
    if node:
        return {"cpu": "processors of an ECM node", "locks": "locks inside an ECM node"}[node[1]]
    if station == "IFLs":
        return "IFLs of the LPAR"
    guest = re.fullmatch(r"(\w+) cpu", station)
    return f"processors of {guest[1]}" if guest else station
