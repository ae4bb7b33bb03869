"""What the answers of mmpmon are turned into. Counters are as printed: nothing is differenced."""

from __future__ import annotations

from studybook.formats.contract import tables
from studybook.formats.names import pairs

#: Who answered, and in which pass of the request list (from 1; told by ``_end_``).
_WHO = "line BIGINT, pass BIGINT, host VARCHAR, node_ip VARCHAR"

#: Columns of the counters by the keyword of ``mmpmon -p``, in the order in which it prints them.
COUNTERS = pairs("""
    br=read_bytes bw=written_bytes oc=opens cc=closes rdc=reads wc=writes dir=readdirs
    iu=inode_updates
""")
_COUNTED = ", ".join(f"{column} UBIGINT" for column in COUNTERS.values())

TABLES = tables(
    f"""
mmpmon_fs_io: the counters of one file system on one node, since mount or reset (fs_io_s)
    time_utc TIMESTAMP, rc BIGINT,
    -- The cluster that owns the file system, which is not always the node's own.
    cluster VARCHAR, file_system VARCHAR, disks UBIGINT, {_COUNTED}

mmpmon_io: the counters of one node, all its mounted file systems together (io_s)
    time_utc TIMESTAMP, rc BIGINT, {_COUNTED}

mmpmon_rhist: a size range and latency range of a node's histogram: count (rhist s) or pattern
(rhist p); an upper bound that is missing means: and higher
    time_utc TIMESTAMP, rc BIGINT, read_line BIGINT, request VARCHAR, operation VARCHAR,
    size_from_bytes UBIGINT, size_to_bytes UBIGINT, size_requests UBIGINT, latency_from_ms DOUBLE,
    latency_to_ms DOUBLE, requests UBIGINT

mmpmon_node_list: a line of the answer to nlist: names given, names used, members, totals
    time_utc TIMESTAMP, rc BIGINT, request VARCHAR, names UBIGINT, name_given VARCHAR, member
    VARCHAR, member_ip VARCHAR, names_processed UBIGINT, nodes_in_list UBIGINT

mmpmon_version: the version of mmpmon on a node (ver)
    version UBIGINT, level UBIGINT, variant UBIGINT

mmpmon_mark: something that happened: reset, failed, an rhist request with its operands, a message
    time_utc TIMESTAMP, rc BIGINT, kind VARCHAR, request VARCHAR, text VARCHAR

mmpmon_rpc: a moving window of remote procedure calls (rpc_s): never to be differenced
    time_utc TIMESTAMP, rc BIGINT, request VARCHAR, remote_host VARCHAR, remote_ip VARCHAR, object
    VARCHAR, window VARCHAR, position BIGINT, mean_ms DOUBLE, min_ms DOUBLE, max_ms DOUBLE, calls
    UBIGINT

mmpmon_value: a keyword and its value from an answer that has no table of its own (vio_s, the
daemon's socket, keywords of later releases); rows of one answer share its read_line
    time_utc TIMESTAMP, rc BIGINT, read_line BIGINT, request VARCHAR, part VARCHAR, name VARCHAR,
    value VARCHAR, number DOUBLE
""",
    first=_WHO,
)
