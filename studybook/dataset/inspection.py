"""Looking at a raw file without loading it: what it is, and the records in it."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from studybook import formats
from studybook.dataset.counted_requests import CountedRequests
from studybook.errors import StudyBookError
from studybook.formats import Hints, Sink
from studybook.statistics.executions import said

FileType = Literal["parquet", "csv"]

#: Columns in which formats name the hosts that they speak of.
HOST_COLUMNS = ("host", "machine", "node", "daemon_node", "hostname")

#: Ends of the names of time columns by which their clocks are told, the best first.
_CLOCKS = {"utc": "UTC", "local": "the host's clock"}
_BEST_CLOCKS = ("UTC", "the host's clock", "as printed", "")


#: Intervals of which the ends and the lengths are told apart: memory must not grow with a file.
_MOST_INTERVALS = 100_000


class _Intervals:
    """When intervals end, and how long they are, of one kind of record."""

    def __init__(self) -> None:
        self.ends: set[datetime] = set()
        self.lengths: Counter[float] = Counter()

    def see(self, rows: pa.Table) -> None:
        """Take in a batch of records."""
        if "interval_s" not in rows.column_names or len(self.ends) >= _MOST_INTERVALS:
            return
        for name in ("time_utc", "time_local"):
            if name in rows.column_names and rows[name].null_count < len(rows):
                self.ends.update(pc.unique(rows[name].drop_null()).to_pylist())
                break
        for pair in pc.value_counts(rows["interval_s"].drop_null()).to_pylist():
            if pair["values"] > 0:  # a second sample in the same second has none
                self.lengths[round(pair["values"], 1)] += pair["counts"]

    @property
    def usual_s(self) -> float | None:
        """The most frequent length, in seconds."""
        return max(self.lengths, key=lambda each: (self.lengths[each], each), default=None)


@dataclass
class Inspection:
    """The contents of a raw file.

    Attributes
    ----------
    path, format, title : str
        The file, and what it is.
    encoding : str
        How its text is written.
    certainty : str
        What the layout rests on: seen in real files, documented, inferred, from memory.
    lines, lines_in_records, lines_in_headings, lines_not_understood : int
        The account of its lines; the last three sum to the first.
    not_understood, remarks, repairs : list
        Line number and text: the first ten lines not understood; what the reader had to say;
        what it put right.
    unlike : dict of int to str
        How lines that were not understood differ from lines near them.
    rows : dict
        Number of rows by table.
    first_rows : dict
        The first rows of each table, without the columns that are empty in all of them.
    hosts : list of str
        Hosts that the records name; not RPT's name for all of them together.
    first_time, last_time : datetime or None
        Span of the times in the records.
    clock : str
        What clock these are of: UTC, the host's, or as printed, where the file does not say.
    samples : int
        Moments at which intervals end, of the kind of record that has the most; at most 100,000.
    interval_s : float or None
        The most frequent length of these intervals, in seconds.
    processors : list of int
        How many processors the file says that a host has.
    restarts : int
        Restarts of a host or a tool that it tells of.
    executions : str
        How many executions of a load it holds, and when, if it is not one.
    """

    path: str
    format: str
    title: str
    encoding: str
    certainty: str = "seen"
    lines: int = 0
    lines_in_records: int = 0
    lines_in_headings: int = 0
    lines_not_understood: int = 0
    not_understood: list[tuple[int, str]] = field(default_factory=list)
    unlike: dict[int, str] = field(default_factory=dict)
    remarks: list[tuple[int, str]] = field(default_factory=list)
    repairs: list[tuple[int, str]] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    first_rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    hosts: list[str] = field(default_factory=list)
    first_time: datetime | None = None
    last_time: datetime | None = None
    clock: str = ""
    samples: int = 0
    interval_s: float | None = None
    processors: list[int] = field(default_factory=list)
    restarts: int = 0
    executions: str = ""

    def see(self, table: str, rows: pa.Table, keep: int) -> None:
        """Take in a batch of records."""
        first = self.first_rows.setdefault(table, [])
        first += rows.slice(0, max(0, keep - len(first))).to_pylist()
        for column, kind in zip(rows.column_names, rows.schema.types, strict=True):
            if pa.types.is_timestamp(kind) and rows[column].null_count < len(rows):
                self._see_times(_CLOCKS.get(column.rpartition("_")[2], "as printed"), rows[column])
            if column in HOST_COLUMNS:
                names = {str(name) for name in pc.unique(rows[column]).to_pylist() if name}
                of_all = {name for name in names if name.replace("_", " ").lower() == "all hosts"}
                self.hosts = sorted({*self.hosts, *names} - of_all)
            if column == "cpus" and table.endswith("_report"):
                numbers = {number for number in rows[column].to_pylist() if number}
                self.processors = sorted({*self.processors, *numbers})
        if table.endswith("_mark"):
            self.restarts += pc.sum(pc.equal(rows["kind"], "restart")).as_py() or 0

    def _see_times(self, clock: str, times: pa.ChunkedArray) -> None:
        """Take in times; those of the clock that says most are kept."""
        if _BEST_CLOCKS.index(clock) > _BEST_CLOCKS.index(self.clock):
            return
        if clock != self.clock:
            self.clock, self.first_time, self.last_time = clock, None, None
        bounds = pc.min_max(times).as_py()
        self.first_time = min(filter(None, (self.first_time, bounds["min"])))
        self.last_time = max(filter(None, (self.last_time, bounds["max"])))


def inspect_file(
    path: Path,
    *,
    keep: int = 3,
    to: Path | None = None,
    file_type: FileType = "parquet",
    name: str = "",
    hints: Hints | None = None,
    also: Sink = lambda _table, _rows: None,
) -> Inspection:
    """Read a raw file and say what it holds.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    keep : int
        How many first rows of each table to keep.
    to : pathlib.Path, optional
        A folder into which the records are written: ``<file>.<table>.parquet`` or ``.csv``.
    file_type : {"parquet", "csv"}
        How they are written.
    name : str, optional
        What the names of the written files begin with; the file's name by default.
    hints : Hints, optional
        What the file leaves open, such as the order of day and month, or which columns of a table
        are metrics.
    also : callable, optional
        Handed each batch of records, too, with the name of its table.

    Returns
    -------
    Inspection
        The account; memory does not grow with the file.

    Raises
    ------
    Refused
        If the file is of no known format, or cannot be read.
    """
    raw = formats.RawFile(path)
    mapped = hints is not None and hints.table is not None
    found = formats.mapped_format(raw) if mapped else formats.recognise(raw)
    intervals: defaultdict[str, _Intervals] = defaultdict(_Intervals)
    load = CountedRequests()
    seen = Inspection(str(path), found.name, found.title, raw.encoding)
    with _record_files(name or path.name, to, file_type) as write:

        def sink(table: str, rows: pa.Table) -> None:
            seen.see(table, rows, keep)
            intervals[table].see(rows)
            load.see(table, rows)
            also(table, rows)
            write(table, rows)

        _, reading = formats.read(path, sink, hints, found)
    seen.certainty = reading.certainty
    seen.lines = reading.lines
    seen.lines_in_records = reading.lines_in_records
    seen.lines_in_headings = reading.lines_in_headings
    seen.lines_not_understood = reading.lines_not_understood
    seen.not_understood, seen.remarks = reading.not_understood, reading.remarks
    seen.unlike = reading.unlike
    seen.repairs = reading.repairs
    most = max(intervals.values(), key=lambda each: len(each.ends), default=_Intervals())
    seen.samples, seen.interval_s = len(most.ends), most.usual_s
    if len(found_executions := load.executions()) > 1:
        seen.executions = said(found_executions)
    seen.rows = dict(sorted(reading.rows.items()))
    for table, rows in seen.first_rows.items():
        filled = [c for c in rows[0] if any(row[c] is not None for row in rows)] if rows else []
        seen.first_rows[table] = [{column: row[column] for column in filled} for row in rows]
    return seen


def flat(rows: pa.Table) -> pa.Table:
    """A table whose lists are text, as CSV holds none: ``[1.0, null]``, which DuckDB reads."""
    for place, column in enumerate(rows.schema):
        if pa.types.is_list(column.type):
            texts = [each and json.dumps(each) for each in rows.column(place).to_pylist()]
            rows = rows.set_column(place, column.name, pa.array(texts, pa.string()))
    return rows


@contextmanager
def _record_files(name: str, folder: Path | None, file_type: FileType) -> Iterator[Sink]:
    """Write batches to one file per table; the files appear when all of it was read."""
    if folder is None:
        yield lambda _table, _rows: None
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StudyBookError(f"{folder}: cannot be made: {error.strerror}") from error
    writers: dict[str, Any] = {}
    parts: dict[Path, Path] = {}
    try:
        with ExitStack() as open_files:

            def write(table: str, rows: pa.Table) -> None:
                if table not in writers:
                    target = folder / f"{name}.{table}.{file_type}"
                    parts[target] = target.with_name(f"{target.name}.part")
                    writers[table] = open_files.enter_context(
                        pa.parquet.ParquetWriter(parts[target], rows.schema)
                        if file_type == "parquet"
                        else pa.csv.CSVWriter(parts[target], flat(rows).schema)
                    )
                writers[table].write_table(rows if file_type == "parquet" else flat(rows))

            yield write
        for target, part in parts.items():
            part.replace(target)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
