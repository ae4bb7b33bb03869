"""The tables of sysstat reports: one per activity, and those that tell of the reports."""

from __future__ import annotations

from studybook.formats.contract import Table, tables
from studybook.formats.sar.activities import OF_TOOL

_OF_REPORTS = """
{tool}_report: one report: its first line
    report_no INTEGER, host VARCHAR, kernel VARCHAR, architecture VARCHAR, cpus BIGINT,
    date_printed VARCHAR, date_known VARCHAR, clock VARCHAR, layout VARCHAR, line BIGINT

{tool}_section: one heading of one segment of a report, however often it is repeated
    report_no INTEGER, segment INTEGER, activity VARCHAR, header VARCHAR, headings BIGINT,
    rows BIGINT, line BIGINT

{tool}_mark: one restart of the host, or one comment
    report_no INTEGER, segment INTEGER, time_local TIMESTAMP, time_utc TIMESTAMP,
    set_back BOOLEAN, kind VARCHAR, text VARCHAR, cpus BIGINT, line BIGINT

{tool}_average: one value of {tool}'s own averages, beside the mean of its rows
    report_no INTEGER, segment INTEGER, activity VARCHAR, item VARCHAR, name VARCHAR,
    text VARCHAR, value DOUBLE, mean_of_rows DOUBLE, agrees BOOLEAN, line BIGINT

{tool}_other: one value of a section that is of no known activity
    report_no INTEGER, segment INTEGER, time_local TIMESTAMP, time_utc TIMESTAMP,
    set_back BOOLEAN, interval_s DOUBLE, header VARCHAR, item VARCHAR, name VARCHAR,
    text VARCHAR, value DOUBLE, line BIGINT
"""


def tables_of(tool: str) -> tuple[Table, ...]:
    """The tables of a tool of sysstat: those of its reports, and one per activity."""
    activities = (each.as_table() for each in OF_TOOL[tool])
    return (*tables(_OF_REPORTS.format(tool=tool)), *activities)


TABLES = tables_of("sar")
