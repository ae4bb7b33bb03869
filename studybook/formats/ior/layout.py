"""IOR's text tables: the iteration table and the summary, in every shape they have had.

A table is read by its header: the words of the header say what the cells of a row are,
and a row must have as many cells. Only ``StdDev`` appears twice; the first one belongs
to the rates, the second one to the operations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studybook.formats.contract import Table
from studybook.formats.ior.tables import ITERATION, SUMMARY
from studybook.formats.ior.words import is_not_finite, typed
from studybook.formats.names import pairs

ITERATION_WORDS = pairs("""
    access=operation bw(MiB/s)=bandwidth_mib_s IOPS=ops_per_s Latency(s)=latency_s
    Latency=latency_s block(KiB)=block_kib xfer(KiB)=transfer_kib open(s)=open_s
    wr/rd(s)=transfer_s close(s)=close_s total(s)=total_s iter=iteration
""")

_SUMMARY_WORDS = pairs("""
    Operation=operation Max(MiB)=max_mib_s Min(MiB)=min_mib_s Mean(MiB)=mean_mib_s StdDev=sd_mib_s
    Max(OPs)=max_ops_per_s Min(OPs)=min_ops_per_s Mean(OPs)=mean_ops_per_s Mean(s)=mean_s
    Stonewall(s)=stonewall_s Stonewall(MiB)=stonewall_mib_s Test#=test_no #Tasks=tasks
    tPN=tasks_per_node reps=repetitions fPP=file_per_process reord=reorder_tasks
    reordoff=reorder_offset reordrand=reorder_random seed=reorder_seed segcnt=segments
    blksiz=block_size_bytes xsize=transfer_size_bytes aggsize=aggregate_size_bytes
    aggs(MiB)=aggregate_mib API=api RefNum=reference
""")

#: Words that IOR 2.10 puts at the end of a row for spreadsheets, and no column.
_MARKS = {"EXCEL", "XXCEL"}

#: Cells that go into no column as they are.
_HELPERS = {"aggregate_mib": "DOUBLE"}

#: What an IOR 2.10 row holds at -v after the columns that its header names.
_UNNAMED = ("reference", "api")


@dataclass(frozen=True)
class Layout:
    """The columns of a text table, as its header gives them."""

    table: Table
    columns: tuple[str, ...]
    version: str

    def row(self, text: str) -> dict[str, object]:
        """Read a row; ValueError if its cells are not what the header says."""
        cells = text.split()
        if cells and cells[-1] in _MARKS:
            cells.pop()
        return cells_by_column(cells, self.columns, {**self.table.columns, **_HELPERS})


def cells_by_column(
    cells: Sequence[str], columns: Sequence[str], kinds: Mapping[str, str]
) -> dict[str, object]:
    """Read cells as their columns want them; ValueError if they are not as many, or not such."""
    if len(cells) != len(columns):
        raise ValueError(f"{len(cells)} values under {len(columns)} headings")
    return {column: typed(kinds[column], cell) for column, cell in zip(columns, cells, strict=True)}


def layout(header: str) -> Layout | None:
    """Return the layout that a header line announces, None if it is not a known one."""
    words = re.sub(r"\s+(?=\()", "", header).replace("Std Dev", "StdDev").split()
    if words[:1] == ["access"]:
        columns = _columns(words, ITERATION_WORDS)
        version = "3.3+" if columns and "latency_s" in columns else ""
        return Layout(ITERATION, columns, version) if columns else None
    verbose_2 = words[10:12] == ["Op", "grep"]
    columns = _columns(words[:10] + words[12:] if verbose_2 else words, _SUMMARY_WORDS)
    if not columns or columns[0] != "operation":
        return None
    return Layout(SUMMARY, columns + (_UNNAMED if verbose_2 else ()), _version(header, columns))


def not_finite(text: str) -> bool:
    """Whether a row prints nan or infinity in some cell."""
    return any(is_not_finite(cell) for cell in text.split())


def _columns(words: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Column names of header words; none at all if a word is unknown or comes twice."""
    columns = [names.get(word) for word in words]
    if columns.count("sd_mib_s") == 2:
        second = len(columns) - 1 - columns[::-1].index("sd_mib_s")
        columns[second] = "sd_ops_per_s"
    known = tuple(column for column in columns if column)
    return known if len(set(known)) == len(columns) else ()


def _version(header: str, columns: Sequence[str]) -> str:
    """The versions of IOR that print such a summary header."""
    if "Max (" in header:
        return "2.10.x"
    if "stonewall_s" in columns:
        return "3.3+"
    return "3.2.x" if "aggregate_mib" in columns else "2.999-3.1"
