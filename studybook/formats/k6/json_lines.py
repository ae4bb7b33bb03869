"""k6's results as JSON, ``k6 run --out json=FILE``: a line for each value, as in its CSV.

Lines of the type Metric say what a metric is; those of the type Point have a value each. Real files
were seen; the fields are those of k6's manual.
"""

from __future__ import annotations

import json
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.k6.reader import KEPT, LARGEST, SAMPLE, row_of, time_of
from studybook.formats.raw import LONGEST_LINE, Head, RawFile

#: Tags of k6's own that the table has no place for, as its CSV has columns for them.
_NOT_KEPT = {
    "ip", "iter", "ocsp_status", "proto", "rpc_type", "service", "subproto", "tls_version", "vu",
}  # fmt: skip


def recognise(head: Head) -> bool:
    """Whether the file begins with a metric or with a value of one."""
    return _line(head.first.lstrip("\ufeff")) is not None


def read(raw: RawFile, out: Reading) -> None:
    """Read the values of the file.

    Raises
    ------
    Refused
        If there is none.
    """
    values = 0
    for number, text in raw.lines():
        found = _line(text.lstrip("\ufeff")) if text.strip() else {}
        if found is None:
            out.unknown(number, text)
        elif found.get("type") != "Point":
            out.heading()
        elif row := _row(found["metric"], found["data"]):
            out.record(SAMPLE.name, **row, line=number)
            out.used()
            values += 1
        else:
            out.unknown(number, text)
    if not values:
        raise Refused(
            "has metrics of k6, but no value",
            "run the test again by: k6 run --out json=FILE SCRIPT",
            line=out.first_unknown,
        )


def _line(text: str) -> dict[str, Any] | None:
    """What a line holds; None if it is none of k6's."""
    if not text.startswith("{") or len(text) >= LONGEST_LINE // 4:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    well = (
        isinstance(found.get("metric"), str)
        and isinstance(found.get("data"), dict)
        and found.get("type") in ("Metric", "Point")
    )
    return found if well and found["metric"] else None


def _row(metric: str, data: dict[str, Any]) -> dict[str, Any] | None:
    """A value; None if it is none."""
    value, tags = data.get("value"), data.get("tags") or {}
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= LARGEST:
        return None
    time = time_of(str(data.get("time")))
    if time is None or not isinstance(tags, dict):
        return None
    given = {str(name): str(tag) for name, tag in tags.items() if tag is not None}
    own = [f"{name}={tag}" for name, tag in given.items() if name not in KEPT.keys() | _NOT_KEPT]
    given["extra_tags"] = "&".join(own)
    return row_of({**given, "metric_name": metric}, time, float(value))
