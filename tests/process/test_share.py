"""Workers that do not see the book: a share hands them its files, and brings what they make."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from studybook.errors import StudyBookError
from studybook.plugins import use_book
from studybook.process import cluster
from studybook.process.share import Share, packed, unpacked
from tests.process.test_cluster import DATA, load, tables
from tests.support.dask import dask
from tests.support.kiosk import FORMAT, add_run, book, plugged
from tests.support.project import Project
from tests.support.s3 import s3

#: It reads no file that lies where the book does.
AWAY = """
import os

def read_away(raw, out):
    assert str(raw.path).startswith(os.environ.get("ONLY_BELOW", "/")), raw.path
    read(raw, out)


FORMAT = Format("kiosk-ledger", "ledger of a kiosk", "ledger", (SALE,), recognise, read_away)
"""


DAY = "Kiosk ledger\npaper: 1.5\nsweets: 2.5\n"


#: A model of the study's own.
SOLD = """
SELECT f.run_id, sum(s.took_s) AS took_s FROM ledger_sale s JOIN raw_file f USING (file_id)
GROUP BY f.run_id
"""


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A share in a bucket of S3; workers are told of the server, too."""
    with s3(tmp_path_factory.mktemp("s3"), "team"):
        yield "s3://team/study/book"


@pytest.fixture(scope="module")
def where(bucket: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A cluster, and the folder of its workers."""
    folder = tmp_path_factory.mktemp("dask")
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:  # for the workers alone
            patch.setenv("ONLY_BELOW", str(folder))
            address, _ = stack.enter_context(dask(folder))
        yield address, folder


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = book(tmp_path / "kiosk")
    plugged(root, FORMAT + AWAY)
    # What the study has of its own lies elsewhere, such as in a repository of all books.
    own = (root / "pipelines/kiosk").rename(tmp_path / "own")
    (root / "pipelines/kiosk").symlink_to(own)
    (own / "sold.sql").write_text(SOLD)
    (own / "schema.yml").write_text("models:\n  sold:\n    meaning: It was sold.\n")
    add_run(root, {"day.txt": DAY}, "  - path: day.txt\n")
    text = (DATA / "sar/sar-12-more.txt").read_bytes()
    sar = {"sar.txt": text, "cut.txt": gzip.compress(text * 9)[:-40]}
    add_run(root, sar, "  - {path: sar.txt, host: till1}\n  - path: cut.txt\n", run="sar")
    return Project(root)


def files_in(share: str) -> set[str]:
    files = Share(share)
    return {str(each).rpartition("/")[2] for each in files.files.find(files.root)}


def _without_progress(said: str) -> list[str]:
    # Read anew, all is as it was: nothing is said of it.
    steps = ("loading:", "read  ", "computed  ")
    return [line for line in said.splitlines() if not line.startswith(steps)]


def test_workers_that_do_not_see_the_book_make_the_same_bytes(
    project: Project, where: tuple[str, Path], bucket: str
) -> None:
    address, folder = where
    said = load(project, code=1)
    local = tables(project)
    assert any(name.endswith("/sold.parquet") for name in local)
    away_to = ("--scheduler", address, "--share", bucket)
    away = load(project, "--force", *away_to, code=1)
    assert _without_progress(away)[1:] == _without_progress(said)
    assert "left out: kiosk/sar/cut.txt" in away
    assert tables(project) == local
    # Each file went there by what it holds, and stays; workers keep what is not of one job only.
    there = files_in(bucket)
    load(project, "--force", *away_to, code=1)
    assert files_in(bucket) == there
    left = {path.name for path in folder.rglob("studybook-*/**/*") if path.is_file()}
    assert left >= {"sold.sql", "study.yml"}
    assert not left & {"day.txt", "sar.txt", "cut.txt", "account.json"}


def test_a_share_that_holds_something_else_is_named(
    project: Project, where: tuple[str, Path], tmp_path: Path
) -> None:
    share = f"file://{tmp_path}/share"
    (tmp_path / "share").mkdir()
    away_to = ("--scheduler", where[0], "--share", share)
    load(project, *away_to, code=1)
    before = tables(project)
    (sent,) = [each for each in (tmp_path / "share").iterdir() if each.read_bytes() == DAY.encode()]
    sent.write_text(DAY.replace("2.5", "9.5"))
    said = load(project, "--force", *away_to, code=1)
    assert f"{share}: {sent} is not what was sent" in said
    assert tables(project) == before
    sent.unlink()
    load(project, "--force", *away_to, code=1)
    assert tables(project) == before


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("s4://team", "Protocol not known: s4"),
        ("team/study", "team/study: is no URL of a folder"),
        ("s3://", "s3://: is no URL of a folder"),
        ("github://team", "github://team: "),
        ("s3://nobody/has/this", "s3://nobody/has/this: cannot be written to"),
        ("file:///not/there", "file:///not/there: cannot be written to"),
    ],
)
def test_a_share_that_cannot_be_used_is_named(
    url: str, said: str, project: Project, where: tuple[str, Path]
) -> None:
    told = load(project, "--scheduler", where[0], "--share", url, code=1)
    assert said in told
    assert "Traceback" not in told


def test_a_share_alone_is_refused_and_its_password_is_not_told(project: Project) -> None:
    said = load(project, "--share", "s3://team", code=2)
    assert "name its --scheduler" in said
    assert Share("memory://me:se@cret@host/there").name == "memory://host/there"
    here = replace(cluster._here(project.root), share="memory://me:secret@host/there")
    assert "secret" not in repr(here)


def test_what_changes_on_its_way_is_not_taken_for_what_it_was(tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    share, file = Share(f"file://{tmp_path}/share"), tmp_path / "a.txt"
    file.write_text("before")
    gone = tmp_path / "gone.txt"
    job = packed(share, [file, gone, tmp_path])
    fetched: list[Path] = []
    found, missing, folder = unpacked(share, job, tmp_path / "mirror", fetched)
    assert found.read_text() == "before"
    assert found.stat().st_mtime_ns == file.stat().st_mtime_ns
    assert fetched == [found]
    assert not missing.exists()
    assert str(folder) == f"{tmp_path}/mirror{tmp_path}"

    class Written(type(file)):  # type: ignore[misc]
        """A file to which somebody writes whenever it is opened."""

        def open(self, *how: str) -> object:
            with open(self, "a") as stream:  # noqa: PTH123
                stream.write("!")
            return super().open(*how)

    file.write_text("at first")
    sent = share.send(Written(file))
    assert sent.sha256 == ""
    assert [each.name for each in (tmp_path / "share").iterdir()] == [
        hashlib.sha256(b"before").hexdigest()
    ]
    share.fetch(sent, tmp_path / "empty")
    assert (tmp_path / "empty").stat().st_mtime_ns == 0


def test_a_file_that_goes_on_its_way_is_no_fault_of_the_share(tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    file = tmp_path / "a.txt"

    class Gone(type(file)):  # type: ignore[misc]
        """A file that somebody removes before it is opened for the second time."""

        opened = 0

        def open(self, *how: str) -> object:
            Gone.opened += 1
            if Gone.opened > 1:
                self.unlink()
            return super().open(*how)

    file.write_text("here")
    with pytest.raises(FileNotFoundError):
        Share(f"file://{tmp_path}/share").send(Gone(file))
    assert [*(tmp_path / "share").iterdir()] == []


def test_what_a_book_has_of_its_own_must_not_change_on_its_way(
    project: Project, where: tuple[str, Path], tmp_path: Path
) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "jobs").mkdir()
    use_book(project.root)
    here = cluster._here(tmp_path / "jobs", Share(f"file://{tmp_path}/share"))
    use_book(None)
    assert len(here.sent) == 4
    here = replace(here, sent=(replace(here.sent[0], sha256=""), *here.sent[1:]))
    with (
        cluster.connected(where[0]) as client,
        pytest.raises(StudyBookError, match="pipelines: changed while it was sent"),
    ):
        client.submit(cluster._do, here, b"", pure=False).result()


def test_a_share_without_its_library_says_what_to_install() -> None:
    with pytest.raises(StudyBookError, match=r"pip install 'studybook\[dask,s3\]'"):
        Share("gs://team/book")
