"""What no reader may be brought down by: huge lines, huge numbers, dates that are none."""

from __future__ import annotations

import ast
import bz2
import gzip
import hashlib
import lzma
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from backports import zstd

from studybook import formats
from studybook.errors import ReaderFailed, Refused
from studybook.formats import raw as raw_files
from studybook.formats.contract import KEPT_NAMES
from studybook.formats.raw import BLOCK_BYTES, LONGEST_LINE, RawFile
from studybook.formats.sar import sadf_cells, sadf_ppc
from tests.fuzz.properties import stored, survives
from tests.support.fixtures import ONE_OF_EACH, short
from tests.support.memory import peak, reset_peak
from tests.support.reading import read_rows

MIB, GIB = 2**20, 2**30

#: A line that is longer than two blocks, and so comes to a reader as one of a gibibyte does:
#: cut at :data:`LONGEST_LINE`, by :class:`RawFile`, which reads on until the line ends.
LONG = 2 * BLOCK_BYTES + 8 * MIB

FORMATS = Path(formats.__file__).parent

#: Modules of formats that open files on their own: the one that does it for all others, the one
#: that writes what a tool makes of a binary file, and that of Parquet; these have no lines.
OPENING = {"raw.py", "sar/binary.py", "mapped/parquet.py"}
OPENERS = {
    "open", "fdopen", "fromfile", "input_stream", "loadtxt", "memmap", "memory_map", "OSFile",
    "read_bytes", "read_text",
}  # fmt: skip
#: What is told a file's path to say which file it is.
SAYING_WHICH = {"Refused", "Unknown", "failing_in_words"}


def long_line(size: int) -> bytes:
    """Return gzip members that hold the words of one long line, without its end."""
    piece = gzip.compress(b"x1 " * (4 * MIB // 3), compresslevel=1)
    return piece * (size // (4 * MIB) + 1)


def test_a_huge_line_is_cut(tmp_path: Path) -> None:
    # Members of a gzip file follow one another: some lines, then the huge one, then some again.
    some = gzip.compress(b"a\nb\n")
    (tmp_path / "raw").write_bytes(some + long_line(GIB) + gzip.compress(b"\n") + some)
    raw = RawFile(tmp_path / "raw")
    before = reset_peak()
    ways = [raw.lines(), ((line, text.decode()) for line, text in each_line(raw.blocks()))]
    for lines in ways:
        texts = dict(lines)
        assert [texts.pop(each) for each in (1, 2, 4, 5)] == ["a", "b", "a", "b"]
        assert {line: len(text) for line, text in texts.items()} == {3: LONGEST_LINE}
    assert peak() - before < GIB // 8


def each_line(blocks: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    for first, block in blocks:
        yield from enumerate(block.split(b"\n")[:-1], first)


def opens_files(module: ast.Module) -> bool:
    """Whether a module of a format opens files, or takes a raw file's path to have it opened."""
    harmless = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {each.name for each in node.names} | {getattr(node, "module", None)}
            if names & {"duckdb", "mmap", "pandas", "subprocess"}:
                return True
        elif isinstance(node, ast.Call) and OPENERS & {
            getattr(node.func, "id", None), getattr(node.func, "attr", None)
        }:  # fmt: skip
            return True
        # The name of a file tells a date; and a refusal says which file is refused.
        elif isinstance(node, ast.Attribute) and node.attr == "name":
            harmless.add(node.value)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", None) in SAYING_WHICH:
            harmless |= {*node.args, *(each.value for each in node.keywords)}
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == "path"
        and "raw" in (getattr(node.value, "id", ""), getattr(node.value, "attr", "").strip("_"))
        and node not in harmless
        for node in ast.walk(module)
    )


def test_lines_reach_the_formats_cut() -> None:
    """What is tested of :class:`RawFile` holds for all formats: none opens a file past it."""
    found = {
        path.relative_to(FORMATS).as_posix()
        for path in FORMATS.rglob("*.py")
        if opens_files(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == OPENING


@pytest.mark.parametrize("path", ONE_OF_EACH.values(), ids=short)
def test_survives_a_line_without_end(path: Path, tmp_path: Path) -> None:
    part = gzip.compress(path.read_bytes())
    survives(stored(tmp_path, part + long_line(LONG) + gzip.compress(b"\n") + part))


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress, zstd.compress])
def test_a_file_that_holds_a_thousand_times_its_size_is_refused(
    compress: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = ONE_OF_EACH["dd"].read_bytes() + b"\n" * 500_000
    assert read_rows(stored(tmp_path, compress(content)))[2]
    monkeypatch.setattr(raw_files, "_HARMLESS", 2**18)
    path = stored(tmp_path, compress(content))
    with pytest.raises(Refused, match="300 times its size") as refusal:
        formats.read(path, lambda *_: None)
    assert (refusal.value.path, "decompress it" in refusal.value.do) == (path, True)
    # As much from a file of an export's own density is read.
    dense = b"".join(hashlib.sha256(b"%d" % n).digest() for n in range(500)).hex().encode()
    path = stored(tmp_path, compress(content + dense))
    assert read_rows(path)[2]


@pytest.mark.parametrize("broken", ["read", "recognise"])
def test_a_reader_that_fails_refuses_the_file(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a mistake")

    known = replace(formats.named("dd"), **{broken: fail})
    monkeypatch.setattr(formats.recognition, "all_formats", lambda: (known,))
    raw = stored(tmp_path, ONE_OF_EACH["dd"].read_bytes())
    with pytest.raises(ReaderFailed) as refusal:
        formats.read(raw, lambda *_: None)
    assert refusal.value.path == raw
    assert "KeyError: 'a mistake'" in refusal.value.reason
    assert refusal.value.do


def test_what_fails_beyond_the_reader_is_not_its_fault() -> None:
    def full(table: str, rows: object) -> None:
        raise ValueError("the disk is full")

    with pytest.raises(ValueError, match="the disk is full"):
        formats.read(ONE_OF_EACH["dd"], full)


@pytest.mark.parametrize(
    "path",
    [path for path in ONE_OF_EACH.values() if path.read_bytes().lstrip()[:1] in (b"{", b"[")],
    ids=short,
)
def test_half_of_a_character_in_json_brings_no_reader_down(path: Path, tmp_path: Path) -> None:
    """In names and in values: JSON may escape what is no text, and no table holds it."""
    content = path.read_bytes()
    places = [found.start() for found in re.finditer(rb'(?<=")[A-Za-z]', content)]
    for first in range(4):
        changed = bytearray(content)
        for place in reversed(places[first :: max(4, len(places) // 6)]):
            changed[place : place + 1] = rb"\ud800"
        survives(stored(tmp_path, bytes(changed)))


def test_what_is_kept_of_names_does_not_grow_with_the_files(tmp_path: Path) -> None:
    """A worker of a cluster reads files for weeks."""
    row = "oak\t600\t2023-10-29 02:20:00 UTC\tdev{0}-0\tname{0}/s\t1.00\n"
    (tmp_path / "raw").write_text("".join(map(row.format, range(2 * KEPT_NAMES))))
    read_rows(tmp_path / "raw")
    kept = [
        each.cache_info()
        for module in (sadf_ppc, sadf_cells)
        for each in vars(module).values()
        if hasattr(each, "cache_info")
    ]
    assert KEPT_NAMES in {each.currsize for each in kept}
    assert all(each.currsize <= (each.maxsize or KEPT_NAMES) for each in kept)
