"""The first rows of an unknown table, whatever it is written in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from studybook.formats.json_documents import DEEPEST
from studybook.formats.mapped.csv_file import cells_of
from studybook.formats.mapped.json_file import Columns
from studybook.formats.raw import Head

#: A moment, by which a column tells it that has another name.
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d", re.A)
DAY, CLOCK = re.compile(r"\d{4}-\d\d-\d\d", re.A), re.compile(r"\d\d:\d\d(:\d\d(\.\d+)?)?", re.A)
#: What parts JSON; strings hold marks that do not.
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{},]')
#: Cells that another mark would part.
_MIXED = re.compile(r"\d\s*[;\t|]|\d \d")
NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?(e[-+]?\d+)?", re.A | re.I)
#: Members of JSON that say how something was measured, and are no results.
_ABOUT = re.compile(r"(^|\.)(metadata|context|options|params|\w+_info)(\.|$)", re.I)

#: Rows and lines that are looked at.
_ROWS, _LINES = 20, 100


@dataclass(frozen=True)
class Found:
    """The first rows of a table, by the names of their columns.

    There is no delimiter in JSON, and a way where rows are within its objects; ``skip`` lines stand
    before the table; names are made up where it has none.
    """

    rows: list[dict[str, Any]]
    delimiter: str = ""
    skip: int = 0
    made_up: bool = False
    way: str = ""
    is_document: bool = False

    def is_of_rows(self, column: str) -> bool:
        """Whether a column is of the rows themselves, and may be a result."""
        return not self.way or (
            f"{column}.".startswith(f"{self.way}.") and not _ABOUT.search(self.short(column))
        )

    def short(self, column: str) -> str:
        """The name of a column within its row."""
        if not self.way:
            return column
        return column.removeprefix(f"{self.way}.") if column != self.way else last_of(column)

    def nearest(self, columns: Iterable[str]) -> list[str]:
        """Columns that may tell rows apart, those of the rows themselves first."""
        outer = self.way.split(".")[0]
        tell = [each for each in columns if not outer or each.split(".")[0] == outer]
        return sorted(tell, key=lambda each: not each.startswith(f"{self.way}."))


def first_rows(head: Head) -> Found | None:
    """The first rows of the table that a file begins with; None where it seems to hold none."""
    # As files are read: other marks that part lines are within them.
    lines = [each for each in enumerate(re.split("\r\n|\r|\n", head.text)) if each[1].strip()]
    if lines and lines[0][1].lstrip("\ufeff ").startswith("{"):
        rows = [*filter(None, (_object(line) for _, line in lines[: _ROWS + 1]))]
        within = _document(head.text) if len(rows) < 2 else None
        return within or (Found([*map(Columns().flat, rows)]) if rows else None)
    if lines and lines[0][1].lstrip("\ufeff ").startswith("[") and (found := _document(head.text)):
        return found
    parted = [each for each in (_parted(lines[:_LINES], mark) for mark in ",;\t|") if each]
    # Other marks stand within cells, too; a blank is in all texts, and counts where no other does.
    best = max(parted, key=lambda each: (not each.made_up, len(each.rows[0])), default=None)
    return best or _parted(lines[:_LINES], " ")


def _document(text: str) -> Found | None:
    """The rows of a document of JSON, of which the end may be missing."""
    value = _begun(text)
    if isinstance(value, list):
        rows = [Columns().flat(each) for each in value[:_ROWS] if isinstance(each, dict)]
        return Found(rows, is_document=True) if rows else None
    ways = [*_ways(value)] if isinstance(value, dict) else []
    if not ways:
        return None
    way = next((way for way, of_objects in ways if of_objects), ways[0][0])
    return Found([*islice(Columns().rows(value, way.split(".")), _ROWS)], way=way, is_document=True)


def _ways(value: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Where results stand in an object: arrays of numbers, and of objects that have some."""
    below = [("", value)]
    while below:  # those nearest to the outermost object come first
        (name, outer), *below = below
        for key, inner in outer.items():
            within = f"{name}.{key}" if name else key
            if _ABOUT.search(within) or "." in key:
                continue
            entries = inner if isinstance(inner, list) else [inner]
            if alike := isinstance(inner, dict) and _alike([*inner.values()]):
                within, entries = f"{within}.*", [*inner.values()][:1]
            if isinstance(inner, list) and any(map(_is_number, inner)):
                yield within, False
            for entry in [each for each in entries[:_ROWS] if isinstance(each, dict)]:
                if (alike or isinstance(inner, list)) and any(
                    _is_number(each) and not _ABOUT.search(of)
                    for of, each in Columns().flat(entry).items()
                ):
                    yield within, True
                below.append((within, entry))


