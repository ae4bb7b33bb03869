"""Metrics over a factor that is a number, such as users: what more of it brings, and up to where.

A frame of runs has a row per run and metric: ``origin``, ``run_id``, ``metric``, ``series`` (what
else tells its setup from others), ``level`` (the number), ``value`` and ``within``, what the run
repeats within itself. From it come the parts ``run`` and ``mean`` of
:mod:`studybook.frames.comparison`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile
from pathlib import Path
from typing import Any

import pandas as pd

from studybook.claims import verdict_text
from studybook.claims.goals import Goal, place, read_goals
from studybook.claims.published_values import Claim
from studybook.dataset.manifest import REPETITION
from studybook.errors import NeedsData, StudyBookError, did_you_mean
from studybook.formats.raw import sha256
from studybook.frames.compared import rank_of
from studybook.frames.comparison import Comparison
from studybook.frames.evidence import (
    Evidence,
    Pairs,
    Value,
    each_once,
    of_test,
    said_of,
    tests_of,
)
from studybook.frames.figure_data import spread
from studybook.frames.load_guides import guide
from studybook.frames.side import is_number
from studybook.frames.words import listed
from studybook.statistics.batches import batch_sample
from studybook.statistics.digits import borne
from studybook.statistics.intervals import LEVEL, Sample, mean_interval
from studybook.study import provenance
from studybook.study.origin import runs_behind
from studybook.text import counted
from studybook.units import bounds_of, metric

#: So many levels make a course.
FEWEST = 3

#: Labels or hosts of a metric that are drawn as series, at most.
MOST_PARTS = 6

#: Series that are drawn, at most.
MOST_SERIES = 8

#: What a bound is at the levels in a row that agree in it.
_WORDS = {True: "holds", None: "is open", False: "is missed"}


def factor_of(evidence: Evidence, name: str = "") -> str:
    """The factor that metrics are drawn over: that of a name, or the one that most runs vary in.

    Raises
    ------
    NeedsData
        If no factor has numbers at so many levels.
    StudyBookError
        If there is no factor of the name.
    """
    every = [own for own in evidence.factors.values() if own]
    known = sorted({each for own in every for each in own} - {REPETITION})
    if name and name not in known:
        do = did_you_mean(name, known) or f"there are: {', '.join(known) or 'none'}"
        raise StudyBookError(f"no run has a factor {name!r}\n  → {do}")
    ranks = {}
    for each in [name] if name else known:
        levels = Counter(own[each] for own in every if each in own)
        if len(levels) >= FEWEST and all(map(is_number, levels)):
            # One that each run has for itself, such as a build, may be no load.
            ranks[each] = max(levels.values()) == 1, -levels.total(), -len(levels)
    if not ranks:
        of = f"“{name}”" if name else "a factor"
        raise NeedsData(
            f"This figure needs runs at {FEWEST} levels of {of} that are numbers; the data set has"
            " fewer. Factors are said in run.yml, such as factors: {users: 100}."
        )
    return min(ranks, key=lambda each: (ranks[each], each))


def runs_over(evidence: Evidence, factor: str) -> pd.DataFrame:
    """The values of all runs that have a factor.

    Those of single labels and hosts are series where a metric has no value of all of them, and few
    of these.
    """
    of_run = {run: own for run, own in evidence.factors.items() if factor in own}
    beside = _beside(of_run, factor)
    origins = dict(zip(evidence.runs["run_id"], evidence.runs["origin"], strict=True))
    values = [each for each in each_once(evidence.values) if each.run_id in of_run]
    parts: dict[str, set[Pairs]] = {}
    for each in values:
        parts.setdefault(each.metric, set()).add(each.of)
    drawn = {name for name, of in parts.items() if len(of) <= MOST_PARTS}
    values = [
        each
        for each in values
        if not each.of or (each.metric in drawn and () not in parts[each.metric])
    ]
    tests = tests_of((each.metric, each.of, each.test) for each in values)
    rows = []
    for each in values:
        own = of_run[each.run_id]
        of = of_test(each.of, each.test, tests[each.metric, each.of])
        setup = [_named(name, own[name]) for name in beside if name in own] + said_of(of)
        rows.append(
            {
                "origin": origins[each.run_id],
                "run_id": each.run_id,
                "metric": each.metric,
                "series": ", ".join(setup),
                "level": float(own[factor]),
                "value": each.sample.mean,
                "within": _within(each),
            }
        )
    return pd.DataFrame(rows)


def _named(factor: str, text: str) -> str:
    return said_of([(factor, text)])[0] if is_number(text) else f"{factor} {text}"


def _within(value: Value) -> Sample | None:
    """What a run repeats within itself: executions, or batches of its stable phase."""
    if value.sample.n > 1 or value.batches is None:
        return value.sample if value.sample.n > 1 else None
    return batch_sample(value.batches, value.sample.mean)


def _beside(of_run: Mapping[str, Mapping[str, str]], factor: str) -> list[str]:
    """The factors in which runs at one level differ; not one that is another with each run."""
    found = []
    for name in sorted({each for own in of_run.values() for each in own} - {factor, REPETITION}):
        at: dict[str, set[str | None]] = {}
        for own in of_run.values():
            at.setdefault(own[factor], set()).add(own.get(name))
        counts = Counter(own[name] for own in of_run.values() if name in own)
        if max(map(len, at.values())) > 1 and max(counts.values()) > 1:
            found.append(name)
    return found


def chosen(
    runs: pd.DataFrame, wanted: Collection[str] | None, bounded: Collection[str]
) -> list[str]:
    """The metrics to draw: how much was done, what something is expected of, how long it took.

    Parameters
    ----------
    runs : pandas.DataFrame
        As of :func:`runs_over`.
    wanted : collection of str, optional
        Names that a reader gave.
    bounded : collection of str
        Metrics that something is expected of.

    Raises
    ------
    NeedsData
        If there is none.
    """
    there = sorted(set(runs["metric"]), key=lambda each: (rank_of(each, ()), each))
    names = list(wanted) if wanted is not None else [_first(there, "higher"), *bounded]
    if wanted is None and all(metric(each).better != "lower" for each in names if each in there):
        names.append(_first(there, "lower"))
    found = [each for each in dict.fromkeys(names) if each in there]
    if not found:
        asked = f": {', '.join(wanted)}" if wanted else " that gets better or worse"
        raise NeedsData(f"No setup has {FEWEST} levels with a metric{asked}.")
    return found


def _first(names: Sequence[str], better: str) -> str:
    return next((each for each in names if metric(each).better == better), "")


def long_enough(runs: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The runs of series that make a course, those with the most levels; how many are left out."""
    levels = runs.groupby(["metric", "series"])["level"].nunique()
    least = levels[levels >= FEWEST].groupby("series").max()
    drawn = least.sort_values(ascending=False, kind="stable").index[:MOST_SERIES]
    kept = levels[(levels >= FEWEST) & levels.index.isin(drawn, level="series")]
    index = pd.MultiIndex.from_frame(runs[["metric", "series"]])
    return runs[index.isin(kept.index)], runs["series"].nunique() - len(drawn)


