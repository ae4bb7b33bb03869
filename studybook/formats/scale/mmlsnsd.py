"""``mmlsnsd``: network shared disks, their servers and devices."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start, TableSection

_FREE = "(free disk)"
_ATTACHED = "(directly attached)"
#: The two cells with a blank in them, while a row is split into words.
_PROTECTED = ((_FREE, "(free\x1fdisk)"), (_ATTACHED, "(directly\x1fattached)"))


def cells(text: str) -> list[str]:
    """Split a row into cells: long names push the rest to the right, so not by position."""
    for cell, protected in _PROTECTED:
        text = text.replace(cell, protected)
    # str.split() would also split at \x1f.
    return [cell.replace("\x1f", " ") for cell in re.split(r"[ \t]+", text.strip(" \t"))]


def server_list(printed: str | None) -> dict[str, str | bool | int | None]:
    """What a list of servers says; no list means that every node reaches the disk itself."""
    servers = [] if printed in (None, "", _ATTACHED) else str(printed).split(",")
    return {
        "servers": ",".join(servers) or None, "directly_attached": not servers,
        "first_server": servers[0] if servers else None,
        "second_server": servers[1] if len(servers) > 1 else None, "server_count": len(servers),
    }  # fmt: skip


class Disks(TableSection):
    """File system, disk, with -L its volume, and servers."""

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the number of columns."""
        super().begin(line, match)
        self.columns = 4 if match["volume"] else 3

    def take_row(self, line: Line) -> bool:
        """Account for a disk."""
        row = cells(line.text)
        if len(row) != self.columns:
            return False
        file_system, nsd, servers = row[0], row[1], row[-1]
        if servers.startswith("(") and servers != _ATTACHED:
            return False
        texts = {
            "file_system": None if file_system == _FREE else file_system,
            "nsd": nsd,
            "volume_id": row[2] if self.columns > 3 else None,
        }
        self.row("scale_nsd", line.number, texts, **server_list(servers))
        return True


class Devices(TableSection):
    """The table of -m and -M: one row for each disk and node; that of -X has types, too."""

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the columns."""
        super().begin(line, match)
        self.names = ["nsd", "volume_id", "device", *["device_type"] * bool(match["type"]), "node"]

    def take_row(self, line: Line) -> bool:
        """Account for a device; what follows the node are remarks, maybe of several words."""
        words = line.words
        count = len(self.names)
        if len(words) < count or not re.fullmatch("[0-9A-Fa-f]{16}|-", words[1]):
            return False
        texts: dict[str, str | None] = dict(zip(self.names, words, strict=False))
        if texts["device"] == "-":
            texts["device"] = None
        texts["remarks"] = " ".join(words[count:])
        self.row("scale_nsd_device", line.number, texts)
        return True


STARTS = (
    Start(re.compile("File system Disk name (?P<volume>NSD volume ID )?NSD servers"), Disks),
    Start(
        re.compile(
            "Disk name NSD volume ID Device (?P<type>Devtype )?Node name(?: or Class)?(?: Remarks)?"
        ),
        Devices,
    ),
)
