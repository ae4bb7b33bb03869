"""What captures of a Linux host's disks, volumes and database settings are turned into."""

from __future__ import annotations

from studybook.formats.contract import Table, columns

_WHERE = columns("""
    line BIGINT,
    -- Which output of the file, counted from 1: several may stand one after another.
    capture_no INTEGER,
    -- The host that the prompt above the output names.
    host VARCHAR
""")

DASD = Table(
    "linux_dasd",
    "a DASD of Linux on Z as one output shows it, base device or alias (lsdasd)",
    _WHERE
    | columns("""
        bus_id VARCHAR,
        -- 'active', 'alias', 'offline', 'n/f' (not formatted), … as printed.
        status VARCHAR, read_only BOOLEAN, device VARCHAR,
        -- Major and minor number of the block device.
        device_number VARCHAR, kind VARCHAR, block_bytes INTEGER,
        -- lsdasd says MB, and means 2**20 bytes: it divides 512-byte sectors by 2048.
        size_mib BIGINT, blocks BIGINT,
        -- Vendor, serial number, subsystem (SSID), unit address: 'IBM.750000000AB12.6e00.0c'.
        uid VARCHAR,
        -- Whether the command line left aliases out (-b); NULL if there is none.
        base_only BOOLEAN
    """),
)

PHYSICAL_VOLUME = Table(
    "linux_physical_volume",
    "a physical volume of LVM as one output shows it (pvscan, pvs)",
    _WHERE
    | columns("""
        command VARCHAR, device VARCHAR, volume_group VARCHAR, format VARCHAR, attributes VARCHAR,
        -- As printed, which is rounded, and in bytes where the unit leaves no doubt.
        size VARCHAR, size_bytes BIGINT, free VARCHAR, free_bytes BIGINT, uuid VARCHAR
    """),
)

_VOLUME = {**_WHERE, "command": "VARCHAR", "volume_group": "VARCHAR", "volume": "VARCHAR"}

LOGICAL_VOLUME = Table(
    "linux_logical_volume",
    "a logical volume of LVM as one output shows it (lvdisplay, lvs)",
    _VOLUME
    | columns("""
        attributes VARCHAR, status VARCHAR, size VARCHAR, size_bytes BIGINT, extents BIGINT,
        segments INTEGER, uuid VARCHAR
    """),
)

SEGMENT = Table(
    "linux_logical_volume_segment",
    "a segment of a logical volume: extents that are laid out in one way (lvdisplay -m, lvs)",
    _VOLUME
    | columns("""
        -- Counted from 1 within the volume.
        segment_no INTEGER, first_extent BIGINT, last_extent BIGINT, kind VARCHAR,
        stripes INTEGER, stripe_size VARCHAR, stripe_size_bytes BIGINT
    """),
)

STRIPE = Table(
    "linux_logical_volume_stripe",
    "extents of a physical volume that a segment lies on (lvdisplay -m, lvs -o +devices)",
    _VOLUME
    | columns("""
        segment_no INTEGER,
        -- Counted from 0, as LVM does.
        stripe_no INTEGER, device VARCHAR, first_extent BIGINT, last_extent BIGINT
    """),
)

VOLUME_PROPERTY = Table(
    "linux_volume_property",
    "something else that an output says of a physical or logical volume, as printed (LVM)",
    _WHERE
    | columns("""
        command VARCHAR,
        -- A device, or a logical volume with its group: 'DB_log_vg/log'.
        subject VARCHAR, property VARCHAR, value VARCHAR
    """),
)

DB2_SETTING = Table(
    "linux_db2_setting",
    "a variable in the registry of DB2 (db2set)",
    _WHERE
    | columns("""
        -- Of -all: 'i' instance, 'g' global, 'e' environment, 'n' node, 'u' user.
        level VARCHAR, variable VARCHAR, value VARCHAR,
        -- The variable through which it was set: 'DB2_WORKLOAD'.
        set_by VARCHAR
    """),
)

MULTIPATH_MAP = Table(
    "linux_multipath_map",
    "a disk that is reached by several paths (multipath -ll)",
    _WHERE
    | columns("""
        map VARCHAR, wwid VARCHAR, device VARCHAR, vendor VARCHAR, product VARCHAR, size VARCHAR,
        size_bytes BIGINT, features VARCHAR, hardware_handler VARCHAR, write_permission VARCHAR
    """),
)

MULTIPATH_PATH = Table(
    "linux_multipath_path",
    "a path to a disk (multipath -ll)",
    _WHERE
    | columns("""
        map VARCHAR,
        -- The group that the path is in, counted from 1, with its policy, priority and status.
        group_no INTEGER, policy VARCHAR, priority INTEGER, group_status VARCHAR,
        -- Host adapter, channel, target and LUN, as the SCSI layer of the host numbers them.
        adapter INTEGER, channel INTEGER, target INTEGER, lun UBIGINT, device VARCHAR,
        device_number VARCHAR, dm_state VARCHAR, path_state VARCHAR, device_state VARCHAR
    """),
)

TABLES = (
    DASD, PHYSICAL_VOLUME, LOGICAL_VOLUME, SEGMENT, STRIPE, VOLUME_PROPERTY, DB2_SETTING,
    MULTIPATH_MAP, MULTIPATH_PATH,
)  # fmt: skip
