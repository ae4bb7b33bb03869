"""Other processes: whether they are there, and waiting for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def is_there(process: int) -> bool:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    # Where nobody waits for orphans, one that has ended stays in the list.
    return stat.rpartition(")")[2].split()[0] != "Z"


def wait_until(done: Callable[[], bool], seconds: float = 60, every: float = 0.1) -> None:
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until
        time.sleep(every)
