"""The workflow of a new book: its steps are run here, but for those of GitHub and of pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
import yaml

from tests.support.folder import BEGIN, write_jtl
from tests.support.project import Project
from tests.support.shared import made_once

GOALS = """\
goals:
  - goal: no request of a run is in vain
    metric: error_percent
    at_most: 0.5 %
  - goal: pages come soon
    metric: response_mean_ms
    below: {bound} ms
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a new book of one run, with a goal, and its numbers recorded."""

    def make(folder: Path) -> None:
        write_jtl(folder / "raw/monday/results.jtl", BEGIN)
        project = Project(folder / "tea")
        project.root.mkdir()
        project.run("new", "Tea", ".", "--study", "tea")
        project.run("add", str(folder / "raw"))
        write_goals(project, 500)
        project.run("record")

    return Project(made_once(tmp_path_factory, "workflow", make) / "tea")


@pytest.fixture
def project(recorded: Project, tmp_path: Path) -> Project:
    return Project(Path(shutil.copytree(recorded.root, tmp_path / "tea")))


def write_goals(project: Project, bound: float) -> None:
    path = project.root / "pipelines/tea/goals.yml"
    path.write_text(GOALS.format(bound=bound), encoding="utf-8")


def steps(project: Project) -> list[str]:
    """The commands of the workflow's job; pip has installed what it would."""
    path = project.root / ".github/workflows/book.yml"
    content: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    commands = [each["run"] for each in content["jobs"]["book"]["steps"] if "run" in each]
    assert commands[0] == "pip install -r requirements.txt"
    return commands[1:]


def done(project: Project, command: str) -> subprocess.CompletedProcess[str]:
    """Run a step in a shell, as a runner of GitHub does, with the command of this environment."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STUDYBOOK_")}
    content = yaml.safe_load((project.root / ".github/workflows/book.yml").read_text())
    environment |= content["env"] | {"STUDYBOOK_WORKERS": "1"}  # as in Project.run
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    return subprocess.run(
        ["/bin/bash", "-e", "-c", command],
        cwd=project.root, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def outcomes(project: Project, *, until: str = "") -> dict[str, tuple[int, str]]:
    """Exit code and output of each step, up to the one that ends with a word."""
    found = {}
    for command in steps(project):
        ended = done(project, command)
        assert "Traceback" not in ended.stderr, ended.stderr
        found[command] = (ended.returncode, ended.stdout + ended.stderr)
        if until and until in command:
            break
    return found


def test_of_what_is_recorded_every_step_ends_well(project: Project) -> None:
    found = outcomes(project)
    assert {command: code for command, (code, _) in found.items()} == {
        "studybook load --strict": 0,
        "studybook check --github": 0,
        "studybook guard": 0,
        "studybook explore": 0,
        "studybook book": 0,
    }
    assert "0 moved" in found["studybook guard"][1]
    assert (project.root / "build/main/html/index.html").is_file()


def test_a_changed_value_is_told_by_the_guard(project: Project) -> None:
    path = project.root / "data/raw/main/tea/monday/results.jtl"
    text = path.read_text(encoding="utf-8")
    assert ",20,20\n" in text
    rows = text.splitlines(keepends=True)
    cells = rows[200].split(",")
    rows[200] = ",".join([cells[0], "9999", *cells[2:]])
    path.write_text("".join(rows), encoding="utf-8")
    code, said = outcomes(project, until="guard")["studybook guard"]
    assert code == 4
    assert "moved      tea/run-monday" in said
    assert "9999.0" in said


def test_a_missed_goal_is_told_by_the_check(project: Project) -> None:
    write_goals(project, 1)
    code, said = outcomes(project, until="check")["studybook check --github"]
    assert code == 4
    assert "::error file=pipelines/tea/goals.yml,line=5," in said


def test_a_recorded_notebook_runs_as_any_other(project: Project) -> None:
    """By Jupyter alone; nothing that a person wrote in it changes. Times of cells are added."""
    path = project.root / "notebooks/recorded/main/tea/overview.ipynb"
    before = nbformat.read(path, as_version=4)
    subprocess.run(
        [sys.executable, "-m", "jupyter", "execute", "--inplace", path.name],
        cwd=path.parent, check=True, capture_output=True,
    )  # fmt: skip
    after = nbformat.read(path, as_version=4)
    for notebook in (before, after):
        for cell in notebook.cells:
            cell.pop("outputs", None)
            cell.pop("execution_count", None)
            cell.metadata.pop("execution", None)
    assert after.cells == before.cells


def test_what_no_one_would_compare_is_told(project: Project) -> None:
    """A recorded notebook under another name, outputs that an editor cleared, rows typed over."""
    folder = project.root / "notebooks/recorded/main/tea"
    (folder / "run-monday.ipynb").rename(folder / "run-sunday.ipynb")
    cleared = nbformat.read(folder / "overview.ipynb", as_version=4)
    for cell in (each for each in cleared.cells if each.cell_type == "code"):
        cell.outputs, cell.execution_count = [], None
    nbformat.write(cleared, folder / "overview.ipynb")
    done = project.run("guard", "tea/run-monday", "overview", code=4)
    assert "no figure any more, remove it: notebooks/recorded/main/tea/run-sunday" in done.stderr
    assert "not recorded: tea/run-monday" in done.stderr
    assert "not recorded: tea/overview" in done.stderr
    assert "→ if that is meant: studybook record" in done.stderr


def test_rows_beside_a_notebook_are_those_of_its_chart(project: Project) -> None:
    rows = project.root / "notebooks/recorded/main/tea/overview.csv"
    lines = rows.read_text(encoding="utf-8").splitlines(keepends=True)
    rows.write_text("".join(lines[:-1]), encoding="utf-8")
    done = project.run("guard", "overview", code=4)
    assert "moved      tea/overview\n" in done.stdout
    assert f"+{lines[-1]}" in done.stdout


def test_a_recorded_notebook_that_is_none_is_named(project: Project) -> None:
    path = project.root / "notebooks/recorded/main/tea/overview.ipynb"
    path.write_text("<<<<<<< HEAD\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    said = project.run("guard", "overview", code=1).stderr
    assert f"{path}: is not a notebook" in said
    assert "marks of a merge" in said


def test_where_nothing_is_recorded_it_is_said_and_is_no_failure(project: Project) -> None:
    shutil.rmtree(project.root / "notebooks/recorded")
    assert "→ run: studybook record -d main" in project.run("guard", "overview").stderr
