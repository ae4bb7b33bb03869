"""What the captures of IBM Spectrum Scale are turned into."""

from __future__ import annotations

from studybook.formats.contract import Table, columns

CLUSTER = Table(
    "scale_cluster",
    "the summary of a cluster (mmlscluster)",
    columns("""
        line BIGINT, cluster_name VARCHAR,
        -- Up to 2^64 and sometimes masked, so text.
        cluster_id VARCHAR, uid_domain VARCHAR, remote_shell VARCHAR, remote_copy VARCHAR,
        repository_type VARCHAR, primary_server VARCHAR, secondary_server VARCHAR
    """),
)

NODE = Table(
    "scale_node",
    "a node of the cluster (mmlscluster); join other exports by ip_address, not by name",
    columns("""
        line BIGINT, node_number INTEGER, daemon_node VARCHAR, ip_address VARCHAR,
        admin_node VARCHAR, designation VARCHAR, quorum BOOLEAN, manager BOOLEAN, roles VARCHAR
    """),
)

NSD = Table(
    "scale_nsd",
    "a network shared disk and its servers, the first of which does the I/O (mmlsnsd)",
    columns("""
        line BIGINT, file_system VARCHAR, nsd VARCHAR, volume_id VARCHAR, servers VARCHAR,
        directly_attached BOOLEAN, first_server VARCHAR, second_server VARCHAR,
        server_count INTEGER
    """),
)

NSD_DEVICE = Table(
    "scale_nsd_device",
    "the device behind a network shared disk on one node (mmlsnsd -m, -M, -X)",
    columns("""
        line BIGINT, file_system VARCHAR, nsd VARCHAR, volume_id VARCHAR, device VARCHAR,
        device_type VARCHAR, node VARCHAR, remarks VARCHAR
    """),
)

CONFIG = Table(
    "scale_config",
    "a setting and the nodes it holds for (mmlsconfig), or one in effect (mmdiag --config)",
    columns("""
        line BIGINT, command VARCHAR, attribute VARCHAR, value VARCHAR, value_bytes BIGINT,
        scope VARCHAR, changed VARCHAR
    """),
)

DEVICE = Table(
    "scale_device",
    "a file system in the list at the end of mmlsconfig",
    columns("""
        line BIGINT, cluster_name VARCHAR, device VARCHAR, file_system VARCHAR
    """),
)

FILESYSTEM = Table(
    "scale_filesystem",
    "an attribute of a file system, as one printed line (mmlsfs)",
    columns("""
        line BIGINT, file_system VARCHAR, owning_cluster VARCHAR, flag VARCHAR, name VARCHAR,
        value VARCHAR, description VARCHAR
    """),
)

MOUNT = Table(
    "scale_mount",
    "a node that has mounted a file system, or without a node its number of mounts (mmlsmount)",
    columns("""
        line BIGINT, file_system VARCHAR, real_file_system VARCHAR, owning_cluster VARCHAR,
        mounted BOOLEAN, node_count INTEGER, ip_address VARCHAR, node VARCHAR, cluster VARCHAR,
        mode VARCHAR
    """),
)

DISK = Table(
    "scale_disk",
    "a disk of a file system (mmlsdisk)",
    columns("""
        line BIGINT, file_system VARCHAR, nsd VARCHAR, driver VARCHAR, sector_size_bytes INTEGER,
        -- A number, or a topology vector such as 1,0,1.
        failure_group VARCHAR, holds_metadata BOOLEAN, holds_data BOOLEAN, status VARCHAR,
        availability VARCHAR, disk_id INTEGER, storage_pool VARCHAR, remarks VARCHAR,
        size_kib BIGINT
    """),
)

VERSION = Table(
    "scale_version",
    "the release that runs on a node, and since when (mmdiag --version)",
    columns("""
        line BIGINT, build VARCHAR, built TIMESTAMP, running VARCHAR, running_s DOUBLE,
        pid INTEGER
    """),
)

WAITER = Table(
    "scale_waiter",
    "a thread that waits (mmdiag --waiters)",
    columns("""
        line BIGINT, seconds_s DOUBLE, since VARCHAR, monitored BOOLEAN, thread BIGINT,
        thread_name VARCHAR, reason VARCHAR
    """),
)

IO = Table(
    "scale_io",
    "a disk I/O in the history of a node (mmdiag --iohist); start_time has no date",
    columns("""
        line BIGINT, start_time VARCHAR, read_write VARCHAR, buffer_type VARCHAR,
        disk_sector VARCHAR, sectors INTEGER, time_ms DOUBLE, type VARCHAR, nsd_id VARCHAR,
        nsd_node VARCHAR, info1 VARCHAR, info2 VARCHAR, context VARCHAR, thread VARCHAR
    """),
)

