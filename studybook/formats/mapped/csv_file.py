"""Tables as CSV, by the mapping of their run."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from studybook.formats.contract import Reading
from studybook.formats.mapped.rows import Rows
from studybook.formats.raw import LONGEST_LINE, RawFile

#: A row of more lines than this has a quote that was never closed.
_MOST_LINES = 100


def read_csv(raw: RawFile, out: Reading) -> None:
    """Read a CSV with a header, or with the names of columns that its mapping has.

    Raises
    ------
    Refused
        If a column of the mapping is not there, or no row can be read.
    """
    rows = Rows(out)
    skip, delimiter = rows.mapping.skip, rows.mapping.delimiter
    names, printed = [*rows.mapping.header], [""]
    if names:
        rows.check(names, skip + 1)
    for line, lines, text in _logical_lines(raw, skip):
        cells = cells_of(text, delimiter)
        if line <= skip or not text.strip():
            out.heading(lines)
        elif cells and not names:
            names, printed = [cell.strip().lstrip("\ufeff") for cell in cells], cells
            rows.check(names, line)
            out.heading(lines)
        elif cells == printed:  # tools print it again, as where one export is appended to another
            out.heading(lines)
        elif cells is None or len(cells) != len(names):
            have = "quotes out of place" if cells is None else f"{len(cells)} cells"
            out.remark(line, f"the row is not read: it has {have}, the header {len(names)} columns")
            for number, part in enumerate(text.split("\n"), line):
                out.unknown(number, part)
        else:
            rows.take(line, lines, dict(zip(names, cells, strict=True)), text)
    rows.close()


def _logical_lines(raw: RawFile, skip: int) -> Iterator[tuple[int, int, str]]:
    """Rows as text, with their first line and number of lines: quotes may hold line ends.

    They do not in lines that are skipped.
    """
    first, held = 0, ""
    for number, text in raw.lines():
        if number <= skip:
            yield number, 1, text
            continue
        first, held = (first, f"{held}\n{text}") if held else (number, text)
        if held.count('"') % 2 and number - first < _MOST_LINES and len(held) < LONGEST_LINE:
            continue
        yield first, number - first + 1, held
        first, held = 0, ""
    if held:
        yield first, held.count("\n") + 1, held


def cells_of(text: str, delimiter: str) -> list[str] | None:
    """The cells of a row; None where its quotes are out of place."""
    if len(text) >= LONGEST_LINE:
        return None
    blank = delimiter == " "
    if '"' not in text:
        return text.split() if blank else text.split(delimiter)
    try:
        lines = (text.strip(" ") if blank else text).splitlines(keepends=True)
        return next(csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=blank), [])
    except csv.Error:
        return None
