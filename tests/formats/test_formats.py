"""What holds for every raw format: right rows, whole accounts, and no crash on anything.

Formats, fixtures and lists of expected values are found by being there:

* ``tests/data/<source>/<file>`` with ``<file>.expected.yml`` beside it: our own fixtures;
* ``tests/expected/<source>.yml``: what the sample files must give.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import math
from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from backports import zstd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studybook.bounded_yaml import SAFE_LOADER
from studybook.errors import ReaderFailed, Refused
from studybook.formats import Format, all_formats, recognise
from studybook.formats.raw import RawFile
from tests.conftest import REPOSITORY
from tests.support.reading import Rows, lines_of, read_rows
from tests.support.work import CALLS, CALLS_PER_BYTE, calls_counted

TESTS = REPOSITORY / "tests"
FIXTURES = sorted(
    path.with_name(path.name.removesuffix(".expected.yml"))
    for path in (TESTS / "data").glob("*/*.expected.yml")
)
LISTS = sorted((TESTS / "expected").glob("*.yml"))


@cache
def load_list(path: Path) -> dict[str, Any]:
    """Return a list of expected values: ``folder`` or ``folders``, and ``files``."""
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), SAFE_LOADER)  # noqa: S506 - safe
    return loaded


def expected_of(fixture: Path) -> dict[str, Any]:
    """Return what a fixture must give, which stands beside it."""
    return load_list(Path(f"{fixture}.expected.yml"))


READABLE = [path for path in FIXTURES if "refused" not in expected_of(path)]
#: The last fixture of each format, by the format that :func:`test_fixture` finds it to be of.
ONE_OF_EACH = {expected_of(path)["format"]: path for path in READABLE}


SAMPLES = [
    pytest.param(name, expected, id=name)
    for path in LISTS
    for name, expected in load_list(path)["files"].items()
]


def short(path: Path) -> str:
    """Name a fixture in a test id."""
    return f"{path.parent.name}/{path.name}"


def printed(rows: Rows) -> Rows:
    """Rows as they were printed: one per rate, where a table keeps lists of rates."""
    found = dict(rows)
    if "sar_interrupt" in rows:
        found["sar_interrupt"] = [
            {key: value for key, value in row.items() if key not in ("names", "rates_per_s")}
            | ({"interrupt": name} if row["interrupt"] is None else {"cpu": name})
            | {"interrupts_per_s": rate}
            for row in rows["sar_interrupt"]
            for name, rate in zip(row["names"].split(" "), row["rates_per_s"], strict=True)
        ]
    return found


def same(found: Any, expected: Any) -> bool:
    """Whether a value is the expected one; dates are written as in the database."""
    if isinstance(found, datetime):
        return str(found) == str(expected)
    if isinstance(found, float) and isinstance(expected, int | float):
        return math.isclose(found, expected, rel_tol=1e-12)
    return bool(found == expected)


def check(path: Path, expected: dict[str, Any]) -> None:
    """Hold a file to what is expected of it."""
    if "refused" in expected:
        if "format" in expected:
            assert recognise(RawFile(path)).name == expected["format"]
        with pytest.raises(Refused) as refusal:
            read_rows(path)
        assert expected["refused"] in str(refusal.value)
        assert refusal.value.do, "a refusal says what to do"
        return
    found, reading, rows = read_rows(path)
    assert found.name == expected["format"]
    assert {table: len(each) for table, each in rows.items()} == dict(reading.rows)
    rows = printed(rows)
    assert {table: len(each) for table, each in rows.items()} == expected["rows"]
    assert reading.lines_not_understood == expected["not_understood"], reading.not_understood
    if not found.binary:  # its lines are those of what its tool makes of it
        assert reading.lines == len(lines_of(path))
    for value in expected.get("values", []):
        chosen = [
            row
            for row in rows[value["table"]]
            if all(same(row[column], wanted) for column, wanted in value.get("where", {}).items())
        ]
        assert len(chosen) == 1, f"{len(chosen)} rows of {value['table']} {value.get('where')}"
        for column, wanted in value["expect"].items():
            value_found = chosen[0][column]
            assert same(value_found, wanted), f"{column}: {value_found!r}, not {wanted!r}"


# --- what the files must give -----------------------------------------------------------


@pytest.mark.parametrize("path", FIXTURES, ids=short)
def test_fixture(path: Path) -> None:
    check(path, expected_of(path))


@pytest.mark.parametrize(("name", "expected"), SAMPLES)
def test_sample(samples_dir: Path, name: str, expected: dict[str, Any]) -> None:
    check(samples_dir / name, expected)


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_every_sample_is_listed(samples_dir: Path, path: Path) -> None:
    listed = load_list(path)
    folders = listed.get("folders") or [listed["folder"]]
    on_disk = {
        each.relative_to(samples_dir).as_posix()
        for folder in folders
        for each in (samples_dir / folder).rglob("*")
        if each.is_file() and each.name not in ("SOURCES.md", "README.md")
    }
    # A folder's files may be spread over several lists.
    anywhere = {name for each in LISTS for name in load_list(each)["files"]}
    assert on_disk - anywhere == set(), "not in the list"
    assert {name for name in listed["files"] if not (samples_dir / name).is_file()} == set()


# --- the contract -----------------------------------------------------------------------


def test_names_are_unique() -> None:
    names = [each.name for each in all_formats()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("each", all_formats(), ids=lambda each: each.name)
def test_tables_follow_the_contract(each: Format) -> None:
    assert each.tables
    for table in each.tables:
        assert table.name.startswith(f"{each.source}_")
        assert table.row
        assert "line" in table.columns
        assert table.schema


def test_a_table_is_the_same_in_all_formats() -> None:
    seen: dict[str, Any] = {}
    for each in all_formats():
        for table in each.tables:
            assert seen.setdefault(table.name, table) == table


@pytest.mark.parametrize("path", READABLE, ids=short)
def test_one_format_only_recognises(path: Path) -> None:
    head = RawFile(path).head
    assert len([each.name for each in all_formats() if each.recognise(head)]) == 1


@pytest.mark.parametrize("each", all_formats(), ids=lambda each: each.name)
def test_every_format_has_a_fixture(each: Format) -> None:
    # Some formats are there to refuse exports by name; their fixtures say so.
    assert each.name in {expected_of(path).get("format") for path in FIXTURES}


def test_one_format_only_recognises_each_sample(samples_dir: Path) -> None:
    for path in sorted(each for each in samples_dir.rglob("*") if each.is_file()):
        try:
            head = RawFile(path).head
        except Refused:
            continue
        names = [each.name for each in all_formats() if each.recognise(head)]
        assert len(names) <= 1, f"{path.name} looks like {names}"


# --- the same file, stored otherwise ----------------------------------------------------

STORED: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "zstd": zstd.compress,
    "CRLF": lambda text: text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    "UTF-8 with a mark": lambda text: b"\xef\xbb\xbf" + text,
    "UTF-16": lambda text: text.decode().encode("utf-16"),
}


@pytest.mark.parametrize("way", STORED)
@pytest.mark.parametrize("path", ONE_OF_EACH.values(), ids=short)
def test_same_rows_however_stored(path: Path, way: str, tmp_path: Path) -> None:
    other = tmp_path / "raw"
    other.write_bytes(STORED[way](path.read_bytes()))
    _, reading, rows = read_rows(path)
    _, other_reading, other_rows = read_rows(other)
    assert other_rows == rows
    assert other_reading.lines == reading.lines
    assert other_reading.lines_not_understood == reading.lines_not_understood


def test_damaged_compression_is_refused(tmp_path: Path) -> None:
    text = b"".join(path.read_bytes() for path in READABLE)
    for compress in (gzip.compress, lzma.compress, bz2.compress, zstd.compress):
        whole = compress(text)
        for place in range(20, len(whole), max(1, len(whole) // 40)):
            damaged = bytearray(whole)
            damaged[place] ^= 0x55
            for content in (bytes(damaged), whole[:place]):
                survives(stored(tmp_path, content))


# --- anything at all --------------------------------------------------------------------

HOSTILE = [
    b"\x00\x00\x00",
    b"\xff\xfe\xfa",
    b"9" * 30,
    b"write " + b"9" * 400 + b" 1" * 9,
    b"1e999 nan -inf NA - 0x10",
    b" ".join(b"%d" % number for number in range(1000)),
    b",".join(b"%d" % number for number in range(1000)),
    b"x" * 5000,
    b"[" * 100,
    b'{"a": ' * 50,
    b'"\\ud800": "\\udfff",',
    "²³ ٣٤ 1２3 \u2028\u2029 \x0b\x0c\x1c\x85".encode(),
    b"\r\r\r",
    b"-----",
    b"=" * 200,
    b": : : = = =",
    b"Began               : Fri Feb 31 25:61:61 0000",
    b"TestID              : 99999999999999999999999999",
    b"%s %n $(id) `id` ; DROP TABLE x",
]

#: Bytes of a file whose reading is counted: even if each line went through all lines, one of
#: fewer would make no more calls than :data:`CALLS`.
COUNTED_FROM = 16 * 1024

FUZZ = settings(
    max_examples=30,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def stored(folder: Path, content: bytes) -> Path:
    """Write a file anew, and return it.

    The one before is deleted first: ext4 takes a file that is cut to nothing and written again for
    one that is replaced, and then waits for the disk, fifty times as long as for a new one.
    """
    path = folder / "raw"
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    return path


def survives(path: Path) -> None:
    """Hold a file of any content to the contract: refused, or a whole account, in one pass."""
    refusal = None
    size = path.stat().st_size
    # Counting takes as long as reading, and a small file cannot have too many.
    with calls_counted() if size > COUNTED_FROM else nullcontext([0]) as calls:
        try:
            _, reading, rows = read_rows(path)
        except Refused as error:
            refusal = error
    if refusal:
        assert not isinstance(refusal, ReaderFailed), refusal
        assert refusal.reason
        assert refusal.path
    else:
        lengths = [len(line) for line in lines_of(path)]
        number = len(lengths)
        size = max(size, sum(lengths) + number)  # of what may be compressed
        assert reading.lines == number
        for table, each in rows.items():
            assert len(each) == reading.rows[table]
            for row in each:
                numbers = [value for value in row.values() if isinstance(value, float)]
                assert all(math.isfinite(value) for value in numbers), "nan is no number"
                assert row.get("line") is None or 1 <= row["line"] <= max(number, 1)
    assert calls[0] <= CALLS + CALLS_PER_BYTE * size, f"{calls[0]} calls for {size} bytes"


@pytest.mark.parametrize("path", READABLE, ids=short)
@FUZZ
@given(data=st.data())
def test_survives_damage(path: Path, tmp_path: Path, data: st.DataObject) -> None:
    content = path.read_bytes()
    for _ in range(data.draw(st.integers(1, 3))):
        content = damage(content, data)
    survives(stored(tmp_path, content))


def damage(content: bytes, data: st.DataObject) -> bytes:
    """Damage a file in one of the ways in which files get damaged."""
    lines = content.splitlines(keepends=True) or [b""]
    some = st.integers(0, len(lines) - 1)
    kind = data.draw(st.sampled_from(["cut", "end", "drop", "repeat", "move", "bytes", "hostile"]))
    if kind == "cut":
        return content[: data.draw(st.integers(0, len(content)))]
    if kind == "end":
        return b"".join(lines[: data.draw(some)])
    if kind == "bytes":
        damaged = bytearray(content)
        for place in data.draw(st.lists(st.integers(0, max(len(content) - 1, 0)), max_size=8)):
            if damaged:
                damaged[place] = data.draw(st.integers(0, 255))
        return bytes(damaged)
    first, last = sorted((data.draw(some), data.draw(some)))
    part = lines[first : last + 1]
    if kind == "drop":
        lines[first : last + 1] = []
    elif kind == "repeat":
        lines[first:first] = part
    elif kind == "move":
        lines[first : last + 1] = data.draw(st.permutations(part[:40])) + part[40:]
    else:
        lines[first:first] = [data.draw(st.sampled_from(HOSTILE)) + b"\n"]
    return b"".join(lines)


@pytest.mark.parametrize("path", READABLE, ids=short)
def test_survives_being_cut_after_each_line(path: Path, tmp_path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    for end in range(0, len(lines), max(1, len(lines) // 60)):
        survives(stored(tmp_path, b"".join(lines[:end])))


@pytest.mark.parametrize("path", READABLE, ids=short)
def test_survives_hostile_lines_anywhere(path: Path, tmp_path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    for number, hostile in enumerate(HOSTILE):
        place = (number * 37) % (len(lines) + 1)
        changed = [*lines[:place], hostile + b"\n", *lines[place:]]
        survives(stored(tmp_path, b"".join(changed)))


@pytest.mark.parametrize("path", READABLE, ids=short)
def test_survives_a_change_of_format(path: Path, tmp_path: Path) -> None:
    """Each format goes over into each other; more fixtures of one go over into some."""
    others = [*ONE_OF_EACH.values()]
    few = others if path in others else others[READABLE.index(path) % 12 :: 12]
    for other in few:
        survives(stored(tmp_path, path.read_bytes() + b"\n" + other.read_bytes()))


@pytest.mark.parametrize("path", READABLE, ids=short)
def test_every_cell_may_be_hostile(path: Path, tmp_path: Path) -> None:
    text = path.read_bytes()
    for cell in (b"9" * 30, b"nan", b"-", b"1e999", b"\xc2\xb2"):
        words = text.replace(b" ", b"  ").split(b" ")
        for offset in range(3):
            changed = [
                cell if number % 3 == offset and any(48 <= byte < 58 for byte in word) else word
                for number, word in enumerate(words)
            ]
            survives(stored(tmp_path, b" ".join(changed)))


def test_gives_up_on_nothing_to_read(tmp_path: Path) -> None:
    for content in (b"", b"\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", *HOSTILE):
        stored(tmp_path, content)
        with pytest.raises(Refused):
            read_rows(tmp_path / "raw")
