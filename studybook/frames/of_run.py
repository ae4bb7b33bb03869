"""The metrics of single runs in rows, each with the interval that the run itself bears."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pandas as pd

from studybook.frames.evidence import Value, quantity
from studybook.statistics.digits import borne, ends_borne
from studybook.statistics.intervals import Sample, mean_interval
from studybook.text import numbered
from studybook.units import bounds_of


def rows_of(values: Iterable[Value], level: float = 0.95) -> pd.DataFrame:
    """The values of runs, one in each row.

    Parameters
    ----------
    values : iterable of Value
        What :func:`studybook.frames.evidence.read_evidence` found of the runs.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    pandas.DataFrame
        ``run_id``, ``metric``, ``label`` and ``host`` (empty where it is of all), ``other`` (by
        what else it is told apart), ``test`` (what it counts), ``value``, ``low`` and ``high`` in
        the unit of the metric (NaN where there is no interval), ``text`` (as printed, with unit),
        ``interval`` (its ends as printed; empty where there is none), ``rests_on``.
    """
    rows = []
    for each in values:
        sample, rests_on = _sample(each)
        found = mean_interval(sample, level, *bounds_of(each.metric))
        metric = quantity(each.metric)
        # Without an interval the registry says how many decimals make sense.
        decimals = metric.decimals_of(found.estimate) if math.isnan(found.low) else None
        interval = found.estimate, found.low, found.high, decimals
        of = dict(each.of)
        rows.append(
            {
                "run_id": each.run_id,
                "metric": each.metric,
                "label": of.pop("label", ""),
                "host": of.pop("host", ""),
                "other": ", ".join(of.values()),
                "test": each.test,
                "value": found.estimate,
                "low": found.low,
                "high": found.high,
                "text": numbered(borne(*interval), metric.unit),
                "interval": "" if math.isnan(found.low) else ends_borne(*interval),
                "rests_on": rests_on,
            }
        )
    columns = (
        "run_id metric label host other test value low high text interval rests_on".split()  # noqa: SIM905
    )
    return pd.DataFrame(rows, columns=columns)


def _sample(value: Value) -> tuple[Sample, str]:
    found = value.within
    if found is not None:
        what = "repetitions within the run" if value.sample.n > 1 else "batches"
        return found, f"{found.n} {what}"
    if value.batches is None:
        return value.sample, "the whole run" if "whole run" in value.test else "one value"
    return value.sample, "one value: parts of the run depend on their neighbours"
