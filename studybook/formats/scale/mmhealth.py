"""``mmhealth node show`` and ``mmhealth cluster show``: the health of nodes and components."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start, TableSection

#: Not all say since when.
_COMPONENTS = re.compile("Component Status (?P<since>Status Change )?Reasons(?: & Notices)?")
_EVENTS = re.compile("Event Parameter Severity Active Since Event Message")
_STATUS = re.compile(r"[A-Z][A-Z_]{2,30}")
_COUNTS = ("component", "total", "failed", "degraded", "healthy", "other")


class Node(TableSection):
    """Name, status and age of the status of a node, its components, and maybe their events."""

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the name of the node; without it, the heading of the components."""
        self.line = line.number
        node = match.groupdict().get("node", "")
        self.texts: dict[str, str | None] = {"node": node, "component": "NODE"}
        self.component: str | None = None
        self.indent = 0
        self.events = False
        self.says_since = True
        if node:
            self.out.used()
        else:
            self.take(line)

    def expects(self, line: Line) -> bool:
        """The heading of the components belongs to the node above it."""
        return bool(_COMPONENTS.fullmatch(line.squeezed))

    def take(self, line: Line) -> bool:
        """Account for a label, a heading, a component or an event."""
        heading = _COMPONENTS.fullmatch(line.squeezed)
        if heading or _EVENTS.fullmatch(line.squeezed):
            self.close()
            self.events = heading is None
            self.says_since = heading is None or heading["since"] is not None
            self.ruled = False
            self.indent = _indent(line)
            self.out.heading()
            return True
        label, colon, value = line.squeezed.partition(": ")
        column = {"Node status": "status", "Status Change": "since"}.get(label)
        if colon and column:
            self.texts[column] = value
            self.out.used()
            return True
        return super().take(line)

    def take_row(self, line: Line) -> bool:
        """Account for a component, a part of one that stands indented below it, or an event."""
        cells = re.split(r"\s{2,}|\t", line.text.strip(), maxsplit=3)
        if self.events:
            return self._event(line, cells)
        if not self.says_since:
            cells.insert(2, "")
        if not 3 <= len(cells) <= 4 or not _STATUS.fullmatch(cells[1]):
            return False
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

    def _event(self, line: Line, cells: list[str]) -> bool:
        if len(cells) < 4:
            return False
        name, _, value = line.text.strip().partition(" ")
        texts = {"command": "mmhealth", "section": "Event", "name": name, "value": value.strip()}
        self.row("scale_y", line.number, texts)
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

    def take_row(self, line: Line) -> bool:
        """Account for a component."""
        counts = line.words[1:]
        if len(counts) != len(_COUNTS) - 1 or not all(
            re.fullmatch("[0-9]{1,9}", each) for each in counts
        ):
            return False
        for name, value in zip(_COUNTS, line.words, strict=True):
            texts = {"command": "mmhealth", "section": "cluster", "name": name, "value": value}
            self.row("scale_y", line.number, texts, row=self.rows + 1)
        return True


def _indent(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())


STARTS = (
    Start(re.compile(r"Node name: (?P<node>\S{1,200})"), Node, tells=False),
    Start(_COMPONENTS, Node),
    Start(re.compile("Component Total Failed Degraded Healthy Other"), Cluster),
)
