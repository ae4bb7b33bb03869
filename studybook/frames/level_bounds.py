"""Up to which level of a factor a bound holds, in figures and in words.

The rows are those of :mod:`studybook.frames.levels`, with the part ``guide`` more: a bound.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import ValidationError

from studybook.claims import verdict_text
from studybook.claims.goal_judge import used_goals
from studybook.claims.goals import Goal, place
from studybook.claims.published_values import Claim
from studybook.errors import StudyBookError
from studybook.frames.levels import is_of, level_said, number_said, setup_said
from studybook.frames.load_guides import guide
from studybook.frames.words import listed
from studybook.study.origin import runs_behind
from studybook.text import counted
from studybook.units import metric

#: Series of which a title tells each.
_FEW = 3

#: Verdicts at a level: it holds; there is one run, which has no interval.
HOLDS, UNTOLD = "holds", "is not told"


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
        By level: the verdict in words.
    """

    bound: Claim
    series: str
    verdicts: tuple[tuple[float, str], ...]

    @property
    def upto(self) -> tuple[float, ...]:
        """The least levels, all of which keep to it; those of which nothing is told are not."""
        told = [each for each in self.verdicts if each[1] != UNTOLD]
        return tuple(level for level, _ in takewhile(lambda each: each[1] == HOLDS, told))

    def shortly(self, factor: str) -> str:
        """Up to where it is kept, where the least levels keep to it; else all verdicts."""
        if not self.upto:
            return self.said(factor)
        most = ", the most" if self.upto[-1] == self.verdicts[-1][0] else ""
        below = sum(level < self.upto[-1] for level, verdict in self.verdicts if verdict == UNTOLD)
        untold = f", with {counted(below, 'level')} of which nothing is told" if below else ""
        return f"{HOLDS} up to {level_said(factor, self.upto[-1])}{most}{untold}"

    def said(self, factor: str) -> str:
        """The verdicts in words: “holds with 8 to 32 clients and is missed with 64 clients”."""
        parts = []
        for verdict, same in groupby(self.verdicts, key=lambda each: each[1]):
            of = [level for level, _ in same]
            first = f"{number_said(of[0])} to " if len(of) > 1 else ""
            alone = " (one run)" if verdict == UNTOLD else ""
            parts.append(f"{verdict} with {first}{level_said(factor, of[-1])}{alone}")
        return listed(parts)


def kept(frame: pd.DataFrame, bounds: Sequence[Claim], factor: str) -> list[Kept]:
    """Judge bounds at each level of each series: by the whole interval, as goals are.

    Parameters
    ----------
    frame : pandas.DataFrame
        As of :func:`studybook.frames.levels.rows`.
    bounds : sequence of Claim
        As of :func:`bounds_for`.
    factor : str
        The factor of the levels; by its others, a bound is of some series only.
    """
    means, found = frame[frame["part"] == "mean"], []
    for bound in bounds:
        setup = _setup(bound, factor)
        own = means[means["metric"] == bound.metric]
        own = own.loc[[is_of(str(series), setup) for series in own["series"]]]
        for series, of in own.groupby("series", sort=False):
            ends = (
                of.sort_values("level", kind="stable")[["level", "low", "high"]]
                .astype(float)
                .to_numpy()
            )
            verdicts = tuple((level, _verdict(bound, low, high)) for level, low, high in ends)
            found.append(Kept(bound, str(series), verdicts))
    return found


def _setup(bound: Claim, factor: str) -> dict[str, object]:
    """The other factors that a bound is of."""
    return {name: value for name, value in bound.of.items() if name != factor}


def _verdict(bound: Claim, low: float, high: float) -> str:
    if math.isnan(low):
        return UNTOLD
    return {True: HOLDS, False: "is missed", None: "is open"}[bound.accepted.holds(low, high)]


def table(found: Sequence[Kept], factor: str) -> pd.DataFrame:
    """The verdicts on each bound in each series, as texts."""
    rows = [(bound_said(each.bound), each.series, each.said(factor)) for each in found]
    every = pd.DataFrame(rows, columns=["bound", "other factors", "verdict"])
    return every if every["other factors"].any() else every.drop(columns="other factors")


def _ends(bound: Claim) -> list[float]:
    """The numbers between which its values lie: one, if it is open on one side."""
    ends = {bound.accepted.low, bound.accepted.high}
    return sorted(each for each in ends if math.isfinite(each))


