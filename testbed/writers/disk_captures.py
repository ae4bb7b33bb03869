"""``lsdasd``, ``pvscan``, ``lvdisplay -m`` and ``db2set`` of a guest, as typed on SLES 11.

``lsdasd`` is that of s390-tools 1.15, LVM that of 2.02.84, DB2 that of release 9.5.
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Iterator

from testbed.filenet.storage import (
    BLOCK_BYTES,
    EXTENT_MIB,
    EXTENTS,
    STRIPE_KIB,
    Storage,
    Volume,
)

#: Major number of DASDs, and minor numbers that each takes: itself and three partitions.
_MAJOR, _MINORS = 94, 4
#: Lengths of the parts of a UUID of LVM.
_UUID_PARTS = (6, 4, 4, 4, 4, 4, 6)
_UUID_LETTERS = string.digits + string.ascii_letters


def lsdasd(host: str, storage: Storage) -> Iterator[str]:
    """Show the DASDs that are online: aliases first, as lsdasd sorts them."""
    yield f"{host}:~ # lsdasd"
    yield "Bus-ID     Status      Name      Device  Type  BlkSz  Size      Blocks"
    yield "=" * 78
    for number in storage.aliases:
        yield f"{f'0.0.{number:04x}':<8}   {'alias':<6}{'ECKD':>28}"
    for place, dasd in enumerate(storage.dasds):
        device = f"{_MAJOR}:{place * _MINORS}"
        size = f"{dasd.blocks * BLOCK_BYTES // 2**20}MB"
        yield (
            f"{dasd.bus_id:<8}   {'active':<10}  {dasd.name:<8}  {device:<6}  {'ECKD':<4}"
            f"  {BLOCK_BYTES:<4}   {size:<8}  {dasd.blocks}"
        )


def pvscan(host: str, storage: Storage) -> Iterator[str]:
    """Show the physical volumes, group by group; nothing is free on them."""
    yield f"{host}:~ # pvscan"
    extents = _extents(storage)
    width = max(len(volume.group) for volume in storage.volumes)
    volumes = [(disk, volume.group) for volume in storage.volumes for disk in volume.disks]
    for disk, group in volumes:
        yield (
            f"  PV /dev/{disk}1   VG {group:<{width}}   lvm2 [{_gib(extents[disk])} / 0    free]"
        )
    total = _gib(sum(extents[disk] for disk, _ in volumes))
    count = len(volumes)
    yield f"  Total: {count} [{total}] / in use: {count} [{total}] / in no VG: 0 [0   ]"


def lvdisplay(host: str, storage: Storage) -> Iterator[str]:
    """Show the logical volumes with their stripes, as option ``-m`` does."""
    yield f"{host}:~ # lvdisplay -m"
    extents = _extents(storage)
    for place, volume in enumerate(storage.volumes):
        each = extents[volume.disks[0]]
        total = each * len(volume.disks)
        yield "  --- Logical volume ---"
        for label, value in (
            ("LV Name", f"/dev/{volume.group}/{volume.name}"),
            ("VG Name", volume.group),
            ("LV UUID", _uuid(host, volume)),
            ("LV Write Access", "read/write"),
            ("LV Status", "available"),
            ("# open", "1"),
            ("LV Size", _gib(total)),
            ("Current LE", f"{total}"),
            ("Segments", "1"),
            ("Allocation", "inherit"),
            ("Read ahead sectors", "auto"),
            ("- currently set to", "1024"),
            ("Block device", f"253:{place}"),
        ):
            yield f"  {label:<22} {value}"
        yield "   "
        yield "  --- Segments ---"
        yield f"  Logical extent 0 to {total - 1}:"
        yield "    Type\t\tstriped"
        yield f"    Stripes\t\t{len(volume.disks)}"
        yield f"    Stripe size\t\t{STRIPE_KIB:.2f} KiB"
        for number, disk in enumerate(volume.disks):
            yield f"    Stripe {number}:"
            yield f"      Physical volume\t/dev/{disk}1"
            yield f"      Physical extents\t0 to {each - 1}"
        yield "   "
        yield "   "


def db2set(host: str, storage: Storage) -> Iterator[str]:
    """Show what is set in the registry of DB2, as the owner of the instance does."""
    yield f"db2inst1@{host}:~> db2set"
    for name, value in storage.db2.items():
        yield f"{name}={value}"


def _extents(storage: Storage) -> dict[str, int]:
    """Extents of the physical volume on each DASD."""
    return {dasd.name: EXTENTS[dasd.model] for dasd in storage.dasds}


def _gib(extents: int) -> str:
    return f"{extents * EXTENT_MIB / 1024:.2f} GiB"


def _uuid(host: str, volume: Volume) -> str:
    """A UUID of LVM's form that is always the same for a volume."""
    digest = hashlib.sha256(f"{host} {volume.group}/{volume.name}".encode()).digest()
    letters = "".join(_UUID_LETTERS[byte % len(_UUID_LETTERS)] for byte in digest)
    parts, start = [], 0
    for length in _UUID_PARTS:
        parts.append(letters[start : start + length])
        start += length
    return "-".join(parts)
