"""Results of IBM Rational Performance Tester (RPT) 8.x to 10.x, later HCL OneTest Performance."""

from __future__ import annotations

from studybook.formats.contract import Format, tables
from studybook.formats.rpt import other, report, stats

RUN, COUNTER, INTERVAL, VALUE, TIME_RANGE, PROPERTY = tables("""
rpt_run: one report of a run (CSV), or the manifest of a run (.stats)
    report_no BIGINT, run_name VARCHAR, test_name VARCHAR, time_range VARCHAR, node VARCHAR, agent
    VARCHAR,
    -- The start as printed; its offset may leave out summer time.
    start_printed VARCHAR, start_local TIMESTAMP, start_utc TIMESTAMP, start_known VARCHAR,
    utc_offset_s BIGINT, utc_offset_printed_s BIGINT, launch_utc TIMESTAMP, interval_ms BIGINT, line
    BIGINT

rpt_counter: one column of a report: a counter
    counter_no INTEGER, report_no BIGINT, column_no BIGINT, path VARCHAR,
    -- 1 for the first column of this path, 2 for its first repetition, …
    occurrence BIGINT, host VARCHAR, counter_group VARCHAR, counter VARCHAR, scope VARCHAR, measure
    VARCHAR, item VARCHAR, statistic VARCHAR, period VARCHAR, unit VARCHAR, line BIGINT

rpt_interval: one data row of a report: the end of an interval
    report_no BIGINT, since_start_ms BIGINT, interval_ms BIGINT, line BIGINT

rpt_value: one cell that is not empty: a counter's value at the end of the interval of its line
    counter_no INTEGER, value DOUBLE, line BIGINT

rpt_time_range: one time range of a run: a stage of its schedule, a ramp, or the run as a whole
    name VARCHAR, start_ms BIGINT, duration_ms BIGINT, line BIGINT

rpt_property: one entry of a .stats manifest
    path VARCHAR, kind VARCHAR, value VARCHAR, line BIGINT
""")

_CSV_TABLES = (RUN, COUNTER, INTERVAL, VALUE)

FORMATS = [
    Format(
        "rpt-csv", "RPT report counters as CSV, Full", "rpt", _CSV_TABLES,
        report.recognise, report.read,
    ),
    Format(
        "rpt-stats", "RPT manifest of a run (.stats)", "rpt", (RUN, TIME_RANGE, PROPERTY),
        stats.recognise, stats.read, ends_itself=True,
    ),
    Format(
        "rpt-store", "RPT binary store of results: refused", "rpt", (RUN,),
        other.recognise_store, other.read_store, binary=True,
    ),
    Format(
        "rpt-other", "RPT export other than the Full CSV: refused", "rpt", (RUN,),
        other.recognise_other, other.read_other,
    ),
]  # fmt: skip
