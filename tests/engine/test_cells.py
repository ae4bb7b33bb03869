"""Notebooks in processes of ours: their outputs are a kernel's, each is on its own and ends."""

from __future__ import annotations

import copy
import json
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import papermill
import pytest

from studybook.engine.bounds import Bounds
from studybook.engine.execute import Outcome, Task, run_all, run_alone
from studybook.errors import StudyBookError
from studybook.study import provenance
from studybook.study.provenance import NOTES_VARIABLE
from tests.conftest import REPOSITORY
from tests.support.processes import is_there, wait_until

#: What a notebook can see of where it runs.
LOOK = """
import json, os, random, sys
from pathlib import Path
libraries = sorted({"altair", "pandas", "scipy"} & set(sys.modules))
own = sorted(name for name in sys.modules if name.startswith("studybook"))
import numpy
Path(%r).write_text(json.dumps({
    "alike": {
        "path": sys.path[0], "arguments": sys.argv[1:], "folder": os.getcwd(), "own": own,
        "main": __name__, "session": os.getsid(0) == os.getpid(),
    },
    "libraries": libraries, "drawn": [random.random(), numpy.random.random()],
    "process": os.getpid(),
}))
"""

#: Cells that leave each kind of output, in each way that there is.
PROBES = (
    "1 + 1",
    "2;",
    "print('one'); print('two', end=''); 3",
    "import sys; print('out'); print('err', file=sys.stderr); print('out again')",
    "from IPython.display import display, clear_output, HTML, update_display",
    "display({'a': 1}); HTML('<b>bold</b>')",
    "shown = display(HTML('before'), display_id='name'); print('between')",
    "update_display(HTML('after'), display_id='name')",
    "print('gone'); clear_output(); print('stays')",
    "print('gone'); clear_output(wait=True); print('stays')",
    "print('stays'); clear_output(wait=True)",
    "!echo from a program",
    "%env PAGER",
    "%%bash\necho from a script; echo complaint >&2",
    "await __import__('asyncio').sleep(0); 'awaited'",
    "class A:\n    def __repr__(self): return 'a'\n    def _repr_html_(self): return '<i>'\nA()",
    "class B:\n    def __repr__(self): return 'b'\n    def _repr_html_(self): return 1 / 0\nB()",
    "_, __name__, __builtins__.__name__",
    "import warnings; warnings.warn('mind this', stacklevel=1)",
    "get_ipython().execution_count",
    "import pandas; wide = pandas.DataFrame({f'column {n}': [n] for n in range(30)}); wide",
    "print(wide); type(get_ipython()).__name__, pandas.get_option('display.max_columns')",
    "def fails(): return 1 / 0\nfails()",
    "1 +",
    "raise KeyError('gone')",
    "print('never reached'); raise SystemExit(3)",
    "'never run'",
)

#: Cells that fail, and after which a notebook goes on.
MAY_FAIL = (16, 22, 23, 24)


def notebook(folder: Path, name: str, *cells: str) -> Path:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
    for number in MAY_FAIL if cells == PROBES else ():
        made.cells[number].metadata.tags = ["raises-exception"]
    nbformat.write(made, folder / f"{name}.ipynb")
    return folder / f"{name}.ipynb"


def task(folder: Path, name: str, *cells: str) -> Task:
    source = notebook(folder, name, *cells)
    return Task(name, source, folder / "out" / source.name, {}, folder)


def outputs(path: Path) -> list[list[dict[str, Any]]]:
    """The outputs of cells; but for the colours of errors, and where a cell's text is kept."""
    text = re.sub(
        r"(/\S*?ipykernel_\d+/)?\b\d+\.py|<ipython-input-[\w-]+>", "CELL", path.read_text()
    )
    cells = [each for each in json.loads(text)["cells"] if each["cell_type"] == "code"]
    return [
        [
            {key: said for key, said in each.items() if key != "traceback"}
            for each in cell["outputs"]
        ]
        for cell in cells
    ]


def test_a_process_that_dies_beside_a_worker_fails_its_notebook_alone(tmp_path: Path) -> None:
    killer = task(tmp_path, "killer", "import os; os.kill(os.getppid(), 9)")
    outcome = run_alone(killer, Bounds(), tmp_path / "job")
    assert (outcome.state, outcome.message) == ("failed", "its process ended with code -9")
    assert "os.getppid" in (tmp_path / "job/output.ipynb").read_text()


