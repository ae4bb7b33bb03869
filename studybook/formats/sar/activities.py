"""What sysstat measures: the activities of ``activities.yml``, and how their headings are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import Field

from studybook.checked_yaml import Strict, read_yaml
from studybook.formats.contract import LARGEST, SHARE_PERCENT, Table, columns, most_of

#: Words behind the name of a column: what its printed values are multiplied by to become ours.
#: Sectors and blocks of sysstat have 512 bytes; ``text`` is no number.
_FACTORS = {"sectors": 0.5, "bytes": 1 / 1024, "": 1.0, "text": 1.0}

#: In front of the values of every activity. ``time_local`` or ``time_utc`` is the end of the
#: interval; ``segment`` counts the restarts of the host in a report.
_COMMON = columns("""
    report_no INTEGER, segment INTEGER, time_local TIMESTAMP, time_utc TIMESTAMP,
    set_back BOOLEAN, interval_s DOUBLE
""")


class _Listed(Strict):
    """An activity, as ``activities.yml`` has it."""

    row: str
    item: str = ""
    printed: list[str] = Field(default_factory=list)
    columns: dict[str, str]


class Listed(Strict):
    """What another tool of sysstat measures: its own activities, by table."""

    activities: dict[str, _Listed]


class Group(Strict):
    """Values in one object of ``sadf -j``: their tables, and by which keys the item is named."""

    tables: list[str]
    items: dict[str, list[str]] = Field(default_factory=dict)


class _Known(Strict):
    activities: dict[str, _Listed]
    groups: dict[str, Group]
    irregular: dict[str, dict[str, str]]
    headless: dict[str, str]


KNOWN = read_yaml(Path(__file__).with_name("activities.yml"), _Known)


#: Sums of KiB and counts of things, which go further than rates.
_MOST_OF_ALL = 1e15
#: A process may use thousands of processors, each to 100 %.
_MOST_PERCENT_OF_PROCESS = 1e6
#: Rates that are differences: there is less than before.
_SIGNED = ("sar_memory_rate", "sar_power_battery")


@dataclass(frozen=True)
class Column:
    """Where a printed value goes: a column of the table, after multiplying by a factor."""

    name: str
    factor: float = 1.0
    text: bool = False


@dataclass(frozen=True)
class Activity:
    """One kind of measurement.

    Parameters
    ----------
    table : str
        Name of its table.
    row : str
        What a row is.
    item : str
        Column for the name of what was measured, such as ``device``; empty if there is one
        thing only, such as memory.
    item_names : tuple of str
        The headings that this column has in ``sar``, such as ``DEV``.
    columns : mapping of str to Column
        By the names that are printed.
    """

    table: str
    row: str
    item: str
    item_names: tuple[str, ...]
    columns: Mapping[str, Column]

    def as_table(self) -> Table:
        """The table that the activity fills."""
        items = {self.item: "VARCHAR"} if self.item else {}
        values = {each.name: "VARCHAR" if each.text else "DOUBLE" for each in self.columns.values()}
        if self.table == "sar_interrupt":
            # Four lines of five are of interrupts: the rates of an interval are one row.
            values = {"cpu": "VARCHAR", "names": "VARCHAR", "rates_per_s": "DOUBLE[]"}
        of_process = self.table == "pidstat_process"
        plausible = {
            name: (
                0.0 if name.endswith("_s") and self.table not in _SIGNED else -LARGEST,
                _MOST_PERCENT_OF_PROCESS
                if of_process and name.endswith("_percent")
                else most_of(name, _MOST_OF_ALL),
            )
            for name, kind in values.items()
            if kind != "VARCHAR"
        }
        # The shares of a processor; those of a process are of one processor, and may be more.
        shares = [name for name in values if self.item == "cpu" and name.endswith("_percent")]
        return Table(
            self.table, self.row, {**_COMMON, **items, **values, "line": "BIGINT"},
            plausible | dict.fromkeys(shares, SHARE_PERCENT),
        )  # fmt: skip


@dataclass(frozen=True)
class Layout:
    """How a heading is to be read.

    Parameters
    ----------
    activity : Activity
        Where its rows go.
    item : int or None
        Which of the names is that of the item; None if there is none.
    columns : tuple of (int, Column)
        For each value its place among the names, and where it goes.
    item_column : str
        The column of the item.
    across : tuple of str
        For a matrix, in which each column is another thing and each value gets a row of its
        own: the thing of each of ``columns``. Releases from 12.5.6 print interrupts so, one
        column per processor; those to 8.1.2 one row per processor, one column per interrupt.
    """

    activity: Activity
    item: int | None
    columns: tuple[tuple[int, Column], ...]
    item_column: str
    across: tuple[str, ...] = ()


def _column(listed: str) -> Column:
    name, _, kind = listed.partition(" ")
    return Column(name, _FACTORS[kind], text=kind == "text")


def _activities(listed: Mapping[str, _Listed]) -> tuple[Activity, ...]:
    return tuple(
        Activity(
            table, each.row, each.item, tuple(each.printed),
            {printed: _column(listed) for printed, listed in each.columns.items()},
        )
        for table, each in listed.items()
    )  # fmt: skip


ACTIVITIES = _activities(KNOWN.activities)

#: By the tool of sysstat that prints them.
OF_TOOL = {
    "sar": ACTIVITIES,
    **{
        tool: _activities(
            read_yaml(Path(__file__).parent.with_name(tool) / "activities.yml", Listed).activities
        )
        for tool in ("mpstat", "pidstat")
    },
}

#: By the name of the table.
BY_TABLE = {each.table: each for each in ACTIVITIES}


@lru_cache(maxsize=5000)
def layout_of(names: tuple[str, ...], tool: str = "sar") -> Layout | None:
    """How to read a section with this heading; None if no activity knows all its names.

    The name of the item may stand anywhere: the options -p and -h of newer releases put it
    last.
    """
    for activity in OF_TOOL[tool]:
        items = [place for place, name in enumerate(names) if name in activity.item_names]
        if len(items) != bool(activity.item) or len(set(names)) < len(names):
            continue
        columns = tuple(
            (place, activity.columns[name])
            for place, name in enumerate(names)
            if name in activity.columns
        )
        if columns and len(columns) + len(items) == len(names):
            return Layout(activity, items[0] if items else None, columns, activity.item)
    return _matrix(names) if tool == "sar" else None


#: Matrices of interrupts: the name of the item, its column, and the other names.
_MATRICES = (
    ("INTR", "interrupt", re.compile(r"(?:CPU)?(all|\d{1,5})")),
    ("CPU", "cpu", re.compile(r"i0*(\d{1,5})/s")),
)


def _matrix(names: tuple[str, ...]) -> Layout | None:
    for item, item_column, pattern in _MATRICES:
        found = [pattern.fullmatch(name) for name in names]
        across = tuple(match[1] for match in found if match)
        if names.count(item) == 1 and len(across) == len(names) - 1 and across:
            value = Column("interrupts_per_s")
            columns = tuple((place, value) for place, match in enumerate(found) if match)
            interrupts = BY_TABLE["sar_interrupt"]
            return Layout(interrupts, names.index(item), columns, item_column, across)
    return None
