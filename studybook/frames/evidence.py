"""What runs of a study say, as plain values: for comparisons of any two sides, and for histories.

A :class:`Value` is one metric of one run. Response times of load drivers that keep single samples
have percentiles, processors their use, though neither is a metric of the registry's model.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError, did_you_mean
from studybook.records.store import connect
from studybook.statistics.difference import Values
from studybook.statistics.intervals import Sample
from studybook.study.scope import Scope
from studybook.study.study import Study, use_definition
from studybook.units import Metric, known_metrics

#: A factor of this name numbers the runs of a setup, and makes no setup of its own.
REPETITION = "repetition"

#: Percentiles of response times, as metrics of runs whose load driver keeps single samples.
PERCENTILES = {
    metric.name: (part, metric)
    for part, metric in (
        (0.50, Metric("response_p50_ms", "Median response time", "ms", "lower", 0)),
        (0.90, Metric("response_p90_ms", "90th percentile of response times", "ms", "lower", 0)),
        (0.95, Metric("response_p95_ms", "95th percentile of response times", "ms", "lower", 0)),
        (0.99, Metric("response_p99_ms", "99th percentile of response times", "ms", "lower", 0)),
    )
}

#: Errors, as a share of what the driver completed.
FAILED = Metric("failed_percent", "Failed", "%", "lower", 2)

#: Parts of a stable phase whose percentiles say how sure that of the whole is: S. Asmussen,
#: P. W. Glynn, "Stochastic Simulation" (Springer, 2007), section III.5, on sectioning.
SECTIONS = 10

#: Samples that lie beyond a percentile in each section, at least.
BEYOND = 5

_RUNS = """
    SELECT r.run_id, r.run, r.origin, r.kind, r.title,
        coalesce(r.start_utc, p.start_utc) AS start_utc,
        (SELECT string_agg(DISTINCT source, ', ' ORDER BY source) FROM raw_file f
            WHERE f.run_id = r.run_id) AS exports
    FROM run r
    LEFT JOIN stable_phase p USING (run_id)
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
_DRIVER = """
    SELECT d.run_id, d.time_utc, d.interval_s, d.completed_per_s, d.response_ms
    FROM driver_interval d
    JOIN stable_phase p USING (run_id)
    WHERE within_phase(d.time_utc, d.interval_s, p.from_utc, p.to_utc)
    ORDER BY d.run_id, d.time_utc
"""
_PROCESSORS = """
    SELECT c.run_id, c.host, c.time_utc, c.interval_s, c.busy_percent
    FROM cpu_use c
    JOIN stable_phase p USING (run_id)
    WHERE c.cpu = 'all' AND c.interval_s > 0 AND c.busy_percent IS NOT NULL
        AND within_phase(c.time_utc, c.interval_s, p.from_utc, p.to_utc)
    ORDER BY c.run_id, c.host, c.time_utc
"""
#: Single samples of the phase; what stands for several at once has a mean, and no percentile.
_SAMPLES = """
    WITH placed AS (
        SELECT run_id, kind, end_utc, elapsed_ms, failed > 0 AS has_failed
        FROM jtl_placed WHERE samples = 1
        UNION ALL
        SELECT run_id, kind, end_utc, elapsed_ms, has_failed FROM sampled_placed
    ),
    inside AS (
        SELECT s.run_id, s.elapsed_ms, s.has_failed, s.end_utc
        FROM placed s
        JOIN phase_driver d USING (run_id, kind)
        JOIN stable_phase p USING (run_id)
        WHERE s.end_utc BETWEEN p.from_utc AND p.to_utc
    ),
    span AS (
        SELECT run_id, min(end_utc) AS first_utc,
            greatest(epoch(max(end_utc)) - epoch(min(end_utc)), 1e-6) AS long_s
        FROM inside GROUP BY run_id
    )
    SELECT run_id,
        least($sections - 1, floor($sections
            * (epoch(end_utc) - epoch(first_utc)) / long_s))::INTEGER AS section,
        count(*) AS samples, 100 * avg(has_failed::INTEGER) AS failed_percent,
        avg(elapsed_ms) AS mean_ms,
        quantile_disc(elapsed_ms, [0.50, 0.90, 0.95, 0.99]) AS percentiles
    FROM inside JOIN span USING (run_id)
    GROUP BY GROUPING SETS ((run_id, section), (run_id))
    ORDER BY run_id, section NULLS FIRST
"""


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
    intervals : tuple of arrays, optional
        Its values in the intervals of the stable phase, and the weight of each.
    sections : array, optional
        Its values in the sections of the stable phase, where the driver keeps single samples.
    """

    metric: str
    run_id: str
    of: tuple[tuple[str, str], ...]
    sample: Sample
    test: str = ""
    intervals: tuple[Values, Values] | None = None
    sections: Values | None = None


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
    """

    runs: pd.DataFrame
    factors: Mapping[str, Mapping[str, str]]
    values: list[Value]
    facts: Mapping[str, Mapping[str, str]]


def quantity(name: str) -> Metric:
    """The metric of a name: of the registry, or one that is computed here only."""
    known = known_metrics()
    if name in known:
        return known[name]
    if name == FAILED.name:
        return FAILED
    return PERCENTILES[name][1] if name in PERCENTILES else Metric(name, name, "", "neither", 3)


