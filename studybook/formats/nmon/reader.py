"""A recording of nmon.

``AAA`` and ``BBB…`` lines tell of the host and the recording. Every other section has a heading
(its name, a title, the names of its columns) and one row for each snapshot, which is named T0001,
T0002 …; ``ZZZZ`` lines say when each snapshot was. Recordings are often sorted, so that times stand
at the end: here they are kept apart from the rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from studybook.errors import Refused
from studybook.formats.contract import Reading, bounds_of, tables
from studybook.formats.line_reader import LineReader
from studybook.formats.raw import Head, RawFile

TABLES = tables(
    """
nmon_report: one recording, and the host that it names
    host VARCHAR, line BIGINT

nmon_setting: one line that tells of the host or the recording (AAA, BBB…)
    section VARCHAR, name VARCHAR, value VARCHAR, line BIGINT

nmon_time: one snapshot, and when it was
    sample_no BIGINT, time_local TIMESTAMP, line BIGINT

nmon_heading: one heading of a section
    heading_no BIGINT, section VARCHAR, title VARCHAR, names VARCHAR, line BIGINT

nmon_row: one row of a section, its numbers in the order of the names
    heading_no BIGINT, section VARCHAR, sample_no BIGINT, item VARCHAR, text VARCHAR,
    numbers DOUBLE[], line BIGINT
""",
    first="report_no INTEGER",
)

_START = re.compile(r"AAA,(?:progname|command|version|build|host|date|interval|OS|AIX),", re.ASCII)
_SECTION = re.compile(r"[A-Z][A-Z0-9_]{1,30}", re.ASCII)
_SAMPLE = re.compile(r"T(\d{1,8})", re.ASCII)
_TIME = re.compile(r"(\d{1,2}):(\d\d)[:.](\d\d)", re.ASCII)
_DATE = re.compile(r"(\d{1,2})-([A-Za-z]{3})-(\d{4})", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,30}(?:\.\d{1,9})?", re.ASCII)
_NOT_TOLD = -1.0
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_NO_NUMBERS = frozenset(["", "-", "nan", "-nan", "inf", "N/A", "-nanQ", "NaNQ"])
#: Sections whose rows have texts.
_WITH_TEXT = frozenset(["TOP", "UARG", "ERROR"])
#: More sections no recording has: one for each processor, and up to some hundred others.
_MOST_HEADINGS = 20_000


def recognise(head: Head) -> bool:
    """Whether the first line is one that a recording of nmon begins with."""
    return bool(_START.match(head.first))


def read(raw: RawFile, out: Reading) -> None:
    """Read every recording in the file.

    Raises
    ------
    Refused
        If no snapshot has a time and a row.
    """
    reader = _Reader(out)
    reader.read(raw)
    if not out.rows.get("nmon_row") or not out.rows.get("nmon_time"):
        raise Refused(
            "has the beginning of a recording of nmon, and no snapshot",
            "record it again, and copy the file when nmon has ended: nmon -f -s 10 -c 360",
            line=out.first_unknown,
        )
    if reader.misfits:
        out.remark(
            reader.first_misfit,
            f"{reader.misfits} rows have more numbers than their heading has names: not read",
        )


@dataclass
class _Reader(LineReader):
    report: int = -1
    #: By section its number, and what its columns are called.
    headings: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    number: int = 0
    settings_end: bool = True
    misfits: int = 0
    first_misfit: int = 0

    def _take(self, line: int, text: str) -> bool | None:
        cells = [cell.strip() for cell in text.rstrip().split(",")]
        section = cells[0]
        if not text.strip():
            return False
        if len(cells) > 1 and (section == "AAA" or section.startswith("BBB")):
            return self._setting(line, cells)
        if not _SECTION.fullmatch(section) or len(cells) < 2 or self.report < 0:
            return None
        self.settings_end = True
        if section == "ZZZZ":
            return self._time(line, cells)
        if match := _SAMPLE.fullmatch(cells[1]):
            return self._row(line, section, int(match[1]), None, cells[2:])
        if len(cells) > 2 and section == "TOP" and (match := _SAMPLE.fullmatch(cells[2])):
            return self._row(line, section, int(match[1]), cells[1], cells[3:])
        return self._heading(line, section, cells[1], cells[2:])

    def _close(self) -> None:
        """Nothing is kept back."""

    def _setting(self, line: int, cells: list[str]) -> bool | None:
        if not cells[1] or not "".join(cells).isprintable():
            return None
        if cells[0] == "AAA" and self.settings_end:
            self.report += 1
            self.headings, self.settings_end = {}, False
        if self.report < 0:
            return None
        if cells[:2] == ["AAA", "host"] and len(cells) > 2 and cells[2]:
            self.out.record("nmon_report", report_no=self.report, host=cells[2][:200], line=line)
        self.out.record(
            "nmon_setting", report_no=self.report, section=cells[0], name=cells[1][:200],
            value=",".join(cells[2:])[:2000] or None, line=line,
        )  # fmt: skip
        return True

    def _time(self, line: int, cells: list[str]) -> bool | None:
        sample = _SAMPLE.fullmatch(cells[1])
        time = _TIME.fullmatch(cells[2]) if len(cells) == 4 else None
        date = _DATE.fullmatch(cells[3]) if len(cells) == 4 else None
        if not sample or not time or not date or date[2].upper() not in _MONTHS:
            return None
        month = _MONTHS.index(date[2].upper()) + 1
        try:
            when = datetime(
                int(date[3]), month, int(date[1]), int(time[1]), int(time[2]), int(time[3])
            )
        except ValueError:
            return None
        self.out.record(
            "nmon_time", report_no=self.report, sample_no=int(sample[1]), time_local=when, line=line
        )
        return True

    def _heading(self, line: int, section: str, title: str, names: list[str]) -> bool | None:
        while names and not names[-1]:
            names.pop()
        if len(self.headings) > _MOST_HEADINGS or not "".join([title, *names]).isprintable():
            return None
        self.headings[section] = (self.number, names)
        self.out.record(
            "nmon_heading", report_no=self.report, heading_no=self.number, section=section,
            title=title, names=",".join(names), line=line,
        )  # fmt: skip
        self.number += 1
        return True

    def _row(
        self, line: int, section: str, sample: int, item: str | None, cells: list[str]
    ) -> bool | None:
        known = self.headings.get(section)
        if known is None and section not in _WITH_TEXT:
            return None
        numbers = [float(cell) if _NUMBER.fullmatch(cell) else None for cell in cells]
        texts = [
            cell
            for cell, number in zip(cells, numbers, strict=True)
            if number is None and cell not in _NO_NUMBERS
        ]
        if section in _WITH_TEXT:
            if not "".join(texts).isprintable():
                return None
        elif texts or known is None:
            return None
        else:
            while numbers and numbers[-1] is None:
                numbers.pop()
            if len(numbers) > len(known[1]):
                self.misfits += 1
                self.first_misfit = self.first_misfit or line
                return None
            share = section.startswith("CPU")
            numbers = [
                # -1 says that the system does not tell the number.
                number
                if number == _NOT_TOLD
                else self.out.within(name, number, line, bounds_of(name, share=share))
                for name, number in zip(known[1], numbers, strict=False)
            ]
        self.out.record(
            "nmon_row", report_no=self.report, heading_no=known[0] if known else None,
            section=section, sample_no=sample, item=item, text=",".join(texts)[:2000] or None,
            numbers=numbers, line=line,
        )  # fmt: skip
        return True
