"""What is particular to iostat: samples whose devices stand in several tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.support.reading import read_text

TEXT = (REPOSITORY / "tests/data/iostat/human-extended.txt").read_text(encoding="utf-8")
DISK = "iostat_disk"


@pytest.mark.parametrize("line", ["iostat: warning 12", "nvme0n1 broken 1.5 line", "?"])
def test_a_line_that_is_not_understood_parts_no_sample(tmp_path: Path, line: str) -> None:
    _, reading, rows = read_text(tmp_path, TEXT)
    number = TEXT.index("     w/s", TEXT.index("10:00:10"))
    _, damaged, found = read_text(tmp_path, f"{TEXT[:number]}{line}\n{TEXT[number:]}")
    assert damaged.lines_not_understood == reading.lines_not_understood + 1
    assert [each | {"line": 0} for each in found[DISK]] == [e | {"line": 0} for e in rows[DISK]]


def test_without_processors_it_is_iostat_too(tmp_path: Path) -> None:
    lines = TEXT.splitlines(keepends=True)
    kept = [
        line
        for before, line in zip(["", *lines], lines, strict=False)
        if "avg-cpu" not in line and "avg-cpu" not in before
    ]
    name, _, found = read_text(tmp_path, "".join(kept))
    assert name == "iostat-text"
    assert found[DISK][0]["util_percent"] == 4.5
    assert len(found[DISK]) == 6


def test_a_group_of_devices_is_no_device(tmp_path: Path) -> None:
    lines = TEXT.splitlines(keepends=True)
    text = "".join(line.replace(" sdb", "  ALL") for line in lines)
    found = read_text(tmp_path, text)[2]
    assert {(row["device"], row["is_group"]) for row in found[DISK]} == {
        ("nvme0n1", False), ("ALL", True),
    }  # fmt: skip
