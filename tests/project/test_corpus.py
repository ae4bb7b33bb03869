"""Files that cannot be committed: each is listed, with its origin and what it holds."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import yaml

from studybook.bounded_yaml import SAFE_LOADER
from tests.conftest import CORPUS, REPOSITORY

LISTED = yaml.load(CORPUS.read_text(encoding="utf-8"), SAFE_LOADER)  # noqa: S506 - safe
FILES: dict[str, str] = LISTED["files"]
ORIGINS: dict[str, str] = LISTED["origins"]


def test_each_file_has_an_origin_of_its_own_or_that_of_its_folder() -> None:
    named = {name if name in ORIGINS else name.rpartition("/")[0] for name in FILES}
    assert named == ORIGINS.keys()


def test_each_file_that_must_give_something_is_listed() -> None:
    lists = (REPOSITORY / "tests/expected").glob("*.yml")
    expected = (
        yaml.load(each.read_text(encoding="utf-8"), SAFE_LOADER)["files"]  # noqa: S506 - safe
        for each in lists
    )
    assert {name for files in expected for name in files} - FILES.keys() == set()


def test_the_files_are_those_of_the_list(samples_dir: Path) -> None:
    there = {
        path.relative_to(samples_dir).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in samples_dir.rglob("*")
        if path.is_file() and path.name not in ("SOURCES.md", "README.md")
    }
    assert there == FILES
