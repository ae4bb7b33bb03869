"""What stands beside curves over load: published values, and straight lines.

The rows are of the parts that :mod:`studybook.frames.load_curve` names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from studybook.claims.published_values import Published
from studybook.frames import document
from studybook.frames.comparison import Comparison
from studybook.frames.figure_data import rounded
from studybook.frames.load_curve import TIMES, means_of
from studybook.statistics.line import Line, line_through
from studybook.study import provenance
from studybook.study.origin import runs_behind
from studybook.study.scope import Scope
from studybook.units import metric


def published_times(
    values: Published,
    figures: Sequence[str],
    scope: Scope,
    base: Mapping[str, Any],
    **names: Callable[[Any], Any],
) -> pd.DataFrame:
    """Return published throughputs in multiples of that of the least load.

    Parameters
    ----------
    values : Published
        What was published of the study.
    figures : sequence of str
        The figures that the claims belong to.
    scope, names
        As of :meth:`studybook.frames.comparison.Comparison.published`.
    base : mapping
        The setup that is 1 ×: column to value, for each column of ``names``.
    """
    throughput = Comparison("operations_per_s", by=tuple(names), against=base, called=("1 ×",))
    every = [throughput.published(values, figure, scope, also=(), **names) for figure in figures]
    found = pd.concat(every, ignore_index=True)
    found = found[found["part"] == "difference"].drop(columns="against")
    said = [document.said(values.claim(name), "{:g} ×".format) or {} for name in found["claim"]]
    for column in ("value", "low", "high", "label"):
        found[column] = [each.get(column) for each in said]
    found = found.astype(document.NUMBERS)
    # A range or a bound stands where it ends.
    found["place"] = found[["value", "high", "low"]].bfill(axis="columns")["value"]
    found = found.assign(part="mean", metric=TIMES).sort_values([*names, "place"])
    # Marks of one setup stand close to each other: in the drawing, the first has the words of all.
    found = found.assign(**{document.DRAWN: ""})
    for _, same in found.groupby([*names, "origin"]):
        texts = dict.fromkeys(same["label"])
        *others, last = texts
        # Numbers share the unit of the last; words keep theirs.
        shown = [each.removesuffix(" ×") if last.endswith(" ×") else each for each in others]
        found.loc[same.index[0], document.DRAWN] = " · ".join([*shown, last])
    return found.drop(columns="place")


def published_bound(values: Published, claim: str, name: str, x: str, upto: float) -> pd.DataFrame:
    """Return what a document says of all lines, as a guide across the panel.

    A bound, and what we read into words, has no value: the guide stands at its end.

    Parameters
    ----------
    values : Published
        What was published of the study.
    claim : str
        The claim that says it. Of one with another metric, or no number, there are no rows.
    name : str
        The metric of the panel.
    x : str
        The column of the place.
    upto : float
        Where the guide ends.
    """
    found = values.claim(claim)
    row = document.said(found, metric(name).show) if found.metric == name else None
    columns = [x, "value", "low", "high", "label", "part", "guide", "origin", "metric", "claim"]
    if row is None:
        return pd.DataFrame(columns=columns)
    provenance.note_published_marks(values.document.title, {found.place})
    ends = [row | {x: 0.0, "label": ""}, row | {x: rounded(upto)}]
    drawn = pd.DataFrame(ends).assign(part="guide", guide=row["label"], metric=name)
    return drawn.reindex(columns=columns).astype(document.NUMBERS)


def guide(x: str, ends: Sequence[tuple[float, float]], name: str, **same: Any) -> pd.DataFrame:
    """Return a straight line as rows of the part ``guide``.

    Parameters
    ----------
    x : str
        The column of the place.
    ends : sequence of tuple of float
        Place and value of each end; the name stands at the last.
    name : str
        What the line is.
    **same
        Other columns, such as ``origin`` and ``metric``.
    """
    labels = [""] * (len(ends) - 1) + [name]
    rows = [
        {x: rounded(at), "value": rounded(value), "label": label}
        for (at, value), label in zip(ends, labels, strict=True)
    ]
    return pd.DataFrame(rows).assign(part="guide", guide=name, **same)


def common_line(curve: pd.DataFrame, x: str, level: float) -> Line | None:
    """Fit one straight line to all runs of a curve, whatever their setup.

    Parameters
    ----------
    curve : pandas.DataFrame
        As of :func:`rows_over`.
    x : str
        The column of the place.
    level : float
        Confidence level of the slope.
    """
    runs = curve[curve["part"] == "run"]
    return line_through(runs[x].tolist(), runs["value"].tolist(), level)


def line_guide(line: Line, curve: pd.DataFrame, x: str, name: str) -> pd.DataFrame:
    """Return a line through the runs of a curve as a guide, as long as they reach."""
    runs = curve[curve["part"] == "run"]
    ends = [(at, line.at(at)) for at in (runs[x].min(), runs[x].max())]
    same = {"origin": runs["origin"].iloc[0], "metric": runs["metric"].iloc[0]} | runs_behind(runs)
    return guide(x, ends, name, **same)


def off_line(line: Line | None, curve: pd.DataFrame, x: str, least: float) -> float | None:
    """How far the means of a curve are off a line at most, in percent of it.

    Parameters
    ----------
    line : Line or None
        The line.
    curve : pandas.DataFrame
        As of :func:`rows_over`.
    x : str
        The column of the place.
    least : float
        Means below this value are left out: a small number is soon off by many percent.
    """
    means = means_of(curve)
    means = means[means["value"] >= least]
    if line is None or means.empty:
        return None
    return 100 * float((means["value"] / means[x].map(line.at) - 1).abs().max())


def slope_said(line: Line | None, unit: str) -> str:
    """Say the slope of a line over multiples of throughput, for a subtitle."""
    if line is None:
        return "no line, for all runs have one throughput"
    slope, r_squared = line.slope, line.r_squared
    bounds = "" if math.isnan(slope.low) else f" ({slope.low:.3f} to {slope.high:.3f})"
    return (
        f"Dotted: regression through {line.n} runs, {slope.estimate:.3f} {unit} for each 1 ×"
        f"{bounds}, R² {r_squared:.4f}"
    )
