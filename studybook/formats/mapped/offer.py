"""An unknown table with a header: the lines for run.yml that would map it."""

from __future__ import annotations

import json
import re
from typing import Any

from studybook.formats.raw import Head
from studybook.units import unit_of

#: Words by which columns tell that they are times, hosts or labels.
_TIME = re.compile(r"time|date|timestamp|^ts$|^when$", re.I)
#: A moment, by which a column tells it that has another name.
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d", re.A)
_HOST = re.compile(r"^(host(name)?|node|machine|server|instance)$", re.I)
_LABEL = re.compile(r"^(label|endpoint|url|path|operation|request|transaction|name)$", re.I)
_UNIX = ((10, "unix"), (13, "unix-ms"), (16, "unix-us"), (19, "unix-ns"))
#: Rates as headers spell them: their end, the end of the metric's name, and the unit in the file.
#: Bits have a small b; of the prefix, K and k are 1000, as nothing says that they are 1024.
_RATES = tuple((re.compile(rf"\W*(?:{pattern})\W*$"), name, unit) for pattern, name, unit in (
    (r"(?<![A-Za-z])[kK](?:b|bits?)(?:/s(?:ec)?|ps)|_[kK]bit_s", "mbit_s", "kbit/s"),
    (r"(?<![A-Za-z])([MG])(?:b|bits?)(?:/s(?:ec)?|ps)", "mbit_s", r"\1bit/s"),
    (r"(?<![A-Za-z])[kK]B(?:/s(?:ec)?|ps)|_[kK][bB]_s", "mb_s", "kB/s"),
    (r"(?<![A-Za-z])([GT]iB|TB)(?:/s(?:ec)?|ps)", "mib_s", r"\1/s"),
    (r"(?<![A-Za-z])B(?:/s(?:ec)?|ps)", "mib_s", "B/s"),
    (r"(?<=\w)(?:/|[\W_]per[\W_])\s*min(?:ute)?", "per_s", "1/min"),
    (r"(?<![kKMGT]B)(?<![KMGT]iB)/\s*s(?:ec|econd)?", "per_s", "1/s"),
))  # fmt: skip
_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?(e[-+]?\d+)?", re.A | re.I)

#: Rows that are looked at, and columns that are offered.
_ROWS, _MOST = 20, 40


def offered(name: str, head: Head) -> str:
    """Lines for ``files`` in a run.yml that would map a table; empty if it looks like none.

    Parameters
    ----------
    name : str
        Its path in the run's folder.
    head : Head
        Its first lines.
    """
    delimiter, rows = _rows(head)
    if not rows:
        return ""
    columns = {key: [str(row.get(key, "")).strip() for row in rows] for key in rows[0]}
    numbers = [key for key, cells in columns.items() if _all_numbers(cells)]
    dated = (key for key, cells in columns.items() if all(map(_MOMENT.match, cells)))
    time = next((key for key in columns if _TIME.search(key)), None) or next(dated, None)
    metrics = [key for key in numbers if key != time and not _LABEL.match(key)][:_MOST]
    if not metrics:
        return ""
    table: list[str] = []
    if time:
        table.append(f"time: {_said(time)}")
        if how := _time_format(columns[time]):
            table.append(f"time_format: {how}")
    for key, pattern in (("host", _HOST), ("label", _LABEL)):
        if found := next((each for each in columns if pattern.match(each)), None):
            table.append(f"{key}: {_said(found)}")
    if delimiter not in ("", ","):
        table.append(f"delimiter: {json.dumps(delimiter)}")
    if any("," in cell for key in metrics for cell in columns[key]):
        table.append("decimal: ','")
    lines = [f"- path: {_said(name)}", "  table:", *(f"    {each}" for each in table)]
    lines.append("    metrics:")
    for key in metrics:
        metric, unit = _metric(key)
        said = f", unit: {_said(unit)}" if unit else ""
        lines.append(f"      - {{column: {_said(key)}, name: {metric}{said}}}")
    return "\n".join(lines)


def _metric(column: str) -> tuple[str, str]:
    """The name of a metric for a column, with a unit at its end, and the unit of its numbers.

    What looks like a unit and is none is spelt otherwise: ``rtt_min`` is hardly in minutes.
    """
    found = column
    unit = ""
    for pattern, name, of_file in _RATES:
        if match := pattern.search(column):
            front = column[: match.start()] or "rate"
            found, unit = f"{front} {name}", match.expand(of_file)
            break
    metric = re.sub("[^a-z0-9]+", "_", found.lower()).strip("_") or "value"
    metric = metric if metric[0].isalpha() else f"value_{metric}"
    metric = re.sub("(?<![a-z0-9])min$", "minimum", metric)
    if not unit_of(f"_{metric}")[0]:
        metric = f"rate_{metric}" if metric.endswith("_s") else f"value_{metric}"
    return metric, unit or unit_of(metric)[1]


def _rows(head: Head) -> tuple[str, list[dict[str, Any]]]:
    """The delimiter (none of JSON) and the first rows."""
    lines = [line for line in head.lines if line.strip()][: _ROWS + 1]
    if not lines:
        return "", []
    if lines[0].lstrip().startswith("{"):
        return "", [*filter(None, map(_object, lines))]
    header = lines[0].lstrip("\ufeff")
    delimiter = max(",;\t|", key=header.count)
    names = [each.strip().strip('"') for each in header.split(delimiter)]
    if len(names) < 2 or len(set(names)) < len(names) or not all(names):
        return "", []
    if any(_NUMBER.fullmatch(each) for each in names):
        return "", []  # no header
    rows = [line.split(delimiter) for line in lines[1:]]
    whole = [row for row in rows if len(row) == len(names)]
    if not whole or len(whole) < len(rows) - 1:  # the last may be cut
        return "", []
    return delimiter, [
        dict(zip(names, (cell.strip().strip('"') for cell in row), strict=True)) for row in whole
    ]


def _object(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _all_numbers(cells: list[str]) -> bool:
    there = [cell for cell in cells if cell]
    return bool(there) and all(_NUMBER.fullmatch(cell) for cell in there)


def _time_format(cells: list[str]) -> str:
    first = next((cell for cell in cells if cell), "")
    digits = re.match(r"\d*", first)
    whole = digits[0] if digits else ""
    if _NUMBER.fullmatch(first):
        return next((how for length, how in _UNIX if len(whole) == length), "")
    return ""


def _said(text: str) -> str:
    """A text as a value of YAML."""
    return text if re.fullmatch(r"[A-Za-z_][\w./]*", text) else json.dumps(text, ensure_ascii=False)
