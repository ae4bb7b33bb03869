"""iozone: the table of rates, tests of several processes, and the report for Excel (``-R``).

Releases 3.408, 3.489 and 3.510 were seen. ``kB`` and ``KB`` are 1024 bytes (seen).
The table is cut by widths that depend on the release; a heading of other widths is not understood.
With ``-O`` its cells are operations per second, with ``-N`` microseconds per operation.

Of several processes the children's rate is the sum of each one's own, the parent's is by its own
clock and is lower. A least transfer below the file's size says that they did not all work all
the time.

Latencies by offset (``-Q``) stand in a file of their own; the binary spreadsheet (``-b``) is of
Excel 2.1 (seen). It is refused: ``-R`` prints the same values as text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading, tables
from studybook.formats.line_reader import LineReader
from studybook.formats.names import pairs
from studybook.formats.raw import Head, RawFile

_RATES = "rate_kib_s DOUBLE, operations_per_s DOUBLE, time_per_operation_us DOUBLE"

TABLES = tables(f"""
iozone_run: one call of iozone
    run_no BIGINT, version VARCHAR, began_local TIMESTAMP, command VARCHAR, measures VARCHAR,
    inaccurate_to_kib BIGINT, options VARCHAR, status VARCHAR, error VARCHAR, line BIGINT

iozone_rate: one cell of the table: a test with one size of file and of records
    run_no BIGINT, file_size_kib BIGINT, record_size_kib BIGINT, test VARCHAR, {_RATES}, line BIGINT

iozone_throughput: one test by several processes at once (-t, -l and -u)
    run_no BIGINT, processes BIGINT, test VARCHAR, file_size_kib BIGINT, record_size_kib BIGINT,
    children_kib_s DOUBLE, parent_kib_s DOUBLE, min_kib_s DOUBLE, max_kib_s DOUBLE, mean_kib_s
    DOUBLE, min_transfer_kib DOUBLE, line BIGINT

iozone_report: one value of the report for Excel (-R), which repeats those of the tables
    run_no BIGINT, test VARCHAR, file_size_kib BIGINT, record_size_kib BIGINT, processes BIGINT,
    {_RATES}, line BIGINT

iozone_offset: one transfer: how long it took, by its place in the file
    pass_no BIGINT, offset_kib BIGINT, latency_us DOUBLE, transfer_bytes BIGINT, line BIGINT
""")

#: Tests in the order of the table's columns.
TESTS = (
    "write", "rewrite", "read", "reread", "random read", "random write", "backward read",
    "record rewrite", "stride read", "fwrite", "refwrite", "fread", "refread",
)  # fmt: skip

#: Where columns end, by the start of the heading's second line. Numbers run together where they
#: are wide, and tests that were not chosen leave blanks: rows cannot be split at blanks.
CUTS = {
    "KB  reclen   write rewrite    read    reread":
        (16, 24, 32, 40, 49, 58, 66, 74, 82, 91, 100, 109, 118, 126, 135),
    "kB  reclen    write  rewrite    read    reread":
        (16, 24, 33, 42, 51, 60, 69, 78, 87, 97, 107, 116, 125, 134, 143),
    "kB  reclen    write    rewrite      read    reread":
        (16, 24, 34, 44, 54, 64, 74, 84, 94, 105, 116, 126, 136, 146, 156),
}  # fmt: skip

#: Blanks in front of that line in all releases: what is more was put in front of the whole table.
HEADING_BEGINS = 14

#: Tests of several processes, and reports for Excel, by the names of the table's columns.
NAMES = pairs("""
    initial writers=write; rewriters=rewrite; readers=read; re-readers=reread;
    reverse readers=backward read; stride readers=stride read; random readers=random read;
    mixed workload=mixed workload; random writers=random write; pwrite writers=pwrite;
    pread readers=pread; fwriters=fwrite; freaders=fread; Writer report=write;
    Re-writer report=rewrite; Reader report=read; Re-Reader report=reread;
    Random read report=random read; Random write report=random write;
    Backward read report=backward read; Record rewrite report=record rewrite;
    Stride read report=stride read; Fwrite report=fwrite; Re-Fwrite report=refwrite;
    Fread report=fread; Re-Fread report=refread; Initial write=write; Rewrite=rewrite; Read=read;
    Re-read=reread; Reverse Read=backward read; Stride read=stride read; Random read=random read;
    Mixed workload=mixed workload; Random write=random write; Pwrite=pwrite; Pread=pread;
    Fwrite=fwrite; Fread=fread
