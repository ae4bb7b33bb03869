"""What is worked out once: in a process, in a book, and for each content anew."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from studybook import memory, plugins

ASK = """
import sys
from pathlib import Path
from studybook import memory, plugins
plugins.use_book(Path(sys.argv[1]))
def work_out(places):
    print(*places)
    return [sys.argv[2 + place].upper() for place in places]
print(memory.recall_each("upper", [each.encode() for each in sys.argv[2:]], work_out))
"""


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "build").mkdir()
    before = plugins.book()
    plugins.use_book(tmp_path)
    yield tmp_path
    plugins.use_book(before)


def ask(book: Path, *contents: str) -> list[str]:
    """Ask in a process of its own; what it had to work out, and all answers."""
    done = subprocess.run(
        [sys.executable, "-c", ASK, book, *contents], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_each_content_is_worked_out_once(book: Path) -> None:
    assert ask(book, "a", "b") == ["0 1", "['A', 'B']"]
    assert ask(book, "b", "c", "a") == ["1", "['B', 'C', 'A']"]
    assert ask(book, "c") == ["['C']"]


@pytest.mark.parametrize("content", ["", "{", "[]", "null"])
def test_what_cannot_be_read_is_worked_out_again(book: Path, content: str) -> None:
    ask(book, "a")
    (book / memory.FILE).write_text(content)
    assert ask(book, "a") == ["0", "['A']"]
    assert ask(book, "a") == ["['A']"]


def test_another_question_has_another_answer(book: Path) -> None:
    assert memory.recall("one", b"x", lambda: 1) == 1
    assert memory.recall("two", b"x", lambda: 2) == 2
    assert memory.recall("one", b"x", lambda: 3) == 1


def test_without_a_build_folder_nothing_is_written(tmp_path: Path) -> None:
    assert ask(tmp_path, "a") == ["0", "['A']"]
    assert not [*tmp_path.iterdir()]


def test_what_a_killed_process_left_is_removed(book: Path) -> None:
    old, young = (book / memory.FILE).with_name("memory.1.tmp"), book / "build/memory.2.tmp"
    for left in (old, young):
        left.write_text("{")
    os.utime(old, (0, 0))
    ask(book, "a")
    assert {path.name for path in (book / "build").iterdir()} == {"memory.json", "memory.2.tmp"}
