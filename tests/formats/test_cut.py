"""A file that is cut off: each value is one of the whole file's, or is not there."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from studybook.errors import Refused
from tests.formats.test_formats import READABLE, Rows, read_rows, stored
from tests.formats.test_hostile import short

#: So many bytes at the end of a fixture are cut off, one more each time.
LAST = 200

#: What a reader concludes of the whole file, and does not find in a place of it.
CONCLUDED = {
    ("sar_section", "rows"), ("sar_section", "headings"), ("sar_section", "header"),
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
    whole = values(read_rows(path)[2])
    for end in range(max(1, len(content) - LAST), len(content)):
        try:
            known, reading, rows = read_rows(stored(tmp_path, content[:end]))
        except Refused:
            continue
        cut = values(rows)
        for column, found in cut.items():
            assert found <= whole.get(column, set()) | {"None"}, (column, end)
        told = content[end - 1 : end] == b"\n" or known.ends_itself or reading.remarks
        assert told, "nothing says that it is cut"
