"""A Dask cluster does what processes of this machine do: the same bytes, whatever becomes of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from studybook.errors import StudyBookError
from studybook.process import cluster
from tests.conftest import REPOSITORY
from tests.support.dask import dask
from tests.support.kiosk import FORMAT, add_run, book, plugged
from tests.support.processes import is_there
from tests.support.project import Project, bare_project

DATA = REPOSITORY / "tests/data"

#: Before a file is read that says so, what it names is killed: once, or each time.
DEADLY = """
import os
import signal
from pathlib import Path


def read_or_die(raw, out):
    for _, text in raw.lines():
        word, _, rest = text.partition(" ")
        if word == "once" and not Path(rest).exists():
            Path(rest).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        elif word == "always":
            os.kill(os.getpid(), signal.SIGKILL)
        elif word == "kill" and rest:
            os.kill(int(rest), signal.SIGKILL)
        elif word == "freeze" and not Path(rest).exists():
            Path(rest).touch()
            os.kill(os.getpid(), signal.SIGSTOP)
        elif word == "grow":
            [bytearray(b"x") * 2**23 for _ in range(500)]
    read(raw, out)


FORMAT = Format("kiosk-ledger", "ledger of a kiosk", "ledger", (SALE,), recognise, read_or_die)
"""


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with dask(tmp_path_factory.mktemp("dask")) as (address, _):
        yield address


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a book with a format of its own, and runs of several tools."""
    root = book(tmp_path / "kiosk")
    plugged(root, FORMAT + DEADLY)
    sale = f"Kiosk ledger\nonce {tmp_path / 'killed'}\npaper: 1.5\nsweets: 2.5\n"
    add_run(root, {"day.txt": sale}, "  - path: day.txt\n")
    for name in ("vmstat/vmstat-t.txt", "sar/sar-12-more.txt"):
        file = {Path(name).name: (DATA / name).read_bytes()}
        listed = f"  - {{path: {Path(name).name}, host: till1}}\n"
        add_run(root, file, listed, run=Path(name).parent.name)
    return Project(root)


def tables(project: Project) -> dict[str, bytes]:
    """All that was read and computed, by its place."""
    build = project.root / "build/mine"
    folders = [build / "records", build / "models"]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(build).as_posix(): path.read_bytes() for path in sorted(files)}


def left_over(project: Project) -> list[Path]:
    return [*(project.root / "build/mine").glob("study.duckdb.*.tmp*")]


def load(project: Project, *more: str, code: int = 0) -> str:
    return project.run("load", "--data-set", "mine", *more, code=code).stderr


def test_a_cluster_gives_the_same_bytes_though_a_worker_is_lost(
    project: Project, where: str, tmp_path: Path
) -> None:
    def seconds() -> float:
        query = "SELECT sum(took_s) FROM ledger_sale"
        told = project.run("sql", query, "--data-set", "mine", "--format", "csv").stdout
        return float(told.split()[1])

    killed = tmp_path / "killed"
    killed.touch()
    load(project)
    local = tables(project)
    assert len(local) > 20
    assert seconds() == 4.0
    killed.unlink()
    assert f"Dask: 2 workers at {where}" in load(project, "--force", "--scheduler", where)
    assert killed.exists()
    assert tables(project) == local

    # A worker lives on; what it knows of the book does not.
    plugged(project.root, (FORMAT + DEADLY).replace("float(took)", "float(took) * 2"))
    load(project, "--scheduler", where)
    assert seconds() == 8.0

    # One that kills each worker is named, and the database stays.
    day = project.raw.parent / "mine/kiosk/monday/day.txt"
    day.write_text(day.read_text() + "always\n")
    said = load(project, "--scheduler", where, code=1)
    assert "that read raw files was lost with kiosk/monday/day.txt" in said
    assert "nothing was loaded" in said
    assert seconds() == 8.0
    assert left_over(project) == []


