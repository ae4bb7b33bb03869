"""The batches of the stable phase of each run, by their values in the model ``metric``."""

from __future__ import annotations

import numpy as np

from studybook.statistics.batches import Values
from studybook.study.study import Study

#: Metrics with a course over time, of which a run has batches where its intervals are enough.
BY_INTERVALS = frozenset(
    {
        "response_ms", "pages_per_s", "requests_per_s", "cpu_busy_percent", "memory_used_percent",
        "context_switches_per_s", "runnable_tasks", "program_cpus",
    }
)  # fmt: skip
#: The same, and those of which a run has batches where its single requests are enough.
WITH_A_COURSE = BY_INTERVALS | {
    "response_p50_ms", "response_p90_ms", "response_p95_ms", "response_p99_ms", "response_mean_ms",
    "error_percent",
}  # fmt: skip

#: A run, a metric, and all factors that tell the value from others.
Key = tuple[str, str, frozenset[tuple[str, str]]]


def read_batches(study: Study, metric: str | None = None) -> dict[Key, Values]:
    """The values of the batches, in their order in time.

    Parameters
    ----------
    study : Study
        The study that is asked.
    metric : str, optional
        Name of the one metric that is asked for.
    """
    rows = study.query(
        "SELECT run_id, metric, map_keys(factors) AS names, map_values(factors) AS texts,"
        " list(value ORDER BY batch) AS values"
        " FROM metric_batch WHERE $metric IS NULL OR metric = $metric"
        " GROUP BY run_id, metric, factors ORDER BY ALL",
        metric=metric,
    )
    return {
        (run, name, frozenset(zip(names, texts, strict=True))): np.asarray(values, dtype=float)
        for run, name, names, texts, values in rows.itertuples(index=False)
    }
