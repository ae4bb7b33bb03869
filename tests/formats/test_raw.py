"""Raw files: the same lines, however they are stored and in whatever pieces they are read."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studybook.errors import Refused
from studybook.formats import raw
from studybook.formats.contract import Reading, tables
from studybook.formats.raw import HEAD_BYTES, RawFile
from tests.conftest import REPOSITORY
from tests.support.reading import read_rows

PIECES = st.lists(
    st.one_of(
        st.sampled_from(["a", "\n", "\r\n", "\r", "é", "日", "\x0b", "\u2028"]),
        st.integers(1, 120).map(lambda number: "x" * number),
    ),
    max_size=60,
)


def lines_of(text: str) -> list[str]:
    """Split a text at line feeds, carriage returns or both."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


@given(pieces=PIECES, size=st.sampled_from([1, 3, 17, 64, 1000]))
def test_blocks_are_the_lines(
    pieces: list[str], size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("raw") / "file"
    text = "".join(pieces)
    path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(raw, "LONGEST_LINE", 50)
        file = RawFile(path)
        found = []
        for first, block in file.blocks(size):
            assert first == len(found) + 1
            assert block.endswith(b"\n")
            found += block.decode().split("\n")[:-1]
    expected = lines_of(text)
    if file.cut_line:
        number, cut = file.cut_line
        assert (number, cut) == (len(expected), expected.pop())
        assert text[-1] not in "\r\n"
    assert len(found) == len(expected)
    for line, whole in zip(found, expected, strict=True):
        assert line == whole or (len(whole.encode()) > 50 and whole.startswith(line))
        assert len(line) >= min(len(whole), 16)


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
@pytest.mark.parametrize("length", [133, 132, 121, 80])
def test_records_without_line_ends(tmp_path: Path, compress: type, length: int) -> None:
    lines = [f"FCX{number:03} row {number}".ljust(length) for number in range(1000)]
    data = "".join(lines).encode("cp037")
    assert len(data) > HEAD_BYTES
    (tmp_path / "raw").write_bytes(compress(data))
    file = RawFile(tmp_path / "raw")
    assert file.encoding == "cp037"
    assert [line for _, line in file.lines()] == lines


def test_a_few_bytes_of_another_encoding(tmp_path: Path) -> None:
    plain = b"name\n" * HEAD_BYTES
    (tmp_path / "raw").write_bytes(plain + "Seite à\nSeite é\n".encode("cp1252") + "日\n".encode())
    file = RawFile(tmp_path / "raw")
    assert [line for _, line in file.lines()][-3:] == ["Seite à", "Seite é", "日"]
    assert file.mixed


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]
)
def test_one_file_of_each_encoding(tmp_path: Path, encoding: str) -> None:
    text = "Größe von allem\r\n1 ½\r\n"
    (tmp_path / "raw").write_bytes(text.encode(encoding))
    file = RawFile(tmp_path / "raw")
    assert [line for _, line in file.lines()] == ["Größe von allem", "1 ½"]
    assert not file.mixed
    assert not file.binary


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "2017年03月08日\n上午 平均时间:\n"),
        ("big5hkscs", "2017年03月08日\n下午 平均時間:\n"),
        ("euc_jp", "2017年03月08日\n午前 平均値:\n"),
        ("shift_jis", "2017年3月8日\n午後 平均値:\n"),
        ("euc_kr", "2017년 03월 08일\n오전 평균값:\n"),
    ],
)
def test_east_asian_encodings_are_told_by_a_date(tmp_path: Path, encoding: str, text: str) -> None:
    (tmp_path / "raw").write_bytes(text.encode(encoding))
    file = RawFile(tmp_path / "raw")
    assert file.encoding == encoding
    assert [line for _, line in file.lines()] == text.splitlines()


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, what in (
        (tmp_path, "folder"),
        (tmp_path / "pipe", "pipe"),
        (Path("/dev/null"), "device"),
    ):
        with pytest.raises(Refused, match=what):
            RawFile(path)


def test_kinds_of_records_are_listed_as_text() -> None:
    one, other = tables(
        """
one: what a row is, which may
take two lines
    -- A comment, with a comma.
    size_bytes BIGINT, name VARCHAR

other: a row
    rates_s DOUBLE[]
""",
        first="line BIGINT",
    )
    assert (one.name, one.row) == ("one", "what a row is, which may take two lines")
    assert one.columns == {"line": "BIGINT", "size_bytes": "BIGINT", "name": "VARCHAR"}
    assert (other.row, other.columns) == ("a row", {"line": "BIGINT", "rates_s": "DOUBLE[]"})


@pytest.mark.parametrize(
    ("kept", "account"), [(True, (1, 0, 0)), (False, (0, 1, 0)), (None, (0, 0, 1))]
)
def test_a_line_is_accounted_for_once(kept: bool | None, account: tuple[int, int, int]) -> None:
    out = Reading((), lambda table, rows: None)
    out.account(7, "text", kept)
    assert account == (out.lines_in_records, out.lines_in_headings, out.lines_not_understood)
    assert out.first_unknown == (7 if kept is None else None)


@pytest.mark.parametrize("number", [10**30, -1e30, float("nan")])
def test_what_no_column_of_whole_numbers_holds_is_left_out(number: float) -> None:
    (table,) = tables("one: what a row is\n    size_bytes BIGINT, line BIGINT")
    found: list[dict[str, Any]] = []
    out = Reading((table,), lambda _, batch: found.extend(batch.to_pylist()))
    out.record("one", size_bytes=number, line=7)
    out.finish()
    assert found == [{"size_bytes": None, "line": 7}]
    ((line, said),) = out.remarks
    assert line == 7
    assert said.startswith("size_bytes cannot be")


@pytest.mark.parametrize(("holes", "length"), [(1, 3), (1, 4096), (3, 1)])
def test_a_hole_makes_no_binary_file_of_a_text(holes: int, length: int, tmp_path: Path) -> None:
    text = (REPOSITORY / "tests/data/sar/sar-12-more.txt").read_bytes().splitlines(keepends=True)
    for number in range(holes):
        text[10 * (number + 1)] = text[10 * (number + 1)][:30] + b"\0" * length + b"1\n"
    (tmp_path / "raw").write_bytes(b"".join(text))
    _, reading, rows = read_rows(tmp_path / "raw")
    assert reading.lines_not_understood == holes
    assert [line for line, said in reading.remarks if said.startswith("NUL bytes")] == [11]
    assert len(rows) > 20


def test_what_is_mostly_no_text_is_binary(tmp_path: Path) -> None:
    (tmp_path / "raw").write_bytes(bytes(range(256)) * 4)
    with pytest.raises(Refused, match="NUL bytes: a binary file"):
        read_rows(tmp_path / "raw")
