"""What is timed. Each task runs in a process of its own and prints what it took, as JSON.

``python -m benchmarks.tasks <processors> <task> <argument>...``; libraries are imported before the
clock starts, the database is written and closed before it stops.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pandas  # noqa: F401 - pyarrow would import it on first use, inside the timing

from benchmarks.plain_parser import parse
from benchmarks.sar_text import START
from studybook.records import load as loading
from studybook.records import schema


def load(source: str, database: str) -> None:
    """The product's own way: every file of the source in the data set ``bench``.

    The project is the one that the environment names. What is made of the records, all models of
    the library, and the loading report, after the database was closed: their times are taken apart.
    """
    loading.report = partial(_timed, "report", loading.report)
    loading.compute.compute = partial(_timed, "models", loading.compute.compute)
    loading.load(source, data_set="bench", database=database)


def read_csv(file: str, database: str) -> None:
    """DuckDB's own reader, which finds delimiter, names and types by itself."""
    with duckdb.connect(database) as connection:
        connection.execute("CREATE TABLE plain AS FROM read_csv(?)", [file])


def plain_parser(file: str, database: str) -> None:
    """The line-splitting parser."""
    with duckdb.connect(database) as connection:
        parse(Path(file), connection, datetime.combine(START, datetime.min.time()))


def sadf(recording: str, database: str) -> None:
    """``sadf -d`` of all activities: to text only, nothing is loaded."""
    with Path(database).open("wb") as stream:
        call = ["/usr/bin/env", "LC_ALL=C", "sadf", "-d", recording, "--", "-A"]
        subprocess.run(call, check=True, stdout=stream)  # noqa: S603 - our own


TASKS = {"load": load, "read_csv": read_csv, "plain_parser": plain_parser, "sadf": sadf}


#: What a task has to say of its parts.
_parts = {"models_s": 0.0, "models_processor_s": 0.0, "report_s": 0.0, "report_processor_s": 0.0}


def _timed(what: str, original: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    start, processor = time.perf_counter(), _processor_seconds()
    found = original(*arguments, **named)
    _parts[f"{what}_s"] = time.perf_counter() - start
    _parts[f"{what}_processor_s"] = _processor_seconds() - processor
    return found


def main(processors: int, task: str, *arguments: str) -> None:
    """Run a task and print seconds, processor seconds, and peak memory in MiB."""
    # As many processors for every library, whatever it does with them; DuckDB does not look.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-processors:])
    duckdb.connect = partial(_connect, duckdb.connect, processors)
    schema.record_tables()  # imports the formats
    start, processor = time.perf_counter(), _processor_seconds()
    TASKS[task](*arguments)
    apart, processor_apart = (sum(_parts[f"{what}_{unit}"] for what in ("models", "report"))
                              for unit in ("s", "processor_s"))  # fmt: skip
    took = _parts | {
        "seconds": time.perf_counter() - start - apart,
        "processor_s": _processor_seconds() - processor - processor_apart,
        "peak_mib": _peak_mib(),
    }
    print(json.dumps(took))


def _connect(
    original: Callable[..., Any], threads: int, *arguments: Any, config: Any = None, **others: Any
) -> Any:
    """``duckdb.connect``, with so many threads."""
    return original(*arguments, config={"threads": threads, **(config or {})}, **others)


def _usage() -> list[resource.struct_rusage]:
    return [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]


def _peak_mib() -> float:
    return max(each.ru_maxrss for each in _usage()) / 1024


def _processor_seconds() -> float:
    return sum(each.ru_utime + each.ru_stime for each in _usage())


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
