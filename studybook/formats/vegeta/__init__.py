"""vegeta, a load driver of HTTP that holds a rate: its reports, and its results one by one."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.vegeta import document, hdrplot, report, results
from studybook.formats.vegeta.report import TABLES
from studybook.formats.vegeta.results import RESULT

FORMATS = [
    Format(
        "vegeta", "vegeta report, as printed", "vegeta", TABLES, report.recognise, report.read,
    ),
    Format(
        "vegeta-hdrplot", "percentiles of vegeta (report -type=hdrplot)", "vegeta", TABLES,
        hdrplot.recognise, hdrplot.read,
    ),
    Format(
        "vegeta-json", "vegeta report as JSON (-type=json)", "vegeta", TABLES,
        document.recognise, document.read, ends_itself=True,
    ),
    Format(
        "vegeta-results", "results of vegeta as CSV or JSON (encode)", "vegeta", (RESULT,),
        results.recognise, results.read,
    ),
]  # fmt: skip
