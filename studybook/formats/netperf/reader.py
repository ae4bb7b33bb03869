"""netperf: classic tables, omni output as table, CSV (``-o``) and KEY=VALUE (``-k``).

Layouts of netperf 2.7 were seen, but for the columns of CPU use (``-c -C``), which are documented.
A file may hold any number of tests. Without its banner (``-P 0``) a table does not say which test
it is of, nor in which unit its rate is: such a file is refused. Values of -1 mean not measured, and
become no value.

``10^6bits`` are bits, decimal; ``KBytes``, ``MBytes`` and ``GBytes`` are powers of 1024 (seen in
the source). Rates of transactions have no other unit. No output has a date, and a test that
was interrupted looks like a shorter one: compare the elapsed time with what was asked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.line_reader import LineReader
from studybook.formats.netperf import layouts
from studybook.formats.raw import Head, RawFile

_TITLE = re.compile(
    r"(?:MIGRATED )?((?:TCP|UDP|SCTP|DCCP|STREAM|DG|OMNI)\b[\w /|-]{0,60}?) TEST\b"
    r"(?: from (\S+).*?)?(?: to (\S+)(?P<rest>.*))?$"
)
_INTERIM = re.compile(
    r"Interim result: +(\d{1,15}\.\d{1,9}) +(\S+) over (\d{1,9}\.\d{1,9}) seconds"
    r"(?: ending at (\d{9,10}\.\d{1,9}))?$"
)
_KEY = re.compile(r"([A-Z][A-Z0-9_]{2,60})=(.*)$")
_NUMBERS = re.compile(r"-?\d[\d.]*(?:\s+-?(?:\d[\d.]*|nan))*$")
_FAILED = re.compile(r"The test you requested \(.*\) is unknown to this netperf\.")
_CONFIDENCE = re.compile(r"!!! Confidence intervals: Throughput +: +(\d{1,9}\.\d{1,9})%$")
_ERROR = re.compile(
    r"(?:netperf|recv_response|send_data|establish_control|establish control|shutdown_control|"
    r"connect|send_tcp|send_udp|remote error|resolve|are you sure there is a netserver)\b.*",
    re.I,
)


_NO_SERVER = re.compile(r"establish control: are you sure there is a netserver listening on ")


#: Rows as ``-P 0`` leaves them: of streams, of transactions, and of datagrams; the second row of
#: the latter two tells of the other host.
_BARE = re.compile(
    r"\d+ +\d+ +\d+ {4,}\d+\.\d\d +\d+\.\d\d|\d+ +\d+( +\d+ +\d+ +\d+\.\d\d +\d+\.\d\d)?"
    r"|\d+ +\d+ +\d+\.\d\d +\d+ +\d+ +\d+\.\d\d|\d+ +\d+\.\d\d +\d+ +\d+\.\d\d",
    re.ASCII,
)


def _without_banner(head: Head) -> bool:
    """Whether there is nothing but rows of netperf's tables, and one with a time and a rate."""
    rows = head.printed
    return all(map(_BARE.fullmatch, rows)) and any(row.count(".") == 2 for row in rows)


