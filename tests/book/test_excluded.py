"""Runs that a person has excluded: they count nowhere, and this is said, with the reason."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as Xml

import duckdb
import nbformat
import pytest
import yaml

from studybook import open_study
from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.engine.outputs import read_record
from studybook.errors import NeedsData
from studybook.publish.decorate import decorate_figure
from tests.support.project import Project
from tests.support.tram import add_run

STUDY = "tram-tickets"
WHY = "a backup ran *meanwhile*"
#: Means of nights, of which the newest is slow.
NIGHTS = [100, 101, 99, 100, 102, 98, 100, 101, 99, 100, 102, 98, 140]
LAST = len(NIGHTS) - 1
HISTORY = ("history", "response_mean_ms", "--early", "-d", "all")
GOAL = {"goal": "it is quick", "metric": "response_mean_ms", "below": "120 ms", "newest": 1}


def exclude(project: Project, data_set: str, run: str, *files: dict[str, str]) -> None:
    path = project.root / "data/raw" / data_set / STUDY / run / "run.yml"
    told = yaml.safe_load(path.read_text(encoding="utf-8"))
    told |= {"excluded": WHY, "files": [*told["files"], *files]}
    path.write_text(yaml.safe_dump(told), encoding="utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A study whose newest run is excluded, after it was found to be slow."""
    project = Project(tmp_path_factory.mktemp("trams"))
    (project.root / "pipelines" / STUDY).mkdir(parents=True)
    goals = yaml.safe_dump({"goals": [GOAL]})
    (project.root / "pipelines" / STUDY / "goals.yml").write_text(goals, encoding="utf-8")
    for number, mean in enumerate(NIGHTS):
        add_run(project.root, "all", f"n-{number}", {}, mean, day=number, seed=number, seconds=20)
    project.run("load", "-d", "all")
    assert f"in n-{LAST}" in project.call(*HISTORY, code=4).stdout
    project.call("check", "-d", "all", code=4)
    exclude(project, "all", f"n-{LAST}")
    project.run("load", "-d", "all")
    return project


def test_a_history_is_without_them(project: Project) -> None:
    done = project.call(*HISTORY)
    assert f"{LAST} runs" in done.stdout
    assert done.stderr == f"does not count: {STUDY}/n-{LAST}: {WHY}\n"
    for each in json.loads(project.call(*HISTORY, "--json").stdout):
        assert each["excluded"] == {f"{STUDY}/n-{LAST}": WHY}


def test_goals_of_the_newest_run_are_judged_by_the_newest_that_counts(project: Project) -> None:
    done = project.call("check", "-d", "all", "--json", "--junit", "goals.xml")
    assert f"does not count: {STUDY}/n-{LAST}: {WHY}" in done.stderr
    (goal,) = json.loads(done.stdout)
    assert goal["excluded"] == {f"{STUDY}/n-{LAST}": WHY}
    suite = Xml.parse(project.root / "goals.xml").getroot()  # noqa: S314 - our own
    told = suite.find("testsuite/properties/property")
    assert told is not None
    assert told.attrib == {"name": "excluded", "value": f"{STUDY}/n-{LAST}: {WHY}"}


def test_goals_say_it_of_the_data_set_that_they_compare_with(tmp_path: Path) -> None:
    project = Project(tmp_path)
    goal = {"goal": "as quick as before", "metric": "response_mean_ms", "label": "all",
            "against": {"data_set": "before"}, "worse_by_at_most": "5 %"}  # fmt: skip
    (tmp_path / "pipelines" / STUDY).mkdir(parents=True)
    goals = tmp_path / "pipelines" / STUDY / "goals.yml"
    goals.write_text(yaml.safe_dump({"goals": [goal]}), encoding="utf-8")
    for number in range(6):
        name = "before" if number % 2 else "now"
        add_run(tmp_path, name, f"n-{number}", {}, 100, day=number, seed=number, seconds=20)
    exclude(project, "before", "n-1")
    add_run(tmp_path, "now", "n-7", {}, 100, day=7, seed=7, seconds=20)
    (tmp_path / "data/raw/now" / STUDY / "n-7/tickets.jtl").write_text("broken\n")
    exclude(project, "now", "n-7")
    done = project.run("check", "-d", "now", code=None)
    assert "3 runs against 2 runs" in done.stdout
    told = (f"does not count: {run}: {WHY}\n" for run in (f"{STUDY}/n-7", f"before: {STUDY}/n-1"))
    assert "".join(told) in done.stderr
    # What is wrong with the data is said of both.
    assert all(f"studybook doctor -d {name}\n" in done.stderr for name in ("now", "before"))
    project.run("figures", f"{STUDY}/goals", "-d", "now")
    record = read_record(DataSet("now", tmp_path), f"{STUDY}/goals")
    assert record is not None
    assert record.excluded == {f"before: {STUDY}/n-1": WHY, f"{STUDY}/n-7": WHY}


