"""Disks of Spectrum Scale: ``mmlsnsd``, ``mmlsdisk``, ``mmdf`` and ``mmlspool``."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start, TableSection
from studybook.formats.scale.settings import size_bytes

_FREE_DISK = "(free disk)"
_ATTACHED = "(directly attached)"
#: Long names push the rest to the right, so cells are not found by position.
_CELL = re.compile(rf"{re.escape(_FREE_DISK)}|{re.escape(_ATTACHED)}|\S+")


def server_list(printed: str | None) -> dict[str, str | bool | int | None]:
    """What a list of servers says; no list means that every node reaches the disk itself."""
    servers = [] if printed in (None, "", _ATTACHED) else str(printed).split(",")
    return {
        "servers": ",".join(servers) or None, "directly_attached": not servers,
        "first_server": servers[0] if servers else None,
        "second_server": servers[1] if len(servers) > 1 else None, "server_count": len(servers),
    }  # fmt: skip


class SharedDisks(TableSection):
    """``mmlsnsd``: file system, disk, with -L its volume, and servers."""

    def _row(self, line: Line) -> bool:
        row = _CELL.findall(line.text)
        if len(row) != (4 if self.title["volume"] else 3):
            return False
        file_system, nsd, *volume, servers = row
        if servers.startswith("(") and servers != _ATTACHED:
            return False
        texts = {
            "file_system": None if file_system == _FREE_DISK else file_system, "nsd": nsd,
            "volume_id": volume[0] if volume else None,
        }  # fmt: skip
        self.row("scale_nsd", line.number, texts, **server_list(servers))
        return True


class Devices(TableSection):
    """``mmlsnsd -m`` and ``-M``: a row for each disk and node; that of ``-X`` has types, too."""

    def _row(self, line: Line) -> bool:
        names = ["nsd", "volume_id", "device", "node"]
        if self.title["type"]:
            names.insert(3, "device_type")
        words, count = line.words, len(names)
        if len(words) < count or not re.fullmatch("[0-9A-Fa-f]{16}|-", words[1]):
            return False
        texts: dict[str, str | None] = dict(zip(names, words, strict=False))
        if texts["device"] == "-":
            texts["device"] = None
        # What follows the node are remarks, maybe of several words.
        texts["remarks"] = " ".join(words[count:])
        self.row("scale_nsd_device", line.number, texts)
        return True


_AVAILABILITY = frozenset(("up", "down", "recovering", "unrecovered", "unknown"))
_TRAILER = re.compile(
    r"(Number of quorum disks|Read quorum value|Write quorum value): *([0-9]{1,9})"
)
_SECOND_HEADING = "name type size group metadata data status availability"
#: Words before the status, which may be several: 'to be emptied'.
_BEFORE_STATUS = 6


class Disks(TableSection):
    """``mmlsdisk``: two headings, a rule, disks, and with -L three lines about the quorum."""

    headings = re.compile(f"{_SECOND_HEADING}.*")
    has_disk_id: bool | None = None

    def _take(self, line: Line) -> bool | None:
        if line.squeezed.startswith(_SECOND_HEADING):
            self.has_disk_id = "disk id" in line.squeezed
        if trailer := _TRAILER.fullmatch(line.squeezed):
            texts = {"command": "mmlsdisk", "name": trailer[1], "value": trailer[2]}
            self.row("scale_y", line.number, texts)
            return True
        return super()._take(line)

    def _row(self, line: Line) -> bool:
        words = line.words
        # Pool and remarks follow the availability, and no status is called 'up'.
        place = next(
            (n for n in range(_BEFORE_STATUS + 1, len(words)) if words[n] in _AVAILABILITY), None
        )
        if place is None or words[4].lower() not in ("yes", "no") or not words[2].isdecimal():
            return False
        rest = words[place + 1 :]
        has_disk_id = "-L" in self.command.words if self.has_disk_id is None else self.has_disk_id
        disk_id = rest.pop(0) if has_disk_id and rest and rest[0].isdecimal() else None
        texts = {
            "file_system": self.command.device_of("mmlsdisk"), "nsd": words[0], "driver": words[1],
            "sector_size_bytes": words[2], "failure_group": words[3], "holds_metadata": words[4],
            "holds_data": words[5], "status": " ".join(words[_BEFORE_STATUS:place]),
            "availability": words[place], "disk_id": disk_id,
            "storage_pool": rest[0] if rest else None, "remarks": " ".join(rest[1:]),
        }  # fmt: skip
        self.row("scale_disk", line.number, texts)
        return True


#: Units that --block-size prints, in KiB: the numbers of whole ones only.
_KIB = {"K": 1, "M": 2**10, "G": 2**20, "T": 2**30}
_ROUNDED = "sizes are printed in whole {}iB (--block-size): in KiB they are rounded to that"
_POOL_TITLE = re.compile(r"Disks in storage pool: (\S{1,200})(?: \(.{0,100}\))?")
_FREE = (
    r"(?P<free_blocks_kib>[0-9]{1,19}) \( ?(?P<free_blocks_percent>[0-9]{1,3})%\)"
    r" (?P<free_fragments_kib>[0-9]{1,19}) \( ?(?P<free_fragments_percent>[0-9]{1,3})%\)"
)
_DISK = re.compile(
    r"(?P<nsd>\S{1,200}) (?P<size_kib>[0-9]{1,19}) (?P<failure_group>-?[0-9][0-9,]{0,30})"
    rf" (?P<holds_metadata>[Yy]es|[Nn]o) (?P<holds_data>[Yy]es|[Nn]o) {_FREE}"
    r"(?: (?P<remarks>.{1,80}))?"
)
_TOTAL = re.compile(
    rf"\((?P<total_of>pool total|data|metadata|total)\) (?P<size_kib>[0-9]{{1,19}}) {_FREE}"
)
_NAMES = {"pool total": "pool", "total": "file system"}


class Space(TableSection):
    """``mmdf``: disks by pool, each pool with a total, and the totals of the file system."""

    headings = re.compile("name in [KMGT]B group metadata data in full blocks in fragments")
    pool: str | None = None

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Say which sizes are rounded."""
        super().begin(line, match)
        if match[1] != "K":
            self.out.remark(line.number, _ROUNDED.format(match[1]))

    def _take(self, line: Line) -> bool | None:
        if pool := _POOL_TITLE.fullmatch(line.squeezed):
            self.needs_rule(line)
            self.pool = pool[1]
            return True
        return super()._take(line)

    def _row(self, line: Line) -> bool:
        found = _DISK.fullmatch(line.squeezed) or _TOTAL.fullmatch(line.squeezed)
        if not found:
            return False
        texts = found.groupdict()
        for name, text in texts.items():
            if name.endswith("_kib"):
                texts[name] = str(int(text) * _KIB[self.title[1]])
        texts |= {"file_system": self.command.device_of("mmdf"), "storage_pool": self.pool}
        if kind := texts.get("total_of"):
            texts["total_of"] = _NAMES.get(kind, kind)
            if kind != "pool total":
                texts["storage_pool"] = None
        self.row("scale_space_total" if kind else "scale_space", line.number, texts)
        return True

    def blank(self) -> bool:
        """Blank lines stand between the pools and before the totals."""
        return True


