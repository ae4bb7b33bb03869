"""The comparison of two sides: two runs, two levels of a factor, or two data sets.

What differs between them besides stands first. Then comes each metric: both means, the difference
with its interval, and a verdict by the direction of the metric.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd

from studybook.dataset.manifest import REPETITION
from studybook.errors import StudyBookError, did_you_mean
from studybook.frames.evidence import Evidence, Value, each_once, quantity, said_of
from studybook.statistics.batches import FEWEST, batch_sample
from studybook.statistics.difference import Difference, by_summary, holm, of_repetitions
from studybook.statistics.digits import borne
from studybook.statistics.intervals import Interval, Sample
from studybook.study.batches import WITH_A_COURSE
from studybook.study.origin import BETWEEN, NO_RUN
from studybook.text import counted, numbered
from studybook.units import METRICS, Metric

#: A difference is told where chance alone would rarely do it, all metrics taken together.
ALPHA = 0.05

#: Why there is no test where the parts of a run are not independent.
DRIFTS = "it drifts: parts of its stable phase follow their neighbours"

_MINUS = str.maketrans("-", "−")


class Verdict(StrEnum):
    """What the data say of the second side, the most important first."""

    WORSE = "worse"
    BETTER = "better"
    CHANGED = "changed"
    SMALL = "too small to matter"
    ALIKE = "alike"
    OPEN = "no evidence"
    UNTESTED = "cannot be told"


#: What leads: how much was done, how long its users waited, what failed. The longest response time
#: is last: it is that of one request, and scatters more than all others.
_LEADING = (
    "requests_per_s", "pages_per_s", "operations_per_s", "bandwidth_gb_s", "response_p50_ms",
    "response_p95_ms", "response_mean_ms", "response_ms", "operation_ms", "error_percent",
)  # fmt: skip
_LAST = ("response_max_ms",)

#: Digits behind the point at most: a scatter below that is of rounding.
_MOST_DECIMALS = 6


@dataclass(frozen=True)
class Side:
    """Runs that are compared with others.

    Attributes
    ----------
    name : str
        As a person calls them.
    evidence : Evidence
        What their study says; of other runs, too.
    runs : tuple of str
        Their ids.
    chosen : frozenset of str
        The factors by which they were chosen.
    """

    name: str
    evidence: Evidence
    runs: tuple[str, ...]
    chosen: frozenset[str] = frozenset()

    def factors(self, run: str) -> Mapping[str, str]:
        """The factors of a run, without the number of its repetition."""
        own = self.evidence.factors[run]
        return {name: value for name, value in own.items() if name != REPETITION}


@dataclass(frozen=True)
class Besides:
    """Something in which the two sides differ, beside what was measured."""

    what: str
    first: str
    second: str


@dataclass(frozen=True)
class Row:
    """One metric, of one setup that both sides have.

    Attributes
    ----------
    metric : Metric
        The quantity.
    setup, of : tuple of pairs
        The factors that both sides agree in, and vary within them; what tells the value from
        others of its run.
    runs : tuple of two tuples of str
        The ids of the runs behind each side.
    found : Difference
        In the unit of the metric, and as a share of the first side.
    p : float
        Corrected for the number of metrics; NaN where there is no test.
    verdict : Verdict
        What follows for the second side.
    why : str
        What the verdict rests on, or why there is none.
    """

    metric: Metric
    setup: tuple[tuple[str, str], ...]
    of: tuple[tuple[str, str], ...]
    runs: tuple[tuple[str, ...], tuple[str, ...]]
    found: Difference
    p: float
    verdict: Verdict
    why: str

    @property
    def share(self) -> Interval:
        """The difference as a share of the first side.

        What is never below zero cannot lose more than all that it has, however it scatters.
        """
        found = self.found
        if math.isfinite(found.share.low) and found.first.estimate > 0 <= found.second.estimate:
            return replace(found.share, low=max(found.share.low, -1.0))
        return found.share

    @property
    def place(self) -> str:
        """The setup, the host, the label: what tells the row from others of its metric."""
        words = [f"{name}={value}" for name, value in self.setup]
        return ", ".join(words + said_of(self.of))

    @property
    def title(self) -> str:
        """The metric, and of what it is."""
        return f"{self.metric.label}, {self.place}" if self.place else self.metric.label

    @property
    def change(self) -> str:
        """The difference in per cent, or in the unit where the first side is zero."""
        if math.isnan(self.share.estimate):
            return _signed(self.found.difference, self.metric)
        low, high = 100 * self.share.low, 100 * self.share.high
        value = 100 * self.share.estimate
        text = f"{borne(value, low, high, 1, signed=True)} %"
        if math.isfinite(low):
            ends = [borne(value, low, high, 1, signed=True, of=end) for end in (low, high)]
            text += f"  {ends[0]} … {ends[1]}"
        return text.translate(_MINUS)

    def side(self, number: int) -> str:
        """The mean of a side with half the width of its interval."""
        each = (self.found.first, self.found.second)[number]
        half = (each.high - each.low) / 2
        decimals = max(self.metric.decimals_of(each.estimate), 1)
        if math.isfinite(half) and half > 0:  # ± 0.0 would say that there is no scatter
            decimals = max(decimals, min(-math.floor(math.log10(half)), _MOST_DECIMALS))
        text = borne(each.estimate, each.low, each.high, decimals)
        if math.isfinite(half) and half > 0:
            text += f" ± {borne(half, 0, 2 * half, decimals)}"
        return numbered(text.translate(_MINUS), self.metric.unit)

    def record(self) -> dict[str, Any]:
        """The row as plain data, for JSON; None stands for what is not known."""

        def ends(each: Interval) -> dict[str, float | None]:
            numbers = {"value": each.estimate, "low": each.low, "high": each.high}
            return {name: v if math.isfinite(v) else None for name, v in numbers.items()}

        return {
            "metric": self.metric.name, "label": self.metric.label, "unit": self.metric.unit,
            "better": self.metric.better, "setup": dict(self.setup), "of": dict(self.of),
            "runs": [list(each) for each in self.runs],
            "first": ends(self.found.first), "second": ends(self.found.second),
            "difference": ends(self.found.difference), "share": ends(self.share),
            "test": self.found.test, "p": None if math.isnan(self.found.p) else self.found.p,
            "p_corrected": None if math.isnan(self.p) else self.p,
            "verdict": str(self.verdict), "why": self.why,
        }  # fmt: skip


@dataclass(frozen=True)
class Compared:
    """A comparison: what differs besides, the rows in their order, what has no partner."""

    first: Side
    second: Side
    besides: tuple[Besides, ...]
    rows: tuple[Row, ...]
    alone: tuple[str, ...]
    at_least: float

    @property
    def worse(self) -> bool:
        """Whether anything got worse."""
        return any(row.verdict is Verdict.WORSE for row in self.rows)

    @property
    def headline(self) -> Row | None:
        """What to tell first: of the main metrics that differ for certain; None where none does."""
        told = (Verdict.WORSE, Verdict.BETTER, Verdict.CHANGED)
        clear = [row for row in self.rows if row.verdict in told]
        return min(clear, key=lambda row: (_rank(row), told.index(row.verdict)), default=None)

    @property
    def summary(self) -> str:
        """How many metrics have each verdict, in words."""
        many = [(verdict, sum(row.verdict is verdict for row in self.rows)) for verdict in Verdict]
        return ", ".join(f"{n} {verdict}" for verdict, n in many if n) or "nothing to compare"

    def frame(self) -> pd.DataFrame:
        """The rows as a chart draws them.

        Returns
        -------
        pandas.DataFrame
            ``origin``, ``run``, ``row`` (metric and place), ``percent``, ``low``, ``high`` (the
            difference as per cent of the first side), ``verdict``, ``first``, ``second``,
            ``change``, ``why``, in the order of the rows; without those whose first side is zero.
        """
        columns = ["origin", "run", "row", "percent", "low", "high", "verdict"]
        columns += ["first", "second", "change", "why"]
        runs = self.second.evidence.runs
        origins = dict(zip(runs["run_id"], runs["origin"], strict=True))
        rows = [
            (
                origins[row.runs[1][0]],
                BETWEEN.join(run.split("/")[-1] for side in row.runs for run in side) or NO_RUN,
                row.title,
                100 * row.share.estimate,
                100 * row.share.low,
                100 * row.share.high,
                str(row.verdict),
                row.side(0),
                row.side(1),
                row.change,
                row.why,
            )
            for row in self.rows
            if math.isfinite(row.share.estimate)
        ]
        return pd.DataFrame(rows, columns=columns)

    def record(self) -> dict[str, Any]:
        """The comparison as plain data, for JSON."""
        return {
            "first": {"name": self.first.name, "runs": list(self.first.runs)},
            "second": {"name": self.second.name, "runs": list(self.second.runs)},
            "at_least": self.at_least,
            "worse": self.worse,
            "differs_besides": [vars(each) for each in self.besides],
            "without_partner": list(self.alone),
            "metrics": [row.record() for row in self.rows],
        }


def choose(evidence: Evidence, text: str) -> Side | None:
    """The runs that a text names: a run by its name, or levels ``factor=value[,factor=value]``.

    Returns
    -------
    Side or None
        None if it names none.
    """
    ids = [run for run in evidence.runs["run_id"] if text in (run, run.split("/")[-1])]
    if ids:
        return Side(text, evidence, tuple(ids))
    if "=" not in text:
        return None
    wanted = dict(part.strip().split("=", 1) for part in text.split(",") if "=" in part)
    wanted = {name.strip(): value.strip() for name, value in wanted.items()}
    fits = tuple(
        run
        for run, own in evidence.factors.items()
        if all(own.get(name) == value for name, value in wanted.items())
    )
    return Side(text, evidence, fits, frozenset(wanted)) if fits else None


def unknown(evidence: Evidence, text: str) -> StudyBookError:
    """The error of a text that names no run and no level of a factor."""
    levels = {
        f"{name}={value}"
        for own in evidence.factors.values()
        for name, value in own.items()
        if name != REPETITION
    }
    known = [*sorted(levels), *(run.split("/")[-1] for run in evidence.runs["run_id"])]
    few = ", ".join(known[:8]) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
    do = did_you_mean(text, known, 2) or f"there are: {few or 'none'}"
    return StudyBookError(f"{text!r} is no run, and no level of a factor\n  → {do}")


def compare(first: Side, second: Side, *, at_least: float = 0.0) -> Compared:
    """Set the second side against the first.

    Two runs are taken as they are. Of several runs, those are set against each other that agree in
    the factors that vary within a side, without those by which the sides were chosen.

    Parameters
    ----------
    first, second : Side
        The sides.
    at_least : float
        What a difference must be to matter, as a share of the first side, such as 0.02.

    Raises
    ------
    StudyBookError
        If both sides are the same runs.
    """
    same = set(first.runs) & set(second.runs) if first.evidence is second.evidence else set()
    if same:
        raise StudyBookError(
            f"{first.name} and {second.name} have {counted(len(same), 'run')} in common:"
            f" {', '.join(sorted(same)[:3])}\n  → name two sides without a common run"
        )
    by = _matched_by(first, second)
    sides = _labels_once(_values(first, second, by))
    rows = [
        _row(key, sides[0][key], sides[1][key]) for key in sorted(sides[0].keys() & sides[1].keys())
    ]
    corrected = holm([row.found.p for row in rows])
    rows = [_judged(replace(row, p=p), at_least) for row, p in zip(rows, corrected, strict=True)]
    order = list(Verdict)
    rows.sort(key=lambda row: (order.index(row.verdict), _rank(row), -_size(row), row.title))
    return Compared(
        first,
        second,
        (*_besides(first, second, by), *_other_tests(sides)),
        tuple(rows),
        (*_alone(first, sides[0], sides[1]), *_alone(second, sides[1], sides[0])),
        at_least,
    )


def _rank(row: Row) -> tuple[int, bool]:
    """How early a metric is told among those of its verdict, a label or host behind all of them.

    Those of a study's own come behind the main ones: nobody defines a metric to read it last.
    """
    name = row.metric.name
    if name in _LEADING:
        return _LEADING.index(name), bool(row.of)
    return len(_LEADING) + (name in METRICS) + (name in _LAST), bool(row.of and name not in METRICS)


def _size(row: Row) -> float:
    return abs(row.share.estimate) if math.isfinite(row.share.estimate) else math.inf


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


Pairs = tuple[tuple[str, str], ...]
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
    """The values without those of a label that says on both sides what all labels together say.

    Where a run has one label only, each of its metrics would count twice in the correction.
    """
    of_all = [
        {_without_label(key): values for key, values in side.items() if _label(key) in ("", "all")}
        for side in sides
    ]

    def again(key: Key) -> bool:
        return _label(key) not in ("", "all") and all(
            key in side and _alike(side[key], whole.get(_without_label(key), ()))
            for side, whole in zip(sides, of_all, strict=True)
        )

    twice = {key for key in sides[0] if again(key)}
    one, other = ({k: v for k, v in side.items() if k not in twice} for side in sides)
    return one, other


def _label(key: Key) -> str:
    return dict(key[2]).get("label", "")


def _without_label(key: Key) -> tuple[str, Pairs, Pairs]:
    metric, setup, of, _ = key
    return metric, setup, tuple(pair for pair in of if pair[0] != "label")


def _alike(values: Iterable[Value], others: Iterable[Value]) -> bool:
    one, other = (sorted((v.run_id, v.sample.mean) for v in each) for each in (values, others))
    return one == other


def _row(key: Key, first: list[Value], second: list[Value]) -> Row:
    metric, setup, of, _ = key
    runs = tuple(tuple(dict.fromkeys(v.run_id for v in each)) for each in (first, second))
    found, why = _difference(first, second)
    return Row(
        quantity(metric), setup, of, (runs[0], runs[1]), found, math.nan, Verdict.UNTESTED, why,
    )  # fmt: skip


def _difference(first: list[Value], second: list[Value]) -> tuple[Difference, str]:
    """The difference by the test that suits the data, and what it rests on."""
    runs = [_by_run(first), _by_run(second)]
    if all(len(each) >= 2 for each in runs):
        means = [[sample.mean for sample in each] for each in runs]
        found = of_repetitions(means[0], means[1])
        return found, f"{found.test} over {len(runs[0])} and {len(runs[1])} runs"
    samples = [_pooled(each) for each in runs]
    if all(each.n >= 2 for each in samples):
        found = by_summary(samples[0], samples[1])
        within = "" if max(map(len, runs)) > 1 else ", within one run each"
        return found, f"{found.test} over {samples[0].n} and {samples[1].n} repetitions{within}"
    return _of_single_runs((first, second), samples)


def _by_run(values: Iterable[Value]) -> list[Sample]:
    """One sample per run: rows of one run are repetitions within it."""
    runs: defaultdict[str, list[Sample]] = defaultdict(list)
    for each in values:
        runs[each.run_id].append(each.sample)
    return [_pooled(each) for each in runs.values()]


def _pooled(samples: Sequence[Sample]) -> Sample:
    n = sum(each.n for each in samples)
    mean = sum(each.n * each.mean for each in samples) / n
    square = sum(each.n * (each.sd_population**2 + (each.mean - mean) ** 2) for each in samples)
    return Sample(n, mean, math.sqrt(square / n))


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
        return (
            f"its stable phase has not the {3 * FEWEST} intervals that tell how it scatters"
            f" ({FEWEST} batches of three)\n  → repeat the run, run for longer, or record hosts in"
            " shorter intervals"
        )
    return "a single value whose scatter is not known\n  → repeat the run"


def _judged(row: Row, at_least: float) -> Row:
    """The row with its verdict."""
    if math.isnan(row.p):
        return row
    share, matters = row.share, _size(row) >= at_least
    verdict = Verdict.OPEN
    if row.p < ALPHA:
        risen = row.found.difference.estimate > 0
        if not matters:
            verdict = Verdict.SMALL
        elif row.metric.better == "neither":
            verdict = Verdict.CHANGED
        else:
            verdict = Verdict.BETTER if risen == (row.metric.better == "higher") else Verdict.WORSE
    elif at_least and -at_least < share.low <= share.high < at_least:
        verdict = Verdict.ALIKE
    return replace(row, verdict=verdict)


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
    return set(runs.loc[runs["run_id"].isin(side.runs), column].dropna())


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


def _alone(side: Side, own: Mapping[Key, Any], other: Mapping[Key, Any]) -> Iterable[str]:
    """What only one side has, so that nothing is set against it."""
    by_metric: defaultdict[str, int] = defaultdict(int)
    for metric, *_ in own.keys() - other.keys():
        by_metric[metric] += 1
    for metric, number in sorted(by_metric.items()):
        yield f"{quantity(metric).label}: {counted(number, 'value')} of {side.name} only"


def _signed(of: Interval, metric: Metric) -> str:
    text = borne(of.estimate, of.low, of.high, max(metric.decimals, 1), signed=True)
    return f"{text} {metric.unit}".strip().translate(_MINUS)


def extremes(evidence: Evidence) -> tuple[Side, Side] | None:
    """Two sides that a page compares where nobody named any.

    The two outermost levels of the factor that most runs have and that has the fewest levels; else
    the first and the last run. Numbers are in their order, words in that of their first runs.
    """
    starts = dict(zip(evidence.runs["run_id"], evidence.runs["start_utc"], strict=True))

    def began(name: str, level: str) -> tuple[bool, Any, str]:
        its = [run for run in runs if evidence.factors[run].get(name) == level]
        first = min((starts[run] for run in its if not pd.isna(starts[run])), default=None)
        return first is None, first, level

    runs = evidence.runs[evidence.runs["kind"] == "measurement"]["run_id"].tolist()
    levels: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for run in runs:
        for name, value in evidence.factors[run].items():
            if name != REPETITION:
                levels[name][value] = levels[name].get(value, 0) + 1
    able = {name: own for name, own in levels.items() if len(own) > 1}
    if able:
        name = min(able, key=lambda each: (-sum(able[each].values()), len(able[each]), each))
        ordered = sorted(able[name], key=lambda level: (_numeric(level), began(name, level)))
        sides = [choose(evidence, f"{name}={value}") for value in (ordered[0], ordered[-1])]
        if sides[0] and sides[1]:
            return sides[0], sides[1]
    if len(runs) < 2:
        return None
    ends = [Side(run.split("/")[-1], evidence, (run,)) for run in (runs[0], runs[-1])]
    return ends[0], ends[1]


def _numeric(value: str) -> tuple[int, float]:
    try:
        return 0, float(np.float64(value))
    except ValueError:
        return 1, 0.0
