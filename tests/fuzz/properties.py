"""What must hold of a raw file, whatever is in it, and of the same file if it is stored otherwise.

Each raises AssertionError where it does not hold.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from contextlib import nullcontext
from pathlib import Path

from backports import zstd

from studybook.errors import ReaderFailed, Refused
from studybook.formats import Format
from studybook.formats.raw import RawFile
from tests.support.reading import Rows, lines_of, read_rows
from tests.support.work import CALLS, CALLS_PER_BYTE, calls_counted

#: Bytes of a file whose reading is counted: even if each line went through all lines, one of
#: fewer would make no more calls than :data:`CALLS`.
COUNTED_FROM = 16 * 1024


def stored(folder: Path, content: bytes) -> Path:
    """Write a file anew, and return it.

    The one before is deleted first: ext4 takes a file that is cut to nothing and written again for
    one that is replaced, and then waits for the disk, fifty times as long as for a new one.
    """
    path = folder / "raw"
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    return path


# --- anything at all --------------------------------------------------------------------


def survives(path: Path) -> str:
    """Hold a file of any content to the contract: refused, or a whole account, in one pass.

    Returns
    -------
    str
        What became of it, without its numbers: the refusal, or format, tables and remarks.
    """
    refusal = None
    size = path.stat().st_size
    # Counting takes as long as reading, and a small file cannot have too many.
    with calls_counted() if size > COUNTED_FROM else nullcontext([0]) as calls:
        try:
            known, reading, rows = read_rows(path)
        except Refused as error:
            refusal = error
    if refusal:
        if isinstance(refusal, ReaderFailed):
            raise AssertionError(str(refusal)) from refusal.__cause__
        assert refusal.reason
        assert refusal.path
        became = refusal.reason
    else:
        remarks = {text for _, text in (*reading.remarks, *reading.repairs)}
        became = " ".join((known.name, *sorted(rows), *sorted(remarks)))
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
    return re.sub(r"\d+|'[^']*'", "0", became)


# --- a file that is cut off -------------------------------------------------------------

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


def gives_nothing_else_when_cut(
    path: Path, ends: Iterable[int], folder: Path, concluded: Collection[tuple[str, str]] = ()
) -> None:
    """Each value of a file that is cut is one of the whole file's, or is not there; and it is said.

    Parameters
    ----------
    path : pathlib.Path
        The whole file.
    ends : iterable of int
        How many bytes are left, each time.
    folder : pathlib.Path
        Where to write the cut file.
    concluded : collection of tuple of str
        Tables and columns that hold what is collected in several places of the file.
    """
    content = path.read_bytes()
    known, _, rows = read_rows(path)
    whole = values(rows)
    for end in ends:
        try:
            # As what it was recognised for: by what is left it may be refused before.
            _, reading, rows = read_rows(stored(folder, content[:end]), known=known)
        except Refused:
            continue
        cut = values(rows)
        for column, found in cut.items():
            if column in concluded:
                continue
            assert found <= whole.get(column, set()) | {"None"}, (column, end)
        last = content[:end].decode(errors="replace").rpartition("\n")[2].strip()
        assert _is_told(known, last) or reading.remarks, f"nothing says that it is cut: {end}"


def _is_told(known: Format, last: str) -> bool:
    marks = known.ends_itself if isinstance(known.ends_itself, str) else ""
    return known.ends_itself is True or not last or last[-1] in marks


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


def gives_the_same_however_stored(
    path: Path, folder: Path, ways: Iterable[str] = tuple(STORED)
) -> None:
    """Compression, line ends and encoding change nothing."""
    content = path.read_bytes()
    _, reading, rows = read_rows(path)
    for way in ways:
        _, other_reading, other_rows = read_rows(stored(folder, STORED[way](content)))
        assert other_rows == rows, way
        assert other_reading.lines == reading.lines, way
        assert other_reading.lines_not_understood == reading.lines_not_understood, way


# --- a file that was appended to itself -------------------------------------------------


def counts_once_or_is_said(path: Path, folder: Path) -> None:
    """What stands there twice counts once, or a remark says that it does."""
    with RawFile(path).open() as stream:
        once = stream.read().rstrip(b"\n") + b"\n"
    try:
        _, before, rows = read_rows(stored(folder, once))
        _, reading, again = read_rows(stored(folder, once * 2))
    except Refused:
        return
    if any("once more" in text for _, text in reading.repairs):
        assert again == rows
        assert reading.lines == 2 * before.lines
    else:
        assert any("the same twice" in text for _, text in reading.remarks)


def counts_once_or_is_said_behind_a_cut_one(path: Path, folder: Path, at: float) -> None:
    """A whole export appended to one that broke off counts once, or a remark says that it may not.

    Parameters
    ----------
    path : pathlib.Path
        The export.
    folder : pathlib.Path
        Where to write.
    at : float
        The share of its bytes before which the first one breaks off.
    """
    with RawFile(path).open() as stream:
        once = stream.read().rstrip(b"\n") + b"\n"
    cut = once[: int(len(once) * at)]
    try:
        _, before, rows = read_rows(stored(folder, once))
    except Refused:
        return
    for first in (cut, cut + b"\n"):
        try:
            _, reading, again = read_rows(stored(folder, first + once))
        except Refused:
            continue
        if any("the file begins anew" in text for _, text in reading.repairs):
            assert _without_places(again) == _without_places(rows)
            assert reading.lines == len(lines_of(stored(folder, first + once)))
            assert reading.lines_not_understood == before.lines_not_understood
        elif any(len(each) > len(rows.get(name, ())) for name, each in again.items()):
            few = len(set(re.findall(rb"[\d.:]*\d", cut))) < 9
            said = [text for _, text in reading.remarks]
            assert few or any("begins anew" in text or "once more" in text for text in said)


def _without_places(rows: Rows) -> dict[str, list[str]]:
    """The rows of each table, wherever in the file they stand; sums in another order are alike."""

    def alike(value: object) -> object:
        return float(f"{value:.12g}") if isinstance(value, float) else value

    kept = {
        table: [{k: alike(v) for k, v in row.items() if not k.endswith("line")} for row in each]
        for table, each in rows.items()
    }
    return {table: sorted(map(repr, each)) for table, each in kept.items()}