""")

_COLUMN = {"rate": "rate_kib_s", "operations": "operations_per_s", "time": "time_per_operation_us"}


def measured(value: float, measures: str) -> dict[str, Any]:
    """A value under the column of what the run measures."""
    return {_COLUMN[measures]: value}


def cells(text: str, cuts: tuple[int, ...]) -> list[int | None] | None:
    """The numbers of a row, by the places where its columns end; None if it is no row."""
    found: list[int | None] = []
    start = 0
    for end in cuts:
        cell = text[start:end].strip()
        if cell and not (cell.isascii() and cell.isdigit() and text[start:end].endswith(cell[-1])):
            return None
        if len(cell) > 15:
            return None
        found.append(int(cell) if cell else None)
        start = end
    if text[start:].strip() or found[0] is None or found[1] is None:
        return None
    return found


TITLE = "Iozone: Performance Test of File I/O"

_N = r"(\d{1,15}(?:\.\d{1,3})?)"
_VERSION = re.compile(r"Version \$Revision: (\S{1,20}) \$$")
_BEGAN = re.compile(r"Run began: (\w{3} \w{3} +\d{1,2} \d\d:\d\d:\d\d \d{4})$")
_PROCESSES = re.compile(r"Throughput test with \d{1,9} (?:process|thread)(?:es|s)?$")
_SIZES = re.compile(
    r"Each (?:process|thread) writes a (\d{1,15}) [kK]Byte file in (\d{1,15}) [kK]Byte records$"
)
_CHILDREN = re.compile(
    rf"Children see throughput for +(\d{{1,9}}) ([a-z -]+?)\s+= +{_N} [kK]B/sec$"
)
_DETAILS = {
    "parent_kib_s": re.compile(
        rf"Parent sees throughput for +\d{{1,9}} [a-z -]+?\s+= +{_N} [kK]B/sec$"
    ),
    "min_kib_s": re.compile(rf"Min throughput per (?:process|thread)\s+= +{_N} [kK]B/sec$"),
    "max_kib_s": re.compile(rf"Max throughput per (?:process|thread)\s+= +{_N} [kK]B/sec$"),
    "mean_kib_s": re.compile(rf"Avg throughput per (?:process|thread)\s+= +{_N} [kK]B/sec$"),
    "min_transfer_kib": re.compile(rf"Min xfer\s+= +{_N} [kK]B$"),
}
_LIKE_A_RESULT = re.compile(r"(?:Children|Parent|Min|Max|Avg) .{1,80}= +[\d.]{1,30} \S{1,20}$")
_INACCURATE = re.compile(r"reported inaccurate results\. Sizes (\d{1,9}) [kK]Bytes and below\.$")
_REPORT_SIZES = re.compile(r'(?:"\d{1,15}" *)+$')
_REPORT_ROW = re.compile(r'"(\d{1,15})" +(\d[\d. ]*)$')
_REPORT_TEST = re.compile(r'" *([A-Z][A-Za-z -]+?) *" +(\d[\d. ]*)$')
_ERROR = re.compile(
    r"Error (?:writing|reading|in) .*|Can not open .*|[\w./-]+: (?:No such file|No space left|"
    r"Permission denied|Input/output error|Read-only).*|iozone: interrupted|exiting iozone"
)
_NOTES = re.compile(
    r"Timer resolution is poor\. .*|Excel output is below:|Output is in [kK][bB]ytes/sec|"
    r'"(?:Throughput report .*|Record size = .*|Output is in .*)"|random +random +bkwd.*'
)


def recognise(head: Head) -> bool:
    """Whether iozone's title is in the file."""
    return TITLE in head.printed


def read(raw: RawFile, out: Reading) -> None:
    """Read every call of the file."""
    _Reader(out).read(raw, longest=4_000)


