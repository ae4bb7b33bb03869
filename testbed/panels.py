"""Charts of the testbed: what the models say, how well they fit, and what was planned."""

from __future__ import annotations

from typing import Any, cast

import altair as alt
import pandas as pd

from studybook.charts import look, marks
from studybook.charts.palette import GRID

#: Size of a panel of several, in pixels; a row holds two.
WIDTH, HEIGHT = 265, 165
#: Height of a line of the fit's chart, in pixels, and what its axis says.
LINE = 15
TOLERANCES = "Model less published value, in tolerances"


def panels(frame: pd.DataFrame, x: alt.X) -> alt.FacetChart:
    """Draw the rows of a what-if, a panel for each value of the column ``panel``.

    Parameters
    ----------
    frame : pandas.DataFrame
        As :mod:`testbed.what_if` gives it.
    x : altair.X
        What was varied.
    """
    base = alt.Chart(frame).encode(
        x=x,
        # Axes of one width: panels below each other then begin at one line.
        y=alt.Y("value:Q").title(None).axis(minExtent=48, labelPadding=10).scale(nice=6),
        color=look.colour(frame, "cluster"),
    )
    drawn = alt.layer(marks.interval_lines(base), marks.published_marks(base, in_colour=True))
    return _faceted(drawn, frame, columns=2, width=WIDTH, height=HEIGHT)


def deviations(frame: pd.DataFrame) -> alt.FacetChart:
    """Draw how far a model is from each published value, in tolerances.

    Parameters
    ----------
    frame : pandas.DataFrame
        As :func:`testbed.fit_tables.deviations` gives it.
    """
    base = alt.Chart(frame).encode(
        x=alt.X("value:Q").title(TOLERANCES),
        y=alt.Y("id:N").title(None).axis(labelPadding=12).sort(list(frame["id"].unique())),
    )
    holds = base.transform_filter("isValid(datum.low)").mark_rule(color=GRID, strokeWidth=LINE - 4)
    labels = marks.direct_labels(base, text="label:N", side="right").encode(
        x=alt.X("label_at:Q").title(TOLERANCES)
    )
    # The diamonds come last: they lie in the middle, where most of the dots are.
    diamonds = marks.published_marks(base).encode(size=alt.value(50))
    drawn = alt.layer(
        holds.encode(x=alt.X("low:Q").title(TOLERANCES), x2="high:Q"),
        marks.interval_dots(base),
        diamonds,
        labels,
    )
    return _faceted(drawn, frame, columns=1, width=400, height=alt.Step(LINE))


def loads(frame: pd.DataFrame) -> alt.FacetChart:
    """Draw how many runs a plan has of each setup under each load.

    Parameters
    ----------
    frame : pandas.DataFrame
        As :func:`testbed.plan_tables.loads` gives it.
    """
    base = alt.Chart(frame).encode(
        x=alt.X("users:Q").title("Virtual users").scale(zero=True, nice=6),
        y=alt.Y("setup:N").title(None).sort(list(frame["setup"].unique())),
    )
    drawn = alt.layer(
        marks.interval_dots(base), marks.direct_labels(base, text="label:N", side="right")
    )
    faceted = _faceted(drawn, frame, columns=1, width=420, height=alt.Step(24))
    return cast("alt.FacetChart", faceted.resolve_scale(x="independent", y="independent"))


def _faceted(
    chart: alt.LayerChart | alt.FacetChart, frame: pd.DataFrame, columns: int, **size: Any
) -> alt.FacetChart:
    """Draw a panel for each value of the column ``panel``, in the order of the rows."""
    header = alt.Header(title=None, labelPadding=8, labelAnchor="start")
    facet = alt.Facet("panel:N", sort=list(frame["panel"].unique()), header=header)
    faceted = chart.properties(**size).facet(facet=facet, columns=columns)
    return cast("alt.FacetChart", faceted.resolve_scale(y="independent"))
