"""The small marks and axes that figures draw their charts with."""

from __future__ import annotations

import itertools
import json
import re

import altair as alt
import pandas as pd
import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st

from studybook.charts import axes, marks
from studybook.charts.renderer import finite
from studybook.frames import load_curve, load_guides
from studybook.frames.spacing import spaced
from tests.frames.test_comparison import response
from tests.frames.test_comparison import runs as of_systems
from tests.frames.test_comparison_setups import BOTH, RUNS
from tests.frames.test_load_curve import over

USED = over("ce_pe_ifl")


def test_each_line_has_its_name_at_its_last_mean_and_apart_from_others() -> None:
    frame = load_curve.with_names(USED, "cpus", "times", {"ce_pe_ifl": 240})
    ends = frame[frame["name"] != ""]
    assert sorted(ends["name"]) == sorted(set(USED["cpus"]))
    assert set(ends.index) == set(ends.groupby("cpus")["times"].idxmax())
    for _, beside in ends.groupby("times"):
        heights = sorted(beside["name_at"])
        least = load_curve.LINE * USED["value"].max() / 240
        gaps = [upper - lower for lower, upper in itertools.pairwise(heights)]
        assert all(gap >= least - 1e-9 for gap in gaps)


def test_a_label_near_zero_begins_at_its_mark() -> None:
    """In its middle it would cover the names before the axis."""
    frame = pd.DataFrame(
        {"setup": ["a", "b", "c"], "value": [2, 500, 9000], "label": ["2", "500", "9,000"]}
    ).assign(origin="measured", part="mean")
    rows = alt.Chart(frame).encode(x="value:Q", y="setup:N")
    for far, anchors in ((False, ["middle"] * 3), (True, ["start", "start", "middle"])):
        labels = marks.direct_labels(rows, text="label:N", from_zero=far)
        svg = vl_convert.vegalite_to_svg(labels.to_dict())
        # Numbers of the axis come before.
        assert re.findall(r'text-anchor="(\w+)"[^>]*>[\d,]+</text>', svg)[-3:] == anchors


def test_a_single_line_has_no_name() -> None:
    one = USED[USED["cpus"] == USED["cpus"].iloc[0]]
    frame = load_curve.with_names(one, "cpus", "times", {"ce_pe_ifl": 240})
    assert set(frame["name"]) == {""}


def test_panels_without_own_rows_are_left_out() -> None:
    base = alt.Chart(USED).encode(x=axes.multiples(USED, "times", "Throughput"))
    assert len(axes.panels(base, ["ce_pe_ifl", "db_ifl"])) == 1
    assert len(axes.panels(base, {("ce_pe_ifl", "db_ifl"): "IFLs"})) == 1


@pytest.mark.parametrize(("column", "axis"), [("x", "x"), ("y", "y")])
def test_the_axis_of_values_is_where_they_are(column: str, axis: str) -> None:
    other = {"x": "y", "y": "x"}[column]
    base = alt.Chart(USED).encode(**{column: alt.X("value:Q"), other: alt.Y("cpus:N")})
    assert marks.axis_of(base) == axis


def test_a_published_guide_ends_in_a_diamond() -> None:
    line = load_guides.guide(
        "times", [(0, 1), (2, 1)], "good", origin="published", metric="ce_pe_ifl"
    )
    spec = marks.guide(alt.Chart(line).encode(x="times:Q", y="value:Q")).to_dict()
    shapes = [layer["mark"].get("shape") for layer in spec["layer"]]
    assert shapes.count("diamond") == 1


def test_differences_have_a_panel_only_where_something_is_compared() -> None:
    one = response()
    both, alone = one.rows(of_systems()), one.rows(of_systems().query("system == 'SD'"))
    for frame, panels in ((both, 1), (alone, 0)):
        rows = alt.Chart(frame).encode(y=axes.names(frame, "system"))
        assert len(marks.difference_panels(rows, one)) == panels


