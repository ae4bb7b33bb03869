"""What is worked out once: in a process, in a book, and for each content anew."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from studybook import memory, plugins
from studybook.process.pool import processes
from tests.conftest import REPOSITORY

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
    (tmp_path / "book/build").mkdir(parents=True)
    before = plugins.book()
    plugins.use_book(tmp_path / "book")
    yield tmp_path / "book"
    plugins.use_book(before)


def ask(book: Path, *contents: str, library: Path | None = None) -> list[str]:
    """Ask in a process of its own; what it had to work out, and all answers."""
    done = subprocess.run(
        [sys.executable, "-c", ASK, book, *contents],
        env=os.environ
        | {
            "XDG_CACHE_HOME": str(book.with_name("of the person")),
            "PYTHONPATH": str(library or ""),
        },
        cwd=book,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def another(book: Path) -> Path:
    """Another book of the same person, in which nothing was worked out yet."""
    (made := book.with_name("another") / "build").mkdir(parents=True)
    return made.parent


def test_each_content_is_worked_out_once(book: Path) -> None:
    assert ask(book, "a", "b") == ["0 1", "['A', 'B']"]
    assert ask(book, "b", "c", "a") == ["1", "['B', 'C', 'A']"]
    assert ask(book, "c") == ["['C']"]


def test_another_book_begins_with_what_was_worked_out_in_one(book: Path) -> None:
    ask(book, "a")
    other = another(book)
    assert ask(other, "a", "b") == ["1", "['A', 'B']"]
    assert ask(other, "b", "c") == ["1", "['B', 'C']"]
    # What follows in it is its own.
    (other / memory.FILE).unlink()
    assert ask(other, "c") == ["0", "['C']"]


def kept(path: Path) -> dict[str, str]:
    """What a file has, as it stands there."""
    with closing(sqlite3.connect(path)) as store:
        return dict(store.execute("SELECT key, answer FROM kept"))


def test_what_books_begin_with_is_not_private_and_has_bounds(
    book: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(memory, "_MOST_SHARED_BYTES", 10)
    monkeypatch.setattr(memory, "_met", {"a": "b" * 20, "c": "what stands in a run.yml", "d": 1})
    monkeypatch.setattr(memory, "_private", {"c"})
    monkeypatch.setattr(memory, "_begun", {None})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for new, expected in (({"a", "c"}, {"a": f'"{"b" * 20}"'}), ({"d"}, {"d": "1"})):
        monkeypatch.setattr(memory, "_new", {None: new})
        memory._save()
        assert kept(tmp_path / "studybook" / memory.FILE.name) == expected


def test_other_code_works_out_its_own(book: Path, tmp_path: Path) -> None:
    for name in ("__init__.py", "memory.py", "plugins.py"):
        (tmp_path / "studybook").mkdir(exist_ok=True)
        shutil.copy(REPOSITORY / "studybook" / name, tmp_path / "studybook")
    assert ask(book, "a", library=tmp_path) == ["0", "['A']"]
    assert ask(book, "a", library=tmp_path) == ["['A']"]
    with (tmp_path / "studybook/plugins.py").open("a") as stream:
        stream.write("# another release\n")
    assert ask(book, "a", library=tmp_path) == ["0", "['A']"]


def damaged(whole: bytes) -> Iterator[bytes]:
    yield from (b"", b"{", whole[:4096], whole[: len(whole) // 2])
    # Before its key of 64 letters, a record says of what kind the answer is: of bytes, here.
    kind = whole.rindex(b'"A"') - 64 - 2
    assert whole[kind] == 19
    yield whole[:kind] + bytes([18]) + whole[kind + 1 :]
    for place in (0, 30, 4100, len(whole) - 40):
        yield (
            whole[:place]
            + bytes(255 - each for each in whole[place : place + 40])
            + whole[place + 40 :]
        )


def test_what_cannot_be_read_is_worked_out_again(book: Path) -> None:
    ask(book, "a")
    whole = (book / memory.FILE).read_bytes()
    for content in damaged(whole):
        (book / memory.FILE).write_bytes(content)
        shutil.rmtree(book.with_name("of the person"), ignore_errors=True)
        assert ask(book, "a")[-1] == "['A']"
        shutil.rmtree(book.with_name("of the person"), ignore_errors=True)
        assert ask(book, "a") == ["['A']"]


def test_another_question_has_another_answer(book: Path) -> None:
    assert memory.recall("one", b"x", lambda: 1) == 1
    assert memory.recall("two", b"x", lambda: 2) == 2
    assert memory.recall("one", b"x", lambda: 3) == 1


def test_without_a_build_folder_nothing_is_written_there(tmp_path: Path) -> None:
    (book := tmp_path / "book").mkdir()
    assert ask(book, "a") == ["0", "['A']"]
    assert ask(book, "a") == ["['A']"]
    assert not [*book.iterdir()]


def test_a_file_that_another_process_holds_keeps_nobody(book: Path) -> None:
    ask(book, "a")
    with closing(sqlite3.connect(book / memory.FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert ask(book, "a", "b") == ["1", "['A', 'B']"]
        other.execute("COMMIT")
    shutil.rmtree(book.with_name("of the person"))
    assert ask(book, "a", "b") == ["1", "['A', 'B']"]
    assert ask(book, "a", "b") == ["['A', 'B']"]


def test_a_process_that_is_killed_while_it_keeps_leaves_nothing(book: Path) -> None:
    ask(book, "a")
    before = (book / memory.FILE).read_bytes()
    writing = (
        "import os, sqlite3, sys; s = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "s.execute('BEGIN IMMEDIATE')\n"
        "rows = [(f'{n}', 'x' * 999, b'') for n in range(9999)]\n"
        "s.executemany('INSERT INTO kept VALUES (?, ?, ?)', rows)\n"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", writing, book / memory.FILE], check=False)
    assert len([*(book / "build").iterdir()]) == 2  # and the journal of what was not finished
    shutil.rmtree(book.with_name("of the person"))
    assert ask(book, "a") == ["['A']"]
    assert [each.name for each in (book / "build").iterdir()] == [memory.FILE.name]
    assert (book / memory.FILE).stat().st_size < 2 * len(before)
    assert ask(book, "b", "a") == ["0", "['B', 'A']"]
    assert ask(book, "a", "b") == ["['A', 'B']"]


def test_what_is_only_recalled_is_not_written(book: Path) -> None:
    ask(book, "a")
    shared = book.with_name("of the person") / "studybook" / memory.FILE.name
    before = [each.stat().st_mtime_ns for each in (shared, book / memory.FILE)]
    ask(book, "a")
    none = book.with_name("no book")
    none.mkdir()
    assert ask(none, "a") == ["['A']"]
    assert ask(another(book), "a") == ["['A']"]
    assert [each.stat().st_mtime_ns for each in (shared, book / memory.FILE)] == before


def test_a_fork_keeps_what_it_has_worked_out_itself(book: Path) -> None:
    memory.recall("one", b"of both", lambda: "x")
    with processes(1, "fork") as pool:
        assert pool.submit(memory.recall, "one", b"of both", str).result() == "x"
        new = pool.submit(_new_ones).result()
    assert new == 0
    assert _new_ones() == 1


def _new_ones() -> int:
    return len(memory._new[plugins.book()])


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
