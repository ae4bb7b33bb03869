"""Listings of the Performance Toolkit that tests make up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipelines.formats import Hints, Reading, read

DATA = Path(__file__).resolve().parent / "data" / "perfkit"

#: The beginning of a page without carriage control.
PAGE = """\
{report}  Run 2013/05/08 07:11:42         {name}                                     Page    1
                                         Some Title
From {begin}                                                            ZVMQ7
To   {end}                                                            CPU 2827-H43   SN 0A1B7
For {seconds:6d} Secs {clock}                 Result of QTEST Run          z/VM   V.6.3.0 SLU 1402
______________________________________________________________________________________________
"""

Rows = dict[str, list[dict[str, Any]]]


def page(
    report: str = "FCX225",
    name: str = "SYSSUMLG",
    begin: str = "2013/05/08 09:00:00",
    end: str = "2013/05/08 09:10:00",
    seconds: int = 600,
    clock: str = "00:10:00",
) -> str:
    """Return the heading of a page."""
    return PAGE.format(**locals())


def read_listing(
    folder: Path, text: str | bytes, hints: Hints | None = None
) -> tuple[Reading, Rows]:
    """Read a listing that stands in a test."""
    path = folder / "listing"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    rows: Rows = {}
    _, reading = read(
        path, lambda table, part: rows.setdefault(table, []).extend(part.to_pylist()), hints
    )
    return reading, rows
