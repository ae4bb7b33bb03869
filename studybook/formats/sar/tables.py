"""The tables of sysstat reports: one per activity, and those that tell of the reports."""

from __future__ import annotations

from studybook.formats.contract import Table, columns
from studybook.formats.sar.activities import ACTIVITIES

REPORT = Table(
    "sar_report",
    "one report: its first line",
    columns("""
        report_no INTEGER, host VARCHAR, kernel VARCHAR, architecture VARCHAR, cpus BIGINT,
        date_printed VARCHAR, date_known VARCHAR, clock VARCHAR, layout VARCHAR, line BIGINT
    """),
)

SECTION = Table(
    "sar_section",
    "one heading of one segment of a report, however often it is repeated",
    columns("""
        report_no INTEGER, segment INTEGER, activity VARCHAR, header VARCHAR, headings BIGINT,
        rows BIGINT, line BIGINT
    """),
)

MARK = Table(
    "sar_mark",
    "one restart of the host, or one comment",
    columns("""
        report_no INTEGER, segment INTEGER, time_local TIMESTAMP, time_utc TIMESTAMP,
        kind VARCHAR, text VARCHAR, cpus BIGINT, line BIGINT
    """),
)

AVERAGE = Table(
    "sar_average",
    "one value of sar's own averages, beside the mean of its rows",
    columns("""
        report_no INTEGER, segment INTEGER, activity VARCHAR, item VARCHAR, name VARCHAR,
        text VARCHAR, value DOUBLE, mean_of_rows DOUBLE, agrees BOOLEAN, line BIGINT
    """),
)

OTHER = Table(
    "sar_other",
    "one value of a section that is of no known activity",
    columns("""
        report_no INTEGER, segment INTEGER, time_local TIMESTAMP, time_utc TIMESTAMP,
        set_back BOOLEAN, interval_s DOUBLE, header VARCHAR, item VARCHAR, name VARCHAR,
        text VARCHAR, value DOUBLE, line BIGINT
    """),
)

TABLES: tuple[Table, ...] = (
    REPORT, SECTION, MARK, AVERAGE, OTHER, *(each.as_table() for each in ACTIVITIES),
)  # fmt: skip
