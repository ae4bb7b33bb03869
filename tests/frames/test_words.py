"""What figures say in words: cases of a difference, sentences, alternative texts."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from studybook.frames import comparison, words
from tests.frames.test_comparison import response
from tests.frames.test_comparison import runs as of_systems

CASES = {
    "more": "{amount} longer",
    "less": "{amount} shorter",
    "same": "no clear difference: {interval}",
    "missing": "nothing to compare",
}


def difference(value: float, low: float, high: float) -> Any:
    row = {"origin": "simulated", "part": "difference", "metric": "response_ms", "n": 3.0}
    row |= {"value": value, "low": low, "high": high, "label": f"{100 * value:+.1f} %"}
    row["label"] = str(row["label"]).replace("-", "−")
    return next(pd.DataFrame([row]).itertuples())


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (difference(0.2, 0.1, 0.3), "20.0 % longer"),
        (difference(-0.2, -0.3, -0.1), "20.0 % shorter"),
        (difference(0.1, -0.1, 0.3), "no clear difference: +10 % (−10 to +30 %)"),
        (difference(0.1, float("nan"), float("nan")), "10.0 % longer"),
        (difference(2.0, 1.9, 2.1), "3.00 × as long"),
        (None, "nothing to compare"),
    ],
)
def test_a_difference_is_said_by_its_case(row: Any, said: str) -> None:
    assert words.case(row, **CASES) == said


def test_a_case_knows_how_many_runs_there_are() -> None:
    assert words.case(difference(0.2, 0.1, 0.3), more="{n} runs", less="", same="") == "3 runs"


def test_a_sentence_without_one_of_its_values_is_not_said() -> None:
    row = comparison.one(response().rows(of_systems()), "mean", system="SD")
    said = words.say("It takes {row}, as {row.system} does.", row=row)
    assert said == f"It takes {words.value(row)}, as SD does."
    assert words.say("It takes {row} or {other}.", row=row, other=None) == ""
    # What is not there matters only where it is named.
    assert words.say("It takes {row}.", row=row, other=None) == f"It takes {words.value(row)}."
    assert words.Reading(said, "").text == said


def test_a_reading_is_safe_to_show() -> None:
    assert "a &lt; b" in words.Reading("a < b")._repr_html_()


def test_the_alternative_text_has_finding_values_and_intervals() -> None:
    frame = response().rows(of_systems())
    said = words.alternative("A finding", frame)
    assert said.startswith("A finding. Mean response time of pages (")
    for row in frame[frame["part"] == "mean"].itertuples():
        assert f"{row.system}: {words.value(row)}" in said
    assert "difference from SD" in said


def test_what_does_not_differ_is_not_repeated() -> None:
    frame = response().rows(of_systems()).assign(site="one")
    assert "one:" not in words.alternative("A finding", frame)


@pytest.mark.parametrize(
    ("texts", "said"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_lists_in_a_sentence(texts: list[str], said: str) -> None:
    assert words.listed(texts) == said


def test_words_of_a_document_keep_their_hyphens_and_numbers_have_a_minus() -> None:
    words_of = {"origin": "our reading", "part": "difference", "metric": "response_ms"}
    numbers = {"value": None, "low": -0.05, "high": None, "given_as": "share"}
    frame = pd.DataFrame([words_of | numbers | {"label": "“the medium-high load level”"}])
    (row,) = frame.itertuples()
    assert words.value(row) == "“the medium-high load level” (at least −5.0 %)"
