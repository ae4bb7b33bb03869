"""What the readers of sadf's outputs share: reports, segments, sections, and rows on their way.

``sadf`` prints the interval of each row, and its time as UTC (unless told otherwise), so there
is nothing to conclude from neighbouring rows.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from studybook.formats.clock import Passes
from studybook.formats.contract import BATCH_ROWS, Reading
from studybook.formats.sar import interrupts
from studybook.formats.sar.activities import Layout
from studybook.formats.sar.sadf_cells import Names, Stamp, item_names, layout_for, number
from studybook.formats.sar.tables import TABLES

#: The heading under which the matrix of interrupts is kept: a row for each processor.
INTERRUPT: Names = ("INTR", "CPU", "intr/s")

#: The tab in front of the number is a semicolon where tabs were put in the place of these.
_CPUS = re.compile(r"LINUX-RESTART(?:[\s;]+\((\d{1,9}) CPU\))?\s*", re.ASCII)
_SCHEMAS = {table.name: table.schema for table in TABLES}


@dataclass
class _Section:
    activity: str
    line: int
    headings: int = 0
    rows: int = 0


@dataclass
class _Rows:
    """Rows of one layout that are not handed over yet, and where their values stand."""

    layout: Layout
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    segment: tuple[int, int] = (-1, -1)
    section: _Section = field(default_factory=lambda: _Section("", 0))

    def __post_init__(self) -> None:
        items = [] if self.layout.item is None else [self.layout.item]
        self.texts = [*items, *(place for place, each in self.layout.columns if each.text)]
        self.numbers = [place for place, each in self.layout.columns if not each.text]


@dataclass
class Export:
    """Where a reader of sadf's output puts what it finds: rows that go to ``out``."""

    out: Reading
    report_no: int = -1
    segment: int = 0
    host: str | None = None
    _facts: dict[str, Any] = field(default_factory=dict)
    _clock: set[bool] = field(default_factory=set)
    _marks: set[tuple[Any, ...]] = field(default_factory=set)
    _sections: dict[tuple[int, int, Names], _Section] = field(default_factory=dict)
    _rows: dict[Names, _Rows] = field(default_factory=dict)
    #: Of each activity: which times come after the clock was set back.
    _passes: defaultdict[Names, Passes] = field(default_factory=lambda: defaultdict(Passes))

    def report(self, host: str | None, line: int) -> None:
        """Begin a report: the export of one host."""
        self._end_report()
        self.report_no += 1
        self.segment, self.host = 0, host
        self._clock, self._marks = set(), set()
        self._passes = defaultdict(Passes)
        self._facts = {"report_no": self.report_no, "line": line}

    def of_host(self, host: str, line: int) -> bool:
        """Begin a report where the host is another one; whether that is so."""
        another = self.report_no < 0 or self.host != host
        if another:
            self.report(host, line)
        return another

    def facts(self, **values: Any) -> None:
        """Keep what the head of the report says."""
        self._facts |= values

    def mark(self, when: Stamp, line: int, text: str) -> bool:
        """Record a restart or a comment, as rows of sadf have it; False if it is neither."""
        if restart := _CPUS.fullmatch(text):
            self.segment += 1
            cpus = int(restart[1]) if restart[1] else None
            back = self._back(when)
            # What follows goes on from here; and so does a second restart, without rows before it.
            self._passes = defaultdict(lambda: Passes(when.micros, bool(back)))
            self._passes[()].one(when.micros)
            self._mark(when, line, "restart", "LINUX RESTART", cpus, back)
        elif text.startswith("COM "):
            self.comment(when, line, text[4:], self._back(when))
        else:
            return False
        return True

    def restart(self, when: Stamp, line: int, segment: int, cpus: int | None) -> None:
        """Record a restart of the host, which begins a segment."""
        self.segment = segment
        self._mark(when, line, "restart", "LINUX RESTART", cpus)

    def comment(self, when: Stamp, line: int, text: str, back: bool | None = None) -> None:
        """Record a comment; sadf repeats it in the rows of each activity."""
        key = (self.segment, when, text)
        if key not in self._marks:
            self._marks.add(key)
            self._mark(when, line, "comment", text, None, back)

    def _back(self, when: Stamp) -> bool | None:
        """Whether the clock was set back before what stands between the rows."""
        if when.utc:
            return None
        told = [each.one(when.micros) for each in self._passes.values()]
        return any(told) or None

    def _mark(
        self, when: Stamp, line: int, kind: str, text: str, cpus: int | None,
        back: bool | None = None,
    ) -> None:  # fmt: skip
        self._clock.add(when.utc)
        self.out.record(
            "sar_mark", report_no=self.report_no, segment=self.segment, kind=kind, text=text,
            cpus=cpus, line=line, set_back=back, **when.column(),
        )  # fmt: skip

    def heading(self, names: Names, line: int) -> None:
        """Count a heading of a section."""
        self._section(names, line).headings += 1

    def row(
        self, names: Names, values: Sequence[str | None], when: Stamp, interval: float | None,
        line: int,
    ) -> bool:  # fmt: skip
        """Keep one row; False, and nothing kept, if a value is not understood.

        ``names`` are those of the values as in the headings of ``sar``, ``when`` is the end of
        the interval, in seconds, which is None if it is not known; ``line`` is where it stands.
        """
        rows = self._rows.get(names)
        if rows is None:
            layout = layout_for(names)
            if layout is None or all(column.text for _, column in layout.columns):
                return self._other(names, values, when, interval, line)
            rows = self._rows[names] = _Rows(layout)
        item = rows.layout.item
        if item is not None and not values[item]:
            return False  # of what it is, it does not say
        try:
            kept = [number(values[place]) for place in rows.numbers]
        except ValueError:
            return False
        self._clock.add(when.utc)
        if rows.segment != (self.report_no, self.segment):
            rows.segment, rows.section = (self.report_no, self.segment), self._section(names, line)
        rows.section.rows += 1
        times = (None, when.micros) if when.utc else (when.micros, None)
        texts = [values[place] for place in rows.texts]
        back = None if when.utc else self._passes[names].one(when.micros)
        rows.rows.append((*rows.segment, *times, back, interval, *texts, *kept, line))
        if len(rows.rows) >= BATCH_ROWS:
            self._flush(names)
        return True

    def block(
        self, names: Names, layout: Layout, common: dict[str, Any], cells: dict[int, Any],
        line: int,
    ) -> int:  # fmt: skip
        """Keep many rows; return how many.

        ``common`` are the columns that all tables have (time, interval, line), ``cells`` the
        values by the place of their name, ``line`` is where the first row stands.
        """
        rows = len(common["line"])
        self._clock.add("time_utc" in common)
        self._section(names, line).rows += rows
        where = {"report_no": self.report_no, "segment": self.segment}
        columns = {name: pa.repeat(pa.scalar(n, pa.int32()), rows) for name, n in where.items()}
        if "time_local" in common:
            back = self._passes[names].after(common["time_local"].cast(pa.int64()).to_numpy())
            if back is not None:
                columns["set_back"] = pa.array(back, mask=~back)
        self._hand_over(names, layout, columns | common, cells)
        return rows

    def finish(self) -> None:
        """Hand over what is left."""
        for names in self._rows:
            self._flush(names)
        self._end_report()
        for (report_no, segment, names), section in self._sections.items():
            self.out.record(
                "sar_section", report_no=report_no, segment=segment, activity=section.activity,
                header=" ".join(names), headings=section.headings, rows=section.rows,
                line=section.line,
            )  # fmt: skip

    def _section(self, names: Names, line: int) -> _Section:
        key = (self.report_no, self.segment, names)
        if key not in self._sections:
            layout = layout_for(names)
            activity = layout.activity.table if layout else "sar_other"
            self._sections[key] = _Section(activity, line)
        return self._sections[key]

    def _end_report(self) -> None:
        if self.report_no < 0:
            return
        clock = None if len(self._clock) != 1 else "utc" if True in self._clock else "local"
        self.out.record(
            "sar_report", host=self.host, clock=clock, layout="sadf", **self._facts
        )  # fmt: skip
        if False in self._clock:
            self.out.remark(
                self._facts["line"],
                "the times are of a local clock: taken as the recording host's (sadf -t); with"
                " -T they would be those of the host that ran sadf",
            )

    def _other(
        self, names: Names, values: Sequence[str | None], when: Stamp, interval: float | None,
        line: int,
    ) -> bool:  # fmt: skip
        """Keep the values of a row of no known activity, one by one."""
        # Names of items are in capitals, those of values never: DEV, IFACE.
        first = 1 if len(names) > 1 and names[0].isalpha() and names[0].isupper() else 0
        self._clock.add(when.utc)
        section = self._section(names, line)
        if not section.rows:
            self.out.remark(line, f"{' '.join(names)[:200]}: not known, kept in sar_other")
        section.rows += 1
        header = " ".join(names)[:400]
        back = None if when.utc else self._passes[names].one(when.micros)
        for name, text in zip(names[first:], values[first:], strict=True):
            try:
                value = number(text)
            except ValueError:
                value = None
            self.out.record(
                "sar_other", report_no=self.report_no, segment=self.segment,
                set_back=back,
                interval_s=interval, header=header, item=values[0] if first else None,
                name=name, text=text, value=value, line=line,
                **when.column(),
            )  # fmt: skip
        return True

    def _flush(self, names: Names) -> None:
        rows = self._rows[names]
        layout, taken, rows.rows = rows.layout, rows.rows, []
        if not taken:
            return
        schema = _SCHEMAS[layout.activity.table]
        places = [*rows.texts, *rows.numbers]
        *columns, line = zip(*taken, strict=True)
        common = [
            "report_no", "segment", "time_local", "time_utc", "set_back", "interval_s", "line",
        ]  # fmt: skip
        made = {
            name: pa.array(column, schema.field(name).type)
            for name, column in zip(common, [*columns[:6], line], strict=True)
        }
        kinds = [pa.string()] * len(rows.texts) + [pa.float64()] * len(rows.numbers)
        cells = map(pa.array, columns[6:], kinds)
        self._hand_over(names, layout, made, dict(zip(places, cells, strict=True)))

    def _hand_over(
        self, names: Names, layout: Layout, made: dict[str, Any], cells: dict[int, Any]
    ) -> None:
        """Hand over rows of one layout, their items and values named as in its table."""
        for place, column in layout.columns:
            made[column.name] = cells[place]
            if column.text:
                made[column.name] = item_names(names[place], cells[place])
            elif column.factor != 1:
                made[column.name] = pc.multiply(cells[place], column.factor)
        if layout.item is not None:
            made[layout.activity.item] = item_names(names[layout.item], cells[layout.item])
        table = layout.activity.table
        if table == interrupts.TABLE:
            if "cpu" not in made:
                made["cpu"] = pa.nulls(len(made["line"]), pa.string())
            self.out.block(table, interrupts.as_lists(pa.table(made)))
        else:
            self.out.block(table, pa.table(made))
