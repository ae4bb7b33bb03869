"""From runs at several loads to curves: a metric over throughput, a line for each setup.

The frames are those of :mod:`studybook.frames.comparison` with one column more, the place along the
curve; figures draw them as lines over the place. Further parts of theirs:

===== ====================================================================================
part  a row is
===== ====================================================================================
guide an end of a straight line that is no setup: a bound, or a line through all runs
at    the place on a line at which something is reached, such as 80 % of the processors
place a published throughput of which no value is known: it has a strip of its own
===== ====================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from studybook.frames import document
from studybook.frames.comparison import Comparison
from studybook.frames.figure_data import rounded
from studybook.frames.spacing import spaced
from studybook.study.origin import runs_behind

#: Throughput in multiples of the least load: the metric of the published multiples.
TIMES = "throughput_times"

#: Height of a line of text with the space to the next one, in pixels.
LINE = 16


def base_said(runs: pd.DataFrame) -> str:
    """What 1 × is, for the subtitle of a figure, by the columns of the view ``run_throughput``."""
    cpus, level, per_s = runs[["base_cpus", "base_level", "base_per_s"]].iloc[0]
    name = cpus.replace("-", "\N{NON-BREAKING HYPHEN}")
    return f"1 × is {name} at load level {level}, {per_s:.1f} operations/s"


def method(level: float) -> str:
    """Say in the subtitle of a figure how its intervals were made."""
    return f"{100 * level:.3g} % intervals of means over repetitions: Student's"


def rows_over(comparison: Comparison, runs: pd.DataFrame, x: str) -> pd.DataFrame:
    """Return the runs and means of a metric with their places along a curve.

    Parameters
    ----------
    comparison : Comparison
        The metric, and what tells the setups and their loads apart.
    runs : pandas.DataFrame
        As of :meth:`studybook.frames.comparison.Comparison.rows`.
    x : str
        A column of the runs: the place. That of a mean is the mean of its runs.
    """
    rows = comparison.rows(runs)
    if rows.empty:
        return rows.assign(**{x: pd.Series(dtype=float)})
    key = ["origin", *comparison.by]
    own = runs.loc[rows.index[rows["part"] == "run"]]
    means = own.groupby(key, dropna=False)[x].mean()
    of_setup = rows[key].apply(lambda row: means[tuple(row)], axis="columns")
    at = of_setup.where(rows["part"] == "mean", own[x].reindex(rows.index))
    return rows.assign(**{x: at.map(rounded)}).reset_index(drop=True)


def reached(
    curve: pd.DataFrame, gauge: pd.DataFrame, at: float, line: str, x: str, label: str
) -> pd.DataFrame:
    """Find where along each line of a curve a second metric reaches a value.

    Between two loads both are taken to change in proportion.

    Parameters
    ----------
    curve, gauge : pandas.DataFrame
        As of :func:`rows_over`: the curve to mark, and the metric that decides.
    at : float
        What that metric has to reach, in its unit.
    line, x : str
        The columns that tell lines apart, and the place.
    label : str
        What stands at the last mark.

    Returns
    -------
    pandas.DataFrame
        A row of the part ``at`` for each line on which it is reached.
    """
    rows = []
    for (origin, name), own in means_of(curve).groupby(["origin", line], sort=False):
        other = means_of(gauge)
        other = other[(other["origin"] == origin) & (other[line] == name)].sort_values(
            x, kind="stable"
        )
        over = other["value"].to_numpy()
        if len(other) < 2 or not over[0] <= at <= over[-1] or (np.diff(over) <= 0).any():
            continue  # never reached, or not once and for all
        place = float(np.interp(at, over, other[x]))
        own = own.sort_values(x, kind="stable")
        value = float(np.interp(place, own[x], own["value"]))
        said = {"origin": origin, line: name, x: rounded(place), "value": rounded(value)}
        rows.append(said | runs_behind(own, other))
    columns = ["origin", *(["run"] if "run" in curve else []), line, x, "value"]
    found = pd.DataFrame(rows, columns=columns).sort_values(x, ignore_index=True, kind="stable")
    # The last one has the words for all: lines at low throughput stand close to each other.
    labels = [""] * (len(found) - 1) + [label] * bool(len(found))
    return found.assign(part="at", label=labels, metric=curve["metric"].iloc[0])


def ends(curve: pd.DataFrame, line: str, x: str) -> pd.DataFrame:
    """Return the last mean of each line."""
    means = means_of(curve)
    return means.loc[means.groupby(["origin", line], sort=False)[x].idxmax().tolist()]


def with_names(
    frame: pd.DataFrame, line: str, x: str, heights: Mapping[str | tuple[str, ...], int]
) -> pd.DataFrame:
    """Add ``name`` to the last mean of each line, and ``name_at``: where on the axis it stands.

    Names that would meet are moved apart. A single line needs no name.

    Parameters
    ----------
    frame : pandas.DataFrame
        The data of the chart.
    line, x : str
        The columns that tell lines apart, and the place.
    heights : mapping
        By the metric of each panel, or all its metrics: its height in pixels.
    """
    frame = frame.reset_index(drop=True).assign(name="", name_at=None)
    for metrics, height in heights.items():
        inside = frame["metric"].isin([metrics] if isinstance(metrics, str) else metrics)
        own = means_of(frame[inside])
        if own[line].nunique() < 2:
            continue
        ends = own.loc[own.groupby(["origin", line])[x].idxmax()]
        most = float(frame.loc[inside, "value"].max())
        frame.loc[ends.index, "name"] = ends[line].astype(str)
        for _, beside in ends.groupby(x):
            apart = spaced(beside["value"].tolist(), LINE * most / height)
            frame.loc[beside.index, "name_at"] = apart
    return frame.astype({"name_at": float})


def means_of(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the means of the data at hand."""
    return document.own(rows[rows["part"] == "mean"])
