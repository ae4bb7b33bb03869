"""The theme of the charts, as Vega-Lite takes it; without Altair, which takes long to load."""

from __future__ import annotations

from typing import Any

from studybook.charts.palette import GRID, INK, MAIN, MUTED

#: What the reader's system reads best; nothing is fetched.
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif"


def config() -> dict[str, Any]:
    """The configuration of Vega-Lite: quiet axes, one font, and no background but the page's."""
    return {
        "background": "transparent",
        "font": FONT,
        "padding": 4,
        "view": {
            "stroke": None,
            "continuousWidth": 640,
            "continuousHeight": 320,
            "discreteWidth": 640,
            "discreteHeight": {"step": 56},
        },
        "title": {
            "anchor": "start",
            "frame": "group",
            "color": INK,
            "fontSize": 17,
            "fontWeight": 600,
            "lineHeight": 22,
            "subtitleColor": MUTED,
            "subtitleFontSize": 13,
            "subtitleLineHeight": 18,
            "subtitlePadding": 6,
            "offset": 18,
        },
        "axis": {
            "labelColor": MUTED,
            "labelFontSize": 12,
            "labelLimit": 220,
            "labelPadding": 6,
            "labelSeparation": 6,
            "titleColor": MUTED,
            "titleFontSize": 12,
            "titleFontWeight": 500,
            "titlePadding": 10,
            "titleLimit": 600,
            "domainColor": MUTED,
            "gridColor": GRID,
            "ticks": False,
            "labelFlush": False,
        },
        "axisQuantitative": {"domain": False, "grid": True, "tickCount": 6},
        "axisDiscrete": {"grid": False, "labelAngle": 0, "labelColor": INK},
        # a title that lies flat above the axis reads better than one that climbs it
        "axisYQuantitative": {
            "titleAngle": 0,
            "titleAlign": "left",
            "titleBaseline": "bottom",
            "titleX": 0,
            "titleY": -12,
        },
        "header": {
            "labelColor": INK,
            "labelFontSize": 13,
            "labelFontWeight": 600,
            "labelAnchor": "start",
            "labelPadding": 28,  # above the title of the axis of values
            "titleColor": MUTED,
            "titleFontWeight": 500,
        },
        # The name of a row stands above it: beside it, it would have to be turned.
        "headerRow": {"labelOrient": "top", "labelAngle": 0, "labelAlign": "left"},
        "legend": {
            "orient": "top",
            "direction": "horizontal",
            "labelColor": INK,
            "labelFontSize": 12,
            "titleColor": MUTED,
            "titleFontSize": 12,
            "titleFontWeight": 500,
            "titleOrient": "left",
            "columnPadding": 18,
            "symbolType": "circle",
            "symbolSize": 110,
            "symbolOpacity": 1,
            "offset": 32,  # above the title of the axis of values
        },
        "mark": {"color": MAIN, "tooltip": True},
        "bar": {"cornerRadiusEnd": 2},
        "line": {"strokeWidth": 2.5},
        "rule": {"color": MUTED},
        "text": {"color": INK, "fontSize": 12},
    }
