"""Captures of a Linux host: its network devices, disks and volumes, and settings of DB2."""

from __future__ import annotations

from collections.abc import Callable

from studybook.formats.contract import JSON_MARKS, Certainty, Format
from studybook.formats.linux.reader import FAMILY, kind_of
from studybook.formats.linux.tables import TABLES
from studybook.formats.raw import Head


def _is(name: str) -> Callable[[Head], bool]:
    return lambda head: kind_of(head) == name


_SEEN: Certainty = "seen"
FORMATS = [
    Format(
        name,
        title,
        "linux",
        TABLES,
        _is(name),
        FAMILY.read,
        certainty,
        ends_itself=JSON_MARKS if name.endswith("-json") else False,
    )
    for name, title, certainty in (
        ("linux-ifconfig", "ifconfig, in its old or new layout or as the table of -s", _SEEN),
        ("linux-ip", "ip link and ip addr, as printed", _SEEN),
        ("linux-ip-json", "ip -j link and ip -j addr: JSON", _SEEN),
        ("linux-lsqeth", "lsqeth: devices of Linux on Z", _SEEN),
        ("linux-lsdasd", "lsdasd: DASDs of Linux on Z", _SEEN),
        ("linux-pvscan", "pvscan of LVM", _SEEN),
        ("linux-lvm-report", "pvs and lvs of LVM: tables", _SEEN),
        ("linux-lvm-json", "pvs and lvs of LVM: JSON", _SEEN),
        ("linux-lvdisplay", "lvdisplay of LVM, with -m or without", _SEEN),
        ("linux-db2set", "db2set: registry of DB2", _SEEN),
        ("linux-multipath", "multipath -ll", "documented"),
    )
]
