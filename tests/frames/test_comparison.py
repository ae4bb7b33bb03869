"""Comparisons: means, repetitions, differences, and the published values beside them."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest
from scipy import stats

from studybook.claims.published_values import Published
from studybook.errors import StudyBookError
from studybook.frames import comparison
from studybook.frames.comparison import Comparison
from studybook.frames.words import alternative, case
from tests.support.words import words

system = words("ecm-scaleout").named("system")
SD = [300.0, 302.0, 298.0, 304.0]
NSD = [390.0, 388.0, 395.0]


def runs(**columns: Any) -> pd.DataFrame:
    rows = [("SD", value) for value in SD] + [("NSD", value) for value in NSD]
    frame = pd.DataFrame(rows, columns=["system", "value"]).assign(origin="simulated")
    return frame.assign(**columns)


def response(**changes: Any) -> Comparison:
    return Comparison(
        **{"metric": "response_ms", "by": ("system",), "against": {"system": "SD"}, **changes}
    )


def claims(*claims: dict[str, Any]) -> Published:
    usual = {
        "statement": "So it is.", "place": "page 1", "figure": "a-figure", "metric": "response_ms",
        "tolerance": {"relative": 0.05}, "tolerance_because": "a test", "operator": "=",
    }  # fmt: skip
    return Published.model_validate(
        {
            "study": "a-study",
            "document": {"id": "1", "title": "A document", "authors": "Somebody"},
            "definition": {"baseline": {"nodes": 4, "cluster": "shared-disk"}},
            "claims": [usual | claim for claim in claims],
        }
    )


def test_means_have_students_interval() -> None:
    rows = response().rows(runs())
    row = comparison.one(rows, "mean", system="SD")
    expected = stats.t.interval(0.95, 3, loc=301.0, scale=stats.sem(SD))
    assert (row.value, row.n) == (301.0, 4)
    assert (row.low, row.high) == pytest.approx(expected, rel=1e-6)


def test_a_difference_in_units_is_welchs() -> None:
    rows = response(differs="unit").rows(runs())
    row = comparison.one(rows, "difference", system="NSD")
    found = stats.ttest_ind(NSD, SD, equal_var=False).confidence_interval(0.95)
    assert (row.low, row.high) == pytest.approx((found.low, found.high), rel=1e-6)
    assert row.label == "+90 ms"


def test_a_difference_as_a_share_is_the_ratio_less_one() -> None:
    row = comparison.one(response().rows(runs()), "difference", system="NSD")
    assert row.value == pytest.approx(391 / 301 - 1)
    assert row.low < row.value < row.high
    assert row.label == "+29.9 %"


def test_every_run_is_a_row_and_none_is_lost() -> None:
    rows = response().rows(runs())
    assert sorted(rows[rows["part"] == "run"]["value"]) == sorted(SD + NSD)
    missing = pd.concat([runs(), runs().assign(value=float("nan"))])
    assert len(response().rows(missing)) == len(rows)


def test_setups_are_compared_that_agree_in_everything_else() -> None:
    two = pd.concat([runs(users=250), runs(users=1000)])
    two.loc[two["users"] == 1000, "value"] *= 2
    rows = response(by=("system", "users")).rows(two)
    found = rows[rows["part"] == "difference"]
    assert list(found["users"]) == [250, 1000]
    assert found["value"].tolist() == pytest.approx([391 / 301 - 1] * 2)


def test_data_of_different_origin_are_never_compared() -> None:
    mixed = runs()
    mixed.loc[mixed["system"] == "SD", "origin"] = "measured"
    rows = response().rows(mixed)
    assert "difference" not in set(rows["part"])


def test_one_run_has_no_interval_and_no_clear_difference() -> None:
    single = runs().groupby("system", as_index=False).first()
    row = comparison.one(response().rows(single), "difference", system="NSD")
    assert pd.isna(row.low)
    assert not comparison.clear(row)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (NSD, "29.9 % longer"),
        ([200.0, 201.0, 202.0], "33.2 % less"),
        ([280.0, 300.0, 325.0], "no clear difference"),
    ],
)
def test_words_follow_the_interval(values: list[float], expected: str) -> None:
    frame = runs()[:4]
    other = pd.DataFrame({"system": "NSD", "origin": "simulated", "value": values})
    row = comparison.one(response().rows(pd.concat([frame, other])), "difference", system="NSD")
    said = case(row, more="{amount} longer", less="{amount} less", same="no clear difference")
    assert said == expected


def test_an_ambiguous_setup_is_refused() -> None:
    two = response(by=("system", "users")).rows(pd.concat([runs(users=1), runs(users=2)]))
    with pytest.raises(StudyBookError, match="2 rows of the part mean"):
        comparison.one(two, "mean", system="SD")


def test_published_values_find_their_place() -> None:
    values = claims(
        {"id": "sd", "kind": "value", "of": {}, "value": 300, "unit": "ms"},
        {"id": "bound", "kind": "value", "of": {"cluster": "nsd"}, "operator": ">", "value": 380,
         "unit": "ms"},
        {"id": "more", "kind": "ratio", "of": {"cluster": "nsd"}, "over": {}, "value": 1.3},
        {"id": "other-base", "kind": "ratio", "of": {}, "over": {"cluster": "nsd"}, "value": 0.8},
    )  # fmt: skip
    rows = response().published(values, "a-figure", system=system)
    assert set(rows["origin"]) == {"published"}
    assert rows[["claim", "part", "system", "label"]].values.tolist() == [
        ["sd", "mean", "SD", "300 ms"],
        ["bound", "mean", "NSD", "> 380 ms"],
        ["more", "difference", "NSD", "+30 %"],
    ]
    in_units = response(differs="unit").published(values, "a-figure", system=system)
    assert list(in_units["claim"]) == ["sd", "bound"]


def test_each_row_of_a_place_keeps_its_own_label() -> None:
    """The drawing joins labels of one place; rows, and what is read out, do not."""
    values = claims(
        {"id": "first", "kind": "value", "of": {}, "value": 300, "unit": "ms"},
        {"id": "second", "kind": "value", "of": {}, "operator": "<", "value": 400, "unit": "ms"},
    )
    rows = response().published(values, "a-figure", system=system)
    assert rows["label"].tolist() == ["300 ms", "< 400 ms"]
    assert rows["shown"].tolist() == ["300 ms; < 400 ms", ""]
    said = alternative("A finding", rows)
    assert said.count("300 ms") == said.count("< 400 ms") == 1


def test_the_alternative_text_names_every_mean_and_difference() -> None:
    text = alternative("Two setups", response().rows(runs()))
    assert re.search(r"\(simulated\): SD: 301 ms .*; NSD: 391 ms ", text)
    assert re.search(r"difference from SD \(simulated\): NSD: \+29\.9 %", text)


def test_a_claim_without_a_place_in_the_figure_is_left_out() -> None:
    values = claims(
        {"id": "sd", "kind": "value", "of": {}, "value": 300, "unit": "ms"},
        {"id": "elsewhere", "kind": "value", "of": {"cluster": "other"}, "value": 9, "unit": "ms"},
    )
    rows = response().published(values, "a-figure", system=system)
    assert list(rows["claim"]) == ["sd"]


def test_each_row_names_the_runs_behind_it() -> None:
    runs = pd.DataFrame(
        {
            "origin": "simulated",
            "run_id": ["shop/sd-1", "shop/sd-2", "shop/nsd-1", "shop/nsd-2"],
            "system": ["SD", "SD", "NSD", "NSD"],
            "value": [300.0, 302.0, 390.0, 392.0],
        }
    )
    rows = Comparison("response_ms", by=("system",), against={"system": "SD"}).rows(runs)
    named = rows.groupby("part")["run"].agg(list).to_dict()
    assert named == {
        "run": ["sd-1", "sd-2", "nsd-1", "nsd-2"],
        "mean": ["sd-1 sd-2", "nsd-1 nsd-2"],
        "difference": ["nsd-1 nsd-2 sd-1 sd-2"],
    }


def test_a_label_has_the_digits_that_its_interval_bears() -> None:
    compared = Comparison("response_ms", by=("system",), against={"system": "SD"})
    rows = pd.DataFrame(
        [
            ("difference", 0.292, 0.232, 0.358),
            ("difference", 0.292, 0.2905, 0.2935),
            ("difference", 0.29249, None, None),
            ("mean", 1234.5, 934.0, 1534.0),
        ],
        columns=["part", "value", "low", "high"],
    )
    assert list(compared.labelled(rows)["label"]) == ["+29 %", "+29.2 %", "+29.2 %", "1,230 ms"]