def test_each_doubling_has_the_same_width_and_names_get_room() -> None:
    frame = pd.DataFrame({"processes": [1, 2, 8]})
    bare, named = (
        axes.doublings(frame, "processes", "Processes", names=names).to_dict()
        for names in ([], ["64 KiB each"])
    )
    assert bare["axis"]["values"] == [1, 2, 8]
    assert (bare["scale"]["type"], bare["scale"]["base"]) == ("log", 2)
    low, high = bare["scale"]["domain"]
    assert low < 1
    assert 8 < high < 16
    assert named["scale"]["domain"][0] == low
    assert named["scale"]["domain"][1] > high


def test_a_cut_scale_holds_zero_and_has_room_where_values_are() -> None:
    assert axes.cut_scale([10, 100])["domain"] == pytest.approx([0, 112])
    assert axes.cut_scale([-100, -50])["domain"] == pytest.approx([-112, 12])


def test_a_scale_around_values_has_room_but_none_below_zero() -> None:
    assert axes.scale_around([2, 3, 1])["domain"] == pytest.approx([0.76, 3.24])
    assert axes.scale_around([0.1, 10])["domain"] == pytest.approx([0, 11.188])
    assert axes.scale_around([1, 1])["domain"] == pytest.approx([0.9, 1.1])


def test_names_that_cannot_stand_at_their_lines_have_a_key() -> None:
    frame = load_curve.with_names(USED, "cpus", "times", {"ce_pe_ifl": 240})
    base = alt.Chart(frame).encode(x="times:Q", y="value:Q", color="cpus:N")
    plain, keyed = (marks.line_names(base, keys=keys).to_dict()["layer"] for keys in (0, 30))
    assert [layer["mark"]["type"] for layer in plain] == ["text", "text"]
    assert [layer["mark"]["type"] for layer in keyed] == ["point", "text", "text"]
    assert keyed[0]["encoding"]["color"]["field"] == "cpus"
    assert keyed[0]["encoding"]["y"]["field"] == keyed[1]["encoding"]["y"]["field"] == "name_at"
    assert keyed[0]["mark"]["xOffset"] < keyed[1]["mark"]["dx"]


@given(
    values=st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=8),
    gap=st.floats(0.1, 50),
)
def test_spaced_labels_are_apart_and_in_their_order(values: list[float], gap: float) -> None:
    places = spaced(values, gap)
    ordered = [places[index] for index in sorted(range(len(values)), key=values.__getitem__)]
    assert all(b - a >= gap - 1e-6 for a, b in itertools.pairwise(ordered))


def kinds(chart: alt.LayerChart) -> list[str]:
    """The kinds of mark of a layered chart."""
    return [layer["mark"]["type"] for layer in chart.to_dict()["layer"]]


def over_users(frame: pd.DataFrame) -> alt.Chart:
    return alt.Chart(frame).encode(x=axes.levels(frame, "users", "Users"), color="system:N")


def test_one_place_alone_has_intervals_instead_of_bands() -> None:
    rows = BOTH.rows(RUNS)
    for frame, kind, other in (
        (rows, "area", "rule"),
        (rows[rows["users"] == 250], "rule", "area"),
    ):
        found = kinds(marks.interval_lines(over_users(frame).encode(y="value:Q")))
        assert kind in found
        assert other not in found


def test_a_band_is_cut_at_the_edge_only_where_it_is_said() -> None:
    base = over_users(BOTH.rows(RUNS)).encode(y="value:Q")
    for clip in (True, False):
        area = marks.interval_lines(base, clip=clip).to_dict()["layer"][0]["mark"]
        assert area.get("clip", False) is clip


