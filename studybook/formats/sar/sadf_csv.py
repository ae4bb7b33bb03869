"""``sadf -d``: one table per activity, with semicolons between the values.

A heading ``# hostname;interval;timestamp;...`` stands in front of each activity, and again after
each restart of the host. Restarts and comments are rows of four fields with an interval of -1.
Whole stretches of rows are read at once as long as they are regular, the others one by one.
Commas or tabs that were put in the place of the semicolons, and quotes of a spreadsheet, are
taken back first.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import Head, RawFile
from studybook.formats.sar.sadf_cells import (
    STAMP,
    Names,
    Stamp,
    adds_up,
    are_numbers,
    common_columns,
    layout_for,
    number,
    read_table,
    stamp,
)
from studybook.formats.sar.sadf_export import INTERRUPT, Export
from studybook.formats.sar.sadf_headless import ONE_VALUE, is_strange, kinds_of, names_of

#: Fewer bytes than this are read row by row: that is faster.
_FEW_BYTES = 4096
#: As many rows alike, and unlike those of releases without headings, are no damage.
_MANY_STRANGE = 5

_HEADING = re.compile(r"#\s?hostname;interval;timestamp;(\S.*)", re.ASCII)
_CHANGED = re.compile(r'("?)# ?hostname\1([,;\t])\1interval\1\2\1timestamp\1\2', re.ASCII)
#: Numbers with a decimal comma between commas, and one with a point, which tells that they are not.
_COMMAS, _POINT = re.compile(r"(?:,\d{1,20},\d\d\b){3}", re.ASCII), re.compile(r",\d{1,20}\.\d")
_ROW = re.compile(rf"[^;\s#]+;-?\d{{1,9}};{STAMP};.", re.ASCII)
_MATRIX = ("INTR", "CPU*")

#: Outputs of sadf that are no exports of measured values: how they begin, and what they are.
_NOT_MEASURED = (
    (re.compile(r"System activity data file: "), "a description of a file (sadf -H)"),
    (re.compile(r"PCP support not compiled in"), "the error of an export for PCP (sadf -l)"),
    (re.compile(r"\d\d:\d\d:\d\d(?: \S+)?; \w+; "), "raw counters (sadf -r)"),
)
_DO = "export the values themselves: sadf -d FILE -- -A > FILE.csv"


def recognise(head: Head) -> bool:
    """Whether the file starts as ``sadf -d`` does, or is another output of sadf to refuse."""
    text = head.text.lstrip()
    first = text.split("\n", 1)[0]
    return bool(
        _HEADING.match(first)
        or _CHANGED.match(first)
        or (_ROW.match(first) and "\t" not in first.split("LINUX-RESTART")[0])
        or any(pattern.match(text) for pattern, _ in _NOT_MEASURED)
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read the export.

    Raises
    ------
    Refused
        If it has several activities in one row (``-h``), if its headings were taken off, or if
        it has no measured values.
    """
    for pattern, what in _NOT_MEASURED:
        if pattern.match(raw.head.text.lstrip()):
            raise Refused(f"is {what} and has no measured values", _DO, line=1)
    reader = _Reader(out)
    changed = _CHANGED.match(raw.head.text.lstrip())
    quote, delimiter = changed.groups() if changed else ("", ";")
    commas = delimiter == "," and not quote and _COMMAS.search(raw.head.text)
    if commas and not _POINT.search(raw.head.text):
        raise Refused(
            "has commas between the values, and in the numbers, too",
            "export again, and leave the semicolons: LC_ALL=C sadf -d FILE -- -A > FILE.csv",
        )
    if quote or delimiter != ";":
        out.repaired(1, f"cells that are divided by {delimiter!r}{' and in quotes' * bool(quote)}")
    for first, block in raw.blocks():
        if quote:
            block = block.replace(b'"', b"")
        if delimiter != ";":
            block = block.replace(delimiter.encode(), b";")
        reader.take(first, block)
    reader.export.finish()


