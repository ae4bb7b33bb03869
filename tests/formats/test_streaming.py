"""Memory does not grow with the file: large files are made of many copies of a fixture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fixtures import ONE_OF_EACH, short
from tests.support.memory import Measurer

MIB = 2**20

#: Sizes of the two files that are compared. For the larger, less memory more must do than it is
#: larger: to keep its bytes, once, takes that much, to keep its lines or records many times.
SMALL, LARGE = MIB // 4, 3 * MIB // 2

#: Files that are one document: copies of it behind one another are none, so that large ones
#: cannot be made here. Those of RPT's stages are read whole, and small.
ONE_DOCUMENT = {
    "iostat/iostat.json",
    "mpstat/mpstat.json",
    "rpt/stages.stats",
    "sar/sadf-j.json",
    "sar/sadf-x.xml",
}

#: Those of which a file grows with the time that is measured, or the requests made; others write
#: once, of a host or a run, what fits on a few pages.
LOGS = {
    "collectl", "gatling", "iostat", "jtl", "k6", "locust", "mmpmon", "mpstat", "nmon", "pcp",
    "perf", "perfkit", "pidstat", "prometheus", "rpt", "sar", "vmstat", "hey/samples.csv",
    "vegeta/results.json",
}  # fmt: skip

#: Of one report after the other, each of a few lines, most of the time goes into their headings.
LONGER = {"rpt/transactions.csv": "full.csv", "sar/sar-tabs.txt": "sar-12-more.txt"}

FIXTURES = [
    each.with_name(LONGER.get(short(each), each.name))
    for each in ONE_OF_EACH.values()
    if {short(each), each.parent.name} & LOGS and short(each) not in ONE_DOCUMENT
]


@pytest.fixture(scope="module")
def measurer() -> Iterator[Measurer]:
    measurer = Measurer()
    yield measurer
    measurer.close()


def growth(measurer: Measurer, way: str, path: Path, folder: Path) -> int:
    """Return how many bytes more the larger file takes than the smaller, at the peak."""
    # Of a restart, readers of sadf's exports keep the sections that follow it: hosts restart
    # seldom, and not once in each kilobyte, as in copies of these fixtures.
    lines = path.read_bytes().splitlines(keepends=True)
    content = b"".join(line for line in lines if b"LINUX-RESTART" not in line)
    content += b"" if content.endswith(b"\n") else b"\n"
    files = [folder / "small", folder / "large"]
    for file, size in zip(files, (SMALL, LARGE), strict=True):
        file.write_bytes(content * (size // len(content)))
    (few_lines, small), (many_lines, large) = measurer.measure(way, *files)
    assert many_lines > 3 * few_lines
    return large - small


@pytest.mark.parametrize("path", FIXTURES, ids=short)
def test_memory_does_not_grow_with_the_file(path: Path, measurer: Measurer, tmp_path: Path) -> None:
    assert growth(measurer, "read", path, tmp_path) < LARGE - SMALL


@pytest.mark.parametrize("way", ["keep_lines", "keep_file"])
def test_a_reader_that_keeps_what_it_reads_is_noticed(
    way: str, measurer: Measurer, tmp_path: Path
) -> None:
    for path in FIXTURES[:3]:
        assert growth(measurer, way, path, tmp_path) > LARGE - SMALL
