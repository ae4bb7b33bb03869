"""``mmlscluster``: the summary and the nodes of a cluster."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Command, Line, Section, Start, TableSection
from studybook.formats.contract import Reading
from studybook.formats.names import pairs

_SUMMARY = pairs("""
    GPFS cluster name=cluster_name; GPFS cluster id=cluster_id; GPFS UID domain=uid_domain;
    Remote shell command=remote_shell; Remote file copy command=remote_copy;
    Repository type=repository_type; Primary server=primary_server;
    Secondary server=secondary_server
""")
#: Between names that differ in nothing else an underscore may have been lost.
_UNDERSCORE = (
    "cluster name {} and UID domain {} differ in underscores only: one may have been lost"
    " (transcribed); they are kept as printed"
)
_MASKED = "some values are masked in the capture; they are kept as printed"
_WORDS_OF_A_NODE = (4, 5)


class Summary(Section):
    """The lines ``label:  value`` under the title."""

    def __init__(self, out: Reading, command: Command) -> None:
        super().__init__(out, command)
        self.first = 0
        self.values: dict[str, str | None] = {}
        self.ruled = False

    def take(self, line: Line) -> bool:
        """Account for a line of the summary."""
        if self.rule(line):
            return True
        if line.squeezed == "GPFS cluster configuration servers:":
            self.needs_rule(line)
            self.ruled = False
            self.out.heading()
            return True
        label, colon, value = line.squeezed.partition(":")
        if not colon or label not in _SUMMARY:
            return False
        self.needs_rule(line)
        self.first = self.first or line.number
        self.values[_SUMMARY[label]] = value.strip()
        self.out.used()
        if "xxx" in value:
            self.say(line.number, _MASKED)
        return True

    def close(self) -> None:
        """Hand over the row: all its lines have been seen."""
        if self.values:
            name, domain = self.values.get("cluster_name"), self.values.get("uid_domain")
            if name and domain and name != domain and _bare(name) == _bare(domain):
                self.say(self.first, _UNDERSCORE.format(name, domain))
            self.row("scale_cluster", self.first, self.values)
            self.values = {}


def _bare(name: str) -> str:
    return name.replace("_", "")


class Nodes(TableSection):
    """The table of nodes."""

    def take_row(self, line: Line) -> bool:
        """Account for a node: number, name, address, name, and maybe a designation."""
        words = line.words
        if len(words) not in _WORDS_OF_A_NODE or not words[0].isdecimal():
            return False
        number, daemon, address, admin = words[:4]
        if "." not in address and ":" not in address:
            return False
        self.row(
            "scale_node",
            line.number,
            {
                "node_number": number, "daemon_node": daemon, "ip_address": address,
                "admin_node": admin,
            },
            **designation(words[4] if len(words) > 4 else None),
        )  # fmt: skip
        if "xxx" in address:
            self.say(line.number, _MASKED)
        return True


def designation(printed: str | None, roles: str | None = None) -> dict[str, str | bool | None]:
    """What a node's designation says.

    Parameters
    ----------
    printed : str or None
        As printed: ``quorum-manager-perfmon``, with -Y ``quorumManager``; none for a client.
    roles : str or None
        Other roles where they are printed apart, as -Y does.
    """
    words = re.split(r"-|(?<=quorum)(?=Manager)", printed) if printed else []
    lower = [word.lower() for word in words]
    others = [word for word in lower if word not in ("quorum", "manager", "nonquorum")]
    return {
        "designation": printed or None, "quorum": "quorum" in lower, "manager": "manager" in lower,
        "roles": ",".join(others) or roles or None,
    }  # fmt: skip


STARTS = (
    Start(re.compile("GPFS cluster information"), Summary),
    Start(re.compile("Node Daemon node name IP address Admin node name Designation"), Nodes),
)
