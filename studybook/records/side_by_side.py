"""Jobs that processes do side by side: Python works with one processor, and so does DuckDB here."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, TypeVar

from studybook.errors import StudyBookError
from studybook.process import cluster
from studybook.process.pool import processes

Key = TypeVar("Key")
Result = TypeVar("Result")


def side_by_side(
    doing: str,
    work: Callable[..., Result],
    jobs: Sequence[tuple[Key, tuple[Any, ...]]],
    folder: Path,
    *,
    worth: bool = True,
) -> Iterator[tuple[Key, Path, Result]]:
    """Do jobs, in whatever order they are done; the first of them begin first.

    Where a Dask scheduler is named (:mod:`studybook.process.cluster`), its workers do them.

    Parameters
    ----------
    doing : str
        What a process did, for people: ``read raw files``.
    work : callable
        Does a job, with its arguments, and with the folder that it makes and fills.
    jobs : sequence of tuple
        A key for each job, and the arguments for ``work``.
    folder : pathlib.Path
        Where the folders are made.
    worth : bool, optional
        Whether other processes would not start too late to help.

    Yields
    ------
    key
        That of a job.
    made : pathlib.Path
        The folder that it filled.
    result
        What ``work`` returned.

    Raises
    ------
    StudyBookError
        If a process was killed, or the cluster cannot do it.
    """
    if cluster.address():
        yield from cluster.on_cluster(doing, work, jobs, folder)
        return
    folders = [folder / str(number) for number in range(len(jobs))]
    workers = min(_processors(), len(jobs))
    if workers < 2 or not worth:
        for (key, arguments), made in zip(jobs, folders, strict=True):
            yield key, made, work(*arguments, made)
        return
    # They are forked: a fork has all modules at once, and does not import the main program anew.
    with processes(workers, "fork") as pool:
        begun = {
            pool.submit(work, *arguments, made): (key, made)
            for (key, arguments), made in zip(jobs, folders, strict=True)
        }
        for done in as_completed(begun):
            try:
                yield *begun[done], done.result()
            except BrokenProcessPool as error:
                raise StudyBookError(
                    f"a process that {doing} was killed, perhaps for want of memory\n"
                    "  → close what else runs, and try again"
                ) from error


def processors_for_each(jobs: int) -> int:
    """How many processors each of so many jobs has, where they are done side by side."""
    return 1 if cluster.address() else max(1, _processors() // max(1, jobs))


def _processors() -> int:
    """The number of processors for such work; 1 where a fork is not safe."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
