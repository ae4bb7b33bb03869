"""Sections of the ``-Y`` form that have tables of their own, and which column goes where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from studybook.formats.captures.values import whole
from studybook.formats.names import pairs, words
from studybook.formats.scale.mmlscluster import designation
from studybook.formats.scale.mmlsnsd import server_list
from studybook.formats.scale.tables import (
    CLUSTER,
    CONFIG,
    DISK,
    FILESYSTEM,
    MOUNT,
    NODE,
    NSD,
    NSD_DEVICE,
)
from studybook.formats.scale.values import size_bytes
from studybook.formats.scale.y_known import Known, Values
from studybook.formats.scale.y_state import KNOWN_STATE

#: Columns of sections that are the same in every release, for rows without their HEADER.
DOCUMENTED = {
    ("mmlsconfig", ""): ("configParameter", "value", "nodeList"),
    ("mmlsfs", ""): ("deviceName", "fieldName", "data", "remarks"),
    ("mmdiag", "config"): ("name", "value", "changed"),
    ("mmlsmount", ""): words("""
        localDevName realDevName owningCluster totalNodes nodeIP nodeName clusterName mode
    """),
}


def _setting(command: str, name: str) -> Callable[[Values], dict[str, Any]]:
    def more(values: Values) -> dict[str, Any]:
        row = {"command": command, "value_bytes": size_bytes(values[name] or "", values["value"])}
        if command == "mmlsconfig":
            row["scope"] = values.get("nodeList") or "common"
        return row

    return more


_NSD_COLUMNS = {"fileSystem": "file_system", "diskName": "nsd", "volumeId": "volume_id"}

KNOWN: dict[tuple[str, str], Known] = {
    ("mmlscluster", "clusterSummary"): Known(
        CLUSTER,
        pairs("""
            clusterName=cluster_name clusterId=cluster_id uidDomain=uid_domain
            rshPath=remote_shell rcpPath=remote_copy repositoryType=repository_type
            primaryServer=primary_server secondaryServer=secondary_server
        """),
    ),
    ("mmlscluster", "clusterNode"): Known(
        NODE,
        {
            "nodeNumber": "node_number",
            "daemonNodeName": "daemon_node",
            "ipAddress": "ip_address",
            "adminNodeName": "admin_node",
        },
        lambda values: designation(
            values.get("designation"),
            values.get("otherNodeRolesAlias") or values.get("otherNodeRoles"),
        ),
        ("designation", "otherNodeRoles", "otherNodeRolesAlias"),
    ),
    ("mmlsnsd", "nsd"): Known(
        NSD, _NSD_COLUMNS, lambda values: server_list(values.get("serverList")), ("serverList",)
    ),
    # With -m and -X a row is a disk on one node, which stands in the place of the servers.
    ("mmlsnsd", "nsd of a node"): Known(
        NSD_DEVICE,
        {
            **_NSD_COLUMNS,
            "serverList": "node",
            "deviceType": "device_type",
            "localDiskName": "device",
            "remarks": "remarks",
        },
    ),
    ("mmlsconfig", ""): Known(
        CONFIG,
        {"configParameter": "attribute", "value": "value"},
        _setting("mmlsconfig", "configParameter"),
        ("nodeList",),
    ),
    ("mmdiag", "config"): Known(
        CONFIG,
        {"name": "attribute", "value": "value", "changed": "changed"},
        _setting("mmdiag", "name"),
    ),
    ("mmlsfs", ""): Known(
        FILESYSTEM,
        {
            "deviceName": "file_system",
            "fieldName": "name",
            "data": "value",
            "remarks": "description",
        },
    ),
    ("mmlsmount", ""): Known(
        MOUNT,
        pairs("""
            localDevName=file_system realDevName=real_file_system owningCluster=owning_cluster
            totalNodes=node_count nodeIP=ip_address nodeName=node clusterName=cluster mode=mode
        """),
        lambda values: {"mounted": (whole(values.get("totalNodes")) or 0) > 0},
    ),
    ("mmlsdisk", ""): Known(
        DISK,
        pairs("""
            nsdName=nsd driverType=driver sectorSize=sector_size_bytes failureGroup=failure_group
            metadata=holds_metadata data=holds_data status=status availability=availability
            diskID=disk_id storagePool=storage_pool remarks=remarks diskSizeKB=size_kib
        """),
    ),
    **KNOWN_STATE,
}
