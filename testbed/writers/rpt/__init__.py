"""Report counters of Rational Performance Tester as CSV."""

from testbed.writers.rpt.report import Report, file_name, lines

__all__ = ["Report", "file_name", "lines"]
