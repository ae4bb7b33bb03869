"""Stopping: what works for a command ends with it, at once, and nothing half done stays."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Literal, Self

import psutil
import pytest

from studybook.process.pool import processes
from studybook.process.stop import Stop
from tests.conftest import REPOSITORY
from tests.support.processes import family, is_there, started, wait_until
from tests.support.project import Project, small_project

#: Moments of a load, by what is there then.
MOMENTS = {
    "its processes start": lambda build: any(build.glob("loading-*")),
    "it writes": lambda build: any(build.glob("loading-*/*.tmp")),
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return small_project(tmp_path)


@pytest.mark.parametrize("there", MOMENTS.values(), ids=MOMENTS)
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "kill"]
)
def test_a_load_that_is_stopped_leaves_nothing(
    project: Project, there: Callable[[Path], bool], number: int, code: int
) -> None:
    with started("-m", "studybook", "load", cwd=project.root) as process:
        wait_until(lambda: there(project.build), process, every=0.002)
        children = family(process)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (code, "", "studybook: stopped\n")
    wait_until(lambda: not any(is_there(each) for each in children))
    assert {path.name for path in project.build.iterdir()} <= {"lock", "records", "models"}


class Finalised:
    """Garbage that says in which process it was collected; only a collector finds it."""

    said: ClassVar[Path]

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        self.said.write_text(str(os.getpid()), encoding="utf-8")


def test_a_fork_leaves_the_garbage_of_its_parent_alone(tmp_path: Path) -> None:
    """A connection to a database there has threads that a fork has not: it would crash."""
    Finalised.said = tmp_path / "said"
    gc.collect()
    gc.disable()
    try:
        Finalised()
        with processes(1, "fork") as pool:
            pool.submit(gc.collect).result()
            assert pool.submit(gc.isenabled).result()
        assert not Finalised.said.exists()
        assert not gc.isenabled()  # as it was
    finally:
        gc.enable()
    with processes(1, "fork"):
        assert gc.isenabled()
    gc.collect()
    assert Finalised.said.read_text(encoding="utf-8") == str(os.getpid())


def test_a_signal_that_python_ignores_comes_again() -> None:
    """What is raised while an object goes is ignored, and with it was the request to stop."""
    code = (
        "import os, signal, time, weakref\nfrom studybook.__main__ import stoppable\n"
        "class Kept: pass\nkept = Kept()\n"
        "gone = weakref.ref(kept, lambda _: os.kill(os.getpid(), signal.SIGINT))\n"
        "with stoppable():\n    del kept\n    time.sleep(60)\n"
    )
    with started("-c", code, cwd=REPOSITORY) as process:
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "", "")


def test_what_a_killed_load_has_left_is_gone_after_the_next(project: Project) -> None:
    with started("-m", "studybook", "load", cwd=project.root) as process:
        wait_until(lambda: MOMENTS["it writes"](project.build), process, every=0.002)
        children = family(process)
        process.kill()
        wait_until(lambda: not any(is_there(each) for each in children))
    assert any(project.build.glob("loading-*"))
    project.run("load")
    assert not any(project.build.glob("loading-*"))
    assert (project.build / "study.duckdb").exists()
    (project.build / "loading-1").mkdir()  # killed where all was loaded before
    assert "nothing has changed" in project.run("load").stdout
    assert not any(project.build.glob("loading-*"))


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes_end_with_the_one_that_started_them(method: str) -> None:
    code = (
        "import os, time\nfrom studybook.process.pool import processes\n"
        f"with processes(1, {method!r}) as pool:\n"
        "    print(pool.submit(os.getpid).result(), flush=True)\n    time.sleep(600)\n"
    )
    with started("-c", code, cwd=REPOSITORY) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        assert is_there(child)
        parent.kill()
        wait_until(lambda: not is_there(child))


SHARED = Path("/dev/shm")  # noqa: S108


def named_in_shared_memory() -> list[str]:
    return re.findall(f"{SHARED}/.*", Path("/proc/self/maps").read_text())


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no /proc to tell")
@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_nothing_has_a_name_that_would_outlive_all_processes(
    method: Literal["spawn", "fork"],
) -> None:
    """Whoever is to remove it may be killed with the others."""
    with processes(1, method) as pool:
        theirs = pool.submit(named_in_shared_memory).result()
        kept = {*SHARED.iterdir()}
        ours = [each for each in named_in_shared_memory() if Path(each) in kept]
    assert ours == []
    assert [each for each in theirs if Path(each) in kept] == []


def test_all_jobs_are_done_by_processes_that_share_a_queue() -> None:
    with processes(2) as pool:
        assert list(pool.map(abs, range(-500, 0))) == list(range(500, 0, -1))


def start_another() -> int:
    return subprocess.Popen(["sleep", "600"]).pid


def test_nothing_goes_on_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), processes(2) as pool:  # noqa: PT012
        grandchild = pool.submit(start_another).result()
        for _ in range(8):
            pool.submit(time.sleep, 600)
        waiting = pool.submit((tmp_path / "done").touch)
        assert is_there(grandchild)
        1 / 0  # noqa: B018
    assert not is_there(grandchild)
    assert waiting.exception()
    assert not (tmp_path / "done").exists()


def refuse(_: bytes) -> None:
    raise ValueError


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_work_that_nobody_takes_any_more_is_no_reason_to_wait(
    method: Literal["spawn", "fork"],
) -> None:
    """Of Python 3.11.2, which Debian has: an error while a pipe was full was one without an end."""
    with pytest.raises(ValueError), processes(2, method) as pool:  # noqa: PT011, PT012
        for begun in [pool.submit(refuse, bytes(1_000_000)) for _ in range(8)]:
            begun.result()


def test_a_second_stop_that_comes_before_the_killing_is_no_reason_to_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Late(Stop):
        """The first time, it is too late."""

        begun: ClassVar[list[Stop]] = []

        def __enter__(self) -> Self:
            self.begun.append(self)
            if len(self.begun) == 1:
                raise KeyboardInterrupt
            return super().__enter__()

    with pytest.raises(KeyboardInterrupt), processes(1) as pool:  # noqa: PT012
        asleep = pool.submit(start_another).result()
        pool.submit(time.sleep, 600)
        monkeypatch.setattr("studybook.process.pool.Stop", Late)
        raise KeyboardInterrupt
    assert not is_there(asleep)


def start_one_after_the_other(place: str) -> None:
    """Start processes of threads, too, and never come to an end."""

    def start() -> None:
        while True:
            subprocess.Popen(["sleep", "600"], cwd=place, start_new_session=True)
            time.sleep(0.01)

    with ThreadPoolExecutor(2) as threads:
        threads.submit(start)
        threads.submit(start)


def working_in(folder: Path) -> list[int]:
    """Processes that are alive and work in a folder."""
    found = []
    for each in psutil.process_iter():
        with suppress(psutil.Error):
            if each.cwd() == str(folder) and is_there(each.pid):
                found.append(each.pid)
    return found


def test_nothing_is_left_of_what_is_just_being_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that goes on starting others is not asked for them and killed after that."""
    look = psutil.Process.children

    def look_for_long(process: psutil.Process, recursive: bool = False) -> list[psutil.Process]:
        found = look(process, recursive)
        there = set(working_in(tmp_path))
        wait_until(
            lambda: set(working_in(tmp_path)) - there or process.status() == psutil.STATUS_STOPPED
        )
        return found

    monkeypatch.setattr(psutil.Process, "children", look_for_long)
    try:
        with suppress(ZeroDivisionError), processes(2) as pool:
            for _ in range(2):
                pool.submit(start_one_after_the_other, str(tmp_path))
            wait_until(lambda: len(working_in(tmp_path)) > 4)
            1 / 0  # noqa: B018
        assert working_in(tmp_path) == []
    finally:
        for each in working_in(tmp_path):
            os.kill(each, signal.SIGKILL)


