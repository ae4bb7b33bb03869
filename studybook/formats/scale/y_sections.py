"""Sections of the ``-Y`` form that have tables of their own, and which column goes where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from studybook.formats.captures.values import whole
from studybook.formats.names import pairs, words
from studybook.formats.scale.disks import server_list
from studybook.formats.scale.mmdiag import MONITORED
from studybook.formats.scale.nodes import designation, quorum
from studybook.formats.scale.settings import size_bytes


class Values(dict[str, str | None]):
    """The values of a row by name; a name that the HEADER lacks is NULL."""

    def __missing__(self, name: str) -> None:
        return None


@dataclass(frozen=True)
class Known:
    """A section that has a table of its own.

    Parameters
    ----------
    table : str
        Its name.
    listed : str
        Name in the HEADER to column, as :func:`~studybook.formats.names.pairs` has them.
    more : callable
        Columns that follow from the values.
    also : tuple of str
        Names in the HEADER that ``more`` uses.
    """

    table: str
    listed: str
    more: Callable[[Values], dict[str, Any]] = field(default=lambda values: {})
    also: tuple[str, ...] = ()

    @cached_property
    def columns(self) -> dict[str, str]:
        """Name in the HEADER to column."""
        return pairs(self.listed)


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


_FREE = """
    freeBlocks=free_blocks_kib freeBlocksPct=free_blocks_percent
    freeFragments=free_fragments_kib freeFragmentsPct=free_fragments_percent
"""


def _total(total_of: str, columns: str) -> Known:
    return Known("scale_space_total", columns + _FREE, lambda values: {"total_of": total_of})


def _fileset(values: Values) -> dict[str, Any]:
    path = values["path"]
    # Two dashes are no path and no parent; one dash is a count that was not asked for.
    return {
        "path": None if path == "--" else path, "parent_id": whole(values["parentId"]),
        "free_inodes": whole(values["freeInodes"], "BIGINT"),
    }  # fmt: skip


KNOWN: dict[tuple[str, str], Known] = {
    ("mmlscluster", "clusterSummary"): Known(
        "scale_cluster",
        """
            clusterName=cluster_name clusterId=cluster_id uidDomain=uid_domain
            rshPath=remote_shell rcpPath=remote_copy repositoryType=repository_type
            primaryServer=primary_server secondaryServer=secondary_server
        """,
    ),
    ("mmlscluster", "clusterNode"): Known(
        "scale_node",
        """
            nodeNumber=node_number daemonNodeName=daemon_node ipAddress=ip_address
            adminNodeName=admin_node
        """,
        lambda values: designation(
            values["designation"], values["otherNodeRolesAlias"] or values["otherNodeRoles"]
        ),
        ("designation", "otherNodeRoles", "otherNodeRolesAlias"),
    ),
    ("mmlsnsd", "nsd"): Known(
        "scale_nsd", "fileSystem=file_system diskName=nsd volumeId=volume_id",
        lambda values: server_list(values["serverList"]), ("serverList",),
    ),
    # With -m and -X a row is a disk on one node, which stands in the place of the servers.
    ("mmlsnsd", "nsd of a node"): Known(
        "scale_nsd_device",
        """
            fileSystem=file_system diskName=nsd volumeId=volume_id serverList=node
            deviceType=device_type localDiskName=device remarks=remarks
        """,
    ),
    ("mmlsconfig", ""): Known(
        "scale_config", "configParameter=attribute value=value",
        _setting("mmlsconfig", "configParameter"), ("nodeList",),
    ),
    ("mmdiag", "config"): Known(
        "scale_config", "name=attribute value=value changed=changed", _setting("mmdiag", "name")
    ),
    ("mmlsfs", ""): Known(
        "scale_filesystem",
        "deviceName=file_system fieldName=name data=value remarks=description",
    ),
    ("mmlsmount", ""): Known(
        "scale_mount",
        """
            localDevName=file_system realDevName=real_file_system owningCluster=owning_cluster
            totalNodes=node_count nodeIP=ip_address nodeName=node clusterName=cluster mode=mode
        """,
        lambda values: {"mounted": (whole(values["totalNodes"]) or 0) > 0},
    ),
    ("mmlsdisk", ""): Known(
        "scale_disk",
        """
            nsdName=nsd driverType=driver sectorSize=sector_size_bytes failureGroup=failure_group
            metadata=holds_metadata data=holds_data status=status availability=availability
            diskID=disk_id storagePool=storage_pool remarks=remarks diskSizeKB=size_kib
        """,
    ),
    ("mmgetstate", ""): Known(
        "scale_node_state",
        """
            nodeName=node nodeNumber=node_number state=state nodesUp=nodes_up
            totalNodes=total_nodes remarks=remarks cnfsState=cnfs_state
        """,
        lambda values: dict(quorum(values["quorum"])), ("quorum",),
    ),
    ("mmhealth", "State"): Known(
        "scale_health",
        """
            node=node component=component entityname=entity entitytype=entity_type status=status
            laststatuschange=since
        """,
    ),
    ("mmdiag", "waiters"): Known(
        "scale_waiter",
        """
            threadId=thread threadName=thread_name waitStartTime=since waitTime=seconds_s
            auxReason=reason
        """,
        lambda values: {"monitored": MONITORED.get(values["isMonitored"] or "")},
        ("isMonitored",),
    ),
    ("mmlsfileset", ""): Known(
        "scale_fileset",
        """
            filesystemName=file_system filesetName=fileset status=status id=fileset_id
            rootInode=root_inode created=created comment=comment inodeSpace=inode_space
            maxInodes=max_inodes allocInodes=allocated_inodes
        """,
        _fileset, ("path", "parentId", "freeInodes"),
    ),
    ("mmdf", "nsd"): Known(
        "scale_space",
        """
            nsdName=nsd storagePool=storage_pool diskSize=size_kib failureGroup=failure_group
            metadata=holds_metadata data=holds_data
        """ + _FREE,
    ),
    ("mmdf", "poolTotal"): _total("pool", "poolName=storage_pool poolSize=size_kib"),
    ("mmdf", "data"): _total("data", "totalData=size_kib"),
    ("mmdf", "metadata"): _total("metadata", "totalMetadata=size_kib"),
    ("mmdf", "fsTotal"): _total("file system", "fsSize=size_kib"),
}  # fmt: skip
