"""Sections of the ``-Y`` form that tell of the state and the capacity of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from studybook.formats.captures.values import whole
from studybook.formats.names import pairs
from studybook.formats.scale.mmgetstate import quorum
from studybook.formats.scale.tables import WAITER
from studybook.formats.scale.tables_state import FILESET, HEALTH, NODE_STATE, SPACE, SPACE_TOTAL
from studybook.formats.scale.y_known import Known, Values


def _waiter(values: Values) -> dict[str, Any]:
    return {"monitored": {"monitored": True, "ignored": False}.get(values["isMonitored"] or "")}


def _fileset(values: Values) -> dict[str, Any]:
    path = values["path"]
    # Two dashes are no path and no parent; one dash is a count that was not asked for.
    return {
        "path": None if path == "--" else path,
        "parent_id": whole(values["parentId"]),
        "free_inodes": whole(values["freeInodes"], "BIGINT"),
    }


def _total(total_of: str) -> Callable[[Values], dict[str, Any]]:
    return lambda values: {"total_of": total_of}


_FREE_COLUMNS = {
    "freeBlocks": "free_blocks_kib", "freeBlocksPct": "free_blocks_percent",
    "freeFragments": "free_fragments_kib", "freeFragmentsPct": "free_fragments_percent",
}  # fmt: skip

KNOWN_STATE: dict[tuple[str, str], Known] = {
    ("mmgetstate", ""): Known(
        NODE_STATE,
        pairs("""
            nodeName=node nodeNumber=node_number state=state nodesUp=nodes_up
            totalNodes=total_nodes remarks=remarks cnfsState=cnfs_state
        """),
        lambda values: dict(quorum(values["quorum"])),
        ("quorum",),
    ),
    ("mmhealth", "State"): Known(
        HEALTH,
        pairs("""
            node=node component=component entityname=entity entitytype=entity_type status=status
            laststatuschange=since
        """),
    ),
    ("mmdiag", "waiters"): Known(
        WAITER,
        pairs("""
            threadId=thread threadName=thread_name waitStartTime=since waitTime=seconds_s
            auxReason=reason
        """),
        _waiter,
        ("isMonitored",),
    ),
    ("mmlsfileset", ""): Known(
        FILESET,
        pairs("""
            filesystemName=file_system filesetName=fileset status=status id=fileset_id
            rootInode=root_inode created=created comment=comment inodeSpace=inode_space
            maxInodes=max_inodes allocInodes=allocated_inodes
        """),
        _fileset,
        ("path", "parentId", "freeInodes"),
    ),
    ("mmdf", "nsd"): Known(
        SPACE,
        {
            "nsdName": "nsd", "storagePool": "storage_pool", "diskSize": "size_kib",
            "failureGroup": "failure_group", "metadata": "holds_metadata", "data": "holds_data",
            **_FREE_COLUMNS,
        },
    ),
    ("mmdf", "poolTotal"): Known(
        SPACE_TOTAL,
        {"poolName": "storage_pool", "poolSize": "size_kib", **_FREE_COLUMNS},
        _total("pool"),
    ),
    ("mmdf", "data"): Known(
        SPACE_TOTAL, {"totalData": "size_kib", **_FREE_COLUMNS}, _total("data")
    ),
    ("mmdf", "metadata"): Known(
        SPACE_TOTAL, {"totalMetadata": "size_kib", **_FREE_COLUMNS}, _total("metadata")
    ),
    ("mmdf", "fsTotal"): Known(
        SPACE_TOTAL, {"fsSize": "size_kib", **_FREE_COLUMNS}, _total("file system")
    ),
}  # fmt: skip
