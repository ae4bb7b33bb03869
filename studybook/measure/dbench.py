"""Throughput of a load of file system calls, by number of processes."""

from __future__ import annotations

from studybook.measure.command import Command, Experiment
from studybook.measure.scale import DBENCH_MIB, Scale
from studybook.measure.tools import Tool, missing

NAME = "dbench"

#: Making files ready and deleting them, beside the seconds asked for.
_AROUND_S = 1.0


def experiment(scale: Scale, most_mib: int) -> Experiment | list[Tool]:
    """The experiment, or the tools that it lacks."""
    if lacking := missing("dbench"):
        return lacking
    levels = [number for number in scale.processes if number * DBENCH_MIB <= most_mib]
    return Experiment(
        NAME,
        "dbench by number of processes",
        tuple(_command(number, scale.dbench_s) for number in levels),
        ("dbench",),
        (
            "The files of dbench are in the page cache as far as memory goes; it does not write"
            " them through (no -s).",
        ),
    )


def _command(processes: int, seconds: int) -> Command:
    return Command(
        f"dbench-{processes}.txt",
        ("dbench", "-D", ".", "-t", str(seconds), str(processes)),
        # In a second it gets no further than to warm up, and prints 0.
        proof=r"^Throughput (?!0 )\d",
        seconds=seconds + _AROUND_S,
        mib=DBENCH_MIB * processes,
    )
