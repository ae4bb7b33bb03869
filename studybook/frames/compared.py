"""What a comparison of two sides found: what differs besides, and a row for each metric."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import pandas as pd

from studybook.frames.evidence import said_of
from studybook.frames.side import Side
from studybook.statistics.difference import Difference
from studybook.statistics.digits import borne
from studybook.statistics.intervals import Interval
from studybook.study.origin import BETWEEN, NO_RUN, run_name
from studybook.text import counted, first_of, numbered
from studybook.units import METRICS, Metric

#: What leads: how much was done, how long its users waited, what failed. The longest response time
#: is last: it is that of one request, and scatters more than all others.
_LEADING = (
    "requests_per_s", "pages_per_s", "operations_per_s", "bandwidth_gb_s", "response_p50_ms",
    "response_p95_ms", "response_mean_ms", "response_ms", "operation_ms", "error_percent",
)  # fmt: skip
_LAST = ("response_max_ms",)

#: Digits behind the point at most: a scatter below that is of rounding.
_MOST_DECIMALS = 6

_MINUS = str.maketrans("-", "−")


def rank_of(metric: str, of: Collection[tuple[str, str]]) -> tuple[int, bool]:
    """How early a metric is told among others, one of a label or host behind that of all of them.

    Metrics of a study's own come behind the main ones: nobody defines one to read it last.
    """
    if metric in _LEADING:
        return _LEADING.index(metric), bool(of)
    place = len(_LEADING) + (metric in METRICS) + (metric in _LAST)
    return place, bool(of and metric not in METRICS)


class Verdict(StrEnum):
    """What the data say of the second side, the most important first."""

    WORSE = "worse"
    BETTER = "better"
    CHANGED = "changed"
    SMALL = "too small to matter"
    ALIKE = "alike"
    OPEN = "no evidence"
    UNTESTED = "cannot be told"


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
        Corrected for the number of metrics that have a direction, or of those that have none; NaN
        where there is no test.
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
    def size(self) -> float:
        """The size of the share, infinite where the first side is zero."""
        return abs(self.share.estimate) if math.isfinite(self.share.estimate) else math.inf

    @property
    def rank(self) -> tuple[int, bool]:
        """How early it is told among those of its verdict."""
        return rank_of(self.metric.name, self.of)

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
        if math.isfinite(low) and low < high:  # of nothing left, all is gone in any case
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
class FarOut:
    """A run that lies far out of the others of its side.

    Attributes
    ----------
    run, side : str
        Its id, and the name of its side.
    metrics : tuple of str
        What it is far out in, the furthest first.
    """

    run: str
    side: str
    metrics: tuple[str, ...]

    @property
    def name(self) -> str:
        """The run without its study."""
        return run_name(self.run)

    def __str__(self) -> str:
        many = counted(len(self.metrics), "metric")
        return f"{self.name} lies far out of {self.side} in {many}: {first_of(self.metrics, 3)}"


@dataclass(frozen=True)
class Compared:
    """A comparison: what differs besides, the rows in their order, what has no partner.

    ``why_none`` goes on behind the names of both sides: why there are no rows, if there are none.
    ``far_out`` are runs that lie far out of their side, and ``without_them`` is the comparison of
    the others, if these can be compared.
    """

    first: Side
    second: Side
    besides: tuple[Besides, ...]
    rows: tuple[Row, ...]
    alone: tuple[str, ...]
    at_least: float
    why_none: str = ""
    far_out: tuple[FarOut, ...] = ()
    without_them: Compared | None = None

    @property
    def worse(self) -> bool:
        """Whether anything got worse."""
        return any(row.verdict is Verdict.WORSE for row in self.rows)

    @property
    def headline(self) -> Row | None:
        """What to tell first: of the main metrics that differ for certain; None where none does."""
        told = (Verdict.WORSE, Verdict.BETTER, Verdict.CHANGED)
        clear = [row for row in self.rows if row.verdict in told]
        return min(clear, key=lambda row: (row.rank, told.index(row.verdict)), default=None)

    @property
    def summary(self) -> str:
        """How many metrics have each verdict, in words."""
        many = [(verdict, sum(row.verdict is verdict for row in self.rows)) for verdict in Verdict]
        return ", ".join(f"{n} {verdict}" for verdict, n in many if n) or "nothing to compare"

    @property
    def beside_far_out(self) -> str:
        """What the runs say that do not lie far out of their side; empty where all are alike."""
        if not self.without_them:
            return ""
        them = "it" if len(self.far_out) == 1 else "them"
        return f"without {them}: {self.without_them.summary}"

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
                BETWEEN.join(run_name(run) for side in row.runs for run in side) or NO_RUN,
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
            "first": self.first.record(),
            "second": self.second.record(),
            "at_least": self.at_least,
            "worse": self.worse,
            "differs_besides": [vars(each) for each in self.besides],
            "without_partner": list(self.alone),
            "far_out": [vars(each) for each in self.far_out],
            "without_far_out": self.without_them and self.without_them.summary,
            "metrics": [row.record() for row in self.rows],
        }


def _signed(of: Interval, metric: Metric) -> str:
    text = borne(of.estimate, of.low, of.high, max(metric.decimals, 1), signed=True)
    return f"{text} {metric.unit}".strip().translate(_MINUS)
