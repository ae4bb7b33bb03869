"""``elbencho --csvfile``: a row for each phase, below a heading.

Seen: headings and rows of release 3.1 in tests of programs that read them. Columns are found by
their names; those that are not known are left out, and a remark names them. ``--livecsv`` is
another layout, and is not read.

From its source: of a phase that writes and reads (``--rwmixpct``), rates and amounts are those of
the writes, and the reads have columns of their own. Here they are summed; latencies are left out.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.elbencho.results import PHASE, started
from studybook.formats.line_reader import LineReader
from studybook.formats.names import pairs
from studybook.formats.quoted_rows import cells_of
from studybook.formats.raw import Head, RawFile

_NUMBERS = pairs(
    "entries/s [first]=entries_first_per_s; entries/s [last]=entries_last_per_s;"
    " IOPS [first]=operations_first_per_s; IOPS [last]=operations_last_per_s;"
    " MiB/s [first]=rate_first_mib_s; MiB/s [last]=rate_last_mib_s;"
    " CPU% [first]=cpu_first_percent; CPU% [last]=cpu_last_percent;"
    " entries [first]=entries_first; entries [last]=entries_last;"
    " MiB [first]=moved_first_mib; MiB [last]=moved_last_mib;"
    " Ent lat us [min]=entry_min_us; Ent lat us [avg]=entry_mean_us;"
    " Ent lat us [max]=entry_max_us; IO lat us [min]=io_min_us; IO lat us [avg]=io_mean_us;"
    " IO lat us [max]=io_max_us"
)
#: What a mixed phase read, and to what it is added.
_READS = {
    f"rwmix read {name}": column
    for name, column in _NUMBERS.items()
    if not name.startswith(("CPU", "Ent", "IO "))
}
_COUNTS = pairs(
    "hosts=hosts; threads=threads; dirs=directories; files=files; file size=file_size_bytes;"
    " block size=block_size_bytes; IO depth=depth"
)
_FLAGS = pairs("direct IO=direct; random=random")
_TEXTS = pairs("label=label; version=version; command=command")
_TIMES = pairs("time ms [first]=elapsed_first_s; time ms [last]=elapsed_last_s")
#: Settings that are in the command, too.
_KNOWN = frozenset(("ISO date", "operation", "path type", "paths", "random aligned",
                    "shared paths", "truncate"))  # fmt: skip
_OF_READS = re.compile(r"rwmix read (?:Ent|IO) lat us \[")
_BEGINS = "ISO date,"
_NUMBER = re.compile(r"\d{1,18}(?:\.\d{1,9})?", re.ASCII)
_COUNT = re.compile(r"\d{1,18}", re.ASCII)
_OPERATION = re.compile(r"[A-Z][A-Z0-9_+-]{1,30}")


def recognise(head: Head) -> bool:
    """Whether the first line has the names of the columns."""
    return _columns(head.first) is not None


def _columns(line: str) -> list[str] | None:
    cells = line.strip().split(",")
    is_header = line.startswith(_BEGINS) and "operation" in cells and "MiB/s [last]" in cells
    return cells if is_header and len(set(cells)) == len(cells) else None


def read(raw: RawFile, out: Reading) -> None:
    """Read every phase.

    Raises
    ------
    Refused
        If there is none.
    """
    reader = _Reader(out)
    reader.read(raw, longest=200_000)
    if not out.rows.get(PHASE):
        raise Refused("has the heading of elbencho, and no result", "run it again: --csvfile FILE")
    if reader.unknown:
        out.remark(
            1, f"columns that are not known are left out: {', '.join(sorted(reader.unknown))}"
        )


@dataclass
class _Reader(LineReader):
    names: list[str] = field(default_factory=list)
    phases: int = 0
    unknown: set[str] = field(default_factory=set)

    def _take(self, line: int, text: str) -> bool | None:
        if not text.strip():
            return False
        if (names := _columns(text)) is not None:
            self.names = names
            known = {*_NUMBERS, *_READS, *_COUNTS, *_FLAGS, *_TEXTS, *_TIMES, *_KNOWN}
            self.unknown |= {
                name[:60] for name in names if name not in known and not _OF_READS.match(name)
            } - {""}
            return False
        cells = cells_of(text) if self.names else None
        if cells is None or len(cells) != len(self.names):
            return None
        row = _row(dict(zip(self.names, cells, strict=True)))
        if row is None:
            return None
        self.out.record(PHASE, phase_no=self.phases, line=line, **row)
        self.phases += 1
        return True

    def _close(self) -> None:
        """Nothing is kept back."""


def _row(cells: dict[str, str]) -> dict[str, Any] | None:
    """The columns of a phase; None if a cell is not what it should be."""
    when = started(cells.get("ISO date", ""))
    if when is None or not _OPERATION.fullmatch(cells["operation"]):
        return None
    row: dict[str, Any] = {"operation": cells["operation"], **when}
    for names, pattern in ((_NUMBERS, _NUMBER), (_TIMES, _NUMBER), (_COUNTS, _COUNT)):
        for name, column in names.items():
            cell = cells.get(name, "")
            if cell and not pattern.fullmatch(cell):
                return None
            if cell:
                row[column] = int(cell) if pattern is _COUNT else float(cell)
                if name in _TIMES:
                    row[column] /= 1000
    read = {column: cells.get(name, "") for name, column in _READS.items()}
    if any(read.values()):
        if not all(_NUMBER.fullmatch(cell) for cell in read.values() if cell):
            return None
        for column, cell in read.items():
            if cell:
                row[column] = row.get(column, 0.0) + float(cell)
        row = {column: value for column, value in row.items() if not column.endswith("_us")}
    for name, column in _FLAGS.items():
        if cells.get(name) in ("0", "1"):
            row[column] = cells[name] == "1"
    for name, column in _TEXTS.items():
        row[column] = cells.get(name, "")[:2000] or None
    finite = all(math.isfinite(value) for value in row.values() if isinstance(value, float))
    return row if finite else None
