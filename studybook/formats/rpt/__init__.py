"""Results of IBM Rational Performance Tester (RPT) 8.x to 10.x, later HCL OneTest Performance."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.rpt import other, report, stats
from studybook.formats.rpt.tables import COUNTER, INTERVAL, PROPERTY, RUN, TIME_RANGE, VALUE

_CSV_TABLES = (RUN, COUNTER, INTERVAL, VALUE)

FORMATS = [
    Format(
        "rpt-csv", "RPT report counters as CSV, Full", "rpt", _CSV_TABLES,
        report.recognise, report.read,
    ),
    Format(
        "rpt-stats", "RPT manifest of a run (.stats)", "rpt", (RUN, TIME_RANGE, PROPERTY),
        stats.recognise, stats.read,
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
