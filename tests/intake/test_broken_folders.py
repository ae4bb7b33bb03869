"""A corpus of broken folders: what each of them is told, all in one book.

Others stand where they are mended: damaged archives and those that hold too much in
``test_add.py``, folders of a book without permission in ``tests/commands/test_permission.py``,
manifests in ``tests/dataset``, two hosts of one name in ``tests/doctor``.
"""

from __future__ import annotations

import gzip
import os
import resource
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.intake.book import write_book
from studybook.records.load import update
from tests.support.folder import BEGIN, write_jtl
from tests.support.project import Project, remember

#: The folder, and what is said of it by ``add``; where it is empty, the folder is simply read.
ADDED = {
    "cut": "cut/results.jtl: the last line has no line end: its last value may be cut",
    "cut-gz": "cut-gz/results.jtl.gz: cannot be opened: Compressed file ended before",
    "empty": "empty/results.jtl",
    "binary": "binary/results.jtl",
    "utf-16": "",
    "latin-1": "",
    "manifest": "manifest/run.yml: a manifest: it is not taken over",
    "names\n of, 'all'": "",
    # What is called as in the other folders counts.
    "again": "again/first.jtl: holds the same as again/results.jtl",
    "loop": "loop/loop/: a link",
    "link": "link/results.jtl: a link that leads out of the folder",
    "nowhere": "nowhere/results.jtl: cannot be read: No such file or directory",
    "pipe": "pipe/results.jtl: no file",
    "leads-out": "leads-out/all.zip: '../escaped.jtl': a path that leads out of the archive",
    "next": (
        "next/results.jtl and later/results.jtl: both went on from 2026-12-01 09:03:00 to 09:03:59"
        " UTC: taken as two runs; what was measured then is of both loads"
    ),
    "later": "",
    "whole": (
        "whole/results.jtl and whole/part.jtl: both went on from 2026-12-02 09:01:00 to 09:02:59"
        " UTC only: taken as one run; if they are two, add each from a folder by itself"
    ),
}
#: Those of which nothing is read.
NOTHING_OF = {"empty", "binary", "cut-gz", "link", "nowhere", "pipe", "leads-out"}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what ``add`` says of the corpus."""
    root = tmp_path_factory.mktemp("broken")
    write_book(root / "book", "A shop", "somebody", "shop")
    given = root / "given"
    for day, name in enumerate(ADDED):
        write_jtl(given / name / "results.jtl", BEGIN + timedelta(days=day))
    for name, change in {
        "cut": lambda content: content[: len(content) // 2 + 7],
        "empty": lambda _: b"",
        "binary": lambda content: bytes(range(256)) * (len(content) // 256),
        "utf-16": lambda content: content.decode().encode("utf-16"),
        "latin-1": lambda content: content.replace(b"browse", "größe".encode("latin-1")),
    }.items():
        path = given / name / "results.jtl"
        path.write_bytes(change(path.read_bytes()))
    whole = given / "cut-gz/results.jtl"
    (given / "cut-gz/results.jtl.gz").write_bytes(gzip.compress(whole.read_bytes())[:-40])
    whole.unlink()
    (given / "manifest/run.yml").write_text("study: other\nrun: two\n", encoding="utf-8")
    (given / "again/first.jtl").write_bytes((given / "again/results.jtl").read_bytes())
    (given / "loop/loop").symlink_to(given)
    for name in ("link", "nowhere", "pipe", "leads-out"):
        (given / name / "results.jtl").unlink()
    (given / "link/results.jtl").symlink_to(Path(__file__))
    (given / "nowhere/results.jtl").symlink_to("not-there")
    os.mkfifo(given / "pipe/results.jtl")
    with zipfile.ZipFile(given / "leads-out/all.zip", "w") as archive:
        archive.writestr("../escaped.jtl", "")
    begin = BEGIN + timedelta(days=29)
    write_jtl(given / "next/results.jtl", begin, users=21)
    write_jtl(given / "later/results.jtl", begin + timedelta(minutes=3))
    write_jtl(given / "whole/results.jtl", begin + timedelta(days=1))
    write_jtl(given / "whole/part.jtl", begin + timedelta(days=1, minutes=1), minutes=2)
    project = Project(root / "book")
    said = project.run("add", str(given), code=1).stderr
    runs = {path.parent.name for path in (project.root / "data/raw/main/shop").glob("*/run.yml")}
    read = {name.replace("\n of, 'all'", "-of-all") for name in ADDED.keys() - NOTHING_OF}
    assert runs == read, said
    return said


@pytest.mark.parametrize("name", [name for name, words in ADDED.items() if words])
def test_each_is_told(told: str, name: str) -> None:
    assert ADDED[name] in told


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """Let no file grow above so many bytes: the system refuses to write more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    write_book(tmp_path / "book", "A shop", "somebody", "shop")
    write_jtl(tmp_path / "given/results.jtl", BEGIN)
    project = Project(tmp_path / "book")
    remember(project.root)
    there = sorted(project.root.rglob("*"))
    with full_disk(10_000):
        said = project.run("add", str(tmp_path / "given"), code=1).stderr
    assert "shop/given/results.jtl: cannot be written: File too large\nnothing was added\n" in said
    made = {path.relative_to(project.root).as_posix() for path in project.root.rglob("*")}
    assert made - {path.relative_to(project.root).as_posix() for path in there} <= {
        "build", "build/main", "build/main/lock",
        "build/memory.sqlite-journal",  # of what was there before: undone by who opens it next
    }  # fmt: skip
    project.call("add", str(tmp_path / "given"))
    assert not (project.root / "build/memory.sqlite-journal").exists()
    place = DataSet("main", project.root)
    inventory = take_inventory(place)
    with full_disk(100_000), pytest.raises(StudyBookError) as refused:
        update(place.database, inventory, inventory.sources())
    assert "study.duckdb: cannot be written: " in str(refused.value)
    assert "nothing was loaded\n  → see whether there is room on the disk" in str(refused.value)
    assert not place.database.exists()
