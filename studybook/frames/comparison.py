"""From one number per run to a comparison of setups: means, repetitions, differences.

A frame of runs has a row per run: ``origin``, ``run_id``, the columns that tell setups apart,
``value``. From it come the rows that figures of setups draw, told apart by ``part``:

=========== ==============================================================================
part        a row is
=========== ==============================================================================
run         one run
mean        the mean of the runs of a setup, with Student's interval (``low``, ``high``, ``n``)
difference  a setup less the one that it is compared with, with its interval; ``against`` names
            that one
=========== ==============================================================================

What a document says is a row of the part ``mean`` or ``difference``, as of
:mod:`studybook.frames.document`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from studybook.claims.published_values import Claim, Published
from studybook.dataset.definition import Factors
from studybook.errors import StudyBookError
from studybook.frames import document
from studybook.frames.figure_data import rounded, spread
from studybook.statistics.digits import borne
from studybook.statistics.intervals import (
    LEVEL,
    Interval,
    Sample,
    difference_interval,
    mean_interval,
    ratio_interval,
)
from studybook.study import provenance
from studybook.study.origin import joined, runs_behind, with_runs
from studybook.study.scope import Scope
from studybook.text import minus, numbered
from studybook.units import Metric, bounds_of, metric

#: How a difference is given: in the unit of the metric, or as a share of what it is compared with.
As = Literal["unit", "share"]


@dataclass(frozen=True)
class Comparison:
    """How setups are compared by one metric.

    Parameters
    ----------
    metric : str
        Name of the metric, as in the registry.
    by : tuple of str
        The columns that tell the setups apart.
    against : mapping
        The setup that others are compared with: column to value. Setups are compared that agree
        in the columns of ``by`` that it does not name. Where it is empty there are no differences.
    also : tuple of mappings
        More such setups, each with differences of its own. Two setups are compared once.
    called : tuple of str
        The names of all these setups for readers; their values, where it is left out.
    differs : {"share", "unit"}
        How a difference is given.
    level : float
        Confidence level of the intervals.
    """

    metric: str
    by: tuple[str, ...]
    against: Mapping[str, Any]
    differs: As = "share"
    level: float = LEVEL
    also: tuple[Mapping[str, Any], ...] = ()
    called: tuple[str, ...] = ()

    @property
    def quantity(self) -> Metric:
        """The metric."""
        return metric(self.metric)

    @property
    def references(self) -> dict[str, Mapping[str, Any]]:
        """The setups that others are compared with, by their names for readers."""
        setups = (self.against, *self.also)
        named = self.called or [", ".join(map(str, each.values())) for each in setups]
        return dict(zip(named, setups, strict=True))

    def rows(self, runs: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of all parts, for the runs of this metric.

        Parameters
        ----------
        runs : pandas.DataFrame
            A row per run: ``origin``, ``run_id``, the columns of ``by``, ``value``; other metrics
            are left out where there is a column ``metric``.
        """
        runs = with_runs(runs)
        if "metric" in runs:
            runs = runs[runs["metric"] == self.metric]
        runs = runs.dropna(subset=["value"])
        named = ["run"] if "run" in runs else []
        rows = runs[["origin", *named, *self.by, "value"]].assign(part="run", metric=self.metric)
        found = [rows, self._means(runs), self._differences(runs)]
        columns = ["origin", *named, "part", "metric", *self.by, "against"]
        columns += ["value", "low", "high", "n"]
        parts = [part for part in found if not part.empty]
        every = pd.concat(parts) if parts else pd.DataFrame(columns=columns)
        return self.labelled(every.reindex(columns=columns))

    def published(
        self,
        values: Published,
        figure: str,
        scope: Scope | None = None,
        *,
        also: Sequence[str] = (),
        **names: Callable[[Any], Any],
    ) -> pd.DataFrame:
        """Return the published values of a figure that have a place in this comparison.

        Parameters
        ----------
        values : Published
            What was published of the study.
        figure : str
            The figure that the claims belong to.
        scope : Scope, optional
            Leave out claims on runs that the figure does not take, such as those with other users.
        also : sequence of str
            Claims of other figures, which say something of the same runs.
        **names
            For each column of ``by``: what makes its value of the factors of a claim; None leaves
            the claim out.
        """
        rows = []
        for claim in values.claims:
            of_figure = claim.figure == figure or claim.id in also
            if not of_figure or claim.metric != self.metric:
                continue
            if scope and not all(scope.takes(values.baseline | side) for side in _sides(claim)):
                continue
            place = {name: of(values.baseline | claim.of) for name, of in names.items()}
            if None in place.values():
                continue
            row = self._published(claim, place, values, names)
            if row is not None:
                rows.append(row | {"metric": self.metric, **place})
                provenance.note_published_marks(values.document.title, {claim.place})
        columns = ["origin", "part", "metric", *self.by, "against", "value", "low", "high"]
        found = document.rows(rows, [*columns, "label", "claim"])
        # Marks of one setup stand close to each other: in the drawing, the first has the words of
        # all, and words that are said of several setups at once stand at the first of them. Each
        # row keeps its own label: tables and texts are of rows.
        found = found.sort_values("origin", ascending=False, kind="stable", ignore_index=True)
        drawn = found["label"].copy()
        again = found.duplicated(["part", "against", "label"])
        drawn[again & (found["origin"] == document.OUR_READING)] = ""
        for _, same in found.groupby(["part", *self.by, "against"], dropna=False):
            labels = dict.fromkeys(filter(None, drawn[same.index]))
            drawn[same.index] = ""
            drawn[same.index[0]] = "; ".join(labels)
        found = found.assign(**{document.DRAWN: drawn})
        return self._with_given_as(found)

    def _as_published(self, part: str, value: float) -> str:
        sign = "+" if part == "difference" and value else ""
        if part == "difference" and self.differs == "share":
            return minus(f"{100 * value:{sign}.4g} %")
        return f"{minus(f'{value:{sign},.10g}')} {self.quantity.unit}".strip()

    def _published(
        self, claim: Claim, place: Mapping[str, Any], values: Published, names: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        if claim.kind == "value":
            found = document.said(claim, lambda number: self._as_published("mean", number))
            return found and found | {"part": "mean"}
        over = {name: of(values.baseline | (claim.over or {})) for name, of in names.items()}
        against = self._reference(place, over)
        share = self.differs == "share"
        if against is None or (claim.kind == "difference") == share:
            return None
        found = document.said(
            claim,
            lambda number: self._as_published("difference", number),
            (lambda ratio: rounded(ratio - 1)) if share else (lambda number: number),
        )
        return found and found | {"part": "difference", "against": against}

    def _reference(self, setup: Mapping[str, Any], other: Mapping[str, Any]) -> str | None:
        """The name under which a setup is compared with another one, if it is."""
        for name, reference in self.references.items():
            if dict(other) == {**setup, **reference} != dict(setup):
                return name
            if dict(setup) == {**other, **reference} != dict(other):
                return None  # compared the other way round
        return None

    def _means(self, runs: pd.DataFrame) -> pd.DataFrame:
        rows = []
        for key, group in runs.groupby(["origin", *self.by], sort=False, dropna=False):
            sample = sample_of(group["value"])
            setup = dict(zip(("origin", *self.by), key, strict=True))
            said = {"n": sample.n} | runs_behind(group)
            found = mean_interval(sample, self.level, *bounds_of(self.metric))
            rows.append(setup | said | spread(found))
        return pd.DataFrame(rows).assign(part="mean", metric=self.metric)

    def _differences(self, runs: pd.DataFrame) -> pd.DataFrame:
        """Set each setup against the one to compare with: of the same origin, and no other."""
        groups = dict(list(runs.groupby(["origin", *self.by], sort=False, dropna=False)))
        samples = {key: sample_of(group["value"]) for key, group in groups.items()}
        rows = []
        for name, reference in self.references.items() if self.against else ():
            for key, sample in samples.items():
                setup = dict(zip(("origin", *self.by), key, strict=True))
                other = setup | dict(reference)
                over = tuple(other.values())
                base = samples.get(over)
                if base is None or self._reference(setup, other) != name:
                    continue
                said = {"against": name, "n": min(sample.n, base.n)}
                said |= runs_behind(groups[key], groups[over])
                rows.append(setup | said | spread(self._difference(sample, base)))
        return pd.DataFrame(rows).assign(part="difference", metric=self.metric)

    def _difference(self, sample: Sample, base: Sample) -> Interval:
        if self.differs == "unit":
            return difference_interval(sample, base, self.level)
        ratio = ratio_interval(sample, base, self.level)
        return Interval(ratio.estimate - 1, ratio.low - 1, ratio.high - 1)

    def labelled(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Add ``label``: the value as it is printed at its mark, with the digits that it bears."""
        columns = ("part", "value", "low", "high")
        cells = (rows[each].tolist() if each in rows else [None] * len(rows) for each in columns)
        rows = rows.assign(label=[self._label(*each) for each in zip(*cells, strict=True)])
        return self._with_given_as(rows)

    def _with_given_as(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Rows that say how their difference is given: a label may have words instead."""
        return rows.assign(given_as=rows["part"].map({"difference": self.differs}))

    def _label(self, part: str, value: float, low: float | None, high: float | None) -> str:
        if part == "run":
            return ""
        if part == "difference":
            return self.difference_text(value, low, high)
        if pd.isna(value):
            return self.quantity.show(value)
        return numbered(
            borne(value, low, high, self.quantity.decimals_of(value)), self.quantity.unit
        )

    def difference_text(
        self, value: float, low: float | None = None, high: float | None = None
    ) -> str:
        """Write a difference for readers, with its sign, and the digits that its interval bears."""
        if self.differs == "share":
            least, most = (None if end is None else 100 * end for end in (low, high))
            return f"{borne(100 * value, least, most, 1, signed=True)} %"
        number = borne(value, low, high, self.quantity.decimals, signed=True)
        return f"{number} {self.quantity.unit}".strip()


def _sides(claim: Claim) -> list[Factors]:
    return [claim.of] if claim.over is None else [claim.of, claim.over]


def sample_of(values: Sequence[float] | pd.Series) -> Sample:
    """Summarise the values of repetitions."""
    series = pd.Series(values, dtype=float)
    return Sample(len(series), float(series.mean()), float(series.std(ddof=0)))


def one(rows: pd.DataFrame, part: str, **setup: Any) -> Any:
    """Return the row of a part for a setup, of the data at hand; None if there is none.

    Raises
    ------
    StudyBookError
        If several rows match: the setup is not told apart well enough.
    """
    found = document.own(rows[rows["part"] == part])
    for column, value in setup.items():
        found = found[found[column] == value]
    if len(found) > 1:
        raise StudyBookError(f"{len(found)} rows of the part {part} match {setup}")
    return None if found.empty else next(found.itertuples())


def clear(row: Any) -> bool:
    """Whether the interval of a difference leaves out zero; without one, it never does."""
    return bool(row is not None and (row.low > 0 or row.high < 0))


def of_hosts(found: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return the mean of each host over the runs of its setup, as rows of the part ``host``.

    Parameters
    ----------
    found : pandas.DataFrame
        A row per run and host: ``origin``, ``run_id``, ``host``, the columns of ``by``, ``value``;
        rows without a host are left out.
    by : sequence of str
        The columns that tell the setups and the metrics apart.
    """
    hosts = with_runs(found.dropna(subset="host"))
    groups = hosts.groupby(["origin", *by, "host"], sort=False)
    means = groups.agg(value=("value", "mean"), run=("run", joined)).reset_index()
    return means.assign(part="host", label="")


def linear(base: Any, factor: str, upto: float) -> pd.DataFrame:
    """Return the line of growth in proportion to a factor, as rows of the part ``guide``.

    Parameters
    ----------
    base : named tuple
        The row of the part ``mean`` from which it starts.
    factor : str
        The column of the factor.
    upto : float
        The value of the factor at which it ends.
    """
    start = getattr(base, factor)
    rows = [(start, base.value, ""), (upto, base.value * upto / start, "linear growth")]
    rows = rows if upto > start else []
    return pd.DataFrame(rows, columns=[factor, "value", "label"]).assign(
        origin=base.origin, run=getattr(base, "run", None), part="guide", metric=base.metric
    )


def method(*comparisons: Comparison) -> str:
    """Say in the subtitle of a figure how its intervals were made."""
    first = comparisons[0]
    share = any(each.differs == "share" for each in comparisons)
    unit = any(each.differs == "unit" for each in comparisons)
    ways = ["Student's of means"]
    ways += ["Fieller's of relative differences"] if share else []
    ways += ["Welch's of differences"] if unit else []
    return f"{100 * first.level:.3g} % intervals over repetitions: {', '.join(ways)}"
