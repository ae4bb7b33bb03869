"""The verb check, and the page of goals: by a study of an invented name, as a person runs them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from tests.conftest import REPOSITORY
from tests.support import tea_house
from tests.support.project import Project

HELD = """\
goals:
  - goal: the shop answers within 400 ms
    metric: response_ms
    below: 400 ms
    because: buyers leave when they wait for longer
"""
MISSED = """\
  - goal: no kettle is busier than 80 %
    metric: cpu_busy_percent
    role: kettle
    below: 80 %
"""
OPEN = """\
  - goal: no order takes 2 s
    metric: slowest_order_ms
    below: 2000 ms
"""
UNJUDGED = """\
  - goal: no slower than the last release
    metric: response_ms
    against: {data_set: last-release}
    worse_by_at_most: 5 %
"""
#: A book of one page; its studies are added to it.
BOOK = {
    "book/intro.md": "# Tea\n\nHow long does it take?\n",
    "book/_toc.yml": "format: jb-book\nroot: book/intro\nparts:\n  - caption: Loading reports\n"
    "    chapters:\n      - glob: pipelines/load/*\n",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a project of one run of the tea house, and of one study without goals, loaded."""
    root = tmp_path_factory.mktemp("check") / "project"
    (root / "book").mkdir(parents=True)
    shutil.copy2(REPOSITORY / "_config.yml", root)
    shutil.copytree(REPOSITORY / "book/_static", root / "book/_static")
    for name, text in BOOK.items():
        (root / name).write_text(text, encoding="utf-8")
    tea_house.add_study(root)
    busy = {"samovar1": 70.0, "samovar2": 90.0, "till": 20.0}
    tea_house.add_run(root, "monday", {"users": 200}, checkout_ms=400, busy=busy)
    found = Project(root)
    found.run("load", "-d", "mine")
    return found


def check(project: Project, text: str, *arguments: str, code: int) -> str:
    tea_house.write_goals(project.root, text)
    return project.call("check", "-d", "mine", *arguments, code=code).stdout


def test_a_goal_that_holds_is_well(project: Project) -> None:
    printed = check(project, HELD, "--strict", code=0)
    assert "the shop answers within 400 ms" in printed
    assert "batches of the run monday" in printed
    assert printed.endswith("1 goal: 1 holds\n")


def test_a_missed_goal_is_exit_code_4(project: Project, tmp_path: Path) -> None:
    target = tmp_path / "goals.xml"
    tea_house.write_goals(project.root, HELD + MISSED)
    arguments = ("--github", "--junit", str(target))
    printed = project.run("check", "-d", "mine", *arguments, code=4).stdout
    assert "::error file=pipelines/tea-house/goals.yml,line=6," in printed
    assert Xml.parse(target).getroot()[0].get("failures") == "1"  # noqa: S314 - our own


@pytest.mark.parametrize("text", [OPEN, UNJUDGED])
def test_what_is_open_fails_only_if_asked(project: Project, text: str) -> None:
    assert "::warning" in check(project, HELD + text, "--github", code=0)
    found = json.loads(check(project, HELD + text, "--strict", "--json", code=4))
    assert [each["verdict"] == "holds" for each in found] == [True, False]


def test_a_run_that_no_goal_sees_for_want_of_a_factor_is_named(project: Project) -> None:
    goal = HELD.replace("below:", "at: {kettles: 2}\n    below:")
    tea_house.write_goals(project.root, goal)
    said = "no goal of tea-house sees monday: without kettles under factors in run.yml\n"
    assert said in project.call("check", "-d", "mine").stderr
    (found,) = json.loads(check(project, goal, "--json", code=0))
    assert found["without_factors"] == {"monday": ["kettles"]}
    seen = HELD.removeprefix("goals:\n").replace("400 ms\n    metric", "401 ms\n    metric")
    tea_house.write_goals(project.root, goal + seen)
    assert "no goal of" not in project.call("check", "-d", "mine").stderr


def test_a_fault_is_exit_code_1(project: Project) -> None:
    tea_house.write_goals(project.root, HELD.replace("below", "bellow"))
    said = project.call("check", "-d", "mine", code=1).stderr
    assert "goals.yml, line 4: goals.0.bellow is not a known key" in said
    tea_house.write_goals(project.root, HELD)
    said = project.call("check", "-d", "mine", "--junit", "no/such/folder.xml", code=1).stderr
    assert "no/such/folder.xml: cannot be written" in said


def test_without_goals_there_is_an_example_that_can_be_used(project: Project) -> None:
    tea_house.write_goals(project.root, HELD).unlink()
    done = project.call("check", "-d", "mine", "--strict")
    assert "pipelines/tea-house/goals.yml" in done.stderr
    example = done.stderr[done.stderr.index("goals:\n") :]
    assert "0 missed" not in check(project, example, code=0)


def test_goals_in_a_misspelt_folder_are_named(project: Project) -> None:
    path = tea_house.write_goals(project.root, HELD, study="tea-hose")
    try:
        said = project.call("check", "-d", "mine").stderr
    finally:
        shutil.rmtree(path.parent)
    assert "did you mean tea-house?" in said


