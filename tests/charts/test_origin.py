"""Each row of a chart names its origin and its run; so does all that is made of the chart."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import altair as alt
import pandas as pd
import pytest
import vl_convert

from studybook.charts import look, marks
from studybook.charts.renderer import MIME_TYPE, render, table
from studybook.engine import csv_table
from studybook.errors import StudyBookError
from studybook.study.origin import NO_RUN, joined, with_runs


@pytest.fixture(autouse=True)
def the_look() -> None:
    look.use()


def frame(**changes: Any) -> pd.DataFrame:
    rows = pd.DataFrame(
        {
            "origin": ["simulated", "measured", "published"],
            "run_id": ["shop/one", "shop/two", None],
            "place": ["a", "b", "a"],
            "value": [301.4, 391.25, 300.0],
            "low": [292.0, 377.0, None],
            "high": [311.0, 404.0, None],
        }
    )
    return rows.assign(**changes)


def spec(data: pd.DataFrame, *layers: alt.Chart) -> dict[str, Any]:
    base = alt.Chart(data).encode(x=alt.X("value:Q").title("Time (ms)"), y="place:N")
    drawn = marks.layered(
        marks.interval_dots(base), marks.published_marks(base), marks.direct_labels(base), *layers
    )
    closed = look.finding(drawn, title="T", description="D")
    rendered: dict[str, Any] = render(closed.to_dict())[MIME_TYPE]
    return rendered


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"origin": None}, "without origin: .*run one"),
        ({"origin": ["simulated", None, "published"]}, "without origin: .*run two"),
        ({"run_id": None}, "without run: .*origin simulated"),
        ({"run_id": ["shop/one", None, None]}, "without run: .*origin measured"),
    ],
)
def test_a_row_that_does_not_say_where_it_comes_from_is_refused(
    changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(StudyBookError, match=said):
        spec(frame(**changes))


def test_a_chart_without_the_columns_is_refused() -> None:
    for left_out, said in (("origin", "without origin"), ("run_id", "without run")):
        base = alt.Chart(frame().drop(columns=left_out)).mark_point().encode(x="value:Q")
        drawn = look.finding(base, title="T", description="D").to_dict()
        with pytest.raises(StudyBookError, match=said):
            render(drawn)


def test_runs_are_named_and_documents_have_none() -> None:
    assert [row["run"] for row in table(spec(frame()))] == ["one", "two", NO_RUN]


def test_a_value_of_several_runs_names_each_once() -> None:
    runs = with_runs(pd.DataFrame({"run_id": ["shop/b", "shop/a", "shop/b"]}))
    assert joined(runs["run"]) == "b a"
    assert joined(["b a", "c", NO_RUN]) == "b a c"
    assert joined([NO_RUN]) == NO_RUN
    assert joined([None]) is None


def signals(part: Any) -> Iterator[str]:
    """Yield the text of every tooltip in a Vega specification that shows anything."""
    if isinstance(part, dict):
        for key, inner in part.items():
            if key == "tooltip" and isinstance(inner, dict) and "datum" in inner.get("signal", ""):
                yield inner["signal"]
            yield from signals(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from signals(inner)


def test_the_tooltip_of_each_mark_names_the_origin() -> None:
    data = frame()
    bars = alt.Chart(data).mark_bar().encode(x="value:Q", y="place:N")
    listed = alt.Chart(data).mark_point().encode(x="value:Q", tooltip=["place:N"])
    one = alt.Chart(data).mark_point().encode(x="value:Q", tooltip="place:N")
    found = list(signals(vl_convert.vegalite_to_vega(spec(data, bars, listed, one))))
    assert len(found) >= 6
    assert all('"origin"' in signal for signal in found)


def test_what_has_no_tooltip_gets_none() -> None:
    data = frame()
    still = alt.Chart(data).mark_rule(tooltip=None).encode(x="value:Q")
    line = alt.Chart(data).mark_rule().encode(x=alt.datum(400))
    without, plain = spec(data)["layer"], spec(data, still, line)["layer"]
    assert all("detail" not in layer["encoding"] for layer in plain[len(without) :])


def test_an_origin_in_the_tooltip_stacks_no_bars() -> None:
    both = frame(place="a", origin=["simulated", "measured", "measured"], run_id="shop/one")
    bars = alt.Chart(both).mark_bar().encode(x="value:Q", y="place:N")
    closed = look.finding(bars, title="T", description="D")
    drawn = render(closed.to_dict())[MIME_TYPE]
    assert "stack" not in json.dumps(vl_convert.vegalite_to_vega(drawn)["data"])


def test_the_drawing_and_its_alternative_text_name_the_origins() -> None:
    drawn = spec(frame())
    assert drawn["description"] == "D (measured, simulated and published)"
    svg = vl_convert.vegalite_to_svg(drawn)
    assert "● measured · ◐ simulated · ◇ published" in re.sub(r"\s+", " ", svg)


def test_a_drawing_of_one_origin_names_it_too() -> None:
    drawn = spec(frame(origin="schema", run_id=f"shop/{NO_RUN}"))
    assert drawn["title"]["subtitle"] == ["▢ schema"]


def written(tmp_path: Path, data: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, Any]]:
    drawn, path = spec(data), tmp_path / "figure.csv"
    titles = {"value": ["Time (ms)"]}
    csv_table.write(path, path.with_name("about"), table(drawn), drawn["usermeta"], titles, "T")
    described = path.with_name("about").read_text(encoding="utf-8")
    return pd.read_csv(path), json.loads(described)


def test_a_csv_is_read_without_options_and_its_units_stand_beside(tmp_path: Path) -> None:
    found, described = written(tmp_path, frame())
    assert list(found)[:2] == ["origin", "run"]
    assert found[["origin", "run"]].notna().all(axis=None)
    assert found["value"].tolist() == [301.4, 391.25, 300.0]
    columns = {each["name"]: each for each in described["tableSchema"]["columns"]}
    assert list(columns) == list(found)
    assert described["url"] == "figure.csv"
    assert {name: each.get("schema:unitText") for name, each in columns.items()} == {
        "origin": None, "run": None, "place": None, "value": "ms", "low": "ms", "high": "ms",
        "unit": None,
    }  # fmt: skip
    assert columns["run"] | {"dc:description": ""} == {
        "name": "run", "titles": "run", "datatype": "string", "separator": " ", "null": NO_RUN,
        "dc:description": "",
    }  # fmt: skip


def test_of_rows_with_metrics_each_has_its_unit(tmp_path: Path) -> None:
    parts = {"part": ["mean", "difference", "mean"], "label": ["", "+30 %", ""]}
    data = frame(metric=["response_ms", "response_ms", "total_ifl"], **parts)
    found, described = written(tmp_path, data)
    assert found["unit"].tolist() == ["ms", "share", "IFLs"]
    assert [*found][[*found].index("high") + 1] == "unit"
    units = [
        (each["schema:name"], each["schema:unitText"][:9])
        for each in described["schema:variableMeasured"]
    ]
    assert units == [("response_ms", "ms"), ("response_ms", "1 (a shar"), ("total_ifl", "IFLs")]
    columns = {each["name"]: each for each in described["tableSchema"]["columns"]}
    assert "schema:unitText" not in columns["value"]
