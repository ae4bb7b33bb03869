"""Exports that were appended to themselves: read once, or said (of each format: test_damage)."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studybook.formats.repetition import repetition
from tests.support.lab import BEGIN, jtl, requests, sar
from tests.support.reading import Rows, read_text

#: Of an idle disk, and one that is not: a few numbers, which may come again.
IDLE = "sda 0.00 0.00 0.00\n"


def counts(rows: Rows) -> dict[str, int]:
    return {table: len(each) for table, each in rows.items()}


def once(content: str) -> str:
    return content


def compressed(content: str) -> bytes:
    return gzip.compress(content.encode())


def of_windows(content: str) -> bytes:
    return content.replace("\n", "\r\n").encode()


@pytest.mark.parametrize("written", [once, compressed, of_windows])
@pytest.mark.parametrize("copies", [2, 3])
def test_what_follows_is_read(
    written: Callable[[str], str | bytes], copies: int, tmp_path: Path
) -> None:
    """An export of noon, of the afternoon, in which noon is, and so on."""
    text = jtl(requests(0, 100))
    more = jtl(requests(100, 200)).partition("\n")[2]
    _, _, rows = read_text(tmp_path, written(text + more))
    _, reading, again = read_text(tmp_path, written(text * copies + more))
    assert counts(again) == counts(rows)
    assert [line for line, _ in reading.repairs] == [302]
    added = 301 * (copies - 1)
    assert [row["line"] + added * (row["line"] > 301) for row in rows["jtl_sample"]] == [
        row["line"] for row in again["jtl_sample"]
    ]


@pytest.mark.parametrize(
    "written",
    [
        lambda text: "\ufeff".encode("utf-16-le") + 2 * text.encode("utf-16-le"),
        lambda text: 2 * ("\ufeff" + text).encode("utf-16-be"),
        lambda text: ("\ufeff" + text + text).encode(),
        lambda text: (text + text.replace("\n", "\r\n")).encode(),
        lambda text: (text.replace("\n", "\r\n") + text).encode(),
    ],
    ids=["UTF-16, one mark", "UTF-16, two marks", "UTF-8, one mark", "LF, CR LF", "CR LF, LF"],
)
def test_a_copy_is_one_however_it_is_written(
    written: Callable[[str], bytes], tmp_path: Path
) -> None:
    """As shells write that append to a file: one mark of the byte order, or one for each."""
    text = jtl(requests(0, 100))
    _, _, rows = read_text(tmp_path, text)
    _, reading, again = read_text(tmp_path, written(text))
    assert again == rows
    assert [line for line, _ in reading.repairs] == [302]


@pytest.mark.parametrize("time", ["%Y-%m-%dT%H:%M:%SZ", "%s", "%s000000000"])
def test_two_exports_of_one_time_are_told_however_it_is_written(time: str) -> None:
    """The second went on longer: what both tell counts twice, and that is said."""
    stamps = [(BEGIN + timedelta(seconds=10 * n)).strftime(time) for n in range(60)]
    lines = [f"{stamp} {n * 7919 % 1009} busy\n" for n, stamp in enumerate(stamps)]
    again = repetition(lambda: io.BytesIO("".join([*lines[:40], "end\n", *lines]).encode()))
    assert again
    assert again.in_part


@pytest.mark.parametrize("between", ["", "\n", "\n\n"])
@pytest.mark.parametrize("cut", [True, False])
def test_a_last_copy_may_be_cut(between: str, cut: bool, tmp_path: Path) -> None:
    text = sar()
    _, _, rows = read_text(tmp_path, text)
    last = between + text[: 2 * len(text) // 3] if cut else ""
    both = text + between + text + last
    _, reading, again = read_text(tmp_path, both)
    assert again == rows
    assert reading.lines == both.count("\n") + cut
    assert not reading.lines_not_understood
    assert not reading.remarks


@pytest.mark.parametrize("written", [once, compressed, of_windows])
def test_a_first_copy_that_broke_off_is_read_once(
    written: Callable[[str], str | bytes], tmp_path: Path
) -> None:
    """As a job does that is started again and writes behind what is there."""
    text = jtl(requests(0, 100))
    _, _, rows = read_text(tmp_path, text)
    at = text.rindex("\n", 0, len(text) // 2) + 20
    _, reading, again = read_text(tmp_path, written(text[:at] + text))
    assert counts(again) == counts(rows)
    assert [row["elapsed_ms"] for row in again["jtl_sample"]] == [
        row["elapsed_ms"] for row in rows["jtl_sample"]
    ]
    [(line, said)] = reading.repairs
    assert line == text.count("\n", 0, at) + 1
    assert "this line is cut, and the file begins anew" in said


@pytest.mark.parametrize("parts", [(0.5,), (0.3, 0.6), (0.6, 0.3), (0.5, 1), (1, 0.5)])
@pytest.mark.parametrize("between", ["", "\n"])
def test_of_several_copies_none_counts_twice_in_silence(
    parts: tuple[float, ...], between: str, tmp_path: Path
) -> None:
    text = jtl(requests(0, 100))
    written = "".join(text[: int(len(text) * part)] + between for part in parts) + text
    _, reading, again = read_text(tmp_path, written)
    told = [said for _, said in reading.remarks]
    _, _, rows = read_text(tmp_path, text)
    assert counts(again) == counts(rows) or any("once more" in said for said in told)


def test_what_broke_off_within_its_first_line_counts_not_twice_in_silence(tmp_path: Path) -> None:
    """Found by fuzzing: with a line end of its own, the cut line is a record, too."""
    line = (
        "_fs_io_s_ _n_ 10.0.0.1 _nn_ tea1 _rc_ 0 _t_ 1579358234 _tu_ 53212 _cl_ tea _fs_ green"
        " _d_ 48 _br_ 205607 _bw_ 74839 _oc_ 2377 _cc_ 2201 _rdc_ 594204 _wc_ 18874 _dir_ 40971"
        " _iu_ 544768\n"
    )
    text = line + line.replace("green", "black").replace("74839", "0")
    _, _, rows = read_text(tmp_path, text)
    doubled = 0
    for cut in range(60, len(line) - 1):
        _, reading, again = read_text(tmp_path, f"{text[:cut]}\n{text}")
        if counts(again) != counts(rows):
            doubled += 1
            few = len(set(re.findall(r"\d+(?:\.\d+)*", text[:cut]))) < 9
            assert few or any("once more" in said for _, said in reading.remarks), cut
    assert doubled > 50


def test_a_second_execution_is_none_of_a_copy(tmp_path: Path) -> None:
    """Both have the same head, and other values."""
    first, second = jtl(requests(0, 100)), jtl(requests(100, 200))
    cut = first[: first.rindex("\n", 0, len(first) // 2) + 20]
    _, reading, _ = read_text(tmp_path, f"{cut}\n{second}")
    assert not reading.repairs
    assert not any("begins anew" in said for _, said in reading.remarks)


def test_what_stands_between_is_read_and_what_follows_it(tmp_path: Path) -> None:
    """As settings that were captured before a change and after it."""
    captured, changed = sar(to_s=100), sar("web2", to_s=100)
    _, reading, rows = read_text(tmp_path, captured + changed + captured)
    assert len(rows["sar_report"]) == 3
    assert not reading.repairs


@pytest.mark.parametrize("between", [b"", b"another export\n"])
def test_a_copy_that_is_not_whole_is_none_however_large(between: bytes) -> None:
    """Beyond the part of the file that is looked at first, too."""
    one = b"".join(b"%d %d\n" % (number, number * 7919 % 100_003) for number in range(150_000))
    again = one if between else one[: len(one) * 3 // 4]
    assert len(again) > 2**20
    assert repetition(lambda: io.BytesIO(one + between + again)) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (IDLE * 400, True),  # all of it: said, and read
        ("# iostat\n" + IDLE * 400, False),
        (IDLE * 100 + "sda 1.00 7.00 3.00\n" + IDLE * 100, False),
        ("".join(f"{number} 0.5\n" for number in range(900)), False),
        ("x" * 2000, False),
        ("0 1 2 3 4 5 6 7 8 9 10 11 12; " * 200, False),
    ],
    ids=["alone", "headed", "interrupted", "counted", "one letter", "one line"],
)
def test_what_a_tool_may_print_again_is_left(text: str, said: bool) -> None:
    found = repetition(lambda: io.BytesIO(text.encode()))
    assert (found.by_chance if found else False) == said
    assert found is None or found.by_chance


@given(
    first=st.lists(st.integers(10**5, 10**9), min_size=80, max_size=200, unique=True),
    second=st.lists(st.integers(0, 10**9), max_size=50),
    copies=st.integers(1, 4),
)
def test_exactly_the_copies_are_found(first: list[int], second: list[int], copies: int) -> None:
    one = "".join(f"a {number}\n" for number in first).encode()
    rest = "".join(f"b {number}\n" for number in second).encode()
    found = repetition(lambda: io.BytesIO(one * copies + rest))
    if copies == 1:
        assert found is None
    else:
        assert found
        assert (found.start, found.end) == (len(one), copies * len(one))
        assert found.copies == copies - 1
