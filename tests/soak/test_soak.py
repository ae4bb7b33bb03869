"""``make soak`` itself: it kills, and looks at what is left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.conftest import REPOSITORY
from tests.soak.__main__ import Book, Broken, one_kill
from tests.support.processes import recipe


def test_a_killed_load_leaves_the_last_good_state(tmp_path: Path) -> None:
    command = recipe("soak", "KILLS=1")
    assert command[1:] == ["-m", "tests.soak", "--kills", "1"]
    told = subprocess.run(
        [sys.executable, *command[1:], "--on-dask", "0", "--only", "load", "--seed", "4",
         "--build", str(tmp_path)],
        cwd=REPOSITORY, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout.startswith("1 kills, 0 broken")


def test_what_a_kill_breaks_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is not that of either content."""
    book = Book(tmp_path / "books/lab", tmp_path / "tmp")
    book.write()
    book.complete("load")
    book.took, book.rows = {"load": 0.0}, {0: (0, 0), 1: (1, 1)}
    monkeypatch.setattr("time.sleep", lambda _: None)
    with pytest.raises(Broken, match="the database says"):
        one_kill(book, "load", "all", Random(1))  # noqa: S311 - no secret
