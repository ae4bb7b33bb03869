"""Facts of a run that the records of a raw file tell: users, packet sizes, roles of hosts.

Which column tells what stands in ``knowledge.yml``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import yaml
from pydantic import Field

from studybook.checked_yaml import Strict


class _Column(Strict):
    table: str
    column: str
    where: dict[str, str] = Field(default_factory=dict)

    def values(self, table: str, rows: pa.Table) -> pa.ChunkedArray | None:
        """Its values in rows of a table, without those that are missing; None of another table."""
        if table != self.table:
            return None
        for name, value in self.where.items():
            rows = rows.filter(pc.equal(rows[name], value))
        return rows[self.column].drop_null()


class _Factor(_Column):
    divided_by: float = 1
    only: bool = False


class _HostKind(_Column):
    kind: str = Field(alias="is")


class _SinceStart(_Column):
    unit_s: float


class Knowledge(Strict):
    """What raw exports tell of a run, beside their records."""

    drivers: frozenset[str]
    settings: frozenset[str]
    of_one_host: frozenset[str]
    endings: Mapping[str, tuple[str, ...]]
    factors: Mapping[str, tuple[_Factor, ...]]
    hosts: tuple[_HostKind, ...]
    zones: tuple[_Column, ...]
    since_start: tuple[_SinceStart, ...]


@cache
def knowledge() -> Knowledge:
    """The content of ``knowledge.yml``."""
    text = Path(__file__).with_name("knowledge.yml").read_text(encoding="utf-8")
    return Knowledge.model_validate(yaml.safe_load(text))


def of_one_file() -> set[str]:
    """Factors of which two files of a run tell nothing: loads side by side have one value each."""
    return {name for name, columns in knowledge().factors.items() if any(c.only for c in columns)}


class Facts:
    """Facts that the records of one file tell.

    Attributes
    ----------
    factors : dict
        The largest value of each factor that the file speaks of; NaN if there should be one only.
    kinds : dict
        The kind of each host of which the file says one, by its name.
    zones : set of str
        Zones of its local times, as their tool prints them.
    lasts_s : float
        Seconds from the start of what it records to its last row, where rows have no times.
    """

    def __init__(self) -> None:
        self.factors: dict[str, float] = {}
        self.kinds: dict[str, str] = {}
        self.zones: set[str] = set()
        self.lasts_s = 0.0

    def see(self, table: str, rows: pa.Table) -> None:
        """Take in a batch of records."""
        known = knowledge()
        for name, columns in known.factors.items():
            for column in columns:
                if (value := _largest(column.values(table, rows))) is not None:
                    value = value / column.divided_by
                    before = self.factors.get(name, value)
                    several = pc.count_distinct(column.values(table, rows)).as_py() > 1
                    if column.only and (several or value != before):
                        self.factors[name] = math.nan
                    else:
                        self.factors[name] = max(before, value)
        for each in known.hosts:
            values = each.values(table, rows)
            for cell in pc.unique(values).to_pylist() if values is not None else ():
                for host in filter(None, map(str.strip, str(cell).split(","))):
                    self.kinds.setdefault(host, each.kind)
        for printed in known.zones:
            if (values := printed.values(table, rows)) is not None:
                self.zones.update(pc.unique(values).to_pylist())
        for since in known.since_start:
            if (value := _largest(since.values(table, rows))) is not None:
                self.lasts_s = max(self.lasts_s, value * since.unit_s)


def _largest(values: pa.ChunkedArray | None) -> float | None:
    found: Any = pc.max(values).as_py() if values is not None and len(values) else None
    return None if found is None else float(found)
