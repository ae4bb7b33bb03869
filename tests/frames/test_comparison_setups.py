"""Comparisons with several setups and over a factor; published ones beside them."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from studybook.dataset.definition import Definition
from studybook.frames import comparison, document, figure_data
from studybook.frames.comparison import Comparison
from studybook.study.scope import Scope
from tests.frames.test_comparison import claims, system

RUNS = pd.DataFrame(
    [
        ("simulated", system, users, value + step)
        for system, users, value in [
            ("XFS", 250, 150), ("SD", 250, 140), ("SD, one node", 250, 145),
            ("XFS", 1000, 500), ("SD", 1000, 300), ("SD, one node", 1000, 700),
        ]
        for step in (-2.0, 0.0, 3.0)
    ],
    columns=["origin", "system", "users", "value"],
)  # fmt: skip
BOTH = Comparison(
    "response_ms",
    by=("system", "users"),
    against={"system": "XFS"},
    also=({"system": "SD, one node"},),
)


def users(factors: Any) -> Any:
    return factors["users"]


def test_each_pair_of_setups_is_compared_once() -> None:
    rows = BOTH.rows(RUNS)
    pairs = rows[(rows["part"] == "difference") & (rows["users"] == 1000)]
    assert pairs[["against", "system"]].values.tolist() == [
        ["XFS", "SD"],
        ["XFS", "SD, one node"],
        ["SD, one node", "SD"],
    ]
    row = comparison.one(rows, "difference", system="SD", users=1000, against="SD, one node")
    assert row.value == pytest.approx((300 + 1 / 3) / (700 + 1 / 3) - 1)
    assert len(rows[rows["part"] == "run"]) == len(RUNS)


def test_a_published_ratio_stands_in_the_panel_of_what_it_is_over() -> None:
    one, four, xfs = {"nodes": 1}, {"nodes": 4}, {"nodes": 1, "cluster": "none"}
    values = claims(
        {"id": "on-xfs", "kind": "ratio", "of": four, "over": xfs, "value": 0.6},
        {"id": "on-one", "kind": "ratio", "of": four, "over": one, "value": 0.44},
        {"id": "reversed", "kind": "ratio", "of": one, "over": four, "value": 2.3},
        {"id": "in-time", "kind": "ratio", "of": four | {"users": 250}, "over": four, "value": 0.5},
    )
    definition = Definition(baseline=values.baseline | {"users": 1000})
    values = values.model_copy(update={"definition": definition})
    rows = BOTH.published(values, "a-figure", system=system, users=users)
    assert rows[["claim", "against", "label"]].values.tolist() == [
        ["on-xfs", "XFS", "−40 %"],
        ["on-one", "SD, one node", "−56 %"],
    ]


def test_values_of_runs_that_the_figure_does_not_take_are_left_out() -> None:
    values = claims(
        {"id": "low", "kind": "value", "of": {"users": 250}, "value": 150, "unit": "ms"},
        {"id": "high", "kind": "value", "of": {"users": 1000}, "value": 300, "unit": "ms"},
        {"id": "grows", "kind": "ratio", "of": {"users": 1000}, "over": {"users": 250}, "value": 2},
    )
    scope = Scope("a-study", {"users": 1000, "nodes": [4, None]})
    one = Comparison("response_ms", by=("users",), against={"users": 250})
    assert list(one.published(values, "a-figure", users=users)["claim"]) == ["low", "high", "grows"]
    assert list(one.published(values, "a-figure", scope, users=users)["claim"]) == ["high"]


def test_published_values_of_one_setup_share_their_words() -> None:
    values = claims(
        {"id": "exact", "kind": "value", "of": {}, "value": 30, "unit": "ms"},
        {"id": "bound", "kind": "value", "of": {}, "operator": "<", "value": 40, "unit": "ms"},
    )
    one = Comparison("response_ms", by=("system",), against={"system": "NSD"})
    rows = one.published(values, "a-figure", system=system)
    assert list(rows["label"]) == ["30 ms", "< 40 ms"]
    assert list(rows[document.DRAWN]) == ["30 ms; < 40 ms", ""]
    assert rows[["value", "high"]].astype(object).replace({float("nan"): None}).values.tolist() == [
        [30, None],
        [None, 40],
    ]


def test_no_difference_at_all_has_no_sign() -> None:
    values = claims(
        {"id": "same", "kind": "ratio", "of": {"cluster": "nsd"}, "over": {}, "value": 1}
    )
    one = Comparison("response_ms", by=("system",), against={"system": "SD"})
    rows = one.published(values, "a-figure", system=system)
    assert list(rows["label"]) == ["0 %"]


def test_growth_is_linear_from_where_it_starts() -> None:
    base = comparison.one(BOTH.rows(RUNS), "mean", system="SD", users=250)
    rows = comparison.linear(base, "users", 1000)
    assert list(rows["users"]) == [250, 1000]
    assert rows["value"].tolist() == pytest.approx([base.value, 4 * base.value])
    assert set(rows["part"]) == {"guide"}
    assert comparison.linear(base, "users", 250).empty


def test_a_figure_may_have_what_another_says_of_the_same_runs() -> None:
    values = claims(
        {"id": "own", "kind": "value", "of": {}, "value": 30, "unit": "ms"},
        {"id": "other", "kind": "value", "of": {}, "value": 31, "unit": "ms", "figure": "another"},
    )
    one = Comparison("response_ms", by=("system",), against={"system": "NSD"})
    assert list(one.published(values, "a-figure", system=system)["claim"]) == ["own"]
    both = one.published(values, "a-figure", also=["other"], system=system)
    assert list(both["claim"]) == ["own", "other"]


def test_words_of_several_setups_stand_once_and_after_what_is_printed() -> None:
    read = {
        "kind": "value", "words": "around that", "unit": "ms",
        "reads": {"least": 25, "most": 35, "because": "because"},
        "operator": "=", "tolerance": None, "tolerance_because": "",
    }  # fmt: skip
    values = claims(
        {"id": "read", "of": {"users": 250}} | read,
        {"id": "again", "of": {"users": 500}} | read,
        {"id": "printed", "kind": "value", "of": {"users": 250}, "value": 30, "unit": "ms"},
    )
    one = Comparison("response_ms", by=("users",), against={"users": 250})
    rows = one.published(values, "a-figure", users=users).set_index("claim")
    words = "“around that”"
    assert rows["label"].to_dict() == {"printed": "30 ms", "read": words, "again": words}
    shown = {"printed": f"30 ms; {words}", "read": "", "again": ""}
    assert rows[document.DRAWN].to_dict() == shown
    assert rows["value"].isna().to_dict() == {"printed": False, "read": True, "again": True}
    assert rows.loc["read", ["low", "high"]].tolist() == [25, 35]


def test_hosts_are_means_over_the_runs_of_their_setup() -> None:
    found = pd.DataFrame(
        [("measured", f"a/r{run}", "SD", host, value + run)
         for run in (1, 2) for host, value in (("n1", 1.0), ("n2", 5.0), (None, 9.0))],
        columns=["origin", "run_id", "system", "host", "value"],
    )  # fmt: skip
    rows = comparison.of_hosts(found, ["system"])
    assert rows[["host", "value", "run", "part"]].values.tolist() == [
        ["n1", 2.5, "r1 r2", "host"],
        ["n2", 6.5, "r1 r2", "host"],
    ]


def test_a_share_of_linear_scaling_is_read_as_far_as_the_printed_digits_bear() -> None:
    printed = pd.DataFrame(
        [("read", 1, 8.6), ("read", 6, 43.0)], columns=["operation", "systems", "value"]
    )
    found = figure_data.published_efficiency(
        printed, group="operation", size="systems", unit="GB/s"
    )
    [row] = found.to_dict("records")
    assert row["origin"] == "our reading"
    assert pd.isna(row["value"])
    assert row["low"] == pytest.approx(42.5 / (6 * 8.65))
    assert row["high"] == pytest.approx(43.5 / (6 * 8.55))
    assert row["label"] == "“43” of 6 × “8.6” GB/s"
