"""``mmlsfileset``: the filesets of a file system, and with ``-L`` their inodes."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start, TableSection

_HEADING = "Name Status Path"
_LONG_HEADING = "Name Id RootInode ParentId Created InodeSpace MaxInodes AllocInodes Comment"
_STATUS = re.compile(r"Linked|Unlinked|Deleted", re.IGNORECASE)
_LONG = re.compile(
    r"(?P<fileset>\S{1,255}) (?P<fileset_id>[0-9]{1,9}) (?P<root_inode>[0-9]{1,19})"
    r" (?P<parent_id>[0-9]{1,9}|--)"
    r" (?P<created>[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{1,2} [0-9:]{8} [0-9]{4})"
    r" (?P<inode_space>[0-9]{1,9}) (?P<max_inodes>[0-9]{1,19}) (?P<allocated_inodes>[0-9]{1,19})"
    r"(?: (?P<comment>.{1,400}))?"
)


class Filesets(TableSection):
    """A heading without a rule, and a row for each fileset."""

    has_rule = False

    headings = re.compile(f"{_HEADING}|{_LONG_HEADING}")

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the file system from the title."""
        super().begin(line, match)
        self.file_system = match[1]
        self.heading = ""

    def take(self, line: Line) -> bool:
        """Account for the heading or a fileset."""
        if line.squeezed in (_HEADING, _LONG_HEADING):
            self.heading = line.squeezed
        return super().take(line)

    def take_row(self, line: Line) -> bool:
        """Account for a fileset; two dashes stand for no parent and for no path."""
        texts: dict[str, str | None]
        if self.heading == _LONG_HEADING and (row := _LONG.fullmatch(line.squeezed)):
            texts = row.groupdict()
        elif self.heading == _HEADING and len(line.words) >= 3 and _STATUS.match(line.words[1]):
            fileset, status, path = line.text.split(None, 2)
            texts = {"fileset": fileset, "status": status, "path": path.strip()}
        else:
            return False
        dashes: dict[str, str | None] = {
            column: None for column in ("path", "parent_id") if texts.get(column) == "--"
        }
        self.row("scale_fileset", line.number, {"file_system": self.file_system} | texts | dashes)
        return True


STARTS = (Start(re.compile(r"Filesets in file system '([^']{1,200})':"), Filesets),)
