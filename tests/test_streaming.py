"""Memory does not grow with the file: large files are made of many copies of a fixture."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_hostile import ONE_OF_EACH, short

MIB = 2**20

#: Sizes of the two files that are compared, and by how much the memory for the larger may be
#: more: the allocator's own slack. A list of the lines takes more than that, and the records
#: in memory many times as much.
SMALL, LARGE, MORE = 4 * MIB, 18 * MIB, 32 * MIB

#: Readers that go line by line have no blocks in memory, and are slow: less will do for them.
IN_BLOCKS = ("jtl/", "mmpmon/", "rpt/", "sar/")

#: Files that are one document: copies of it behind one another are none, so that large ones
#: cannot be made here. Those of IOR and RPT are read whole, and small.
ONE_DOCUMENT = {
    "ior/ior-3.3.0.json",
    "rpt/stages.stats",
    "sar/sadf-j.json",
    "sar/sadf-x.xml",
}

#: Of one report after the other, each of a few lines, most of the time goes into their headings.
FIXTURES = [
    each.with_name("full.csv") if short(each) == "rpt/transactions.csv" else each
    for each in ONE_OF_EACH
    if short(each) not in ONE_DOCUMENT
]

READ = """
import resource, sys
from pathlib import Path
from pipelines.formats import read
_, reading = read(Path(sys.argv[1]), lambda table, rows: None)
print(reading.lines, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def peak_memory(path: Path) -> tuple[int, int]:
    """Read a file in a process of its own; return the lines read and its peak memory in bytes."""
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines, memory = done.stdout.split()
    return int(lines), int(memory)


@pytest.mark.parametrize("path", FIXTURES, ids=short)
def test_memory_does_not_grow_with_the_file(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    content += b"" if content.endswith(b"\n") else b"\n"
    measured = []
    part = 1 if short(path).startswith(IN_BLOCKS) else 2
    for size in (SMALL // part, LARGE // part):
        (tmp_path / "raw").write_bytes(content * (size // len(content)))
        measured.append(peak_memory(tmp_path / "raw"))
    (few_lines, small), (many_lines, large) = measured
    assert many_lines > 3 * few_lines
    assert large - small < MORE // part
