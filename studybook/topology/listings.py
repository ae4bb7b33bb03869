"""What was captured, as tables to stand below a drawing."""

from __future__ import annotations

from typing import Any

import pandas as pd

from studybook.topology.rows import ROLES, every_row, known, list_of, nodes_of, resources


def hosts_listed(hosts: pd.DataFrame) -> pd.DataFrame:
    """List hosts with their roles, processors, memory, address and MTU.

    Parameters
    ----------
    hosts : pandas.DataFrame
        Rows of the view ``system_host`` of one run.

    Returns
    -------
    pandas.DataFrame
        A row per host, to be shown; None where nothing was captured.
    """
    return pd.DataFrame(
        {
            "host": known(host.host),
            "role": ROLES.get(known(host.role), (known(host.role), None))[0] or None,
            "processors and memory": ", ".join(filter(None, resources(host))) or None,
            **_network(host),
        }
        for host in every_row(hosts)
    )


def nodes_listed(hosts: pd.DataFrame) -> pd.DataFrame:
    """List the nodes of a cluster with their designations.

    Parameters
    ----------
    hosts : pandas.DataFrame
        Rows of the view ``system_host`` of one run.

    Returns
    -------
    pandas.DataFrame
        A row per node, to be shown; None where nothing was captured.
    """
    return pd.DataFrame(
        {
            "number": known(node.node_number),
            "node": known(node.host),
            "designation": None if pd.isna(node.designation) else node.designation or "(empty)",
            **_network(node),
            "page pool": known(node.page_pool) or None,
            "mounts": None if pd.isna(node.mounted) else node.mounted or "nothing",
        }
        for node in every_row(nodes_of(hosts))
    )


def disks_listed(disks: pd.DataFrame) -> pd.DataFrame:
    """List disks with their servers in order.

    Parameters
    ----------
    disks : pandas.DataFrame
        Rows of the view ``cluster_disk`` of one run.

    Returns
    -------
    pandas.DataFrame
        A row per disk, to be shown.
    """
    return pd.DataFrame(
        {
            "file system": known(disk.file_system) or None,
            "disk": known(disk.nsd),
            "servers in their order": ", ".join(list_of(disk)) or "(directly attached)",
        }
        for disk in every_row(disks)
    )


def _network(host: Any) -> dict[str, str | None]:
    return {"address": known(host.ip_address) or None, "MTU (bytes)": known(host.mtu_bytes) or None}
