"""What iostat and mpstat print with ``-o JSON``: hosts, and one object per sample."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.raw import RawFile
from studybook.formats.sar.dates import Evidence, understand
from studybook.formats.sar.heading import number
from studybook.formats.sar.sadf_json import Text

_TWELVE_HOURS = re.compile(r'"timestamp": "[^"]{1,40} [AP]M"')


@dataclass(frozen=True)
class Sample:
    """One object of ``statistics``.

    Attributes
    ----------
    report_no, sample_no : int
        The host and the sample, each from 0.
    facts : mapping of str to str
        What was said of the host before.
    values : mapping
        The object; numbers are text.
    first, last : int
        Its lines.
    """

    report_no: int
    sample_no: int
    facts: Mapping[str, str]
    values: Mapping[str, Any]
    first: int
    last: int


def walk(raw: RawFile, out: Reading, how: str, take: Callable[[Sample], None]) -> None:
    """Go through the samples of every host, and account for all lines.

    Raises
    ------
    Refused
        If the file is no such JSON, or ends too early.
    """
    text = Text(raw, out, how)
    seen = report = 0

    def used(first: int, last: int) -> None:
        nonlocal seen
        out.heading(max(0, first - 1 - seen))
        out.used(max(0, last - max(seen, first - 1)))
        seen = max(seen, last)

    for _ in text.members():  # "sysstat"
        for key in text.members():
            if key != "hosts" or text.peek() != "[":
                text.value()
                continue
            for _ in text.elements():
                facts: dict[str, str] = {}
                for name in text.members():
                    text.peek()
                    first = text.line
                    if name != "statistics" or text.peek() != "[":
                        value = text.value()
                        if isinstance(value, str):
                            facts[name] = value
                            used(first, text.line)
                        continue
                    for sample, _ in enumerate(text.elements()):
                        text.peek()
                        first, value = text.line, text.value()
                        values = value if isinstance(value, dict) else {}
                        used(first, text.line)
                        take(Sample(report, sample, facts, values, first, text.line))
                report += 1
    if text.peek():
        raise text.refusal("there is more behind the end")
    out.heading(text.line - 1 - seen)


def date_of(raw: RawFile, out: Reading, printed: str, line: int) -> tuple[Any, str]:
    """The day that a date means, and how it is known.

    Raises
    ------
    Refused
        If day and month cannot be told apart.
    """
    twelve = bool(_TWELVE_HOURS.search(raw.head.text))
    evidence = Evidence(raw.path.name, (printed,), twelve_hours=twelve, decimal_comma=False)
    return understand(printed, evidence, out.hints, line)


def cells(values: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, float | None] | None:
    """The numbers of an object by our names; None if one is no number."""
    found: dict[str, float | None] = {}
    for name, column in known.items():
        if name not in values:
            continue
        value = values[name]
        read = number(value.encode(), column) if isinstance(value, str) else None
        if read is None:
            return None
        found[column.name] = None if read != read else read
    return found