def read_evidence(study: Study) -> Evidence:
    """Ask a study for all that its runs say."""
    runs = study.query(_RUNS)
    factors: dict[str, dict[str, str]] = {run: {} for run in runs["run_id"]}
    for run, name, text in _rows(study, _FACTORS):
        factors[run][name] = text
    facts: dict[str, dict[str, set[str]]] = {run: {} for run in runs["run_id"]}

    def fact(run: str, name: str, text: object) -> None:
        facts[run].setdefault(name, set()).add(str(text))

    values: list[Value] = []
    for run, metric, names, texts, n, mean, sd, text, test, exact in _rows(study, _METRICS):
        of = tuple(
            (name, str(each))
            for name, each in zip(names, texts, strict=True)
            if each is not None and factors[run].get(name) != each
        )
        if exact or text is not None:
            among = f" ({', '.join(each for _, each in of)})" if of else ""
            fact(run, quantity(metric).label + among, text or f"{mean:.6g}")
        elif mean is not None and math.isfinite(mean):
            values.append(Value(metric, run, of, Sample(n, mean, sd or 0.0), test or ""))
    for run, area, scope, name, text in _rows(study, _SETTINGS):
        fact(run, f"{area} {name}" + (f" of {scope}" if scope else ""), text)
    for run, host, role, cpus, memory in _rows(study, _HOSTS):
        size = [role, cpus and f"{cpus} processors", memory and f"{memory} MiB"]
        fact(run, f"host {host}", ", ".join(filter(None, size)))
    values = _with_driver(study, values)
    values += _processors(study, {each.metric for each in values})
    values = _with_samples(study, values)
    joined = {
        run: {name: ", ".join(sorted(texts)) for name, texts in own.items()}
        for run, own in facts.items()
    }
    return Evidence(runs, factors, values, joined)


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


def _with_driver(study: Study, values: list[Value]) -> list[Value]:
    """Give throughput and response time the intervals that they are the means of."""
    found: dict[tuple[str, str], tuple[Values, Values]] = {}
    for run, group in study.query(_DRIVER).groupby("run_id"):
        lengths = group["interval_s"].to_numpy(float)
        rates = group["completed_per_s"].to_numpy(float)
        times = group["response_ms"].to_numpy(float)
        known = np.isfinite(times)
        found[str(run), "pages_per_s"] = rates, lengths
        found[str(run), "response_ms"] = times[known], (rates * lengths)[known]
    return [
        Value(v.metric, v.run_id, v.of, v.sample, v.test, found.get((v.run_id, v.metric)))
        if not v.of
        else v
        for v in values
    ]


def _processors(study: Study, there: set[str]) -> list[Value]:
    """The use of the processors of each host, where no model of the study gives it."""
    name = "machine_busy_percent"
    if name in there:
        return []
    found = []
    for (run, host), group in study.query(_PROCESSORS).groupby(["run_id", "host"]):
        busy, lengths = (group[c].to_numpy(float) for c in ("busy_percent", "interval_s"))
        mean = float((busy * lengths).sum() / lengths.sum())
        one = Sample(1, mean, 0.0)
        found.append(Value(name, str(run), (("host", str(host)),), one, intervals=(busy, lengths)))
    return found


def _with_samples(study: Study, values: list[Value]) -> list[Value]:
    """Add percentiles and the share of failures, where the load driver keeps single samples."""
    frame = study.query(_SAMPLES, sections=SECTIONS)
    found = {(v.metric, v.run_id, v.of): v for v in values}
    rest = [v for v in values if v is not found[v.metric, v.run_id, v.of]]
    for run, group in frame.groupby("run_id"):
        whole = group[group["section"].isna()].iloc[0]
        parts = group[group["section"].notna()]
        enough = len(parts) == SECTIONS
        fewest = int(parts["samples"].min()) if enough else 0
        for place, (name, (part, _)) in enumerate(PERCENTILES.items()):
            told = enough and fewest * (1 - part) >= BEYOND
            sections = np.array([each[place] for each in parts["percentiles"]], dtype=float)
            of_all = float(whole["percentiles"][place])
            _add(found, name, str(run), of_all, sections if told else None)
        shares = parts["failed_percent"].to_numpy(float) if enough else None
        _add(found, FAILED.name, str(run), float(whole["failed_percent"]), shares)
        # Their own numbers stay those of the intervals; the sections say how sure they are.
        for name, column in (("response_ms", "mean_ms"), ("pages_per_s", "samples")):
            mean = found.get((name, str(run), ()))
            if mean and enough:
                parted = parts[column].to_numpy(float)
                parted = parted * mean.sample.mean / float(parted.mean())
                found[name, str(run), ()] = replace(mean, sections=parted)
    return [*found.values(), *rest]


def _add(
    found: dict[tuple[Any, ...], Value], name: str, run: str, value: float, sections: Values | None
) -> None:
    """Add a value of the whole run; what a model gives already keeps its number."""
    there = found.get((name, run, ()))
    sample = there.sample if there else Sample(1, value, 0.0)
    found[name, run, ()] = Value(name, run, (), sample, sections=sections)