def test_what_a_process_that_dies_has_half_written_is_not_read(tmp_path: Path) -> None:
    half = f"import os, pathlib; own = pathlib.Path(os.environ[{NOTES_VARIABLE!r}])"
    half += "; own.with_name('output.ipynb').write_text('{'); os.kill(os.getpid(), 9)"
    killed = task(tmp_path, "killed", half)
    (outcome,) = run_all([killed], 1, lambda _: None)
    assert outcome.state == "failed"
    assert outcome.message.startswith("its process died")
    assert "os.getpid" in killed.output.read_text()


def test_notes_are_there_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process may be killed while it notes something."""
    notes = tmp_path / "notes.json"
    monkeypatch.setenv(NOTES_VARIABLE, str(notes))
    # Other tests of this process have noted something, too.
    nothing = copy.deepcopy(provenance._notes) | {"published": {}}
    monkeypatch.setattr(provenance, "_notes", nothing)
    provenance.note_definition("one", "1")
    with notes.open() as before:
        provenance.note_definition("other", "2")
        assert json.load(before)["published"] == {"one": "1"}
    assert json.loads(notes.read_text())["published"] == {"one": "1", "other": "2"}


def test_cells_leave_what_they_leave_in_a_kernel(tmp_path: Path) -> None:
    mine = task(tmp_path, "probes", *PROBES)
    (outcome,) = run_all([mine], 1, lambda _: None)
    theirs = tmp_path / "kernel.ipynb"
    with pytest.raises(papermill.PapermillExecutionError):
        papermill.execute_notebook(mine.source, theirs, kernel_name="python3", progress_bar=False)
    assert (outcome.state, outcome.message) == ("failed", "SystemExit: 3")
    found, wanted = outputs(mine.output), outputs(theirs)
    for source, ours, kernels in zip(PROBES, found, wanted, strict=True):
        assert ours == kernels, source


def looked(folder: Path, names: str, workers: int) -> list[dict[str, Any]]:
    folder.mkdir()
    files = {name: folder / f"{name}.json" for name in names}
    tasks = [task(folder, name, LOOK % str(file)) for name, file in files.items()]
    outcomes = run_all(tasks, workers, lambda _: None)
    assert [outcome.message for outcome in outcomes] == [""] * len(names)
    return [json.loads(file.read_text()) for file in files.values()]


def test_each_is_on_its_own_but_for_the_libraries_that_are_there(tmp_path: Path) -> None:
    forked = looked(tmp_path / "forked", "abc", 1)
    (alone,) = looked(tmp_path / "alone", "a", 1)
    for each in (*forked, alone):
        assert each["alike"] == alone["alike"]
        assert each["libraries"] == ["altair", "pandas", "scipy"]
    assert alone["alike"]["own"] == []
    assert len({each["process"] for each in forked}) == 3
    for drawn in zip(*(each["drawn"] for each in forked), strict=True):
        assert len(set(drawn)) == 3


def test_what_the_command_has_imported_of_the_book_counts_for_no_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("of_book")
    module.__file__ = str(tmp_path / "of_book.py")
    monkeypatch.setitem(sys.modules, "of_book", module)
    mine = task(tmp_path, "looking", "import sys; 'of_book' in sys.modules")
    run_all([mine], 1, lambda _: None)
    ((shown,),) = outputs(mine.output)
    assert shown["data"] == {"text/plain": ["False"]}


def test_what_ends_too_early_is_said_and_the_others_run(tmp_path: Path) -> None:
    tasks = [task(tmp_path, "bad", "import os; os._exit(1)")]
    tasks += [task(tmp_path, name, "1 + 1") for name in ("one", "two")]
    outcomes: list[Outcome] = run_all(tasks, 1, lambda _: None)
    assert [outcome.state for outcome in outcomes] == ["failed", "ok", "ok"]
    assert "died" in outcomes[0].message


#: What a notebook does too much of, and how that ends.
TOO_MUCH = {
    "print": ("while True: print('x' * 1000)", "TooMuchOutput: the notebook shows more than 1 MiB"),
    "show": ("'x' * 2_000_000", "TooMuchOutput: the notebook shows more than 1 MiB"),
    "program": ("!yes | head -c 2000000", "TooMuchOutput: the notebook shows more than 1 MiB"),
    "memory": ("kept = bytearray(4 * 2**30)", "MemoryError: "),
}
#: Of one that is held to the time only: on a busy machine the others may take a second, too.
TOO_LONG = {"time": ("while True: pass", "TimeoutError: the cell ran for more than 1 s")}


@pytest.mark.parametrize(
    ("bounds", "too_much"),
    [("output_mib: 1, memory_gib: 2", TOO_MUCH), ("cell_timeout_s: 1", TOO_LONG)],
    ids=["room", "time"],
)
def test_what_a_notebook_does_too_much_of_ends_it(
    bounds: str, too_much: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    (tmp_path / "_config.yml").write_text(f"notebooks: {{{bounds}}}\n")
    tasks = [
        task(tmp_path, name, code, "print('not reached')") for name, (code, _) in too_much.items()
    ]
    for outcome in run_all(tasks, 1, lambda _: None):
        _, said = too_much[outcome.task.id]
        assert (outcome.state, outcome.message.split("\n")[0]) == ("failed", said)
        assert outcome.task.output.stat().st_size < 2**23  # short lines take more room there
        assert outputs(outcome.task.output)[1] == []


def test_what_loads_takes_as_long_as_it_takes(tmp_path: Path) -> None:
    (tmp_path / "_config.yml").write_text("notebooks: {cell_timeout_s: 1}\n")
    mine = replace(task(tmp_path, "mine", "import time; time.sleep(1.2)"), loads=True)
    (outcome,) = run_all([mine], 1, lambda _: None)
    assert outcome.state == "ok", outcome.message


#: Starts a process in a session of its own, waits until that has said its number, and ends.
STARTS = '''
import subprocess, sys, time
from pathlib import Path
said = Path(sys.argv[1])
# It has a child that it does not wait for.
OWN = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(sys.argv[1], "w").write(f"{os.getpid()} {child.pid}.")
time.sleep(600)
"""
subprocess.Popen([sys.executable, "-c", OWN, said], start_new_session=True)
while not (said.exists() and said.read_text().endswith(".")):
    time.sleep(0.01)
