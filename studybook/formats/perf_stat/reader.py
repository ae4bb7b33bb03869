"""perf stat: counts of events, as ``-x`` and ``-j`` print them, a line each.

What perf prints without these, for people, is read by :mod:`studybook.formats.perf_stat.printed`.

Outputs of release 6.1 were recorded: of a command, by interval (``-I``), by processor (``-a -A``)
and of several repetitions (``-r``). Other groupings (``--per-socket``, ``--for-each-cgroup``) are
not understood. With ``-r`` a count is the mean of the repetitions, and has its scatter beside it.

An event that shared a counter with others was counted for a part of the time; perf then scales what
it counted, and ``running_percent`` is less than 100. The date, of the host's clock, is that of the
beginning, and there only where perf wrote to a file.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from studybook.formats.contract import Reading, never_negative, tables
from studybook.formats.json_documents import count, text
from studybook.formats.raw import LONGEST_LINE, Head, RawFile
from studybook.text import counted

COUNT, RUN = never_negative(
    tables("""
perf_count: how often an event happened in a run of perf stat, or in an interval of it
    run_no BIGINT,
    -- The beginning of the run, by the clock of the host.
    started_local TIMESTAMP,
    -- Of an interval, its end; NULL for the run as a whole.
    since_start_s DOUBLE,
    -- NULL for all together.
    cpu BIGINT, event VARCHAR,
    -- NULL where it was not counted; status says why.
    value DOUBLE, unit VARCHAR, status VARCHAR,
    -- Standard deviation of the mean of several repetitions, of the mean.
    scatter_percent DOUBLE, runtime_ns BIGINT, running_percent DOUBLE,
    -- What perf makes of it, such as per second.
    derived_value DOUBLE, derived_unit VARCHAR, line BIGINT

perf_run: what a run of perf stat counted, and how long it took
    run_no BIGINT, started_local TIMESTAMP,
    -- The command; NULL where perf counted the whole system, or processes that were there before.
    command VARCHAR,
    -- Repetitions of the command (-r), of which all values are means.
    repetitions BIGINT, elapsed_s DOUBLE, user_s DOUBLE, system_s DOUBLE,
    -- Standard deviation of the mean of the repetitions, of the mean.
    elapsed_scatter_percent DOUBLE,
    -- What ended the command, as perf calls it; NULL where it ended by itself, well or not.
    signal VARCHAR, line BIGINT
