"""The history of a metric: the runs of one setup over time, and where its level moved."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from statistics import median
from typing import Any

import pandas as pd

from studybook.dataset.manifest import REPETITION
from studybook.errors import StudyBookError, did_you_mean
from studybook.frames.compared import rank_of
from studybook.frames.evidence import Evidence, Value, of_test, quantity, said_of, tests_of
from studybook.statistics.change import ALPHA, FEWEST, SHORTEST, Change, told_and_suspected
from studybook.statistics.difference import holm
from studybook.statistics.digits import borne
from studybook.statistics.far_out import FAR_OUT, far_out
from studybook.statistics.intervals import OneRun
from studybook.study.origin import run_name
from studybook.text import numbered
from studybook.units import Metric

#: A change among so many newest runs is news.
RECENT = 10


@dataclass(frozen=True)
class History:
    """The runs of one setup in the order of time, by one metric.

    Attributes
    ----------
    metric : Metric
        The quantity.
    setup, of : tuple of pairs
        The factors that the runs have in common; what tells the value from others of a run.
    runs : pandas.DataFrame
        A row per run, in the order of time: ``origin``, ``run_id``, ``start_utc``, ``value``.
    changes : tuple of Change
        Where the level moved.
    undated : tuple of str
        Ids of runs that are left out, for nothing says when they were.
    suspected : Change, optional
        Where no change is told, the one that may be: more runs will tell.
    """

    metric: Metric
    setup: tuple[tuple[str, str], ...]
    of: tuple[tuple[str, str], ...]
    runs: pd.DataFrame
    changes: tuple[Change, ...]
    undated: tuple[str, ...]
    suspected: Change | None = None

    @property
    def title(self) -> str:
        """The setup in words."""
        words = [f"{name}={value}" for name, value in self.setup]
        return ", ".join(words + said_of(self.of)) or "all runs"

    @property
    def enough(self) -> bool:
        """Whether there are enough runs to find a change."""
        return len(self.runs) >= FEWEST

    @property
    def told(self) -> tuple[Change, ...]:
        """The changes; where there are none, the one that may be."""
        return self.changes or tuple(filter(None, [self.suspected]))

    @cached_property
    def newest_alone(self) -> Change | None:
        """The newest run beside those of its level, where chance would hardly put it so far out.

        It is no change yet, and told as if it were one. Runs before that lie far out themselves do
        not count: one bad night would hide the next for as long as the level lasts. Where all
        before agree, such as in 0 % of errors, the first that differs is told, with the share of
        runs that do.
        """
        if not self.enough:
            return None
        *older, (*before, last) = self._levels()
        kept, at = _without_far_out(before), len(self.runs) - 1
        if not older and all(math.isclose(each, kept[0]) for each in kept):
            alike, odd = math.isclose(last, kept[0]), 1 + len(before) - len(kept)
            return None if alike else Change(at, kept[0], last, odd / len(self.runs))
        found = OneRun(last, tuple(kept))
        if len(kept) < SHORTEST or not found.scatter or found.p() > ALPHA:
            return None
        return Change(at, found.mean, last, found.p())

    def _levels(self) -> list[tuple[float, ...]]:
        """The values of the runs of each level."""
        ends = [0, *(each.at for each in self.changes), len(self.runs)]
        return [tuple(self.runs["value"].iloc[begin:end]) for begin, end in pairwise(ends)]

    def verdict(self, change: Change) -> str:
        """The direction of a change, with “perhaps” where it is only suspected."""
        if change is self.newest_alone:
            return f"alone, {self.direction(change)}"
        return ("" if self.changes else "perhaps ") + self.direction(change)

    def direction(self, change: Change) -> str:
        """Whether a change is for the worse, for the better, or neither: higher or lower."""
        risen = change.after > change.before
        if self.metric.better == "neither":
            return "higher" if risen else "lower"
        return "better" if risen == (self.metric.better == "higher") else "worse"

    def got_worse(
        self, recent: int = RECENT, at_least: float = 0.0, *, early: bool = False
    ) -> bool:
        """Whether the last change is for the worse, of some size, and among the newest runs.

        Whoever wants to know ``early`` counts what is only suspected, and a newest run alone.
        """
        last = [*(self.told if early else self.changes)[-1:]]
        if early and self.newest_alone:
            last.append(self.newest_alone)
        return any(
            self.direction(each) == "worse"
            and len(self.runs) - each.at <= recent
            and each.size >= at_least
            for each in last
        )

    def level(self, value: float) -> str:
        """A level as it is printed: with three digits, by which a change of it can be told."""
        three = 2 - math.floor(math.log10(abs(value))) if value else 0
        text = borne(value, None, None, max(self.metric.decimals, 1, three))
        return numbered(text.replace("-", "−"), self.metric.unit)

    def frame(self) -> pd.DataFrame:
        """The runs with their levels, as a chart draws them.

        Returns
        -------
        pandas.DataFrame
            ``origin``, ``run``, ``setup``, ``start`` (as short as tells the runs apart),
            ``start_utc``, ``value``, ``level`` (median between two changes), ``note`` at the first
            run of a new level and ``alone`` at a newest one that lies so.
        """
        levels: list[float] = []
        for runs in self._levels():
            levels += [median(runs)] * len(runs) if runs else []
        notes, alone = [""] * len(self.runs), [""] * len(self.runs)
        for each in self.changes:
            notes[each.at] = f"{percent(each.share)}, {self.direction(each)}"
        if newest := self.newest_alone:
            alone[newest.at] = f"{self.verdict(newest)}, {percent(newest.share)}"
        names = self.runs["run_id"].map(run_name)
        return pd.DataFrame(
            {
                "origin": self.runs["origin"],
                "run": names,
                "setup": self.title,
                "start": _told_apart(self.runs["start_utc"], names),
                "start_utc": self.runs["start_utc"].astype(str),
                "value": self.runs["value"],
                "level": levels,
                "note": notes,
                "alone": alone,
            }
        )

    def record(self) -> dict[str, Any]:
        """The history as plain data, for JSON."""
        return {
            "metric": self.metric.name,
            "unit": self.metric.unit,
            "setup": dict(self.setup),
            "of": dict(self.of),
            "enough_runs": self.enough,
            "runs": [
                {"run": row.run_id, "start_utc": str(row.start_utc), "value": row.value}
                for row in self.runs.itertuples()
            ],
            "without_time": list(self.undated),
            "changes": [self._record(each) for each in self.changes],
            "suspected": self._record(self.suspected) if self.suspected else None,
            "newest_alone": self._record(self.newest_alone) if self.newest_alone else None,
        }

    def _record(self, change: Change) -> dict[str, Any]:
        return {
            "first_run": str(self.runs["run_id"].iloc[change.at]),
            "before": change.before,
            "after": change.after,
            "share": change.share if math.isfinite(change.share) else None,
            "p": change.p,
            "direction": self.direction(change),
        }


def in_order(found: Iterable[History]) -> list[tuple[History, Change]]:
    """The changes that histories tell of, the most important first.

    What is certain goes before what may be, this before newest runs that lie alone, and what got
    worse before what got better; then the main metrics go first, as in a comparison, and the size.
    """

    def place(of: tuple[History, Change]) -> tuple[Any, ...]:
        history, change = of
        direction, alone = history.direction(change), change is history.newest_alone
        rank = rank_of(history.metric.name, history.of)
        certain = bool(history.changes)
        return alone, not certain, direction != "worse", direction != "better", rank, -change.size

    every = ((each, change) for each in found for change in (*each.told, each.newest_alone))
    return sorted(((each, change) for each, change in every if change), key=place)


def _without_far_out(values: list[float]) -> list[float]:
    """The values but for such as lie far out, and but for the only one that differs."""
    alike = [each for each in values if math.isclose(each, median(values))]
    if len(alike) == len(values) - 1 > SHORTEST:
        return alike
    p_values = holm(far_out(values))
    return [value for value, p in zip(values, p_values, strict=True) if not p < FAR_OUT]


def _told_apart(times: Iterable[datetime], names: Iterable[str]) -> list[str]:
    """Times as texts, in their order: the day alone where no two runs are of one."""
    for form in ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"):
        texts = [time.strftime(form) for time in times]
        if len(set(texts)) == len(texts):
            return texts
    return [f"{text} {name}" for text, name in zip(texts, names, strict=True)]


def percent(share: float) -> str:
    """A change in per cent, with its sign."""
    return f"{100 * share:+.1f} %".replace("-", "−") if math.isfinite(share) else "from zero"


def histories(evidence: Evidence, metric: str, across: Collection[str] = ()) -> list[History]:
    """The histories of a metric: one per setup, those with a change first, then the longest.

    Runs are of one setup if they agree in all factors but the number of the repetition.

    Parameters
    ----------
    evidence : Evidence
        What the study says.
    metric : str
        Name of the metric.
    across : collection of str
        Factors in which the runs of a setup may differ, too, such as the release.

    Raises
    ------
    StudyBookError
        If no run has the metric.
    """
    there = {each.metric for each in evidence.values}
    if metric not in there:
        do = did_you_mean(metric, there, 2) or f"they have: {', '.join(sorted(there)) or 'none'}"
        raise StudyBookError(f"no run has the metric {metric!r}\n  → {do}")
    setups = _by_setup(evidence, metric, across)
    tests = tests_of(setups)
    found = [
        _history(evidence, metric, setup, of_test(of, test, tests[setup, of]), values)
        for (setup, of, test), values in sorted(setups.items(), key=lambda item: item[0])
    ]
    return sorted(_once(found), key=lambda each: (not each.changes, -len(each.runs)))


def factors_of(evidence: Evidence) -> set[str]:
    """The names of all factors of the runs, but for the number of the repetition."""
    return {name for each in evidence.factors.values() for name in each} - {REPETITION}


def _by_setup(evidence: Evidence, metric: str, across: Collection[str]) -> dict[Any, list[Value]]:
    """The values of a metric by their setup, what they are of, and the test."""
    setups: defaultdict[Any, list[Value]] = defaultdict(list)
    for each in evidence.values:
        if each.metric == metric:
            factors = evidence.factors[each.run_id].items()
            setup = tuple(sorted((n, v) for n, v in factors if n != REPETITION and n not in across))
            setups[setup, each.of, each.test].append(each)
    return setups


def _once(found: Sequence[History]) -> Iterator[History]:
    """Histories without that of the only label, which says what all requests together say."""
    of_all = [each for each in found if _is_of_all(each)]
    for each in found:
        again = (one.setup == each.setup and one.runs.equals(each.runs) for one in of_all)
        if _is_of_all(each) or not any(again):
            yield each


def _is_of_all(history: History) -> bool:
    return dict(history.of).get("label", "all") == "all"


def longer_across(evidence: Evidence, metric: str) -> dict[str, int]:
    """The factors across which a metric has a history that is long enough, and of how many runs."""
    runs = evidence.runs
    dated = set(runs.loc[runs["start_utc"].notna(), "run_id"])
    longest = {
        name: max(
            len({value.run_id for value in values} & dated)
            for values in _by_setup(evidence, metric, (name,)).values()
        )
        for name in sorted(factors_of(evidence))
    }
    return {name: number for name, number in longest.items() if number >= FEWEST}


def what_moved(evidence: Evidence, before: str, run: str, across: Iterable[str]) -> list[str]:
    """The factors in which a run differs from the one before it, such as “release 4.2 → 4.3”."""
    then, now = evidence.factors[before], evidence.factors[run]
    pairs = [(name, then.get(name, "–"), now.get(name, "–")) for name in across]
    return [f"{name} {one} → {other}" for name, one, other in pairs if one != other]


def _history(
    evidence: Evidence,
    metric: str,
    setup: tuple[tuple[str, str], ...],
    of: tuple[tuple[str, str], ...],
    values: list[Value],
) -> History:
    numbers = pd.DataFrame(
        {"run_id": [v.run_id for v in values], "value": [v.sample.mean for v in values]}
    )
    means = numbers.groupby("run_id", as_index=False)["value"].mean()
    runs = means.merge(evidence.runs[["run_id", "origin", "start_utc"]], on="run_id")
    undated = tuple(runs.loc[runs["start_utc"].isna(), "run_id"])
    dated = runs.dropna(subset=["start_utc"]).sort_values(["start_utc", "run_id"])
    dated = dated[["origin", "run_id", "start_utc", "value"]].reset_index(drop=True)
    told, perhaps = told_and_suspected(dated["value"].tolist())
    return History(quantity(metric), setup, of, dated, tuple(told), undated, perhaps)
