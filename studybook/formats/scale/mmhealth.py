"""``mmhealth node show`` and ``mmhealth cluster show``: the health of nodes and components."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start, TableSection

#: Not all say since when.
_COMPONENTS = re.compile("Component Status (?P<since>Status Change )?Reasons(?: & Notices)?")
_EVENTS = re.compile("Event Parameter Severity Active Since Event Message")
_STATUS = re.compile(r"[A-Z][A-Z_]{2,30}")
_COUNTED = re.compile(r"\S+(?: [0-9]{1,9}){5}")
_COUNTS = ("component", "total", "failed", "degraded", "healthy", "other")


class Node(TableSection):
    """Name, status and age of the status of a node, its components, and maybe their events."""

    component: str | None = None
    indent = 0
    events = False
    says_since = True

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the name of the node; without it, the heading of the components."""
        self.line = line.number
        node = match.groupdict().get("node", "")
        self.texts: dict[str, str | None] = {"node": node, "component": "NODE"}
        if node:
            self.out.used()
        else:
            self.take(line)

    def expects(self, line: Line) -> bool:
        """The heading of the components belongs to the node above it."""
        return bool(_COMPONENTS.fullmatch(line.squeezed))

    def _take(self, line: Line) -> bool | None:
        heading = _COMPONENTS.fullmatch(line.squeezed)
        if heading or _EVENTS.fullmatch(line.squeezed):
            self.close()
            self.events = heading is None
            self.says_since = heading is None or heading["since"] is not None
            self.ruled = False
            self.indent = _indent(line)
            return False
        label, colon, value = line.squeezed.partition(": ")
        column = {"Node status": "status", "Status Change": "since"}.get(label)
        if colon and column:
            self.texts[column] = value
            return True
        return super()._take(line)

    def _row(self, line: Line) -> bool:
        cells = re.split(r"\s{2,}|\t", line.text.strip(), maxsplit=3)
        if self.events:
            name, _, value = line.text.strip().partition(" ")
            event = {"command": "mmhealth", "section": "Event", "name": name}
            if len(cells) == 4:
                self.row("scale_y", line.number, {**event, "value": value.strip()})
            return len(cells) == 4
        if not self.says_since:
            cells.insert(2, "")
        if not 3 <= len(cells) <= 4 or not _STATUS.fullmatch(cells[1]):
            return False
        # A part of a component stands indented below it.
        part = bool(self.component) and _indent(line) > self.indent
        if not part:
            self.component = cells[0]
        reasons = cells[3].strip() if len(cells) > 3 else None
        texts = {
            "node": self.texts["node"], "component": self.component,
            "entity": cells[0] if part else None, "status": cells[1], "since": cells[2],
            "reasons": None if reasons == "-" else reasons,
        }  # fmt: skip
        self.row("scale_health", line.number, texts)
        return True

    def blank(self) -> bool:
        """Blank lines stand between the node and its components, and before events."""
        return True

    def close(self) -> None:
        """Hand over the row of the node."""
        if "status" in self.texts:
            self.row("scale_health", self.line, self.texts)
            self.texts = {"node": self.texts["node"]}


class Cluster(TableSection):
    """How many nodes are well, for each component."""

    def _row(self, line: Line) -> bool:
        if not _COUNTED.fullmatch(line.squeezed):
            return False
        for name, value in zip(_COUNTS, line.words, strict=True):
            texts = {"command": "mmhealth", "section": "cluster", "name": name, "value": value}
            self.row("scale_y", line.number, texts, row=self.rows + 1)
        return True


def _indent(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())


STARTS = (
    Start(r"Node name: (?P<node>\S{1,200})", Node, tells=False),
    Start(_COMPONENTS.pattern, Node),
    Start("Component Total Failed Degraded Healthy Other", Cluster),
)