def bounds_for(
    root: Path,
    study: str,
    factor: str,
    limits: Mapping[str, float] | None = None,
    beside: Collection[str] = (),
) -> tuple[list[Claim], list[str]]:
    """What is expected of metrics at any level: limits of a reader, else the goals of the study.

    Parameters
    ----------
    root : pathlib.Path
        The folder of the book.
    study : str
        The study.
    factor : str
        The factor of the levels: a goal of one of them is held against all, but for how much is
        done there.
    limits : mapping, optional
        By metric: what is at most accepted, or at least where more is better.
    beside : collection of str
        Other factors that tell series apart: a goal that names some is of these series.

    Returns
    -------
    list of Claim
        The bounds.
    list of str
        Goals that bound something, but not each level of all that is drawn.

    Raises
    ------
    StudyBookError
        If a limit is none, or the file of goals is wrong.
    """
    if limits is not None:
        return [_limit(name, limit) for name, limit in limits.items()], []
    if not place(root, study).is_file():
        return [], []
    goals = [each.goal for each in used_goals(root, study)]
    goals = [each for each in goals if each.against is None and not isinstance(each.equals, str)]
    known = {factor, *beside}
    general = [
        each
        for each in goals
        if each.of.keys() <= known
        and each.newest is None
        # How much is done at many levels of load says nothing of how much must be at few.
        and not (factor in each.of and metric(each.metric).better == "higher")
    ]
    claims = [each.claim() for each in general]
    # Several levels may have one bound.
    once = {(each.metric, each.accepted, setup_said(_setup(each, factor))): each for each in claims}
    return list(once.values()), [each.goal for each in goals if each not in general]


def _limit(name: str, limit: object) -> Claim:
    key = "at_least" if metric(name).better == "higher" else "at_most"
    try:
        return Goal.model_validate({"goal": name, "metric": name, key: limit}).claim()
    except ValidationError as error:
        said = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise StudyBookError(
            f"limits: {name}: {said}\n  → write as  limits: {{{name}: 20}}"
        ) from error


def guides(frame: pd.DataFrame, bounds: Sequence[Claim], factor: str) -> pd.DataFrame:
    """The frame with a line for each end of a bound, in the panel of its metric.

    One that is of some series only says of which; several with one end are one line.
    """
    ends = frame["level"].min(), frame["level"].max()
    said = {(each.metric, each.accepted): each for each in bounds}
    setups: dict[Any, list[str]] = {key: [] for key in said}
    for each in bounds:
        setups[each.metric, each.accepted].append(setup_said(_setup(each, factor)))
    of = {key: f" ({'; '.join(names)})" if all(names) else "" for key, names in setups.items()}
    lines = [
        guide(
            "level",
            [(at, end) for at in ends],
            verdict_text.accepted(bound) + of[key],
            metric=bound.metric,
            origin=frame["origin"].iloc[0],
            series="",
            **runs_behind(frame[frame["metric"] == bound.metric]),
        )
        for key, bound in said.items()
        for end in _ends(bound)
    ]
    return pd.concat([frame, *lines], ignore_index=True)


def bound_said(bound: Claim) -> str:
    """A bound in words, with its metric: “p95 response time of at most 20 ms”."""
    return f"{metric(bound.metric).label} of {verdict_text.accepted(bound)}"


def of_first(found: Sequence[Kept]) -> list[Kept]:
    """The series of the first bound, those too of which another goal says the same."""
    return [
        each
        for each in found
        if (each.bound.metric, each.bound.accepted)
        == (found[0].bound.metric, found[0].bound.accepted)
    ]


def without_course(bounds: Sequence[Claim], found: Sequence[Kept], factor: str) -> list[str]:
    """The bounds that no series can be held against, in words."""
    there = [each.bound for each in found]
    return sorted(
        bound_said(each) + (f" ({setup})" if (setup := setup_said(_setup(each, factor))) else "")
        for each in bounds
        if each not in there
    )


def title(found: Sequence[Kept], factor: str) -> str:
    """Up to where the series keep to one bound; of many, that which does so the least.

    Parameters
    ----------
    found : sequence of Kept
        The series of one bound, one at least.
    factor : str
        The factor.
    """
    head = bound_said(found[0].bound)
    if len(found) > _FEW:
        worst = min(found, key=lambda each: each.upto[-1:])
        same = sum(each.upto[-1:] == worst.upto[-1:] for each in found)
        who = f"{worst.series}, the least of {len(found)} setups" if same == 1 else (
            f"{same} of {len(found)} setups, such as {worst.series}"
        )  # fmt: skip
        return f"{head} {worst.shortly(factor)} ({who})"
    told = [each.shortly(factor) + f" ({each.series})" * bool(each.series) for each in found]
    if all(each.upto for each in found):
        told[1:] = [each.removeprefix("holds ") for each in told[1:]]
    return f"{head} {'; '.join(told)}"
