"""Peak memory of readers, each in a fresh process that has loaded all there is to load.

A child that is forked costs next to nothing, where an interpreter of its own would load the
readers and their libraries again. What a process has held at most is asked of Linux itself:
``ru_maxrss`` of a child that ``subprocess`` starts is at least that of the tests' process.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from studybook import formats
from studybook.formats import contract
from studybook.formats.raw import BLOCK_BYTES, RawFile
from studybook.formats.sar import sadf_export
from tests.conftest import REPOSITORY

KIB = 1024
#: All that readers ask for at once is this many times less in the children, so that a file of a
#: megabyte is to them what one of 64 MiB is in earnest: many blocks, and many batches of rows.
SCALE = 64


def peak() -> int:
    """What this process has held in memory at most, in bytes."""
    found = re.search(r"^VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert found
    return int(found[1]) * KIB


def reset_peak() -> int:
    """Let what this process holds now be its peak; return that."""
    Path("/proc/self/clear_refs").write_text("5")
    return peak()


def read(path: Path) -> int:
    """Read a file with its reader; return the lines read."""
    return formats.read(path, lambda table, rows: None)[1].lines


def keep_lines(path: Path) -> int:
    """Read a file as no reader may."""
    return len(list(RawFile(path).lines()))


def keep_file(path: Path) -> int:
    """Read a file as no reader may, in the least memory that this takes."""
    return b"".join([block for _, block in RawFile(path).blocks()]).count(b"\n")


WAYS: dict[str, Callable[[Path], int]] = {
    each.__name__: each for each in (read, keep_lines, keep_file)
}


class Measurer:
    """A process that forks a child for each measurement."""

    def __init__(self) -> None:
        # Freed memory goes back at once, and that of Arrow is taken from where all is taken.
        settings = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.memory"],
            cwd=REPOSITORY, env=os.environ | settings, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def measure(self, way: str, *paths: Path) -> list[tuple[int, int]]:
        """Read files one after the other in one process: lines of each, and the peak so far."""
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps([way, *map(str, paths)]), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline().strip()
        assert answer, "the reader failed: see its error above"
        return [(lines, memory) for lines, memory in json.loads(answer)]

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def serve() -> None:
    """Measure what is asked for on standard input."""
    blocks = RawFile.blocks
    setattr(RawFile, "blocks", lambda raw, size=BLOCK_BYTES: blocks(raw, size // SCALE))  # noqa: B010
    for module in (contract, sadf_export):
        module.BATCH_ROWS //= SCALE
    # Large files are made of copies of a small one, which would be read once.
    setattr(RawFile, "repetition", None)  # noqa: B010
    formats.all_formats()
    for line in sys.stdin:
        way, *paths = json.loads(line)
        if not os.fork():
            print(json.dumps([(WAYS[way](Path(path)), peak()) for path in paths]), flush=True)
            os._exit(0)
        if os.wait()[1]:
            print(flush=True)


if __name__ == "__main__":
    serve()