_POOL = re.compile(
    r"(?P<storage_pool>\S{1,200}) (?P<pool_id>[0-9]{1,9}) (?P<size>[0-9]{1,9} [KMG]B)"
    r" (?P<holds_data>yes|no) (?P<holds_metadata>yes|no)"
    r" (?P<total_data_kib>[0-9]{1,19})"
    r" (?P<free_data_kib>[0-9]{1,19}) \( ?(?P<free_data_percent>[0-9]{1,3})%\)"
    r" (?P<total_metadata_kib>[0-9]{1,19})"
    r" (?P<free_metadata_kib>[0-9]{1,19}) \( ?(?P<free_metadata_percent>[0-9]{1,3})%\)"
)


class Pools(TableSection):
    """``mmlspool``: a heading without a rule, and a row for each pool."""

    ruled = True
    headings = re.compile(
        r"Name Id BlkSize Data Meta Total Data in \(KB\) Free Data in \(KB\)"
        r" Total Meta in \(KB\) Free Meta in \(KB\)"
    )

    def _row(self, line: Line) -> bool:
        pool = _POOL.fullmatch(line.squeezed)
        if not pool:
            return False
        # The title has the mount point, or the device in its place.
        texts = {"file_system": self.command.device or self.title[1], **pool.groupdict()}
        size = size_bytes("blockSize", texts.pop("size").replace(" ", ""))
        self.row("scale_pool", line.number, texts, block_size_bytes=size)
        return True


STARTS = (
    Start("File system Disk name (?P<volume>NSD volume ID )?NSD servers", SharedDisks),
    Start(
        "Disk name NSD volume ID Device (?P<type>Devtype )?Node name(?: or Class)?(?: Remarks)?",
        Devices,
    ),
    Start("disk driver sector failure holds holds(?: storage)?", Disks),
    Start(r"disk disk size failure holds holds free (?:in )?([KMGT])B free (?:in )?\1B", Space),
    Start(r"Storage pools in file system at '([^']{1,400})':", Pools),
)
