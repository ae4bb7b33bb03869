"""Nodes of Spectrum Scale: ``mmlscluster``, ``mmgetstate`` and ``mmlslicense``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from studybook.formats.captures.section import Line, Section, Start, TableSection
from studybook.formats.captures.values import whole
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
MASKED = "some values are masked in the capture; they are kept as printed"


@dataclass
class Summary(Section):
    """``mmlscluster``: the lines ``label:  value`` under the title."""

    values: dict[str, str | None] = field(default_factory=dict, init=False)

    first = 0
    ruled = False

    def _take(self, line: Line) -> bool | None:
        if self.is_rule(line):
            return False
        if line.squeezed == "GPFS cluster configuration servers:":
            self.needs_rule(line)
            self.ruled = False
            return False
        label, colon, value = line.squeezed.partition(":")
        if not colon or label not in _SUMMARY:
            return None
        self.needs_rule(line)
        self.first = self.first or line.number
        self.values[_SUMMARY[label]] = value.strip()
        if "xxx" in value:
            self.say(line.number, MASKED)
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


_NODE = re.compile(
    r"(?P<node_number>\d+) (?P<daemon_node>\S+) (?P<ip_address>(?=\S*[.:])\S+)"
    r" (?P<admin_node>\S+)(?: (?P<designation>\S+))?"
)


class Nodes(TableSection):
    """``mmlscluster``: the table of nodes."""

    def _row(self, line: Line) -> bool:
        node = _NODE.fullmatch(line.squeezed)
        if not node:
            return False
        texts = node.groupdict()
        more = designation(texts.pop("designation"))
        self.row("scale_node", line.number, texts, **more)
        if "xxx" in texts["ip_address"]:
            self.say(line.number, MASKED)
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


_COUNT = re.compile(r"[0-9]{1,9}\*?")
_STATE = re.compile(r"[a-z]{2,20}")


def quorum(printed: str | None) -> dict[str, int | bool | None]:
    """What a quorum says: ``1*`` is one node, with tiebreaker disks."""
    return {
        "quorum": whole(printed.rstrip("*")) if printed else None,
        "tiebreaker_disks": printed.endswith("*") if printed else None,
    }


class States(TableSection):
    """``mmgetstate``: a row for each node; with -L also the quorum, nodes up and all nodes."""

    def _row(self, line: Line) -> bool:
        if len(line.words) < 3 or not re.fullmatch("[0-9]{1,9}", line.words[0]):
            return False
        number, node, *rest = line.words
        counts: list[str] = []
        # A node that is no member yet has blanks in the place of counts.
        if self.title["detail"] and len(rest) > 3 and all(map(_COUNT.fullmatch, rest[:3])):
            counts, rest = rest[:3], rest[3:]
        if not _STATE.fullmatch(rest[0]) or (len(rest) > 1 and not self.title["detail"]):
            return False
        texts = {
            "node_number": number, "node": node, "state": rest[0],
            "nodes_up": counts[1] if counts else None, "total_nodes": counts[2] if counts else None,
            "remarks": " ".join(rest[1:]),
        }  # fmt: skip
        more = quorum(counts[0] if counts else None)
        self.row("scale_node_state", line.number, texts, **more)
        return True


_LABEL = re.compile(
    r"((?:Total |Total of |Maximum |Total of Maximum )?[Nn]umber of [a-zA-Z ]{4,60})"
    r": *([0-9]{1,19})"
    r"|(Quorum) = ([0-9]{1,9}\*?, Quorum (?:not )?achieved.{0,40})"
    r"|(This node runs) ((?:IBM )?\S.{2,80} Edition)"
)


@dataclass
class Counts(Section):
    """``label: number`` under a title; mmgetstate, mmlslicense and mmdf end so."""

    #: Rows whose command is not known yet: the first line is the same in two commands.
    held: list[tuple[int, str, str]] = field(default_factory=list, init=False)

    ruled = False
    name: str | None = None

    def _take(self, line: Line) -> bool | None:
        if self.is_rule(line):
            return False
        text = line.squeezed
        found = _LABEL.fullmatch(text)
        if not found:
            return None
        self.needs_rule(line)
        label, value = filter(None, found.groups())
        self.held.append((line.number, label, value))
        self.name = self.name or self.command.name
        if self.title[0] == "Inode Information":
            self.name = "mmdf"
        elif not self.name and not text.startswith("Number of nodes defined"):
            licence = "license" in text or text.startswith("This node runs")
            self.name = "mmlslicense" if licence else "mmgetstate"
        if self.name:
            self.close()
        return True

    def close(self) -> None:
        """Hand over the rows."""
        for number, label, value in self.held:
            texts = {
                "command": self.name, "section": self.title[0], "name": label, "value": value
            }  # fmt: skip
            self.row("scale_y", number, texts)
        self.held = []


class Licenses(TableSection):
    """``mmlslicense -L``: node, the licence it needs and the one it has."""

    table = "scale_license"
    #: The asterisk marks a node that lacks the licence it needs: the two say so.
    pattern = re.compile(
        r"(?P<node>\S+) (?P<required>server|client|fpo|none)"
        r" (?P<designated>server|client|fpo|none)(?: \*)?",
        re.IGNORECASE,
    )


STARTS = (
    Start("GPFS cluster information", Summary),
    Start("Node Daemon node name IP address Admin node name Designation", Nodes),
    Start("Node name Required license Designated license", Licenses),
    Start(
        "Node number Node name (?P<detail>Quorum Nodes up Total nodes )?GPFS state(?: Remarks)?",
        States,
    ),
    Start("Summary information|Inode Information", Counts, tells=False),
)
