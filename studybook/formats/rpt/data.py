"""The data rows of a report: one per interval, with a cell per counter, most of them empty.

Rows are ragged (empty cells at the end are cut off) and sparse (a counter that has nothing
new has an empty cell). So blocks of rows are not read as a table: the cells that are not
empty are read as one column of numbers; where each stands follows from the places of
delimiters and line ends. A block with anything out of
the ordinary is halved until the part in question is small, and read row by row.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import LONGEST_LINE
from studybook.formats.rpt.header import Counter, cells_of

#: A part of a block that is not worth halving again.
_SMALL = 64 * 1024

#: Larger times (in ms: some 300 000 years) would not be exact.
_LARGEST_TIME = 2.0**53

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.A)

#: What Java prints for a number that is none.
_NO_NUMBER = frozenset({"NaN", "Infinity", "-Infinity"})

#: How a line starts that is no row but begins another report.
_OTHER_REPORT = ('"Performance Test Run"', "Performance Test Run", '"Time [', "Time [")

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass
class DataRows:
    """The rows of one report as they come in.

    Parameters
    ----------
    out : Reading
        Where rows and the account of lines go.
    report_no : int
        Number of the report in the file.
    first_counter : int
        Number of the counter in the second column.
    counters : sequence of Counter
        Those of the columns behind that of the time.
    delimiter : str
        What stands between the cells; unless it is a comma, numbers may have a decimal comma.
    mark : str
        The decimal mark that the rows have shown so far, where a comma may be one.
    """

    out: Reading
    report_no: int
    first_counter: int
    counters: Sequence[Counter]
    delimiter: str
    rows: int = 0
    last_ms: int = -1
    no_numbers: int = 0
    too_wide: int = 0
    mark: str = ""
    _no_number_line: int = field(default=0, repr=False)
    _falls: int = 0
    _first_fall: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        self.columns = len(self.counters) + 1
        counted = [each.statistic == "count" and each.period == "run" for each in self.counters]
        self._grows = np.array([False, *counted])
        self._counted = np.full(self.columns, -math.inf)

    def take(self, line: int, block: bytes) -> int:
        """Read rows up to the block's end or another report; return how many bytes they have."""
        if self._many(line, block):
            return len(block)
        middle = block.find(b"\n", len(block) // 2) + 1
        if len(block) <= _SMALL or middle in (0, len(block)):
            return self._one_by_one(line, block)
        done = self.take(line, block[:middle])
        if done < middle:
            return done
        return done + self.take(line + block.count(b"\n", 0, middle), block[middle:])

    def _many(self, line: int, block: bytes) -> bool:
        """Read all rows of a block at once; False, and nothing read, if one is not ordinary."""
        delimiter = self.delimiter.encode()
        mark = self._mark(block)
        if b'"' in block or mark is None:
            return False
        characters = np.frombuffer(block, np.uint8)
        if self.delimiter == ",":
            # One look at all characters instead of two: nothing that is up to a comma in their
            # table is in a plain number.
            ends = np.flatnonzero(characters <= ord(","))
        else:
            ends = np.flatnonzero((characters == ord(delimiter)) | (characters == ord("\n")))
        kinds = characters[ends]
        at_end = kinds == ord("\n")
        if not (at_end | (kinds == ord(delimiter))).all():
            return False
        last_cells = np.flatnonzero(at_end)
        if np.diff(ends[last_cells], prepend=-1).max() > LONGEST_LINE:
            return False  # cut off: the last number may not be whole
        cells = np.flatnonzero(np.diff(ends, prepend=-1) > 1)
        values = _numbers(block, self.delimiter, ends[cells] - cells)
        if values is None:
            return False
        first_cells = np.concatenate(([0], last_cells[:-1] + 1))
        row = np.repeat(np.arange(len(last_cells)), np.diff(last_cells, prepend=-1))[cells]
        column = cells - first_cells[row]
        at_time = column == 0
        times = values[at_time]
        if len(times) != len(last_cells) or column.max() >= self.columns:
            return False
        if not _are_times(times, self.last_ms):
            return False
        self.mark = mark
        rest = ~at_time
        lines = np.arange(line, line + len(times))
        self._keep(times.astype(np.int64), lines, row[rest], column[rest], values[rest])
        self.out.used(len(times))
        return True

    def _one_by_one(self, line: int, block: bytes) -> int:
        """Read row by row; stop where another report begins."""
        times: list[int] = []
        lines: list[int] = []
        row: list[int] = []
        column: list[int] = []
        values: list[float] = []
        last = self.last_ms
        done = 0
        for number, raw_text in enumerate(block.split(b"\n")[:-1], line):
            text = raw_text.decode()
            if text.lstrip("\ufeff").startswith(_OTHER_REPORT):
                break
            done += len(raw_text) + 1
            if not text.strip(' ,;\t"'):
                self.out.heading()
                continue
            cells = self._row(text)
            if cells is None or not _are_times(np.array(cells[:1]), last):
                self.out.unknown(number, text)
                continue
            last = int(cells[0])
            for place, value in enumerate(cells[1:], 1):
                if math.isfinite(value):
                    row.append(len(times))
                    column.append(place)
                    values.append(value)
                elif math.isinf(value):
                    self.no_numbers += 1
                    self._no_number_line = self._no_number_line or number
            times.append(last)
            lines.append(number)
            self.out.used()
        if times:
            self._keep(
                np.array(times), np.array(lines), np.array(row, np.int64),
                np.array(column, np.int64), np.array(values, np.float64),
            )  # fmt: skip
        return done

    def _row(self, text: str) -> list[float] | None:
        """The numbers of a row: nan for an empty cell, inf for NaN; None if there is a fault."""
        if len(text.encode()) >= LONGEST_LINE:
            return None
        numbers: list[float] = []
        for cell in cells_of(text, self.delimiter):
            word = cell.strip(" \t")
            if not word:
                numbers.append(math.nan)
            elif word in _NO_NUMBER:
                numbers.append(math.inf)
            else:
                number = self._number(word)
                if number is None:
                    return None
                numbers.append(number)
        if any(not math.isnan(number) for number in numbers[self.columns :]):
            self.too_wide += 1
            return None
        return numbers

    def _number(self, word: str) -> float | None:
        """Read a number as printed: a decimal comma only where no comma divides the cells."""
        mark = self._mark(word.encode())
        plain = word.replace(",", ".") if self.delimiter != "," else word
        number = float(plain) if _NUMBER.fullmatch(plain) else math.inf
        if mark is None or not math.isfinite(number):
            return None
        self.mark = mark
        return number

    def _mark(self, text: bytes) -> str | None:
        """The decimal mark of numbers and of the rows before; None if there are two.

        Where a comma is the decimal mark, a point may divide thousands.
        """
        if self.delimiter == ",":
            return self.mark
        marks = {mark for mark in ",." if mark.encode() in text} | set(self.mark)
        return "".join(marks) if len(marks) < 2 else None

    def _keep(
        self, times: Integers, lines: Integers, row: Integers, column: Integers, values: Floats
    ) -> None:
        """Hand rows over: their times, and their values with row and column of each."""
        before = np.concatenate(([max(self.last_ms, 0)], times[:-1]))
        known = np.arange(self.rows, self.rows + len(times)) > 0
        intervals = pa.array(times - before, mask=~known)
        self.out.block(
            "rpt_interval",
            pa.table(
                {
                    "report_no": pa.repeat(pa.scalar(self.report_no), len(times)),
                    "since_start_ms": times, "interval_ms": intervals, "line": lines,
                }
            ),
        )  # fmt: skip
        if len(values):
            self._look_for_falls(lines[row], column, values)
            self.out.block(
                "rpt_value",
                pa.table(
                    {
                        "counter_no": column + (self.first_counter - 1),
                        "value": values,
                        "line": lines[row],
                    }
                ),
            )
        self.rows += len(times)
        self.last_ms = int(times[-1])

    def _look_for_falls(self, lines: Integers, column: Integers, values: Floats) -> None:
        """Note where a count of the whole run falls: what stands there is of another column."""
        grows = np.flatnonzero(self._grows[column])
        # Of few bytes, so that they are put in order without a comparison.
        places = column[grows].astype(np.min_scalar_type(self.columns))
        order = grows[np.argsort(places, kind="stable")]
        column, values = column[order], values[order]
        first = np.diff(column, prepend=0) > 0
        before = np.concatenate(([0.0], values[:-1]))[: len(values)]
        falls = np.flatnonzero(values < np.where(first, self._counted[column], before))
        self._counted[column] = values  # of each column, the last one stays
        if len(falls):
            earliest = falls[lines[order[falls]].argmin()]
            if not self._falls:
                self._first_fall = int(lines[order[earliest]]), int(column[earliest])
            self._falls += len(falls)

    def close(self) -> None:
        """Say what was met and is no value, or may be that of another column.

        Raises
        ------
        Refused
            If most rows have more cells than the header: what fits by chance cannot be trusted.
        """
        if self.too_wide > 2 * self.rows + 5:
            raise Refused(
                f"{self.too_wide} rows have more cells than the header has columns: are its numbers"
                " printed with a decimal comma, and its cells divided by commas, too?",
                "export again with decimal points, or with semicolons between the cells",
            )
        if self._falls:
            line, column = self._first_fall
            fall = "a count" if self._falls == 1 else f"{self._falls} counts"
            self.out.remark(
                line,
                f"{fall} of the whole run below that of the row before, first in column"
                f" {column + 1}, {self.counters[column - 1].path}: where a delimiter is lost, the"
                " cells of a row are read as those of other columns; hold this row and those before"
                " against the export",
            )
        if self.no_numbers:
            self.out.remark(
                self._no_number_line,
                f"{self.no_numbers} cells from here on hold NaN or Infinity: they count as empty",
            )


def _numbers(block: bytes, delimiter: str, ends: Integers) -> Floats | None:
    """Read the numbers of a block; None if a cell holds none.

    ``ends`` says where each number ends when delimiters and line ends are taken out.
    """
    points = bytes.maketrans(b",", b"," if delimiter == "," else b".")
    text = block.translate(points, delimiter.encode() + b"\n")
    places = np.concatenate(([0], ends)).astype(np.int32)
    cells = pa.StringArray.from_buffers(len(ends), pa.py_buffer(places), pa.py_buffer(text))
    try:
        values: Floats = cells.cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        return None
    return values if np.isfinite(values).all() else None


def _are_times(times: Floats, last_ms: int) -> bool:
    """Whether these are whole milliseconds that increase, the first one above the last before."""
    return bool(
        np.isfinite(times).all()
        and (times == np.floor(times)).all()
        and times.max(initial=0) < _LARGEST_TIME
        and (np.diff(times, prepend=last_ms) > 0).all()
    )
