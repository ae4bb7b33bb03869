"""What iozone prints: its tables, the widths of its columns, the names of its tests."""

from __future__ import annotations

from typing import Any

from studybook.formats.contract import tables
from studybook.formats.names import pairs

_RATES = "rate_kib_s DOUBLE, operations_per_s DOUBLE, time_per_operation_us DOUBLE"

TABLES = tables(f"""
iozone_run: one call of iozone
    run_no BIGINT, version VARCHAR, began_local TIMESTAMP, command VARCHAR, measures VARCHAR,
    inaccurate_to_kib BIGINT, options VARCHAR, status VARCHAR, error VARCHAR, line BIGINT

iozone_rate: one cell of the table: a test with one size of file and of records
    run_no BIGINT, file_size_kib BIGINT, record_size_kib BIGINT, test VARCHAR, {_RATES}, line BIGINT

iozone_throughput: one test by several processes at once (-t, -l and -u)
    run_no BIGINT, processes BIGINT, test VARCHAR, file_size_kib BIGINT, record_size_kib BIGINT,
    children_kib_s DOUBLE, parent_kib_s DOUBLE, min_kib_s DOUBLE, max_kib_s DOUBLE, mean_kib_s
    DOUBLE, min_transfer_kib DOUBLE, line BIGINT

iozone_report: one value of the report for Excel (-R), which repeats those of the tables
    run_no BIGINT, test VARCHAR, file_size_kib BIGINT, record_size_kib BIGINT, processes BIGINT,
    {_RATES}, line BIGINT

iozone_offset: one transfer: how long it took, by its place in the file
    pass_no BIGINT, offset_kib BIGINT, latency_us DOUBLE, transfer_bytes BIGINT, line BIGINT
""")

#: Tests in the order of the table's columns.
TESTS = (
    "write", "rewrite", "read", "reread", "random read", "random write", "backward read",
    "record rewrite", "stride read", "fwrite", "refwrite", "fread", "refread",
)  # fmt: skip

#: Where columns end, by the start of the heading's second line. Numbers run together where they
#: are wide, and tests that were not chosen leave blanks: rows cannot be split at blanks.
CUTS = {
    "KB  reclen   write rewrite    read    reread":
        (16, 24, 32, 40, 49, 58, 66, 74, 82, 91, 100, 109, 118, 126, 135),
    "kB  reclen    write  rewrite    read    reread":
        (16, 24, 33, 42, 51, 60, 69, 78, 87, 97, 107, 116, 125, 134, 143),
    "kB  reclen    write    rewrite      read    reread":
        (16, 24, 34, 44, 54, 64, 74, 84, 94, 105, 116, 126, 136, 146, 156),
}  # fmt: skip

#: Tests of several processes, and reports for Excel, by the names of the table's columns.
NAMES = pairs("""
    initial writers=write; rewriters=rewrite; readers=read; re-readers=reread;
    reverse readers=backward read; stride readers=stride read; random readers=random read;
    mixed workload=mixed workload; random writers=random write; pwrite writers=pwrite;
    pread readers=pread; fwriters=fwrite; freaders=fread; Writer report=write;
    Re-writer report=rewrite; Reader report=read; Re-Reader report=reread;
    Random read report=random read; Random write report=random write;
    Backward read report=backward read; Record rewrite report=record rewrite;
    Stride read report=stride read; Fwrite report=fwrite; Re-Fwrite report=refwrite;
    Fread report=fread; Re-Fread report=refread; Initial write=write; Rewrite=rewrite; Read=read;
    Re-read=reread; Reverse Read=backward read; Stride read=stride read; Random read=random read;
    Mixed workload=mixed workload; Random write=random write; Pwrite=pwrite; Pread=pread;
    Fwrite=fwrite; Fread=fread
""")

_COLUMN = {"rate": "rate_kib_s", "operations": "operations_per_s", "time": "time_per_operation_us"}


def measured(value: float, measures: str) -> dict[str, Any]:
    """A value under the column of what the run measures."""
    return {_COLUMN[measures]: value}


def cells(text: str, cuts: tuple[int, ...]) -> list[int | None] | None:
    """The numbers of a row, by the places where its columns end; None if it is no row."""
    found: list[int | None] = []
    start = 0
    for end in cuts:
        cell = text[start:end].strip()
        if cell and not (cell.isascii() and cell.isdigit() and text[start:end].endswith(cell[-1])):
            return None
        if len(cell) > 15:
            return None
        found.append(int(cell) if cell else None)
        start = end
    if text[start:].strip() or found[0] is None or found[1] is None:
        return None
    return found
