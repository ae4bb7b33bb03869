"""Running notebooks with Papermill, each in a process of its own.

Papermill is not safe in threads (it changes the working folder of the process), so notebooks
run in processes; each writes its output, and what it noted of its inputs, into files.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal

import nbformat

from studybook.dataset.paths import HOME_VARIABLE
from studybook.engine.normalise import normalise
from studybook.engine.notebooks import read_headed
from studybook.errors import StudyBookError
from studybook.process.pool import processes
from studybook.process.scratch import scratch
from studybook.study.provenance import NOTES_VARIABLE

State = Literal["ok", "failed", "needs data"]

#: Seconds after which a cell counts as hanging.
CELL_TIMEOUT_S = 600


@dataclass(frozen=True)
class Task:
    """One notebook to run: from where, to where, with which parameters and heading.

    Parameters that are passing hold for this run only (a file that is moved afterwards): the
    executed notebook does not keep them.
    """

    id: str
    source: Path
    output: Path
    parameters: dict[str, Any]
    root: Path
    passing: frozenset[str] = frozenset()
    heading: str = ""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a task; ``message`` says what went wrong, ``notes`` what was used."""

    task: Task
    state: State
    message: str
    notes: dict[str, Any] = field(default_factory=dict)


def run(task: Task, folder: str) -> Outcome:
    """Run one notebook and leave it, normalised, at the task's output.

    A notebook that fails is left there too, with its error in place: the book shows it.

    Parameters
    ----------
    task : Task
        Which.
    folder : str
        For its sockets and notes.
    """
    task.output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as own:
        notes, output = Path(own, "notes.json"), Path(own, "output.ipynb")
        # The kernel inherits these. The process is a worker of ours: each task sets them anew.
        os.environ[HOME_VARIABLE] = str(task.root)
        os.environ[NOTES_VARIABLE] = str(notes)
        os.environ["JUPYTER_RUNTIME_DIR"] = own
        with _quiet():
            state, message = _papermill(task, output)
        noted = json.loads(notes.read_text(encoding="utf-8")) if notes.exists() else {}
        if output.exists():
            notebook = nbformat.read(output, as_version=4)
        else:
            notebook = read_headed(task.source, task.heading)
        kept = {name: v for name, v in task.parameters.items() if name not in task.passing}
        normalise(notebook, kept)
        temporary = task.output.with_suffix(".tmp")
        nbformat.write(notebook, temporary)
        temporary.replace(task.output)
    return Outcome(task, state, message, noted)


def _papermill(task: Task, output: Path) -> tuple[State, str]:
    # Only the processes that run notebooks need them, and they take long to import.
    import papermill as pm

    from studybook.engine.kernel import LocalKernelManager

    try:
        pm.execute_notebook(
            read_headed(task.source, task.heading) if task.heading else str(task.source),
            str(output),
            parameters=task.parameters,
            kernel_name="python3",
            progress_bar=False,
            log_output=False,
            execution_timeout=CELL_TIMEOUT_S,
            kernel_manager_class=LocalKernelManager,
            # Asked to end, a kernel takes half a second, and all that it had to say is here.
            shutdown_kernel="immediate",
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


def _with_warm_kernels() -> None:
    """Have the kernels of this process forked: see :mod:`studybook.engine.kernel`."""
    name = "studybook-warm"
    # An installation from before there was one does without.
    if entry_points(group="jupyter_client.kernel_provisioners", name=name):
        os.environ["JUPYTER_DEFAULT_PROVISIONER_NAME"] = name


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the kernel's own start-up remarks off the terminal; errors come back as results."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 2)
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def run_all(
    tasks: Iterable[Task],
    workers: int,
    done: Callable[[Outcome], None],
    first: Task | None = None,
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
        One that the others wait for; where it does not come out well, they are not run.

    Returns
    -------
    list of Outcome
        In the order of the tasks, behind that of the first.
    """
    waiting = list(tasks)
    if not waiting and first is None:
        return []
    # Spawned, not forked: a forked process would share the sockets of running kernels.
    most = max(1, min(workers, len(waiting)))
    # For a notebook or two, importing what any notebook may need would take longer.
    many = len(waiting) + (first is not None) > 2 * most
    warm = _with_warm_kernels if many else None
    # The path of a socket may not be long, as that of other folders for such things is.
    short = Path("/tmp")  # noqa: S108 - the folder in it is this process' own
    with scratch(short) as sockets, processes(most, first=warm) as pool:

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

        before = [] if first is None else [ended(pool.submit(run, first, str(sockets)))]
        if any(outcome.state != "ok" for outcome in before):
            return before
        futures = [pool.submit(run, task, str(sockets)) for task in waiting]
        outcomes = {future: ended(future) for future in as_completed(futures)}
    return before + [outcomes[future] for future in futures]
