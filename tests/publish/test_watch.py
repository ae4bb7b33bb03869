"""Which files are watched while the book is served: those it follows from, as people save them."""

from __future__ import annotations

from pathlib import Path, PurePath

import pytest

from studybook.dataset.paths import DataSet
from studybook.publish.watch import changes, counts


@pytest.mark.parametrize(
    "path",
    [
        *("_config.yml", "book/_toc.yml", "book/shop/intro.md", "notebooks/shop/curve.ipynb"),
        *("pipelines/shop/study.yml", "pipelines/shop/own_metric.sql", "pipelines/formats/own.py"),
        *("data/published/shop.yml", "data/raw/mine/shop/run-1/run.yml"),
        *("data/raw/mine/shop/run-1/sar.txt.gz", "data/raw/mine/parameters.yml", "notebooks"),
    ],
)
def test_what_the_book_follows_from_counts(path: str) -> None:
    assert counts(PurePath(path), "mine")


@pytest.mark.parametrize(
    "path",
    [
        *("build/mine/html/index.html", "build/mine/source/book/intro.md", "build/memory.sqlite"),
        *("data/raw/theirs/shop/run-1/run.yml", "data/raw", "README.md", "requirements.txt"),
        *(".git/index", "notebooks/shop/.ipynb_checkpoints/curve-checkpoint.ipynb"),
        *("pipelines/formats/__pycache__/own.cpython-311.pyc", "book/shop/.intro.md.swp"),
        *("book/intro.md~", "book/#intro.md#", "book/.#intro.md", "book/4913", "book/a.TMP"),
        "notebooks/shop/.~curve.ipynb",
    ],
)
def test_what_it_does_not_follow_from_does_not(path: str) -> None:
    assert not counts(PurePath(path), "mine")


def test_files_are_watched_in_folders_that_are_made_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "data/raw/mine").mkdir(parents=True)
    (tmp_path / "book").mkdir()
    with changes(DataSet("mine", tmp_path)) as changed:
        (tmp_path / "book/intro.md").write_text("# Saved\n", encoding="utf-8")
        assert "book/intro.md" in changed()
        (tmp_path / "notebooks").mkdir()
        assert "notebooks" in changed()
        (tmp_path / "notebooks/curve.ipynb").write_text("{}", encoding="utf-8")
        assert "notebooks/curve.ipynb" in changed()
        new = tmp_path / "new.yml"
        new.write_text("title: Ours\n", encoding="utf-8")
        new.replace(tmp_path / "_config.yml")
        assert "_config.yml" in changed()
