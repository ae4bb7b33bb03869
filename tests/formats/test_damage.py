"""Raw files that are damaged, cut, stored otherwise or appended to themselves: of each format.

``tests/fuzz`` has the ways of damage and what must hold. Here each fixture is damaged in every
way, a few times; ``make fuzz`` goes on.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path
from random import Random

import pytest
from backports import zstd

from studybook.errors import Refused
from studybook.formats import named
from tests.fuzz.damage import HOSTILE_LINES, WAYS, damage, draws
from tests.fuzz.properties import (
    STORED,
    counts_once_or_is_said,
    counts_once_or_is_said_behind_a_cut_one,
    gives_nothing_else_when_cut,
    gives_the_same_however_stored,
    stored,
    survives,
)
from tests.support.fixtures import ONE_OF_EACH, READABLE, short
from tests.support.reading import read_rows

FIRST = set(ONE_OF_EACH.values())

#: Of one fixture of each format, each of the last 200 bytes is cut off, one more each time; of the
#: others all of the last twelve, and some of the 200.
ALL_OF_LAST, LAST, STEP = 12, 200, 9


@pytest.mark.parametrize("path", READABLE, ids=short)
def test_survives_damage(path: Path, tmp_path: Path) -> None:
    """Each way for each fixture; for one of each format with most of its kinds, not with one."""
    content, name = path.read_bytes(), short(path)
    kinds, several = (18, 8) if path in FIRST else (1, 4)
    chance = Random(name)  # noqa: S311 - no secret
    for damaged in (
        *draws(name, content, WAYS, kinds, READABLE.index(path)),
        *(damage(content, WAYS, chance) for _ in range(several)),
    ):
        try:
            survives(stored(tmp_path, damaged.content))
        except AssertionError as error:
            error.add_note(f"{name}, damaged ({damaged.how}): {tmp_path}/raw")
            raise


@pytest.mark.parametrize("path", READABLE, ids=short)
def test_a_file_cut_anywhere_gives_no_value_that_the_whole_does_not(
    path: Path, tmp_path: Path
) -> None:
    size, turn = path.stat().st_size, READABLE.index(path)
    step = 1 if path in FIRST else STEP
    places = range(max(1, size - LAST), size)
    ends = [end for end in places if size - end <= ALL_OF_LAST or (end + turn) % step == 0]
    gives_nothing_else_when_cut(path, ends, tmp_path)


#: What a later line takes back or completes; found in files that are not committed.
TAKEN_BACK = {
    "a descriptor in a comment": "# /dev/sdg:nfs1:nfs2:dataOnly::nsd6:\nnsd6:::dataOnly:-1::p\n",
    "a list of options": """\
\tIozone: Performance Test of File I/O
\tRun began: Fri Nov 20 12:41:05 2026
\tFile size set to 16384 kB
\tRecord Size 1024 kB
\tThroughput test with 2 processes
\tEach process writes a 16384 kByte file in 1024 kByte records
exiting iozone
""",
    "a message with a comma": """\
IOR-3.2.1: MPI Coordinated Test of Parallel I/O
{
  "Began": "Fri Nov 20 12:22:59 2026",
  "Command line": "ior -w",
  "tests": [
    {
    "StartTime": "Fri Nov 20 12:22:59 2026"ior ERROR: unable to open file (utilities.c:380)
You may or may not see output from other processes, depending on
""",
}


@pytest.mark.parametrize("what", TAKEN_BACK)
def test_what_a_later_line_takes_back_is_not_believed_before(what: str, tmp_path: Path) -> None:
    content = TAKEN_BACK[what].encode()
    whole = tmp_path / "whole"
    whole.write_bytes(content)
    gives_nothing_else_when_cut(whole, range(1, len(content)), tmp_path)


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


@pytest.mark.parametrize("path", READABLE, ids=short)
def test_same_rows_however_stored(path: Path, tmp_path: Path) -> None:
    """In every way for one fixture of each format; in two of them for each other."""
    turn = READABLE.index(path)
    ways = [way for n, way in enumerate(STORED) if path in FIRST or (n + turn) % 4 == 0]
    try:
        path.read_bytes().decode()
    except UnicodeDecodeError:
        ways = [way for way in ways if "UTF" not in way]
    gives_the_same_however_stored(path, tmp_path, ways)


@pytest.mark.parametrize("path", READABLE, ids=short)
def test_what_stands_there_twice_counts_once_or_is_said(path: Path, tmp_path: Path) -> None:
    counts_once_or_is_said(path, tmp_path)


@pytest.mark.parametrize("path", READABLE, ids=short)
def test_what_stands_there_cut_before_it_stands_whole_counts_once_or_is_said(
    path: Path, tmp_path: Path
) -> None:
    turn = READABLE.index(path)
    counts_once_or_is_said_behind_a_cut_one(path, tmp_path, at=0.3 + 0.1 * (turn % 7))


def test_damaged_compression_is_refused(tmp_path: Path) -> None:
    text = b"".join(path.read_bytes() for path in READABLE)
    for compress in (gzip.compress, lzma.compress, bz2.compress, zstd.compress):
        whole = compress(text)
        for place in range(20, len(whole), max(1, len(whole) // 40)):
            damaged = bytearray(whole)
            damaged[place] ^= 0x55
            for content in (bytes(damaged), whole[:place]):
                survives(stored(tmp_path, content))


def test_gives_up_on_nothing_to_read(tmp_path: Path) -> None:
    for content in (b"", b"\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", *HOSTILE_LINES):
        stored(tmp_path, content)
        with pytest.raises(Refused):
            read_rows(tmp_path / "raw")
