"""The time of a context switch, by number of processes and the data that each touches."""

from __future__ import annotations

from studybook.measure.command import Command, Experiment
from studybook.measure.scale import Scale
from studybook.measure.tools import Tool, find, missing

NAME = "context-switch"

#: Timings that lat_ctx makes of each number of processes; it prints their median (lmbench 3).
_TIMINGS = 11

#: So often may lat_ctx find that its own overhead was longer than what it timed.
_ATTEMPTS = 5

#: A slow operation of perf bench, in seconds: for the estimate only.
_SLOW_OPERATION_S = 10e-6


def experiment(scale: Scale) -> Experiment | list[Tool]:
    """The experiment with lat_ctx, else with perf; or the tools that it lacks."""
    if path := find("lat_ctx"):
        return Experiment(
            NAME,
            "context switches by number of processes and size",
            tuple(_lat_ctx(path, size, scale) for size in scale.switch_kib),
            ("lat_ctx",),
            (
                f"ENOUGH={scale.switch_us} is the least time of one timing in microseconds: left"
                " to itself, lat_ctx takes from 5,000 to 1,000,000 by how steady the clock seems.",
                "lat_ctx takes its own overhead off, and leaves out a number of processes where"
                " nothing remains: on a busy machine.",
            ),
        )
    if not missing("perf"):
        return Experiment(
            NAME,
            "a word there and back between two processes",
            (_perf(scale.switch_loops),),
            ("perf",),
        )
    return missing("lat_ctx", "perf")


def _lat_ctx(path: str, size_kib: int, scale: Scale) -> Command:
    numbers = tuple(str(number) for number in scale.switching)
    return Command(
        f"lat_ctx-{size_kib}k.txt",
        (path, "-s", str(size_kib), *numbers),
        proof=r"^\d+ \d+\.\d+$",
        seconds=1 + 2.5 * _TIMINGS * len(numbers) * scale.switch_us / 1e6,
        errors_too=True,  # where lat_ctx prints its results
        environment={"ENOUGH": str(scale.switch_us)},
        attempts=_ATTEMPTS,
    )


def _perf(operations: int) -> Command:
    return Command(
        "perf-sched-pipe.txt",
        ("perf", "bench", "sched", "pipe", "-l", str(operations)),
        proof=r"usecs/op",
        seconds=1 + operations * _SLOW_OPERATION_S,
    )
