"""Bringing a data set up to date: database first, then the figures that are stale."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studybook.dataset.inventory import Inventory
from studybook.dataset.paths import DataSet
from studybook.engine.derive import derive
from studybook.engine.execute import Outcome, Task, run_all
from studybook.engine.notebooks import Notebook, declared_parameters, load_notebook
from studybook.engine.outputs import Record, keep
from studybook.engine.stale import figure_reasons, load_reasons
from studybook.errors import StudyBookError

Done = Callable[[Outcome], None]


def update_database(
    data_set: DataSet, inventory: Inventory, *, force: bool = False, done: Done = lambda _: None
) -> list[str]:
    """Run the load notebooks if the raw files, or their readers, have changed.

    All sources that the data set has are loaded into a new database beside the old one, which is
    replaced at the end; the loading reports with it.

    Returns
    -------
    list of str
        Why it was loaded; empty if the database was up to date.

    Raises
    ------
    StudyBookError
        Naming every file that cannot be loaded. The last good database is then in place.
    """
    reasons = ["asked for"] if force else load_reasons(data_set, inventory)
    if not reasons:
        derive(data_set.database)
        return []
    data_set.build.mkdir(parents=True, exist_ok=True)
    for left in data_set.build.glob("loading-*"):  # of a load that was killed
        shutil.rmtree(left, ignore_errors=True)
    staging = Path(tempfile.mkdtemp(prefix="loading-", dir=data_set.build))
    try:
        tasks = [
            Task(
                f"load/{source}",
                load_notebook(data_set.root, source).path,
                staging / "load" / f"{source}.ipynb",
                {"data_set": data_set.name, "database": str(staging / data_set.database.name)},
                data_set.root,
                passing=frozenset({"database"}),  # it is put in its place at the end
            )
            for source in inventory.sources()
        ]
        # Side by side, though the database has one writer: the others wait for it.
        outcomes = run_all(tasks, os.cpu_count() or 1, done)
        faults = [
            outcome.message.removeprefix("StudyBookError: ")
            for outcome in outcomes
            if outcome.state != "ok"
        ]
        if faults:
            # A fault of the data set is found by every source: named once.
            raise StudyBookError(
                "\n".join(dict.fromkeys(faults))
                + (
                    f"\n  → the database is as it was before: {data_set.database}"
                    if data_set.database.exists()
                    else "\n  → nothing was loaded"
                )
            )
        (staging / data_set.database.name).replace(data_set.database)
        shutil.rmtree(data_set.load_reports, ignore_errors=True)
        (staging / "load").replace(data_set.load_reports)
        derive(data_set.database)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return reasons


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
    plans = []
    for notebook in notebooks:
        notebook.check_parameters(overrides or {})
        parameters = {"data_set": data_set.name, **declared.get(notebook.id, {})}
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
            {
                name: value
                for name, value in plan.parameters.items()
                if plan.notebook.defaults.get(name) != value
            },
            data_set.root,
        )
        for plan in stale.values()
    ]
    records: dict[str, Record] = {}

    def kept(outcome: Outcome) -> None:
        notebook = stale[outcome.task.id].notebook
        records[notebook.id] = keep(data_set, notebook, outcome)
        done(outcome)

    run_all(tasks, workers or os.cpu_count() or 1, kept)
    return [records[plan.notebook.id] for plan in stale.values()]
