"""Which code reads a format: records are stale when it changes."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from studybook.code import reach
from studybook.formats import FOLDER, every_format, reader_file

OF_TOOLS: defaultdict[str, set[Path]] = defaultdict(set)
for _each in every_format():
    _file = reader_file(_each.name)
    OF_TOOLS[_file.relative_to(FOLDER).parts[0]] |= reach(_file)

#: What a tool's folder holds beside its readers.
NO_READERS = {
    "sar/tool_json.py": "read by iostat and mpstat",
    "scale/tables.py": "columns, which count by themselves",
}


@pytest.mark.parametrize("tool", sorted(OF_TOOLS))
def test_all_code_of_a_tool_is_behind_its_formats(tool: str) -> None:
    own = {path for path in (FOLDER / tool).rglob("*") if path.suffix in (".py", ".yml")}
    left = {path.relative_to(FOLDER).as_posix() for path in own - OF_TOOLS[tool]}
    assert {each for each in left if not each.endswith("__init__.py")} <= NO_READERS.keys()


def test_no_reader_is_made_of_all_formats() -> None:
    for each in every_format():
        assert FOLDER / "__init__.py" not in reach(reader_file(each.name)), each.name
