"""IOR's CSV outputs: ``-O summaryFormat=CSV`` of IOR 4, and rank details.

The first has one line per repetition and operation, the second
(``-O saveRankPerformanceDetailsCSV=``) one per task. Neither says which run it is of.
"""

from __future__ import annotations

import re

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.ior import words
from studybook.formats.ior.layout import ITERATION_WORDS, cells_by_column
from studybook.formats.ior.log import Log
from studybook.formats.ior.tables import ITERATION, RANK
from studybook.formats.names import pairs
from studybook.formats.raw import Head, RawFile

_RANKS = pairs("""
    access=operation rank=rank runtime-with-openclose=runtime_with_open_close_s runtime=runtime_s
    throughput-withopenclose=throughput_with_open_close_bytes_s throughput=throughput_bytes_s
""")
_KINDS = {**ITERATION.columns, **RANK.columns, "tasks": "BIGINT"}


def recognise(head: Head) -> bool:
    """Whether the file is one of IOR's CSV outputs."""
    return words.dialect(head) == "csv"


def read(raw: RawFile, out: Reading) -> None:
    """Read the rows below each header.

    Raises
    ------
    Refused
        If the values run into each other, as IOR 3.2 and 3.3 write them.
    """
    if not re.search(rf"^{words.CSV_HEADER.pattern}", raw.head.text, re.M):
        raise Refused(
            "the values run into each other: IOR 3.2 and 3.3 write CSV without commas, "
            "and no results",
            "run IOR again with summaryFormat=default or JSON, or with IOR 4",
            line=1,
        )
    reader = _Reader(out)
    for line, text in words.without_environment(raw.lines(), out):
        out.account(line, text, reader.take(line, text.strip()))
    reader.log.finish()


class _Reader:
    def __init__(self, out: Reading) -> None:
        self.out = out
        self.log = Log(out)
        self.columns: tuple[str, ...] = ()
        self.tests = 0

    def take(self, line: int, text: str) -> bool | None:
        if words.RULE.match(text) or not text:
            return False
        if words.CSV_HEADER.match(text):
            return self.header(line, text.split(","))
        if text.partition(",")[0] in words.OPERATIONS and self.columns:
            return self.row(line, text.split(","))
        if level := words.message_level(text):
            self.log.message(line, level, text)
            return True
        return None

    def header(self, line: int, cells: list[str]) -> bool | None:
        """Take the columns from a header, which IOR repeats for each test."""
        names = _RANKS if "rank" in cells else ITERATION_WORDS | {"numTasks": "tasks"}
        columns = tuple(names.get(cell, "") for cell in cells)
        known = "" not in columns and len(set(columns)) == len(columns)
        self.columns = columns if known else ()
        if not known:
            return None
        if "rank" not in columns:
            run = self.log.run(line)
            run.may_end = False
            run.guess_version("4.x")
            self.log.test(line, self.tests)
            self.tests += 1
        return False

    def row(self, line: int, cells: list[str]) -> bool | None:
        try:
            values = cells_by_column(cells, self.columns, _KINDS)
        except ValueError:
            return None
        if "rank" in self.columns:
            self.out.record("ior_rank", line=line, **values)
            return True
        if any(words.is_not_finite(cell) for cell in cells):
            self.log.remark_once(line, "prints nan or inf in places: kept as no value")
        test = self.log.test(line)
        tasks = values.pop("tasks", None)
        test.exact.setdefault("tasks", tasks)
        # Sizes have four decimals of a KiB, so the nearest byte is the exact size.
        for name, column in (("block_size", "block_kib"), ("transfer_size", "transfer_kib")):
            size = values.get(column)
            if isinstance(size, float) and 0 < size < 2**50:
                test.exact.setdefault(f"{name}_bytes", round(size * 1024))
        self.log.iteration(line, values)
        return True
