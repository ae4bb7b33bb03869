"""The names that ``sadf -j`` and ``sadf -x`` have for what ``sar`` prints.

Most follow from those of ``sar`` by a rule, the others stand in ``activities.yml``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from studybook.formats.contract import KEPT_NAMES
from studybook.formats.sar.activities import BY_TABLE, KNOWN, Activity, Group

Names = tuple[str, ...]

#: What sadf -j and -x print twice, in sectors as well as in kB.
_TWICE = {
    "rd_sec": "rkB", "wr_sec": "wkB", "dc_sec": "dkB", "avgrq-sz": "areq-sz",
    "avgqu-sz": "aqu-sz",
}  # fmt: skip

#: How names of pressure begin, by the table.
_PRESSURE = {"sar_pressure_cpu": "cpu", "sar_pressure_io": "io", "sar_pressure_memory": "mem"}


class Plan(NamedTuple):
    """Values that make one row: their names in ``sar``, and in the export."""

    names: Names
    keys: Names


def known(group: str) -> bool:
    """Whether the group has values that a table is made for."""
    return group in KNOWN.groups


@lru_cache(KEPT_NAMES)
def plans(group: str, keys: Names) -> tuple[Plan, ...]:
    """How to read the values with these keys: most often as one row.

    Parameters
    ----------
    group : str
        What the values are of, such as ``net-dev``.
    keys : tuple of str
        Their keys, such as ``("iface", "rxpck")``.
    """
    listed = KNOWN.groups.get(group, Group(tables=[]))
    activities = [BY_TABLE[table] for table in listed.tables]
    items = [(name, key) for name, each in listed.items.items() for key in each if key in keys][:1]
    values = [
        key for key in keys if (key not in dict(items).values()) and _TWICE.get(key) not in keys
    ]
    whole = [each for each in activities if all(_printed(each, key) for key in values)]
    rows: dict[str, list[tuple[str, str]]] = {}
    for key in values:
        found = (
            (each.table, name) for each in whole or activities if (name := _printed(each, key))
        )
        table, name = next(found, ("", f"{group}.{key}"))
        rows.setdefault(table, [*items]).append((name, key))
    return tuple(Plan(*map(tuple, zip(*pairs, strict=True))) for pairs in rows.values())


def _printed(activity: Activity, key: str) -> str | None:
    """The name of a value in ``sar``, if the activity knows it."""
    kind = _PRESSURE.get(activity.table, "")
    pressure = key.replace("some_avg", f"%s{kind}-").replace("full_avg", f"%f{kind}-").rstrip("-")
    candidates = (
        KNOWN.irregular.get(activity.table, {}).get(key, ""), key, f"{key}/s", f"kb{key}",
        "%" + key.removesuffix("-percent").removeprefix("percent-"), pressure,
    )  # fmt: skip
    return next((name for name in candidates if name in activity.columns), None)
