"""What every reader of a raw format offers, and what it is handed.

A format is a value of :class:`Format`: two functions and the tables they fill.

* ``recognise(head)`` looks at the first 64 KiB, never at the file's name.
* ``read(raw, out)`` walks through the lines and hands rows to ``out``.

A reader knows nothing of runs, figures or databases. It accounts for every line:
each one is in a record, in a heading (titles, rules, blank lines, legends), or not
understood. The sum of the three is the number of lines in the file; a test holds all
formats to that.

Small files are read by ``raw.lines()`` and ``out.record(...)``, line by line; large ones by
``raw.blocks()`` and ``out.block(...)``, a few megabytes and whole columns at a time. Neither
keeps more than a block in memory.

Times that a file gives as UTC go into a column ``time_utc``; times of the host's clock, as
printed, into ``time_local``. The semantic views bring the latter to UTC by the run's time
zone: a reader knows no zone.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, Literal, cast

import pyarrow as pa
import pyarrow.compute as pc

from studybook.formats.raw import Head, RawFile

#: Rows kept in memory per table before they go to the sink.
BATCH_ROWS = 4_000

#: What is concluded of names in files is kept for so many: hostile files have any number of them.
KEPT_NAMES = 1_000

#: Lines not understood that are kept word for word; the others are only counted.
SHOWN_LINES = 10

#: With so many, none that is near a shown one is taken for read.
_UNREAD_LINES = 100

#: Remarks and repairs that are kept of one file; the others are only counted.
KEPT_REMARKS = 200

#: The DuckDB types that a column may have, and their Arrow counterparts.
ARROW_TYPES: dict[str, pa.DataType] = {
    "VARCHAR": pa.string(), "BIGINT": pa.int64(), "UBIGINT": pa.uint64(), "INTEGER": pa.int32(),
    "DOUBLE": pa.float64(), "BOOLEAN": pa.bool_(), "TIMESTAMP": pa.timestamp("us"),
    "DOUBLE[]": pa.list_(pa.float64()),
}  # fmt: skip

#: Least and most of whole numbers.
WHOLE = {
    "INTEGER": (-(2**31), 2**31 - 1), "BIGINT": (-(2**63), 2**63 - 1), "UBIGINT": (0, 2**64 - 1),
}  # fmt: skip

Sink = Callable[[str, pa.Table], None]

#: How certain a layout is: met in real files; printed in the documentation of the tool;
#: concluded from one of these; remembered only, and checked against nothing.
Certainty = Literal["seen", "documented", "inferred", "from memory"]

#: A line of JSON that ends with one of these ends with no part of a number.
JSON_MARKS = "{}[]"

DateOrder = Literal["day-first", "month-first", "year-first"]


@dataclass(frozen=True)
class Hints:
    """What a file leaves open, and the run's manifest knows.

    Parameters
    ----------
    date_order : {"day-first", "month-first", "year-first"}, optional
        How to read a date like 05/06/16.
    start : date, optional
        The day on which the run started, by the host's clock.
    interval_s : float, optional
        How many seconds the samples of the file are apart, where it does not say.
    table : object, optional
        Of a table that is mapped, which column is what:
        :class:`~studybook.formats.mapped.mapping.Mapping`.
    """

    date_order: DateOrder | None = None
    start: date | None = None
    interval_s: float | None = None
    table: object | None = None


#: What a remark says of a file that ends within a line.
CUT = "the last line has no line end"

#: What a remark begins with on columns that nobody wants: it is no loss.
NOT_MAPPED = "columns not mapped"

#: What a remark says of rows that are at no moment; the doctor goes by it.
UNPLACED = "no figure shows them"

#: The largest number: readers multiply by units, and some become larger.
LARGEST = sys.float_info.max

#: What a duration can be; and a share of one whole in per cent, which tools may round up.
MOST_PERCENT = 100.5
NOT_NEGATIVE, SHARE_PERCENT = (0.0, math.inf), (0.0, MOST_PERCENT)

#: Where a counter fell, tools print what is left of 2**64: divided by the seconds of the interval
#: and by the unit if it is a rate. No host does anything so often in a second, nor is full so many
#: times over.
_MOST = {
    "_percent": 1e4, "_per_s": 1e11, "_bytes_s": 2.0**63, "_kib_s": 1e11, "_kbytes_s": 1e11,
    "_mib_s": 1e11, "_mb_s": 1e11, "_gib_s": 1e11, "_mbit_s": 1e11, "_ms": 1e11, "_us": 1e14,
    "_s": 1e11,
}  # fmt: skip

#: Names of what is counted or lasts: none of it is ever less than nothing, but for offsets.
_COUNTED = re.compile(
    "_(percent|per_s|[mun]?s|hours|k?bytes|[kmg]i?b|pages|blocks|calls|operations|requests|packets"
    "|printed)$"
)
_SIGNED = re.compile("offset|_since_|_from_|_to_|^start_|^first_|^last_")


def most_of(name: str, otherwise: float = 2.0**63) -> float:
    """The most that a column of this name can hold, by the unit at its end."""
    return next((most for end, most in _MOST.items() if name.endswith(end)), otherwise)


def bounds_of(printed: str, *, share: bool = False) -> tuple[float, float]:
    """Least and most of a number that a tool prints under a name of its own, as ``User%``.

    Parameters
    ----------
    printed : str
        The name.
    share : bool
        Whether per cent are of one whole: a disk may be busy for more, by rounding of times.
    """
    if "%" in printed:
        return SHARE_PERCENT if share else (0.0, _MOST["_percent"])
    return 0.0, _MOST["_per_s"] if printed.endswith(("/s", "/sec")) else 2.0**63


def columns(listed: str) -> dict[str, str]:
    """Columns of a table, listed as ``CREATE TABLE`` has them; ``--`` begins a comment."""
    plain = re.sub("--.*", "", listed)
    return dict(cast(tuple[str, str], each.split()) for each in plain.split(","))


@dataclass(frozen=True)
class Table:
    """A kind of record: its name, what one row is, and its columns.

    Parameters
    ----------
    name : str
        Name of the DuckDB table, ``<source>_<thing>``.
    row : str
        What one row is, in a few words.
    columns : mapping of str to str
        Column name (with its unit: ``_mib_s``, ``_bytes``, ``_s``) to DuckDB type,
        one of :data:`ARROW_TYPES`. A column ``line`` holds the line number in the file.
    plausible : mapping of str to tuple of float
        Least and most of what a column can hold, in its own unit. A value beyond them is damage,
        or a tool has miscounted: it is kept as NULL, and a remark says so. Of columns that are not
        named here, those with a unit at their end are never negative, nor larger than can be.
    """

    name: str
    row: str
    columns: Mapping[str, str]
    plausible: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @cached_property
    def schema(self) -> pa.Schema:
        """The Arrow schema of the table."""
        return pa.schema(self.fields)

    @cached_property
    def bounds(self) -> dict[str, tuple[float, float]]:
        """Least and most of the columns that have bounds."""
        found = {}
        for name, kind in self.columns.items():
            if kind in ("DOUBLE", "DOUBLE[]"):
                found[name] = (-LARGEST, LARGEST)
            if kind in ("DOUBLE", "BIGINT") and _COUNTED.search(name) and not _SIGNED.search(name):
                found[name] = (0.0, most_of(name))
        found |= self.plausible
        for name, (least, most) in found.items():
            if whole := WHOLE.get(self.columns[name]):  # of which floats lack some
                found[name] = int(max(least, whole[0])), int(min(most, whole[1]))
        return found

    @cached_property
    def fields(self) -> list[tuple[str, pa.DataType]]:
        """Names and Arrow types of the columns."""
        return [(name, ARROW_TYPES[kind]) for name, kind in self.columns.items()]


def tables(
    listed: str, first: str = "", shares: Collection[str] = (), most_percent: float = MOST_PERCENT
) -> tuple[Table, ...]:
    """Kinds of records, listed as text with a blank line between them.

    Parameters
    ----------
    listed : str
        Of each: its name, a colon and what one row is, maybe over several lines; then, indented,
        its columns as ``CREATE TABLE`` has them.
    first : str
        Columns that each of them begins with.
    shares : collection of str
        Columns in per cent of one whole.
    most_percent : float
        The most that these can be, where a tool measures times less well than others.
    """
    found = []
    for each in re.split(r"\n{2,}", listed.strip()):
        title, own = re.split(r"\n(?= )", each, maxsplit=1)
        name, _, row = title.replace("\n", " ").partition(": ")
        of_all = (columns(first) if first else {}) | columns(own)
        bounds = {column: (0.0, most_percent) for column in of_all if column in shares}
        found.append(Table(name, row, of_all, bounds))
    return tuple(found)


def never_negative(
    found: Sequence[Table], *others: str, shares: Sequence[str] = ()
) -> tuple[Table, ...]:
    """The same kinds of records, where numbers below 0 are damage, or a miscount of the tool.

    So are those that are larger than anything that can be.

    Parameters
    ----------
    found : sequence of Table
        The tables.
    others : str
        Columns that may be negative.
    shares : sequence of str
        Tables whose percentages are shares of one whole.
    """
    return tuple(
        replace(
            table,
            plausible={
                name: SHARE_PERCENT if table.name in shares and name.endswith("_percent")
                else (0.0, most_of(name))
                for name, kind in table.columns.items()
                if kind in ("DOUBLE", "BIGINT") and name not in (*others, "line")
            } | dict(table.plausible),
        )
        for table in found
    )  # fmt: skip


@dataclass
class Reading:
    """What a reader found in one file: rows, and an account of every line.

    Parameters
    ----------
    tables : sequence of Table
        The tables that the reader may fill.
    sink : callable
        Called with a table's name and an Arrow table for each batch of rows.
    hints : Hints, optional
        What the run's manifest knows and the file does not say.
    certainty : {"seen", "documented", "inferred", "from memory"}
        How certain the layout is; the format's own unless a reader says less of a file.
    unrecorded : mapping of str to collection of str
        By table, columns whose values were made up on the way, as no recording has them: NULL.
    unread : set of int
        The numbers of the first hundred lines that were not understood.
    unlike : dict of int to str
        By number of a line that was not understood, how it differs from lines that were.
    """

    tables: Sequence[Table]
    sink: Sink
    hints: Hints = field(default_factory=Hints)
    certainty: Certainty = "seen"
    unrecorded: Mapping[str, Collection[str]] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    lines_in_records: int = 0
    lines_in_headings: int = 0
    lines_not_understood: int = 0
    not_understood: list[tuple[int, str]] = field(default_factory=list)
    unread: set[int] = field(default_factory=set)
    unlike: dict[int, str] = field(default_factory=dict)
    remarks: list[tuple[int, str]] = field(default_factory=list)
    repairs: list[tuple[int, str]] = field(default_factory=list)
    _pending: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    _more: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._tables = {table.name: table for table in self.tables}

    def columns(self, table: str) -> Mapping[str, str]:
        """Names and types of the columns of a table."""
        return self._tables[table].columns

    def record(self, table: str, **values: Any) -> None:
        """Add one row; columns not named are NULL.

        Raises
        ------
        KeyError
            If the table or a column was not declared: a mistake in the reader.
        """
        columns = self._tables[table].columns.keys()
        if not values.keys() <= columns:
            unknown = ", ".join(sorted(values.keys() - columns))
            raise KeyError(f"table {table} has no column {unknown}")
        pending = self._pending.setdefault(table, [])
        pending.append(values)
        self.rows[table] = self.rows.get(table, 0) + 1
        if len(pending) >= BATCH_ROWS:
            self._flush(table)

    def block(self, table: str, rows: pa.Table) -> None:
        """Add many rows at once, for readers that work on whole columns.

        Parameters
        ----------
        table : str
            Name of the table.
        rows : pyarrow.Table
            Columns in any order; those that are missing are NULL.

        Raises
        ------
        KeyError
            If the table or a column was not declared: a mistake in the reader.
        """
        given = dict(zip(rows.column_names, rows.columns, strict=True))
        columns = []
        for name, kind in self._tables[table].fields:
            column = given.pop(name, None)
            if column is None:
                columns.append(pa.nulls(rows.num_rows, kind))
            else:
                # Nearly all are of the right type.
                columns.append(column if column.type == kind else column.cast(kind))
        if given:
            raise KeyError(f"table {table} has no column {', '.join(sorted(given))}")
        self.rows[table] = self.rows.get(table, 0) + rows.num_rows
        self._hand_on(table, pa.Table.from_arrays(columns, schema=self._tables[table].schema))

    def account(self, line: int, text: str, kept: bool | None) -> None:
        """Account for a line: in a record (True), a heading (False) or not understood (None)."""
        if kept is None:
            self.unknown(line, text)
        elif kept:
            self.used()
        else:
            self.heading()

    def used(self, lines: int = 1) -> None:
        """Account for lines whose content is in a record."""
        self.lines_in_records += lines

    def heading(self, lines: int = 1) -> None:
        """Account for titles, rules, blank lines: nothing in them to keep."""
        self.lines_in_headings += lines

    def unknown(self, line: int, text: str) -> None:
        """Account for a line that was not understood, and keep the first ten."""
        self.lines_not_understood += 1
        if self.lines_not_understood <= _UNREAD_LINES:
            self.unread.add(line)
        if len(self.not_understood) < SHOWN_LINES:
            self.not_understood.append((line, text[:400]))

    def remark(self, line: int, text: str) -> None:
        """Say something about the file that its reader should know."""
        self._note(self.remarks, line, text)

    def remark_placed(self, line: int, what: str) -> None:
        """Say that rows without times are placed from the start of the run on."""
        said = "" if self.hints.start else f", which says none; {UNPLACED} without it"
        self.remark(
            line,
            f"there are no times: the {what} are placed one interval after the other from the start"
            f" of the run in run.yml{said}",
        )

    def repaired(self, line: int, text: str) -> None:
        """Say what was put right in a damaged line before it was read."""
        self._note(self.repairs, line, text)

    def within(
        self, name: str, value: float | None, line: int, bounds: tuple[float, float]
    ) -> float | None:
        """A value, or None where it is beyond its bounds, which is told."""
        least, most = bounds
        if value is None or least <= value <= most:
            return value
        self._beyond(name, value, line, bounds)
        return None

    def _beyond(
        self, name: str, value: float, line: int | None, bounds: tuple[float, float]
    ) -> None:
        least, most = bounds
        which = f"below {least:g}" if value < least else f"above {most:g}"
        which = "no number" if math.isnan(value) else which
        self.remark(line or 1, f"{name} cannot be {which}: {value} is left out")

    def _note(self, notes: list[tuple[int, str]], line: int, text: str) -> None:
        """Keep a note; one that stands for all that follow, where there are too many."""
        if len(notes) < KEPT_REMARKS:
            notes.append((line, of_whole_letters(text[:400])))
        else:
            self._more[id(notes)] = self._more.get(id(notes), 0) + 1
            notes[-1] = (notes[-1][0], f"and {self._more[id(notes)] + 1} more from here on")

    @property
    def first_unknown(self) -> int | None:
        """The first line that was not understood."""
        return self.not_understood[0][0] if self.not_understood else None

    @property
    def lines(self) -> int:
        """The number of lines accounted for."""
        return self.lines_in_records + self.lines_in_headings + self.lines_not_understood

    def finish(self) -> None:
        """Hand the last rows to the sink."""
        for table in list(self._pending):
            self._flush(table)

    def _flush(self, table: str) -> None:
        rows = self._pending.pop(table, [])
        if not rows:
            return
        schema = self._tables[table].schema
        try:
            made = pa.Table.from_pylist(rows, schema=schema)
        except (UnicodeEncodeError, OverflowError, pa.ArrowInvalid):
            rows = [self._that_fit(table, of_whole_letters(row)) for row in rows]
            made = pa.Table.from_pylist(rows, schema=schema)
        self._hand_on(table, made)

    def _that_fit(self, table: str, row: dict[str, Any]) -> dict[str, Any]:
        """A row without whole numbers that have more digits than their columns hold."""
        found = dict(row)
        for name, kind in self._tables[table].columns.items():
            if kind in WHOLE and isinstance(value := row.get(name), int | float):
                found[name] = self.within(name, value, row.get("line") or 1, WHOLE[kind])
        return found

    def _hand_on(self, table: str, rows: pa.Table) -> None:
        """Hand rows to the sink, without values that cannot be."""
        for name in self.unrecorded.get(table, ()):
            rows = _with_column(rows, name, pa.nulls(rows.num_rows, rows.schema.field(name).type))
        for name, (least, most) in self._tables[table].bounds.items():
            column, most = rows[name], min(most, LARGEST)
            lists = column.combine_chunks() if pa.types.is_list(column.type) else None
            values = column if lists is None else lists.flatten()
            # What is no number at all is within no bounds.
            beyond = pc.invert(
                pc.and_(pc.greater_equal(values, least), pc.less_equal(values, most))
            )
            if not pc.any(beyond).as_py():
                continue
            lines = rows["line"] if "line" in rows.column_names else pa.nulls(rows.num_rows)
            if lists is not None:
                lines = pa.chunked_array([lines.take(lists.value_parent_indices())])
            for line, value in zip(
                lines.filter(beyond).to_pylist(), values.filter(beyond).to_pylist(), strict=True
            ):
                self._beyond(name, value, line, (least, most))
            kept = pc.if_else(beyond, pa.scalar(None, values.type), values)
            if lists is not None:
                starts = pc.subtract(lists.offsets, lists.offsets[0])
                kept = pa.ListArray.from_arrays(starts, kept)
            rows = _with_column(rows, name, kept)
        self.sink(table, rows)


def of_whole_letters(value: Any) -> Any:
    """A value of JSON without halves of letters (``\\ud800``), which nothing can store."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, list):
        return [of_whole_letters(each) for each in value]
    if isinstance(value, dict):
        return {of_whole_letters(key): of_whole_letters(each) for key, each in value.items()}
    return value


