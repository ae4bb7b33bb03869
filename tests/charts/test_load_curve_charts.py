"""Charts of values over load: which lines are named, where, and what stands beside them."""

from __future__ import annotations

import itertools
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studybook.charts import look
from studybook.charts.load_curve import LINE, Panel, curves, multiples
from studybook.charts.renderer import MIME_TYPE, render
from studybook.frames import load_guides
from studybook.frames.spacing import spaced
from tests.frames.test_load_curve import over

USED, BUSY = over("ce_pe_ifl"), over("ce_pe_busy_percent")


def drawn(
    frame: pd.DataFrame, *panels: Panel, legend: bool = False, strip: str = ""
) -> dict[str, Any]:
    look.use()
    colour = look.steps(frame, "cpus")
    chart = curves(
        frame,
        panels or [Panel("ce_pe_ifl")],
        multiples(frame, "times", "Throughput"),
        "cpus",
        colour if legend else colour.legend(None),
        strip=strip,
    )
    closed = look.finding(chart, title="A finding", description="Setups.")
    spec: dict[str, Any] = render(closed.to_dict())[MIME_TYPE]
    return spec


def rows(spec: dict[str, Any]) -> pd.DataFrame:
    (values,) = spec["datasets"].values()
    return pd.DataFrame(values)


def texts(panel: dict[str, Any]) -> list[str]:
    """The fields that are written, without the rims below them."""
    return [
        layer["encoding"]["text"]["field"]
        for layer in panel["layer"]
        if layer["mark"]["type"] == "text" and "strokeWidth" not in layer["mark"]
    ]


def marks_of(panel: dict[str, Any]) -> list[str]:
    return [layer["mark"]["type"] for layer in panel["layer"]]


def test_each_line_has_its_name_at_its_last_mean() -> None:
    spec = drawn(USED)
    found = rows(spec)
    named = found[found["name"] != ""]
    assert named[["name", "part", "times", "name_at"]].values.tolist() == [
        ["1-1", "mean", 5, 1],
        ["2-2", "mean", 10, 2],
    ]
    assert texts(spec["vconcat"][0]) == ["name"]


def test_with_a_legend_no_line_is_named() -> None:
    spec = drawn(USED, legend=True)
    assert set(rows(spec)["name"]) == {""}
    assert texts(spec["vconcat"][0]) == []


def test_a_single_line_has_its_values_instead() -> None:
    spec = drawn(USED[USED["cpus"] == "2-2"])
    assert set(rows(spec)["name"]) == {""}
    assert texts(spec["vconcat"][0]) == ["label"]


def test_names_at_one_place_keep_their_distance() -> None:
    both = USED[USED["cpus"] == "2-2"]
    other = both.assign(cpus="4-2", value=1.001 * both["value"])
    panel = Panel("ce_pe_ifl", height=160)
    found = rows(drawn(pd.concat([both, other]), panel))
    heights = found[found["name"] != ""]["name_at"]
    assert heights.max() - heights.min() == pytest.approx(LINE * found["value"].max() / 160)


@given(
    st.lists(st.floats(0, 100), min_size=1, max_size=9),
    st.floats(0.1, 20),
)
def test_spaced_labels_are_apart_and_in_their_order(values: list[float], gap: float) -> None:
    found = spaced(values, gap)
    pairs = sorted(zip(found, values, strict=True))
    assert [value for _, value in pairs] == sorted(values)
    places = [place for place, _ in pairs]
    assert all(after - before >= gap - 1e-9 for before, after in itertools.pairwise(places))
    assert sum(found) == pytest.approx(sum(values), abs=1e-6)


def test_labels_that_are_apart_stay_where_they_are() -> None:
    assert spaced([30, 10, 20], 5) == [30, 10, 20]
    assert spaced([10, 10.5, 30], 2) == [9.25, 11.25, 30]


def test_panels_without_own_rows_are_left_out() -> None:
    published = USED.tail(1).assign(origin="published", metric="db_ifl")
    frame = pd.concat([USED, BUSY, published])
    panels = [Panel(name) for name in ("ce_pe_ifl", "db_ifl", "ce_pe_busy_percent")]
    assert len(drawn(frame, *panels)["vconcat"]) == 2


def test_a_panel_may_have_two_metrics() -> None:
    database = USED.assign(metric="db_ifl", cpus="database", value=0.2 * USED["value"])
    spec = drawn(pd.concat([USED, database]), Panel("ce_pe_ifl", also=("db_ifl",)))
    assert len(spec["vconcat"]) == 1
    found = rows(spec)
    assert set(found[found["name"] != ""]["name"]) == {"1-1", "2-2", "database"}


def test_runs_that_are_not_joined_have_no_lines() -> None:
    assert "line" in marks_of(drawn(USED)["vconcat"][0])
    assert "line" not in marks_of(drawn(USED, Panel("ce_pe_ifl", joined=False))["vconcat"][0])


def test_published_throughputs_without_values_have_a_strip_of_their_own() -> None:
    place = USED.tail(1).assign(origin="published", part="place", metric="throughput_times")
    frame = pd.concat([USED, BUSY, place.assign(label="39 ×")])
    panels = [Panel("ce_pe_ifl"), Panel("ce_pe_busy_percent")]
    assert len(drawn(frame, *panels)["vconcat"]) == 2
    first, strip, last = drawn(frame, *panels, strip="Published")["vconcat"]
    assert strip["title"]["text"] == "Published"
    assert {layer["mark"].get("shape") for layer in strip["layer"]} == {"diamond", None}
    assert all("'place'" in str(layer["transform"]) for layer in strip["layer"])
    assert len(first["layer"]) == len(last["layer"])
    assert len(drawn(USED, strip="Published")["vconcat"]) == 1


@pytest.mark.parametrize("origin", ["published", "simulated"])
def test_only_a_published_guide_ends_in_a_diamond(origin: str) -> None:
    guide = load_guides.guide("times", [(0, 1), (9, 1)], "bound", origin=origin, metric="ce_pe_ifl")
    panel = drawn(pd.concat([USED, guide]))["vconcat"][0]
    diamonds = [layer for layer in panel["layer"] if layer["mark"].get("shape") == "diamond"]
    assert len(diamonds) == (origin == "published")
    assert "label" in texts(panel)


def test_a_bound_for_all_lines_has_the_colour_of_none() -> None:
    own = USED.tail(1).assign(origin="published", label="2 IFLs")
    fills = []
    for published in (own, own.assign(cpus=None)):
        panel = drawn(pd.concat([USED, published]))["vconcat"][0]
        (diamond,) = (each for each in panel["layer"] if each["mark"].get("shape") == "diamond")
        fills.append("field" in diamond["encoding"]["color"])
    assert fills == [True, False]
