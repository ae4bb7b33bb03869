"""What captures of a Linux host are turned into."""

from __future__ import annotations

from studybook.formats.contract import tables
from studybook.formats.names import words

#: Counters since the interface was made. ifconfig counts otherwise than ip: its 'overruns' are
#: ip's FIFO errors, its 'dropped' of the receiver include what ip calls missed, and its 'frame'
#: is the sum of four kinds of error.
COUNTERS = words("""
    packets bytes errors dropped overruns missed multicast broadcast compressed length_errors
    crc_errors frame_errors fifo_errors carrier_errors collisions aborted_errors window_errors
    heartbeat_errors carrier_changes no_handler
""")

_WHERE = """
    line BIGINT,
    -- Which output of the file, counted from 1: several may stand one after another.
    capture_no INTEGER,
    -- The host that the prompt above the output names.
    host VARCHAR
"""

TABLES = tables(
    f"""
linux_interface: a network interface as one output shows it (ifconfig, ip)
    interface VARCHAR, command VARCHAR, interface_index INTEGER, parent VARCHAR,
    -- As printed: 'Ethernet' by ifconfig, 'ether' by ip.
    kind VARCHAR, mac VARCHAR, mtu_bytes BIGINT, state VARCHAR, flags VARCHAR, up BOOLEAN,
    queue_length INTEGER, metric INTEGER

linux_address: an address of a network interface (ifconfig, ip)
    interface VARCHAR, family VARCHAR, address VARCHAR, prefix_length INTEGER, netmask VARCHAR,
    broadcast VARCHAR, peer VARCHAR, scope VARCHAR, flags VARCHAR

linux_interface_counter: what a network interface has received (rx) or sent (tx) so far (ifconfig,
ip -s)
    interface VARCHAR, direction VARCHAR, {", ".join(f"{name} UBIGINT" for name in COUNTERS)}

linux_interface_property: something else that an output says of a network interface, as printed
(ifconfig, ip)
    interface VARCHAR, property VARCHAR, value VARCHAR

linux_qeth: a qeth device of Linux on Z: OSA, HiperSockets or a virtual NIC (lsqeth)
    interface VARCHAR, card_type VARCHAR, device_bus_id VARCHAR, chpid VARCHAR, online BOOLEAN,
    state VARCHAR, portname VARCHAR, portno INTEGER, layer2 BOOLEAN, buffer_count INTEGER, isolation
    VARCHAR, checksumming VARCHAR, large_send VARCHAR, priority_queueing VARCHAR

linux_qeth_property: a property of a qeth device, as printed (lsqeth)
    interface VARCHAR, property VARCHAR, value VARCHAR

linux_dasd: a DASD of Linux on Z as one output shows it, base device or alias (lsdasd)
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

linux_physical_volume: a physical volume of LVM as one output shows it (pvscan, pvs)
    command VARCHAR, device VARCHAR, volume_group VARCHAR, format VARCHAR, attributes VARCHAR,
    -- As printed, which is rounded, and in bytes where the unit leaves no doubt.
    size VARCHAR, size_bytes BIGINT, free VARCHAR, free_bytes BIGINT, uuid VARCHAR

linux_logical_volume: a logical volume of LVM as one output shows it (lvdisplay, lvs)
    command VARCHAR, volume_group VARCHAR, volume VARCHAR, attributes VARCHAR, status VARCHAR, size
    VARCHAR, size_bytes BIGINT, extents BIGINT, segments INTEGER, uuid VARCHAR

linux_logical_volume_segment: a segment of a logical volume: extents that are laid out in one way
(lvdisplay -m, lvs)
    command VARCHAR, volume_group VARCHAR, volume VARCHAR,
    -- Counted from 1 within the volume.
    segment_no INTEGER, first_extent BIGINT, last_extent BIGINT, kind VARCHAR, stripes INTEGER,
    stripe_size VARCHAR, stripe_size_bytes BIGINT

linux_logical_volume_stripe: extents of a physical volume that a segment lies on (lvdisplay -m, lvs
-o +devices)
    command VARCHAR, volume_group VARCHAR, volume VARCHAR, segment_no INTEGER,
    -- Counted from 0, as LVM does.
    stripe_no INTEGER, device VARCHAR, first_extent BIGINT, last_extent BIGINT

linux_volume_property: something else that an output says of a physical or logical volume, as
printed (LVM)
    command VARCHAR,
    -- A device, or a logical volume with its group: 'DB_log_vg/log'.
    subject VARCHAR, property VARCHAR, value VARCHAR

linux_db2_setting: a variable in the registry of DB2 (db2set)
    -- Of -all: 'i' instance, 'g' global, 'e' environment, 'n' node, 'u' user.
    level VARCHAR, variable VARCHAR, value VARCHAR,
    -- The variable through which it was set: 'DB2_WORKLOAD'.
    set_by VARCHAR

linux_multipath_map: a disk that is reached by several paths (multipath -ll)
    map VARCHAR, wwid VARCHAR, device VARCHAR, vendor VARCHAR, product VARCHAR, size VARCHAR,
    size_bytes BIGINT, features VARCHAR, hardware_handler VARCHAR, write_permission VARCHAR

linux_multipath_path: a path to a disk (multipath -ll)
    map VARCHAR,
    -- The group that the path is in, counted from 1, with its policy, priority and status.
    group_no INTEGER, policy VARCHAR, priority INTEGER, group_status VARCHAR,
    -- Host adapter, channel, target and LUN, as the SCSI layer of the host numbers them.
    adapter INTEGER, channel INTEGER, target INTEGER, lun UBIGINT, device VARCHAR, device_number
    VARCHAR, dm_state VARCHAR, path_state VARCHAR, device_state VARCHAR
""",
    first=_WHERE,
)