'''


def test_what_a_notebook_has_started_ends_with_it(tmp_path: Path) -> None:
    """A session of its own, too, whose parent has ended."""
    (tmp_path / "starts.py").write_text(STARTS)
    files = f"{str(tmp_path / 'starts.py')!r}, {str(tmp_path / 'said')!r}"
    code = f"import subprocess, sys; subprocess.run([sys.executable, {files}], check=True)"
    (outcome,) = run_all([task(tmp_path, "starting", code)], 1, lambda _: None)
    assert outcome.state == "ok", outcome.message
    started = (tmp_path / "said").read_text().strip(".").split()
    assert not any(is_there(int(each)) for each in started)


@pytest.mark.parametrize(
    ("said", "key"),
    [("{output_mib: 0}", "output_mib"), ("{cell_timeout: 5}", "cell_timeout"), ("5", "notebooks")],
)
def test_bounds_that_are_none_are_named(said: str, key: str, tmp_path: Path) -> None:
    (tmp_path / "_config.yml").write_text(f"title: A\nnotebooks: {said}\n")
    with pytest.raises(StudyBookError, match=rf"_config.yml, line 2: .*{key}"):
        run_all([task(tmp_path, "a", "1")], 1, lambda _: None)


def test_nobody_is_asked(tmp_path: Path) -> None:
    (outcome,) = run_all([task(tmp_path, "asking", "input('name?')")], 1, lambda _: None)
    assert (outcome.state, outcome.message.split(":")[0]) == ("failed", "EOFError")


RUN = """
import sys
from itertools import chain
from pathlib import Path
from studybook.engine import execute
if __name__ == "__main__":
    source = Path(sys.argv[1])
    task = execute.Task("a", source, source.with_name("out.ipynb"), {}, source.parent)
    execute.run_all([task], 1, print)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_what_runs_a_notebook_ends_with_who_asked_for_it(tmp_path: Path, number: int) -> None:
    said = tmp_path / "said"
    code = (
        f"import os, time; from pathlib import Path\n"
        f"Path({str(said)!r}).write_text(f'{{os.getpid()}} {{os.getppid()}}.')\n"
        "while True: time.sleep(60)"
    )
    (tmp_path / "run.py").write_text(RUN)
    asking = subprocess.Popen(
        [sys.executable, tmp_path / "run.py", notebook(tmp_path, "a", code)],
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
