"""A file that is cut off: each value is one of the whole file's, or is not there."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from studybook.errors import Refused
from studybook.formats import named
from tests.formats.test_formats import ONE_OF_EACH, READABLE, stored
from tests.formats.test_hostile import short
from tests.support.reading import Rows, read_rows

#: So many bytes at the end of a fixture are cut off, one more each time.
LAST = 200

#: What a reader concludes of the whole file, and does not find in a place of it.
CONCLUDED = {
    *((f"{tool}_section", of) for tool in ("sar", "mpstat", "pidstat")
      for of in ("rows", "headings", "header")),
    ("mpstat_report", "layout"), ("pidstat_report", "layout"),
    ("ior_run", "status_reason"), ("gpfsperf_run", "options"),
}  # fmt: skip


def values(rows: Rows) -> dict[tuple[str, str], set[str]]:
    """All values of each column."""
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for table, each in rows.items():
        for row in each:
            for name, value in row.items():
                if name not in ("line", "status") and (table, name) not in CONCLUDED:
                    each_of = value if isinstance(value, list) else [value]
                    found[table, name].update(map(repr, each_of))
    return found


@pytest.mark.parametrize("path", READABLE, ids=short)
def test_a_file_cut_anywhere_gives_no_value_that_the_whole_does_not(
    path: Path, tmp_path: Path
) -> None:
    content = path.read_bytes()
    known, _, rows = read_rows(path)
    whole = values(rows)
    for end in range(max(1, len(content) - LAST), len(content)):
        try:
            # As what it was recognised for: by what is left it may be refused before.
            _, reading, rows = read_rows(stored(tmp_path, content[:end]), known=known)
        except Refused:
            continue
        cut = values(rows)
        for column, found in cut.items():
            assert found <= whole.get(column, set()) | {"None"}, (column, end)
        last = content[:end].decode(errors="replace").rpartition("\n")[2].strip()
        marks = known.ends_itself if isinstance(known.ends_itself, str) else ""
        told = known.ends_itself is True or not last or last[-1] in marks or reading.remarks
        assert told, "nothing says that it is cut"


@pytest.mark.parametrize(
    "path",
    [path for name, path in ONE_OF_EACH.items() if named(name).ends_itself],
    ids=short,
)
def test_what_says_where_it_ends_needs_no_line_end(path: Path, tmp_path: Path) -> None:
    _, whole, rows = read_rows(path)
    _, reading, same = read_rows(stored(tmp_path, path.read_bytes().rstrip()))
    assert same == rows
    assert reading.lines_not_understood == whole.lines_not_understood
