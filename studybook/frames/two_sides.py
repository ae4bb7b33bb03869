"""The comparison of two sides: two runs, two levels of a factor, or two data sets.

What differs between them besides stands first. Then comes each metric: both means, the difference
with its interval, and a verdict by the direction of the metric.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from studybook.errors import StudyBookError, did_you_mean
from studybook.frames.compared import Besides, Compared, FarOut, Row, Verdict
from studybook.frames.evidence import Pairs, Value, each_once, of_test, quantity, tests_of
from studybook.frames.side import Side, names_runs
from studybook.frames.verdicts import with_verdicts
from studybook.statistics.batches import FEWEST, batch_sample
from studybook.statistics.difference import (
    Difference,
    by_summary,
    holm,
    of_one_run,
    of_repetitions,
)
from studybook.statistics.far_out import FAR_OUT, far_out
from studybook.statistics.intervals import Sample, pooled
from studybook.study.batches import BY_INTERVALS, WITH_A_COURSE
from studybook.study.origin import run_name
from studybook.text import counted, first_of

#: Runs that a message names.
_FEW = 4

#: Names that a message lists.
_MOST_KNOWN = 20

#: Why there is no test where the parts of a run are not independent.
DRIFTS = "it drifts: parts of its stable phase follow their neighbours"


def compare(
    first: Side,
    second: Side,
    *,
    at_least: float = 0.0,
    only: Sequence[str] = (),
    without: Sequence[str] = (),
    look_further: bool = True,
) -> Compared:
    """Set the second side against the first.

    Two runs are taken as they are. Of several runs, those are set against each other that agree in
    the factors that vary within a side, without those by which the sides were chosen.

    Parameters
    ----------
    first, second : Side
        The sides.
    at_least : float
        What a difference must be to matter, as a share of the first side, such as 0.02.
    only, without : sequence of str
        What to compare, and what not: metrics or patterns of their names, such as ``response_*``,
        or what a value is of, such as ``host=web*``.
    look_further : bool
        Whether to look for runs that lie far out of their side, and to compare the others.

    Raises
    ------
    StudyBookError
        If both sides are the same runs, or one of the patterns fits nothing.
    """
    same = set(first.runs) & set(second.runs) if first.evidence is second.evidence else set()
    if same:
        raise StudyBookError(
            f"{first.name} and {second.name} have {counted(len(same), 'run')} in common:"
            f" {', '.join(sorted(same)[:3])}\n  → name two sides without a common run"
        )
    by = _matched_by(first, second)
    sides = _chosen(_labels_once(_values(first, second, by)), only, without)
    both = sorted(sides[0].keys() & sides[1].keys())
    tests = tests_of(both)
    rows = [_row(key, tests[key[:-1]], sides[0][key], sides[1][key]) for key in both]
    rows = with_verdicts(rows, at_least)
    order = list(Verdict)
    rows.sort(key=lambda row: (order.index(row.verdict), row.rank, -row.size, row.title))
    out = _far_out((first, second), sides, both) if look_further else ()
    others = None
    if out:
        rest = [_without(side, {each.run for each in out}) for side in (first, second)]
        with suppress(StudyBookError):  # what one asks for may be of the runs far out only
            others = compare(
                *rest, at_least=at_least, only=only, without=without, look_further=False
            )
    return Compared(
        first,
        second,
        (*_besides(first, second, by), *_other_tests(sides)),
        tuple(rows),
        (
            *_on_no_side(first, second),
            *_in_no_row(first, second, rows),
            *_alone(first, sides[0], sides[1]),
            *_alone(second, sides[1], sides[0]),
        ),
        at_least,
        "" if rows else _why_none(first, second, by, sides),
        out,
        others,
    )


def _far_out(of: tuple[Side, Side], sides: Sides, keys: Iterable[Key]) -> tuple[FarOut, ...]:
    """Runs that lie far out of the others of their side, the furthest first.

    One in a hundred comparisons names one though all are alike: p-values are corrected for the
    number of runs and metrics.
    """
    asked: list[tuple[float, str, str, str]] = []
    for key in keys:
        for side, values in zip(of, (each[key] for each in sides), strict=True):
            of_run = _by_run(values)
            found = far_out([each.mean for each in of_run.values()])
            label = quantity(key[0]).label
            asked += [(p, run, side.name, label) for p, run in zip(found, of_run, strict=True)]
    corrected = holm([p for p, *_ in asked])
    told: dict[tuple[str, str], dict[str, None]] = {}
    certain = [each for each in zip(corrected, asked, strict=True) if each[0] < FAR_OUT]
    for _, (_, run, side_name, label) in sorted(certain):
        told.setdefault((run, side_name), {})[label] = None
    return tuple(FarOut(run, side, tuple(labels)) for (run, side), labels in told.items())


def _without(side: Side, runs: Collection[str]) -> Side:
    return replace(side, runs=tuple(run for run in side.runs if run not in runs))


def comparable(first: Side, second: Side) -> bool:
    """Whether the sides have a metric in common whose difference is a share of the first side."""
    one, other = _labels_once(_values(first, second, _matched_by(first, second)))
    return any(value.sample.mean for key in one.keys() & other.keys() for value in one[key])


def _matched_by(first: Side, second: Side) -> tuple[str, ...]:
    """The factors that vary within a side, and by which its runs find their partners.

    One of which the sides have no level in common finds none. It is left out where another says as
    much of each side: load levels that are other numbers of users on each of them.
    """
    if len(first.runs) == len(second.runs) == 1:
        return ()
    levels = [_levels(side) for side in (first, second)]
    names = (levels[0].keys() | levels[1].keys()) - first.chosen - second.chosen
    both = {name: [each.get(name, {None}) for each in levels] for name in names}
    varying = {name for name, (one, other) in both.items() if max(len(one), len(other)) > 1}
    common = {name for name in varying if both[name][0] & both[name][1]}
    if first.by_name and second.by_name:  # builds, nights: each may have a commit of its own
        varying = {
            name
            for name in varying
            if name in common or not names_runs(first.levels(name) + second.levels(name))
        }
    for side in (first, second):
        setups = defaultdict(set)
        for run in side.runs:
            of = side.factors(run)
            setup = tuple(of.get(name) for name in sorted(common))
            setups[setup].add(tuple(of.get(name) for name in sorted(varying - common)))
        if any(len(each) > 1 for each in setups.values()):
            return tuple(sorted(varying))
    return tuple(sorted(common))


def _levels(side: Side) -> dict[str, set[str | None]]:
    names = {name for run in side.runs for name in side.factors(run)}
    return {name: {side.factors(run).get(name) for run in side.runs} for name in names}


Key = tuple[str, Pairs, Pairs, str]
Sides = tuple[dict[Key, list[Value]], dict[Key, list[Value]]]


def _values(first: Side, second: Side, by: Sequence[str]) -> Sides:
    """The values of both sides by what they are of: metric, setup, label or host, and test.

    What a value counts must be the same on one side; between the sides it may differ.
    """
    found: list[dict[Key, list[Value]]] = []
    tests: list[dict[tuple[str, Pairs, Pairs], set[str]]] = []
    for side in (first, second):
        own, values, tested = set(side.runs), defaultdict(list), defaultdict(set)
        for value in each_once(side.evidence.values):
            if value.run_id in own:
                factors = side.factors(value.run_id)
                setup = tuple((name, factors[name]) for name in by if name in factors)
                values[value.metric, setup, value.of, value.test].append(value)
                tested[value.metric, setup, value.of].add(value.test)
        found.append(dict(values))
        tests.append(dict(tested))
    plain = {
        key for key in tests[0].keys() & tests[1].keys() if all(len(t[key]) == 1 for t in tests)
    }

    def without_test(values: dict[Key, list[Value]]) -> dict[Key, list[Value]]:
        return {(*key[:3], "" if key[:3] in plain else key[3]): v for key, v in values.items()}

    return without_test(found[0]), without_test(found[1])


def _labels_once(sides: Sides) -> Sides:
    """The values without those of the only label of both sides: it says what all together say.

    Each of its metrics would count twice in the correction.
    """
    labels: list[defaultdict[object, set[str]]] = [defaultdict(set), defaultdict(set)]
    of_all: list[dict[object, list[Value]]] = [{}, {}]
    for place, side in enumerate(sides):
        for key, values in side.items():
            if (label := _label(key)) not in ("", "all"):
                labels[place][_without_label(key)].add(label)
            else:
                of_all[place][_without_label(key)] = values

    def again(key: Key) -> bool:
        rest = _without_label(key)
        return all(
            labels[place][rest] == {_label(key)} and _alike(side[key], of_all[place].get(rest, ()))
            for place, side in enumerate(sides)
        )

    twice = {key for key in sides[0].keys() & sides[1].keys() if again(key)}
    one, other = ({k: v for k, v in side.items() if k not in twice} for side in sides)
    return one, other


def _chosen(sides: Sides, only: Sequence[str], without: Sequence[str]) -> Sides:
    """The values of which someone asks."""
    keys = sides[0].keys() | sides[1].keys()
    for pattern in (*only, *without):
        if not any(_fits(key, pattern) for key in keys):
            what = {f"{name}={value}" for key in keys for name, value in key[2]}
            known = what if "=" in pattern else {key[0] for key in keys}
            do = did_you_mean(pattern, known) or f"known: {', '.join(sorted(known)[:_MOST_KNOWN])}"
            raise StudyBookError(f"nothing that is compared fits {pattern!r}\n  → {do}")
    one, other = (
        {
            key: values
            for key, values in side.items()
            if (not only or any(_fits(key, pattern) for pattern in only))
            and not any(_fits(key, pattern) for pattern in without)
        }
        for side in sides
    )
    return one, other


def _fits(key: Key, pattern: str) -> bool:
    """Whether a metric has that name, or a value is of a host or label that is named."""
    name, equals, value = pattern.partition("=")
    of = dict(key[2])
    return name in of and fnmatchcase(of[name], value) if equals else fnmatchcase(key[0], name)


def _label(key: Key) -> str:
    return dict(key[2]).get("label", "")


def _without_label(key: Key) -> tuple[str, Pairs, Pairs]:
    metric, setup, of, _ = key
    return metric, setup, tuple(pair for pair in of if pair[0] != "label")


def _alike(values: Iterable[Value], others: Iterable[Value]) -> bool:
    one, other = (sorted((v.run_id, v.sample.mean) for v in each) for each in (values, others))
    return one == other


def _row(key: Key, tests: Collection[str], first: list[Value], second: list[Value]) -> Row:
    metric, setup, of, test = key
    of = of_test(of, test, tests)
    runs = tuple(tuple(dict.fromkeys(v.run_id for v in each)) for each in (first, second))
    found, why = _difference(first, second)
    return Row(
        quantity(metric), setup, of, (runs[0], runs[1]), found, math.nan, Verdict.UNTESTED, why,
    )  # fmt: skip


def _difference(first: list[Value], second: list[Value]) -> tuple[Difference, str]:
    """The difference by the test that suits the data, and what it rests on."""
    runs = [list(_by_run(each).values()) for each in (first, second)]
    means = [[sample.mean for sample in each] for each in runs]
    if one := of_one_run(means[0], means[1]):
        return one, f"{one.test} against {max(map(len, runs))}, by the scatter of these"
    if all(len(each) >= 2 for each in runs):
        found = of_repetitions(means[0], means[1])
        return found, f"{found.test} over {len(runs[0])} and {len(runs[1])} runs"
    samples = [pooled(each) for each in runs]
    if all(each.n >= 2 for each in samples):
        found = by_summary(samples[0], samples[1])
        within = "" if max(map(len, runs)) > 1 else ", within one run each"
        return found, f"{found.test} over {samples[0].n} and {samples[1].n} repetitions{within}"
    return _of_single_runs((first, second), samples)


def _by_run(values: Iterable[Value]) -> dict[str, Sample]:
    """One sample per run: rows of one run are repetitions within it."""
    runs: defaultdict[str, list[Sample]] = defaultdict(list)
    for each in values:
        runs[each.run_id].append(each.sample)
    return {run: pooled(each) for run, each in runs.items()}


def _of_single_runs(
    sides: tuple[list[Value], list[Value]], samples: Sequence[Sample]
) -> tuple[Difference, str]:
    """Where a side is one value: by the batches of its run, as goals are judged."""
    plain = by_summary(samples[0], samples[1])
    known, of = [], []
    for side, sample in zip(sides, samples, strict=True):
        (one, *_), taken = side, sample
        if sample.n < 2:
            if one.batches is None:
                return plain, f"{one.run_id}: {_no_scatter(one.metric)}"
            batches = batch_sample(one.batches, one.sample.mean)
            if batches is None:
                return plain, f"{one.run_id}: {DRIFTS}\n  → repeat the run"
            taken = batches
        known.append(taken)
        of.append(str(taken.n) if sample.n < 2 else f"{taken.n} repetitions")
    found = by_summary(known[0], known[1], test="batch means")
    single = sum(sample.n < 2 for sample in samples)
    only = "these two runs" if single == 2 else "the single run"
    return found, f"{found.test.removesuffix(',')}: {' and '.join(of)}, of {only} only"


def _no_scatter(metric: str) -> str:
    if metric in WITH_A_COURSE:
        of = "intervals of its stable phase are" if metric in BY_INTERVALS else "requests are"
        return (
            f"too few {of} known to tell how it scatters, by {FEWEST} batches\n  → repeat the run,"
            " run for longer" + ", or record in shorter intervals" * (metric in BY_INTERVALS)
        )
    return "a single value whose scatter is not known\n  → repeat the run"


def _why_none(first: Side, second: Side, by: Sequence[str], sides: Sides) -> str:
    """Why no value has a partner: often both sides have the metric, but not of the same."""
    both = {key[0] for key in sides[0]} & {key[0] for key in sides[1]}
    if not both:
        return "have no metric in common"
    setups = [{key[1] for key in side if key[0] in both} for side in sides]
    if setups[0] & setups[1]:
        return "have metrics in common, but of no label, host or test that both have"
    levels = [_levels(side) for side in (first, second)]
    never = [
        name for name in by if not levels[0].get(name, {None}) & levels[1].get(name, {None})
    ] or by
    return f"have metrics in common, but no two runs with the same {' and '.join(never)}"


def _besides(first: Side, second: Side, by: Sequence[str]) -> Iterable[Besides]:
    """Everything else in which the sides differ: factors, captures, hosts, exports, origin."""
    chosen = first.chosen | second.chosen
    for what in ("origin", "exports"):
        yield from _unlike(what, *(_texts(side, what) for side in (first, second)))
    names = sorted({n for side in (first, second) for run in side.runs for n in side.factors(run)})
    for name in names:
        if name not in chosen and name not in by:
            levels = [
                {side.factors(run)[name] for run in side.runs if name in side.factors(run)}
                for side in (first, second)
            ]
            yield from _unlike(f"factor {name}", *levels)
    facts = [{run: side.evidence.facts[run] for run in side.runs} for side in (first, second)]
    captured = sorted({name for side in facts for own in side.values() for name in own})
    for name in captured:
        texts = [{own[name] for own in side.values() if name in own} for side in facts]
        # What was captured on one side only is no difference of the systems.
        if all(texts) or name.startswith("host "):
            yield from _unlike(name, *texts)


def _texts(side: Side, column: str) -> set[str]:
    runs = side.evidence.runs
    texts = runs.loc[runs["run_id"].isin(side.runs), column].dropna()
    return {each for text in texts for each in text.split(", ")}


def _unlike(what: str, first: set[str], second: set[str]) -> Iterable[Besides]:
    if first != second:
        yield Besides(what, *(", ".join(sorted(each)) or "–" for each in (first, second)))


def _other_tests(sides: Sides) -> Iterable[Besides]:
    """Where the two sides do not count the same: tests with other options."""
    unlike = {}
    for key in sides[0].keys() & sides[1].keys():
        one, other = ({each.test for each in side[key]} for side in sides)
        if one != other:
            unlike[f"test of {quantity(key[0]).label}"] = one, other
    for what, (one, other) in sorted(unlike.items()):
        yield from _unlike(what, one, other)


def _on_no_side(first: Side, second: Side) -> Iterable[str]:
    """Measurements that say nothing of the factors by which both sides were chosen."""
    if first.evidence is not second.evidence:
        return
    runs, factors = first.evidence.runs, first.evidence.factors
    measured = list(runs.loc[runs["kind"] == "measurement", "run_id"])
    for name in sorted(first.chosen & second.chosen):
        if left := [run_name(run) for run in measured if name not in factors[run]]:
            some = first_of(left, _FEW)
            yield f"{counted(len(left), 'run')} on neither side, without the factor {name}: {some}"


def _in_no_row(first: Side, second: Side, rows: Sequence[Row]) -> Iterable[str]:
    """Runs of a side that are in no row: of other setups, or without anything measured."""
    for place, side in enumerate((first, second)):
        behind = {run for row in rows for run in row.runs[place]}
        left = [run_name(run) for run in side.runs if run not in behind]
        if left and behind:
            of = counted(len(side.runs), "run")
            yield f"{len(left)} of {of} of {side.name}: {first_of(left, _FEW)}"


def _alone(side: Side, own: Mapping[Key, Any], other: Mapping[Key, Any]) -> Iterable[str]:
    """What only one side has, so that nothing is set against it."""
    by_metric: defaultdict[str, int] = defaultdict(int)
    for metric, *_ in own.keys() - other.keys():
        by_metric[metric] += 1
    for metric, number in sorted(by_metric.items()):
        yield f"{quantity(metric).label}: {counted(number, 'value')} of {side.name} only"
