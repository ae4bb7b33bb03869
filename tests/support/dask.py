"""A Dask cluster on this machine, as people start one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil

from studybook.process import cluster
from tests.support.processes import wait_until


def killed(group: int) -> None:
    """Kill a group of processes, but not those that remove what the others leave in memory."""
    for each in psutil.process_iter():
        with suppress(psutil.Error, ProcessLookupError):
            if os.getpgid(each.pid) == group and "resource_tracker" not in str(each.cmdline()):
                each.kill()


@contextmanager
def dask(folder: Path, workers: int = 2, *more: str) -> Iterator[tuple[str, int]]:
    """Start a scheduler and workers, as people do; its address and process."""
    quick = os.environ | {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s"}
    about = folder / "scheduler.json"

    def start(what: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard"]
        log = (folder / "dask.log").open("ab")
        return subprocess.Popen(
            [*command, "--scheduler-file", str(about), *arguments],
            cwd=folder, stdout=log, stderr=log, env=quick, start_new_session=True,
        )  # fmt: skip

    with ExitStack() as stack:

        def until_the_end(process: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
            stack.callback(process.wait)
            stack.callback(lambda: killed(process.pid))
            return process

        scheduler = until_the_end(start("scheduler", "--host", "127.0.0.1", "--port", "0"))
        wait_until(about.is_file, scheduler)
        wait_until(lambda: '"address"' in about.read_text(), scheduler)
        own = ("--nthreads", "1", "--local-directory", str(folder), *more)
        for _ in range(workers):
            until_the_end(start("worker", *own))
        (where,) = re.findall(r'"address": "([^"]+)"', about.read_text())
        with cluster.connected(where) as client:
            client.wait_for_workers(workers)
        yield where, scheduler.pid
