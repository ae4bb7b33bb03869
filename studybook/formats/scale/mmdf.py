"""``mmdf``: how full the disks, the pools and a file system are."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start, TableSection

_SECOND_HEADING = re.compile("name in [KMGT]B group metadata data in full blocks in fragments")
#: Units that --block-size prints, in KiB: the numbers of whole ones only.
_KIB = {"K": 1, "M": 2**10, "G": 2**20, "T": 2**30}
_ROUNDED = "sizes are printed in whole {}iB (--block-size): in KiB they are rounded to that"
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

    headings = _SECOND_HEADING

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the unit."""
        super().begin(line, match)
        if match[1] != "K":
            self.out.remark(line.number, _ROUNDED.format(match[1]))
        self.unit = _KIB[match[1]]
        self.pool: str | None = None
        self.file_system = self.command.device if self.command.name == "mmdf" else None

    def take(self, line: Line) -> bool:
        """Account for the second heading, the name of a pool, a disk or a total."""
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
            texts = self._in_kib(disk)
            self.row("scale_space", line.number, common | texts)
        elif total := _TOTAL.fullmatch(line.squeezed):
            kind = total["total_of"]
            if kind != "pool total":
                common["storage_pool"] = None
            texts = self._in_kib(total) | {"total_of": _NAMES.get(kind, kind)}
            self.row("scale_space_total", line.number, common | texts)
        else:
            return False
        return True

    def _in_kib(self, match: re.Match[str]) -> dict[str, str | None]:
        found = {name: text and text.strip() for name, text in match.groupdict().items()}
        return {
            name: str(int(text) * self.unit) if text and name.endswith("_kib") else text
            for name, text in found.items()
        }

    def blank(self) -> bool:
        """Blank lines stand between the pools and before the totals."""
        return True


STARTS = (
    Start(
        re.compile(r"disk disk size failure holds holds free (?:in )?([KMGT])B free (?:in )?\1B"),
        Space,
    ),
)
