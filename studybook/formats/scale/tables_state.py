"""What captures of the state and the capacity of a cluster are turned into."""

from __future__ import annotations

from studybook.formats.contract import Table, columns

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

STATE_TABLES = (NODE_STATE, SPACE, SPACE_TOTAL, POOL, FILESET, LICENSE, HEALTH)
