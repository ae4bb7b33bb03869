"""``mmlspool``: the storage pools of a file system."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start, TableSection
from studybook.formats.scale.values import size_bytes

_HEADING = re.compile(
    r"Name Id BlkSize Data Meta Total Data in \(KB\) Free Data in \(KB\)"
    r" Total Meta in \(KB\) Free Meta in \(KB\)"
)
_POOL = re.compile(
    r"(?P<storage_pool>\S{1,200}) (?P<pool_id>[0-9]{1,9}) (?P<size>[0-9]{1,9} [KMG]B)"
    r" (?P<holds_data>yes|no) (?P<holds_metadata>yes|no)"
    r" (?P<total_data_kib>[0-9]{1,19})"
    r" (?P<free_data_kib>[0-9]{1,19}) \( ?(?P<free_data_percent>[0-9]{1,3})%\)"
    r" (?P<total_metadata_kib>[0-9]{1,19})"
    r" (?P<free_metadata_kib>[0-9]{1,19}) \( ?(?P<free_metadata_percent>[0-9]{1,3})%\)"
)


class Pools(TableSection):
    """A heading without a rule, and a row for each pool."""

    has_rule = False

    headings = _HEADING

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the file system; the title has the mount point, or the device in its place."""
        super().begin(line, match)
        self.file_system = self.command.device or match[1]

    def take_row(self, line: Line) -> bool:
        """Account for a pool."""
        pool = _POOL.fullmatch(line.squeezed)
        if not pool:
            return False
        texts = {"file_system": self.file_system, **pool.groupdict()}
        size = size_bytes("blockSize", texts.pop("size").replace(" ", ""))
        self.row("scale_pool", line.number, texts, block_size_bytes=size)
        return True


STARTS = (Start(re.compile(r"Storage pools in file system at '([^']{1,400})':"), Pools),)
