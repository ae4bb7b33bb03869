"""Another data set of the same study: the same chapter says something else.

The testbed writes it, with another seed and a network that costs next to nothing; the price of NSD
servers, which the reference data set shows as the paper does, is then not there.
"""

from __future__ import annotations

import csv
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from studybook.statistics.comparatives import compared
from tests.conftest import REPOSITORY
from tests.support.project import Project, small_project
from tests.support.shared import made_once

CHAPTER = "book/ecm-scaleout/sd-and-nsd"
FIGURE = "ecm-scaleout/fig12-response-sd-nsd"
BOOK = {
    "intro.md": "# A book of one chapter\n\nWhat does it cost?\n",
    "ecm-scaleout/sd-and-nsd.md": (REPOSITORY / f"{CHAPTER}.md").read_text(encoding="utf-8"),
    "_toc.yml": f"""\
format: jb-book
root: book/intro
chapters:
  - file: {CHAPTER}
  - file: notebooks/{FIGURE}
  - file: notebooks/ecm-scaleout/claims
""",
}

pytestmark = pytest.mark.book

MADE = REPOSITORY / "build/reference"
OTHER = "build/other"

#: Processor time for packets and blocks that go over the network, and the time they take.
CHEAP = {
    "packet_guest_us": 0.6,
    "copy_guest_us": 0.05,
    "virtual_switch_us": 0.1,
    "nsd_block_ms": 0.0,
    "nsd_delay_ms": 0.0,
}


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return the book of the other data set: three runs with shared disks, three with NSD."""
    return Project(made_once(tmp_path_factory, "other", make_other))


def make_other(root: Path) -> None:
    figures = ("fig12-response-sd-nsd", "claims")
    project = small_project(root, *figures, study="ecm-scaleout", raw=False, book=BOOK)
    parameters = yaml.safe_load((REPOSITORY / "testbed/parameters.yml").read_text())
    for name, value in CHEAP.items():
        parameters["ecm"][name]["value"] = value
    (root / "cheap.yml").write_text(yaml.safe_dump(parameters), encoding="utf-8")
    write = ("testbed", "write", "--data-set", "other", "--seed", "7", "--parameters", "cheap.yml")
    project.run(*write, "--only", "*sd-4-1492-u1000-*")
    # Chapters and figures that it leads to are not in this book.
    project.run("book", "--data-set", "other", code=None)


def record(build: Path, figure: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((build / f"figures/{figure}.json").read_text())
    assert found["state"] == "ok"
    return found


def prose(build: Path) -> str:
    page = (build / f"html/{CHAPTER}.html").read_text(encoding="utf-8")
    article = page[page.index("<article") : page.index("</article>")]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", article)).split())


def numbers(figure: Path) -> list[float]:
    with figure.open(encoding="utf-8") as stream:
        return [float(row["value"]) for row in csv.DictReader(stream) if row["part"] == "run"]


def test_the_figure_shows_other_numbers_and_finds_something_else(other: Project) -> None:
    assert record(MADE, FIGURE)["finding"].startswith("With NSD, response times are 29")
    there = record(other.root / OTHER, FIGURE)["finding"]
    assert "no clear difference" in there
    both = [numbers(build / f"figures/{FIGURE}.csv") for build in (MADE, other.root / OTHER)]
    assert [len(each) for each in both] == [15, 10]
    assert not set(both[0]) & set(both[1])


def test_the_chapter_says_something_else(other: Project) -> None:
    judgements = record(other.root / OTHER, "ecm-scaleout/claims")["judgements"]
    assert judgements["nsd-response"]["verdict"] == "does not hold"
    assert judgements["sd-packets"]["verdict"] == "holds"
    here, there = prose(MADE), prose(other.root / OTHER)
    assert "data set reference simulated" in here
    assert "data set other simulated" in there

    for build, text in ((MADE, here), (other.root / OTHER, there)):
        found = record(build, "ecm-scaleout/claims")["judgements"]["nsd-response"]
        assert f"In numbers the paper says {found['published']}." in text
    # Not longer for certain, where the chapter says that it is: the book says so before it, and
    # of the data in which it is longer nothing.
    said = (
        r"Not confirmed[^:]*: Yes: with NSD [^.]* takes \d+\.\d % (longer|shorter) \([^)]*\) than"
    )
    assert re.search(said, there)
    assert not re.search(said, here)
    estimate, *ends = map(
        float, record(MADE, "ecm-scaleout/claims")["judgements"]["nsd-response"]["ratio"].split()
    )
    low, high = (end - 1 for end in ends)
    assert f"takes {compared(estimate - 1, low, high, 'longer than')} with shared disk" in here
