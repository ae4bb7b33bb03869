"""Captures of a Linux host's network devices: ifconfig, ip and lsqeth."""

from __future__ import annotations

from collections.abc import Callable

from pipelines.formats.contract import Format
from pipelines.formats.linux.reader import FAMILY, kind_of
from pipelines.formats.linux.tables import TABLES
from pipelines.formats.raw import Head


def _is(name: str) -> Callable[[Head], bool]:
    return lambda head: kind_of(head) == name


FORMATS = [
    Format(name, title, "linux", TABLES, _is(name), FAMILY.read)
    for name, title in (
        ("linux-ifconfig", "ifconfig, in its old or new layout or as the table of -s"),
        ("linux-ip", "ip link and ip addr, as printed"),
        ("linux-ip-json", "ip -j link and ip -j addr: JSON"),
        ("linux-lsqeth", "lsqeth: devices of Linux on Z"),
    )
]
