"""Goals, judged on a data set: by the interval, as claims are.

A goal that leaves several setups, hosts or labels open must hold in each: it is missed where one
of them misses it, and open where one is open.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from studybook.claims.goal_values import Source, Value
from studybook.claims.goals import Against, Goal, Listed, place, read_goals
from studybook.claims.judge import judge
from studybook.claims.published_values import Accepted, Claim
from studybook.claims.verdict import Judgement, Verdict
from studybook.dataset.paths import DataSet
from studybook.errors import NeedsData, StudyBookError, did_you_mean
from studybook.formats.raw import sha256
from studybook.statistics.batches import FEWEST
from studybook.statistics.intervals import (
    RUNS_THAT_TELL,
    Interval,
    OneRun,
    mean_interval,
    ratio_interval,
)
from studybook.study import provenance
from studybook.study.batches import WITH_A_COURSE
from studybook.study.scope import Scope
from studybook.study.study import Study
from studybook.units import bounds_of

#: Worst first: what a goal is that must hold in several setups.
_ORDER = (Verdict.FAILS, Verdict.OPEN, Verdict.UNJUDGED, Verdict.HOLDS)


@dataclass(frozen=True)
class Part:
    """The judgement on one setup (host, label) that a goal is about.

    Attributes
    ----------
    setup : str
        By what it differs from the other parts of the goal; empty where there is only one.
    judgement : Judgement
        The estimate with its interval, the verdict and its reason.
    behind : str
        The runs or batches that the interval is of, in words; empty where there is none.
    """

    setup: str
    judgement: Judgement
    behind: str


@dataclass(frozen=True)
class GoalJudgement:
    """A goal, and the verdict on each setup that it is about.

    Attributes
    ----------
    listed : Listed
        The goal, and where it stands.
    parts : tuple of Part
        A part for each setup, the worst first.
    excluded : mapping
        The runs that a person has excluded, which are in no part, and why; of another data set with
        its name.
    without : mapping
        The runs that it does not see for want of factors that it names, and these factors, where
        somebody has asked (:meth:`~studybook.claims.goal_values.Source.without`).
    """

    listed: Listed
    parts: tuple[Part, ...]
    excluded: Mapping[str, str] = field(default_factory=dict)
    without: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the goal: that on the worst of its parts."""
        return self.parts[0].judgement.verdict

    @property
    def missed(self) -> bool:
        """Whether the data show that it does not hold."""
        return self.verdict is Verdict.FAILS


class Judge:
    """Judges the goals of one study on one data set.

    Parameters
    ----------
    study : Study
        The opened study.
    data_set : DataSet
        The data set that it is of; others are looked for beside it.
    """

    def __init__(self, study: Study, data_set: DataSet) -> None:
        self.here, self.data_set = Source(study, ""), data_set
        self._others: dict[str, Source | str] = {}

    def judge(self, listed: Listed) -> GoalJudgement:
        """The verdict on a goal, with that on each setup that it is about."""
        against = listed.goal.against
        name = against.data_set if against else None
        other = self._other(name) if name else self.here
        excluded = self.here.excluded
        if isinstance(other, Source):
            excluded |= other.excluded
        return GoalJudgement(listed, tuple(self._parts(listed.goal, other)), excluded)

    def _parts(self, goal: Goal, other: Source | str) -> list[Part]:
        values = self.here.values(goal, goal.at, slice(0, goal.newest) if goal.newest else None)
        if not values:
            return self._unjudged(goal, self.here.why_none(goal, goal.at))
        if goal.against is None:
            pairs: list[tuple[Value, Value | None, str]] = [(each, None, "") for each in values]
        else:
            if isinstance(other, str):
                return self._unjudged(goal, other)
            pairs = _paired(goal, goal.against, values, other)
        varied = _varied([value.factors for value, _, _ in pairs])
        parts = []
        for value, over, fault in pairs:
            there = [name for name in varied if name in value.factors]
            setup = ", ".join(f"{name} = {value.factors[name]}" for name in there)
            parts.append(_part(goal, setup, value, over, fault))
        return sorted(parts, key=lambda each: _badness(goal, each))

    def _unjudged(self, goal: Goal, why: str) -> list[Part]:
        return [Part("", _cannot(goal.claim(), why), "")]

    def _other(self, name: str) -> Source | str:
        """The same study in another data set, read-only; or why there is none."""
        if name not in self._others:
            self._others[name] = self._opened(name)
        return self._others[name]

    def _opened(self, name: str) -> Source | str:
        root = self.data_set.root
        if name == self.data_set.name:
            return f"{name} is this data set: it would be set against itself"
        there = {path.name for path in root.glob("data/raw/*/")}
        there |= {path.parent.name for path in root.glob("build/*/study.duckdb")}
        if name not in there:
            do = did_you_mean(name, there - {self.data_set.name})
            return f"there is no data set {name}" + (f"; {do}" if do else "")
        database = DataSet(name, root).database
        digest = sha256(database) if database.is_file() else ""
        provenance.note_definition(database.relative_to(root).as_posix(), digest)
        if not digest:
            return f"the data set {name} is not loaded: studybook load -d {name}"
        scope = Scope(self.here.study.scope.study, {})
        try:
            other = Source(Study(scope, database, root, noted=False), name)
        except NeedsData:
            return f"the data set {name} has no run of the study {scope.study}"
        provenance.note_excluded(other.excluded)
        return other


