"""The Full export of report counters to CSV of Rational Performance Tester 8.x.

A report is a preamble (``Performance Test Run,"…"``), a blank line, the stacked header rows
and the data rows; seen in real files of 2011. What other versions may differ in is read where
it is clear: one header row with whole paths, other delimiters and encodings, further reports
in the same file.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.names import pairs
from studybook.formats.raw import LONGEST_LINE, Head, RawFile, line_count
from studybook.formats.rpt.data import DataRows
from studybook.formats.rpt.header import MOST_ROWS, SCOPES, cells_of, counters_of
from studybook.formats.rpt.start import start_of

#: The keys of the preamble, and the columns that their values go to.
_KEYS = pairs("""
    performance test run=run_name; run start time=start_printed; time range=time_range; node=node;
    agent=agent; test name=test_name
""")
_PREAMBLE = re.compile(r'\ufeff?"?Performance Test Run"?[,;\t]')
_TIME = re.compile(r'\ufeff?"?Time ?\[([^\]",;\t]*)\]"?([,;\t])', re.I)
_GROUP = re.compile(rf"\b(All[_ ]Hosts|{'|'.join(SCOPES)})\b", re.I)
_INTEGER = re.compile(r'"?\d{1,15}"?', re.A)

EXPORT_FULL = (
    "export the report again: right-click a tab of the report, Export Report Counters to CSV,"
    " Export Type Full; or Window > Preferences > Test > Performance Test Reports > Export Reports"
)


def recognise(head: Head) -> bool:
    """Whether the file starts with the preamble of a report, or with the header row of one."""
    lines = [line for line in head.lines if line.strip()]
    if not lines:
        return False
    if _PREAMBLE.match(lines[0]):
        return True
    for number, line in enumerate(lines[:10]):
        if _TIME.match(line):
            return any(_GROUP.search(other) for other in lines[number : number + 2])
    return False


def read(raw: RawFile, out: Reading) -> None:
    """Read every report of the file."""
    reader = _Reader(raw, out)
    for line, block in raw.blocks():
        reader.take(line, block)
    reader.close()


class _Reader:
    """Goes from preamble to header to rows, and again for a further report."""

    def __init__(self, raw: RawFile, out: Reading) -> None:
        self.raw = raw
        self.out = out
        self.reports = 0
        self.counters = 0
        self.of_name: str | None = None
        self._begin()

    def _begin(self) -> None:
        self.preamble: dict[str, Any] = {}
        self.header: list[list[str]] = []
        self.header_line = 0
        self.delimiter = ","
        self.rows: DataRows | None = None

    def take(self, line: int, block: bytes) -> None:
        """Read the lines of a block."""
        place = 0
        while place < len(block):
            if self.rows:
                done = self.rows.take(line, block[place:] if place else block)
                if place + done < len(block):
                    self._end()
            else:
                end = block.find(b"\n", place)
                text = block[place:end].decode()
                # The line that ends the header is read again, as a row.
                done = 0 if self._before_rows(line, text) else end - place + 1
            line += line_count(block[place : place + done])
            place += done

    def _before_rows(self, line: int, text: str) -> bool:
        """Account for a line of the preamble or the header; True if it is the first row instead."""
        if self.header:
            return self._header_row(line, text)
        match = _TIME.match(text)
        if match:
            if match[1].strip().lower() != "ms":
                raise Refused(
                    f"the time is in {match[1]!r}; expected milliseconds, Time [ms]",
                    EXPORT_FULL,
                    line=line,
                )
            self.delimiter = match[2]
            self.header_line = line
            self._keep_header(line, text.lstrip("\ufeff"))
        elif not text.strip(' ,;\t"'):
            self.out.heading()
        else:
            self._preamble(line, text)
        return False

    def _preamble(self, line: int, text: str) -> None:
        key, delimiter, value = re.match(r"\ufeff?([^,;\t]*)([,;\t]?)(.*)", text, re.S).groups()  # type: ignore[union-attr]  # it matches any text
        name = _KEYS.get(key.strip().strip('"').lower())
        if not delimiter or not name or name in self.preamble:
            self.out.unknown(line, text)
            return
        cells = cells_of(text, delimiter)
        if len(cells) > 1 and not any(cell.strip() for cell in cells[2:]):
            value = cells[1].strip()  # spreadsheets fill all lines up to the widest one
        else:
            value = value.strip().strip('"')  # a name with a delimiter, which was not quoted
        self.preamble[name] = value or None
        self.preamble.setdefault("line", line)
        self.out.used()

    def _header_row(self, line: int, text: str) -> bool:
        first = text.split(self.delimiter, 1)[0].strip(' "')
        if _INTEGER.fullmatch(first):
            self._start(line)
            return True
        if first or not text.strip() or len(self.header) == MOST_ROWS:
            raise Refused(
                f"expected a header row that begins with an empty cell, or the first row of data;"
                f" found {text[:60]!r}",
                EXPORT_FULL,
                line=line,
            )
        self._keep_header(line, text)
        return False

    def _keep_header(self, line: int, text: str) -> None:
        if len(text.encode()) >= LONGEST_LINE:
            raise Refused(
                "a header row of more than 1 MiB",
                "export with Split output if columns exceed 250",
                line=line,
            )
        self.header.append(cells_of(text, self.delimiter))
        self.out.used()

    def _start(self, line: int) -> None:
        """Record the run and its counters; from here on there are rows."""
        out = self.out
        counters, joined = counters_of(self.header, self.header_line, self.delimiter)
        if joined:
            out.repaired(
                self.header_line,
                f"{joined} names in the header rows hold the delimiter {self.delimiter!r} and were"
                " put together again",
            )
        if len(self.header) == 1 or self.delimiter != ",":
            out.certainty = "inferred"
        printed = self.preamble.get("start_printed")
        if not self.reports:
            self.of_name = printed
        # A file is named after its first run: another that was appended began at another time.
        name = self.raw.path.name if printed == self.of_name else ""
        start = start_of(printed, self.preamble.get("run_name"), name)
        run_line = self.preamble.pop("line", self.header_line)
        if start.remark:
            out.remark(run_line, start.remark)
        out.record(
            "rpt_run", report_no=self.reports, start_local=start.local, start_utc=start.utc,
            start_known=start.known, launch_utc=start.launch, utc_offset_s=start.offset_s,
            utc_offset_printed_s=start.printed_offset_s, line=run_line, **self.preamble,
        )  # fmt: skip
        seen: Tally[str] = Tally()
        for place, each in enumerate(counters):
            seen[each.path] += 1
            out.record(
                "rpt_counter", counter_no=self.counters + place, report_no=self.reports,
                column_no=place + 2, path=each.path, occurrence=seen[each.path], host=each.host,
                counter_group=each.group, counter=each.counter, scope=each.scope,
                measure=each.measure, item=each.item, statistic=each.statistic,
                period=each.period, unit=each.unit, line=self.header_line,
            )  # fmt: skip
        if twice := len(counters) - len(seen):
            out.remark(self.header_line, f"{twice} columns repeat the path of another one")
        if strange := [each.path for each in counters if not each.statistic]:
            out.remark(
                self.header_line,
                f"{len(strange)} counters are of an unknown statistic, the first {strange[0]!r}:"
                " read as they are, in no figure",
            )
        self.rows = DataRows(out, self.reports, self.counters, counters, self.delimiter)
        self.reports += 1
        self.counters += len(counters)

    def _end(self) -> None:
        """Close a report that another one follows."""
        if self.rows:
            self.rows.close()
        self._begin()

    def close(self) -> None:
        """Close the file; it is refused if it has no report with at least one row."""
        if self.rows:
            self.rows.close()
            return
        if self.reports:
            self.out.remark(self.header_line or 1, "the last report of the file is cut off")
        elif self.header:
            raise Refused(
                "ends in its header rows: there are no data", EXPORT_FULL, line=self.header_line
            )
        else:
            raise Refused(
                "has the preamble of a report of Rational Performance Tester, but no header row"
                " that begins with 'Time [ms]': not the Full export of its counters",
                EXPORT_FULL,
            )
