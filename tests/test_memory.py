"""What is worked out once: in a process, in a book, and for each content anew."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def test_a_file_is_read_again_only_where_something_tells_that_it_changed(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = book / "raw.txt"
    file.write_text("one")
    digests: list[object] = []
    read = hashlib.file_digest

    def counted(*given: Any) -> Any:
        digests.append(given)
        return read(*given)

    monkeypatch.setattr(hashlib, "file_digest", counted)
    assert memory.content_sha256(file) == memory.content_sha256(file)
    assert len(digests) == 2  # it changed just now, and may once more at the same time
    monkeypatch.setattr(memory, "_SETTLED_S", 0)
    first = [memory.content_sha256(file) for _ in range(2)]
    assert len(digests) == 3
    seen = file.stat()
    file.write_text("two")
    os.utime(file, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert memory.content_sha256(file) not in first
    monkeypatch.setattr(memory, "_verifying", True)
    memory.content_sha256(file)
    assert len(digests) == 5
