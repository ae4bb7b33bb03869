"""The disks of the guests of FileNet P8, as the document lists them: DASDs, volumes, aliases.

Source: Tables 2.1, 3.1 and 4.1, and “Disk I/O” in “Linux setup”. The device numbers of the database
guest are those of the document, which took the disks from two storage pools in turn: even and odd
control units. The other guests' device numbers are made up after this pattern.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from testbed.filenet.guests import AE, CE_PE, DB, LDAP

#: Blocks of 4096 bytes per cylinder of a 3390: 15 tracks of 12.
BLOCKS_PER_CYLINDER = 180
BLOCK_BYTES = 4096
#: Size of a physical extent of LVM, its default.
EXTENT_MIB = 4
#: Stripe size of all volumes (document, “Using the Logical Volume Manager”).
STRIPE_KIB = 64

Model = Literal[27, 54, 128]
#: Cylinders of a model: 3390-3 has 3,339, and a model n has n / 3 times as many.
CYLINDERS: dict[Model, int] = {27: 30_051, 54: 60_102, 128: 142_464}
#: Extents that a physical volume of one whole DASD has, as the document shows them.
EXTENTS: dict[Model, int] = {27: 5_282, 54: 10_564, 128: 25_041}


@dataclass(frozen=True)
class Dasd:
    """A DASD: its name in Linux, its device number, and its model."""

    name: str
    number: int
    model: Model

    @property
    def blocks(self) -> int:
        """Blocks of 4096 bytes."""
        return CYLINDERS[self.model] * BLOCKS_PER_CYLINDER

    @property
    def bus_id(self) -> str:
        """As lsdasd prints it."""
        return f"0.0.{self.number:04x}"


@dataclass(frozen=True)
class Volume:
    """A volume group of whole DASDs with one logical volume, striped over all of them.

    Parameters
    ----------
    group, name : str
        Names of the group and of the logical volume.
    disks : tuple of str
        Names of the DASDs, in the order of the stripes.
    """

    group: str
    name: str
    disks: tuple[str, ...]


@dataclass(frozen=True)
class Storage:
    """The disks of a guest; ``db2`` holds the variables of DB2's registry by name.

    A value of ``db2`` in brackets was set by the variable named there.
    """

    dasds: tuple[Dasd, ...]
    aliases: tuple[int, ...] = ()
    volumes: tuple[Volume, ...] = ()
    db2: dict[str, str] = field(default_factory=dict)


def _numbers(*firsts: int) -> tuple[int, ...]:
    """Ten device numbers from each of the first ones on."""
    return tuple(first + place for first in firsts for place in range(10))


STORAGE: dict[str, Storage] = {
    CE_PE: Storage(
        dasds=(
            Dasd("dasda", 0x7115, 27), Dasd("dasdb", 0x6E12, 128), Dasd("dasdc", 0x6F12, 128),
        ),
        aliases=_numbers(0x6EC6, 0x6FC6),
        volumes=(Volume("CE_filestor_vg", "CE_filestor_lv", ("dasdb", "dasdc")),),
    ),
    DB: Storage(
        dasds=(
            Dasd("dasda", 0x7215, 27), Dasd("dasdb", 0x680D, 54), Dasd("dasdc", 0x690C, 54),
            Dasd("dasdd", 0x6E0C, 54), Dasd("dasde", 0x6E0D, 54), Dasd("dasdf", 0x6E0F, 27),
            Dasd("dasdg", 0x6E10, 27), Dasd("dasdh", 0x6F0C, 54), Dasd("dasdi", 0x6F0D, 54),
            Dasd("dasdj", 0x6F0F, 27), Dasd("dasdk", 0x6F10, 27),
        ),
        aliases=_numbers(0x6EBC, 0x6FBC),
        volumes=(
            Volume("DB_log_vg", "DB_log_lv", ("dasdf", "dasdj", "dasdg", "dasdk")),
            Volume("ECM_data_vg", "ECM_data_lv", ("dasdd", "dasde", "dasdh", "dasdi")),
            Volume("ECM_backup_vg", "ECM_backup_lv", ("dasdb", "dasdc")),
        ),
        db2={
            "DB2_WORKLOAD": "FILENET_CM",
            "DB2_SKIPINSERTED": "YES [DB2_WORKLOAD]",
            "DB2_EVALUNCOMMITTED": "YES [DB2_WORKLOAD]",
            "DB2COMM": "TCPIP",
            "DB2_PARALLEL_IO": "*:4",
        },
    ),
    LDAP: Storage(dasds=(Dasd("dasda", 0x7216, 27),)),
    AE: Storage(dasds=(Dasd("dasda", 0x7116, 27),)),
}  # fmt: skip