def rows(runs: pd.DataFrame, metrics: Sequence[str], *, level: float = LEVEL) -> pd.DataFrame:
    """Return runs and means; the interval of a single run is of what it repeats within itself."""
    found = []
    for name in metrics:
        of = runs[runs["metric"] == name]
        comparison = Comparison(name, by=("series", "level"), against={}, level=level)
        frame = comparison.rows(of)
        key = ["origin", "series", "level"]
        for setup, own in of.groupby(key):
            sample = own["within"].iloc[0]
            if len(own) == 1 and sample is not None:
                ends = spread(mean_interval(sample, level, *bounds_of(name)))
                at = (frame[key] == list(setup)).all(axis="columns") & (frame["part"] == "mean")
                frame.loc[at, ["low", "high"]] = ends["low"], ends["high"]
        found.append(comparison.labelled(frame))
    return pd.concat(found, ignore_index=True)


@dataclass(frozen=True)
class Kept:
    """Up to where a series keeps to a bound: the verdicts at its levels, in their order.

    Attributes
    ----------
    bound : Claim
        What is accepted.
    series : str
        The series.
    verdicts : tuple of tuples
        By level: whether the bound holds, is missed, or neither is certain (None).
    crossing : float, optional
        Where a line between the means reaches the bound, if it does so once.
    """

    bound: Claim
    series: str
    verdicts: tuple[tuple[float, bool | None], ...]
    crossing: float | None

    def shortly(self, factor: str) -> str:
        """Up to where it is kept, where the least levels keep to it; else all verdicts."""
        kept = [level for level, _ in takewhile(lambda each: each[1], self.verdicts)]
        if not kept:
            return self.said(factor)
        most = ", the most" if len(kept) == len(self.verdicts) else ""
        return f"holds up to {_named(factor, f'{kept[-1]:g}')}{most}"

    def said(self, factor: str) -> str:
        """The verdicts in words: “holds with 8 to 32 and is missed with 64 clients”."""
        parts = [
            (verdict, [f"{level:g}" for level, _ in same])
            for verdict, same in groupby(self.verdicts, key=lambda each: each[1])
        ]
        last = parts[-1][1][-1]
        texts = [
            f"{_WORDS[verdict]} with " + (of[0] if len(of) == 1 else f"{of[0]} to {of[-1]}")
            for verdict, of in parts
        ]
        # The last number says what all of them are.
        head, _, _ = texts[-1].rpartition(last)
        return listed([*texts[:-1], head + _named(factor, last)])


