"""``mmgetstate``: the state of the daemon on each node, and the summary of ``-s``."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Section, Start, TableSection
from studybook.formats.captures.values import whole

_COUNT = re.compile(r"[0-9]{1,9}\*?")
_STATE = re.compile(r"[a-z]{2,20}")


def quorum(printed: str | None) -> dict[str, int | bool | None]:
    """What a quorum says: ``1*`` is one node, with tiebreaker disks."""
    return {
        "quorum": whole(printed.rstrip("*")) if printed else None,
        "tiebreaker_disks": printed.endswith("*") if printed else None,
    }


class States(TableSection):
    """A row for each node; with -L also the quorum, the nodes that are up, and all nodes."""

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take note of whether it is the table of -L."""
        super().begin(line, match)
        self.detailed = bool(match["detail"])

    def take_row(self, line: Line) -> bool:
        """Account for a node; one that is no member yet has blanks in the place of counts."""
        if len(line.words) < 3 or not re.fullmatch("[0-9]{1,9}", line.words[0]):
            return False
        number, node, *rest = line.words
        counts: list[str] = []
        if self.detailed and len(rest) > 3 and all(map(_COUNT.fullmatch, rest[:3])):
            counts, rest = rest[:3], rest[3:]
        if not _STATE.fullmatch(rest[0]) or (len(rest) > 1 and not self.detailed):
            return False
        texts = {
            "node_number": number, "node": node, "state": rest[0],
            "nodes_up": counts[1] if counts else None, "total_nodes": counts[2] if counts else None,
            "remarks": " ".join(rest[1:]),
        }  # fmt: skip
        self.row("scale_node_state", line.number, texts, **quorum(counts[0] if counts else None))
        return True


_LABEL = re.compile(
    r"((?:Total |Total of |Maximum |Total of Maximum )?[Nn]umber of [a-zA-Z ]{4,60})"
    r": *([0-9]{1,19})"
)
_QUORUM = re.compile(r"(Quorum) = ([0-9]{1,9}\*?, Quorum (?:not )?achieved.{0,40})")
_EDITION = re.compile(r"(This node runs) ((?:IBM )?\S.{2,80} Edition)")


class Summary(Section):
    """``label: number`` under a title; mmgetstate, mmlslicense and mmdf end so."""

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the title; a rule is due."""
        super().begin(line, match)
        self.part = line.squeezed
        self.ruled = False
        #: Rows whose command is not known yet: the first line is the same in two commands.
        self.held: list[tuple[int, str, str]] = []
        self.name = "mmdf" if self.part == "Inode Information" else self.command.name or None

    def take(self, line: Line) -> bool:
        """Account for a label and its number."""
        if self.rule(line):
            return True
        text = line.squeezed
        found = _LABEL.fullmatch(text) or _QUORUM.fullmatch(text) or _EDITION.fullmatch(text)
        if not found:
            return False
        self.needs_rule(line)
        self.out.used()
        self.held.append((line.number, found[1], found[2]))
        if not self.name and not text.startswith("Number of nodes defined"):
            licence = "license" in text or text.startswith("This node runs")
            self.name = "mmlslicense" if licence else "mmgetstate"
        if self.name:
            self.close()
        return True

    def close(self) -> None:
        """Hand over the rows."""
        for number, label, value in self.held:
            texts = {"command": self.name, "section": self.part, "name": label, "value": value}
            self.row("scale_y", number, texts)
        self.held = []


STARTS = (
    Start(
        re.compile(
            "Node number Node name (?P<detail>Quorum Nodes up Total nodes )?GPFS state(?: Remarks)?"
        ),
        States,
    ),
    Start(re.compile("Summary information|Inode Information"), Summary, tells=False),
)
