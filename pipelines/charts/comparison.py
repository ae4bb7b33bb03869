"""Charts of comparisons: setups against each other, with repetitions and differences.

They draw the frames of :mod:`pipelines.comparison`: a panel for the means of each metric, and
below it one for the differences, so that a difference is shown with its own interval and not
left to the eye.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import altair as alt
import pandas as pd

from pipelines.charts import look, marks
from pipelines.charts.palette import MUTED
from pipelines.comparison import Comparison

#: Height of a line of a panel of setups, and of a panel over a factor, in pixels.
LINE, HEIGHT = 62, 200


def setups(
    frame: pd.DataFrame,
    comparisons: Sequence[Comparison],
    category: str,
    colour: str,
    *,
    multiples: str | None = None,
) -> alt.VConcatChart:
    """Draw setups below each other: the mean of each, its runs, its interval; then differences.

    Parameters
    ----------
    frame : pandas.DataFrame
        Rows of :meth:`pipelines.comparison.Comparison.rows`, and published ones.
    comparisons : sequence of Comparison
        The metrics, in the order of the panels.
    category : str
        The column whose values stand below each other, in the order of their appearance.
    colour : str
        The column whose values have a colour in the palette.
    multiples : str, optional
        A column each of whose values has panels of its own, on the same scale.
    """
    panels = [_lines(panel, category, colour) for panel in _panels(frame, comparisons, multiples)]
    return alt.vconcat(*panels, data=frame, spacing=24)


def along(
    frame: pd.DataFrame,
    comparisons: Sequence[Comparison],
    x: alt.X,
    colour: str,
    *,
    reach: Mapping[str, Sequence[float]] | None = None,
) -> alt.VConcatChart:
    """Draw setups as lines over a factor, a panel per metric; then differences.

    Parameters
    ----------
    frame, comparisons
        As of :func:`setups`.
    x : altair.X
        The factor: a column of the frame, with its title.
    colour : str
        The column that tells the lines apart, whose values have a colour in the palette.
    reach : mapping, optional
        For a part: values that its axes show at least, so that figures can be laid side by side.
    """
    panels = [_curves(panel, x, colour, reach or {}) for panel in _panels(frame, comparisons)]
    return alt.vconcat(*panels, data=frame, spacing=30)


@dataclass(frozen=True)
class _Panel:
    """A part of the frame by one metric: its means, or its differences from one setup."""

    frame: pd.DataFrame
    comparison: Comparison
    part: str
    against: str | None = None
    multiple: tuple[str, Any] | None = None

    def rows(self, part: str) -> pd.Series:
        """Which rows of the frame are of a part in this panel."""
        frame = self.frame
        found = (frame["metric"] == self.comparison.metric) & (frame["part"] == part)
        if self.multiple is not None:
            column, value = self.multiple
            found &= frame[column] == value
        return found if self.against is None else found & (frame["against"] == self.against)

    def has(self, part: str) -> bool:
        """Whether the data at hand have such rows."""
        return bool((self.rows(part) & (self.frame["origin"] != "published")).any())

    def chart(self, part: str) -> alt.Chart:
        """A chart of these rows."""
        chart: alt.Chart = alt.Chart(self.frame).transform_filter(
            (alt.datum.metric == self.comparison.metric) & (alt.datum.part == part)
        )
        if self.multiple is not None:
            column, value = self.multiple
            chart = chart.transform_filter(alt.datum[column] == value)
        if self.against is None:
            return chart
        return chart.transform_filter(alt.datum.against == self.against)

    @property
    def reach(self) -> dict[str, Any]:
        """The scale of small multiples: that of all of them together."""
        if self.multiple is None:
            return {}
        every = replace(self, multiple=None)
        parts = ["mean", "run"] if self.part == "mean" else [self.part]
        rows = pd.concat([self.frame[every.rows(part)] for part in parts])
        return _at_least(pd.concat([rows["value"], rows["low"], rows["high"]]).dropna())

    @property
    def title(self) -> str:
        """What the axis of values says."""
        quantity = self.comparison.quantity
        label = quantity.label + (f", {self.multiple[1]}" if self.multiple else "")
        unit = f" ({quantity.unit})" if quantity.unit else ""
        if self.against is None:
            return label + unit
        return f"{label}: difference from {self.against}" + (
            unit if self.comparison.differs == "unit" else ""
        )

    @property
    def format(self) -> dict[str, Any]:
        """How the axis prints its numbers."""
        if self.against is None:
            return {}
        return {"format": "+.0%" if self.comparison.differs == "share" else "+,.4~g"}


def _at_least(values: Iterable[float]) -> dict[str, Any]:
    """What makes a scale show these values, whatever else it shows."""
    found = [float(value) for value in values]
    if not found:
        return {}
    return {"domain": alt.DomainUnionWith(unionWith=[min(found), max(found)])}


def _panels(
    frame: pd.DataFrame, comparisons: Sequence[Comparison], multiples: str | None = None
) -> list[_Panel]:
    columns: list[tuple[str, Any] | None] = [None]
    if multiples:
        columns = [(multiples, value) for value in dict.fromkeys(frame[multiples].dropna())]
    every = [
        _Panel(frame, each, part, against, multiple)
        for each in comparisons
        for part, against in (
            ("mean", None),
            *(("difference", against) for against in each.references),
        )
        for multiple in columns
    ]
    return [panel for panel in every if panel.has(panel.part)]


def _lines(panel: _Panel, category: str, colour: str) -> alt.LayerChart:
    frame = panel.frame
    value = (
        alt.X("value:Q")
        .title(panel.title)
        .scale(zero=True, nice=5, **panel.reach)
        .axis(**panel.format)
    )
    order = list(dict.fromkeys(frame[category].dropna()))
    in_panel = set(frame.loc[panel.rows(panel.part), category])
    shown = [each for each in order if each in in_panel]
    axis = alt.Axis(minExtent=80, labelPadding=10)
    encoded: dict[str, Any] = {
        "x": value,
        "y": alt.Y(f"{category}:N").title(None).sort(shown).axis(axis),
        "color": look.colour(frame, colour).legend(None),
    }
    base = panel.chart(panel.part).encode(**encoded)
    layers: list[Any] = []
    if panel.part == "mean":
        if panel.has("guide"):
            guide = panel.chart("guide").encode(**encoded | {"color": alt.value(MUTED)})
            layers.append(guide.mark_tick(thickness=1.5, size=LINE * 0.7))
            layers.append(_named(guide.encode(text="label:N"), align="left", dx=5, dy=-14))
        runs = panel.chart("run").encode(**encoded)
        layers.append(runs.mark_point(filled=True, size=26, opacity=0.65, yOffset=15))
    else:
        layers.append(alt.Chart(frame).mark_rule().encode(x=alt.datum(0)))
    layers += [
        marks.interval_dots(base),
        marks.published_marks(base),
        marks.direct_labels(base, text="label:N"),
        marks.direct_labels(base, text="label:N", published=True, side="below"),
    ]
    drawn = alt.layer(*layers).properties(height=alt.Step(LINE), width=480)
    return cast("alt.LayerChart", drawn)


def _curves(
    panel: _Panel, x: alt.X, colour: str, reach: Mapping[str, Sequence[float]]
) -> alt.LayerChart:
    frame = panel.frame
    value = (
        alt.Y("value:Q")
        .title(panel.title)
        .scale(zero=True, nice=5, **_at_least(reach.get(panel.part, ())))
        .axis(minExtent=48, labelPadding=8, **panel.format)
    )
    # The panel of differences lacks what others are compared with; its colour stays.
    encoded: dict[str, Any] = {"x": x, "y": value, "color": look.colour(frame, colour)}
    base = panel.chart(panel.part).encode(**encoded)
    layers: list[Any] = []
    if panel.part == "mean":
        if panel.has("guide"):
            guide = panel.chart("guide").encode(x=x, y=value)
            layers.append(guide.mark_line(color=MUTED, strokeWidth=1, strokeDash=[2, 3]))
            layers.append(_named(guide.encode(text="label:N"), align="right", dx=-10))
        if panel.has("host"):
            hosts = panel.chart("host").encode(**encoded)
            layers.append(hosts.mark_tick(thickness=2, size=14, opacity=0.8))
        runs = panel.chart("run").encode(**encoded)
        layers.append(runs.mark_point(filled=True, size=22, opacity=0.55))
    else:
        layers.append(alt.Chart(frame).mark_rule().encode(y=alt.datum(0)))
    layers += [
        marks.interval_lines(base),
        marks.published_marks(base, in_colour=True),
        marks.direct_labels(base, "y", text="label:N", published=True),
    ]
    if frame[colour].nunique() == 1:  # labels of several lines would cross them
        layers.append(marks.direct_labels(base, "y", text="label:N"))
    height = HEIGHT if panel.part == "mean" else HEIGHT * 0.7
    return cast("alt.LayerChart", alt.layer(*layers).properties(height=height, width=560))


def _named(guide: alt.Chart, **place: Any) -> alt.Chart:
    """Write what a guide is beside it."""
    text: alt.Chart = guide.mark_text(color=MUTED, fontSize=11, fontStyle="italic", **place)
    return text