def kept(frame: pd.DataFrame, bounds: Sequence[Claim]) -> list[Kept]:
    """Judge bounds at each level of each series: by the whole interval, as goals are.

    Parameters
    ----------
    frame : pandas.DataFrame
        As of :func:`rows`.
    bounds : sequence of Claim
        As of :func:`bounds_for`.
    """
    means, found = frame[frame["part"] == "mean"], []
    for bound in bounds:
        own = means[means["metric"] == bound.metric]
        for series, of in own.groupby("series", sort=False):
            of = of.sort_values("level")
            verdicts = tuple(
                (level, None if math.isnan(low) else bound.accepted.holds(low, high))
                for level, low, high in of[["level", "low", "high"]].astype(float).to_numpy()
            )
            found.append(Kept(bound, str(series), verdicts, _crossing(of, bound)))
    return found


def _crossing(means: pd.DataFrame, bound: Claim) -> float | None:
    ends = [each for each in (bound.accepted.low, bound.accepted.high) if math.isfinite(each)]
    if len(ends) != 1:
        return None
    places = list(zip(means["level"], means["value"] - ends[0], strict=True))
    found = [
        at + (to - at) * off / (off - beyond)
        for (at, off), (to, beyond) in pairwise(places)
        if off * beyond < 0
    ]
    return found[0] if len(found) == 1 else None


def bounds_for(root: Path, study: str, limits: Mapping[str, float] | None) -> list[Claim]:
    """What is expected of metrics at any level: limits of a reader, else the goals of the study.

    Parameters
    ----------
    root : pathlib.Path
        The folder of the book.
    study : str
        The study.
    limits : mapping, optional
        By metric: what is at most accepted, or at least where more is better.
    """
    if limits is not None:
        return [
            Goal.model_validate(
                {"goal": name, "metric": name}
                | {"at_least" if metric(name).better == "higher" else "at_most": limit}
            ).claim()
            for name, limit in limits.items()
        ]
    path = place(root, study)
    if not path.is_file():
        return []
    goals = [each.goal for each in read_goals(root, study)]
    provenance.note_definition(path.relative_to(root).as_posix(), sha256(path))
    claims = [each.claim() for each in goals if each.against is None and not each.of]
    return [each for each in claims if isinstance(each.value, int | float)]


def guides(frame: pd.DataFrame, bounds: Sequence[Claim]) -> pd.DataFrame:
    """The frame with a line for each bound that is a number, in the panel of its metric."""
    ends = frame["level"].min(), frame["level"].max()
    lines = [
        guide(
            "level",
            [(at, bound.value) for at in ends],
            verdict_text.accepted(bound),
            metric=bound.metric,
            origin=frame["origin"].iloc[0],
            series="",
            **runs_behind(frame[frame["metric"] == bound.metric]),
        )
        for bound in bounds
        if isinstance(bound.value, int | float)
    ]
    return pd.concat([frame, *lines], ignore_index=True)


def bound_said(bound: Claim) -> str:
    """A bound in words, with its metric: “p95 response time of at most 20 ms”."""
    return f"{metric(bound.metric).label} of {verdict_text.accepted(bound)}"


def growth(means: pd.DataFrame, factor: str) -> str:
    """What more of a factor brings, by the means of one metric and series in their order.

    Parameters
    ----------
    means : pandas.DataFrame
        Rows of the part ``mean``, by ``level``.
    factor : str
        The factor.
    """
    rows: list[Any] = list(means.itertuples())
    first, last = rows[0], rows[-1]
    quantity = metric(first.metric)
    at = [_named(factor, f"{each.level:g}") for each in rows]
    name = quantity.label + (f" ({first.series})" if first.series else "")
    text = f"{name}: {first.label} with {at[0]}, {last.label} with {at[-1]}"
    if quantity.better == "higher" and first.value > 0 and first.level > 0:
        share = last.value / first.value / (last.level / first.level)
        text += f", {share:.0%} of growth in proportion"
        top = max(range(len(rows)), key=lambda number: rows[number].value)
        if 0 < top < len(rows) - 1:
            text += f"; the most is {rows[top].label} with {at[top]}"
    return text


def behind(row: Any) -> str:
    """The interval of a mean, and how many runs are behind it: “24.1 to 24.7, 3 runs”."""
    ends = [] if pd.isna(row.low) else [_ends(row)]
    return ", ".join([*ends, counted(int(row.n), "run")])


def _ends(row: Any) -> str:
    most = metric(row.metric).decimals_of(row.value)
    low, high = (borne(row.value, row.low, row.high, most, of=end) for end in (row.low, row.high))
    return f"{low} to {high}"
