"""Parts are read by several processes: Python reads with one processor."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from studybook.errors import StudyBookError
from studybook.process.pool import processes
from studybook.records.load.read import files_of, read_part
from studybook.records.parts import Part

#: Bytes of raw files below which other processes would start too late to help.
WORTH_BYTES = 256 * 1024


def read_parts(parts: Iterable[Part], scratch: Path) -> Iterator[tuple[Part, Path, dict[int, str]]]:
    """Read parts, in whatever order they are done.

    Parameters
    ----------
    parts : iterable of Part
        What to read.
    scratch : pathlib.Path
        The folder where the folders of their records are made.

    Yields
    ------
    part : Part
        What was read.
    made : pathlib.Path
        The folder of its records.
    digests : dict of int to str
        As of :func:`~studybook.records.load.read.read_part`.

    Raises
    ------
    StudyBookError
        If a process that reads was killed.
    """
    # The largest first, so that none is left at the end for one process alone.
    waiting = [*enumerate(sorted(parts, key=lambda part: -part.size))]
    workers = min(_processors(), len(waiting))
    if workers < 2 or sum(part.size for _, part in waiting) < WORTH_BYTES:
        for number, part in waiting:
            made = scratch / str(number)
            yield part, made, read_part(files_of(part), made)
        return
    # They are forked: a fork has all modules at once, and does not import the main program anew.
    with processes(workers, "fork") as pool:
        begun = {
            pool.submit(read_part, files_of(part), scratch / str(number)): (part, number)
            for number, part in waiting
        }
        for done in as_completed(begun):
            part, number = begun[done]
            try:
                digests = done.result()
            except BrokenProcessPool as error:
                raise StudyBookError(
                    "a process that read raw files was killed, perhaps for want of memory\n"
                    "  → close what else runs, and try again"
                ) from error
            yield part, scratch / str(number), digests


def _processors() -> int:
    """The number of processors for readers; 1 where a fork is not safe."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
