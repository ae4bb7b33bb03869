"""The memory that a program takes, with all that it starts."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

#: Seconds between two looks.
_EVERY_S = 0.02


def peak_mib(
    call: Sequence[str],
    environment: Mapping[str, str],
    cwd: Path,
    of: Callable[[list[int]], int] = sum,
    every_s: float = _EVERY_S,
) -> float:
    """Run a program; the most memory that it and all its processes had at one time, in MiB.

    What several of them share is counted once (PSS). To look takes time: what is timed to parts of
    a second is not measured in this way.

    Parameters
    ----------
    call, environment, cwd
        The program, and with what it runs.
    of : callable, optional
        What counts: the sum of all, or the most that one of them has (``max``).
    every_s : float, optional
        Seconds between two looks.
    """
    peak = 0
    with subprocess.Popen(  # noqa: S603 - our own
        call, env=environment, cwd=cwd, stdout=subprocess.DEVNULL
    ) as process:
        while process.returncode is None:
            peak = max(peak, of(memory_of(process.pid) or [0]))
            with suppress(subprocess.TimeoutExpired):
                process.wait(every_s)
    if process.returncode:
        raise RuntimeError(f"{' '.join(call)} failed: exit code {process.returncode}")
    return peak / 2**20


def memory_of(pid: int) -> list[int]:
    """The bytes of memory that each of a process and those below it has; shared ones in parts."""
    found = []
    with suppress(psutil.NoSuchProcess):
        first = psutil.Process(pid)
        for each in (first, *first.children(recursive=True)):
            with suppress(psutil.NoSuchProcess, psutil.AccessDenied):  # it ends just now
                found.append(each.memory_full_info().pss)
    return found
