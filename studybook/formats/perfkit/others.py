"""Texts from around the Performance Toolkit that hold no report, told by what they are."""

from __future__ import annotations

import re
from typing import NamedTuple

from studybook.formats.raw import Head

_EXPORT = (
    "print the reports FCX225, FCX112 and FCX304 with the Performance Toolkit and export those"
)


class Other(NamedTuple):
    """A kind of text: how to know it, what it is, and what to export instead."""

    pattern: re.Pattern[str]
    reason: str
    do: str


OTHERS = tuple(
    Other(re.compile(pattern), reason, do)
    for pattern, reason, do in (
        (
            r"1?\s*Report: ESA\w{3,6}\b.*|1?\s*ESA[A-Z]{3}\d?\s+.*Velocity Software.*",
            "is a report of Velocity zVPS (ESAxxx), not of the Performance Toolkit",
            _EXPORT,
        ),
        (
            r"\"?(?:CP )?MONITOR (?:SAMPLE|EVENT) (?:ENABLE|INTERVAL)\b.*",
            "holds CP MONITOR commands, no measured values",
            _EXPORT,
        ),
        (
            r".*\bCSVGEN [HST] \S+.*",
            "holds CSVGEN commands, no measured values",
            "export the CSV files that CSVGEN wrote, or " + _EXPORT,
        ),
        (
            r"(?:\* .*)?\bFC MONCOLL\b.*",
            "is a profile of the Performance Toolkit (FCONX $PROFILE), no measured values",
            _EXPORT,
        ),
        (
            r".*\bFILELIST\s+A0\s+V\s+169\b.*",
            "is a CMS list of files (MONWRITE data), not the data",
            "run the Performance Toolkit over the MONWRITE file, and " + _EXPORT,
        ),
        (
            r"Hex\s+Dec Type/Val\s+Lng Label \(dup\).*",
            "is the description of a data area (SEGOUT), no measured values",
            _EXPORT,
        ),
    )
)


def other(head: Head) -> Other | None:
    """Which of these texts a file is; only the first lines with content count."""
    first = [line.strip()[:2000] for line in head.lines[:60] if line.strip()][:6]
    return next((each for line in first for each in OTHERS if each.pattern.fullmatch(line)), None)
