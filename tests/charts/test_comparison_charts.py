"""Charts of comparisons: small multiples, scales that can be laid side by side, labels."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd
import pytest

from studybook.charts import look
from studybook.charts.comparison import DENSE, LINE, along, setups
from studybook.charts.renderer import MIME_TYPE, render
from studybook.frames.comparison import Comparison

#: Two runs of each of two hosts of two systems, of a host alone, and over a factor.
HOSTS = pd.DataFrame(
    [
        (system, host, users, base + step + repetition)
        for system, base in (("SD", 10.0), ("NSD", 40.0))
        for host, step in (("one", 0.0), ("two", 4.0))
        for users in (250, 1000)
        for repetition in (0.0, 1.0)
    ],
    columns=["system", "host", "users", "value"],
).assign(origin="simulated")


def panels(chart: Any) -> list[dict[str, Any]]:
    look.use()
    chart = look.finding(chart, title="A finding", description="Two systems.")
    found: list[dict[str, Any]] = render(chart.to_dict())[MIME_TYPE]["vconcat"]
    return found


def channel(panel: dict[str, Any], name: str) -> dict[str, Any]:
    """The first encoding of a panel that says what its axis is."""
    every = [each for layer in _layers(panel) for each in [layer.get("encoding", {}).get(name, {})]]
    return next(each for each in every if each.get("title"))


def texts(panel: dict[str, Any], *, published: bool) -> list[dict[str, Any]]:
    """The marks of a panel that write labels: of published values, or of the others."""
    sign = "===" if published else "!=="
    return [
        layer["mark"]
        for layer in _layers(panel)
        if layer.get("mark", {}).get("type") == "text"
        and any(sign in str(each) and "published" in str(each) for each in layer["transform"])
    ]


def _layers(panel: dict[str, Any]) -> list[dict[str, Any]]:
    inner = [layer for each in panel.get("layer", []) for layer in _layers(each)]
    return [panel, *inner]


def compared(**changes: Any) -> Comparison:
    usual: dict[str, Any] = {"metric": "response_ms", "by": ("system", "host"), "against": {}}
    return Comparison(**usual | changes)


def test_small_multiples_have_one_scale() -> None:
    one = compared()
    at_250 = HOSTS[HOSTS["users"] == 250]
    drawn = panels(setups(one.rows(at_250), [one], "host", "system", multiples="system"))
    assert [channel(panel, "x")["title"] for panel in drawn] == [
        "Mean response time of pages, SD (ms)",
        "Mean response time of pages, NSD (ms)",
    ]
    scales = [channel(panel, "x")["scale"] for panel in drawn]
    assert scales[0] == scales[1]
    rows = one.rows(at_250)
    assert scales[0]["domain"]["unionWith"] == [rows["low"].min(), rows["high"].max()]
    assert scales[0]["zero"] is True


def test_small_multiples_show_their_own_rows_only() -> None:
    one = compared()
    drawn = panels(setups(one.rows(HOSTS), [one], "host", "system", multiples="system"))
    for panel, system, other in zip(drawn, ("SD", "NSD"), ("NSD", "SD"), strict=True):
        filters = [layer.get("transform", []) for layer in _layers(panel) if "mark" in layer]
        of_frame = [each for each in filters if each]
        assert all(f"'{system}'" in str(each) for each in of_frame)
        assert not any(f"'{other}'" in str(each) for each in of_frame)


def test_differences_of_small_multiples_have_panels_too() -> None:
    one = compared(against={"host": "one"})
    drawn = panels(setups(one.rows(HOSTS), [one], "host", "system", multiples="system"))
    assert [channel(panel, "x")["title"] for panel in drawn[2:]] == [
        "Mean response time of pages, SD: difference from one",
        "Mean response time of pages, NSD: difference from one",
    ]


def test_many_lines_stand_closer_and_are_labelled_beside_the_marks() -> None:
    few, many = compared(), compared(by=("system", "line"))
    lines = HOSTS.assign(line=HOSTS["system"] + HOSTS["host"])
    [of_few] = panels(setups(few.rows(HOSTS), [few], "host", "system"))
    [of_many] = panels(setups(many.rows(lines), [many], "line", "system"))
    assert (of_few["height"]["step"], of_many["height"]["step"]) == (LINE, DENSE)
    assert texts(of_few, published=False)[0]["align"] == "center"
    assert texts(of_many, published=False)[0]["align"] == "left"


@pytest.mark.parametrize("draw", ["setups", "along"])
def test_an_axis_reaches_as_far_as_it_is_told(draw: str) -> None:
    one = compared(by=("system", "users"), against={"system": "SD"})
    frame = one.rows(HOSTS)
    reach = {"mean": [0, 500]}
    if draw == "setups":
        mean, difference = panels(setups(frame, [one], "system", "system", reach=reach))
        name = "x"
    else:
        x = alt.X("users:Q").title("Users")
        mean, difference = panels(along(frame, [one], x, "system", reach=reach))
        name = "y"
    assert channel(mean, name)["scale"]["domain"] == {"unionWith": [0, 500]}
    assert "domain" not in channel(difference, name)["scale"]


def test_a_single_line_is_labelled_and_several_are_not() -> None:
    one = compared(by=("system", "users"), against={"users": 250}, called=("few users",))
    x = alt.X("users:Q").title("Users")
    mean, difference = panels(along(one.rows(HOSTS[HOSTS["system"] == "SD"]), [one], x, "system"))
    assert texts(mean, published=False)
    assert texts(mean, published=True)[0]["baseline"] == "top"
    assert channel(difference, "y")["title"].endswith("difference from few users")
    mean, _ = panels(along(one.rows(HOSTS), [one], x, "system"))
    assert not texts(mean, published=False)
    assert texts(mean, published=True)


def test_panels_over_a_factor_have_the_same_factor() -> None:
    one = compared(by=("system", "users"), against={"users": 250})
    chart = along(one.rows(HOSTS), [one], alt.X("users:Q").title("Users"), "system")
    look.use()
    spec = look.finding(chart, title="A finding", description="Two systems.").to_dict()
    assert spec["resolve"]["scale"]["x"] == "shared"
