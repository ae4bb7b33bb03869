"""What captures of a Linux host are turned into: here, those of its network devices."""

from __future__ import annotations

from studybook.formats.contract import Table, columns
from studybook.formats.linux import disk_tables
from studybook.formats.names import words

_WHERE = columns("""
    line BIGINT,
    -- Which output of the file, counted from 1: several may stand one after another.
    capture_no INTEGER,
    -- The host that the prompt above the output names.
    host VARCHAR, interface VARCHAR
""")

INTERFACE = Table(
    "linux_interface",
    "a network interface as one output shows it (ifconfig, ip)",
    _WHERE
    | columns("""
        command VARCHAR, interface_index INTEGER, parent VARCHAR,
        -- As printed: 'Ethernet' by ifconfig, 'ether' by ip.
        kind VARCHAR, mac VARCHAR, mtu_bytes BIGINT, state VARCHAR, flags VARCHAR, up BOOLEAN,
        queue_length INTEGER, metric INTEGER
    """),
)

ADDRESS = Table(
    "linux_address",
    "an address of a network interface (ifconfig, ip)",
    _WHERE
    | columns("""
        family VARCHAR, address VARCHAR, prefix_length INTEGER, netmask VARCHAR,
        broadcast VARCHAR, peer VARCHAR, scope VARCHAR, flags VARCHAR
    """),
)

#: Counters since the interface was made. ifconfig counts otherwise than ip: its 'overruns' are
#: ip's FIFO errors, its 'dropped' of the receiver include what ip calls missed, and its 'frame'
#: is the sum of four kinds of error.
COUNTERS = words("""
    packets bytes errors dropped overruns missed multicast broadcast compressed length_errors
    crc_errors frame_errors fifo_errors carrier_errors collisions aborted_errors window_errors
    heartbeat_errors carrier_changes no_handler
""")

COUNTER = Table(
    "linux_interface_counter",
    "what a network interface has received (rx) or sent (tx) so far (ifconfig, ip -s)",
    {**_WHERE, "direction": "VARCHAR", **dict.fromkeys(COUNTERS, "UBIGINT")},
)

PROPERTY = Table(
    "linux_interface_property",
    "something else that an output says of a network interface, as printed (ifconfig, ip)",
    {**_WHERE, "property": "VARCHAR", "value": "VARCHAR"},
)

QETH = Table(
    "linux_qeth",
    "a qeth device of Linux on Z: OSA, HiperSockets or a virtual NIC (lsqeth)",
    _WHERE
    | columns("""
        card_type VARCHAR, device_bus_id VARCHAR, chpid VARCHAR, online BOOLEAN, state VARCHAR,
        portname VARCHAR, portno INTEGER, layer2 BOOLEAN, buffer_count INTEGER, isolation VARCHAR,
        checksumming VARCHAR, large_send VARCHAR, priority_queueing VARCHAR
    """),
)

QETH_PROPERTY = Table(
    "linux_qeth_property",
    "a property of a qeth device, as printed (lsqeth)",
    {**_WHERE, "property": "VARCHAR", "value": "VARCHAR"},
)

TABLES = (INTERFACE, ADDRESS, COUNTER, PROPERTY, QETH, QETH_PROPERTY, *disk_tables.TABLES)
