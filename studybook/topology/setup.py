"""What was captured of the setup of one run: its hosts, its disks, and how they hang together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

from studybook.dataset.definition import Role
from studybook.study.origin import NO_RUN
from studybook.study.study import Study
from studybook.text import counted
from studybook.topology.layout import BREAK


@dataclass(frozen=True)
class Setup:
    """The hosts of a run whose captures are drawn, and the paths to its disks.

    ``hosts`` are rows of the model ``drawn_host``, with ``kind`` and ``paint``: what the study says
    of their role, a name in words and whose colour it has. ``paths`` are rows of ``disk_path``.
    ``matching`` is how many runs of the scope could have been drawn.
    """

    hosts: pd.DataFrame
    paths: pd.DataFrame
    run_id: str = ""
    origin: str = "measured"
    factors: Mapping[str, str] = field(default_factory=dict)
    matching: int = 1

    @property
    def said(self) -> str:
        """Which run is drawn, for the subtitle."""
        among = f", the first of {self.matching} that match" if self.matching > 1 else ""
        return f"run {self.run}{among}"

    @property
    def run(self) -> str:
        """The name of the run."""
        return self.run_id.split("/", 1)[-1] or NO_RUN

    @property
    def nodes(self) -> pd.DataFrame:
        """The hosts that are nodes of the cluster."""
        return self.hosts[self.hosts["in_cluster"]]

    @property
    def servers(self) -> list[str]:
        """All that stand in the list of a disk, as the cluster orders its nodes."""
        names = self.paths.loc[self.paths["turn"] > 0, "name"].unique()
        order = {name: place for place, name in enumerate(self.hosts["name"])}
        return sorted(names, key=lambda name: order.get(name, len(order)))

    @property
    def on_san(self) -> set[str]:
        """All hosts with a path to a disk that needs no other host."""
        return set(self.paths["name"].dropna())

    def disks(self, *, served: bool | None = None) -> pd.DataFrame:
        """All disks, those that have servers, or those that a node must reach itself.

        Each has ``hosts``, the names of all that have a path to it, in their turn, and the
        ``frame`` of its file system: its name and, where that was captured, how many nodes
        mount it.
        """
        own = self.paths
        if served is not None:
            own = own[(own["turn"] > 0) == served]
        hosts: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for system, nsd, name in own[["file_system", "nsd", "name"]].to_numpy():
            hosts[system, nsd].append(name)
        disks = [(*disk, names, self._mounted(disk[0])) for disk, names in hosts.items()]
        table = pd.DataFrame(disks, columns=["file_system", "name", "hosts", "frame"])
        return table.assign(role="disk", frame_role="file system")

    def shares(self) -> pd.DataFrame:
        """Boxes of servers, each in a row with the disks for which it stands first."""
        served, boxes = self.disks(served=True), list[tuple[str, ...]]()
        named = served[["name", "hosts"]].to_numpy().tolist()
        for server in self.servers:
            first = {disk: names[1:] for disk, names in named if names[0] == server}
            rest = {", ".join(others) for others in first.values()}
            label = f"first server of {counted(len(first), 'disk')}"
            if not first:
                listed = sum(server in hosts for hosts in served["hosts"])
                label = f"stands by: later in the list of {counted(listed, 'disk')}"
            elif len(rest) == 1:
                label += f", then {next(iter(rest)) or 'no other'}"
            own, state = (server, label, server), "" if first else "standby"
            boxes.append((server, "NSD server", state, "", *own))
            for disk, others in first.items():
                detail = f"then {', '.join(others[:1]) or 'none'}" if len(rest) > 1 else ""
                boxes.append((disk, f"disk of {server}", "", detail, *own))
        columns = ["name", "role", "state", "detail", "row", "label", "below"]
        return pd.DataFrame(boxes, columns=columns)

    def _mounted(self, file_system: str) -> str:
        mounts = self.nodes["mounted"]
        if not file_system or mounts.isna().all():
            return file_system or "no file system"
        number = sum(file_system in each.split(", ") for each in mounts.dropna())
        return f"{file_system}, mounted on {number} of {counted(len(mounts), 'node')}"

    def access(self, *, shares: bool = False) -> str:
        """How nodes reach the disks, as a sentence.

        Parameters
        ----------
        shares : bool
            Of disks with servers: say how they are shared out to these.
        """
        served, servers = self.disks(served=True), counted(len(self.servers), "NSD server")
        clients = self.nodes[~self.nodes["name"].isin(self.servers)]
        said = [*self._directly()]
        if shares and len(served):
            said.append(self._shared_out(served, len(clients)))
        elif len(served) and len(clients):
            said.append(f"{_reach(clients)} {_all(served)} only through {servers}")
        elif len(served):
            said.append(f"{servers}, and no client")
        none = f"{counted(len(self.nodes), 'node')}, and no disk of a file system"
        return "; ".join(said) or none

    def _directly(self) -> Iterator[str]:
        """A part of a sentence for the file systems that the same nodes reach."""
        disks = self.disks(served=False)
        disks = disks[disks["file_system"] != ""]
        for _, own in disks.groupby(
            disks["hosts"].map(lambda names: str(sorted(map(str, names)))), sort=False
        ):
            hosts = self.hosts[self.hosts["name"].isin(own["hosts"].iloc[0])]
            yield f"{_reach(hosts)} {_all(own)} directly"

    def _shared_out(self, disks: pd.DataFrame, clients: int) -> str:
        first = Counter(names[0] for names in disks["hosts"])
        idle, least, most = len(self.servers) - len(first), min(first.values()), max(first.values())
        to = f" to {counted(clients, 'client')}" if clients else ""
        stand = "stands by" if idle == 1 else "stand by"
        more = f"; {counted(idle, 'more server')} {stand}" if idle else ""
        if len(first) == 1:
            return f"{next(iter(first))} {'alone ' if idle else ''}serves {_all(disks)}{to}{more}"
        each = counted(most, "disk") if least == most else f"{least} to {most} disks"
        servers, some = counted(len(first), "NSD server"), _all(disks).removeprefix("all ")
        return f"{servers} serve {some}{to}, {each} each{more}"


def captured(
    study: Study,
    model: Literal["cluster_disk", "system_host"],
    *,
    needs: str,
    roles: Mapping[str, Role],
) -> Setup:
    """Take the first run that has what a figure draws, captures of a configuration before others.

    Parameters
    ----------
    study : Study
        The opened study; the factors of its scope choose among the runs.
    model : {"cluster_disk", "system_host"}
        The model in which the run must have rows.
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
        WHERE run_id IN (SELECT run_id FROM {model})
        ORDER BY kind != 'configuration', run_id
        LIMIT 1
        """,
        needs,
    ).to_dict("records")[0]
    hosts, paths = (
        study.query(f"FROM {name} WHERE run_id = $run ORDER BY {order}", run=run["run_id"])
        for name, order in (
            ("drawn_host", "node_number NULLS LAST, host"),
            ("disk_path", "line, turn, name"),
        )
    )
    factors = dict(zip(run["names"], run["texts"], strict=True))
    about: dict[str, Any] = {name: run[name] for name in ("run_id", "origin", "matching")}
    return Setup(with_roles(hosts, roles), paths, factors=factors, **about)


def with_roles(hosts: pd.DataFrame, roles: Mapping[str, Role]) -> pd.DataFrame:
    """Say of hosts what a study says of their roles; ``kind`` keeps the order of these."""
    known = {role: roles.get(role, Role(meaning=role)) for role in [*roles, *hosts["role"]]}
    called = {role: means.name or role.replace("-", " ") for role, means in known.items()}
    kinds = pd.CategoricalDtype(list(dict.fromkeys(called.values())), ordered=True)
    return hosts.assign(
        kind=hosts["role"].map(called).astype(kinds),
        paint=hosts["role"].map({role: means.colour for role, means in known.items()}),
    )


def lines(rows: pd.DataFrame, *columns: str) -> list[str]:
    """The texts of some columns as the lines of a box, without those that are missing."""
    return [
        BREAK.join(str(text) for text in row if pd.notna(text) and text != "")
        for row in rows[list(columns)].itertuples(index=False)
    ]


def lan(hosts: pd.DataFrame) -> tuple[str, list[str]]:
    """What is written beside the network of hosts, which they have in common, and in each box."""
    parts = [address.split(".") for address in hosts["ip_address"].dropna()]
    same = 0
    if len(parts) > 1 and all(len(each) == 4 for each in parts):
        same = next((n for n in range(3) if len({each[n] for each in parts}) > 1), 3)
    prefix = "".join(f"{part}." for part in parts[0][:same]) if same else ""
    label = f"LAN {prefix}x" if prefix else "LAN"
    usual = next((mtu for mtu, _ in Counter(hosts["mtu_bytes"].dropna()).most_common(1)), None)
    if usual:
        everywhere = (hosts["mtu_bytes"] == usual).all()
        others = hosts["mtu_bytes"].nunique() > 1
        label += f", MTU {usual}{'' if everywhere or others else ' if not given'}"
    own = []
    for address, mtu in hosts[["ip_address", "mtu_bytes"]].itertuples(index=False):
        place = f".{address.removeprefix(prefix)}" if prefix and pd.notna(address) else address
        other = f"MTU {mtu if pd.notna(mtu) else '?'}" if usual and mtu != usual else ""
        own.append(BREAK.join(text for text in (place, other) if pd.notna(text) and text))
    return label, own


def counts(hosts: pd.DataFrame, *, processors: bool = False) -> list[str]:
    """How many hosts of which role there are, such as “4 nodes”.

    Parameters
    ----------
    hosts : pandas.DataFrame
        Hosts of a setup.
    processors : bool
        Whether to say the processors of each, where all of a role have the same.
    """
    said = []
    for kind, own in hosts.groupby("kind", observed=True):
        each = own["processors"].unique()
        alike = processors and len(each) == 1 and pd.notna(each[0])
        said.append(f"{counted(len(own), str(kind))}{f' with {each[0]}' if alike else ''}")
    return said


def _reach(hosts: pd.DataFrame) -> str:
    kinds = hosts["kind"].unique()
    who = counted(len(hosts), str(kinds[0]) if len(kinds) == 1 else "node")
    return f"{who} {'reaches' if len(hosts) == 1 else 'reach'}" if len(hosts) else "no node reaches"


def _all(disks: pd.DataFrame) -> str:
    names = [name for name in disks["file_system"].unique() if name]
    of = f" of {len(names)} file systems" if len(names) > 1 else "".join(f" of {n}" for n in names)
    return f"the one disk{of}" if len(disks) == 1 else f"all {counted(len(disks), 'disk')}{of}"
