"""What the captures of IBM Spectrum Scale are turned into."""

from __future__ import annotations

from studybook.formats.contract import tables

_FREE = """
    size_kib BIGINT, free_blocks_kib BIGINT, free_blocks_percent INTEGER,
    free_fragments_kib BIGINT, free_fragments_percent INTEGER"""

TABLES = tables(
    f"""
scale_cluster: the summary of a cluster (mmlscluster)
    cluster_name VARCHAR,
    -- Up to 2^64 and sometimes masked, so text.
    cluster_id VARCHAR, uid_domain VARCHAR, remote_shell VARCHAR, remote_copy VARCHAR,
    repository_type VARCHAR, primary_server VARCHAR, secondary_server VARCHAR

scale_node: a node of the cluster (mmlscluster); join other exports by ip_address, not by name
    node_number INTEGER, daemon_node VARCHAR, ip_address VARCHAR, admin_node VARCHAR, designation
    VARCHAR, quorum BOOLEAN, manager BOOLEAN, roles VARCHAR

scale_nsd: a network shared disk and its servers, the first of which does the I/O (mmlsnsd)
    file_system VARCHAR, nsd VARCHAR, volume_id VARCHAR, servers VARCHAR, directly_attached BOOLEAN,
    first_server VARCHAR, second_server VARCHAR, server_count INTEGER

scale_nsd_device: the device behind a network shared disk on one node (mmlsnsd -m, -M, -X)
    file_system VARCHAR, nsd VARCHAR, volume_id VARCHAR, device VARCHAR, device_type VARCHAR, node
    VARCHAR, remarks VARCHAR

scale_config: a setting and the nodes it holds for (mmlsconfig), or one in effect (mmdiag --config)
    command VARCHAR, attribute VARCHAR, value VARCHAR, value_bytes BIGINT, scope VARCHAR, changed
    VARCHAR

scale_device: a file system in the list at the end of mmlsconfig
    cluster_name VARCHAR, device VARCHAR, file_system VARCHAR

scale_filesystem: an attribute of a file system, as one printed line (mmlsfs)
    file_system VARCHAR, owning_cluster VARCHAR, flag VARCHAR, name VARCHAR, value VARCHAR,
    description VARCHAR

scale_mount: a node that has mounted a file system, or without a node its number of mounts
(mmlsmount)
    file_system VARCHAR, real_file_system VARCHAR, owning_cluster VARCHAR, mounted BOOLEAN,
    node_count INTEGER, ip_address VARCHAR, node VARCHAR, cluster VARCHAR, mode VARCHAR

scale_disk: a disk of a file system (mmlsdisk)
    file_system VARCHAR, nsd VARCHAR, driver VARCHAR, sector_size_bytes INTEGER,
    -- A number, or a topology vector such as 1,0,1.
    failure_group VARCHAR, holds_metadata BOOLEAN, holds_data BOOLEAN, status VARCHAR, availability
    VARCHAR, disk_id INTEGER, storage_pool VARCHAR, remarks VARCHAR, size_kib BIGINT

scale_version: the release that runs on a node, and since when (mmdiag --version)
    build VARCHAR, built TIMESTAMP, running VARCHAR, running_s DOUBLE, pid INTEGER

scale_waiter: a thread that waits (mmdiag --waiters)
    seconds_s DOUBLE, since VARCHAR, monitored BOOLEAN, thread BIGINT, thread_name VARCHAR, reason
    VARCHAR

scale_io: a disk I/O in the history of a node (mmdiag --iohist); start_time has no date
    start_time VARCHAR, read_write VARCHAR, buffer_type VARCHAR, disk_sector VARCHAR, sectors
    INTEGER, time_ms DOUBLE, type VARCHAR, nsd_id VARCHAR, nsd_node VARCHAR, info1 VARCHAR, info2
    VARCHAR, context VARCHAR, thread VARCHAR

scale_connection: a connection to another node (mmdiag --network)
    hostname VARCHAR, node VARCHAR, idx INTEGER, destination VARCHAR, status VARCHAR, err INTEGER,
    sock INTEGER, sent_mb DOUBLE, received_mb DOUBLE, os VARCHAR

scale_stanza: what a stanza or a disk descriptor asks for (input of mmcrnsd and the like)
    kind VARCHAR, device VARCHAR, nsd VARCHAR, servers VARCHAR, usage VARCHAR, failure_group
    VARCHAR, pool VARCHAR, other VARCHAR

scale_y: a value that no other table has a column for: any command with -Y, details of mmdiag
    command VARCHAR, section VARCHAR, row INTEGER, name VARCHAR, value VARCHAR

scale_node_state: the state of the daemon on a node (mmgetstate)
    node_number INTEGER, node VARCHAR, state VARCHAR,
    -- Nodes that make a quorum; with tiebreaker disks the command prints an asterisk.
    quorum INTEGER, tiebreaker_disks BOOLEAN, nodes_up INTEGER, total_nodes INTEGER, remarks
    VARCHAR, cnfs_state VARCHAR

scale_space: how full a disk of a file system is (mmdf)
    file_system VARCHAR, storage_pool VARCHAR, nsd VARCHAR, failure_group VARCHAR, holds_metadata
    BOOLEAN, holds_data BOOLEAN, {_FREE}, remarks VARCHAR

scale_space_total: how full a pool, the data, the metadata or the whole file system is (mmdf)
    file_system VARCHAR,
    -- 'pool', 'data', 'metadata' or 'file system'; never add rows of several kinds.
    total_of VARCHAR, storage_pool VARCHAR, {_FREE}

scale_pool: a storage pool of a file system (mmlspool)
    file_system VARCHAR, storage_pool VARCHAR, pool_id INTEGER, block_size_bytes BIGINT, holds_data
    BOOLEAN, holds_metadata BOOLEAN, total_data_kib BIGINT, free_data_kib BIGINT, free_data_percent
    INTEGER, total_metadata_kib BIGINT, free_metadata_kib BIGINT, free_metadata_percent INTEGER

scale_fileset: a fileset of a file system (mmlsfileset)
    file_system VARCHAR, fileset VARCHAR, status VARCHAR, path VARCHAR, fileset_id INTEGER,
    root_inode BIGINT, parent_id INTEGER, created VARCHAR, inode_space INTEGER, max_inodes BIGINT,
    allocated_inodes BIGINT, free_inodes BIGINT, comment VARCHAR

scale_license: the licence of a node (mmlslicense -L)
    node VARCHAR, required VARCHAR, designated VARCHAR

scale_health: the health of a node, of one of its components, or of a part of one (mmhealth)
    node VARCHAR, component VARCHAR, entity VARCHAR, entity_type VARCHAR, status VARCHAR,
    -- '2 days ago' in the text, a time with -Y.
    since VARCHAR, reasons VARCHAR
""",
    first="line BIGINT",
)
