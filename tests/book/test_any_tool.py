"""The figures of any study draw from each tool: a foreign data set, and not a line of sar in it."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
import yaml

from tests.conftest import REPOSITORY
from tests.support.project import Project
from tests.support.shared import made_once

DATA = REPOSITORY / "tests/data"

#: Where a tool says how busy the processors are.
ALWAYS = ("overview", "run-one")

#: A study for each set of tools: its files, its hosts, and the figures that these can feed.
STUDIES = {
    "forks": (
        ["nmon/linux.nmon"],
        ["shop1"],
        [*ALWAYS, "disks", "memory", "network", "processors"],
    ),
    "spoons": (
        ["vmstat/vmstat-t.txt", "iostat/extended.txt"],
        ["kettle", "db3.example"],
        [*ALWAYS, "disks", "memory", "processors"],
    ),
    "plates": (["mpstat/all-processors.txt"], ["db3.example"], [*ALWAYS, "processors"]),
    # Of more intervals than a chart has room for.
    "glasses": (["all-day.jtl"], [], [*ALWAYS]),
}


def write_all_day(path: Path) -> None:
    """Write a log of JMeter of eight hours, a sample every other second."""
    samples = (f"{1_468_481_400_000 + 2000 * n},{n % 97 + 3},buy,200,true\n" for n in range(14_400))
    path.write_text("timeStamp,elapsed,label,responseCode,success\n" + "".join(samples))


@pytest.fixture(scope="module")
def crockery(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, str]:
    """Return a book of these studies, and what making its figures printed."""
    root = made_once(tmp_path_factory, "crockery", make_crockery)
    return Project(root), (root / "said.txt").read_text(encoding="utf-8")


def make_crockery(root: Path) -> None:
    (root / "book").mkdir(parents=True)
    shutil.copy2(REPOSITORY / "_config.yml", root)
    (root / "book/intro.md").write_text("# Crockery\n", encoding="utf-8")
    (root / "book/_toc.yml").write_text("format: jb-book\nroot: book/intro\n", encoding="utf-8")
    for study, (files, hosts, _) in STUDIES.items():
        run = root / "data/raw/crockery" / study / "one"
        run.mkdir(parents=True)
        for file in files:
            if (DATA / file).is_file():
                shutil.copy2(DATA / file, run)
            else:
                write_all_day(run / file)
        manifest = {
            "study": study, "run": "one", "title": study, "origin": "measured",
            "time_zone": "UTC",
            "hosts": [{"name": host, "role": "kitchen", "memory_mib": 8000} for host in hosts],
            "files": [
                {"path": Path(file).name} | ({"host": "kettle"} if "vmstat" in file else {})
                for file in files
            ],
        }  # fmt: skip
        (run / "run.yml").write_text(yaml.safe_dump(manifest), encoding="utf-8")
    project = Project(root)
    project.run("load", "--data-set", "crockery")
    said = project.run("figures", "--data-set", "crockery").stdout
    (root / "said.txt").write_text(said, encoding="utf-8")


@pytest.mark.parametrize("study", STUDIES)
def test_each_gets_the_figures_that_its_tools_can_feed(
    crockery: tuple[Project, str], study: str
) -> None:
    project, printed = crockery
    folder = project.root / "build/crockery/figures" / study
    drawn = {path.stem for path in folder.glob("*.csv")}
    assert drawn == set(STUDIES[study][2]), printed


@pytest.mark.parametrize(
    ("figure", "tool", "hosts"),
    [
        ("forks/processors", "nmon", {"shop1"}), ("forks/memory", "nmon", {"shop1"}),
        ("forks/disks", "nmon", {"shop1 sda"}), ("forks/network", "nmon", {"shop1 eth0"}),
        ("spoons/processors", "iostat and vmstat", {"kettle", "db3.example"}),
        ("spoons/memory", "vmstat", {"kettle"}),
        ("spoons/disks", "iostat", {"db3.example sda", "db3.example nvme0n1"}),
        ("plates/processors", "mpstat", {"db3.example"}),
    ],
)  # fmt: skip
def test_what_is_drawn_and_by_which_tool_it_was_measured(
    crockery: tuple[Project, str], figure: str, tool: str, hosts: set[str]
) -> None:
    project, _ = crockery
    folder = project.root / "build/crockery/figures"
    with (folder / f"{figure}.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    name = next(each for each in ("host", "disk", "interface") if each in rows[0])
    assert {row[name] for row in rows} == hosts
    assert f"intervals of {tool};" in (folder / f"{figure}.vl.json").read_text(encoding="utf-8")