def _alike(members: list[Any]) -> bool:
    """Whether members of an object are as entries of an array: objects with the same keys."""
    keys = [[*each] if isinstance(each, dict) else [] for each in members]
    return len(keys) > 1 and bool(keys[0]) and all(each == keys[0] for each in keys)


def _begun(text: str) -> Any:
    """What a text of JSON holds, up to the last member that is whole where its end is missing."""
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    closing: list[str] = []
    whole = 0
    open_then = ""
    for match in _MARKS.finditer(text):
        mark = match[0]
        if mark in "[{":
            closing.append("]" if mark == "[" else "}")
        elif mark in "]}" and closing:
            closing.pop()
        if len(closing) > DEEPEST:
            return None
        if mark in ",]}":
            whole, open_then = match.start() + (mark != ","), "".join(reversed(closing))
    with suppress(ValueError, RecursionError):
        return json.loads(text[:whole] + open_then)
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def last_of(column: str) -> str:
    """The last part of a name such as ``results.command``."""
    return column.rpartition(".")[2]


def _parted(lines: list[tuple[int, str]], delimiter: str) -> Found | None:
    """The table that ends a head, if its rows have as many cells as one another."""
    split = [
        [cell.strip() for cell in cells_of(line.lstrip("\ufeff"), delimiter) or ()]
        for _, line in lines
    ]
    if len(split) < 2:
        return None
    if len(split) > 2 and len(split[-1]) != len(split[-2]):
        split.pop()  # the last may be cut
    first = len(split) - 1
    while first > 0 and len(split[first - 1]) == len(split[-1]):
        first -= 1
    # Lines above it that have values are rows, of this table or of another.
    if any(len(row) > 1 and any(map(_is_value, row)) for row in split[:first]):
        return None
    block = split[first : first + _ROWS + 1]
    if not any(map(_is_value, block[0])):  # a header may stand there again
        block = [block[0], *(row for row in block[1:] if row != block[0])]
    if len(block) < 2 or len(block[0]) < 2:
        return None
    begin = next((place for place, row in enumerate(block) if _is_header(row, block)), -1) + 1
    names = block[begin - 1] if begin else []
    made_up = not names or not all(names) or len(set(names)) < len(names)
    rows = block[begin:]
    if any(_MIXED.search(cell) and not MOMENT.match(cell) for row in rows for cell in row):
        return None  # another mark parts them
    skip = lines[first + begin - (not made_up)][0]
    values = max((sum(map(_is_value, row)) for row in rows), default=0)
    # Words of a text may be as many in each line, and some of them numbers.
    if made_up or skip or delimiter == " ":
        fewest = 3 if delimiter == " " else 2
        if len(rows) < max(2, skip) or not fewest <= len(rows[0]) <= 2 * values:
            return None
    if made_up:
        names = [f"c{number}" for number in range(1, len(block[0]) + 1)]
    return Found([dict(zip(names, row, strict=True)) for row in rows], delimiter, skip, made_up)


def _is_header(row: list[str], block: list[list[str]]) -> bool:
    """Whether a row is the last one above values: it has words where all behind it have values."""
    behind = block[block.index(row) + 1 :]
    return bool(behind) and any(
        not _is_value(cell) and all(_is_value(each[place]) or not each[place] for each in behind)
        and any(each[place] for each in behind)
        for place, cell in enumerate(row)
    )  # fmt: skip


def _is_value(cell: str) -> bool:
    return bool(MOMENT.match(cell)) or any(
        pattern.fullmatch(cell) for pattern in (NUMBER, DAY, CLOCK)
    )


def _object(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