def test_figures_of_a_cluster_are_the_same(where: str, tmp_path: Path) -> None:
    project = bare_project(tmp_path / "project", "flexible-scale")
    project.run("load")

    def made(*more: str) -> dict[str, bytes]:
        project.run("figures", "--force", *more)
        folders = ("figures", "notebooks")
        files = [each for folder in folders for each in (project.build / folder).rglob("*.*")]
        return {each.relative_to(project.build).as_posix(): each.read_bytes() for each in files}

    local = made()
    assert any(name.endswith(".ipynb") for name in local)
    log = project.root / "build"
    before = {*log.iterdir()}
    assert made("--scheduler", where) == local
    assert {*log.iterdir()} == before


def test_a_scheduler_that_goes_is_named(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")
    day = project.raw.parent / "mine/kiosk/monday/day.txt"
    with dask(tmp_path, workers=1) as (address, scheduler):
        day.write_text(f"Kiosk ledger\nkill {scheduler}\npaper: 1.5\n")
        assert f"{address}: the scheduler is gone" in load(project, "--scheduler", address, code=1)
        assert not is_there(scheduler)
    assert left_over(project) == []
    assert not (project.root / "build/mine/study.duckdb").exists()
    said = load(project, "--scheduler", address, code=1)
    assert f"{address}: no Dask scheduler answers" in said


#: Whoever leaves while Dask tries to connect again, and has asked for something meanwhile.
LEAVES = """
import os, signal, sys, time
from studybook.process import cluster
with cluster.connected(sys.argv[1]) as client:
    os.kill(int(sys.argv[2]), signal.SIGKILL)
    while client.status == "running":
        asked = client.submit(int, pure=False)
    time.sleep(0.5)
"""


def test_a_scheduler_that_goes_is_told_without_a_traceback(tmp_path: Path) -> None:
    with dask(tmp_path, workers=1) as (address, scheduler):
        done = subprocess.run(
            [sys.executable, "-c", LEAVES, address, str(scheduler)],
            cwd=REPOSITORY, check=True, capture_output=True, text=True,
        )  # fmt: skip
    assert done.stderr == ""


def test_a_worker_that_needs_more_memory_than_it_has_is_lost_and_named(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
    (project.raw.parent / "mine/kiosk/monday/day.txt").write_text("Kiosk ledger\ngrow\n")
    with dask(tmp_path, 1, "--memory-limit", "900MiB") as (address, _):
        said = load(project, "--scheduler", address, code=1)
    assert "was lost with kiosk/monday/day.txt, perhaps for want of memory" in said
    assert "nothing was loaded" in said
    assert "exceeded 95% memory budget" in (tmp_path / "dask.log").read_text()


def test_what_a_worker_does_not_finish_that_answers_no_more_another_one_does(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL", "10s")
    day, frozen = project.raw.parent / "mine/kiosk/monday/day.txt", tmp_path / "frozen"
    frozen.touch()
    day.write_text(f"Kiosk ledger\nfreeze {frozen}\npaper: 1.5\n")
    load(project)
    local = tables(project)
    frozen.unlink()
    with dask(tmp_path) as (address, _):
        load(project, "--force", "--scheduler", address)
    assert frozen.exists()
    assert tables(project) == local


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"folder": Path("/nowhere")}, "does not see /nowhere"),
        ({"token": "of another"}, "does not see"),
        ({"code": "of another"}, "has another studybook than this one"),
        ({"versions": frozenset({"duckdb 0.1"})}, "here is duckdb 0.1"),
    ],
)
def test_a_worker_that_is_not_as_this_process_refuses(
    where: str, tmp_path: Path, other: dict[str, Any], said: str
) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    good, here = cluster._here(tmp_path / "one"), cluster._here(tmp_path / "other")
    with cluster.connected(where) as client:
        (one, *_) = client.scheduler_info()["workers"]

        def ready_for() -> str:
            return str(
                client.submit(getattr, cluster, "_ready", workers=[one], pure=False).result()
            )

        with pytest.raises(EOFError):  # it is ready, and there is no job
            client.submit(cluster._do, good, b"", workers=[one], pure=False).result()
        assert ready_for() == good.token
        refused = replace(here, **other)
        with pytest.raises(StudyBookError, match=said):
            client.submit(cluster._do, refused, b"", workers=[one], pure=False).result()
        assert ready_for() == ""
