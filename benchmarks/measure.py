"""Measuring side by side: tasks take turns, and a ratio is taken of each turn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.memory import peak_mib

REPOSITORY = Path(__file__).resolve().parent.parent

#: Names, for a task, the program of others that it needs.
PROGRAM_VARIABLE = "BENCHMARK_PROGRAM"


@dataclass(frozen=True)
class Task:
    """Something to time.

    Parameters
    ----------
    label : str
        What it is, for people.
    name : str
        Which of :data:`benchmarks.tasks.TASKS`.
    argument : str
        What it is to read.
    size : int
        How much that is, in bytes.
    project : pathlib.Path, optional
        The project that it runs in.
    program : pathlib.Path, optional
        What of others it needs beside this Python.
    """

    label: str
    name: str
    argument: str
    size: int
    project: Path | None = None
    program: Path | None = None


@dataclass
class Taken:
    """What a task took, each time.

    ``models_s``, for what is made of records, and ``report_s`` are not in ``seconds``.

    ``peak_mib`` is the memory of its largest process, ``together_mib`` that of all of them.
    """

    seconds: list[float] = field(default_factory=list)
    processor_s: list[float] = field(default_factory=list)
    peak_mib: list[float] = field(default_factory=list)
    models_s: list[float] = field(default_factory=list)
    models_processor_s: list[float] = field(default_factory=list)
    report_s: list[float] = field(default_factory=list)
    report_processor_s: list[float] = field(default_factory=list)
    together_mib: list[float] = field(default_factory=list)
    load: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Comparison:
    """A claim: a task is at least so many times as fast, per byte, as another."""

    subject: Task
    other: Task
    target: float


@dataclass(frozen=True)
class Case:
    """Comparisons of the same subject, measured together.

    Parameters
    ----------
    title : str
        What it is, for people.
    comparisons : sequence of Comparison
        What is claimed.
    subject : Task
        What is measured.
    whole : bool
        Whether it is a whole book, made from nothing on all processors; else a load.
    left_out : sequence of str
        What is not compared, and why.
    """

    title: str
    comparisons: Sequence[Comparison]
    subject: Task
    whole: bool = False
    left_out: Sequence[str] = ()


Measured = dict[Task, Taken]


def measure(
    case: Case, repeat: int, processors: int, folder: Path, say: Callable[[str], None]
) -> Measured:
    """Run the tasks of a case in turns, each in a fresh process.

    Parameters
    ----------
    case : Case
        What to run.
    repeat : int
        How many turns.
    processors : int
        How many of them, and threads of DuckDB, each task may use.
    folder : pathlib.Path
        Where databases may be written; they are deleted.
    say : callable
        Told what was measured.
    """
    others = [each.other for each in case.comparisons]
    measured: Measured = {task: Taken() for task in (case.subject, *others)}
    for turn in range(repeat):
        # Each second turn the other way around: neither side is always first.
        for task in list(measured)[:: -1 if turn % 2 else 1]:
            taken = measured[task]
            taken.load.append(os.getloadavg()[0])
            for name, value in _run(task, processors, folder).items():
                getattr(taken, name).append(value)
            say(f"{case.title}: {task.label}: {taken.seconds[-1]:.2f} s")
    ours = measured[case.subject]
    if case.whole:
        return measured
    if processors == 1:  # then one process does it all
        ours.together_mib.append(max(ours.peak_mib))
        return measured
    with _prepared(case.subject, processors, folder) as (call, environment):
        ours.together_mib.append(peak_mib(call, environment, REPOSITORY))
    return measured


def _run(task: Task, processors: int, folder: Path) -> dict[str, float]:
    with _prepared(task, processors, folder) as (call, environment):
        done = subprocess.run(  # noqa: S603 - our own
            call, env=environment, cwd=REPOSITORY, capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise RuntimeError(f"{task.label} failed:\n{done.stderr}")
    taken: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return taken


@contextmanager
def _prepared(
    task: Task, processors: int, folder: Path
) -> Iterator[tuple[list[str], dict[str, str]]]:
    """The call and environment of a task, while there is a place for its database."""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    if task.project:
        environment["STUDYBOOK_HOME"] = str(task.project)
    if task.program:
        environment[PROGRAM_VARIABLE] = str(task.program)
    call = [sys.executable, "-m", "benchmarks.tasks", str(processors), task.name, task.argument]
    with tempfile.TemporaryDirectory(dir=folder) as place:
        yield [*call, str(Path(place) / "result")], environment


def rate(task: Task, taken: Taken) -> float:
    """Megabytes per second, in the median."""
    return task.size / 1e6 / median(taken.seconds)


def ratios(comparison: Comparison, measured: Measured) -> list[float]:
    """How many times as fast the subject was, turn by turn, lowest first."""
    ours, other = comparison.subject, comparison.other
    return sorted(
        (ours.size / mine) / (other.size / its)
        for mine, its in zip(measured[ours].seconds, measured[other].seconds, strict=True)
    )