def test_a_metric_without_runs_has_no_panel_and_only_the_last_has_the_title_of_the_factor() -> None:
    frame = BOTH.rows(RUNS.assign(metric="response_ms"))
    lines = over_users(frame)
    assert axes.panels(lines, ["total_ifl"]) == []
    [time] = axes.panels(lines, ["response_ms"], scale=axes.reaching(0, 9e3), axis={"tickCount": 3})
    y = time.mark_point().to_dict()["encoding"]["y"]
    assert y["scale"]["domain"] == [0, 9e3]
    assert (y["axis"]["tickCount"], y["axis"]["minExtent"]) == (3, 48)
    means = marks.layered(marks.interval_lines(time))
    spec = marks.stacked(means, *marks.difference_panels(lines, BOTH), data=frame).to_dict()
    titles = [
        {layer["encoding"]["x"]["title"] for layer in panel["layer"] if "x" in layer["encoding"]}
        for panel in spec["vconcat"]
    ]
    assert titles == [{None}, {None}, {"Users"}]
    assert spec["resolve"]["scale"]["x"] == "shared"


def test_differences_of_a_single_line_have_their_values_and_those_of_several_do_not() -> None:
    rows = BOTH.rows(RUNS)
    for frame, texts in ((rows, 2), (rows[rows["system"] == "SD"], 4)):
        panel = marks.difference_panels(over_users(frame), BOTH)[0]
        assert kinds(panel).count("text") == texts  # rims and their words


def test_an_axis_of_multiples_reaches_beyond_the_largest_value() -> None:
    axis = axes.multiples_of(BOTH.rows(RUNS), "response_ms", 200.0)
    assert axis["values"] == [0, 200, 400, 600, 800]
    assert "ms" in axis["title"]


def test_a_factor_has_a_tick_at_each_value_and_names_below() -> None:
    x = axes.levels(BOTH.rows(RUNS), "users", "Users", {"250": "low", 9: "unknown"}).to_dict()
    assert isinstance(x, dict)
    assert x["axis"]["values"] == [250, 1000]
    assert "datum.value === 250 ? 'low'" in x["axis"]["labelExpr"]
    assert "unknown" not in x["axis"]["labelExpr"]
    assert x["scale"]["domain"][1] > 1000


def test_a_rim_stands_below_its_words() -> None:
    base = alt.Chart(RUNS).encode(x="users:Q", y="value:Q")
    rim, words = marks.rimmed(marks.direct_labels(base, text="system:N")).to_dict()["layer"]
    assert rim["mark"]["strokeWidth"] > 0
    assert "strokeWidth" not in words["mark"]
    assert rim["encoding"]["text"] == words["encoding"]["text"]


def test_no_data_are_dashed_and_a_shade_is_the_stable_phase() -> None:
    """Dashed lines are references; that data are simulated is said by a badge and a pale fill."""
    base = alt.Chart(RUNS).encode(x="users:Q", y="value:Q")
    for drawn in (marks.course(base), marks.interval_lines(base)):
        assert "strokeDash" not in json.dumps(drawn.to_dict())
    shade = marks.shade(alt.Chart(RUNS)).to_dict()["encoding"]
    assert shade["x"]["field"] == "stable_from_min"
    assert shade["x2"]["field"] == "stable_to_min"


def test_what_is_missing_in_a_column_of_objects_is_null() -> None:
    frame = pd.DataFrame(
        {"claim": pd.Series([float("nan")] * 2, dtype=object), "value": [1.0, 2.0]}
    )
    assert finite(frame) == {
        "values": [{"claim": None, "value": 1.0}, {"claim": None, "value": 2.0}]
    }


def test_stacks_of_several_series_stand_side_by_side() -> None:
    rows = [
        {"origin": "measured", "run": "r", "users": 250, "system": system, "host": host, "value": 1}
        for system, hosts in (("SD", "ab"), ("XFS", "c"))
        for host in hosts
    ]
    base = over_users(pd.DataFrame(rows)).encode(y="value:Q")
    bars = marks.stacks(base, "host", ["SD", "XFS"]).to_dict()["layer"]
    assert [bar["mark"]["xOffset"] for bar in bars] == [-17, 17]
    assert {bar["encoding"]["y"]["stack"] for bar in bars} == {"zero"}
    assert {bar["encoding"]["detail"]["field"] for bar in bars} == {"host"}
    assert [bar["transform"][0]["filter"]["equal"] for bar in bars] == ["SD", "XFS"]