@dataclass
class _Reader(LineReader):
    run: dict[str, Any] = field(default_factory=dict)
    runs = 0

    def __post_init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget what belongs to the last call."""
        self.options: list[str] = []
        self.cuts: tuple[int, ...] = ()
        self.indent, self.shift = "", 0
        self.group: dict[str, Any] = {}
        self.sizes: dict[str, int] = {}
        self.counts: list[int] = []
        self.report = ""
        self.columns: list[int] = []
        self.in_head = False

    def _take(self, line: int, text: str) -> bool | None:
        text = text.rstrip()
        words = text.strip()
        if not words:
            return False
        if words == TITLE:
            self._close()
            self.run = {"line": line, "measures": "rate"}
            self.in_head = True
            # Where all is indented, as in a report, so is the title, which has a tab of its own.
            self.indent = text.removesuffix(f"\t{TITLE}") if text.endswith(f"\t{TITLE}") else ""
            return True
        if not self.run:
            return None
        if self.result(line, text, words):
            return True
        if _LIKE_A_RESULT.match(words):
            return None  # in a unit that is not known: neither a setting nor a part of the head
        if self.setting(line, text, words):
            return True
        if words.strip('"') in NAMES:
            self.report, self.columns = words.strip('"'), []
            return False
        return False if self.heading(text, words) or self.in_head or _NOTES.match(words) else None

    def heading(self, text: str, words: str) -> bool:
        """Take the second line of the table's heading: it says where columns end."""
        for start, cuts in CUTS.items():
            if words.startswith(start):
                self.cuts, self.in_head = cuts, False
                self.shift = max(0, len(text) - len(words) - HEADING_BEGINS)
                return True
        return False

    def setting(self, line: int, text: str, words: str) -> bool:
        """Take a line about the call itself."""
        if match := _VERSION.match(words):
            self.run["version"] = match[1]
        elif match := _BEGAN.match(words):
            self.run["began_local"] = _instant(match[1])
            self.in_head = False
        elif words.startswith("Command line used: "):
            self.run["command"] = words.partition(": ")[2]
        elif words.startswith("OPS Mode."):
            self.run["measures"] = "operations"
        elif words.startswith("Microseconds/op Mode."):
            self.run["measures"] = "time"
        elif _PROCESSES.match(words):
            self.options.append(words)
        elif match := _SIZES.match(words):
            self.sizes = {"file_size_kib": int(match[1]), "record_size_kib": int(match[2])}
        elif match := _INACCURATE.match(words):
            self.run["inaccurate_to_kib"] = int(match[1])
            self.out.remark(line, f"iozone calls its results inaccurate up to {match[1]} KiB")
        elif words == "iozone test complete.":
            self.run["status"] = "complete"
        elif _ERROR.match(words):
            mark = words.endswith("interrupted") or words.startswith("exiting")
            self.run.setdefault("status", "aborted")
            if not mark:
                self.run["status"] = "failed"
                self.run.setdefault("error", words[:400])
        elif (
            not self.in_head
            and not self.cuts
            and not self.counts
            and re.match(r"\t[A-Z]", text.removeprefix(self.indent))
        ):
            if _NOTES.match(words):
                return False
            self.options.append(words[:200])
        else:
            return False
        return True

    def result(self, line: int, text: str, words: str) -> bool:
        """Take a row of a table or a line of a test of several processes."""
        if self.cuts and not text[: self.shift].strip() and (
            found := cells(text[self.shift :], self.cuts)
        ):  # fmt: skip
            self.row(line, found)
        elif match := _CHILDREN.match(words):
            self.end_group()
            processes = int(match[1])
            if processes not in self.counts:
                self.counts.append(processes)
            self.group = {
                "processes": processes, "test": NAMES.get(match[2], match[2]),
                "children_kib_s": float(match[3]), "line": line, **self.sizes,
            }  # fmt: skip
        elif self.group and self.detail(words):
            pass
        elif self.report and _REPORT_SIZES.match(words):
            self.columns = [int(cell) for cell in re.findall(r"\d+", words)]
        elif self.report and (match := _REPORT_ROW.match(words)):
            rates = match[2].split()
            return len(rates) <= len(self.columns) and self.report_row(line, int(match[1]), rates)
        elif (match := _REPORT_TEST.match(words)) and match[1] in NAMES:
            return self.report_test(line, match[1], match[2].split())
        else:
            return False
        return True

    def row(self, line: int, found: list[int | None]) -> None:
        """Record the cells of a row."""
        for test, value in zip(TESTS, found[2:], strict=True):
            if value is not None:
                self.out.record(
                    "iozone_rate", run_no=self.runs, file_size_kib=found[0],
                    record_size_kib=found[1], test=test, line=line,
                    **measured(float(value), self.run["measures"]),
                )  # fmt: skip

    def detail(self, words: str) -> bool:
        """Take a rate of the current test of several processes."""
        for column, pattern in _DETAILS.items():
            if (match := pattern.match(words)) and column not in self.group:
                self.group[column] = float(match[1])
                return True
        return False

    def report_row(self, line: int, file_size: int, rates: list[str]) -> bool:
        """Record a row of a report for Excel: a size of file, and a rate per size of records."""
        values = [_number(rate) for rate in rates]
        if None in values:
            return False
        for record_size, value in zip(self.columns, values, strict=False):
            self.out.record(
                "iozone_report", run_no=self.runs, test=NAMES[self.report], file_size_kib=file_size,
                record_size_kib=record_size, line=line,
                **measured(value or 0.0, self.run["measures"]),
            )  # fmt: skip
        return True

    def report_test(self, line: int, name: str, rates: list[str]) -> bool:
        """Record a test of the report on several processes: a rate per number of them."""
        values = [_number(rate) for rate in rates]
        if None in values or len(values) > len(self.counts):
            return False
        for processes, value in zip(self.counts, values, strict=False):
            self.out.record(
                "iozone_report", run_no=self.runs, test=NAMES[name], processes=processes, line=line,
                **self.sizes, **measured(value or 0.0, self.run["measures"]),
            )  # fmt: skip
        return True

    def end_group(self) -> None:
        """Record the current test of several processes."""
        group, self.group = self.group, {}
        if not group:
            return
        if group.get("min_transfer_kib", group.get("file_size_kib", 0)) < group.get(
            "file_size_kib", 0
        ):
            self.out.remark(
                group["line"], f"{group['test']}: the processes did not all work all the time"
            )
        self.out.record("iozone_throughput", run_no=self.runs, **group)

    def _close(self) -> None:
        self.end_group()
        run, self.run = self.run, {}
        # The list is whole where something stands behind it.
        whole = self.options and (self.cuts or self.counts or run.get("status"))
        options = json.dumps(self.options) if whole else None
        self.reset()
        if not run:
            return
        run.setdefault("status", "aborted")
        if run["status"] != "complete":
            self.out.remark(run["line"], f"this call of iozone is {run['status']}")
        self.out.record("iozone_run", run_no=self.runs, options=options, **run)
        self.runs += 1


