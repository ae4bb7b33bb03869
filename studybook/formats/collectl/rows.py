"""The tables of collectl."""

from __future__ import annotations

from collections.abc import Sequence

from studybook.formats.contract import Reading, bounds_of, tables

TABLES = tables(
    """
collectl_report: one recording
    host VARCHAR, version VARCHAR, options VARCHAR, cpus BIGINT, memory_kib BIGINT, zone VARCHAR,
    interval_s DOUBLE, line BIGINT

collectl_heading: the columns of a recording, from here on
    heading_no BIGINT,
    -- With blanks between them, as -P names them: [CPU]User%, [DSK:sda]Reads.
    names VARCHAR, line BIGINT

collectl_row: one interval
    heading_no BIGINT, sample_no BIGINT, time_local TIMESTAMP, time_utc TIMESTAMP,
    set_back BOOLEAN, interval_s DOUBLE, numbers DOUBLE[], line BIGINT
""",
    first="report_no INTEGER",
)
REPORT, HEADING, ROW = (table.name for table in TABLES)

#: What may be below nothing: degrees.
_SIGNED = ("[TMP", "[ENV")


def within(
    out: Reading, names: Sequence[str], numbers: Sequence[float | None], line: int
) -> list[float | None]:
    """The numbers of a row, but for those that cannot be."""
    return [
        number
        if name.startswith(_SIGNED)
        else out.within(name, number, line, bounds_of(name, share=name.startswith("[CPU")))
        for name, number in zip(names, numbers, strict=True)
    ]