"""),
    "derived_value",
)

STARTED = re.compile(r"# started on (\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})$")
_NUMBER = re.compile(r"\d{1,18}(?:\.\d{1,12})?$", re.A)
_NOT = re.compile(r"<not (counted|supported)>$")
_EVENT = re.compile(r"[A-Za-z][\w.:/=,@-]{1,120}$", re.A)
_CPU = re.compile(r"CPU(\d{1,6})$")
_UNIT = re.compile(r"[A-Za-z%]{0,20}$", re.A)
_PERCENT = re.compile(r"\d{1,3}\.\d\d$", re.A)
_SEPARATORS = ",;\t|"
#: Keys of JSON that say of which part of the machine, or of whose processes, a count is.
_GROUPS = frozenset(("socket", "die", "cluster", "cache", "core", "node", "thread", "cgroup"))

Row = dict[str, Any]


def recognise_csv(head: Head) -> bool:
    """Whether the first line that is no comment is a count."""
    first = next((each for each in head.lines if each.strip() and not each.startswith("#")), "")
    return _row_of_cells(first) is not None


def recognise_json(head: Head) -> bool:
    """Whether the first line that is no comment is an object with a count."""
    first = next((each for each in head.lines if each.strip() and not each.startswith("#")), "")
    return '"counter-value"' in first and '"event"' in first and first.startswith("{")


def read_csv(raw: RawFile, out: Reading) -> None:
    """Read the counts of CSV."""
    _read(raw, out, _row_of_cells)


def read_json(raw: RawFile, out: Reading) -> None:
    """Read the counts of JSON."""
    _read(raw, out, _row_of_json)


def _read(raw: RawFile, out: Reading, row_of: Callable[[str], Row | None]) -> None:
    run: Row = {"run_no": -1}
    scaled = missing = 0
    for line, plain in raw.lines():
        if match := STARTED.match(plain.strip()):
            run = {"run_no": run["run_no"] + 1, "started_local": started(match[1])}
            out.used()
        elif not plain.strip():
            out.heading()
        elif len(plain) < LONGEST_LINE // 4 and (row := row_of(plain)):
            run["run_no"] = max(run["run_no"], 0)
            out.record(COUNT.name, line=line, **run, **row)
            out.used()
            missing += row["value"] is None
            scaled += row["value"] is not None and (row["running_percent"] or 100.0) < 100.0
        else:
            out.unknown(line, plain)
    say(out, missing, scaled)


def say(out: Reading, missing: int, scaled: int) -> None:
    """Remark how many counts are missing, and how many are estimates."""
    if missing:
        few = "is" if missing == 1 else "are"
        out.remark(
            1, f"{counted(missing, 'count')} {few} missing: perf could not count these events here"
        )
    if scaled:
        few = "is an estimate" if scaled == 1 else "are estimates"
        out.remark(
            1,
            f"{counted(scaled, 'count')} {few}: the event was counted for a part of the time only,"
            " and perf scaled it up",
        )


def _row_of_cells(plain: str) -> Row | None:
    """A count of CSV; None if the line is none."""
    separator = next((each for each in _SEPARATORS if plain.count(each) >= 4), None)
    if separator is None or len(plain) > 1000:
        return None
    cells = [cell.strip() for cell in plain.split(separator)]
    row: Row = {"since_start_s": None, "cpu": None}
    if _NUMBER.match(cells[0]) and (_is_value(cells[1]) or _CPU.match(cells[1])):
        row["since_start_s"] = float(cells.pop(0))
    if match := _CPU.match(cells[0]):
        row["cpu"] = int(match[1])
        cells.pop(0)
    if not 5 <= len(cells) <= 8 or not _is_value(cells[0]) or not _UNIT.match(cells[1]):
        return None
    value, unit, event, *more = cells
    if not is_event(event):
        return None
    scatter = _float(more.pop(0).removesuffix("%")) if more[0].endswith("%") else None
    if len(more) < 2 or not re.fullmatch(r"\d{1,25}", more[0], re.A) or not _PERCENT.match(more[1]):
        return None
    return row | _counted(value) | {
        "event": event, "unit": unit or None, "scatter_percent": scatter,
        "runtime_ns": int(more[0]) if len(more[0]) < 19 else None,
        "running_percent": _float(more[1]),
        "derived_value": _float(more[2]) if len(more) > 3 and more[3] else None,
        "derived_unit": (more[3][:100] or None) if len(more) > 3 else None,
    }  # fmt: skip


def _row_of_json(plain: str) -> Row | None:
    """A count of JSON; None if the line is none."""
    try:
        found = json.loads(plain)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.keys() & _GROUPS:
        return None
    value, event = text(found.get("counter-value")), text(found.get("event"))
    if value is None or event is None or not _is_value(value) or not is_event(event):
        return None
    cpu, unit = found.get("cpu"), text(found.get("metric-unit")) or None
    return _counted(value) | {
        "event": event, "unit": text(found.get("unit")) or None,
        "since_start_s": _float(found.get("interval")),
        "cpu": int(cpu) if isinstance(cpu, str) and re.fullmatch(r"\d{1,6}", cpu, re.A) else None,
        "scatter_percent": _float(found.get("variance")),
        "runtime_ns": count(found.get("event-runtime")),
        "running_percent": _float(found.get("pcnt-running")),
        "derived_value": _float(found.get("metric-value")) if unit else None, "derived_unit": unit,
    }  # fmt: skip


def is_event(name: str) -> bool:
    """Whether this can be the name of an event."""
    return bool(_EVENT.match(name))


def _is_value(cell: str) -> bool:
    return bool(_NUMBER.match(cell) or _NOT.match(cell))


def _counted(cell: str) -> Row:
    """A value, and whether there is one."""
    if match := _NOT.match(cell):
        return {"value": None, "status": f"not {match[1]}"}
    return {"value": float(cell), "status": "counted"}


def _float(value: Any) -> float | None:
    """A number, as such or as text; None if it is none."""
    if isinstance(value, str):
        return float(value) if _NUMBER.match(value) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e18:
        return None
    return float(value) if math.isfinite(value) else None


def started(printed: str) -> datetime | None:
    """The beginning of a run, as perf prints it in English."""
    try:
        return datetime.strptime(printed, "%a %b %d %H:%M:%S %Y")
    except ValueError:
        return None