STOPPED = """
import signal, sys, time
from studybook.__main__ import stoppable
from studybook.process.pool import processes

if __name__ == "__main__":
    # Whatever runs the tests may have it ignored, as a shell does in the background.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with stoppable():
        print("ready", flush=True)
        with processes(2, sys.argv[1]) as pool:
            for _ in range(8):
                pool.submit(time.sleep, 600)
            time.sleep(600)
"""


@pytest.mark.parametrize("method", ["spawn", "fork"])
@pytest.mark.parametrize("after_s", [0.0, 0.01, 0.03, 0.1, 0.3])
@pytest.mark.parametrize("again_s", [None, 0.005, 0.02])
def test_it_can_be_stopped_at_any_moment(
    tmp_path: Path, method: str, after_s: float, again_s: float | None
) -> None:
    """While processes start, while they work; and once more while they are being ended."""
    script = tmp_path / "stopped.py"
    script.write_text(STOPPED)
    with started(str(script), method, cwd=REPOSITORY) as process:
        assert process.stdout
        process.stdout.readline()
        time.sleep(after_s)
        os.killpg(process.pid, signal.SIGINT)
        if again_s is not None:
            time.sleep(again_s)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate()
    # The second one may come when Python itself has begun to end.
    assert process.returncode in ((130,) if again_s is None else (130, -signal.SIGINT)), err
    assert again_s is not None or "Traceback" not in err, err
    left = [each for each in psutil.process_iter(["cmdline"]) if str(script) in str(each.info)]
    assert not any(is_there(each.pid) for each in left)


def end_politely() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_a_process_can_be_asked_to_end(method: Literal["spawn", "fork"]) -> None:
    with pytest.raises(BrokenProcessPool), processes(1, method) as pool:
        pool.submit(end_politely).result()


def test_other_threads_may_have_processes() -> None:
    def work() -> int:
        with processes(1) as pool:
            return pool.submit(os.getpid).result()

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(work).result() != os.getpid()
