"""A corpus of broken folders: what each of them is told, all in one book.

Others stand where they are mended: links, loops, pipes, doubles, names and archives in
``test_add.py``, permissions in ``tests/commands/test_permission.py``, manifests in
``tests/dataset``, two hosts of one name in ``tests/doctor``.
"""

from __future__ import annotations

import gzip
from datetime import timedelta

import pytest

from studybook.intake.book import write_book
from tests.support.folder import BEGIN, write_jtl
from tests.support.project import Project

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
}


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
    project = Project(root / "book")
    said = project.run("add", str(given)).stderr
    runs = {path.parent.name for path in (project.root / "data/raw/main/shop").glob("*/run.yml")}
    read = {"cut", "utf-16", "latin-1", "manifest", "names-of-all"}
    assert runs == read, said
    return said


@pytest.mark.parametrize("name", [name for name, words in ADDED.items() if words])
def test_each_is_told(told: str, name: str) -> None:
    assert ADDED[name] in told
