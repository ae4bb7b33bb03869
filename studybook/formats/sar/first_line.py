"""The first line of a report: host, kernel, machine, and the one date there is."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import cached_property

from studybook.errors import Refused
from studybook.formats.contract import Hints
from studybook.formats.raw import RawFile
from studybook.formats.sar.clock import TIME
from studybook.formats.sar.dates import NOT_PRINTED, Evidence, understand
from studybook.formats.sar.report import FIRST_LINE, Report

_FIRST_WORD = re.compile(rb"^Linux[ \t]", re.MULTILINE)
_DATE = re.compile(r"^\d{1,2}/\d{1,2}/\d{2,4} ")
_COMMA = re.compile(r"\s\d+,\d{1,2}(?:\s|$|\x1b)", re.ASCII)

#: Lines of the head that are looked at for a decimal comma.
_FEW_LINES = 200


#: What is known of a report that has none.
WITHOUT_FIRST_LINE = {
    "host": None, "kernel": None, "architecture": None, "cpus": None, "date_printed": None,
    "date_known": NOT_PRINTED, "clock": "local", "line": 1,
}  # fmt: skip


class FirstLines:
    """Reads the first lines of the reports in a file, by all that tells what their dates are."""

    def __init__(self, raw: RawFile, hints: Hints) -> None:
        self._raw, self._hints = raw, hints

    def read(self, match: re.Match[bytes], number: int, line: int) -> tuple[Report, str | None]:
        """Begin a report; and say how its date was understood, unless it is plain.

        Raises
        ------
        Refused
            If day and month cannot be told apart.
        """
        kernel, host, printed, machine, cpus = (
            None if each is None else each.decode(errors="replace") for each in match.groups()
        )
        text = str(printed)
        day, known = self.understand(text, line)
        told = {
            "host": host, "kernel": kernel, "architecture": machine,
            "cpus": int(cpus) if cpus else None, "date_printed": text, "date_known": known,
            "clock": "local", "line": line,
        }  # fmt: skip
        remark = f"the date {text} is {day:%Y-%m-%d}: {known}" if known != "year first" else None
        return Report(number, day, told), remark

    def understand(self, printed: str, line: int) -> tuple[date, str]:
        """Read a date by as much evidence as it takes: most dates are plain, and it takes time."""
        name = Evidence(self._raw.path.name, (), twelve_hours=False, decimal_comma=False)
        with suppress(Refused):
            return understand(printed, name, self._hints, line)
        with suppress(Refused):
            return understand(printed, self._evidence, self._hints, line)
        # Another report in the file may have a day that is no month.
        evidence = replace(self._evidence, dates=self._all_dates)
        return understand(printed, evidence, self._hints, line)

    @cached_property
    def _evidence(self) -> Evidence:
        lines = self._raw.head.lines
        # iostat prints each time behind its date, on a line of its own.
        clocks = (f"{_DATE.sub('', text, count=1)} ".encode() for text in lines)
        times = [match for text in clocks if (match := TIME.match(text))]
        return Evidence(
            self._raw.path.name,
            (),
            twelve_hours=any(match["after"] for match in times)
            and not any(match["zone"] for match in times),
            decimal_comma=any(_COMMA.search(line) for line in lines[1:_FEW_LINES]),
        )

    @cached_property
    def _all_dates(self) -> tuple[str, ...]:
        """The dates of all first lines of the file."""
        found = set()
        for _, block in self._raw.blocks():
            for place in _FIRST_WORD.finditer(block):
                line = block[place.start() : block.find(b"\n", place.start())]
                if match := FIRST_LINE.match(line):
                    found.add(match[3].decode(errors="replace"))
        return tuple(sorted(found))
