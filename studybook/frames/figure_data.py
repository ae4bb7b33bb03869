"""From the rows of a query to the one frame that a chart draws.

A chart takes one tidy frame: a row per mark, ``origin`` and ``run`` as of
:mod:`studybook.study.origin`, ``value`` and, where there are repetitions, ``low`` and ``high`` of
its interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from studybook.claims.published_values import Claim, Published
from studybook.errors import NeedsData, StudyBookError
from studybook.frames import document
from studybook.statistics.intervals import (
    LEVEL,
    Interval,
    Sample,
    mean_interval,
    ratio_interval,
)
from studybook.study import provenance
from studybook.study.origin import NO_RUN, joined, with_runs
from studybook.study.study import SIGNIFICANT_DIGITS


def rounded(value: float) -> float:
    """A number with as many digits as query results have, so that it prints the same anywhere."""
    return float(f"{value:.{SIGNIFICANT_DIGITS}g}")


def spread(interval: Interval) -> dict[str, float]:
    """An interval as the columns ``value``, ``low`` and ``high``."""
    return {
        "value": rounded(interval.estimate),
        "low": rounded(interval.low),
        "high": rounded(interval.high),
    }


def with_interval(frame: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Add ``value``, ``low`` and ``high``: the mean and its confidence interval.

    Parameters
    ----------
    frame : pandas.DataFrame
        With columns ``n``, ``mean`` and ``sd`` (that of the population, divisor *n*).
    level : float
        Confidence level.

    Returns
    -------
    pandas.DataFrame
        A copy with three columns more, in the unit of ``mean``.
    """
    level = _checked(level)
    columns = [spread(mean_interval(each, level)) for each in _samples(frame)]
    return pd.concat([frame.reset_index(drop=True), pd.DataFrame(columns)], axis="columns")


def scaling_efficiency(
    frame: pd.DataFrame, *, group: str, size: str, level: float = LEVEL
) -> pd.DataFrame:
    """Set each larger setup against the same multiple of the smallest one of its group.

    Parameters
    ----------
    frame : pandas.DataFrame
        One row per group and size, with ``origin``, ``n``, ``mean`` and ``sd``.
    group, size : str
        The columns that tell the groups, and the size (a number), apart.
    level : float
        Confidence level.

    Returns
    -------
    pandas.DataFrame
        One row per group and larger size: ``origin``, the two columns, and ``value``, ``low``,
        ``high`` as shares of linear scaling (1 is linear); ``run``, where the frame has it.
    """
    level, rows = _checked(level), []
    # Never one origin over another: a measured base for a simulated value would be neither.
    frame = with_runs(frame)
    for _, setups in frame.sort_values(size, kind="stable").groupby(["origin", group], sort=True):
        smallest, *larger = zip(setups.to_dict("records"), _samples(setups), strict=True)
        for setup, sample in larger:
            share = smallest[0][size] / setup[size]
            interval = ratio_interval(sample, smallest[1], level).scaled(share)
            of = {name: setup[name] for name in ("origin", group, size)}
            if "run" in setup:
                of["run"] = joined([setup["run"], smallest[0]["run"]])
            rows.append(of | spread(interval))
    columns = ["origin", "run", group, size, "value", "low", "high"]
    return pd.DataFrame(rows, columns=[each for each in columns if each != "run" or "run" in frame])


def published_efficiency(frame: pd.DataFrame, *, group: str, size: str, unit: str) -> pd.DataFrame:
    """Set printed values of larger setups against the same multiple of the smallest one.

    No such share is printed: it is read from two numbers, as far as their last digits bear.

    Parameters
    ----------
    frame : pandas.DataFrame
        As of :func:`published_rows`.
    group, size : str
        As of :func:`scaling_efficiency`.
    unit : str
        The unit of the values.

    Returns
    -------
    pandas.DataFrame
        A range of shares for each group and larger size, of the origin *our reading*.
    """
    rows = []
    for _, setups in frame.sort_values(size, kind="stable").groupby(group, sort=True):
        smallest, *larger = setups.to_dict("records")
        below, above = _rounded_to(smallest["value"])
        for setup in larger:
            least, most = _rounded_to(setup["value"])
            times = setup[size] / smallest[size]
            said = f"“{setup['value']:g}” of {times:g} × “{smallest['value']:g}” {unit}"
            row = {name: setup[name] for name in (group, size)} | {"label": said}
            row |= {
                "low": rounded(least / (times * above)),
                "high": rounded(most / (times * below)),
            }
            rows.append({"origin": document.OUR_READING, "run": NO_RUN, "value": None} | row)
    columns = ["origin", "run", group, size, "value", "low", "high", "label"]
    return document.rows(rows, columns)


def _rounded_to(number: float) -> tuple[float, float]:
    """The least and the greatest number that are printed so."""
    half = 0.5 * 10.0 ** -len(f"{number:g}".partition(".")[2])
    return number - half, number + half


def _checked(level: Any) -> float:
    if not isinstance(level, int | float) or not 0 < level < 1:
        raise StudyBookError(f"level is {level!r}\n  → a confidence level lies between 0 and 1")
    return float(level)


def one_test(frame: pd.DataFrame, setup: Sequence[str], test: Sequence[str]) -> None:
    """Refuse to take runs of different tests for repetitions of one setup.

    Parameters
    ----------
    frame : pandas.DataFrame
        One row per run and operation.
    setup : sequence of str
        The columns that tell the setups apart.
    test : sequence of str
        Columns in which the runs of one setup must agree, such as the transfer size.

    Raises
    ------
    NeedsData
        Naming the setup, the column and the values.
    """
    for key, runs in frame.groupby(list(setup), dropna=False):
        for column in test:
            values = runs[column].dropna().unique().tolist()
            if len(values) > 1:
                where = ", ".join(f"{n} {v}" for n, v in zip(setup, key, strict=True))
                raise NeedsData(
                    f"The runs with {where} are different tests: {column} is"
                    f" {' and '.join(map(str, values))}. This figure needs one test per setup."
                )


def _samples(frame: pd.DataFrame) -> list[Sample]:
    columns = (frame[name].tolist() for name in ("n", "mean", "sd"))
    return [Sample(int(n), mean, sd) for n, mean, sd in zip(*columns, strict=True)]


def published_rows(values: Published, figure: str, **factors: Any) -> pd.DataFrame:
    """The published values that a figure draws as marks of their own.

    Only plain values are drawn: not ratios or statements, nor values under a factor that no
    mark of the figure stands for.

    Parameters
    ----------
    values : Published
        What was published of the study.
    figure : str
        The figure that the claims belong to.
    **factors
        Each factor by which the marks of the figure are told apart, with its type, such as
        ``users=int``.

    Returns
    -------
    pandas.DataFrame
        As of :func:`studybook.frames.document.said`, with a column per factor.
    """
    drawn = [
        claim
        for claim in values.claims
        if claim.figure == figure and claim.kind == "value" and set(claim.of) == set(factors)
    ]

    def printed(claim: Claim) -> dict[str, Any] | None:
        return document.said(claim, lambda number: f"{number:,.10g} {claim.unit}")

    rows = [
        row | {"run": NO_RUN} | {name: kind(claim.of[name]) for name, kind in factors.items()}
        for claim in drawn
        if (row := printed(claim))
    ]
    if drawn:
        provenance.note_published_marks(values.document.title, {claim.place for claim in drawn})
    columns = ["origin", "run", "claim", *factors, "value", "low", "high", "label"]
    return document.rows(rows, columns)
