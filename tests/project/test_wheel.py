"""The wheel in an environment and a folder of its own: what a user has who installs it."""

from __future__ import annotations

import os
import re
import shutil
import site
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from studybook.__main__ import VERBS
from tests.conftest import REPOSITORY
from tests.support.docs import WALKS, walked
from tests.support.folder import write_runs
from tests.support.project import remember, small_project
from tests.support.shared import made_once

#: What a build of the wheel reads; and beside it, what must stay out.
SOURCE = ("pyproject.toml", "requirements.txt", "README.md", "LICENSE", "studybook")
BESIDE = ("testbed", "tests", "benchmarks", "pipelines")
#: In the environment that runs the tests: links to the library and the testbed of this folder.
OWN = ("studybook", "__editable__", "__pycache__")


@dataclass(frozen=True)
class Environment:
    """A virtual environment in which the wheel is installed."""

    root: Path

    def run(self, folder: Path, *command: str, code: int = 0) -> str:
        """Run a command of the environment in a folder; return what it says."""
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("STUDYBOOK_", "PYTHON", "PYTEST", "JUPYTER", "VIRTUAL_ENV"))
        }
        environment["STUDYBOOK_WORKERS"] = "1"  # as in Project.run
        environment["PATH"] = f"{self.root / 'bin'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            [str(self.root / "bin" / command[0]), *command[1:]],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout
        return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy: setuptools would take in what lies in build/."""
    (built,) = made_once(tmp_path_factory, "wheel", build_wheel).glob("*.whl")
    return built


def build_wheel(out: Path) -> None:
    copy = out / "source"
    copy.mkdir(parents=True)
    for name in (*SOURCE, *BESIDE):
        large = ["data"] if name in BESIDE else []
        nothing = shutil.ignore_patterns("__pycache__", "*.egg-info", *large)
        if (REPOSITORY / name).is_dir():
            shutil.copytree(REPOSITORY / name, copy / name, ignore=nothing)
        else:
            shutil.copy2(REPOSITORY / name, copy)
    build = (
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    )
    subprocess.run([*build, "--wheel-dir", str(out), str(copy)], check=True, capture_output=True)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Install the wheel into an environment that has its dependencies, and nothing of ours."""

    def make(root: Path) -> None:
        install(wheel, root)

    return Environment(made_once(tmp_path_factory, "installed", make))


def install(wheel: Path, root: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(root)], check=True)
    packages = root.joinpath(*Path(site.getsitepackages()[0]).relative_to(sys.prefix).parts)
    for there in Path(site.getsitepackages()[0]).iterdir():
        if not there.name.startswith(OWN):
            (packages / there.name).symlink_to(there)
    pip = (sys.executable, "-m", "pip", "--python", str(root / "bin/python"))
    command = (*pip, "install", "--no-deps", "--no-index", "--no-compile", str(wheel))
    subprocess.run(command, check=True, capture_output=True)


def test_the_wheel_holds_the_library_with_all_its_files_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    library = {
        str(path.relative_to(REPOSITORY))
        for path in (REPOSITORY / "studybook").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == library
    for ending in (".sql", ".yml", ".js", ".css", ".txt", "py.typed"):
        assert any(name.endswith(ending) for name in names), ending


def test_what_is_imported_comes_from_the_wheel(installed: Environment, tmp_path: Path) -> None:
    said = installed.run(tmp_path, "python", "-c", "import studybook; print(studybook.__file__)")
    assert Path(said.strip()).is_relative_to(installed.root)
    found = "from importlib.util import find_spec as f; print(f('testbed'), f('tests'))"
    assert installed.run(tmp_path, "python", "-c", found).split() == ["None", "None"]


def test_in_an_empty_folder_it_helps_and_inspects(installed: Environment, tmp_path: Path) -> None:
    said = installed.run(tmp_path, "studybook", "--help")
    verbs = said.split("Commands:\n")[1].split("\n\n")[0]
    listed = [line.split()[0] for line in verbs.splitlines() if line[2] != " "]
    assert listed == list(VERBS)
    export = next((REPOSITORY / "data/raw/reference/flexible-scale").glob("*/ior.txt"))
    shutil.copy2(export, tmp_path)
    assert "ior" in installed.run(tmp_path, "studybook", "inspect", "ior.txt").lower()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ior.txt"]
    refused = installed.run(tmp_path, "studybook", "load", code=1)
    assert "no study book" in refused


def test_three_commands_make_a_book_of_a_folder(installed: Environment, tmp_path: Path) -> None:
    given = write_runs(tmp_path / "results", levels=(10, 20), repetitions=1)
    installed.run(tmp_path, "studybook", "new", "Our shop 2.0", "shop", "--author", "A. Nobody")
    book = tmp_path / "shop"
    remember(book)  # the twelve runs begin with nothing
    said = installed.run(book, "studybook", "add", str(given))
    assert "added 2 runs" in said
    said = installed.run(book, "studybook", "book")
    figures = {"overview", "processors", *(f"run-{each.name}" for each in given.iterdir())}
    for name in figures:
        assert f"ok         our-shop-2-0/{name}" in said
        page = book / f"build/main/html/notebooks/our-shop-2-0/{name}.html"
        assert '<figure class="study-chart"' in page.read_text(encoding="utf-8")
    front = (book / "build/main/html/index.html").read_text(encoding="utf-8")
    intro = (book / "build/main/html/book/intro.html").read_text(encoding="utf-8")
    assert intro.count("Our shop 2.0<") > 2  # the study is called as the book is
    assert re.search(r"\d+ checks of the data of 2 runs found", intro)
    pages = [path.read_text(encoding="utf-8") for path in book.glob("build/main/html/**/*.html")]
    assert not any("FileNet" in page or "white paper" in page for page in [front, *pages])
    assert "A. Nobody" in (book / "_config.yml").read_text(encoding="utf-8")
    status = installed.run(book, "studybook", "status")
    assert "stale" not in status


def test_twelve_runs_come_to_a_missed_goal_as_the_docs_say(
    installed: Environment, tmp_path: Path
) -> None:
    page = WALKS / "twelve-runs.md"
    found = walked(page, tmp_path, installed.root / "bin")
    assert found.said["STUDYBOOK_DATA_SET=main bash -e ci.sh"].endswith("[exit code 4]\n")
    assert found.text == page.read_text(encoding="utf-8"), "run: make docs"


def test_in_a_folder_with_the_shape_of_a_book_it_makes_the_book(
    installed: Environment, tmp_path: Path
) -> None:
    book = small_project(tmp_path / "book", "bandwidth")
    shutil.rmtree(book.root / "studybook")
    remember(book.root)
    installed.run(book.root, "studybook", "load")
    assert (book.build / "study.duckdb").is_file()
    said = installed.run(book.root, "studybook", "figures")
    assert "ok         flexible-scale/bandwidth" in said.splitlines()
    assert (book.build / "figures/flexible-scale/bandwidth.svg").is_file()
    said = installed.run(book.root, "studybook", "book")
    assert "book       build/reference/html/index.html" in said
    page = (book.build / "html/notebooks/flexible-scale/bandwidth.html").read_text()
    assert '<figure class="study-chart"' in page
    assert (book.build / "html/_static/vega-bundle.js").is_file()
    assert "up to date" in installed.run(book.root, "studybook", "figures")
