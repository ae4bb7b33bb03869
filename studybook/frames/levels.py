"""Metrics over a factor that is a number, such as users: what more of it brings, and up to where.

A frame of runs has a row per run and metric: ``origin``, ``run_id``, ``metric``, ``series`` (what
else tells its setup from others), ``level`` (the number), ``value`` and ``within``, what the run
repeats within itself. From it come the parts ``run`` and ``mean`` of
:mod:`studybook.frames.comparison`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from studybook.dataset.manifest import REPETITION, factor_text
from studybook.errors import NeedsData, StudyBookError, did_you_mean
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
    with_name,
)
from studybook.frames.figure_data import spread
from studybook.frames.scaling import efficiency
from studybook.frames.side import is_number
from studybook.frames.words import listed
from studybook.statistics.digits import borne, ends_borne
from studybook.statistics.intervals import LEVEL, mean_interval
from studybook.text import counted, minus
from studybook.units import bounds_of, metric

#: So many levels make a course.
FEWEST = 3

#: Labels or hosts of a metric that are series, at most, and series that are drawn.
MOST_PARTS, MOST_SERIES = 6, 8

_TIMES = ("us", "ms", "s")


def factor_of(evidence: Evidence, name: str = "") -> str:
    """The factor that metrics are drawn over: that of a name, or the one that most runs vary in.

    Raises
    ------
    NeedsData
        If no factor has numbers at so many levels.
    StudyBookError
        If there is no factor of the name.
    """
    every = [own for own in _measured(evidence).values() if own]
    known = sorted({each for own in every for each in own} - {REPETITION})
    if name and name not in known:
        do = did_you_mean(name, known) or f"there are: {', '.join(known) or 'none'}"
        raise StudyBookError(f"no run has a factor {name!r} to draw over\n  → {do}")
    ranks = {}
    for each in [name] if name else known:
        texts = [own[each] for own in every if each in own]
        if all(map(is_number, texts)) and len(levels := Counter(map(float, texts))) >= FEWEST:
            # One that each run has for itself, such as a build, may be no load.
            ranks[each] = max(levels.values()) == 1, -levels.total(), -len(levels)
    if not ranks:
        of = f"“{name}”" if name else "a factor"
        raise NeedsData(
            f"This figure needs runs at {FEWEST} levels of {of} that are numbers; the data set has"
            " fewer. Factors are said in run.yml, such as factors: {users: 100}."
        )
    return min(ranks, key=lambda each: (ranks[each], each))


def _measured(evidence: Evidence) -> dict[str, Mapping[str, str]]:
    """The factors of the runs that measured something."""
    runs = evidence.runs
    return {run: evidence.factors[run] for run in runs.loc[runs["kind"] == "measurement", "run_id"]}


def _having(evidence: Evidence, factor: str) -> dict[str, Mapping[str, str]]:
    """The same of those that have a factor."""
    return {run: own for run, own in _measured(evidence).items() if factor in own}


def level_said(factor: str, level: float) -> str:
    """A level with what it is of: “64 clients”, “load level 4”, “2,000,000 records”."""
    return with_name(factor, number_said(level))


def number_said(level: float) -> str:
    """A level as it is written, with all its digits."""
    return minus(f"{level:,.12g}")


def runs_over(evidence: Evidence, factor: str) -> pd.DataFrame:
    """The values of all measurements that have a factor.

    Those of single labels and hosts are series where a metric has no value of all of them, and few
    of these. Where there are several origins, each has series of its own.

    Raises
    ------
    NeedsData
        If there is no value.
    """
    of_run = _having(evidence, factor)
    beside, _ = _others(of_run, factor)
    origins = dict(zip(evidence.runs["run_id"], evidence.runs["origin"], strict=True))
    several = len({origins[run] for run in of_run}) > 1
    values = [each for each in _with_twins(evidence.values) if each.run_id in of_run]
    steady, _ = _steady(values, of_run, factor)
    parts: defaultdict[str, set[Pairs]] = defaultdict(set)
    for each, of in zip(values, steady, strict=True):
        parts[each.metric].add(of)
    rows = []
    for each, of in zip(values, steady, strict=True):
        if of and (len(parts[each.metric]) > MOST_PARTS or () in parts[each.metric]):
            continue
        own = of_run[each.run_id]
        setup = [_named(name, own[name]) for name in beside if name in own] + said_of(of)
        rows.append(
            {
                "origin": origins[each.run_id],
                "run_id": each.run_id,
                "metric": each.metric,
                "series": ", ".join(setup + [origins[each.run_id]] * several),
                "level": float(own[factor]),
                "value": each.sample.mean,
                "within": each.within,
            }
        )
    if not rows:
        raise NeedsData(f"No run that has the factor {factor} has a metric of all that it did.")
    return pd.DataFrame(rows)


def _with_twins(values: Sequence[Value]) -> list[Value]:
    """All values, those too that are another's in other words: of these a goal may be."""
    once = each_once(values)
    there = {(each.run_id, each.metric, each.of) for each in once}
    return once + [each for each in values if (each.run_id, each.metric, each.of) not in there]