def test_a_page_that_shows_one_by_name_says_which(project: Project) -> None:
    figures = project.root / "notebooks" / STUDY
    figures.mkdir(parents=True)
    code = """data_set = "all"
---
from studybook import open_study
one = open_study("tram-tickets", data_set=data_set, runs={"run": NAMED})
every = open_study("tram-tickets", data_set=data_set)
one.query("FROM response_mean_ms"), every.query("FROM response_mean_ms")"""
    said = {}
    for name, named in (("beside", ["n-0"]), ("both", ["n-0", f"n-{LAST}"])):
        first, rest = code.replace("NAMED", repr(named)).split("\n---\n")
        cells = [nbformat.v4.new_markdown_cell(f"# {name}")]
        cells += [nbformat.v4.new_code_cell(each) for each in (first, rest)]
        cells[1].metadata["tags"] = ["parameters"]
        path = figures / f"{name}.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
        project.run("figures", f"{STUDY}/{name}", "-d", "all")
        record = read_record(DataSet("all", project.root), f"{STUDY}/{name}")
        assert record is not None
        page = nbformat.read(path, 4)
        decorate_figure(page, record, "all")
        said[name] = "\n".join(each.source for each in page.cells)
    assert ":::{admonition}" not in said["beside"]
    assert f"**Does not count** {STUDY}/n-{LAST}" in said["beside"]
    assert f":::{{admonition}} {STUDY}/n-{LAST} does not count" in said["both"]
    assert f"**Shown, but does not count** {STUDY}/n-{LAST}" in said["both"]


def test_a_comparison_is_without_them_and_refuses_them_by_name(project: Project) -> None:
    done = project.call("compare", "newest:1", "n-0", "--json", "-d", "all", code=None)
    (found,) = json.loads(done.stdout)
    assert "n-11" in json.dumps(found)
    assert found["first"].pop("excluded") == {f"{STUDY}/n-{LAST}": WHY}
    assert found["second"].pop("excluded") == {f"{STUDY}/n-{LAST}": WHY}
    assert f"n-{LAST}" not in json.dumps(found)
    assert WHY in project.call("compare", "n-12", "n-0", "-d", "all", code=1).stderr


def test_folders_are_compared_without_them(project: Project, tmp_path: Path) -> None:
    """Also in a copy, or from within, where a manifest does not say where it lies."""
    nights = tmp_path / "copy"
    shutil.copytree(project.root / "data/raw/all" / STUDY, nights)
    sides = ("compare", "--before", ".", "--after", "n-0")
    done = Project(nights).call(*sides, "--json", code=None)
    assert f"does not count: n-{LAST}: {WHY}\n" in done.stderr
    (found,) = json.loads(done.stdout)
    assert len(found["first"]["runs"]) == LAST
    assert found["first"]["excluded"] == {f"n-{LAST}": WHY}
    none = Project(nights).call(*sides[:4], f"n-{LAST}", code=1)
    assert f"n-{LAST} does not count: {WHY}" in none.stderr
    (nights / "n-1/run.yml").write_text("excluded: [\n")
    assert "n-1/run.yml, line " in Project(nights).call(*sides, code=None).stderr


def test_figures_see_them_by_name_only(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYBOOK_HOME", str(project.root))
    inventory = take_inventory(DataSet("all", project.root))
    manifest = f"{STUDY}/n-{LAST}/run.yml"
    for runs, there, files in (({}, 12, 25), ({"run": "n-12"}, 1, 2), ({"run": ["n-11"]}, 1, 2)):
        study = open_study(STUDY, data_set="all", runs=runs)
        assert len(study.query("FROM response_mean_ms WHERE factors['label'] = 'all'")) == there
        # By these a figure is stale: where the run is excluded, or for another reason.
        assert len(study.inputs()) == files
        assert study.inputs() == study.scope.inputs(inventory, study.sources)
        assert (manifest in study.inputs()) == (runs != {"run": ["n-11"]})


def test_pages_say_which_they_are_and_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Project(tmp_path).run("new", "Trams", "book")
    project = Project(tmp_path / "book")
    for number in range(3):
        add_run(project.root, "few", f"n-{number}", {}, 100, day=number, seed=number, seconds=20)
    exclude(project, "few", "n-2", {"path": "again.jtl"})
    (project.root / f"data/raw/few/{STUDY}/n-2/again.jtl").touch()
    done = project.run("book", "-d", "few")  # a file that is left out is known, too
    assert f"the run is excluded: {WHY}" in done.stderr
    pages = project.root / "build/few/html"
    index = (pages / "book/intro.html").read_text(encoding="utf-8")
    assert index.count("does not count") == 1
    for name, title in (("overview", "Does not count"), ("run-n-2", "This run does not count")):
        page = (pages / f"notebooks/{STUDY}/{name}.html").read_text(encoding="utf-8")
        assert title in page
        assert WHY in page
    other = (pages / f"notebooks/{STUDY}/run-n-1.html").read_text(encoding="utf-8")
    assert "does not count" not in other.lower()
    # Readers who ask the data are given those that count, and the reason of the other.
    asked = tmp_path / "asked.duckdb"
    asked.write_bytes(gzip.decompress((pages / "explore/data.duckdb.gz").read_bytes()))
    with duckdb.connect(asked, read_only=True) as data:
        for table in ("run_metric", "raw_file"):
            rows = data.execute(f"SELECT DISTINCT run_id FROM {table} ORDER BY ALL").fetchall()
            assert rows == [(f"{STUDY}/n-0",), (f"{STUDY}/n-1",)], table
        told = data.execute("SELECT run, excluded FROM run WHERE excluded IS NOT NULL").fetchall()
        assert told == [("n-2", WHY)]
    project.run("status", "-d", "few")
    for number in range(2):
        exclude(project, "few", f"n-{number}")
    project.run("load", "-d", "few")
    monkeypatch.setenv("STUDYBOOK_HOME", str(project.root))
    with pytest.raises(NeedsData, match=f"{STUDY}/n-0 is excluded"):
        open_study(STUDY, data_set="few").require("FROM response_mean_ms", "requests")
    found = json.loads(project.run("status", "-d", "few", "--json", code=None).stdout)
    told = {each.partition(": ")[0] for each in found[f"{STUDY}/overview"]}
    assert {"data changed", "data does not count any more"} <= told
    assert "data removed" not in told
