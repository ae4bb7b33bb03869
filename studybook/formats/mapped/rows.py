"""What rows of a table become, by the mapping of their run; whatever the table is written in."""

from __future__ import annotations

import json
import math
import re
import zoneinfo
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from studybook.errors import Refused, did_you_mean
from studybook.formats.contract import NOT_MAPPED, Reading, tables
from studybook.formats.mapped.mapping import MappedMetric, Mapping
from studybook.text import counted, few

(VALUE,) = tables("""
mapped_value: one value of a metric, from one cell of a table that is mapped
    time_utc TIMESTAMP,
    -- What that time is of what the row counts: its end or its beginning.
    time_marks VARCHAR,
    host VARCHAR, label VARCHAR, metric VARCHAR,
    -- How the values of a run become one number.
    statistic VARCHAR,
    -- Whether the value is a running total.
    is_counter BOOLEAN,
    -- Whether the value counts what happened since the row before.
    is_per_interval BOOLEAN,
    -- In the unit that the name of the metric ends with; of a counter and of a count per interval,
    -- in that unit times seconds.
    value DOUBLE,
    -- The column of the file, and the unit of its numbers there.
    column_name VARCHAR, file_unit VARCHAR, line BIGINT
""")

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?", re.A | re.I)
_WITH_COMMA = re.compile(r"[-+]?\d*,\d+(e[-+]?\d{1,3})?", re.A | re.I)
_EPOCH = datetime(1970, 1, 1)
#: So many of the unit are a second.
_UNIX = {"unix": 1, "unix-ms": 10**3, "unix-us": 10**6, "unix-ns": 10**9}
#: What stands for an empty cell among those that make a label.
_NOTHING = "–"
#: Times outside of these are damage, or of another format than the mapping says.
_FIRST, _END = datetime(1990, 1, 1), datetime(2100, 1, 1)
#: Where that is said; other files of the name may be written otherwise.
_IN_THE_TABLE = (
    "in its table: in study.yml, or in a whole table of its own below files in its run.yml if it is"
    " unlike the other files of its name"
)


class _Wrong(Exception):
    """A cell that cannot be what the mapping says."""


