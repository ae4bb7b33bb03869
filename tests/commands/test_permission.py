"""What the account may not do is said in words, and nothing is left half done."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.folder import BEGIN, write_jtl
from tests.support.project import Project


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of a raw export, and of a book that has taken it in."""
    folder = tmp_path_factory.mktemp("permission") / "made"
    write_jtl(folder / "raw/monday/results.jtl", BEGIN)
    project = Project(folder / "tea")
    project.root.mkdir()
    project.run("new", "Tea", ".", "--study", "tea")
    project.run("add", str(folder / "raw"))
    shutil.rmtree(project.root / "build", ignore_errors=True)
    return folder


@pytest.fixture
def project(made: Path, tmp_path: Path) -> Project:
    return Project(Path(shutil.copytree(made, tmp_path / "made")) / "tea")


@contextmanager
def closed(path: Path, mode: int) -> Iterator[None]:
    """Take permissions of a file or folder away, for a while."""
    before = path.stat().st_mode
    path.chmod(mode)
    try:
        yield
    finally:
        path.chmod(before)


def refused(project: Project, *arguments: str) -> str:
    """Run a command as an account that files' permissions bind: those of root pass them by."""
    bound = ("setpriv", "--inh-caps=-all", "--bounding-set=-all") if os.geteuid() == 0 else ()
    done = subprocess.run(
        [*bound, sys.executable, "-m", "studybook", *arguments],
        cwd=project.root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("verb", [("load",), ("book",), ("add", "../raw"), ("check",)])
def test_a_build_folder_that_cannot_be_written(project: Project, verb: tuple[str, ...]) -> None:
    (project.root / "build").mkdir()
    with closed(project.root / "build", 0o555):
        said = refused(project, *verb)
    assert "build/main: Permission denied\n  → " in said
    assert list((project.root / "build").iterdir()) == []


def test_a_folder_of_a_run_that_cannot_be_read(project: Project) -> None:
    with closed(project.root / "data/raw/main/tea/monday", 0):
        said = refused(project, "load")
    assert "tea/monday: cannot be looked into: Permission denied\n  → " in said
    assert not (project.root / "build/main/study.duckdb").exists()


def test_a_folder_within_one_that_is_added(project: Project) -> None:
    raw = project.root.parent / "raw"
    write_jtl(raw / "tuesday/results.jtl", BEGIN, users=7)
    with closed(raw / "monday", 0):
        said = refused(project, "add", "../raw")
    assert "monday/: cannot be looked into: Permission denied" in said
    assert (project.root / "data/raw/main/tea/tuesday/run.yml").is_file()


@pytest.mark.parametrize(
    ("place", "mode"),
    [
        ("data/raw/main", 0),
        ("data/raw/main/stall", 0),  # there is another study, which could be loaded without it
        ("data/raw/main/tea/monday/more", 0),  # "more/**" would find nothing there
        ("pipelines", 0o311),  # goals would seem not to be there, and check would end well
        ("notebooks", 0o311),
    ],
)
def test_what_cannot_be_looked_into_is_not_taken_as_empty(
    project: Project, place: str, mode: int
) -> None:
    folder = project.root / place
    folder.mkdir(parents=True, exist_ok=True)
    with closed(folder, mode):
        assert f"{folder}: cannot be looked into: Permission denied\n  → " in refused(
            project, "status"
        )


def test_a_file_in_the_place_of_a_folder(project: Project) -> None:
    (project.root / "build").write_text("", encoding="utf-8")
    assert f"{project.root / 'build'}" in refused(project, "load")


def test_a_manifest_that_cannot_be_read(project: Project) -> None:
    with closed(project.root / "data/raw/main/tea/monday/run.yml", 0):
        said = refused(project, "load")
    assert "tea/monday/run.yml: cannot be read: Permission denied" in said


def test_a_raw_file_that_cannot_be_read_is_left_out(project: Project) -> None:
    with closed(project.root / "data/raw/main/tea/monday/results.jtl", 0):
        assert "results.jtl: cannot be opened: Permission denied" in refused(project, "load")
