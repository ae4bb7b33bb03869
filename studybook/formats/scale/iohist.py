"""``mmdiag --iohist`` and ``mmfsadm dump iohist``: the last I/Os of a node."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Command, Line, Section
from studybook.formats.contract import Reading

TITLE = "I/O history:"

_TIME = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}[.,][0-9]{1,9}")
_FIRST = ("start_time", "read_write", "buffer_type", "disk_sector", "sectors", "time_ms")
_TYPES = frozenset(("lcl", "cli", "srv", "pd", "vd", "rem"))
#: Headings that consist of several words, made one word each.
_HEADINGS = (
    ("I/O start time", "start_time"), ("Buf type", "buffer_type"), ("time ms", "time_ms"),
    ("Device/NSD ID", "nsd_id"), ("Disk UID", "nsd_id"), ("NSD node", "nsd_node"),
    ("NSD server", "nsd_node"), ("disk:sectorNum", "disk_sector"), ("nSec", "sectors"),
    ("tag1", "info1"), ("tag2", "info2"), ("Type", "type"), ("typ ", "type "), ("RW", "read_write"),
)  # fmt: skip
_DEFAULT = (*_FIRST, "type", "nsd_id", "nsd_node")


class IoHistory(Section):
    """A table whose NSD node is blank for a local I/O."""

    def __init__(self, out: Reading, command: Command) -> None:
        super().__init__(out, command)
        self.columns: tuple[str, ...] = _DEFAULT

    def expects(self, line: Line) -> bool:
        """The title of mmfsadm stands below that of mmdiag, too."""
        return line.squeezed == TITLE

    def take(self, line: Line) -> bool:
        """Account for a heading, a rule or an I/O."""
        if self.rule(line):
            return True
        if line.squeezed == TITLE:
            self.out.heading()
            return True
        if line.squeezed.startswith("I/O start time "):
            self._heading(line)
            return True
        return bool(_TIME.fullmatch(line.words[0])) and self._io(line)

    def _heading(self, line: Line) -> None:
        text = f"{line.squeezed} "
        for printed, column in _HEADINGS:
            text = text.replace(printed, column, 1)
        self.columns = tuple(name for name in text.split() if name in self.out.columns("scale_io"))
        self.out.heading()

    def _io(self, line: Line) -> bool:
        columns, words = self.columns, line.words
        if len(words) == len(columns) - 1 and "nsd_node" in columns:
            columns = tuple(name for name in columns if name != "nsd_node")
        if len(words) < len(_FIRST) or len(words) > len(columns):
            return False
        texts: dict[str, str | None] = dict(zip(columns, words, strict=False))
        if texts.get("type") not in (None, *_TYPES) or len(words) < len(columns) - 1:
            self.say(line.number, "an I/O does not fill the columns of its heading")
        self.row("scale_io", line.number, texts)
        self.out.used()
        return True
