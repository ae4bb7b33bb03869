"""The stacked header rows of a report: one row per segment of the counters' paths.

The first cell of the first row is ``Time [ms]``, those below it are empty. The path of a
column is what its cells say from top to bottom; rows end where the last cell is that is not
empty. Cells are not quoted, so a page's name with a comma takes two cells.

What a path says: host, page or transaction, statistic, period, unit. The export to CSV spells a
statistic as the model of counters does (``Average interval``, ``Scalar For Run``), the reports on
the screen as people read it (``Average Execution Time for All Tests [ms] [for Run]``). Both are
read. What is not known stays a counter like any other, with its path as printed and no statistic.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from typing import NamedTuple

from studybook.errors import Refused
from studybook.formats.names import pairs

#: The first segments of a path that are no host, and what one item below each is.
SCOPES = pairs("""
    pages=page; page elements=page element; transactions=transaction; tests=test; loops=loop;
    run=run; resources=resource; agent_health=agent
""")

#: Names of the second segment that mean the same, and the one that the measure goes by. The
#: wall-clock time of a transaction is ``Execution Time`` in the model, ``Elapsed Time`` on
#: the screen.
_ALIASES = {"execution time": "elapsed time"}

#: Names of no item but of all items together.
_ALL = {f"all {name}" for name in SCOPES}

_COUNTERS = (
    "Response Time|Execution Time|Elapsed Time|Net Server Time|Net End-to-End Time|"
    "Attempts Completed|Attempts|Hits|Completed|Exited|Goodness|Health|Verification Points|"
    "Response Size|Redirections|Bytes|Active Users|Completed Users|Total Users"
)
_ONE_LINE = re.compile(
    rf"(?:(?P<host>All Hosts|\S+) )?(?P<group>{'|'.join(SCOPES)}) "
    rf"(?P<counter>{_COUNTERS})(?: (?P<rest>.+))?$",
    re.I,
)
_OF_ALL = re.compile(
    r"(?:.*\bfor all\b|total (?:page|bytes|transactions|goodness)\b|percent page vps\b|"
    r"page (?:element )?(?:attempt|hit) rate\b|transaction (?:start|completion) rate\b)",
    re.I,
)
_OF_ONE = re.compile(
    r"(?P<item>.+?) (?P<statistic>(?:average|min|max|minimum|maximum|rate|scalar|standard deviation"
    r"|cumulative standard deviation|percent goodness)(?: (?:interval|cumulative|for run|"
    r"for interval))?(?: \[[^]]*\])*)$",
    re.I,
)
_BRACKETS = re.compile(r"\[([^\]]*)\]")
_STATISTICS = {
    "standard_deviation": re.compile(r"standard deviation"),
    "percent": re.compile(r"percent (?!\d)"), "minimum": re.compile(r"min(imum)?\b"),
    "maximum": re.compile(r"max(imum)?\b"), "rate": re.compile(r".*\brate\b"),
    "average": re.compile(r"average\b"), "count": re.compile(r"(scalar|total|count)\b"),
}  # fmt: skip


class Counter(NamedTuple):
    """A counter, by what its path says; None for what it does not say."""

    path: str
    host: str | None
    group: str | None
    counter: str | None
    scope: str | None
    measure: str | None
    item: str | None
    statistic: str | None
    period: str | None
    unit: str | None


def segments_of(cell: str) -> list[str]:
    """Take a path of one cell apart: by slashes, by ``>``, or by the blanks between its parts.

    Only the parts that are known divide it, so a page's name may hold either.
    """
    for divider in (" > ", "/"):
        parts = cell.split(divider)
        known = [part.lower() in SCOPES for part in parts[:2]]
        if any(known):
            above = parts[: known.index(True) + 2]
            middle = parts[len(above) : -1]
            if "Element" not in middle:
                middle = [divider.join(middle)] if middle else []
            return [*above, *middle, *parts[len(above) :][-1:]]
    match = _ONE_LINE.match(cell)
    if not match:
        return [cell]
    start = [part for part in (match["host"], match["group"], match["counter"]) if part]
    rest = match["rest"]
    if not rest:
        return start
    one = None if _OF_ALL.match(rest) else _OF_ONE.match(rest)
    return [*start, one["item"], one["statistic"]] if one else [*start, rest]


def counter_of(segments: list[str]) -> Counter:
    """Say what a path means, by its parts from the host down to the statistic; at least one."""
    path = "/".join(segments)
    host = None if segments[0].lower() in SCOPES else segments[0]
    rest = segments[1:] if host else segments
    if len(rest) < 2:
        host = host if rest else None
        return Counter(path, host, None, (rest or segments)[0], None, None, None, None, None, None)
    group, counter, *middle = rest
    last = middle.pop() if middle else counter
    statistic, period, unit = _statistic(last)
    item = "/".join(middle) or None
    if item and item.lower() in _ALL:
        item = None
    scope = SCOPES.get(group.lower(), group.lower())
    if "page element" in last.lower() or (scope == "page" and len(middle) > 1):
        scope = "page element"
    measure = _BRACKETS.sub("", counter).strip().lower()
    measure = _ALIASES.get(measure, measure)
    if measure.endswith(" users") and statistic == "count":
        period = "level"
    return Counter(
        path, host, group, counter, scope, measure, item, statistic, period,
        unit or _unit(measure, statistic),
    )  # fmt: skip


def _statistic(text: str) -> tuple[str | None, str | None, str | None]:
    """Statistic, period and printed unit of the last part of a path."""
    unit = period = None
    for bracket in _BRACKETS.findall(text.lower()):
        if bracket in ("for run", "for interval"):
            period = bracket.removeprefix("for ")
        else:
            unit = {"per second": None}.get(bracket, bracket)
    words = " ".join(_BRACKETS.sub(" ", text).lower().split())
    if words.endswith("interval"):
        period = "interval"
    elif words.endswith(("for run", "cumulative")) or words.startswith(("cumulative ", "total ")):
        period = period or "run"
    for name, pattern in _STATISTICS.items():
        found = pattern.search(words) if name == "standard_deviation" else pattern.match(words)
        if found:
            return name, period, unit
    return None, period, unit


def _unit(measure: str, statistic: str | None) -> str | None:
    if statistic == "percent":
        return "%"
    if statistic == "rate":
        return "B/s" if measure == "bytes" else "1/s"
    if statistic == "count":
        return "B" if measure == "bytes" else "count"
    if statistic and measure.endswith("time"):
        return "ms"
    return "B" if statistic and measure == "response size" else None


#: More rows than any path has segments.
MOST_ROWS = 24


def cells_of(text: str, delimiter: str) -> list[str]:
    """The cells of a line; quoted ones without their quotes."""
    if '"' not in text:
        return text.split(delimiter)
    try:
        return next(csv.reader([text], delimiter=delimiter), [""])
    except csv.Error:
        # A cell of more than 128 KiB: a quote that nothing closes.
        return text.split(delimiter)


def counters_of(rows: list[list[str]], line: int, delimiter: str) -> tuple[list[Counter], int]:
    """Read the paths of all columns but the first from the cells of the header rows.

    Returns the counters by column, and how many names with a delimiter were put together again.

    Raises
    ------
    Refused
        If the rows do not fit together.
    """
    joined = 0
    width = len(rows[0])
    for number, row in enumerate(rows):
        if len(row) > width:
            rows[number] = _rejoined(row, width, line + number, delimiter)
            joined += len(row) - width
    columns = [
        [row[column] if column < len(row) else "" for row in rows] for column in range(width)
    ]
    counters = []
    for number, cells in enumerate(columns[1:], 2):
        segments = [cell.strip() for cell in cells if cell.strip()]
        if not segments or [cell.strip() for cell in cells[: len(segments)]] != segments:
            raise Refused(
                f"column {number} has {'a gap in its' if segments else 'no'} name: the header"
                " rows do not fit together",
                "export the report again, or look for a page with a comma in its name",
                line=line,
            )
        counters.append(counter_of(segments_of(segments[0]) if len(rows) == 1 else segments))
    if joined and not _complete(counters):
        raise _too_many(line, "the pages do not repeat when taken together")
    return counters, joined


def _rejoined(row: list[str], width: int, line: int, delimiter: str) -> list[str]:
    """Put names with a delimiter together: the part after it begins with a blank."""
    whole: list[str] = []
    for cell in row:
        if cell.startswith(" ") and cell.strip() and whole and whole[-1]:
            whole[-1] += delimiter + cell
        else:
            whole.append(cell)
    if len(whole) != width:
        raise _too_many(line, f"{len(row)} cells, where the first header row has {width}")
    return whole


def _complete(counters: list[Counter]) -> bool:
    """Whether all statistics of a counter are of the same pages."""
    items: dict[tuple[str | None, ...], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for each in counters:
        if each.item is not None:
            items[each.host, each.group, each.counter][each.path.rsplit("/", 1)[1]].add(each.item)
    return all(
        len({frozenset(names) for names in statistics.values()}) == 1
        for statistics in items.values()
    )


def _too_many(line: int, found: str) -> Refused:
    return Refused(
        f"this header row does not fit the one above it ({found}): probably the name of a page or"
        " transaction holds the character that divides the cells, which the export does not quote",
        "rename that page in the test and export the report again, or put the name in double"
        " quotes in the header rows",
        line=line,
    )