class Rows:
    """The rows of a table on their way into records.

    Parameters
    ----------
    out : Reading
        Where rows and the account of lines go; its hints have the mapping.

    Raises
    ------
    Refused
        If there is no mapping.
    """

    def __init__(self, out: Reading) -> None:
        mapping = out.hints.table
        if not isinstance(mapping, Mapping):
            raise Refused(
                "is a table that nobody has mapped",
                "add table to it in run.yml, or tables to study.yml",
            )
        self.out, self.mapping = out, mapping
        self.zone = zoneinfo.ZoneInfo(mapping.time_zone or "UTC")
        self.by_name = {each.column: each for each in mapping.metrics}
        self.times: dict[tuple[str, str], float] = {}
        self.empty: Counter[str] = Counter()
        self.not_mapped: Counter[str] = Counter()
        self.first_empty: dict[str, int] = {}
        self.twice: int | None = None
        self.not_read, self.wrong, self.rows, self.aside = 0, "", 0, 0
        self.do = "compare its columns and its times with its table in run.yml or study.yml"
        self.kept = 0

    def check(self, names: Sequence[str], line: int) -> None:
        """Refuse a table without a column that it must have; say what is lacking or not kept."""
        needed = self.mapping.needed(names)
        for name in self.mapping.columns:
            if name not in names and name in needed:
                near = did_you_mean(name, list(names)) or f"there are: {', '.join(names[:40])}"
                signs = [sign for sign in ",;\t|" if name in names[0].split(sign)]
                if len(names) == 1 and signs:
                    near = f"say delimiter: {json.dumps(signs[0])} {_IN_THE_TABLE}"
                if name in self.by_name and not self.mapping.names:
                    near += "; or say optional: true of its metric, if some files lack it"
                raise Refused(
                    f"has no column {name!r}, which its table in run.yml or study.yml maps",
                    near,
                    line=line,
                )
            if name not in names:
                self.out.remark(line, f"there is no column {name!r}, which is optional")
            if names.count(name) > 1:
                raise Refused(
                    f"has two columns {name!r}", "rename one of them where it is exported",
                    line=line,
                )  # fmt: skip
        if left := [name for name in names if name not in self.mapping.columns]:
            self.out.remark(line, f"{NOT_MAPPED}: {few(left, 20)}")

    def take(self, line: int, lines: int, row: dict[str, Any], text: str) -> None:
        """Keep a row; all of it, or nothing where a cell is wrong."""
        try:
            found = list(self._values(line, row))
        except _Wrong as wrong:
            self.not_read += 1
            self.wrong = self.wrong or f"the row is not read: {wrong}"
            self.out.remark(line, f"the row is not read: {wrong}")
            for number, part in enumerate(text.split("\n")[:lines], line):
                self.out.unknown(number, part)
            return
        for values in found:
            self.out.record(VALUE.name, **values, line=line)
        self.kept += len(found)
        self.rows += 1
        if found:
            self.out.used(lines)
        else:  # empty cells, or names that are not mapped: counted by these
            self.out.heading(lines)

    def _values(self, line: int, row: dict[str, Any]) -> Iterator[dict[str, Any]]:
        mapping = self.mapping
        if any(self._text(row[name]) not in texts for name, texts in mapping.where.items()):
            self.aside += 1
            return
        at = {
            "time_utc": self._time(line, [row[name] for name in mapping.time]),
            "time_marks": mapping.time_marks if mapping.time else None,
            "host": self._text(row[mapping.host]) if mapping.host else None,
            "label": mapping.rows_are or self._label([row[each] for each in mapping.label]),
        }
        there = () if mapping.names else mapping.metrics
        cells = [(each, row[each.column]) for each in there if each.column in row]
        if mapping.names:
            name = self._text(row[mapping.names]) or ""
            if name not in self.by_name:
                self.not_mapped[name] += 1
                return
            each = self.by_name[name]
            unit = self._text(row[mapping.units]) if mapping.units else each.unit
            if (unit or "") != each.unit:
                raise _Wrong(f"{name} is in {unit or 'no unit'}, and its metric says {each.unit!r}")
            cells = [(each, row[str(mapping.values)])]
        for each, cell in cells:
            unit = (self._text(row[each.units]) or "") if each.units else each.unit
            if self._text(cell) is None:
                self.empty[each.column] += 1
                self.first_empty.setdefault(each.column, line)
                continue
            yield at | {
                "metric": each.name, "statistic": each.statistic, "is_counter": each.counter,
                "is_per_interval": each.per_interval, "column_name": each.column, "file_unit": unit,
                "value": self._number(each.column, cell) * self._times(each, unit),
            }  # fmt: skip

    def _times(self, metric: MappedMetric, unit: str) -> float:
        """By what a number of a metric is multiplied."""
        if (metric.name, unit) not in self.times:
            times = metric.times_of(unit)
            if times is None:
                said = unit or "no unit"
                raise _Wrong(f"{metric.column} is in {said}, which cannot become {metric.name}")
            self.times[metric.name, unit] = times
        return self.times[metric.name, unit]

    def _label(self, cells: Sequence[Any]) -> str | None:
        """The label that several columns make; none of them may lend its place to another."""
        if any(isinstance(cell, list) for cell in cells):
            raise _Wrong("a label is an array: rows would make a row of each entry")
        texts = [self._text(cell) for cell in cells]
        return ", ".join(text or _NOTHING for text in texts) if any(texts) else None

    @property
    def _time_name(self) -> str:
        return " ".join(self.mapping.time)

    def _text(self, cell: Any) -> str | None:
        """The cell as text; None where it holds no value, as NaN in Parquet says."""
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            return None
        text = str(cell).strip()
        return None if not text or text in self.mapping.empty else text

    def _number(self, column: str, cell: Any) -> float:
        if isinstance(cell, bool):
            raise _Wrong(f"{column} is no number: {cell}")
        if isinstance(cell, list):
            raise _Wrong(f"{column} is an array: rows: {column} would make a row of each entry")
        text = str(cell).strip()
        if not _NUMBER.fullmatch(text.replace(self.mapping.decimal, ".", 1)) or (
            self.mapping.decimal == "," and "." in text
        ):
            if self.mapping.decimal == "." and _WITH_COMMA.fullmatch(text):
                self.do = f"if its comma is the decimal sign, say decimal: ',' {_IN_THE_TABLE}"
            raise _Wrong(f"{column} is no number: {text[:60]!r}")
        number = float(text.replace(self.mapping.decimal, ".", 1))
        if math.isinf(number):
            raise _Wrong(f"{column} is too large: {text[:60]!r}")
        return number

    def _time(self, line: int, cells: Sequence[Any]) -> datetime | None:
        if not cells:
            return None
        cell = cells[0] if len(cells) == 1 else " ".join(map(str, cells))
        time = self._moment(cell)
        if time.tzinfo is None:
            first, second = (time.replace(tzinfo=self.zone, fold=fold) for fold in (0, 1))
            if first.utcoffset() != second.utcoffset():
                back = first.astimezone(UTC).astimezone(self.zone).replace(tzinfo=None)
                if back != time:
                    raise _Wrong(f"there is no {time} in {self.zone.key}: its clock is set forward")
                self.twice = self.twice or line
            time = first
        time = time.astimezone(UTC).replace(tzinfo=None)
        if not _FIRST <= time < _END:
            raise _Wrong(f"{self._time_name} is no time of a run: {str(cell)[:60]!r}")
        return time

    def _moment(self, cell: Any) -> datetime:
        name, how = self._time_name, self.mapping.time_format
        text = self._text(cell)
        if text is None:
            raise _Wrong(f"{name} is empty")
        try:
            if isinstance(cell, datetime):
                return cell
            if isinstance(cell, date):
                raise _Wrong(f"{name} is a day without a time: {text!r}")
            if how == "iso":
                if not re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d", text, re.A):
                    raise ValueError
                return datetime.fromisoformat(text)
            if how not in _UNIX:
                return datetime.strptime(text, how)
            if not _NUMBER.fullmatch(text):
                raise ValueError
            whole, _, part = text.partition(".")
            if re.fullmatch(r"\d{1,25}", whole) and (not part or part.isdigit()):
                micro = int(f"{whole}{part}") * 10**6 // (_UNIX[how] * 10 ** len(part))
                time = _EPOCH + timedelta(microseconds=micro)
            else:
                time = _EPOCH + timedelta(seconds=float(text) / _UNIX[how])
            return time.replace(tzinfo=UTC)
        except (ValueError, OverflowError) as error:
            raise _Wrong(f"{name} is no time as {how!r} has it: {text[:60]!r}") from error

    def close(self) -> None:
        """Say what was left out; refuse a table that gives no value."""
        if not self.kept:
            seen = ", ".join(repr(name) for name, _ in self.not_mapped.most_common(5))
            raise Refused(
                self.wrong or (self.out.lines_not_understood and self.out.remarks[-1][1]) or
                "gives no value of a metric that is mapped",
                f"these names are not mapped: {seen}" if seen else self.do,
                line=self.out.first_unknown,
            )  # fmt: skip
        if lines_of_several := self.not_read > self.out.lines_not_understood:
            self.out.remark(1, f"{self.not_read} of {self.rows + self.not_read} rows are not read")
        if lines_of_several and self.not_read > self.rows:
            raise Refused(
                f"has {self.not_read} rows of {self.rows + self.not_read} that cannot be read, such"
                f" as: {self.wrong}",
                self.do,
            )
        if self.aside:
            self.out.remark(1, f"{counted(self.aside, 'row')} left aside by where")
        for name, times in self.empty.items():
            self.out.remark(
                self.first_empty[name], f"{name} is empty in {times} rows, from here on"
            )
        for name, times in self.not_mapped.most_common(20):
            self.out.remark(1, f"{times} rows of {name!r} are not mapped")
        if counts := [each.column for each in self.mapping.metrics if each.per_interval]:
            one, other = ("first", "before")
            if self.mapping.time_marks == "begin":
                one, other = ("last", "behind")
            self.out.remark(
                1,
                f"of {', '.join(counts)} the {one} row has no rate: there is none {other} it"
                " that says how long it counted",
            )
        if self.twice:
            self.out.remark(
                self.twice,
                "the clock goes through this hour twice: its times are taken as of the first",
            )
