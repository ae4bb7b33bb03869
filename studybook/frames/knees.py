"""From runs under several loads to response curves with their knees, as rows and as a table.

A frame of runs has a row per run: ``origin``, ``run_id``, ``metric`` (a response time), ``series``,
``level`` (the load level that was set), ``load`` and ``value`` (the response time). From it come
the rows that a chart of them draws, told apart by ``part``:

===== ====================================================================================
part  a row is
===== ====================================================================================
mean  the mean of the runs of a level over their mean load, with Student's interval
curve the fitted curve at a load
turn  the knee on the curve
knee  the knee as a value, with its interval; published values have the series *document*
===== ====================================================================================
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from studybook import claims
from studybook.dataset.paths import project_root
from studybook.errors import NeedsData
from studybook.frames import document
from studybook.frames.comparison import sample_of
from studybook.frames.figure_data import spread
from studybook.statistics import knee
from studybook.statistics.intervals import LEVEL, Interval, mean_interval
from studybook.statistics.knee import Knee
from studybook.study import provenance
from studybook.study.origin import runs_behind, with_runs
from studybook.units import metric

#: Points of a curve.
POINTS = 30

#: Significant digits of what a fit says: as many as the solver is sure of on any machine.
DIGITS = 4

#: By origin, metric and series.
Knees = Mapping[tuple[str, str, str], Knee]


def fits(runs: pd.DataFrame, *, level: float = LEVEL) -> Knees:
    """Fit the curve of each series that has enough levels of load.

    Raises
    ------
    NeedsData
        If none has.
    """
    found = {}
    for (origin, name, series), own in runs.groupby(["origin", "metric", "series"], sort=False):
        if own["level"].nunique() >= knee.FEWEST:
            found[str(origin), str(name), str(series)] = knee.fit(
                own["load"].to_numpy(dtype=float),
                own["value"].to_numpy(dtype=float),
                levels=own["level"].tolist(),
                level=level,
            )
    if not found:
        raise NeedsData(
            f"A knee needs runs at {knee.FEWEST} levels of load at least; no setup has them."
        )
    return found


def rows(runs: pd.DataFrame, fitted: Knees) -> pd.DataFrame:
    """Return the rows of all parts, for the series that have a curve."""
    runs, parts = with_runs(runs), []
    for (origin, name, series), curve in fitted.items():
        of_series = (runs["metric"] == name) & (runs["series"] == series)
        own = runs[of_series & (runs["origin"] == origin)]
        drawn = pd.DataFrame(_rows_of(own, curve))
        parts.append(drawn.assign(origin=origin, metric=name, series=series))
    columns = ["origin", *(["run"] if "run" in runs else []), "part", "metric", "series", "load"]
    columns += ["value", "low", "high", "label"]
    return pd.concat(parts, ignore_index=True).reindex(columns=columns)


def _rows_of(own: pd.DataFrame, curve: Knee) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for _, group in own.groupby("level"):
        interval = mean_interval(sample_of(group["value"]), curve.level)
        of = {"part": "mean", "load": _few(group["load"].mean())} | runs_behind(group)
        found.append(of | dict(spread(interval)))
    for load in np.linspace(curve.load.min(), curve.load.max(), POINTS):
        found.append({"part": "curve", "load": _few(load), "value": _few(float(curve.at(load)))})
    place = curve.knee
    if curve.seen:
        at = place.estimate
        found.append({"part": "turn", "load": _few(at), "value": _few(float(curve.at(at)))})
        bounds = {"value": _few(at), "low": _few(place.low), "high": _few(place.high)}
        found.append({"part": "knee", "label": f"{at:.0f}", **bounds})
    # The curve, and all that follows from it, is of all runs.
    return [runs_behind(own) | row for row in found]


def published(study: str, claim: str, metrics: list[str]) -> pd.DataFrame:
    """Return what a document says of where response times rise, as rows of the part *knee*.

    Parameters
    ----------
    study : str
        The study that the document is of; without published values there are no rows.
    claim : str
        The claim whose value is a load; without it there are no rows.
    metrics : list of str
        The response times that the document says it of.
    """
    columns = ["origin", "part", "metric", "series", "value", "low", "high", "label", "claim"]
    if not (project_root() / "data/published" / f"{study}.yml").is_file():
        return pd.DataFrame(columns=columns)
    values = claims.published(study)
    found = [each for each in values.claims if each.id == claim]
    rows = [row for each in found if (row := document.said(each, "{:g}".format))]
    if rows:
        provenance.note_published_marks(values.document.title, {each.place for each in found})
    of_each = [
        row | {"part": "knee", "metric": name, "series": "document"}
        for row in rows
        for name in metrics
    ]
    return document.rows(of_each, columns)


def table(fitted: Knees, of: str, load: float, times: float = 2.0) -> pd.DataFrame:
    """Return the knees, and what the curves say of a load and of a multiple, as texts.

    Parameters
    ----------
    fitted : mapping
        As of :func:`fits`.
    of : str
        What a series is, as a heading.
    load : float
        A load to say the response time at.
    times : float
        A multiple of the response time without load, to say the load of.
    """
    return pd.DataFrame(
        [
            {
                "response time": metric(name).label,
                of: series,
                "knee": _about(curve.knee),
                f"{times:g} × the time without load at": _about(curve.reaches(times)),
                f"time at {load:g}": "–\nbeyond the runs"
                if load > curve.load.max()
                else f"{curve.stretch_factor(load):.2f} ×\nof that without load",
                "misses the means": _lack_of_fit(curve),
                "degrees of freedom": str(curve.noise.degrees_of_freedom),
            }
            for (_, name, series), curve in fitted.items()
        ]
    )


def reach(fitted: Knees) -> tuple[float, float] | None:
    """Return the least and the greatest knee that the loads go beyond; None without one."""
    found = [curve.knee.estimate for curve in fitted.values() if curve.seen]
    return (min(found), max(found)) if found else None


def _lack_of_fit(curve: Knee) -> str:
    if math.isnan(curve.noise.lack_of_fit_p_value):
        return "not known\nno repetitions"
    said = "more than runs scatter" if curve.noise.of_curve else "as runs scatter"
    return f"{said}\nF-test: p = {curve.noise.lack_of_fit_p_value:.2g}"


def _few(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _about(interval: Interval) -> str:
    if math.isinf(interval.estimate):
        return "not reached"
    if math.isinf(interval.high):
        return f"{interval.estimate:.1f}\n{interval.low:.1f} or more"
    return f"{interval.estimate:.1f}\n{interval.low:.1f} to {interval.high:.1f}"