class _Reader:
    def __init__(self, out: Reading) -> None:
        self.out = out
        self.export = Export(out)
        self.names: Names = ()
        self.headless = True
        self.kinds: Counter[str] = Counter()
        self.cpus: list[str] = []
        self.remarked: set[str] = set()

    def take(self, line: int, block: bytes) -> None:
        """Read whole lines: headings, and the rows below each."""
        place = 0
        while place < len(block):
            if block.startswith(b"#", place):
                end = block.index(b"\n", place) + 1
                self.heading(line, block[place:end].decode().rstrip())
                lines = 1
            else:
                end = block.find(b"\n#", place) + 1 or len(block)
                lines = self.stretch(line, block[place:end])
            place, line = end, line + lines

    def heading(self, line: int, text: str) -> None:
        match = _HEADING.fullmatch(text)
        if not match:
            self.out.unknown(line, text)
            return
        # Release 8.1.2 has " [...]" after the columns of serial lines, which are no table.
        names = match[1].removesuffix(" [...]")
        if "[...]" in names:
            raise Refused(
                "has all activities in one row and a heading that leaves columns out (sadf -h)",
                "export again without -h: sadf -d FILE -- -A > FILE.csv",
                line=line,
            )
        self.names = tuple(names.split(";"))
        self.headless, self.cpus = False, []
        self.out.heading()
        if self.export.report_no >= 0:
            self.count_heading(line)

    def count_heading(self, line: int) -> None:
        self.export.heading(INTERRUPT if self.names == _MATRIX else self.names, line)

    def stretch(self, line: int, rows: bytes) -> int:
        """Read rows of one activity, with restarts and comments between them."""
        lines = rows.count(b"\n")
        whole = not self.headless and len(rows) >= _FEW_BYTES
        if not whole:
            self.rows(line, rows)
            return lines
        place = 0
        for at in [*_marks(rows), len(rows)]:
            start = max(rows.rfind(b"\n", place, at) + 1, place)
            part = rows[place:start]
            if len(part) < _FEW_BYTES or not self.columns(line, part):
                self.rows(line, part)
            place = rows.find(b"\n", at) + 1 or len(rows)
            self.rows(line + part.count(b"\n"), rows[start:place])
            line += rows.count(b"\n", start, place) + part.count(b"\n")
        return lines

    # --- row by row ---------------------------------------------------------------------

    def rows(self, line: int, rows: bytes) -> None:
        for number_, text in enumerate(rows.decode().split("\n")[:-1], line):
            if not text.strip():
                self.out.heading()
            elif self.row(number_, text):
                self.out.used()
            else:
                self.out.unknown(number_, text)

    def row(self, line: int, text: str) -> bool:
        fields = text.split(";")
        when = stamp(fields[2]) if len(fields) > 3 else None
        if when is None or not fields[0] or not re.fullmatch(r"-?\d{1,9}", fields[1], re.ASCII):
            return False
        self.host(fields[0], line)
        if fields[1] == "-1":
            return self.export.mark(when, line, ";".join(fields[3:]).rstrip())
        names, values = self.names, fields[3:]
        if self.headless:
            names = self.told_by_kinds(kinds_of(values), line)
            self.out.certainty = "inferred"
            self.remark_once(
                line, "no headings: columns told by their number and kind, as in releases up to"
                " 7.0; releases of which that is not true print rxkB/s in place of rxbyt/s",
            )  # fmt: skip
        seconds = float(fields[1])
        if names == _MATRIX:
            return self.interrupt(values, when, seconds, line)
        values = _without_repeats(names, values)
        if len(values) != len(names) or not values:
            return False
        return self.export.row(names, values, when, seconds, line)

    def told_by_kinds(self, kinds: str, line: int) -> Names:
        """Tell the columns of a row without a heading.

        Raises
        ------
        Refused
            If the headings were taken off: the columns of later releases cannot be told.
        """
        self.kinds[kinds] += 1
        if is_strange(kinds) and self.kinds[kinds] >= _MANY_STRANGE:
            raise Refused(
                "has no headings, and rows that releases without headings (up to 7.0) do not"
                " print: what their columns are cannot be told",
                "export again, and leave the lines in that begin with '#': sadf -d FILE -- -A",
                line=line,
            )
        return names_of(kinds, old=ONE_VALUE in self.kinds)

    def host(self, host: str, line: int) -> None:
        if self.export.of_host(host, line) and not self.headless:
            self.count_heading(line)

    def interrupt(self, values: list[str], when: Stamp, seconds: float, line: int) -> bool:
        """Read a row of the matrix of interrupts: one value for each processor."""
        try:
            cells = [number(cell) or 0.0 for cell in values[1:]]
        except ValueError:
            return False
        if not cells:
            return False
        cpus = self.processors(cells, line)
        if len(cpus) != len(cells) or (cpus[0] == "all" and not adds_up(np.array([cells])).all()):
            return False
        return all(
            self.export.row(INTERRUPT, (values[0], cpu, cell), when, seconds, line)
            for cpu, cell in zip(cpus, values[1:], strict=True)
        )

    def processors(self, first: list[float], line: int) -> list[str]:
        """Whose the columns under ``CPU*`` are, told by the first row, which is their sum."""
        if self.cpus or not first:
            return self.cpus
        width = len(first)
        if adds_up(np.array([first])).all():
            self.cpus = ["all", *(str(cpu) for cpu in range(width - 1))]
        else:
            self.cpus = [f"column {place}" for place in range(1, width + 1)]
            self.remark_once(
                line, "the columns under CPU* are of chosen processors (-P), which are not named:"
                " numbered in their order",
            )  # fmt: skip
        if width == 1:
            self.remark_once(
                line, "the one column under CPU* is taken as all processors; an export of one"
                " processor's interrupts (-P) looks the same",
            )  # fmt: skip
        return self.cpus

    def remark_once(self, line: int, text: str) -> None:
        if text not in self.remarked:
            self.remarked.add(text)
            self.out.remark(line, text)

    # --- whole columns ------------------------------------------------------------------

    def columns(self, line: int, rows: bytes) -> bool:
        """Read a stretch of regular rows; False, with nothing kept, if they are not."""
        first = rows[: rows.index(b"\n")].decode().split(";")
        names = list(self.names)
        matrix = self.names == _MATRIX
        if matrix:
            names = ["INTR", *(f"value {place}" for place in range(len(first) - 4))]
        layout = layout_for(("INTR", "intr/s") if matrix else self.names)
        if layout is None or len(first) != len(names) + 3 or b"\n\n" in rows:
            return False
        table = read_table(rows, names, layout, matrix=matrix)
        if table is None or table.num_rows != rows.count(b"\n"):
            return False
        common = common_columns(table, line)
        hosts = table["hostname"].unique().to_pylist()
        if common is None or len(hosts) != 1 or not hosts[0]:
            return False
        self.host(hosts[0], line)
        if matrix:
            return self.matrix(line, table, names, common)
        cells = {place: table[names[place]] for place, _ in layout.columns}
        if not all(are_numbers(cells[place]) for place, each in layout.columns if not each.text):
            return False
        if layout.item is not None:
            cells[layout.item] = table[names[layout.item]]
            if not _all_filled(cells[layout.item]):
                return False
        self.out.used(self.export.block(self.names, layout, common, cells, line))
        return True

    def matrix(self, line: int, table: pa.Table, names: list[str], common: dict[str, Any]) -> bool:
        """Read the matrix of interrupts: a row for each value of a row."""
        layout = layout_for(INTERRUPT)
        cells = [table[name] for name in names[1:]]
        if layout is None or not cells or not all(map(are_numbers, cells)):
            return False
        if not _all_filled(table["INTR"]):
            return False
        values = np.stack([each.to_numpy() for each in cells], axis=1)
        cpus = self.processors(list(np.nan_to_num(values[0])), line)
        if len(cpus) != len(cells) or (cpus[0] == "all" and not adds_up(values).all()):
            return False
        at = pa.array(np.repeat(np.arange(table.num_rows), len(cells)))
        rows = {name: pc.take(column, at) for name, column in common.items()}
        items = pc.take(table["INTR"], at)
        each = {0: items, 1: pa.array(cpus * table.num_rows), 2: pa.array(values.ravel())}
        self.export.block(INTERRUPT, layout, rows, each, line)
        self.out.used(table.num_rows)
        return True


def _marks(rows: bytes) -> list[int]:
    """Where restarts and comments stand, one place in each of their lines."""
    places = []
    for mark in (b"LINUX-RESTART", b";COM "):
        at = rows.find(mark)
        while at >= 0:
            places.append(at)
            at = rows.find(mark, rows.find(b"\n", at))
    return sorted(places)


def _without_repeats(names: Names, values: list[str]) -> list[str]:
    """Serial lines: up to release 11.6 their number stands in front of each value."""
    if names[:1] == ("TTY",) and len(values) == 2 * (len(names) - 1) and len(set(values[::2])) == 1:
        return [values[0], *values[1::2]]
    return values


def _all_filled(items: pa.ChunkedArray) -> bool:
    """Whether each row says of what it is."""
    return items.null_count == 0 and not pc.any(pc.equal(items, "")).as_py()
