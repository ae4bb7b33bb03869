"""Bringing a data set up to date: database first, then the figures that are stale."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studybook.dataset.inventory import Inventory
from studybook.dataset.paths import DataSet
from studybook.engine.execute import Outcome, Task, run_all
from studybook.engine.notebooks import ALL, Notebook, declared_parameters, load_notebook
from studybook.engine.outputs import Record, keep
from studybook.engine.stale import KEEP_NOTHING, figure_reasons, load_reasons
from studybook.errors import StudyBookError
from studybook.process.stop import undisturbed
from studybook.records import store
from studybook.records.ledger import refuse_left_out, without_left_out

Done = Callable[[Outcome], None]

#: Loading reports for which to start another process would take longer than to write them.
FEW_REPORTS = 4


def update_database(
    data_set: DataSet,
    inventory: Inventory,
    *,
    force: bool = False,
    strict: bool = False,
    done: Done = lambda _: None,
) -> list[str]:
    """Run the load notebook if the raw files, their readers or the models have changed.

    The sources that have changed are loaded into a copy of the database, which takes its place at
    the end; the loading reports with it. A file that cannot be read is left out.

    Parameters
    ----------
    data_set, inventory
        The data set and its raw files as they are now.
    force : bool
        Whether to load all anew.
    strict : bool
        Whether nothing is loaded where a file cannot be read.
    done : callable, optional
        Called with the outcome of each notebook.

    Returns
    -------
    list of str
        Why it was loaded; empty if the database was up to date.

    Raises
    ------
    StudyBookError
        Naming what cannot be loaded. The last good database is then in place.
    """
    for left in data_set.build.glob("loading-*"):  # of a load that was killed
        shutil.rmtree(left, ignore_errors=True)
    reasons = ["asked for"] if force else load_reasons(data_set, inventory)
    if not reasons:
        if strict:
            _refuse_left_out(data_set, data_set.database)
        return []
    data_set.build.mkdir(parents=True, exist_ok=True)
    # Its name is known before it is there: whenever this is stopped, what is there is removed.
    staging = data_set.build / f"loading-{os.getpid()}"
    database = staging / data_set.database.name
    pipeline = load_notebook(data_set.root)

    def task(source: str, *, anew: bool = False) -> Task:
        wanted: dict[str, Any] = {
            "data_set": data_set.name,
            "source": source,
            "database": str(database),
        }
        wanted |= {"anew": True} if anew else {}
        return Task(
            f"load/{source or ALL}",
            pipeline.path,
            staging / "load" / f"{source or ALL}.ipynb",
            {name: value for name, value in wanted.items() if pipeline.defaults.get(name) != value},
            data_set.root,
            passing=frozenset({"database", "anew"}),  # it is put in its place at the end
            loads=True,
        )

    try:
        staging.mkdir()
        for folder in (data_set.records, data_set.models):
            folder.mkdir(exist_ok=True)
            (staging / folder.name).symlink_to(folder)
        anew = force or not KEEP_NOTHING.isdisjoint(reasons)
        if data_set.database.is_file() and not anew:
            store.copy(data_set.database, database)  # what has not changed is not computed again
        # One reads everything; then come the reports, side by side where they are many.
        reports = [task(source) for source in inventory.sources()]
        workers = (os.cpu_count() or 1) if len(reports) > FEW_REPORTS else 1
        outcomes = run_all(reports, workers, done, first=task("", anew=force))
        faults = [
            outcome.message.removeprefix("StudyBookError: ")
            for outcome in outcomes
            if outcome.state != "ok"
        ]
        if faults:
            said = "\n".join(dict.fromkeys(faults))
            is_told = _NOTHING in said and not data_set.database.exists()
            raise StudyBookError(said if is_told else said + _as_before(data_set))
        if strict:
            _refuse_left_out(data_set, database)
        store.move(database, data_set.database)
        shutil.rmtree(data_set.load_reports, ignore_errors=True)
        (staging / "load").replace(data_set.load_reports)
    finally:
        with undisturbed():  # who asks once more need not wait long
            shutil.rmtree(staging, ignore_errors=True)
    return reasons


def _refuse_left_out(data_set: DataSet, database: Path) -> None:
    """Make a fault of files that were left out."""
    with closing(store.connect(database)) as connection:
        refuse_left_out(connection, data_set, _as_before(data_set))


def _as_before(data_set: DataSet) -> str:
    if data_set.database.exists():
        return f"\n  → the database is as it was before: {data_set.database}"
    return f"\n  → {_NOTHING}"


#: So the notebook that loads says it, too.
_NOTHING = "nothing was loaded"


@dataclass(frozen=True)
class Plan:
    """A figure, the parameters it is to run with, and why it is stale (or nothing)."""

    notebook: Notebook
    parameters: dict[str, Any]
    reasons: list[str]


def plan_figures(
    data_set: DataSet,
    inventory: Inventory,
    notebooks: Sequence[Notebook],
    overrides: Mapping[str, Any] | None = None,
) -> list[Plan]:
    """Say for each figure with which parameters it runs, and why it would.

    Parameters
    ----------
    data_set, inventory
        The data set and its raw files as they are now.
    notebooks : sequence of Notebook
        The figures.
    overrides : mapping, optional
        Parameters for this time only; those that a data set keeps stand in its
        ``parameters.yml``.
    """
    declared = declared_parameters(data_set)
    inventory = without_left_out(inventory, data_set.database)
    plans = []
    for notebook in notebooks:
        notebook.check_parameters({**notebook.given, **(overrides or {})})
        parameters = {"data_set": data_set.name, **notebook.given, **declared.get(notebook.id, {})}
        parameters |= overrides or {}
        reasons = figure_reasons(data_set, notebook, parameters, inventory)
        plans.append(Plan(notebook, parameters, reasons))
    return plans


def update_figures(
    data_set: DataSet,
    plans: Sequence[Plan],
    *,
    force: bool = False,
    workers: int | None = None,
    done: Done = lambda _: None,
) -> list[Record]:
    """Run the figures that are stale, side by side.

    Returns
    -------
    list of Record
        One per figure that ran, whether it came out well or not.
    """
    stale = {plan.notebook.id: plan for plan in plans if plan.reasons or force}
    tasks = [
        Task(
            plan.notebook.id,
            plan.notebook.path,
            data_set.notebooks / f"{plan.notebook.id}.ipynb",
            # What equals the default is not injected: the notebook then reads as committed.
            plan.notebook.injected(plan.parameters),
            data_set.root,
            heading=plan.notebook.heading,
        )
        for plan in stale.values()
    ]
    records: dict[str, Record] = {}

    def kept(outcome: Outcome) -> None:
        notebook = stale[outcome.task.id].notebook
        records[notebook.id] = keep(data_set, notebook, outcome)
        done(outcome)

    run_all(tasks, workers or os.cpu_count() or 1, kept, aside=data_set.build)
    return [records[plan.notebook.id] for plan in stale.values()]
