"""The parser to compare with: ``sar`` text by ``line.split()``, as one would write it at first.

It takes the files of this benchmark and no others: no locale, no live layout, no account of
lines. Rows go to DuckDB through Arrow, many at once, one table per heading.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

_ROWS_AT_ONCE = 100_000


class _Section:
    """Rows of one heading on their way to a table."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, words: list[str]) -> None:
        self._connection = connection
        self._name = '"' + " ".join(words) + '"'
        self._there = False
        self._names = ["time", *words]
        self.item_first = words[0] in ("CPU", "INTR", "TTY", "DEV", "IFACE")
        self.item_last = words[-1] == "FILESYSTEM"
        self.rows: list[tuple[Any, ...]] = []
        self.time: datetime | None = None

    def at(self, time: datetime) -> datetime:
        """A time of day with its day: the next one if time went back."""
        if self.time is not None:
            while time < self.time:
                time += timedelta(days=1)
        self.time = time
        return time

    def flush(self) -> None:
        """Insert what is waiting."""
        if not self.rows:
            return
        columns = [pa.array(column) for column in zip(*self.rows, strict=True)]
        self._connection.register("rows_read", pa.table(columns, names=self._names))
        how = f"INSERT INTO {self._name}" if self._there else f"CREATE TABLE {self._name} AS"
        self._connection.execute(f"{how} SELECT * FROM rows_read")
        self._connection.unregister("rows_read")
        self._there = True
        self.rows.clear()


def parse(path: Path, connection: duckdb.DuckDBPyConnection, date: datetime) -> None:
    """Read ``sar`` text into tables.

    Parameters
    ----------
    path : pathlib.Path
        Text of ``sar -A``, as this benchmark makes it.
    connection : duckdb.DuckDBPyConnection
        An empty database.
    date : datetime
        Midnight before the first sample.
    """
    sections: dict[str, _Section] = {}
    section: _Section | None = None
    stamp, time = "", date
    with path.open(encoding="utf-8") as stream:
        next(stream)
        for line in stream:
            words = line.split()
            if not words:
                section, stamp = None, ""
            elif section is None:
                if words[1] != "LINUX":
                    heading = " ".join(words[1:])
                    section = sections.get(heading)
                    if section is None:
                        section = sections[heading] = _Section(connection, words[1:])
            elif line[0].isdigit():
                if words[0] != stamp:
                    stamp = words[0]
                    hour, minute, second = map(int, stamp.split(":"))
                    time = section.at(date + timedelta(0, hour * 3600 + minute * 60 + second))
                if section.item_first:
                    section.rows.append((time, words[1], *map(float, words[2:])))
                elif section.item_last:
                    section.rows.append((time, *map(float, words[1:-1]), words[-1]))
                else:
                    section.rows.append((time, *map(float, words[1:])))
                if len(section.rows) >= _ROWS_AT_ONCE:
                    section.flush()
    for section in sections.values():
        section.flush()
