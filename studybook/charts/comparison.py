"""Charts of comparisons: setups against each other, with repetitions and differences.

They draw the frames of :mod:`studybook.frames.comparison`: a panel for the means of each metric,
and below it one for the differences, so that a difference is shown with its own interval and not
left to the eye.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt
import pandas as pd

from studybook.charts import axes, look, marks
from studybook.charts.axes import levels as levels  # notebooks take it from here, too
from studybook.charts.axes import multiples_of as multiples_of
from studybook.charts.palette import MUTED
from studybook.frames.comparison import Comparison

#: Height of a line of a panel of setups, and of a panel over a factor, in pixels.
LINE, HEIGHT = 62, 200

#: The same for a line of many, whose labels stand beside the marks.
DENSE = 40

#: For a part, such as ``mean``: values that its axes show at least.
Reach = Mapping[str, Sequence[float]]


def setups(
    frame: pd.DataFrame,
    comparisons: Sequence[Comparison],
    category: str,
    colour: str,
    *,
    multiples: str | None = None,
    reach: Reach | None = None,
    cut: bool = False,
) -> alt.VConcatChart:
    """Draw setups below each other: the mean of each, its runs, its interval; then differences.

    Parameters
    ----------
    frame : pandas.DataFrame
        Rows of :meth:`studybook.frames.comparison.Comparison.rows`, and published ones.
    comparisons : sequence of Comparison
        The metrics, in the order of the panels.
    category : str
        The column whose values stand below each other, in the order of their appearance.
    colour : str
        The column whose values have a colour in the palette.
    multiples : str, optional
        A column each of whose values has panels of its own, on the same scale.
    reach : mapping, optional
        For a part, such as ``mean``: values that its axes show at least, so that panels, or
        figures, can be laid side by side.
    cut : bool, optional
        Whether intervals are cut where they leave the range from zero to the largest run: few
        repetitions that lie far apart have intervals beside which nothing else would be seen.
    """
    panels = _panels(frame, comparisons, reach or {}, multiples, cut=cut)
    drawn = [_lines(panel, category, colour) for panel in panels]
    return alt.vconcat(*drawn, data=frame, spacing=24)


def along(
    frame: pd.DataFrame,
    comparisons: Sequence[Comparison],
    x: alt.X,
    colour: str,
    *,
    reach: Reach | None = None,
    axes: Mapping[str, Mapping[str, Any]] | None = None,
) -> alt.VConcatChart:
    """Draw setups as lines over a factor, a panel per metric; then differences.

    Parameters
    ----------
    frame, comparisons, reach
        As of :func:`setups`.
    x : altair.X
        The factor: a column of the frame, with its title.
    colour : str
        The column that tells the lines apart, whose values have a colour in the palette.
    axes : mapping, optional
        For a metric: what the axis of its means has in the place of the usual (see altair.Axis).
    """
    panels = _panels(frame, comparisons, reach or {})
    drawn = [
        _curves(
            panel,
            x if panel is panels[-1] else x.title(None),
            colour,
            (axes or {}).get(panel.comparison.metric, {}),
        )
        for panel in panels
    ]
    # What others are compared with has no difference, and keeps its place.
    shared = alt.Resolve(scale=alt.ScaleResolveMap(x="shared"))
    return alt.vconcat(*drawn, data=frame, spacing=30, resolve=shared)


@dataclass(frozen=True)
class _Panel:
    """A part of the frame by one metric: its means, or its differences from one setup."""

    frame: pd.DataFrame
    comparison: Comparison
    part: str
    against: str | None = None
    multiple: tuple[str, Any] | None = None
    reach: Sequence[float] = ()
    cut: bool = False

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

    @property
    def has_published(self) -> bool:
        """Whether published values stand in the panel."""
        return bool((self.rows(self.part) & (self.frame["origin"] == "published")).any())

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
    def scale(self) -> dict[str, Any]:
        """The scale of values; small multiples have that of all of them together."""
        shown = list(self.reach)
        if self.cut:
            part = "run" if self.part == "mean" else self.part
            shown += self.frame.loc[self.rows(part), "value"].tolist()
            if self.against is not None:  # whether an interval crosses zero must be seen
                shown += [-value for value in shown]
            return axes.cut_scale(shown)
        if self.multiple is not None:
            every = replace(self, multiple=None)
            parts = ["mean", "run"] if self.part == "mean" else [self.part]
            rows = pd.concat([self.frame[every.rows(part)] for part in parts])
            shown += pd.concat([rows["value"], rows["low"], rows["high"]]).dropna().tolist()
        usual: dict[str, Any] = {"zero": True, "nice": 5}
        if not shown:
            return usual
        return usual | {"domain": alt.DomainUnionWith(unionWith=[min(shown), max(shown)])}

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
        if self.comparison.differs == "share":
            label = "datum.value === 0 ? '0 %' : replace(datum.label, '%', ' %')"
            return {"format": "+.3~%", "labelExpr": label}
        return {"format": "+,.4~g", "labelExpr": "datum.value === 0 ? '0' : datum.label"}


def _panels(
    frame: pd.DataFrame,
    comparisons: Sequence[Comparison],
    reach: Reach,
    multiples: str | None = None,
    *,
    cut: bool = False,
) -> list[_Panel]:
    columns: list[tuple[str, Any] | None] = [None]
    if multiples:
        columns = [(multiples, value) for value in dict.fromkeys(frame[multiples].dropna())]
    every = [
        _Panel(frame, each, part, against, multiple, reach.get(part, ()), cut)
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
    value = alt.X("value:Q").title(panel.title).scale(**panel.scale).axis(**panel.format)
    order = list(dict.fromkeys(frame[category].dropna()))
    in_panel = set(frame.loc[panel.rows(panel.part), category])
    shown = [each for each in order if each in in_panel]
    # Away from the panel, where marks at zero would meet the names; zero has a line of its own.
    axis = alt.Axis(minExtent=80, labelPadding=10, offset=8, domain=False)
    encoded: dict[str, Any] = {
        "x": value,
        "y": alt.Y(f"{category}:N").title(None).sort(shown).axis(axis),
        "color": look.colour(frame, colour).legend(None),
    }
    base = panel.chart(panel.part).encode(**encoded)
    layers: list[Any] = [alt.Chart(frame).mark_rule().encode(x=alt.datum(0))]
    if panel.part == "mean":
        if panel.has("guide"):
            guide = panel.chart("guide").encode(**encoded | {"color": alt.value(MUTED)})
            layers.append(guide.mark_tick(thickness=1.5, size=20))
            layers.append(_named(guide.encode(text="label:N"), align="left", dx=5))
        runs = panel.chart("run").encode(**encoded)
        layers.append(runs.mark_point(filled=True, size=26, opacity=0.65, yOffset=15))
    dense = len(shown) > 3 and not panel.has_published
    layers += [
        marks.interval_dots(base),
        marks.published_marks(base),
        marks.rimmed(marks.direct_labels(base, text="label:N", side="end" if dense else None)),
        # Below the runs, where there are some.
        marks.direct_labels(
            base,
            text="label:N",
            published=True,
            side="below",
            away=20 if panel.part == "mean" else 11,
        ),
    ]
    step = alt.Step(DENSE if dense else LINE)
    return marks.layered(*layers, height=step, width=480)


def _curves(panel: _Panel, x: alt.X, colour: str, axis: Mapping[str, Any]) -> alt.LayerChart:
    frame = panel.frame
    value = (
        alt.Y("value:Q")
        .title(panel.title)
        .scale(**panel.scale)
        .axis(minExtent=48, labelPadding=8, **(axis if panel.part == "mean" else panel.format))
    )
    # The panel of differences lacks what others are compared with; its colour stays.
    encoded: dict[str, Any] = {"x": x, "y": value, "color": look.colour(frame, colour)}
    base = panel.chart(panel.part).encode(**encoded)
    layers: list[Any] = []
    if panel.part == "mean":
        if panel.has("guide"):
            guide = panel.chart("guide").encode(x=x, y=value)
            layers.append(guide.mark_line(color=MUTED, strokeWidth=1, strokeDash=[2, 3]))
            layers.append(_named(guide.encode(text="label:N"), align="right", dx=-8, dy=-10))
        if panel.has("host"):
            hosts = panel.chart("host").encode(**encoded)
            layers.append(hosts.mark_tick(orient="horizontal", thickness=2, size=14, opacity=0.8))
            names = panel.chart("host").encode(x=x, y=value, text="label:N")
            layers.append(_named(names, align="left", dx=14))
        runs = panel.chart("run").encode(**encoded)
        layers.append(runs.mark_point(filled=True, size=22, opacity=0.65, xOffset=-11))
    else:
        layers.append(alt.Chart(frame).mark_rule().encode(y=alt.datum(0)))
    alone = frame[str(x.shorthand).split(":")[0]].nunique() == 1  # no line, and no band along it
    layers += [
        marks.interval_dots(base, "y") if alone else marks.interval_lines(base),
        marks.published_marks(base, in_colour=True),
    ]
    if frame[colour].nunique() == 1:  # labels of several lines would cross them
        layers += [
            marks.direct_labels(base, "y", text="label:N"),
            marks.direct_labels(base, "y", text="label:N", published=True, side="below"),
        ]
    else:
        words = marks.direct_labels(base, "y", text="label:N", published=True)
        layers.append(marks.rimmed(words))
    height = HEIGHT if panel.part == "mean" else HEIGHT * 0.7
    return marks.layered(*layers, height=height, width=560)


def _named(guide: alt.Chart, **place: Any) -> alt.Chart:
    """Write what a guide is beside it."""
    text: alt.Chart = guide.mark_text(color=MUTED, fontSize=11, fontStyle="italic", **place)
    return text
