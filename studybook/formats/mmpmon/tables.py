"""What the answers of mmpmon are turned into. Counters are as printed: nothing is differenced."""

from __future__ import annotations

from studybook.formats.contract import Table, columns
from studybook.formats.names import pairs

#: Who answered, when, and in which pass of the request list (from 1; told by ``_end_``).
_ANSWER = columns("""
    line BIGINT, pass BIGINT, host VARCHAR, node_ip VARCHAR, time_utc TIMESTAMP, rc BIGINT
""")

#: Columns of the counters by the keyword of ``mmpmon -p``, in the order in which it prints them.
COUNTERS = pairs("""
    br=read_bytes bw=written_bytes oc=opens cc=closes rdc=reads wc=writes dir=readdirs
    iu=inode_updates
""")
_COUNTER_COLUMNS = dict.fromkeys(COUNTERS.values(), "UBIGINT")

FS_IO = Table(
    "mmpmon_fs_io",
    "the counters of one file system on one node, since mount or reset (fs_io_s)",
    _ANSWER
    | columns("""
        -- The cluster that owns the file system, which is not always the node's own.
        cluster VARCHAR, file_system VARCHAR, disks UBIGINT
    """)
    | _COUNTER_COLUMNS,
)

IO = Table(
    "mmpmon_io",
    "the counters of one node, all its mounted file systems together (io_s)",
    {**_ANSWER, **_COUNTER_COLUMNS},
)

RHIST = Table(
    "mmpmon_rhist",
    "a size range and latency range of a node's histogram: count (rhist s) or pattern (rhist p);"
    " an upper bound that is missing means: and higher",
    _ANSWER
    | columns("""
        read_line BIGINT, request VARCHAR, operation VARCHAR, size_from_bytes UBIGINT,
        size_to_bytes UBIGINT, size_requests UBIGINT, latency_from_ms DOUBLE,
        latency_to_ms DOUBLE, requests UBIGINT
    """),
)

NODE_LIST = Table(
    "mmpmon_node_list",
    "a line of the answer to nlist: names given, names used, members, totals",
    _ANSWER
    | columns("""
        request VARCHAR, names UBIGINT, name_given VARCHAR, member VARCHAR, member_ip VARCHAR,
        names_processed UBIGINT, nodes_in_list UBIGINT
    """),
)

VERSION = Table(
    "mmpmon_version",
    "the version of mmpmon on a node (ver)",
    columns("""
        line BIGINT, pass BIGINT, host VARCHAR, node_ip VARCHAR, version UBIGINT, level UBIGINT,
        variant UBIGINT
    """),
)

MARK = Table(
    "mmpmon_mark",
    "something that happened: reset, failed, an rhist request with its operands, a message",
    {**_ANSWER, "kind": "VARCHAR", "request": "VARCHAR", "text": "VARCHAR"},
)

RPC = Table(
    "mmpmon_rpc",
    "a moving window of remote procedure calls (rpc_s): never to be differenced",
    _ANSWER
    | columns("""
        request VARCHAR, remote_host VARCHAR, remote_ip VARCHAR, object VARCHAR, window VARCHAR,
        position BIGINT, mean_ms DOUBLE, min_ms DOUBLE, max_ms DOUBLE, calls UBIGINT
    """),
)

VALUE = Table(
    "mmpmon_value",
    "a keyword and its value from an answer that has no table of its own (vio_s, the daemon's"
    " socket, keywords of later releases); rows of one answer share its read_line",
    _ANSWER
    | columns("""
        read_line BIGINT, request VARCHAR, part VARCHAR, name VARCHAR, value VARCHAR,
        number DOUBLE
    """),
)

TABLES = (FS_IO, IO, RHIST, NODE_LIST, VERSION, MARK, RPC, VALUE)
