"""Other processes: whether they are there, and waiting for them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

import psutil

from tests.conftest import REPOSITORY


def is_there(process: int) -> bool:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    # Where nobody waits for orphans, one that has ended stays in the list.
    return stat.rpartition(")")[2].split()[0] != "Z"


def wait_until(
    done: Callable[[], object], process: Popen[str] | Popen[bytes] | None = None, every: float = 0.1
) -> None:
    """Wait until something is so, for as long as it takes: a busy machine is no fault.

    Where a process is named, it must become so while that lives.
    """
    while not done():
        # Looked at once more: it may have done it, and then have ended.
        ended = process is not None and process.poll() is not None
        assert not ended or done(), f"its process ended before that, by {process and process.args}"
        time.sleep(every)


@contextmanager
def started(*argv: str, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process as a terminal does: with what it starts, it is a group of its own."""
    process = subprocess.Popen(
        [sys.executable, *argv],
        cwd=cwd,
        env={k: v for k, v in os.environ.items() if not k.startswith("STUDYBOOK_")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def family(process: subprocess.Popen[str]) -> list[int]:
    return [each.pid for each in psutil.Process(process.pid).children(recursive=True)]


def recipe(target: str, *given: str) -> list[str]:
    """The command that ``make`` runs for a target, without what it depends on."""
    # What a make that runs the tests hands on would have this one print more.
    environment = {name: each for name, each in os.environ.items() if name != "MAKEFLAGS"}
    said = subprocess.run(
        ["make", "-n", "--no-print-directory", "-o", "setup", target, *given],
        cwd=REPOSITORY, env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return said.stdout.split()