def recognise(head: Head) -> bool:
    """Whether the file has a title of netperf, its keys, its refusal of a test, or bare rows."""
    if head.has(_TITLE, _FAILED, _NO_SERVER) or _without_banner(head):
        return True
    return {"THROUGHPUT", "THROUGHPUT_UNITS"} <= head.found(_KEY) or any(
        line.startswith("Throughput,Throughput Units,") for line in head.printed
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read every test of the file.

    Raises
    ------
    Refused
        If netperf ran no test at all, or nothing says which it was.
    """
    if _without_banner(raw.head):
        raise Refused(
            "has rows of numbers as netperf prints them without its banner (-P 0): they do not say"
            " which test it was, nor the unit of its rate",
            "run it again without -P 0, or as -t omni -- -k, which names each value; where the test"
            " is known, put the lines back on top that netperf prints above such rows (MIGRATED"
            " TCP_STREAM TEST from … and the headings)",
            line=1,
        )
    if _FAILED.match(raw.head.text.strip()) and not _TITLE.search(raw.head.text):
        raise Refused(
            "netperf did not know the test that it was asked for, and ran none",
            "run it again with a test that this netperf has (netperf -t)",
            line=1,
        )
    tested = any(_TITLE.match(line) or _KEY.match(line) for line in raw.head.lines)
    if not tested and any(map(_NO_SERVER.match, raw.head.lines)):
        raise Refused(
            "netperf did not reach its server, and ran no test",
            "start netserver on the other host, see that its port is open, and run it again",
            line=1,
        )
    _Reader(out).read(raw)


@dataclass
class _Reader(LineReader):
    test: dict[str, Any] = field(default_factory=dict)
    header: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    tests = 0
    rows = 0
    heading_ended = False
    first_key = ""

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if match := _TITLE.match(text):
            self._close()
            self.test = {"title": match[1], "local": match[2], "remote": match[3], "line": line}
            self.test.update(layouts.kind_of(match[1]))
        elif match := _INTERIM.match(text):
            self.interim(line, match)
        elif (match := _KEY.match(text)) and self.test.get("form") in (None, "omni keys"):
            self.key(line, match[1], match[2].strip())
        elif text.count(",") >= 1 and (kept := self.csv(line, text)) is not None:
            return kept
        elif self.test and text.startswith("!!!"):
            # The confidence that was asked for was not reached.
            self.test["confidence_reached"] = False
            if match := _CONFIDENCE.match(text):
                self.test["confidence_width_percent"] = float(match[1])
        elif self.test and _NUMBERS.match(text):
            return self.numbers(text.split()) or None
        elif self.test and "form" not in self.test and self.omni_row(text):
            pass
        elif self.test and layouts.is_heading(text):
            if self.heading_ended:
                self.header, self.heading_ended = [], False
            self.header.append(text)
            return False
        elif self.test and _ERROR.match(text):
            self.test.setdefault("error", text[:400])
        else:
            return None
        return True

    def interim(self, line: int, match: re.Match[str]) -> None:
        """Take a rate printed on the way (``-D``)."""
        rate, unit, seconds, ended = match.groups()
        self.out.record(
            "netperf_interim", test_no=self.tests, rate_printed=float(rate), unit=unit,
            duration_s=float(seconds), time_utc=layouts.instant(ended), line=line,
            **layouts.rate(float(rate), unit),
        )  # fmt: skip

    def key(self, line: int, name: str, value: str) -> None:
        """Take one KEY=VALUE of omni."""
        if not self.test or name == self.first_key:
            self._close()
            self.test = {"line": line}
        self.first_key = self.first_key or name
        self.test["form"] = "omni keys"
        self.value(line, name, value)

    def csv(self, line: int, text: str) -> bool | None:
        """Take the header or the values of omni's CSV."""
        cells = [cell.strip() for cell in text.split(",")]
        if any(cell in layouts.NAMES for cell in cells):
            if not self.test or self.columns or self.rows:
                self._close()
                self.test = {"line": line}
            self.columns = cells
            self.test["form"] = "omni CSV"
            return False
        if not self.columns or len(cells) != len(self.columns) or self.rows:
            return None
        self.rows = 1
        for name, cell in zip(self.columns, cells, strict=True):
            self.value(line, name, cell)
        return True

    def value(self, line: int, name: str, cell: str) -> None:
        """Record a value of omni under its own name, and where it has one, under ours."""
        number = layouts.number(cell)
        self.out.record(
            "netperf_value", test_no=self.tests, name=name[:100] or None, value=cell[:400],
            number=number, line=line,
        )  # fmt: skip
        column = layouts.NAMES.get(name)
        if column is None or column in self.test:
            return
        if column in layouts.TEXTS:
            self.test[column] = cell[:100]
        elif (measured := layouts.measured(column, number)) is not None:
            self.test[column] = measured

    def omni_row(self, text: str) -> bool:
        """Take the row of omni's table, if its columns are those that it has by default."""
        if layouts.words(self.header) != layouts.OMNI_HEADER:
            return False
        cells = text.split()
        numbers = [layouts.number(cell) for cell in cells[:-1]]
        if len(numbers) != len(layouts.OMNI_COLUMNS) or None in numbers:
            return False
        self.test["form"] = "omni table"
        self.test.update(layouts.cells(layouts.OMNI_COLUMNS, numbers), unit=cells[-1])
        self.rows = 1
        return True

    def numbers(self, cells: list[str]) -> bool:
        """Take a row of numbers of a classic table."""
        numbers = [layouts.number(cell) for cell in cells]
        found = layouts.classic(self.test, self.header, numbers, self.rows)
        if not found:
            return False
        self.test.update(found)
        self.test["form"] = "table"
        self.heading_ended = True
        self.rows += 1
        return True

    def _close(self) -> None:
        test, self.test = self.test, {}
        self.header, self.rows, self.columns, self.first_key = [], 0, [], ""
        self.heading_ended = False
        if not test:
            return
        printed = test.get("rate_printed")
        if printed is None:
            self.out.remark(test["line"], "this test of netperf has no result")
        else:
            test.update(layouts.rate(printed, test.get("unit") or ""))
        if test.get("confidence_reached") is False:
            self.out.remark(test["line"], "netperf did not reach the confidence it was asked for")
        test.update(layouts.kind_of_omni(test))
        self.out.record("netperf_test", test_no=self.tests, **test)
        self.tests += 1
