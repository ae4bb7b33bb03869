"""What no reader may be brought down by: huge lines, huge numbers, dates that are none."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from pipelines.formats.raw import LONGEST_LINE, RawFile
from tests.test_formats import READABLE, read_rows, survives

#: One fixture of each format is enough here.
ONE_OF_EACH = list({read_rows(path)[0].name: path for path in READABLE}.values())

GIB = 2**30


def short(path: Path) -> str:
    """Name a fixture in a test id."""
    return f"{path.parent.name}/{path.name}"


@pytest.fixture(scope="module")
def huge_line(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a compressed file that holds one line of 1 GiB."""
    path = tmp_path_factory.mktemp("huge") / "line.gz"
    with gzip.open(path, "wb", compresslevel=1) as stream:
        for _ in range(GIB // 2**24):
            stream.write(b"x1 " * (2**24 // 3))
    return path


def test_a_huge_line_is_cut(huge_line: Path) -> None:
    ((number, text),) = RawFile(huge_line).lines()
    assert number == 1
    assert len(text) == LONGEST_LINE


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=short)
def test_survives_a_line_of_a_gibibyte(path: Path, huge_line: Path, tmp_path: Path) -> None:
    # Members of a gzip file follow one another: the fixture, then the line, then it again.
    part = gzip.compress(path.read_bytes())
    (tmp_path / "raw").write_bytes(part + huge_line.read_bytes() + gzip.compress(b"\n") + part)
    survives(tmp_path / "raw", patience=60)


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=short)
@pytest.mark.parametrize("separator", [b" ", b",", b";", b"\t", b":"])
def test_survives_ten_thousand_columns(path: Path, separator: bytes, tmp_path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    wide = separator.join(b"%d" % number for number in range(10_000)) + b"\n"
    names = separator.join(b"name%d" % number for number in range(10_000)) + b"\n"
    for place in (0, 1, len(lines) // 2, len(lines)):
        for inserted in (wide, names + wide):
            (tmp_path / "raw").write_bytes(b"".join([*lines[:place], inserted, *lines[place:]]))
            survives(tmp_path / "raw")


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=short)
@pytest.mark.parametrize("number", ["1" + "0" * 30, "-" + "1" * 30, "1e400", "nan", "0", "٣"])
def test_survives_any_number_anywhere(path: Path, number: str, tmp_path: Path) -> None:
    raw = RawFile(path)
    text = "\n".join(line for _, line in raw.lines()) + "\n"
    numbers = list(re.finditer(r"\d+(?:[.,]\d+)?", text))
    for place in numbers[:: max(1, len(numbers) // 40)]:
        changed = text[: place.start()] + number + text[place.end() :]
        (tmp_path / "raw").write_text(changed, encoding="utf-8")
        survives(tmp_path / "raw")


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=short)
@pytest.mark.parametrize("year", ["0000", "9999", "99999"])
def test_survives_dates_that_are_none(path: Path, year: str, tmp_path: Path) -> None:
    text = "\n".join(line for _, line in RawFile(path).lines()) + "\n"
    for pattern, by in ((r"\b(19|20)\d\d\b", year), (r"\b\d\d([/:.-])\d\d", r"00\g<1>99")):
        (tmp_path / "raw").write_text(re.sub(pattern, by, text), encoding="utf-8")
        survives(tmp_path / "raw")


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=short)
def test_survives_nul_bytes_in_mid_file(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    for place in range(0, len(content), max(1, len(content) // 20)):
        (tmp_path / "raw").write_bytes(content[:place] + b"\x00\x00" + content[place:])
        survives(tmp_path / "raw")
    # Beyond the head, a file may hold anything.
    padding = b"\n" * 70_000
    (tmp_path / "raw").write_bytes(content + padding + b"\x00\x01\x02\n" + content)
    survives(tmp_path / "raw")
