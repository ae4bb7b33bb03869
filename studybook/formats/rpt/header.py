"""The stacked header rows of a report: one row per segment of the counters' paths.

The first cell of the first row is ``Time [ms]``, those below it are empty. The path of a
column is what its cells say from top to bottom; rows end where the last cell is that is not
empty. Cells are not quoted, so a page's name with a comma takes two cells.
"""

from __future__ import annotations

import csv
from collections import defaultdict

from studybook.errors import Refused
from studybook.formats.rpt.counter import Counter, counter_of, segments_of

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