def _number(cell: str) -> float | None:
    return float(cell) if re.fullmatch(_N, cell, re.ASCII) else None


def _instant(text: str) -> datetime | None:
    try:
        return datetime.strptime(" ".join(text.split()), "%a %b %d %H:%M:%S %Y")
    except ValueError:
        return None


_OFFSETS = re.compile(r"Offset in [kK]Bytes\s+Latency in microseconds\s+Transfer size in bytes$")
_OFFSET = re.compile(r"(\d{1,15})\s+(\d{1,15}(?:\.\d{1,6})?)\s+(\d{1,15})$", re.ASCII)
_TIME = re.compile(r"System time +[\d.]+ User time +[\d.]+ Real +[\d.]+ +\(seconds\)$")

#: A record of the beginning of a sheet, then a cell of text.
_SHEET = b"\x09\x00\x04\x00"


def recognise_offsets(head: Head) -> bool:
    """Whether the file begins with the heading of latencies by offset."""
    first = head.first.strip()
    return _OFFSETS.match(first) is not None


def read_offsets(raw: RawFile, out: Reading) -> None:
    """Read every pass over the file; each begins with a heading."""
    passes = 0
    for line, text in raw.lines():
        words = text.strip()
        if _OFFSETS.match(words):
            passes += 1
            out.heading()
        elif not words or _TIME.match(words):
            out.heading()
        elif passes and (match := _OFFSET.match(words)):
            out.record(
                "iozone_offset", pass_no=passes - 1, offset_kib=int(match[1]),
                latency_us=float(match[2]), transfer_bytes=int(match[3]), line=line,
            )  # fmt: skip
            out.used()
        else:
            out.unknown(line, text)


def recognise_sheet(head: Head) -> bool:
    """Whether the file is a sheet of Excel 2.1 that names iozone in its first cells."""
    return head.data.startswith(_SHEET) and b"iozone" in head.data[:400]


def refuse_sheet(raw: RawFile, out: Reading) -> None:
    """Refuse the spreadsheet, always."""
    raise Refused(
        "is the binary spreadsheet of iozone -b",
        "export what iozone printed: with -R it holds the same values as text",
    )
