"""Running notebooks with Papermill, each in a process of its own.

Papermill is not safe in threads (it changes the working folder of the process), so notebooks
run in processes; each writes its output, and what it noted of its inputs, into files. A process
that runs a notebook is a fork of a worker, and where it is safe the worker is one of the command,
which has imported what notebooks need: to do so takes longer than most of them work.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import pickle
import resource
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module, reload
from pathlib import Path
from pkgutil import iter_modules
from tempfile import TemporaryDirectory
from typing import Any, Literal

from studybook.code import LIBRARY
from studybook.dataset.paths import HOME_VARIABLE
from studybook.engine.bounds import Bounds, bounds_of
from studybook.engine.normalise import normalise
from studybook.engine.notebooks import read_headed
from studybook.errors import StudyBookError
from studybook.process import cluster
from studybook.process.pool import none_left_running, processes
from studybook.process.scratch import scratch
from studybook.study.provenance import NOTES_VARIABLE, forget_modules

State = Literal["ok", "failed", "needs data"]

#: So many columns of a frame pandas shows where it is imported in a notebook.
_COLUMNS = 20

#: Modules that every notebook imports, and that take long; those of figures, and of loading.
LIBRARIES = (
    "duckdb", "IPython.core.interactiveshell", "pandas", "papermill", "pyarrow.compute", "pydantic",
)  # fmt: skip
DRAWING = ("altair", "scipy.special")
LOADING = (
    "studybook.records.load", "studybook.table",
    # Each loading report asks which formats there are.
    *(f"studybook.formats.{info.name}" for info in iter_modules([str(LIBRARY / "formats")])),
)  # fmt: skip


#: Files in the folder of a notebook that a worker of a cluster runs.
_GIVEN, _TOLD, _OUTPUT = "given.pickle", "outcome.pickle", "output.ipynb"


@dataclass(frozen=True)
class Task:
    """One notebook to run: from where, to where, with which parameters and heading.

    Parameters that are passing hold for this run only (a file that is moved afterwards): the
    executed notebook does not keep them. One that loads takes as long as its data take: its cells
    have no bound, and nobody asks which modules it has used.
    """

    id: str
    source: Path
    output: Path
    parameters: dict[str, Any]
    root: Path
    passing: frozenset[str] = frozenset()
    heading: str = ""
    loads: bool = False


@dataclass(frozen=True)
class Outcome:
    """The outcome of a task; ``message`` says what went wrong, ``notes`` what was used."""

    task: Task
    state: State
    message: str
    notes: dict[str, Any] = field(default_factory=dict)


def run(task: Task, bounds: Bounds, folder: str) -> Outcome:
    """Run one notebook and leave it, normalised, at the task's output.

    A notebook that fails is left there too, with its error in place: the book shows it. Processes
    that it has started end with it.

    Parameters
    ----------
    task : Task
        Which.
    bounds : Bounds
        What it may use.
    folder : str
        For its notes.
    """
    import nbformat  # takes a while, and most commands read no notebook

    task.output.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder) as own:
        notes, output = Path(own, "notes.json"), Path(own, "output.ipynb")
        with none_left_running(), processes(1, "fork") as alone:
            try:
                state, message = alone.submit(_papermill, task, bounds, output, notes).result()
            except BrokenProcessPool:
                state, message = "failed", "its process died, perhaps for want of memory"
                output.unlink(missing_ok=True)  # it may be half written
        noted = json.loads(notes.read_text(encoding="utf-8")) if notes.exists() else {}
        if output.exists():
            notebook = nbformat.read(output, as_version=4)
        else:
            notebook = read_headed(task.source, task.heading)
        _keep(notebook, task)
    return Outcome(task, state, message, noted)


def _keep(notebook: Any, task: Task) -> None:
    """Leave a notebook, normalised, at the output of its task."""
    import nbformat

    kept = {name: v for name, v in task.parameters.items() if name not in task.passing}
    normalise(notebook, kept)
    temporary = task.output.with_suffix(".tmp")
    try:
        nbformat.write(notebook, temporary)
    except OSError as error:  # which does not say of which file
        raise OSError(error.errno, error.strerror, str(task.output)) from error
    temporary.replace(task.output)


def _papermill(task: Task, bounds: Bounds, output: Path, notes: Path) -> tuple[State, str]:
    """Run a notebook in this process, which runs nothing else."""
    import papermill as pm
    from papermill.engines import papermill_engines

    from studybook.engine.cells import Cells

    papermill_engines.register(Cells.__name__, Cells)
    _become_new(task, notes)
    if task.loads:
        bounds = bounds.model_copy(update={"cell_timeout_s": 0})
    # What it holds of its own; libraries take addresses of which they never use most.
    most = int(bounds.memory_gib * 2**30)
    resource.setrlimit(resource.RLIMIT_DATA, (most, resource.RLIM_INFINITY))
    try:
        pm.execute_notebook(
            read_headed(task.source, task.heading) if task.heading else str(task.source),
            str(output),
            parameters=task.parameters,
            engine_name=Cells.__name__,
            # Of all notebooks, whatever they say: one that was written by hand may say nothing.
            kernel_name="python3",
            language="python",
            progress_bar=False,
            log_output=False,
            # Each save writes all of it.
            request_save_on_cell_execute=False,
            bounds=bounds,
        )
    except pm.PapermillExecutionError as error:
        if error.ename == "NeedsData":
            return "needs data", str(error.evalue)
        return "failed", f"{error.ename}: {error.evalue}"
    except Exception as error:
        # The boundary of a process: whatever goes wrong here is the outcome of this notebook,
        # and must not keep the others from running.
        return "failed", f"{type(error).__name__}: {error}"
    return "ok", ""


def _become_new(task: Task, notes: Path) -> None:
    """Be as a process that was started for the notebook, but for the libraries that are there."""
    os.environ[HOME_VARIABLE] = str(task.root)
    os.environ[NOTES_VARIABLE] = str(notes)
    sys.argv[1:] = []
    sys.path[:] = ["", *(each for each in sys.path if each)]
    # A figure's record names the modules of the library and of the book that its notebook used; the
    # command that asked for it, its main program among them, has used others.
    if not task.loads:
        sys.modules.pop("__mp_main__", None)  # as multiprocessing calls it in a new process
        forget_modules(task.root)
    be_new()


def be_new() -> None:
    """Have this process, a fork, print nowhere, and libraries be as a notebook imports them."""
    with Path(os.devnull).open("r+b") as nothing:  # Papermill's remarks are no output of ours
        for number in (0, 1, 2):
            os.dup2(nothing.fileno(), number)
    reload(warnings)  # whoever asked for it may collect them
    if "pandas" in sys.modules:  # it was imported where it found no notebook
        sys.modules["pandas"].set_option("display.max_columns", _COLUMNS)
    # All forks would draw the same numbers; Python's own generator sees to that itself.
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()


def _import_libraries(names: Iterable[str]) -> None:
    import nbformat

    for name in names:
        import_module(name)
    nbformat.validate(nbformat.v4.new_notebook())  # and what checks notebooks is compiled
    gc.freeze()  # what is there now is not collected: forks go on sharing its memory
    atexit.register(gc.unfreeze)


def _ready_to_load() -> None:
    """Have here what each loading report asks for: its process is a fork of this one."""
    from studybook.records.models import models_of

    models_of()
    _import_libraries(LIBRARIES + LOADING)


def run_all(
    tasks: Iterable[Task],
    workers: int,
    done: Callable[[Outcome], None],
    first: Task | None = None,
    aside: Path | None = None,
) -> list[Outcome]:
    """Run notebooks side by side, in as many processes as there are workers.

    Parameters
    ----------
    tasks : iterable of Task
        What to run, in any order: figures do not depend on each other.
    workers : int
        Number of processes.
    done : callable
        Called with each outcome as it comes in.
    first : Task, optional
        One that the others wait for; where it does not come out well, they are not run. Those that
        wait for one report what it has loaded, and draw nothing.
    aside : pathlib.Path, optional
        A folder in which workers of a Dask cluster may write: where a scheduler is named whose
        workers see the book, they run the notebooks.

    Returns
    -------
    list of Outcome
        In the order of the tasks, behind that of the first.
    """
    waiting = list(tasks)
    if not waiting and first is None:
        return []
    bounds = bounds_of((first or waiting[0]).root)
    if aside and cluster.sees_books():
        return _run_on_cluster(waiting, bounds, done, aside)
    most = max(1, min(workers, len(waiting)))
    warm = _ready_to_load if first else partial(_import_libraries, LIBRARIES + DRAWING)
    with scratch() as notes, processes(most, first=warm) as pool:

        def ended(future: Future[Outcome]) -> Outcome:
            try:
                outcome = future.result()
            except BrokenProcessPool as error:
                raise StudyBookError(
                    "a process that ran notebooks was killed, perhaps for want of memory\n"
                    "  → try again with --workers 1"
                ) from error
            done(outcome)
            return outcome

        before = [] if first is None else [ended(pool.submit(run, first, bounds, str(notes)))]
        if any(outcome.state != "ok" for outcome in before):
            return before
        futures = [pool.submit(run, task, bounds, str(notes)) for task in waiting]
        outcomes = {future: ended(future) for future in as_completed(futures)}
    return before + [outcomes[future] for future in futures]


def _run_on_cluster(
    tasks: Sequence[Task], bounds: Bounds, done: Callable[[Outcome], None], aside: Path
) -> list[Outcome]:
    """Run notebooks on the workers of a cluster; what each has made is put into its place here."""
    outcomes: dict[str, Outcome] = {}
    named = {task.id: task for task in tasks}
    jobs = [(task.id, (task, bounds)) for task in tasks]
    with scratch(aside) as folder:
        for name, made, outcome in cluster.on_cluster("ran notebooks", run_alone, jobs, folder):
            task = named[name]
            task.output.parent.mkdir(parents=True, exist_ok=True)
            (made / _OUTPUT).replace(task.output)
            outcomes[name] = replace(outcome, task=task)
            done(outcomes[name])
    return [outcomes[task.id] for task in tasks]


def run_alone(task: Task, bounds: Bounds, folder: Path) -> Outcome:
    """Run one notebook as :func:`run` does, into a folder, in a process that imports all anew.

    Workers of a cluster are processes that Python lets start no others by a fork. This one ends
    with its worker.
    """
    folder.mkdir(parents=True)
    task = replace(task, output=folder / _OUTPUT)
    (folder / _GIVEN).write_bytes(pickle.dumps((task, bounds)))
    command = [sys.executable, "-c", f"from {__name__} import _alone; _alone()", str(folder)]
    said = folder / "said.txt"
    with (
        said.open("wb") as errors,
        subprocess.Popen(command, stdin=subprocess.PIPE, stderr=errors) as process,  # noqa: S603
    ):
        code = process.wait()
    if code:  # it fails alone, as where its process is one of this machine
        last = (said.read_text(errors="replace").splitlines() or [""])[-1]
        _keep(read_headed(task.source, task.heading), task)
        return Outcome(task, "failed", f"its process ended with code {code}: {last}".rstrip(": "))
    outcome: Outcome = pickle.loads((folder / _TOLD).read_bytes())  # noqa: S301 - written above
    return outcome


def _alone() -> None:
    """Be the process of :func:`run_alone`."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    folder = Path(sys.argv[1])
    _import_libraries(LIBRARIES + DRAWING)
    task, bounds = pickle.loads((folder / _GIVEN).read_bytes())  # noqa: S301 - of who started this
    (folder / _TOLD).write_bytes(pickle.dumps(run(task, bounds, str(folder))))


def _end_with_input() -> None:
    """End when who started this process has ended: nobody else holds the other end."""
    os.read(0, 1)
    os._exit(1)
