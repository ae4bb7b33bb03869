"""collectl: what it records of a host, for plotting (-P) or as it prints it."""

from __future__ import annotations

from studybook.formats.collectl import console, plot
from studybook.formats.collectl.rows import TABLES
from studybook.formats.contract import Format

FORMATS = [
    Format(
        "collectl", "collectl for plotting (-P)", "collectl", TABLES, plot.recognise, plot.read
    ),
    Format(
        "collectl-console", "collectl as printed, a line for each interval", "collectl", TABLES,
        console.recognise, console.read,
    ),
]  # fmt: skip
