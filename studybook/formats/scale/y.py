"""The ``-"scale_y"`` form, ``command:section:0:1:::value:value:``, of any command.

The columns of a section stand in its HEADER line and change with the release, so values are
found by name. Values of known sections go to the same tables as the text form; what has no
column there, and every section of other commands, goes to the generic table.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import unquote

from studybook.formats.captures.section import Line, Section, Start
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

#: Command, section, row kind, version and two reserved pieces before the values.
_PREFIX = 6
_LINE = re.compile(
    r"(?:[A-Za-z]\w{0,40}:\w{0,60}:HEADER:version:|mm[A-Za-z]\w{0,40}:\w{0,60}:[0-9]{1,4}:[0-9]{1,4}:)"
    r"[^:]*:[^:]*:.*"
)


@dataclass
class YForm(Section):
    """Rows of any sections, mixed, with their HEADER lines before or between them."""

    headers: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict, init=False)
    rows: dict[tuple[str, str], int] = field(default_factory=dict, init=False)

    begins_with_content = True
    broken: Line | None = None

    def expects(self, line: Line) -> bool:
        """Further rows do not begin a new output."""
        return bool(_LINE.fullmatch(line.text.strip()))

    def _take(self, line: Line) -> bool | None:
        text = line.text.strip()
        if not _LINE.fullmatch(text):
            return self._mend(line)
        self.close()
        pieces = _pieces(text)
        if pieces[2] == "HEADER":
            self.headers[pieces[0], pieces[1]] = _unique(pieces[_PREFIX:])
            return False
        names = self._names(line, pieces)
        if text.endswith(":") or len(pieces) - _PREFIX >= len(names):
            self._row(line, pieces)
        else:
            self.broken = line
        return True

    def close(self) -> None:
        """Hand over a row that was waiting for its other half in vain, but for its last value."""
        if self.broken:
            line, self.broken = self.broken, None
            self.say(line.number, "the row has no end: its last value may be cut, and is left out")
            self._row(line, _pieces(line.text.strip())[:-1])

    def blank(self) -> bool:
        """A blank line ends a row, not the output."""
        self.close()
        return True

    def _mend(self, line: Line) -> bool | None:
        """Join a line to the row before it, which has neither all its values nor an end."""
        if not self.broken:
            return None
        start, rest = self.broken, line.text.strip()
        pieces = _pieces(start.text.strip() + rest)
        expected = _PREFIX + len(self._names(start, pieces))
        if not rest.endswith(":") or " " in rest or len(pieces) > expected:
            return None
        self.broken = None
        self.mend(start.number, f"the row is broken over lines {start.number} and the next")
        self._row(start, pieces)
        return True

    def _names(self, line: Line, pieces: list[str]) -> tuple[str, ...]:
        """The columns of a row: by the HEADER of its section, or as documented."""
        command, section = pieces[:2]
        if (command, section) in self.headers:
            return self.headers[command, section]
        for (word, other), names in self.headers.items():
            # Some releases print 'fs::HEADER' above 'mmlsfs::0'.
            if other == section and command.endswith(word.lower()):
                return names
        documented = DOCUMENTED.get((command, section), ())
        taken = "documented columns taken" if documented else "its columns have no names"
        self.say(line.number, f"{_title(command, section)} has no HEADER line: {taken}")
        return documented

    def _row(self, line: Line, pieces: list[str]) -> None:
        command, section = pieces[:2]
        names = self._names(line, pieces)
        values = Values((name, None) for name in names)
        surplus = Values()
        for place, piece in enumerate(pieces[_PREFIX:]):
            if place < len(names):
                values[names[place]] = unquote(piece) or None
            else:
                unnamed = f"surplus_{place - len(names) + 1}" if names else f"field_{place + 1}"
                surplus[unnamed] = unquote(piece) or None
        if surplus and names:
            self.say(line.number, f"{_title(command, section)} has rows longer than their HEADER")
        self.rows[command, section] = number = self.rows.get((command, section), 0) + 1
        place_of = "nsd of a node" if "localDiskName" in values else section
        known = KNOWN.get((command, place_of))
        # Rows that lack the columns which make them rows of a known section are kept generic.
        if known and set(known.columns) & set(names):
            taken = {column: values.get(name) for name, column in known.columns.items()}
            self.row(known.table, line.number, taken, **known.more(values))
            left = Values(
                (name, value)
                for name, value in values.items()
                if value and name not in known.columns and name not in known.also
            )
        else:
            left = values
        for name, value in (left | surplus).items():
            self.out.record(
                "scale_y", line=line.number, command=command, section=section or None, row=number,
                name=name, value=value,
            )  # fmt: skip


def _pieces(text: str) -> list[str]:
    pieces = text.split(":")
    # Every row ends with a colon, which begins no value.
    if len(pieces) > _PREFIX and not pieces[-1]:
        pieces.pop()
    return pieces


def _unique(pieces: list[str]) -> tuple[str, ...]:
    """Names of columns, of which none may hide another."""
    names: dict[str, None] = {}
    for place, piece in enumerate(pieces):
        name = unquote(piece)
        names[f"{name}_{place + 1}" if name in names else name] = None
    return tuple(names)


def _title(command: str, section: str) -> str:
    return f"{command} {section}".strip()


STARTS = (Start(_LINE.pattern, YForm),)
