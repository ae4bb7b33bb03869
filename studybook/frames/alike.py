"""Which numbers of a metric count the same: tools and tests of runs do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from studybook.frames.comparison import Comparison
from studybook.frames.evidence import quantity
from studybook.study.study import Study

#: On one axis with numbers so many times as large, all others would lie at zero.
_TIMES = 100


class Alike(NamedTuple):
    """The setups of a metric, by what can be said and drawn of them together."""

    setups: list[str]
    """Those of the tool or test that most runs share: words are of these."""
    of_test: str
    """That tool or test in words, where there are several."""
    several: int
    """How many tests there are."""
    have: str
    """What is said of its setups where there are others."""
    axes: list[list[str]]
    """The setups that share an axis, those of that test first; one without any, if all do."""


#: Metrics that a study has of its own, in runs of which the overview has none of their values.
_NOT_DRAWN = """
    WITH lines AS (
        SELECT run_id, metric, count(*) AS lines
        FROM (FROM mapped_metric UNION ALL BY NAME FROM own_metric)
        WHERE $metrics::VARCHAR[] IS NULL OR list_contains($metrics::VARCHAR[], metric)
        GROUP BY run_id, metric
    )
    SELECT metric, max(lines) AS lines
    FROM lines ANTI JOIN main_metric USING (run_id, metric)
    GROUP BY metric ORDER BY metric
"""


def not_drawn(study: Study, metrics: Sequence[str] | None = None) -> list[str]:
    """Sentences on metrics of more labels or hosts in a run than the overview can draw.

    Parameters
    ----------
    study : Study
        The study.
    metrics : sequence of str, optional
        Those that are meant; all by default.
    """
    found = study.query(_NOT_DRAWN, metrics=metrics)
    return [
        f"{quantity(name).label}: {lines} labels or hosts in a run, too many to draw: see the pages"
        " history and compare."
        for name, lines in zip(found["metric"], found["lines"], strict=True)
    ]


def tests(runs: pd.DataFrame) -> dict[str, Alike]:
    """Tell tests of each metric apart.

    Parameters
    ----------
    runs : pandas.DataFrame
        A row for each value: ``metric``, ``part`` (the test), ``run``, ``setup``, ``value``.
    """
    told = (
        runs.dropna(subset="metric")
        .groupby(["metric", "part"], as_index=False)
        .agg(runs=("run", "nunique"), most=("value", "max"), setups=("setup", "unique"))
        .sort_values("most", kind="stable")
    )
    times = told["most"] / told.groupby("metric")["most"].shift()
    far = times.between(_TIMES, np.inf, inclusive="left")
    told["axis"] = far.groupby(told["metric"]).cumsum()
    found = {}
    for metric, of in told.sort_values(["runs", "part"], ascending=[False, True]).groupby(
        "metric", sort=False
    ):
        axes = [each.explode().tolist() for _, each in of.groupby("axis", sort=False)["setups"]]
        found[str(metric)] = Alike(
            list(of["setups"].iloc[0]),
            f" of {of['part'].iloc[0]}" if len(of) > 1 and of["part"].iloc[0] else "",
            len(of),
            "are of this test" if len(of) > 1 else "have it",
            axes if len(axes) > 1 else [[]],
        )
    return found


def means(frame: pd.DataFrame, tests: Mapping[str, Alike]) -> pd.DataFrame:
    """The rows of a comparison that are means of the tests that most runs share, by value."""
    shared = [
        setup in tests[metric].setups if part == "mean" else False
        for metric, setup, part in zip(frame["metric"], frame["setup"], frame["part"], strict=True)
    ]
    return frame[shared].sort_values("value", kind="stable")


def panels(
    quantities: Sequence[Comparison], tests: Mapping[str, Alike]
) -> Iterator[tuple[Comparison, Any]]:
    """Each metric with the filter of the rows of a panel; axes of other tests come behind all."""
    for behind in (False, True):
        for each in quantities:
            for number, setups in enumerate(tests[each.metric].axes):
                where = alt.datum.metric == each.metric
                own: Any = setups
                if own:
                    where &= alt.expr.indexof(own, alt.datum.setup) >= 0
                if behind == (number > 0):
                    yield each, where
