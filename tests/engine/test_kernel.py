"""Kernels that are forked: as others are, on their own, and gone with who asked for them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from studybook.engine.execute import Outcome, Task, run_all
from tests.conftest import REPOSITORY
from tests.support.processes import is_there, wait_until

#: What a notebook can see of how it was started.
LOOK = """
import json, os, random, signal, sys, threading
from pathlib import Path
libraries = sorted({"altair", "duckdb", "pandas"} & set(sys.modules))
own = sorted(name for name in sys.modules if name.startswith("studybook"))
import numpy
try:
    asked = input()
except BaseException as error:
    asked = type(error).__name__
os.system("echo from a process")
Path(%r).write_text(json.dumps({
    "alike": {
        "path": sys.path, "arguments": sys.argv[1:2], "folder": os.getcwd(), "own": own,
        "environment": sorted({*os.environ} - {"JUPYTER_DEFAULT_PROVISIONER_NAME"}),
        "flags": str(sys.flags), "asked": asked,
        "signals": [str(signal.getsignal(each)) for each in (2, 15, signal.SIGCHLD)],
        "main": __name__, "session": os.getsid(0) == os.getpid(),
        "input": os.readlink("/proc/self/fd/0").partition(":")[0] in ("pipe", "/dev/null"),
    },
    "libraries": libraries, "drawn": [random.random(), numpy.random.random()],
    "process": os.getpid(), "parent": os.getppid(),
}))
"""


def task(folder: Path, name: str, code: str) -> Task:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    source = folder / f"{name}.ipynb"
    nbformat.write(notebook, source)
    return Task(name, source, folder / "out" / source.name, {}, folder)


def looked(folder: Path, names: str, workers: int) -> list[dict[str, Any]]:
    folder.mkdir()
    files = {name: folder / f"{name}.json" for name in names}
    tasks = [task(folder, name, LOOK % str(file)) for name, file in files.items()]
    outcomes = run_all(tasks, workers, lambda _: None)
    assert [outcome.message for outcome in outcomes] == [""] * len(names)
    return [json.loads(file.read_text()) for file in files.values()]


def test_a_forked_kernel_is_as_any_other_and_on_its_own(tmp_path: Path) -> None:
    forked = looked(tmp_path / "forked", "abc", 1)
    (started,) = looked(tmp_path / "started", "a", 1)
    for each in forked:
        assert each["alike"] == started["alike"]
        assert each["libraries"] == ["altair", "duckdb", "pandas"]
    assert (started["libraries"], started["alike"]["own"]) == ([], [])
    assert len({each["process"] for each in forked}) == 3
    assert len({each["parent"] for each in forked}) == 1
    for drawn in zip(*(each["drawn"] for each in forked), strict=True):
        assert len(set(drawn)) == 3


@pytest.mark.parametrize(
    "code",
    ["import os; os._exit(1)", "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"],
    ids=["the kernel", "what forks"],
)
def test_what_ends_too_early_is_said_and_the_others_run(tmp_path: Path, code: str) -> None:
    waiting = "import time; time.sleep(600)"  # a kernel looks now and then who its parent is
    tasks = [task(tmp_path, "bad", f"{code}\n{waiting}")]
    tasks += [task(tmp_path, name, "1 + 1") for name in ("one", "two")]
    outcomes: list[Outcome] = run_all(tasks, 1, lambda _: None)
    assert [outcome.state for outcome in outcomes] == ["failed", "ok", "ok"]
    assert "died" in outcomes[0].message


RUN = """
import sys
from pathlib import Path
from studybook.engine import execute
if __name__ == "__main__":
    execute._with_warm_kernels()
    source = Path(sys.argv[1])
    execute.run(execute.Task("a", source, source.with_name("out.ipynb"), {}, source.parent), "/tmp")
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_kernel_ends_with_who_asked_for_it(tmp_path: Path, number: int) -> None:
    said = tmp_path / "said"
    code = (
        f"import os, time; from pathlib import Path\n"
        f"Path({str(said)!r}).write_text(f'{{os.getpid()}} {{os.getppid()}}.')\n"
        "while True: time.sleep(60)"
    )
    source = task(tmp_path, "a", code).source
    asking = subprocess.Popen(
        [sys.executable, "-c", RUN, str(source)],
        cwd=REPOSITORY,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: said.exists() and said.read_text().endswith("."), asking)
        started = [int(each) for each in said.read_text().strip(".").split()]
        assert all(is_there(each) for each in started)
        asking.send_signal(number)
        wait_until(lambda: not any(is_there(each) for each in started))
    finally:
        asking.kill()
        asking.wait()