def _paired(
    goal: Goal, against: Against, values: Sequence[Value], other: Source
) -> list[tuple[Value, Value | None, str]]:
    """Each value with that which it is set against: of the same setup, but for what was asked."""
    at = goal.at | against.at
    newest = None
    if against.before is not None and goal.newest is not None:
        newest = slice(goal.newest, goal.newest + against.before)
    others = other.values(goal, at, newest)
    if not others and newest:
        return [(each, None, "there is no run before the newest") for each in values]
    if not others:
        return [(each, None, other.why_none(goal, at)) for each in values]

    def key(value: Value) -> dict[str, str]:
        return {k: v for k, v in value.factors.items() if k not in at}

    of_key = {tuple(sorted(key(each).items())): each for each in others}
    found = []
    for value in values:
        over = of_key.get(tuple(sorted(key(value).items())))
        # One of either is the pair, whatever else their run.yml says.
        if over is None and len(values) == len(others) == 1:
            over = others[0]
        if over and not other.name and over.factors == value.factors and not newest:
            continue  # itself
        setup = ", ".join(f"{k} = {v}" for k, v in key(value).items())
        said = f"{goal.other} has no such setup: {setup or 'without factors'}"
        found.append((value, over, "" if over else said))
    return found or [(values[0], None, f"{goal.other} is this setup: there is no other")]


def _varied(setups: Sequence[Mapping[str, str]]) -> list[str]:
    """The factors in which setups differ; a host tells its role as well."""
    names = sorted({name for each in setups for name in each})
    found = [name for name in names if len({each.get(name) for each in setups}) > 1]
    return [name for name in found if name != "role" or "host" not in found]


def _cannot(claim: Claim, why: str, origin: str = "") -> Judgement:
    return Judgement(claim, None, "", 0, Verdict.UNJUDGED, why, origin)


def _part(goal: Goal, setup: str, value: Value, over: Value | None, fault: str) -> Part:
    claim = goal.claim()
    why = fault or value.fault or (over.fault if over else "")
    if over and not why and over.origin != value.origin:
        why = f"it would set {value.origin} against {over.origin} data"
    if over and not why and over.sample.mean == 0:
        why = f"{goal.other} has 0, of which nothing is a share"
    if isinstance(goal.equals, str) and not value.text and not why:
        why = f"{goal.metric} is a number, not a text: give it without quotation marks"
    if value.text and isinstance(claim.value, int | float) and not value.sample.mean and not why:
        why = f"{goal.metric} is a text: give what it must read as equals"
    if why:
        return Part(setup, _cannot(claim, why, value.origin), "")
    n = min(value.sample.n, over.sample.n) if over else value.sample.n
    if isinstance(goal.equals, str):
        verdict = Verdict.HOLDS if value.text == goal.equals else Verdict.FAILS
        found = Judgement(claim, None, value.text, n, verdict, f"reads {value.text}", value.origin)
        return Part(setup, found, _behind(value, None, None))
    one = _one_run(goal, value, over)
    measured, bound_at_zero = _measured(goal, claim.accepted, value, over, one)
    verdict, why = judge(claim, measured, name="goal")
    behind = _behind(value, over, None if bound_at_zero else one)
    if bound_at_zero:
        why = "all values are 0" if verdict is Verdict.HOLDS else "one value above 0 is enough"
    elif math.isnan(measured.low):
        why = _why_open(goal.metric, value, over)
    elif " batches of the run " in behind:
        why += "; it is of batches of the stable phase, and speaks for that run"
    found = Judgement(claim, measured, "", n, verdict, why, value.origin)
    return Part(setup, found, behind)


