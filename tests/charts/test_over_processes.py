"""Charts over the number of processes: places, names, and intervals that are cut."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from studybook.charts.over_processes import LINE, over_processes

from studybook.charts import axes, look
from studybook.charts.renderer import MIME_TYPE, render
from studybook.frames.comparison import Comparison

RATES = Comparison("sequential_mib_s", by=("operation", "processes"), against={})


def rows(**ends: float) -> pd.DataFrame:
    """Two runs of each operation with 1, 2 and 8 processes, which end at these rates."""
    runs = [
        ("measured", operation, processes, end * share + step)
        for operation, end in ends.items()
        for processes, share in ((1, 0.5), (2, 0.8), (8, 1.0))
        for step in (-20.0, 20.0)
    ]
    return RATES.rows(pd.DataFrame(runs, columns=["origin", "operation", "processes", "value"]))


def drawn(frame: pd.DataFrame) -> tuple[dict[str, Any], pd.DataFrame]:
    look.use()
    chart = over_processes(frame, "operation", look.colour(frame, "operation"))
    closed = look.finding(chart, title="A finding", description="Rates.")
    spec: dict[str, Any] = render(closed.to_dict())[MIME_TYPE]
    return spec, pd.DataFrame(next(iter(spec["datasets"].values())))


def axis(spec: dict[str, Any], channel: str) -> dict[str, Any]:
    found: dict[str, Any] = spec["layer"][-1]["encoding"][channel]
    return found


def test_each_doubling_has_the_same_width() -> None:
    spec, data = drawn(rows(write=1000.0))
    assert axis(spec, "x")["axis"]["values"] == [0, 1, 3]
    assert "pow(2, datum.value)" in axis(spec, "x")["axis"]["labelExpr"]
    assert set(zip(data["processes"], data["place"], strict=True)) == {(1, 0), (2, 1), (8, 3)}


def test_a_single_line_has_its_values_and_several_have_their_names() -> None:
    _, alone = drawn(rows(write=1000.0))
    assert alone["words"].dropna().tolist() == ["500", "800", "1,000"]
    _, both = drawn(rows(write=1000.0, read=400.0))
    assert sorted(both["words"].dropna()) == ["read", "write"]
    places = both.loc[both["processes"] == 8].groupby("operation")["place"].first()
    assert places["write"] < 3 < places["read"]


def test_names_of_lines_that_end_together_stand_apart() -> None:
    spec, data = drawn(rows(write=1000.0, read=1001.0))
    low, high = axis(spec, "y")["scale"]["domain"]
    named = data.dropna(subset=["words"]).set_index("words")["words_value"]
    assert named["read"] - named["write"] >= 0.999 * LINE * (high - low)
    assert low <= named.min()
    assert named.max() <= high


def test_an_interval_that_goes_beyond_the_runs_is_cut() -> None:
    frame = rows(write=1000.0)
    assert frame["high"].max() > 1200  # two values 40 apart: 1000 ± 254
    spec, _ = drawn(frame)
    scale = axis(spec, "y")["scale"]
    assert scale["clamp"] is True
    assert scale["domain"] == pytest.approx([0, 1.12 * 1020])


def test_a_cut_scale_holds_zero_and_has_room_where_values_are() -> None:
    assert axes.cut_scale([10, 100])["domain"] == pytest.approx([0, 112])
    assert axes.cut_scale([-100, -50])["domain"] == pytest.approx([-112, 12])