def _steady(
    values: Sequence[Value], of_run: Mapping[str, Mapping[str, str]], factor: str
) -> tuple[list[Pairs], set[str]]:
    """What each value is of, its test included, and the names of what changes with the levels.

    These are left out: the name of a test may hold the level itself, as the number of processes.
    """
    tests = tests_of((each.metric, each.of, each.test) for each in values)
    every = [
        dict(of_test(each.of, each.test, tests[each.metric, each.of]) if each.test else each.of)
        for each in values
    ]
    names: defaultdict[str, set[str]] = defaultdict(set)
    for each, of in zip(values, every, strict=True):
        names[each.metric] |= of.keys()
    texts: defaultdict[tuple[str, str], defaultdict[float, set[str | None]]]
    texts = defaultdict(lambda: defaultdict(set))
    for each, of in zip(values, every, strict=True):
        level = float(of_run[each.run_id][factor])
        for name in names[each.metric]:
            texts[each.metric, name][level].add(of.get(name))
    changing = {
        key
        for key, at in texts.items()
        if max(map(len, at.values())) == 1 < len(set[str | None]().union(*at.values()))
    }
    steady = [
        tuple((name, text) for name, text in of.items() if (each.metric, name) not in changing)
        for each, of in zip(values, every, strict=True)
    ]
    return steady, {name for _, name in changing}


def _named(factor: str, text: str) -> str:
    return with_name(factor, text) if is_number(text) else f"{factor.replace('_', ' ')} {text}"


def _others(of_run: Mapping[str, Mapping[str, str]], factor: str) -> tuple[list[str], list[str]]:
    """Other factors: those in which runs at one level differ, and those that go with the levels.

    One that is another with each run, such as a commit, is neither.
    """
    beside, along = [], []
    for name in sorted({each for own in of_run.values() for each in own} - {factor, REPETITION}):
        at: defaultdict[float, set[str | None]] = defaultdict(set)
        for own in of_run.values():
            at[float(own[factor])].add(own.get(name))
        counts = Counter(own.get(name) for own in of_run.values())
        if max(map(len, at.values())) > 1:
            beside += [name] if max(counts.values()) > 1 else []
        elif len(counts) > 1:
            along.append(name)
    return beside, along


def beside(evidence: Evidence, factor: str) -> list[str]:
    """The other factors by which runs at one level differ: each of their setups is a series."""
    return _others(_having(evidence, factor), factor)[0]


def is_of(series: str, setup: Mapping[str, object]) -> bool:
    """Whether a series is of setups in which these factors have these values."""
    names = (_named(name, factor_text(value)) for name, value in setup.items())
    return all(f", {each}, " in f", {series}, " for each in names)


def setup_said(setup: Mapping[str, object]) -> str:
    """Values of factors as the names of series have them."""
    return ", ".join(_named(name, factor_text(value)) for name, value in sorted(setup.items()))


def along(evidence: Evidence, factor: str) -> str:
    """A sentence on what else changes with the levels: what is seen may be of that."""
    of_run = _having(evidence, factor)
    _, factors = _others(of_run, factor)
    _, parts = _steady([each for each in evidence.values if each.run_id in of_run], of_run, factor)
    names = [name.replace("_", " ") for name in dict.fromkeys([*factors, *sorted(parts)])]
    return f"What else changes with {factor.replace('_', ' ')}: {listed(names)}." if names else ""


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
        If there is none with a series of so many levels.
    """
    levels = runs.groupby(["metric", "series"])["level"].nunique()
    long = set(levels[levels >= FEWEST].index.get_level_values("metric"))
    there = sorted(long, key=lambda each: (rank_of(each, ()), each))
    for each in wanted or ():
        metric(each)  # which says what an unknown one may mean
    names = list(wanted) if wanted else [_first(there, "higher"), *bounded]
    if not wanted and all(metric(each).better != "lower" for each in names if each in there):
        names.append(_first(there, "lower"))
    found = [each for each in dict.fromkeys(names) if each in there]
    if not found:
        asked = f": {', '.join(wanted)}" if wanted else " that gets better or worse"
        raise NeedsData(f"No setup has {FEWEST} levels with a metric{asked}.")
    return found


def _first(names: Sequence[str], better: str) -> str:
    own = [each for each in names if metric(each).better == better]
    # How long it takes is asked before how often it fails.
    return min(own, key=lambda each: metric(each).unit not in _TIMES, default="")


def rows(runs: pd.DataFrame, metrics: Sequence[str], *, level: float = LEVEL) -> pd.DataFrame:
    """Return runs and means of all series of enough levels.

    The interval of a single run is of what it repeats within itself.
    """
    found = []
    for name in metrics:
        of = runs[runs["metric"] == name]
        of = of[of.groupby("series")["level"].transform("nunique") >= FEWEST]
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


def drawn(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of the series that have room in a chart: those with the most levels."""
    levels = frame.groupby("series")["level"].nunique()
    names = levels.sort_values(ascending=False, kind="stable").index[:MOST_SERIES]
    return frame[frame["series"].isin(names)]


