"""The tables of elbencho.

Each result is told twice: first is when the first thread had done its share, so that all were at
work until then; last is when the last one had, which is the whole.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from studybook.formats.contract import tables

TABLES = tables(
    """
elbencho_phase: one phase of a run, such as WRITE
    phase_no BIGINT, operation VARCHAR, started_utc TIMESTAMP, started_local TIMESTAMP,
    label VARCHAR, version VARCHAR, command VARCHAR, hosts BIGINT, threads BIGINT,
    directories BIGINT, files BIGINT, file_size_bytes BIGINT, block_size_bytes BIGINT,
    depth BIGINT, direct BOOLEAN, random BOOLEAN,
    elapsed_first_s DOUBLE, elapsed_last_s DOUBLE,
    -- Files, directories, objects or buckets.
    entries_first_per_s DOUBLE, entries_last_per_s DOUBLE,
    operations_first_per_s DOUBLE, operations_last_per_s DOUBLE,
    rate_first_mib_s DOUBLE, rate_last_mib_s DOUBLE,
    entries_first DOUBLE, entries_last DOUBLE, moved_first_mib DOUBLE, moved_last_mib DOUBLE,
    cpu_first_percent DOUBLE, cpu_last_percent DOUBLE,
    entry_min_us DOUBLE, entry_mean_us DOUBLE, entry_max_us DOUBLE,
    io_min_us DOUBLE, io_mean_us DOUBLE, io_max_us DOUBLE, line BIGINT

elbencho_percentile: the latency that a share of the operations of a phase did not exceed
    phase_no BIGINT,
    -- Of reads and writes (IO), or of files, directories, objects.
    measure VARCHAR, percent DOUBLE, latency_us DOUBLE, line BIGINT
""",
    shares=("cpu_first_percent", "cpu_last_percent"),
)
PHASE, PERCENTILE = (table.name for table in TABLES)

_ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?", re.ASCII)


def started(printed: str) -> dict[str, datetime] | None:
    """The column of a time, which older releases print without its zone; None if it is none."""
    if not _ISO.fullmatch(printed):
        return None
    try:
        when = datetime.fromisoformat(printed)
        if when.tzinfo is None:
            return {"started_local": when}
        return {"started_utc": when.astimezone(UTC).replace(tzinfo=None)}
    except (ValueError, OverflowError):
        return None
