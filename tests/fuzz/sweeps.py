"""``make sweep``: not by chance, but all, of each file that is at hand.

Each file is cut at each of its last bytes, and each kind of number in it made huge; a file in a
process of its own. What does not hold is told with the file, and where, and ends with exit code 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from studybook.errors import Refused
from tests.conftest import samples_folder
from tests.fuzz.hunt import COLLECTED, LAST, MOST_BYTES
from tests.fuzz.properties import gives_nothing_else_when_cut, stored, survives
from tests.support.fixtures import READABLE
from tests.support.reading import read_rows

#: Larger than any number that is kept, or just not; below nothing; and none.
HUGE = [b"9" * 30, b"1" + b"0" * 400, b"1.7e308", b"1e400", b"%d" % (2**64 - 1), b"-" + b"9" * 30]
_NUMBER = re.compile(rb"\d+(?:[.,]\d+)?")


def whole_files(most_bytes: int) -> list[Path]:
    """All files that are not too large and can be read; of equal contents the first."""
    found: dict[bytes, Path] = {}
    for path in (*READABLE, *sorted(samples_folder().rglob("*"))):
        if path.is_file() and 0 < path.stat().st_size <= most_bytes:
            found.setdefault(path.read_bytes(), path)
    return list(found.values())


def cuts(path: Path, folder: Path) -> Iterator[str]:
    """Cut off each of the last bytes, one more each time."""
    size = path.stat().st_size
    for end in range(max(1, size - LAST), size):
        try:
            gives_nothing_else_when_cut(path, [end], folder, COLLECTED)
        except AssertionError as error:
            yield f"cut at {end}: {error!s:.300}"
        else:
            yield ""


def huge(path: Path, folder: Path) -> Iterator[str]:
    """Put huge numbers in the place of the first of each kind: of one place in lines of a shape."""
    content = path.read_bytes()
    seen: set[bytes] = set()
    for place in _NUMBER.finditer(content):
        begin = content.rfind(b"\n", 0, place.start()) + 1
        end = content.find(b"\n", begin)
        line = content[begin:] if end < 0 else content[begin:end]
        kind = _NUMBER.sub(b"0", content[begin : place.start()]) + b"|" + _NUMBER.sub(b"0", line)
        if kind in seen:
            continue
        seen.add(kind)
        for number in HUGE:
            changed = content[: place.start()] + number + content[place.end() :]
            try:
                survives(stored(folder, changed))
            except AssertionError as error:
                yield f"{number[:32]!r} at {place.start()}: {error!s:.300}"
            else:
                yield ""


SWEEPS = {"cuts": cuts, "huge": huge}


def swept(sweep: str, path: Path) -> tuple[int, list[str]]:
    """Sweep one file; how many inputs were tried, and what did not hold."""
    try:
        read_rows(path)
    except Refused:
        return 0, []
    with tempfile.TemporaryDirectory(prefix="studybook-sweep-") as folder:
        told = list(SWEEPS[sweep](path, Path(folder)))
    return len(told), [each for each in told if each]


def main() -> int:
    """Read the command line, and sweep."""
    parser = argparse.ArgumentParser(prog="make sweep", description=__doc__)
    parser.add_argument("sweeps", choices=SWEEPS, nargs="*", default=list(SWEEPS))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--most-bytes", type=int, default=MOST_BYTES)
    given = parser.parse_args()
    files = whole_files(given.most_bytes)
    wrong = 0
    for sweep in given.sweeps:
        inputs = 0
        # What is imported once is not imported for each file.
        context = multiprocessing.get_context("fork")
        with context.Pool(given.processes, maxtasksperchild=1) as pool:
            done = pool.imap(partial(swept, sweep), files, chunksize=1)
            for path, (tried, told) in zip(files, done, strict=True):
                inputs += tried
                wrong += len(told)
                print(f"{sweep} {path}: {tried}, {len(told)} wrong", flush=True)
                for each in told:
                    print(f"    {each}", flush=True)
        print(f"{sweep}: {inputs:,} inputs of {len(files)} files, {wrong} wrong", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