def doubles(frame: pd.DataFrame) -> bool:
    """Whether levels grow by factors rather than by steps, over a wide range."""
    levels = frame["level"].drop_duplicates()
    least, most = levels.min(), levels.max()
    return bool(0 < least <= most / 8 and levels.median() < (least + most) / 2.5)


def left_out(runs: pd.DataFrame, frame: pd.DataFrame) -> list[str]:
    """Sentences on the series that a chart of these rows has not.

    Parameters
    ----------
    runs, frame : pandas.DataFrame
        As of :func:`runs_over` and :func:`rows`.
    """
    of = runs[runs["metric"].isin(frame["metric"])]
    short = of["series"].nunique() - (long := frame["series"].nunique())
    return [
        f"{counted(short, 'setup')} with fewer than {FEWEST} levels left out." if short else "",
        f"Of {long} setups {MOST_SERIES} are drawn; the table has all."
        if long > MOST_SERIES
        else "",
    ]


def growth(frame: pd.DataFrame, factor: str, *, level: float = LEVEL) -> list[str]:
    """What more of a factor brings, in a sentence for each metric and series.

    Parameters
    ----------
    frame : pandas.DataFrame
        As of :func:`rows`.
    factor : str
        The factor.
    level : float
        Confidence level of shares of linear growth, which are of rates.
    """
    means = frame[frame["part"] == "mean"].sort_values("level", kind="stable")
    found = []
    for (name, series), own in means.groupby(["metric", "series"], sort=False):
        rows: list[Any] = list(own.itertuples())
        first, last = rows[0], rows[-1]
        quantity = metric(str(name))
        head = quantity.label + (f" ({series})" if series else "")
        text = (
            f"{head}: {first.label} with {level_said(factor, first.level)},"
            f" {last.label} with {level_said(factor, last.level)}"
        )
        if quantity.better == "higher" and first.value > 0 and first.level > 0:
            runs = frame[(frame["part"] == "run") & (frame["metric"] == name)]
            runs = runs[runs["series"] == series].drop(columns="n").rename(columns={"level": "n"})
            (share,) = efficiency(runs, level=level).itertuples()
            text += f", {_share(share)}"
            # More than at the last level only where their intervals lie apart.
            top = max(rows, key=lambda row: row.value)
            if top.low > last.high:
                text += f"; the most is {top.label} with {level_said(factor, top.level)}"
        found.append(f"{text}.")
    return found


def _share(row: Any) -> str:
    value, low, high = (100 * each for each in (row.value, row.low, row.high))
    text = f"{borne(value, low, high, 1)} % of linear growth"
    return text if math.isnan(low) else f"{text} ({ends_borne(value, low, high, 1)} %)"


def behind(row: Any) -> str:
    """The interval of a mean, and how many runs are behind it: “24.1 to 24.7, 3 runs”."""
    runs = counted(int(row.n), "run")
    if pd.isna(row.low):
        return runs
    most = metric(row.metric).decimals_of(row.value)
    return f"{ends_borne(row.value, row.low, row.high, most)}, {runs}"


def table(frame: pd.DataFrame, factor: str) -> pd.DataFrame:
    """The means at each level of each series, as texts."""
    means = frame[frame["part"] == "mean"].sort_values(["series", "level"], kind="stable")
    cells: dict[tuple[str, float], dict[str, str]] = {}
    for row in means.itertuples():
        own: Any = row
        text = f"{own.label}\n{behind(own)}"
        cells.setdefault((own.series, own.level), {})[metric(own.metric).label] = text
    labels = [metric(name).label for name in dict.fromkeys(frame["metric"])]
    texts = [
        [series, number_said(level), *(own.get(each, "") for each in labels)]
        for (series, level), own in cells.items()
    ]
    found = pd.DataFrame(texts, columns=["other factors", factor.replace("_", " "), *labels])
    return found if means["series"].any() else found.drop(columns="other factors")
