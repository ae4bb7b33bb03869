"""Prometheus: what exporters print, OpenMetrics, and answers of the server as JSON."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.prometheus import document, text
from studybook.formats.prometheus.series import TABLES

FORMATS = [
    Format(
        "prometheus-text", "metrics of Prometheus as text, or OpenMetrics", "prometheus", TABLES,
        text.recognise, text.read, ends_itself=text.LAST_MARK,
    ),
    Format(
        "prometheus-json", "answers of Prometheus as JSON (query, query_range)", "prometheus",
        TABLES, document.recognise, document.read, ends_itself=True,
    ),
]  # fmt: skip
