"""What runs of a study say, as plain values: for comparisons of any two sides, and for histories.

A :class:`Value` is one metric of one run, of one of its labels or hosts.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError, did_you_mean
from studybook.records.store import connect
from studybook.statistics.batches import Values, batch_sample
from studybook.statistics.intervals import Sample
from studybook.study.batches import read_batches
from studybook.study.scope import Scope
from studybook.study.starts import starts
from studybook.study.study import Study, use_definition
from studybook.text import numbered, singular
from studybook.units import Metric, known_metrics, unit_of

_RUNS = """
    SELECT r.run_id, r.run, r.origin, r.kind, r.title,
        (SELECT string_agg(DISTINCT source, ', ' ORDER BY source) FROM raw_file f
            WHERE f.run_id = r.run_id) AS exports
    FROM run r
    ORDER BY ALL
"""
_FACTORS = "SELECT run_id, name, value FROM factor ORDER BY ALL"
_METRICS = """
    SELECT run_id, metric, map_keys(factors) AS names, map_values(factors) AS factors,
        n, mean, sd, text, test, exact
    FROM metric
    ORDER BY ALL
"""
_SETTINGS = "SELECT DISTINCT run_id, area, scope, name, value FROM setting ORDER BY ALL"
_HOSTS = "SELECT run_id, host, role, cpus, memory_mib FROM host ORDER BY ALL"


@dataclass(frozen=True)
class Value:
    """One metric of one run.

    Attributes
    ----------
    metric : str
        Its name.
    run_id : str
        The run.
    of : tuple of pairs
        What tells it from other values of the metric in the run: a label, a host, a direction.
    sample : Sample
        Its repetitions within the run; one of most.
    test : str
        What it counts; values with different tests are no repetitions of one another.
    batches : array, optional
        Its values in the batches of the stable phase, where it has a course over time.
    """

    metric: str
    run_id: str
    of: tuple[tuple[str, str], ...]
    sample: Sample
    test: str = ""
    batches: Values | None = None

    @property
    def within(self) -> Sample | None:
        """What its run repeats within itself: executions, else batches of its stable phase.

        None where there is one value, or where the batches depend on their neighbours.
        """
        if self.sample.n > 1:
            return self.sample
        return None if self.batches is None else batch_sample(self.batches, self.sample.mean)


@dataclass(frozen=True)
class Evidence:
    """What a study says: of each run what it was, what was captured, and its values.

    Attributes
    ----------
    runs : pandas.DataFrame
        A row per run: ``run_id``, ``run``, ``origin``, ``kind``, ``title``, ``start_utc``,
        ``exports``.
    factors : mapping
        Run id to its factors, as texts.
    values : list of Value
        All that scatters.
    facts : mapping
        Run id to what was captured or counted, and is exact: name to text.
    excluded : mapping
        Run id to the reason of runs that a person has excluded: they are in none of the others.
    """

    runs: pd.DataFrame
    factors: Mapping[str, Mapping[str, str]]
    values: list[Value]
    facts: Mapping[str, Mapping[str, str]]
    excluded: Mapping[str, str] = field(default_factory=dict)


def quantity(name: str) -> Metric:
    """The metric of a name; one of another study has its name as label."""
    return known_metrics().get(name) or Metric(name, name, "", "neither", 3)


def read_evidence(study: Study) -> Evidence:
    """Ask a study for all that its runs say."""
    runs = study.query(_RUNS).merge(starts(study), on="run_id")
    factors: dict[str, dict[str, str]] = {run: {} for run in runs["run_id"]}
    for run, name, text in _rows(study, _FACTORS):
        factors[run][name] = text
    facts: dict[str, dict[str, set[str]]] = {run: {} for run in runs["run_id"]}

    def fact(run: str, name: str, text: object) -> None:
        facts[run].setdefault(name, set()).add(str(text))

    values: list[Value] = []
    batches = read_batches(study)
    rows = list(_rows(study, _METRICS))
    several = _of_several_kinds(rows)
    for run, metric, names, texts, n, mean, sd, text, test, exact in rows:
        every = dict(zip(names, texts, strict=True))
        own = {name: str(each) for name, each in every.items() if factors[run].get(name) != each}
        of = _told_apart(own, several=run in several)
        if exact or text is not None:
            among = f" ({', '.join(said_of(of))})" if of else ""
            fact(run, quantity(metric).label + among, text or f"{mean:.6g}")
        elif mean is not None and math.isfinite(mean):
            key = run, metric, frozenset(every.items())
            sample = Sample(n, mean, sd or 0.0)
            values.append(Value(metric, run, of, sample, test or "", batches.get(key)))
    for run, area, scope, name, text in _rows(study, _SETTINGS):
        fact(run, f"{area} {name}" + (f" of {scope}" if scope else ""), text)
    for run, host, role, cpus, memory in _rows(study, _HOSTS):
        size = [role, cpus and f"{cpus} processors", memory and f"{memory} MiB"]
        fact(run, f"host {host}", ", ".join(filter(None, size)))
    joined = {
        run: {name: ", ".join(sorted(texts)) for name, texts in own.items()}
        for run, own in facts.items()
    }
    return Evidence(runs, factors, values, joined, study.excluded)


def _of_several_kinds(rows: list[tuple[Any, ...]]) -> set[str]:
    """The runs in which requests are counted as samples and as transactions, too."""
    kinds: dict[str, set[str]] = {}
    for run, _, names, texts, *_ in rows:
        if "kind" in names:
            kinds.setdefault(run, set()).add(texts[names.index("kind")])
    return {run for run, own in kinds.items() if len(own) > 1}


def said_of(of: Iterable[tuple[str, str]]) -> list[str]:
    """What a value is of, for readers: a bare number with its name, such as “1 process”."""
    return [with_name(name, text) if text.isdigit() else text for name, text in of]


def with_name(name: str, number: str) -> str:
    """A number with what it is of: “1 process”, “load level 4”."""
    words, unit = (part.replace("_", " ") for part in unit_of(name))
    if unit:
        return f"{words} {number} {unit}"
    return numbered(number, words) if singular(words) != words else f"{words} {number}"


def _told_apart(own: dict[str, str], *, several: bool) -> tuple[tuple[str, str], ...]:
    """What tells a value from others of its run, without what goes without saying."""
    said = set()
    if "host" in own:
        said.add("role")  # a host has one
    if "label" in own and not several:
        said.add("kind")
        if own["label"] == "all":
            said.add("label")
    return tuple((name, text) for name, text in own.items() if name not in said)


#: Names with texts: of factors, or of what tells a value from others.
Pairs = tuple[tuple[str, str], ...]


def tests_of(keys: Iterable[tuple[Any, ...]]) -> dict[tuple[Any, ...], set[str]]:
    """What values count that are alike in all else, by that: the last of each key is its test."""
    found: defaultdict[tuple[Any, ...], set[str]] = defaultdict(set)
    for *rest, test in keys:
        found[*rest,].add(test)
    return found


def of_test(of: Pairs, test: str, among: Collection[str]) -> Pairs:
    """What a value is of, with that in which what it counts differs from what others count."""
    parts = [each.split(", ") for each in among]
    own = [each for each in test.split(", ") if not all(each in other for other in parts)]
    return (*of, ("test", ", ".join(own))) if any(own) else of


#: What a load driver completes, in the words of pages, and in those of requests of all labels.
_TWINS = {"pages_per_s": "requests_per_s", "response_ms": "response_mean_ms"}


def each_once(values: Iterable[Value]) -> list[Value]:
    """The values without those that runs have twice, in the words of pages and of requests.

    A driver that knows no pages completes requests. Two of a kind would count twice where many
    comparisons are corrected for. They are one where they are so in all runs: of several drivers in
    a run one may happen to be like the other.
    """
    values = list(values)
    there: defaultdict[tuple[str, str], list[Value]] = defaultdict(list)
    for each in values:
        if not each.of:
            there[each.run_id, each.metric].append(each)
    twins: dict[int, Value | None] = {}
    for each in values:
        if not each.of and each.metric in _TWINS:
            others = there.get((each.run_id, _TWINS[each.metric]), [])
            twins[id(each)] = next((other for other in others if _is_alike(each, other)), None)
    apart = {each.metric for each in values if twins.get(id(each), each) is None}
    again = {id(e): e for e in values if id(e) in twins and e.metric not in apart}
    batched = {id(twin): again[at].batches for at, twin in twins.items() if at in again}
    return [
        replace(each, batches=batched[id(each)])
        if each.batches is None and batched.get(id(each)) is not None
        else each
        for each in values
        if id(each) not in again
    ]


def _is_alike(one: Value, other: Value) -> bool:
    return math.isclose(one.sample.mean, other.sample.mean, rel_tol=1e-6)


def evidence_of(data_set: str, only: str | None = None) -> dict[str, Evidence]:
    """What the studies of a loaded data set say, by their names.

    Parameters
    ----------
    data_set : str
        Name of the data set.
    only : str, optional
        The one study that is asked for.

    Raises
    ------
    StudyBookError
        If the data set is not loaded, or has no such study.
    """
    place = DataSet.named(data_set)
    connection = connect(place.database)
    try:
        rows = connection.execute("SELECT DISTINCT study FROM run ORDER BY 1").fetchall()
    finally:
        connection.close()
    studies = [name for (name,) in rows]
    if only is not None and only not in studies:
        do = did_you_mean(only, studies) or f"known: {', '.join(studies)}"
        raise StudyBookError(f"the data set {data_set} has no study {only!r}\n  → {do}")
    found = {}
    for name in [only] if only else studies:
        use_definition(place.root, name)
        found[name] = read_evidence(Study(Scope(name, {}), place.database, place.root))
    return found


def _rows(study: Study, sql: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a query as plain values, None where there is none."""
    for row in study.query(sql).astype(object).to_numpy().tolist():
        yield tuple(_plain(cell) for cell in row)


def _plain(cell: Any) -> Any:
    if isinstance(cell, list | np.ndarray):
        return list(cell)
    return None if pd.isna(cell) else cell
