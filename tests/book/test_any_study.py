"""A study that nobody foresaw: an invented name, roles of its own, and nothing but sar."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.sar_activities import SLES11
from benchmarks.sar_text import write_sar
from studybook.charts.renderer import MAX_ROWS
from studybook.records.load import load
from tests.conftest import REPOSITORY
from tests.support import folder
from tests.support.project import Project
from tests.support.shared import made_once

#: A book of one page; its studies are added to it.
BOOK = {
    "book/intro.md": "# Shop\n\nHow busy is it?\n",
    "book/_toc.yml": "format: jb-book\nroot: book/intro\nparts:\n  - caption: Loading reports\n"
    "    chapters:\n      - glob: pipelines/load/*\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, str]:
    """Return a book without notebooks and pipelines of its own, and what its build printed."""
    root = made_once(tmp_path_factory, "shop", make_shop)
    return Project(root), (root / "said.txt").read_text(encoding="utf-8")


def make_shop(root: Path) -> None:
    run = root / "data/raw/shop/web-shop/monday"
    run.mkdir(parents=True)
    (root / "book").mkdir()
    shutil.copy2(REPOSITORY / "_config.yml", root)
    shutil.copytree(REPOSITORY / "book/_static", root / "book/_static")
    for name, text in BOOK.items():
        (root / name).write_text(text, encoding="utf-8")
    roles = {"front1": "web", "front2": "web", "store": "db"}
    for seed, host in enumerate(roles):
        write_sar(run / f"{host}.txt", SLES11, 60_000, seed=seed, host=host, restart=False)
    manifest = {
        "study": "web-shop", "run": "monday", "title": "A Monday", "origin": "simulated",
        "time_zone": "UTC", "start": "2016-06-14T18:00:00",
        "hosts": [{"name": host, "role": role} for host, role in roles.items()],
        "files": [{"path": f"{host}.txt", "provenance": "generated"} for host in roles],
    }  # fmt: skip
    (run / "run.yml").write_text(yaml.safe_dump(manifest), encoding="utf-8")
    said = Project(root).run("book", "--data-set", "shop").stdout
    (root / "said.txt").write_text(said, encoding="utf-8")


def test_it_gets_the_figures_that_sar_can_feed(shop: tuple[Project, str]) -> None:
    project, printed = shop
    for name in ("disks", "network", "processors"):
        assert f"ok         web-shop/{name}" in printed
        page = project.root / f"build/shop/html/notebooks/web-shop/{name}.html"
        assert "study-chart" in page.read_text(encoding="utf-8")


def test_the_figures_are_of_its_own_hosts(shop: tuple[Project, str]) -> None:
    project, _ = shop
    with (project.root / "build/shop/figures/web-shop/processors.csv").open() as stream:
        hosts = {row["host"] for row in csv.DictReader(stream)}
    assert hosts == {"front1", "front2", "store"}
    page = project.root / "build/shop/html/notebooks/web-shop/processors.html"
    text = page.read_text(encoding="utf-8")
    assert ">web<" in text
    assert ">db<" in text


def test_nothing_of_it_is_stale_then(shop: tuple[Project, str]) -> None:
    project, _ = shop
    printed = project.call("status", "--data-set", "shop").stdout
    assert "stale" not in printed
    assert "web-shop/processors" in printed


def test_a_notebook_of_its_own_stands_beside_them(
    shop: tuple[Project, str], tmp_path: Path
) -> None:
    project = Project(Path(shutil.copytree(shop[0].root, tmp_path / "project")))
    own = project.root / "notebooks/web-shop"
    own.mkdir(parents=True)
    any_study = REPOSITORY / "studybook/template/notebooks/any-study"
    for name in ("mine", "disks"):  # a new one, and one in the place of the library's
        shutil.copy2(any_study / "disks.ipynb", own / f"{name}.ipynb")
    found = json.loads(project.call("status", "--data-set", "shop", "--json", code=3).stdout)
    assert found["web-shop/mine"] == ["never run"]
    assert found["web-shop/disks"]
    assert found["web-shop/processors"] == []


def test_more_lines_have_fewer_points_each_and_the_highest_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "data/raw/main/farm/monday"
    hosts = [f"host{number:02}" for number in range(30)]
    for number, host in enumerate(hosts):
        folder.write_sar(run / f"{host}.txt", folder.BEGIN, host, minutes=20, busy=number)
    manifest = {
        "study": "farm", "run": "monday", "title": "A Monday", "origin": "measured",
        "time_zone": "UTC", "files": [{"path": "*.txt"}],
    }  # fmt: skip
    (run / "run.yml").write_text(yaml.safe_dump(manifest), encoding="utf-8")
    (tmp_path / "_config.yml").write_text("title: Farm\n", encoding="utf-8")
    monkeypatch.setenv("STUDYBOOK_HOME", str(tmp_path))
    load(data_set="main", strict=True)
    notebook = REPOSITORY / "studybook/template/notebooks/any-study/processors.ipynb"
    cells = [
        "".join(cell["source"])
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]
    for most, drawn in ((200, hosts), (4, hosts[-4:])):
        names: dict[str, Any] = {}
        exec(cells[0], names)  # noqa: S102 - cells of ours
        names |= {"data_set": "main", "study_name": "farm", "most_lines": most}
        for cell in cells[1:3]:
            exec(cell, names)  # noqa: S102
        course = names["course"]
        assert sorted(course["host"].unique()) == drawn
        assert 1500 < len(course) <= MAX_ROWS or len(course) == 4 * 120
