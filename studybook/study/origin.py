"""Where a row comes from: the columns ``origin`` and ``run``, which each row of a chart has.

``run`` names the run that a row is of. A row of several, such as a mean, names them all, with
:data:`BETWEEN` between them; a difference first those of its setup, and then those that it is set
against. Where there is none, for a row of a document or one that a model was asked for, it is
:data:`NO_RUN`.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

#: The origin of the drawing of an idea: neither data nor a document stand behind it.
SCHEMA = "schema"

#: The sign of each origin, for the line under the title of a chart.
SIGNS = {
    "measured": "●", "simulated": "◐", "published": "◇", "our reading": "┅", SCHEMA: "▢",
}  # fmt: skip

#: Stands in the column ``run`` of rows that are of no run.
NO_RUN = "–"

#: Between the names of several runs.
BETWEEN = " "


def run_name(run_id: str) -> str:
    """The name of a run, of its id ``<study>/<name>``."""
    return run_id.split("/")[-1]


def with_runs(frame: pd.DataFrame) -> pd.DataFrame:
    """Put the names of runs, as ``run``, in the place of their ids ``<study>/<name>``.

    Parameters
    ----------
    frame : pandas.DataFrame
        With a column ``run_id``, or without.
    """
    if "run_id" not in frame:
        return frame
    named = frame["run_id"].map(run_name, na_action="ignore")
    known = frame["run"].fillna(named) if "run" in frame else named
    return frame.assign(run=known).drop(columns="run_id")


def joined(runs: Iterable[object]) -> str | None:
    """Name all runs behind a row, each once; None where not even one is known.

    Parameters
    ----------
    runs : iterable
        The column ``run`` of the rows behind it.
    """
    names = [name for each in runs if isinstance(each, str) for name in each.split(BETWEEN)]
    own = [name for name in dict.fromkeys(names) if name != NO_RUN]
    return BETWEEN.join(own) or (NO_RUN if names else None)


def runs_behind(*frames: pd.DataFrame) -> dict[str, str | None]:
    """The column ``run`` of a row that is made of the rows of frames; none where they have none."""
    if not all("run" in frame for frame in frames):
        return {}
    return {"run": joined(name for frame in frames for name in frame["run"])}