def _with_column(rows: pa.Table, name: str, column: Any) -> pa.Table:
    place = rows.schema.get_field_index(name)
    return rows.set_column(place, rows.schema.field(place), column)


@dataclass(frozen=True)
class Format:
    """A raw format.

    Parameters
    ----------
    name : str
        Short and unique, as the ledger and the command line show it: ``ior-text``.
    title : str
        The format in words, for people.
    source : str
        The kind of raw export that it belongs to, one per load notebook: ``ior``.
    tables : tuple of Table
        The tables that it fills.
    recognise : callable
        Whether a file that starts with this head is of the format.
    read : callable
        Fills a :class:`Reading` from the file; raises :class:`~studybook.errors.Refused`.
    certainty : {"seen", "documented", "inferred", "from memory"}
        What the layout that the reader expects rests on.
    binary : bool
        Whether files of the format hold NUL bytes; ``head.data`` then has the bytes to
        recognise it by, and lines are those of what the reader makes of the file.
    banner : str
        A pattern of a line that nothing else prints, where thousands of lines of those that start
        a tool may stand before it, such as messages of MPI; empty where they do not.
    behind_others : bool
        Whether it is looked for in short files, too: because what recognises looks at the first
        lines only, and the output of any command may stand before them.
    ends_itself : bool or str
        Whether a file says where it ends, as XML and JSON do, and the reader sees where it does
        not; or the marks of which one ends a line of the format with whole values only, as
        :data:`JSON_MARKS` do. Else a last line without line end may be cut within a number: it is
        not read, counts as not understood, and a remark says so.
    """

    name: str
    title: str
    source: str
    tables: tuple[Table, ...]
    recognise: Callable[[Head], bool]
    read: Callable[[RawFile, Reading], None]
    certainty: Certainty = "seen"
    binary: bool = False
    ends_itself: bool | str = False
    banner: str = ""
    behind_others: bool = False
