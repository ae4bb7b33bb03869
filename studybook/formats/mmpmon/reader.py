"""Reading a file by blocks of lines; most are answers to ``fs_io_s`` in their usual form.

These are read as columns. Anything else, and anything odd, goes through the walk line by line; the
two ways give the same rows.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.mmpmon.keyed import starts_answer
from studybook.formats.mmpmon.tables import COUNTERS
from studybook.formats.mmpmon.values import LAST_SECOND, MILLION, words
from studybook.formats.mmpmon.walk import Walk
from studybook.formats.names import pairs
from studybook.formats.raw import RawFile

#: How an answer to ``fs_io_s`` begins.
HEAD = b"_fs_io_s_ _n_ "
_END = b"_end_\n"

#: Keywords of an answer to ``fs_io_s`` in their order, and the type of the value behind each.
_KEYS: dict[str, pa.DataType] = {
    "n": pa.string(), "nn": pa.string(), "rc": pa.uint64(), "t": pa.uint64(), "tu": pa.uint64(),
    "cl": pa.string(), "fs": pa.string(), "d": pa.uint64(), **dict.fromkeys(COUNTERS, pa.uint64()),
}  # fmt: skip
#: All columns: the kind, then each keyword and its value. A keyword of another length is odd.
_COLUMN_TYPES = {"kind": pa.binary(len("_fs_io_s_"))} | {
    name: kind
    for key, each in _KEYS.items()
    for name, kind in ((f"_{key}_", pa.binary(len(key) + 2)), (key, each))
}
_NAMES = pairs("""
    n=node_ip nn=host cl=cluster fs=file_system d=disks rc=rc
