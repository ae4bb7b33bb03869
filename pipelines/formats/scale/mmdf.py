"""``mmdf``: how full the disks, the pools and a file system are."""

from __future__ import annotations

import re

from pipelines.formats._captures.section import Command, Line, Start, TableSection, heading
from pipelines.formats.contract import Reading
from pipelines.formats.scale.tables_state import SPACE, SPACE_TOTAL

_SECOND_HEADING = "name in KB group metadata data in full blocks in fragments"
_POOL = re.compile(r"Disks in storage pool: (\S{1,200})(?: \(.{0,100}\))?")
_FREE = (
    r"(?P<free_blocks_kib>[0-9]{1,19}) \( ?(?P<free_blocks_percent>[0-9]{1,3})%\)"
    r" (?P<free_fragments_kib>[0-9]{1,19}) \( ?(?P<free_fragments_percent>[0-9]{1,3})%\)"
)
_DISK = re.compile(
    r"(?P<nsd>\S{1,200}) (?P<size_kib>[0-9]{1,19}) (?P<failure_group>-?[0-9][0-9,]{0,30})"
    rf" (?P<holds_metadata>[Yy]es|[Nn]o) (?P<holds_data>[Yy]es|[Nn]o) {_FREE}"
    r"(?P<remarks> .{1,80})?"
)
_TOTAL = re.compile(
    rf"\((?P<total_of>pool total|data|metadata|total)\) (?P<size_kib>[0-9]{{1,19}}) {_FREE}"
)
_NAMES = {"pool total": "pool", "total": "file system"}


class Space(TableSection):
    """Disks by pool, each pool with a total, and the totals of the file system."""

    def __init__(self, out: Reading, command: Command) -> None:
        super().__init__(out, command)
        self.pool: str | None = None
        self.file_system = command.device if command.name == "mmdf" else None

    def take(self, line: Line) -> bool:
        """Account for the second heading, the name of a pool, a disk or a total."""
        if line.squeezed == _SECOND_HEADING:
            self.out.heading()
            return True
        if pool := _POOL.fullmatch(line.squeezed):
            self.needs_rule(line)
            self.pool = pool[1]
            self.out.used()
            return True
        return super().take(line)

    def take_row(self, line: Line) -> bool:
        """Account for a disk or a total."""
        common = {"file_system": self.file_system, "storage_pool": self.pool}
        if disk := _DISK.fullmatch(line.squeezed):
            texts = {name: text and text.strip() for name, text in disk.groupdict().items()}
            self.row(SPACE, line.number, common | texts)
        elif total := _TOTAL.fullmatch(line.squeezed):
            kind = total["total_of"]
            if kind != "pool total":
                common["storage_pool"] = None
            texts = total.groupdict() | {"total_of": _NAMES.get(kind, kind)}
            self.row(SPACE_TOTAL, line.number, common | texts)
        else:
            return False
        self.out.used()
        return True

    def blank(self) -> bool:
        """Blank lines stand between the pools and before the totals."""
        return True


STARTS = (
    Start(
        re.compile("disk disk size failure holds holds free (?:in )?KB free (?:in )?KB"),
        heading(Space),
    ),
)
