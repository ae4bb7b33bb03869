"""``pvscan`` of LVM: a line for each physical volume, and the total."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Command, Line, Start
from studybook.formats.contract import Reading
from studybook.formats.linux.volumes import Volumes

_SIZE = r"[<>]?[0-9]{1,19}(?:[.,][0-9]{1,6})?(?: ?[A-Za-z]{1,3})?"
_VOLUME = re.compile(
    r"PV (?P<device>/\S{1,200}|\[unknown\]|unknown device)"
    r"(?: with UUID (?P<uuid>[\w-]{6,60}))?"
    r"(?: (?:is in exported )?VG (?P<volume_group>[\w+.-]{1,128}))?"
    rf"(?: (?P<format>lvm[12]))? \[(?P<size>{_SIZE}) ?(?:/ (?P<free>{_SIZE}) ?free ?)?\]"
)
_TOTAL = re.compile(
    rf"Total: (?P<total>[0-9]{{1,9}}) \[{_SIZE} ?\] / in use: [0-9]{{1,9}} \[{_SIZE} ?\]"
    rf" / in no VG: [0-9]{{1,9}} \[{_SIZE} ?\]"
)


class Scan(Volumes):
    """Lines ``PV /dev/…``; one that was there already begins the next output."""

    name = "pvscan"
    begins_with_content = True

    def __init__(self, out: Reading, command: Command) -> None:
        super().__init__(out, command)
        self.seen: set[str] = set()
        self.ended = False

    def expects(self, line: Line) -> bool:
        """A physical volume that was not yet there."""
        found = None if self.ended else _VOLUME.fullmatch(line.squeezed)
        return found is not None and found["device"] not in self.seen

    def take(self, line: Line) -> bool:
        """Account for a physical volume or the total."""
        if not self.ended and (found := _VOLUME.fullmatch(line.squeezed)):
            self.seen.add(found["device"])
            self.put("linux_physical_volume", line.number, found.groupdict())
            self.out.used()
            return True
        total = _TOTAL.fullmatch(line.squeezed)
        if self.ended or not total:
            return False
        if int(total["total"]) != len(self.seen):
            self.say(
                line.number,
                f"pvscan counts {total['total']} physical volumes, but {len(self.seen)} stand"
                " above: the capture is not whole",
            )
        self.ended = True
        self.out.heading()
        return True


STARTS = (Start(_VOLUME, Scan),)
