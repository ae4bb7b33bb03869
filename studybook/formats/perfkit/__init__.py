"""Reports of the z/VM Performance Toolkit: printed listings and screens, FCX100 and so on.

They are read by heading, not by place: see :mod:`studybook.formats.perfkit.columns`. A report is
kept as it is printed: one row per cell, under the words of its heading. What a column means is said
by ``headings.yml`` and by the views.
"""

from __future__ import annotations

from studybook.formats.contract import Format, tables
from studybook.formats.perfkit.reader import read, recognise

TABLES = tables("""
perfkit_report: one report of the Performance Toolkit, all its pages together
    report_no BIGINT, report VARCHAR, name VARCHAR, title VARCHAR, subject VARCHAR, system_id
    VARCHAR, cpu_model VARCHAR, serial VARCHAR, zvm_level VARCHAR, run_local TIMESTAMP, from_local
    TIMESTAMP, to_local TIMESTAMP, interval_s DOUBLE, pages BIGINT, form VARCHAR, line BIGINT

perfkit_value: one cell of a report's table
    report_no BIGINT, row_no BIGINT, time_local TIMESTAMP, mean_row BOOLEAN, row_key VARCHAR,
    column_path VARCHAR, metric VARCHAR, text VARCHAR, value DOUBLE, null_reason VARCHAR, line
    BIGINT

perfkit_pair: one labelled value outside a table
    report_no BIGINT, section VARCHAR, label VARCHAR, text VARCHAR, value DOUBLE, rate_text VARCHAR,
    rate_per_s DOUBLE, null_reason VARCHAR, line BIGINT
""")

FORMATS = [
    Format(
        name="perfkit", title="z/VM Performance Toolkit reports (FCXnnn), printed or from a screen",
        source="perfkit", tables=TABLES, recognise=recognise, read=read, certainty="from memory",
    )
]  # fmt: skip