CONNECTION = Table(
    "scale_connection",
    "a connection to another node (mmdiag --network)",
    columns("""
        line BIGINT, hostname VARCHAR, node VARCHAR, idx INTEGER, destination VARCHAR,
        status VARCHAR, err INTEGER, sock INTEGER, sent_mb DOUBLE, received_mb DOUBLE, os VARCHAR
    """),
)

STANZA = Table(
    "scale_stanza",
    "what a stanza or a disk descriptor asks for (input of mmcrnsd and the like)",
    columns("""
        line BIGINT, kind VARCHAR, device VARCHAR, nsd VARCHAR, servers VARCHAR, usage VARCHAR,
        failure_group VARCHAR, pool VARCHAR, other VARCHAR
    """),
)

Y = Table(
    "scale_y",
    "a value that no other table has a column for: any command with -Y, details of mmdiag",
    columns("""
        line BIGINT, command VARCHAR, section VARCHAR, row INTEGER, name VARCHAR, value VARCHAR
    """),
)

NODE_STATE = Table(
    "scale_node_state",
    "the state of the daemon on a node (mmgetstate)",
    columns("""
        line BIGINT, node_number INTEGER, node VARCHAR, state VARCHAR,
        -- Nodes that make a quorum; with tiebreaker disks the command prints an asterisk.
        quorum INTEGER, tiebreaker_disks BOOLEAN, nodes_up INTEGER, total_nodes INTEGER,
        remarks VARCHAR, cnfs_state VARCHAR
    """),
)

_FREE = columns("""
    size_kib BIGINT, free_blocks_kib BIGINT, free_blocks_percent INTEGER,
    free_fragments_kib BIGINT, free_fragments_percent INTEGER
""")

SPACE = Table(
    "scale_space",
    "how full a disk of a file system is (mmdf)",
    columns("""
        line BIGINT, file_system VARCHAR, storage_pool VARCHAR, nsd VARCHAR,
        failure_group VARCHAR, holds_metadata BOOLEAN, holds_data BOOLEAN
    """)
    | _FREE
    | columns("remarks VARCHAR"),
)

SPACE_TOTAL = Table(
    "scale_space_total",
    "how full a pool, the data, the metadata or the whole file system is (mmdf)",
    columns("""
        line BIGINT, file_system VARCHAR,
        -- 'pool', 'data', 'metadata' or 'file system'; never add rows of several kinds.
        total_of VARCHAR, storage_pool VARCHAR
    """)
    | _FREE,
)

POOL = Table(
    "scale_pool",
    "a storage pool of a file system (mmlspool)",
    columns("""
        line BIGINT, file_system VARCHAR, storage_pool VARCHAR, pool_id INTEGER,
        block_size_bytes BIGINT, holds_data BOOLEAN, holds_metadata BOOLEAN,
        total_data_kib BIGINT, free_data_kib BIGINT, free_data_percent INTEGER,
        total_metadata_kib BIGINT, free_metadata_kib BIGINT, free_metadata_percent INTEGER
    """),
)

FILESET = Table(
    "scale_fileset",
    "a fileset of a file system (mmlsfileset)",
    columns("""
        line BIGINT, file_system VARCHAR, fileset VARCHAR, status VARCHAR, path VARCHAR,
        fileset_id INTEGER, root_inode BIGINT, parent_id INTEGER, created VARCHAR,
        inode_space INTEGER, max_inodes BIGINT, allocated_inodes BIGINT, free_inodes BIGINT,
        comment VARCHAR
    """),
)

LICENSE = Table(
    "scale_license",
    "the licence of a node (mmlslicense -L)",
    columns("""
        line BIGINT, node VARCHAR, required VARCHAR, designated VARCHAR
    """),
)

HEALTH = Table(
    "scale_health",
    "the health of a node, of one of its components, or of a part of one (mmhealth)",
    columns("""
        line BIGINT, node VARCHAR, component VARCHAR, entity VARCHAR, entity_type VARCHAR,
        status VARCHAR,
        -- '2 days ago' in the text, a time with -Y.
        since VARCHAR, reasons VARCHAR
    """),
)

TABLES = (
    CLUSTER, NODE, NSD, NSD_DEVICE, CONFIG, DEVICE, FILESYSTEM, MOUNT, DISK, VERSION, WAITER, IO,
    CONNECTION, STANZA, NODE_STATE, SPACE, SPACE_TOTAL, POOL, FILESET, LICENSE, HEALTH, Y,
)  # fmt: skip