def test_the_book_has_a_page_of_goals_and_prints_the_verdicts(project: Project) -> None:
    tea_house.write_goals(project.root, HELD + MISSED)
    printed = project.run("book", "-d", "mine", code=4).stdout
    assert "2 goals: 1 missed, 1 holds" in printed
    page = project.root / "build/mine/html/notebooks/tea-house/goals.html"
    text = page.read_text(encoding="utf-8")
    for words in (
        "no kettle is busier than 80\u00a0%",
        "verdict-fails",
        "verdict-holds",
        "samovar2",
    ):
        assert words in text
    assert "stale" not in project.run("status", "-d", "mine").stdout
    tea_house.write_goals(project.root, HELD)
    status = project.run("status", "-d", "mine", "--json", code=3).stdout
    reasons = {name: why for name, why in json.loads(status).items() if why}
    assert [*reasons] == ["tea-house/goals", "book"]
    assert reasons["tea-house/goals"] == ["goals changed: pipelines/tea-house/goals.yml"]


def test_a_data_set_that_a_goal_names_is_loaded(project: Project) -> None:
    tea_house.add_run(
        project.root, "friday", {"users": 200}, data_set="last-release", checkout_ms=900, busy={}
    )
    tea_house.write_goals(project.root, f"goals:\n{UNJUDGED}")
    try:
        (found,) = json.loads(project.run("check", "-d", "mine", "--json", code=0).stdout)
        assert found["verdict"] == "holds", found
        assert (project.root / "build/last-release/study.duckdb").is_file()
    finally:
        shutil.rmtree(project.root / "data/raw/last-release")
        shutil.rmtree(project.root / "build/last-release", ignore_errors=True)


def test_the_doctor_loads_and_looks(project: Project) -> None:
    assert project.run("doctor", "-d", "mine").stdout == "data: nothing found\n\n"
    tea_house.add_run(
        project.root, "late", {"users": 100}, data_set="late", checkout_ms=400, busy={}
    )
    manifest = project.root / "data/raw/late" / tea_house.STUDY / "late/run.yml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("users: 100", "users: 200"), encoding="utf-8")
    try:
        (found,) = json.loads(project.run("doctor", "-d", "late", "--json", code=4).stdout)
        assert (found["about"], found["check"], found["weight"]) == ("data", "users", "wrong")
        assert (found["study"], found["run"]) == (tea_house.STUDY, "late")
        assert found["found"] == "run.yml says 200, the load driver had never more than 100"
        assert "run.yml" in found["do"]
    finally:
        shutil.rmtree(project.root / "data/raw/late")


def test_a_metric_of_its_own_makes_nothing_of_another_study_stale(project: Project) -> None:
    """Its SQL and its words change: the package and the figures of the other study do not."""
    other = project.root / "data/raw/both"
    shutil.copytree(project.root / "data/raw/mine", other)
    run = other / "coffee-house/monday"
    shutil.copytree(other / tea_house.STUDY / "monday", run)
    text = (run / "run.yml").read_text(encoding="utf-8")
    (run / "run.yml").write_text(text.replace("tea-house", "coffee-house"), encoding="utf-8")
    tea_house.write_goals(project.root, HELD)
    tea_house.write_goals(project.root, HELD, study="coffee-house")
    try:
        project.run("figures", "coffee-house/goals", "coffee-house/processors", "-d", "both")
        folder = project.root / "pipelines" / tea_house.STUDY
        own = folder / "own_metric.sql"
        added = "UNION ALL\nSELECT run_id, 'quickest_order_ms', MAP {}, min(elapsed_ms)\n"
        before = own.read_text(encoding="utf-8")
        own.write_text(f"{before}{added}FROM sample GROUP BY run_id\n", encoding="utf-8")
        words = folder / "study.yml"
        metric = "  quickest_order_ms: {label: Quickest order, unit: ms, decimals: 0}\n"
        words.write_text(words.read_text(encoding="utf-8") + metric, encoding="utf-8")
        status = json.loads(project.run("status", "-d", "both", "--json", code=3).stdout)
        assert status["database"] == ["model changed: tea-house.own_metric"]
        assert status["coffee-house/goals"] == []
        assert status["coffee-house/processors"] == []
        goals = "goals:\n  - {goal: not too quick, metric: quickest_order_ms, above: 1 ms}\n"
        tea_house.write_goals(project.root, goals)
        found = json.loads(project.run("check", "-d", "both", "--json").stdout)
        assert [each["setups"][0]["value"] > 1 for each in found] == [True, True]
        status = json.loads(project.run("status", "-d", "both", "--json", code=3).stdout)
        assert status["database"] == []
        assert status["coffee-house/goals"] == []
    finally:
        shutil.rmtree(project.root / "pipelines/coffee-house")
        shutil.rmtree(other)
        tea_house.add_study(project.root)
