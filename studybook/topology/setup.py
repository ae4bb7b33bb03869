"""What was captured of the setup of one run: its hosts, its disks, and how they hang together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import pandas as pd

from studybook.dataset.definition import Role
from studybook.errors import NeedsData
from studybook.study.study import Study
from studybook.text import counted


@dataclass(frozen=True)
class Host:
    """A row of the view ``system_host``; None is what was not captured, an empty text is none.

    ``kind`` and ``colour`` are what the study says of its role: a name in words, and whose colour
    it has in :data:`studybook.charts.palette.COLOURS`.
    """

    host: str
    role: str | None = None
    cpus: float | None = None
    memory_mib: float | None = None
    in_cluster: bool = False
    node: str | None = None
    node_number: int | None = None
    designation: str | None = None
    mounted: str | None = None
    ip_address: str | None = None
    mtu_bytes: str | None = None
    page_pool: str | None = None
    kind: str = ""
    colour: str | None = None

    @property
    def mounts(self) -> list[str]:
        """The file systems that it mounts."""
        return self.mounted.split(", ") if self.mounted else []

    @property
    def resources(self) -> list[str]:
        """Processors and memory, where the manifest says them."""
        cpus = [counted(round(self.cpus), "CPU")] if self.cpus else []
        return cpus + ([f"{self.memory_mib / 1024:.3g} GiB"] if self.memory_mib else [])


@dataclass(frozen=True)
class Disk:
    """A disk of the cluster, with the names of the hosts that serve it, in their order."""

    file_system: str
    nsd: str
    servers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setup:
    """The hosts and disks of a run whose captures are drawn.

    Names of hosts end at the first dot, unless two would be the same; a disk's servers are called
    as the hosts are. ``kinds`` are the names of the study's roles, in its order; ``matching`` is
    how many runs of the scope could have been drawn.
    """

    hosts: list[Host]
    disks: list[Disk] = field(default_factory=list)
    kinds: tuple[str, ...] = ()
    run_id: str = ""
    origin: str = "measured"
    factors: Mapping[str, str] = field(default_factory=dict)
    matching: int = 1

    @classmethod
    def of(
        cls, hosts: pd.DataFrame, disks: pd.DataFrame, roles: Mapping[str, Role], **more: Any
    ) -> Setup:
        """Make it of rows of ``system_host`` and ``cluster_disk``, and the roles of the study."""
        wanted = Host.__dataclass_fields__
        rows = [{k: v for k, v in row.items() if k in wanted} for row in _rows(hosts)]
        labels = [_first_label(row["host"]) for row in rows]
        alike = len(set(labels)) < len(labels)
        found, called = [], dict[str, str]()
        for row, label in zip(rows, labels, strict=True):
            name = row["host"] if alike else label
            for alias in filter(None, (row["host"], row.get("node"))):
                called |= {str(alias).lower(): name}
                called.setdefault(_first_label(alias).lower(), name)
            role = str(row.get("role") or "other")
            means = roles.get(role, Role(meaning=role))
            words = {"kind": means.name or role.replace("-", " "), "colour": means.colour}
            found.append(Host(**row | words | {"host": name}))

        def known(server: str) -> str:
            label = server if alike else _first_label(server)
            return called.get(server.lower()) or called.get(_first_label(server).lower(), label)

        return cls(
            found,
            [
                Disk(row["file_system"] or "", row["nsd"], tuple(map(known, _listed(row))))
                for row in _rows(disks)
            ],
            kinds=tuple(role.name or name.replace("-", " ") for name, role in roles.items()),
            **more,
        )

    def having(self, *roles: str) -> Setup:
        """The same with the hosts of these roles only, in this order.

        Raises
        ------
        NeedsData
            If no host has any of them.
        """
        hosts = [each for role in roles for each in self.hosts if each.role == role]
        if not hosts:
            raise NeedsData(
                f"This figure needs hosts with the role {' or '.join(roles)} in run.yml"
            )
        return replace(self, hosts=hosts)

    @property
    def said(self) -> str:
        """Which run is drawn, for the subtitle."""
        among = f", the first of {self.matching} that match" if self.matching > 1 else ""
        return f"run {self.run_id.split('/', 1)[1]}{among}"

    @property
    def nodes(self) -> list[Host]:
        """The hosts that are nodes of the cluster, in its order."""
        nodes = [each for each in self.hosts if each.in_cluster]
        return sorted(nodes, key=lambda node: node.node_number or 0)

    @property
    def served(self) -> list[Disk]:
        """The disks that have servers."""
        return [disk for disk in self.disks if disk.servers]

    @property
    def direct(self) -> list[Disk]:
        """The disks that a node must reach itself."""
        return [disk for disk in self.disks if not disk.servers]

    @property
    def servers(self) -> list[str]:
        """All that stand in the list of a disk, as the cluster orders its nodes."""
        named = dict.fromkeys(name for disk in self.disks for name in disk.servers)
        order = {node.host: place for place, node in enumerate(self.nodes)}
        return sorted(named, key=lambda name: order.get(name, len(order)))

    @property
    def clients(self) -> list[Host]:
        """The nodes that serve no disk to others."""
        return [node for node in self.nodes if node.host not in self.servers]

    def attached(self, file_systems: Iterable[str]) -> list[Host]:
        """The nodes that reach the disks of file systems directly: all that mount one of them.

        Where it was not captured which nodes mount it, all nodes count: they need the disks to.
        """
        wanted = set(file_systems) - {""}  # a disk of no file system is mounted by nobody
        return [n for n in self.nodes if wanted and (n.mounted is None or wanted & {*n.mounts})]

    def with_mounts(self, file_system: str) -> str:
        """The name of a file system and, where that was captured, how many nodes mount it."""
        if not file_system or all(node.mounted is None for node in self.nodes):
            return file_system or "no file system"
        mounting = sum(file_system in node.mounts for node in self.nodes)
        return f"{file_system}, mounted on {mounting} of {counted(len(self.nodes), 'node')}"


def file_systems(disks: Iterable[Disk]) -> list[str]:
    """The file systems of disks, in the order of the capture; an empty name for free disks."""
    return list(dict.fromkeys(disk.file_system for disk in disks))


def common_address(hosts: Iterable[Host]) -> str:
    """What all addresses begin with, up to a dot; empty where they have nothing in common."""
    parts = [each.ip_address.split(".") for each in hosts if each.ip_address]
    if len(parts) < 2 or any(len(each) != 4 for each in parts):
        return ""
    same = next((n for n in range(3) if len({each[n] for each in parts}) > 1), 3)
    return "".join(f"{part}." for part in parts[0][:same])


def mtus(hosts: Iterable[Host]) -> list[str]:
    """The MTUs that the interfaces of the hosts have, the most frequent first."""
    found = Counter(each.mtu_bytes for each in hosts if each.mtu_bytes)
    return [mtu for mtu, _ in found.most_common()]


def captured(
    study: Study,
    view: Literal["cluster_disk", "cluster_node", "system_host"],
    *,
    needs: str,
    roles: Mapping[str, Role],
) -> Setup:
    """Take the first run that has what a figure draws, captures of a configuration before others.

    Parameters
    ----------
    study : Study
        The opened study; the factors of its scope choose among the runs.
    view : {"cluster_disk", "cluster_node", "system_host"}
        The view in which the run must have rows.
    needs : str
        Which raw export gives such rows, for people.
    roles : mapping
        The roles of the study's hosts, as its ``study.yml`` has them.

    Raises
    ------
    NeedsData
        If there is no such run.
    """
    run = study.require(
        f"""
        SELECT run_id, origin, map_keys(factors) AS names, map_values(factors) AS texts,
               count(*) OVER () AS matching
        FROM run_factors
        WHERE run_id IN (SELECT run_id FROM {view})
        ORDER BY kind != 'configuration', run_id
        LIMIT 1
        """,
        needs,
    ).to_dict("records")[0]
    in_order = {"system_host": "node_number NULLS LAST, host", "cluster_disk": "line"}
    hosts, disks = (
        study.query(f"FROM {name} WHERE run_id = $run ORDER BY {order}", run=run["run_id"])
        for name, order in in_order.items()
    )
    factors = dict(zip(run["names"], run["texts"], strict=True))
    about = {name: run[name] for name in ("run_id", "origin", "matching")}
    return Setup.of(hosts, disks, roles, factors=factors, **about)


def _rows(table: pd.DataFrame) -> list[Any]:
    """The rows with None where a value is missing."""
    return table.astype(object).where(table.notna(), None).to_dict("records")


def _listed(disk: Mapping[str, Any]) -> list[str]:
    return [name.strip() for name in (disk["servers"] or "").split(",") if name.strip()]


def _first_label(name: str) -> str:
    return name if re.fullmatch(r"[0-9.:]+", name) else name.split(".")[0]
