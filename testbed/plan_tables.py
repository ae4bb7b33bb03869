"""The plan as tables: its runs, their phases, the files of a run, and what they carry."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pandas as pd

from studybook.errors import StudyBookError
from studybook.study import provenance
from studybook.study.origin import NO_RUN
from testbed.ecm import mix
from testbed.exports import exports
from testbed.parameters import FILE
from testbed.plan import FAULTS, PlannedRun, all_runs
from testbed.unfold import unfold


@cache
def planned() -> tuple[PlannedRun, ...]:
    """Return every run of the plan, and note that a notebook shows it."""
    # How many users a load level of FileNet has, the model says.
    provenance.note_model((FILE, mix.FILE))
    return tuple(all_runs())


def loads() -> pd.DataFrame:
    """Return the rows of a chart: how many runs there are of each setup under each load."""
    measured = [each for each in planned() if not each.captures_only]
    rows = pd.DataFrame(
        {"study": each.study, "setup": _setup(each), "users": each.users} for each in measured
    )
    counted = rows.groupby(["study", "setup", "users"], sort=False).size()
    frame = counted.reset_index(name="runs").assign(origin="simulated", run=NO_RUN)
    frame["panel"] = frame["study"]
    frame["label"] = [f"× {runs}" if runs > 1 else "" for runs in frame["runs"]]
    return frame


def phases() -> pd.DataFrame:
    """Return for each study how many runs it has, when they begin, and how long they last."""
    rows = []
    for study in dict.fromkeys(each.study for each in planned()):
        runs = [each for each in planned() if each.study == study]
        timed = [each for each in runs if not each.captures_only]
        first = timed[0]
        rows.append(
            {
                "study": study,
                "runs": len(timed),
                "captures": len(runs) - len(timed),
                "from": f"{min(each.start for each in timed):%Y-%m-%d}",
                "to": f"{max(each.start for each in timed):%Y-%m-%d}",
                "time zone": str(first.start.tzinfo),
                "ramp-up": f"{first.phases.ramp_up_s} s",
                "stable": f"{first.phases.stable_s} s",
                "ramp-down": f"{first.phases.ramp_down_s} s",
                "hosts every": f"{first.interval_s} s",
                "driver every": f"{first.driver_interval_s} s",
            }
        )
    # As columns: a study each.
    return pd.DataFrame(rows).set_index("study").T.rename_axis("study").reset_index()


def files(runs: Sequence[str]) -> pd.DataFrame:
    """Return the raw exports of some runs: one row for each file.

    Parameters
    ----------
    runs : sequence of str
        Names of runs in the plan.
    """
    by_name = {each.run: each for each in planned()}
    for run in runs:
        if run not in by_name:
            such = next(iter(by_name))
            raise StudyBookError(f"the plan has no run {run!r}\n  → give one such as {such}")
    return pd.DataFrame(
        {"run": run, "file": each.path, "host": each.host or "–"}
        for run in runs
        for each in exports(by_name[run], unfold(by_name[run]))
    )


def faults() -> pd.DataFrame:
    """Return what single exports carry of real life."""
    return pd.DataFrame(
        {
            "run": run,
            "export": export,
            "what it carries": " ".join(each.sentences()) or "Nothing: it is not even packed.",
        }
        for run, of_run in FAULTS.items()
        for export, each in of_run.items()
    )


def _setup(run: PlannedRun) -> str:
    """Return the name of a run without its load and repetition."""
    return run.run.rsplit("-level-", 1)[0].rsplit("-u", 1)[0]