def _measured(
    goal: Goal, accepted: Accepted, value: Value, over: Value | None, one: OneRun | None
) -> tuple[Interval, bool]:
    """The estimate and its interval; and whether the goal asks for 0 of what cannot be less.

    The mean of what cannot be less than 0 is 0 only where all is: one error is against "no errors",
    however rare, and none at all has no scatter.
    """
    if over is not None:
        found = one.ratio() if one else ratio_interval(value.sample, over.sample)
        exact = value.exact and over.exact
    else:
        least, most = bounds_of(goal.metric)
        found = mean_interval(value.sample, least=least, most=most)
        if one:
            found = one.interval().within(least, most)
        exact = value.exact
        if accepted.high == least:
            return Interval(found.estimate, found.estimate, found.estimate), not exact
    if exact:
        return Interval(found.estimate, found.estimate, found.estimate), False
    return found, False


def _one_run(goal: Goal, value: Value, over: Value | None) -> OneRun | None:
    """The newest run as one more of those before it, by whose scatter it is judged.

    Night differs from night by more than the parts of one night tell. Against a bound it is judged
    by these parts nevertheless, where there are such, as runs are that nobody called the newest.
    """
    exact = value.exact and (over is None or over.exact)
    if len(value.runs) != 1 or goal.newest is None or exact:
        return None
    if over is not None:
        of_before = goal.against is not None and goal.against.before is not None
        found = OneRun(value.runs[0], over.runs if of_before else ())
    else:
        found = OneRun(value.runs[0], value.before if value.sample.n < 2 else ())
    return found if found.tells else None


def _behind(value: Value, over: Value | None, one: OneRun | None) -> str:
    said, other = (
        f"{each.behind or '1 run'}{each.which}" if each else "" for each in (value, over)
    )
    if one:
        other = other or f"{len(one.runs)} runs before it"
        return f"1 run{value.which}, by the scatter of {other}"
    return said if over is None or said == other else f"{said} against {other}"


def _why_open(metric: str, value: Value, over: Value | None) -> str:
    for each in (value, over):
        if each is not None and each.sample.n < 2:
            lacking = (
                f"its stable phase has no {FEWEST} batches of this metric that do not depend on"
                " each other"
                if metric in WITH_A_COURSE
                else "it has one value of this metric, and not how that scatters"
            )
            return (
                f"there is one run only, and {lacking}: no interval; repeat the run; of the newest,"
                f" {RUNS_THAT_TELL} runs before it would tell"
            )
    return "the scatter is so large that the share has no interval"


def _badness(goal: Goal, part: Part) -> tuple[int, float, str]:
    """The worst first: by verdict, then by how far the estimate lies to the wrong side."""
    measured = part.judgement.measured
    distance = 0.0
    if measured is not None:
        accepted = part.judgement.claim.accepted
        below = accepted.low - measured.estimate if math.isfinite(accepted.low) else -math.inf
        above = measured.estimate - accepted.high if math.isfinite(accepted.high) else -math.inf
        distance = -max(below, above)
    return _ORDER.index(part.judgement.verdict), distance, part.setup


def judge_goals(root: Path, study: Study, data_set: DataSet) -> tuple[GoalJudgement, ...]:
    """Judge all goals of a study, and note that the notebook used them.

    Parameters
    ----------
    root : pathlib.Path
        The folder of the book.
    study : Study
        The opened study.
    data_set : DataSet
        The data set that it is of.

    Raises
    ------
    StudyBookError
        If the file of goals is missing or wrong.
    """
    found = Judge(study, data_set)
    return tuple(found.judge(each) for each in used_goals(root, study.scope.study))


def used_goals(root: Path, study: str) -> tuple[Listed, ...]:
    """Read the goals of a study, and note that the notebook used them; errors as of reading."""
    listed, path = read_goals(root, study), place(root, study)
    provenance.note_definition(path.relative_to(root).as_posix(), sha256(path))
    return listed


def open_for_goals(data_set: DataSet, study: str) -> Study:
    """Open a study of a loaded data set, outside of a notebook.

    Raises
    ------
    StudyBookError
        If the data set is not loaded; :class:`NeedsData` if it has no run of the study.
    """
    if not data_set.database.is_file():
        raise StudyBookError(
            f"the data set {data_set.name} is not loaded\n  → studybook load -d {data_set.name}"
        )
    return Study(Scope(study, {}), data_set.database, data_set.root)
