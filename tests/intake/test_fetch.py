"""Raw exports that lie elsewhere are taken in as those of a folder are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from studybook.intake.book import write_book
from tests.support.folder import write_runs
from tests.support.processes import wait_until
from tests.support.project import Project
from tests.support.s3 import s3

BUCKET = "nightly"


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with s3(tmp_path_factory.mktemp("s3"), BUCKET) as client:
        yield client


@pytest.fixture
def book(tmp_path: Path) -> Project:
    write_book(tmp_path / "book", "A shop", "somebody", "shop")
    return Project(tmp_path / "book")


def files(folder: Path) -> dict[str, bytes]:
    """What a folder holds, by paths below it."""
    there = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in there}


def put(bucket: Any, prefix: str, folder: Path) -> None:
    for name, content in files(folder).items():
        bucket.put_object(Bucket=BUCKET, Key=f"{prefix}/{name}", Body=content)


def test_a_bucket_is_taken_in_as_the_folder_of_the_same_files(
    book: Project, bucket: Any, tmp_path: Path
) -> None:
    given = write_runs(tmp_path / "given")
    with zipfile.ZipFile(given / "old.zip", "w") as archive:
        for name in ("users-20-rep1", "users-20-rep2"):
            for path in sorted((given / name).iterdir()):
                archive.write(path, f"{name}/{path.name}")
            shutil.rmtree(given / name)
    (given / "users-80-rep1" / "notes 100%.txt").write_text("It rained.\n")
    put(bucket, "shop/given", given)
    bucket.put_object(Bucket=BUCKET, Key="shop/given/", Body=b"")  # as a browser makes a folder
    done = book.run("add", str(given))
    of_folder = files(book.root / "data/raw/main")
    assert len([name for name in of_folder if name.endswith("/run.yml")]) == 12
    shutil.rmtree(book.root / "data/raw/main")
    away = book.run("add", f"s3://{BUCKET}/shop/given/")
    assert files(book.root / "data/raw/main") == of_folder
    assert (away.stdout, away.stderr) == (done.stdout, done.stderr)
    assert "notes 100%.txt" in away.stderr
    again = book.run("add", f"s3://{BUCKET}/shop/given")
    assert "added 0 runs" in again.stdout
    assert files(book.root / "data/raw/main") == of_folder


def test_one_archive_is_taken_in_by_its_url(book: Project, tmp_path: Path) -> None:
    given = write_runs(tmp_path / "given")
    shutil.make_archive(str(tmp_path / "night.7"), "gztar", given)
    (book.root / "pipelines/shop").rename(book.root / "pipelines/other")  # names no study
    done = book.run("add", f"file://{tmp_path}/night.7.tar.gz", "--study", "shop")
    assert "added 12 runs to data/raw/main/shop" in done.stdout


def test_folders_of_other_systems_are_taken_in_whole(
    book: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = write_runs(tmp_path / "given")
    server = [sys.executable, "-m", "http.server", "-b", "127.0.0.1", "0"]
    log = tmp_path / "http.log"
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    with log.open("wb") as out, subprocess.Popen(server, cwd=tmp_path, stdout=out) as serving:
        try:
            wait_until(lambda: b"http://" in log.read_bytes(), serving)
            (port,) = re.findall(r"port (\d+)", log.read_text())
            for url in (f"http://127.0.0.1:{port}/given/", f"local://{given}", f"file://{given}"):
                done = book.run("add", url)
                assert "added 12 runs to data/raw/main/shop" in done.stdout, url
                shutil.rmtree(book.root / "data/raw/main")
        finally:
            serving.kill()


SIGNED = "http://127.0.0.1:9/a.zip?X-Signature=secret#secret"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("s4://team/runs", "s4://team/runs: Protocol not known: s4"),
        (f"s3://{BUCKET}/not/there", f"s3://{BUCKET}/not/there: cannot be listed"),
        ("s3://me:secret@nobody/has/this", "s3://nobody/has/this: cannot be listed"),
        ("s3://me:sec/ret@nobody/has/this", "s3://nobody/has/this: cannot be listed"),
        (SIGNED, "http://127.0.0.1:9/a.zip: cannot be listed"),
        ("http://127.0.0.1:9/runs/", "http://127.0.0.1:9/runs/: cannot be listed"),
        ("file:///not/there", "file:///not/there: cannot be listed"),
        ("file://[x/y", "file://[x/y: cannot be listed"),
        ("gs://team/runs", "pip install 'studybook[s3]'"),
    ],
)
def test_a_place_that_cannot_be_read_is_named(
    url: str, said: str, book: Project, bucket: Any
) -> None:
    done = book.run("add", url, code=1)
    assert said in done.stderr
    assert "secret" not in done.stderr
    assert "sec/ret" not in done.stderr
    assert not (book.root / "data/raw/main").exists()


def test_what_a_url_names_cannot_be_linked_to(book: Project, tmp_path: Path) -> None:
    (tmp_path / "a.zip").touch()
    done = book.run("add", f"file://{tmp_path}/a.zip", "--link", code=2)
    assert "--link is for folders of this machine" in done.stderr


def test_more_than_there_is_room_for_is_not_fetched(book: Project, tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    with (tmp_path / "given/huge.jtl").open("wb") as huge:
        huge.truncate(shutil.disk_usage(tmp_path).free + 2**30)
    done = book.run("add", f"local://{tmp_path}/given", code=1)
    assert "MiB, and " in done.stderr
    assert " has room for " in done.stderr


def test_a_name_that_is_no_path_is_left_out(
    book: Project, bucket: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(bucket, "odd", write_runs(tmp_path / "given"))
    long = 300 * "x"
    for name in ("../../escaped.txt", "/escaped.txt", long, "users-20-rep1", "a/../escaped.txt"):
        bucket.put_object(Bucket=BUCKET, Key=f"odd/{name}", Body=b"out")
    (tmp_path / "scratch").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    done = book.run("add", f"s3://{BUCKET}/odd")
    for name in ("../../escaped.txt", "/escaped.txt", long, "a/../escaped.txt"):
        assert f"  {name}: a name that cannot be a path below a folder\n" in done.stderr
    assert "  users-20-rep1: has the name of a folder beside it\n" in done.stderr
    assert "added 12 runs" in done.stdout
    assert not [each for each, _, names in os.walk(tmp_path) if "escaped.txt" in names]
