"""Numbers in the chapters of FileNet P8 that can be computed: of a queue, the mix, the guests."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from scipy.optimize import brentq, minimize_scalar

from studybook.dataset.manifest import read_run
from studybook.dataset.paths import DataSet
from studybook.publish.fill import fill_pages
from testbed.filenet.mix import KINDS
from testbed.mean_value import erlang_c
from tests.conftest import REPOSITORY

CHAPTERS = REPOSITORY / "book/filenet-p8"
LARGEST = REPOSITORY / "data/raw/reference/filenet-p8/configuration-cpus-8-2/run.yml"


@pytest.fixture(scope="module")
def chapters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the chapters with what the document's tables have in their places."""
    folder = tmp_path_factory.mktemp("book")
    shutil.copytree(CHAPTERS, folder / CHAPTERS.name)
    fill_pages(folder, [], DataSet("reference", REPOSITORY))
    return folder / CHAPTERS.name


def rows(page: str, header: str, chapters: Path = CHAPTERS) -> list[list[str]]:
    """Return the cells of the table that begins with this header."""
    text = (chapters / f"{page}.md").read_text(encoding="utf-8")
    found = re.search(rf"^\| {re.escape(header)}.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.M)
    assert found, header
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()]


def times_service(servers: int, load: float) -> float:
    """Return the response time of M/M/c in service times."""
    return 1.0 + erlang_c(servers, servers * load) / (servers * (1.0 - load))


def test_the_formula_is_that_of_the_textbook_for_one_and_two_servers() -> None:
    assert times_service(1, 0.8) == pytest.approx(1 / (1 - 0.8))
    assert times_service(2, 0.8) == pytest.approx(1 / (1 - 0.8**2))


@pytest.mark.parametrize("row", rows("response-and-utilisation", "Processors | Knee"))
def test_the_shares_in_use_are_those_of_the_queue(row: list[str]) -> None:
    servers = int(row[0])
    knee = minimize_scalar(
        lambda load: times_service(servers, load) / load, bounds=(0.1, 0.99), method="bounded"
    ).x
    doubled = brentq(lambda load: times_service(servers, load) - 2.0, 0.1, 0.99)
    assert [float(cell) for cell in row[1:]] == pytest.approx([knee, doubled], abs=0.005)


def test_the_mix_is_that_of_the_model(chapters: Path) -> None:
    table = rows("workload", "Engine | Operation | Share", chapters)
    shares = [(row[0], float(row[2].removesuffix(" %")) / 100) for row in table]
    assert shares == [(kind.engine, pytest.approx(kind.share)) for kind in KINDS]
    moves = [row[3] != "none" for row in table]
    assert moves == [bool(kind.upload_kib or kind.download_kib) for kind in KINDS]


def test_virtual_processors_and_memory_are_those_of_the_largest_setup(chapters: Path) -> None:
    hosts = {host.name: host for host in read_run(LARGEST).hosts}
    table = rows("system", "Guest | Virtual CPUs", chapters)
    guests = {row[0].strip("`"): row for row in table[:4]}
    for name, row in guests.items():
        assert float(row[2].split()[0]) == (hosts[name].memory_mib or 0) / 1024
        assert row[1].split(",")[0].split(" to ")[-1] == str(hosts[name].cpus)
    together = sum(hosts[name].cpus or 0 for name in guests)
    system = (chapters / "system.md").read_text(encoding="utf-8")
    assert "all guests together have fewer virtual ones" in " ".join(system.split())
    assert together < (hosts["ZVMBOOK"].cpus or 0)
