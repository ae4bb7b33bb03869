"""Bringing a data set up to date: what is there when it is stopped."""

from __future__ import annotations

import json
import pathlib
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from studybook.__main__ import Stopped, _stop
from studybook.code import LIBRARY
from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.engine import execute
from studybook.engine.notebooks import load_notebook
from studybook.engine.update import update_database
from tests.support.project import bare_project


class Begun(Exception):
    """The notebooks are about to run."""


@contextmanager
def stopped_at(line: int) -> Iterator[None]:
    """Send a signal before a line of the library, or of what it makes folders with; from 1 on."""
    lines, ours = 0, (str(LIBRARY), pathlib.__file__, shutil.__file__)

    def look(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        if frame.f_code is execute.run_all.__code__:
            raise Begun
        # What a notebook is read with has thousands of lines.
        if not frame.f_code.co_filename.startswith(ours):
            return None
        if event == "line":
            lines += 1
            if lines == line:
                signal.raise_signal(signal.SIGTERM)
        return look

    handler, traced = signal.signal(signal.SIGTERM, _stop), sys.gettrace()
    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(traced)
        signal.signal(signal.SIGTERM, handler)


def test_a_signal_at_any_line_before_the_work_leaves_no_folder(tmp_path: Path) -> None:
    data_set = DataSet("reference", bare_project(tmp_path, "flexible-scale").root)
    inventory = take_inventory(data_set)
    # A library whose import is stopped in its midst cannot be imported again.
    assert load_notebook(data_set.root).defaults
    for line in count(1):
        try:
            with stopped_at(line):
                # Python 3.11 goes on handling what an ``except`` was stopped in; in a generator,
                # until that ends, and not in every test that follows in this process.
                next(update_database(data_set, inventory, force=True) for _ in "1")
        except Stopped:
            assert not list(data_set.build.glob("loading-*")), f"stopped at line {line}"
        except Begun:
            break
    assert line > 20
    assert sys.exception() is None


#: What no format knows, and what the format that knows it cannot be read by.
BAD = {
    "flexible-scale/1-system-read/ior.txt": "Dear diary,\n",
    "flexible-scale/1-system-write/ior.txt": "IOR-3.1.0: MPI Coordinated Test\n\nior ERROR: no\n",
}


def test_a_load_says_what_it_has_read_and_computed(tmp_path: Path) -> None:
    project = bare_project(tmp_path / "project", "flexible-scale")
    said = project.run("load").stderr
    assert "\nread       ior, scale of 5 runs\ncomputed   models of 5 runs\n" in f"\n{said}"
    assert "read  " not in project.run("load").stderr
    file = project.raw / "flexible-scale/1-system-read/ior.txt"
    file.write_text(file.read_text().replace("1", "2", 1))
    said = project.run("load").stderr
    assert "\nread       ior of flexible-scale/1-system-read\n" in f"\n{said}"


def test_bad_files_are_named_and_block_the_others_only_if_strict(tmp_path: Path) -> None:
    project = bare_project(tmp_path / "project", "flexible-scale")
    for name, bad in BAD.items():
        (project.raw / name).write_text(bad)
    # How long a load takes says the size of the data, and nothing else.
    (project.root / "_config.yml").write_text("notebooks: {cell_timeout_s: 1}\n")
    said = project.run("load", "--strict", code=1).stderr
    assert all(name in said for name in BAD)
    assert not (project.build / "study.duckdb").exists()

    for begins in ("loaded ", "nothing has changed"):
        done = project.run("load", code=1)
        assert done.stdout.startswith(begins)
        assert all(f"left out: {name}: " in done.stderr for name in BAD)
    for report in ("all", "ior"):
        text = (project.build / f"load/{report}.ipynb").read_text()
        assert all(name in text for name in BAD)
    status = project.run("status", "--json", code=None)
    assert json.loads(status.stdout)["database"] == []
    assert all(f"left out: {name}: " in status.stderr for name in BAD)
    said = project.run("load", "--strict", code=1).stderr
    assert all(name in said for name in BAD)

    # What there was before can be read, though all was to be read anew, and twice.
    query = ("sql", "SELECT count(*) FROM ior_summary, metric")
    before = project.run(*query).stdout
    folders = {*project.build.glob("*/*/*/*")}
    for name in BAD:  # of which a reader says so, and no look at the file
        (project.raw / name).write_text("IOR-3.1.0: MPI Coordinated Test of Parallel I/O\n\nno\n")
    for _ in range(2):
        assert "is as it was before" in project.run("load", "--strict", "--force", code=1).stderr
        assert project.run(*query).stdout == before
        assert folders <= {*project.build.glob("*/*/*/*")}
