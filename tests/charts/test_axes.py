"""Names that a study gives, in legends and on axes."""

from __future__ import annotations

import math
import re

import altair as alt
import pandas as pd
import vl_convert

from studybook.charts import axes

PATHS = [f"GET /api/v2/customers/orders/{end}" for end in ("europe/list", "asia/list", "voucher/7")]


def drawn(names: list[str], **channels: alt.Color | alt.Y) -> set[str]:
    """The texts of a drawing of names."""
    frame = pd.DataFrame({"name": names, "value": range(len(names))})
    chart = alt.Chart(frame).mark_bar().encode(x="value:Q", **channels)
    return set(re.findall(r"<text[^>]*>([^<]+)<", vl_convert.vegalite_to_svg(chart.to_dict())))


def color(names: list[str]) -> alt.Color:
    """The encoding of names in colours."""
    return alt.Color("name:N").legend(axes.legend(names))


def test_names_that_begin_alike_are_told_apart_in_a_legend() -> None:
    shown = {text for text in drawn(PATHS, color=color(PATHS)) if "…" in text}
    ends = ("europe/list", "asia/list", "voucher/7")
    assert all(sum(text.endswith(end) for text in shown) == 1 for end in ends)
    assert all(text.startswith("GET /api/") for text in shown)
    assert axes.legend(PATHS)["columns"] == 2


def test_names_that_would_look_alike_are_numbered() -> None:
    names = [f"GET /{'a' * 90}{name}{'b' * 9000}" for name in ("one", "two", "three")]
    shown = {text for text in drawn(names, color=color(names)) if "…" in text}
    assert len(shown) == 3
    assert all(len(text) < 45 for text in shown)


def test_a_legend_of_few_short_names_is_as_usual() -> None:
    assert axes.legend(["read", "write", None]) is alt.Undefined
    assert axes.legend(f"host{number}" for number in range(20))["columns"] == 8


def test_a_name_with_any_letters_is_no_code() -> None:
    names = ["'\"];alert(1)//" + "x" * 40, "\\" + "y" * 40 + "</script>", "z\u2028" + "z" * 40]
    shown = drawn([*names, "__proto__", "null"], y=alt.Y("name:N").axis(axes.cut_names(names, 100)))
    assert sum("…" in text for text in shown) == 3
    assert {"__proto__", "null"} < shown
    shown = drawn([*names, "__proto__"], color=color([*names, "__proto__"]))
    assert "__proto__" in shown


def test_rows_whose_names_begin_alike_are_told_apart() -> None:
    begin = "2 connections, driver of the load pgbench"
    setups = [f"{begin}, sync {sync}{test}" for sync in ("on", "off") for test in ("", ": SQL")]
    middle = [f"{begin}, on host {host} with a disk of its own" for host in "ab"]
    names = [*setups, *middle, "app"]
    frame = pd.DataFrame({"name": names, "value": range(len(names))})
    chart = alt.Chart(frame).mark_bar()
    chart = chart.encode(x="value:Q", y=axes.names(frame, "name", split=": "))
    svg = vl_convert.vegalite_to_svg(chart.to_dict())
    labels = svg.split("role-axis-label")[-1]  # behind those of the values
    said = [re.sub(r"<[^>]*>", "|", each) for each in re.findall("<text.*?</text>", labels)]
    assert len(set(said)) == len(said) == len(names)
    assert sum("sync on" in each for each in said) == 2
    assert sum("|SQL|" in each for each in said) == 2
    assert "|app|" in said


def test_rows_with_room_for_their_names_are_as_usual() -> None:
    frame = pd.DataFrame({"name": ["app", "two drivers: SQL"]})
    assert "labelExpr" not in axes.names(frame, "name").to_dict()["axis"]
    split = axes.names(frame, "name", split=": ").to_dict()["axis"]
    assert split["labelExpr"] == 'split(datum.value, ": ")'
    assert "labelLimit" not in split


def reach(*rows: tuple[float, float, float, str]) -> tuple[float, float]:
    frame = pd.DataFrame(rows, columns=["percent", "low", "high", "verdict"])
    low, high = axes.scale_of_differences(frame)["domain"]
    return low, high


def test_a_difference_that_tells_nothing_hides_none_that_does() -> None:
    worse, wide = (20, 15, 26, "worse"), (30, -65, 1202, "no evidence")
    low, high = reach(worse, wide, (700, -90, 9000, "no evidence"))
    # The interval of one is cut; the other is too far away to be seen.
    assert -1 < low <= 0
    assert 30 < high < 40
    # Of a difference that tells something all is seen, however far that is.
    low, high = reach(worse, (-80, -700, -60, "changed"))
    assert low < -700
    assert high > 26


def test_where_no_difference_tells_anything_each_is_seen() -> None:
    low, high = reach((30, -65, 1202, "no evidence"), (-8, -9, 2, "cannot be told"))
    assert low < -8
    assert 30 < high < 40
    # One per cent to each side of nothing.
    assert -2 < reach((0, 0, 0, "alike"), (0, math.nan, math.nan, "cannot be told"))[0] < -1
