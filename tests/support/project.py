"""A copy of the project in a temporary folder, and the command line run in it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from subprocess import CompletedProcess

import click
import pytest

from studybook.__main__ import answer, cli
from studybook.memory import FILE
from studybook.publish.leave_out import leave_out
from tests.conftest import REPOSITORY
from tests.support.shared import made_once

#: What a project consists of, as its users see it; and the library, which some tests change.
PARTS = ("_config.yml", "book", "data", "notebooks", "pipelines", "studybook", "testbed")


@dataclass(frozen=True)
class Project:
    """A project folder of a test's own."""

    root: Path

    @property
    def raw(self) -> Path:
        """The raw exports of the reference data set."""
        return self.root / "data/raw/reference"

    @property
    def build(self) -> Path:
        """What was made of them."""
        return self.root / "build/reference"

    def run(self, *arguments: str, code: int | None = 0) -> subprocess.CompletedProcess[str]:
        """Run ``python -m studybook`` in the project, as a person would from a pipe."""
        remember(self.root)
        done = subprocess.run(
            [sys.executable, "-m", "studybook", *arguments],
            cwd=self.root,
            # Tests run side by side as it is: one process more would import all that figures need.
            env={k: v for k, v in os.environ.items() if not k.startswith("STUDYBOOK_")}
            | {"STUDYBOOK_WORKERS": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        if code is not None:
            assert done.returncode == code, (arguments, done.stdout, done.stderr)
        return done

    def call(self, *arguments: str, code: int | None = 0) -> subprocess.CompletedProcess[str]:
        """Do in this process what :meth:`run` does in another.

        For verbs that only read, of which starting Python would be most of the work; and where no
        file that the library keeps in mind (models, words of a study) has changed since.
        """
        out, err = StringIO(), StringIO()
        with pytest.MonkeyPatch.context() as patch:
            for name in [each for each in os.environ if each.startswith("STUDYBOOK_")]:
                patch.delenv(name)
            patch.chdir(self.root)
            with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
                answer(arguments)
        done = CompletedProcess([*arguments], ended.value.code, out.getvalue(), err.getvalue())
        if code is not None:
            assert done.returncode == code, (arguments, done.stdout, done.stderr)
        return done

    def keep_figures(self, study: str, *names: str) -> None:
        """Take all other figures of a study out of the project and its book."""
        there = (self.root / "notebooks" / study).rglob("*.*")
        gone = [path for path in there if path.stem not in names]
        for path in gone:
            path.unlink()
        leave_out({name for path in gone for name in (path.name, path.stem)}, self.root)

    def change(self, name: str, before: str, after: str) -> None:
        """Change one place in one file of the project."""
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        assert text.count(before) >= 1, f"{name} has no {before!r}"
        path.write_text(text.replace(before, after, 1), encoding="utf-8")


def remember(root: Path) -> None:
    """Have a book begin with what this one has worked out of the content of files alone.

    Of models that are as ours it need not be worked out again: a third of the load of a few files.
    """
    known, place = REPOSITORY / FILE, root / FILE
    if known.is_file() and (root / "_config.yml").is_file() and not place.exists():
        place.parent.mkdir(exist_ok=True)
        # Another process may be writing to it: then a plain copy would be cut.
        with closing(sqlite3.connect(known)) as ours, closing(sqlite3.connect(place)) as copy:
            ours.backup(copy)


def command(verb: str) -> click.Command:
    """Return the command of a verb, as ``studybook`` finds it."""
    found = cli.get_command(click.Context(cli), verb)
    assert found is not None, verb
    return found


#: Studies of many runs, which are left out where a test loads the data itself.
LARGE_STUDIES = ("ecm-scaleout", "filenet-p8")


def copy_project(target: Path, *, built: bool) -> Project:
    """Copy the project, with what ``make book`` made of it or without (and without much data).

    The pages of the book stay behind: they are large, and no test of a copy reads them.
    """
    target.mkdir()
    # Compiled code goes along: it is valid by the time of its source, which a copy keeps. Where
    # code is being compiled at this moment, a file of another name is there, and gone again.
    usual = shutil.ignore_patterns("*.pyc.*", ".ipynb_checkpoints")

    def nothing(folder: str, names: list[str]) -> set[str]:
        large = () if built or "raw" not in Path(folder).parts else LARGE_STUDIES
        return usual(folder, names) | set(large)

    for part in PARTS:
        source = REPOSITORY / part
        if source.is_dir():
            shutil.copytree(source, target / part, ignore=nothing)
        else:
            shutil.copy2(source, target / part)
    if built:
        made = REPOSITORY / "build/reference"
        assert (made / "html/index.html").is_file(), "these tests look at the book: make book"
        pages = shutil.ignore_patterns("work", "source", "html")
        shutil.copytree(made, target / "build/reference", ignore=pages)
    return Project(target)


def bare_project(target: Path, *raw: str) -> Project:
    """Make a project for tests that load in their own process.

    It has the raw exports of these studies of the reference data set only.
    """
    nothing = shutil.ignore_patterns("*.pyc.*", ".ipynb_checkpoints")
    reference = (f"data/raw/reference/{study}" for study in raw)
    for part in ("data/published", "pipelines", "notebooks/flexible-scale", *reference):
        shutil.copytree(REPOSITORY / part, target / part, ignore=nothing)
    shutil.copy2(REPOSITORY / "_config.yml", target)
    return Project(target)


#: A book of few pages.
SMALL_BOOK = {
    "intro.md": "# A small book\n\nHow high is it?\n",
    "figures.md": "# All figures\n\n<!-- list of figures -->\n",
    "_toc.yml": """\
format: jb-book
root: book/intro
parts:
  - caption: Flexible
    chapters:
      - file: book/figures
      - file: notebooks/flexible-scale/bandwidth
  - caption: Loading reports
    chapters:
      - glob: pipelines/load/*
""",
}


def small_project(
    target: Path,
    *figures: str,
    study: str = "flexible-scale",
    raw: bool = True,
    book: Mapping[str, str] = SMALL_BOOK,
) -> Project:
    """Make a project of some figures of one study and a book of few pages, for tests of reruns."""
    nothing = shutil.ignore_patterns("*.pyc.*", ".ipynb_checkpoints")
    parts = ["pipelines", "studybook", "testbed", "data/published", "book/_static"]
    parts += [f"data/raw/reference/{study}"] if raw else []
    for part in parts:
        shutil.copytree(REPOSITORY / part, target / part, ignore=nothing)
    for part in ("_config.yml", *(f"notebooks/{study}/{name}.ipynb" for name in figures)):
        (target / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(REPOSITORY / part, target / part)
    for name, text in book.items():
        page = target / "book" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    return Project(target)


def book_of_three(temporary: pytest.TempPathFactory) -> Project:
    """Return a small project with its book: a figure of IOR outputs, and two of other things.

    It is built once in a run of the tests, and nothing is changed in it.
    """

    def make(folder: Path) -> None:
        small_project(folder, "balance", "bandwidth", "mixed").run("book")

    return Project(made_once(temporary, "rerun", make))
