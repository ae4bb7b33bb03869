"""``mmlsdisk``: the disks of a file system and their state."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start, TableSection

_AVAILABILITY = frozenset(("up", "down", "recovering", "unrecovered", "unknown"))
_TRAILER = re.compile(
    r"(Number of quorum disks|Read quorum value|Write quorum value): *([0-9]{1,9})"
)
_SECOND_HEADING = "name type size group metadata data status availability"
#: Words before the status, which may be several: 'to be emptied'.
_BEFORE_STATUS = 6


class Disks(TableSection):
    """Two headings, a row of dashes, disks, and with -L three lines about the quorum."""

    headings = re.compile(f"{_SECOND_HEADING}.*")

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the file system from the command."""
        super().begin(line, match)
        self.has_disk_id = "-L" in self.command.words
        self.file_system = self.command.device if self.command.name == "mmlsdisk" else None

    def take(self, line: Line) -> bool:
        """Account for the second heading, a disk or a line about the quorum."""
        if line.squeezed.startswith(_SECOND_HEADING):
            self.has_disk_id = "disk id" in line.squeezed
        if trailer := _TRAILER.fullmatch(line.squeezed):
            texts = {"command": "mmlsdisk", "name": trailer[1], "value": trailer[2]}
            self.row("scale_y", line.number, texts)
            self.out.used()
            return True
        return super().take(line)

    def take_row(self, line: Line) -> bool:
        """Account for a disk."""
        words = line.words
        # Pool and remarks follow the availability, and no status is called 'up'.
        place = next(
            (n for n in range(_BEFORE_STATUS + 1, len(words)) if words[n] in _AVAILABILITY), None
        )
        if place is None or words[4].lower() not in ("yes", "no") or not words[2].isdecimal():
            return False
        rest = words[place + 1 :]
        disk_id = rest.pop(0) if self.has_disk_id and rest and rest[0].isdecimal() else None
        texts = {
            "file_system": self.file_system, "nsd": words[0], "driver": words[1],
            "sector_size_bytes": words[2], "failure_group": words[3], "holds_metadata": words[4],
            "holds_data": words[5], "status": " ".join(words[_BEFORE_STATUS:place]),
            "availability": words[place], "disk_id": disk_id,
            "storage_pool": rest[0] if rest else None, "remarks": " ".join(rest[1:]),
        }  # fmt: skip
        self.row("scale_disk", line.number, texts)
        return True


STARTS = (Start(re.compile("disk driver sector failure holds holds(?: storage)?"), Disks),)
