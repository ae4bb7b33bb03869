"""IOR's CSV outputs: ``-O summaryFormat=CSV`` of IOR 4, and rank details.

The first has one line per repetition and operation, the second
(``-O saveRankPerformanceDetailsCSV=``) one per task. Neither says which run it is of.
"""

from __future__ import annotations

import re

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.ior import words
from studybook.formats.ior.layout import cells_by_column
from studybook.formats.ior.log import Log
from studybook.formats.ior.tables import ITERATION, RANK
from studybook.formats.names import pairs
from studybook.formats.raw import Head, RawFile

_ITERATIONS = pairs("""
    access=operation bw(MiB/s)=bandwidth_mib_s IOPS=ops_per_s Latency=latency_s
    block(KiB)=block_kib xfer(KiB)=transfer_kib open(s)=open_s wr/rd(s)=transfer_s
    close(s)=close_s total(s)=total_s iter=iteration
""")
_RANKS = pairs("""
    access=operation rank=rank runtime-with-openclose=runtime_with_open_close_s runtime=runtime_s
    throughput-withopenclose=throughput_with_open_close_bytes_s throughput=throughput_bytes_s
""")
_KINDS = {**ITERATION.columns, "tasks": "BIGINT"}
_OPERATIONS = {"write", "read", "remove"}


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
        try:
            reader.take(line, text.strip())
        except ValueError:
            out.unknown(line, text)
    reader.log.finish()


class _Reader:
    def __init__(self, out: Reading) -> None:
        self.out = out
        self.log = Log(out)
        self.columns: tuple[str, ...] = ()
        self.tests = 0

    def take(self, line: int, text: str) -> None:
        """Account for a line; raises ValueError if it is not understood."""
        if words.RULE.match(text) or not text:
            self.out.heading()
        elif words.CSV_HEADER.match(text):
            self.columns = ()
            self.header(line, text.split(","))
            self.out.heading()
        elif text.partition(",")[0] in _OPERATIONS and self.columns:
            self.row(line, text.split(","))
            self.out.used()
        elif level := words.message_level(text):
            self.log.message(line, level, text)
            self.out.used()
        else:
            raise ValueError("neither header, row nor message")

    def header(self, line: int, words: list[str]) -> None:
        """Take the columns from a header, which IOR repeats for each test."""
        names = _RANKS if "rank" in words else _ITERATIONS | {"numTasks": "tasks"}
        columns = tuple(names.get(word, "") for word in words)
        if "" in columns or len(set(columns)) != len(columns):
            raise ValueError("unknown column")
        self.columns = columns
        if "rank" not in columns:
            run = self.log.run(line)
            run.may_end = False
            run.guess_version("4.x")
            self.log.test(line, self.tests)
            self.tests += 1

    def row(self, line: int, cells: list[str]) -> None:
        """Record a row."""
        if "rank" in self.columns:
            values = cells_by_column(cells, self.columns, RANK.columns)
            self.out.record("ior_rank", line=line, **values)
            return
        values = cells_by_column(cells, self.columns, _KINDS)
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