""")

Lines = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Block:
    """A block of whole lines, each with a line feed at its end, and the number of the first."""

    def __init__(self, first: int, data: bytes) -> None:
        self.first = first
        self.data = data

    def read(self, walk: Walk) -> None:
        """Hand the block's rows on; the walk takes what cannot be read as columns."""
        buffer = np.frombuffer(self.data, np.uint8)
        ends = np.flatnonzero(buffer == ord("\n"))
        starts = np.concatenate(([0], ends[:-1] + 1))
        end_of_pass = _begin_with(buffer, starts, ends, _END)
        usual = _begin_with(buffer, starts, ends, HEAD)
        self._leave_wrapped(starts, ends, usual, end_of_pass)
        rows = self._columns(starts, ends, usual)
        fast = end_of_pass | usual
        fast[-1:] = False  # the walk knows how to go on with it in the next block
        if rows is not None:
            usual[-1:] = False
        before = self._walk(walk, starts, ends, fast, end_of_pass)
        if rows is not None and rows.num_rows:
            lines = np.flatnonzero(usual)
            numbers = pa.array(before[lines], pa.int64())
            rows = rows.append_column("line", pa.array(lines + self.first))
            walk.out.block("mmpmon_fs_io", rows.append_column("pass", numbers))
            walk.out.used(rows.num_rows)

    def _leave_wrapped(self, starts: Lines, ends: Lines, usual: Mask, end_of_pass: Mask) -> None:
        """Leave to the walk each line behind which one stands that may go on with it."""
        for place in np.flatnonzero(~(usual | end_of_pass)):
            parts = words(self.data[starts[place] : ends[place]].decode())
            if place and parts and not starts_answer(parts):
                usual[place - 1] = False
        usual[-1:] = False

    def _columns(self, starts: Lines, ends: Lines, usual: Mask) -> pa.Table | None:
        """Read the usual lines as columns; those that turn out not to be are taken out of them."""
        lines = np.flatnonzero(usual)
        if not len(lines) or b"0x" in self.data or b"0X" in self.data:
            usual[:] = False  # Arrow would take 0x1F for a number
            return None
        odd: list[int] = []

        def leave(row: pa.csv.InvalidRow) -> str:
            odd.append(row.number - 1)
            return "skip"

        edges = np.flatnonzero(np.diff(usual, prepend=False, append=False)).tolist()
        runs = zip(edges[::2], edges[1::2], strict=True)
        text = b"".join(self.data[starts[run] : ends[last - 1] + 1] for run, last in runs)
        try:
            table = pa.csv.read_csv(
                pa.py_buffer(text),
                pa.csv.ReadOptions(
                    use_threads=False, block_size=len(text) + 1, column_names=list(_COLUMN_TYPES)
                ),
                pa.csv.ParseOptions(delimiter=" ", quote_char=False, invalid_row_handler=leave),
                pa.csv.ConvertOptions(column_types=_COLUMN_TYPES, null_values=[], check_utf8=False),
            )
        except pa.ArrowInvalid:
            usual[:] = False
            return None
        right = pc.and_(pc.less_equal(table["t"], LAST_SECOND), pc.less(table["tu"], MILLION))
        right = pc.and_(right, pc.equal(table["rc"], 0))
        for name in ("cl", "fs"):
            right = pc.and_(right, pc.not_equal(table[name], "-"))
        chosen = right.to_numpy().copy()
        for key in _KEYS:
            chosen &= _words(table[f"_{key}_"]) == f"_{key}_".encode()
        usual[lines[odd]] = False
        usual[np.delete(lines, odd)[~chosen]] = False
        if not chosen.all():
            table = table.filter(pa.array(chosen))
        times = pc.add(pc.multiply(table["t"], MILLION), table["tu"]).cast(pa.int64())
        columns = {_NAMES.get(key) or COUNTERS[key]: table[key] for key in [*_NAMES, *COUNTERS]}
        return pa.table(columns | {"time_utc": times.cast(pa.timestamp("us"))})

    def _walk(
        self, walk: Walk, starts: Lines, ends: Lines, fast: Mask, end_of_pass: Mask
    ) -> npt.NDArray[np.int64]:
        """Hand what is left to the walk; return the number of the pass for each line."""
        passes = np.full(len(starts), walk.keyed.passes + 1, np.int64)
        passed = np.concatenate(([0], np.cumsum(end_of_pass & fast)))
        last = 0
        for place in [*np.flatnonzero(~fast).tolist(), len(starts)]:
            if place > last:
                walk.interrupt()
                known = walk.keyed.passes + 1
                passes[last:place] = known + passed[last:place] - passed[last]
                new = int(passed[place] - passed[last])
                walk.keyed.end_pass(new)
                walk.out.used(new)
            if place < len(starts):
                walk.line(self.first + place, self.data[starts[place] : ends[place]].decode())
            last = place + 1
        return passes


def _begin_with(buffer: npt.NDArray[np.uint8], starts: Lines, ends: Lines, text: bytes) -> Mask:
    """Which lines begin with a text; that of a whole line has its end in it."""
    found = ends - starts + 1 >= len(text)
    for offset, byte in enumerate(text):
        places = np.flatnonzero(found)
        found[places] = buffer[starts[places] + offset] == byte
    return found


def _words(column: pa.ChunkedArray) -> npt.NDArray[np.bytes_]:
    """A column of words of one length, without a copy."""
    array = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    kind = np.dtype(f"S{column.type.byte_width}")
    if not len(array):
        return np.empty(0, kind)
    return np.frombuffer(array.buffers()[1], kind)[array.offset : array.offset + len(array)]


#: Tables whose answers were met in real files; the others are as documented.
_SEEN = {"mmpmon_fs_io", "mmpmon_io", "mmpmon_value"}


def read(raw: RawFile, out: Reading) -> None:
    """Read a file of answers.

    Raises
    ------
    Refused
        If there is none in it that can be read.
    """
    walk = Walk(out)
    for first, data in raw.blocks():
        Block(first, data).read(walk)
    walk.finish()
    if walk.human.ranges:
        out.certainty = "from memory"
    elif out.rows.keys() - _SEEN:
        out.certainty = "documented"
    if not any(out.rows.values()):
        raise Refused(
            "begins like output of mmpmon, but no answer in it could be read",
            "record it again: mmpmon -p -i requests -r 10 -d 1000 > file",
        )
