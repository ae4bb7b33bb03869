"""The one rule of verdicts: by where the interval lies, whatever the operator."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from studybook.claims import verdict_text
from studybook.claims.judge import judge
from studybook.claims.published_values import Claim
from studybook.claims.verdict import Judgement, Verdict
from studybook.frames import document
from studybook.statistics.intervals import (
    Interval,
    Sample,
    difference_interval,
    mean_interval,
    ratio_interval,
)

HOLDS, FAILS, OPEN = Verdict.HOLDS, Verdict.FAILS, Verdict.OPEN
SAID = {"least": 0.9, "most": 1.1, "because": "two bars of a chart"}


def claim(**keys: Any) -> Claim:
    usual = {
        "id": "a-claim", "statement": "So it is.", "place": "page 1", "figure": "fig01",
        "kind": "value", "metric": "response_ms", "unit": "ms",
    }  # fmt: skip
    return Claim.model_validate(usual | keys)


WITHIN = claim(value=300, tolerance={"absolute": 10}, tolerance_because="read off a chart")
EXACT = claim(value=300, tolerance={"absolute": 0}, tolerance_because="a setting is exact")
RANGE = claim(value=[10, 15])
BELOW, AT_MOST = claim(operator="<", value=200), claim(operator="<=", value=200)
ABOVE = claim(operator=">", value=200)
WORDS = claim(words="almost the same", reads={"least": 95, "most": 105, "because": "a bar"})
OPEN_WORDS = claim(words="far more", reads={"least": 400, "because": "twice the other"})


@pytest.mark.parametrize(
    ("of", "low", "high", "verdict"),
    [
        (WITHIN, 291, 309, HOLDS), (WITHIN, 290, 310, HOLDS), (WITHIN, 289, 309, OPEN),
        (WITHIN, 280, 320, OPEN), (WITHIN, 280, 289, FAILS), (WITHIN, 311, 320, FAILS),
        (EXACT, 300, 300, HOLDS), (EXACT, 301, 301, FAILS), (EXACT, 299, 301, OPEN),
        (RANGE, 10, 15, HOLDS), (RANGE, 11, 15.1, OPEN), (RANGE, 16, 17, FAILS),
        (BELOW, 180, 199, HOLDS), (BELOW, 180, 200, OPEN), (BELOW, 200, 210, FAILS),
        (AT_MOST, 180, 200, HOLDS), (AT_MOST, 200.1, 210, FAILS), (AT_MOST, 200, 200, HOLDS),
        (ABOVE, 201, 210, HOLDS), (ABOVE, 200, 210, OPEN), (ABOVE, 190, 200, FAILS),
        (WORDS, 96, 104, HOLDS), (WORDS, 94, 104, OPEN), (WORDS, 106, 107, FAILS),
        (OPEN_WORDS, 400, 1e9, HOLDS), (OPEN_WORDS, 399, 500, OPEN), (OPEN_WORDS, 1, 9, FAILS),
    ],
)  # fmt: skip
def test_the_verdict_is_where_the_interval_lies(
    of: Claim, low: float, high: float, verdict: Verdict
) -> None:
    found, why = judge(of, Interval((low + high) / 2, low, high))
    assert found is verdict
    assert why


@pytest.mark.parametrize("kind", ["<", ">="])
def test_an_end_beside_the_bound_is_not_printed_like_it(kind: str) -> None:
    of = claim(operator=kind, value=3, kind="ratio", over={"users": 2}, unit="")
    low, high = (2.156, 2.958) if kind == ">=" else (3.042, 3.7)
    verdict, why = judge(of, Interval((low + high) / 2, low, high))
    assert verdict is FAILS
    said = verdict_text.interval(Judgement(of, Interval(2.5, low, high), "", 3, verdict, why))
    assert said == ("2.16 to 2.96" if kind == ">=" else "3.04 to 3.70")


@pytest.mark.parametrize(
    ("of", "low", "high", "said"),
    [
        (claim(operator="<", value=199.8), 170, 199.7, "170.0 to 199.7"),
        (claim(operator="<", value=200), 170, 199.96, "170.00 to 199.96"),
        # At most 200 is what "to 200" is; of more room nobody asks for more digits.
        (AT_MOST, 170, 199.96, "170 to 200"),
        (BELOW, 170, 190, "170 to 190"),
    ],
)
def test_an_interval_that_holds_is_printed_as_one_that_does(
    of: Claim, low: float, high: float, said: str
) -> None:
    interval = Interval((low + high) / 2, low, high)
    verdict, why = judge(of, interval)
    assert verdict is HOLDS
    assert verdict_text.interval(Judgement(of, interval, "", 3, verdict, why)) == said


def test_without_an_interval_it_is_open() -> None:
    """However near the estimate is: one run says nothing of the next."""
    assert judge(WITHIN, Interval(300, math.nan, math.nan))[0] is OPEN


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("of", [WITHIN, RANGE, AT_MOST, ABOVE, WORDS], ids=lambda of: of.operator)
def test_at_the_edge_of_what_it_accepts_a_claim_seldom_holds(of: Claim, n: int) -> None:
    """The truth lies on the bound: the claim is as false as it can be and look true."""
    chance = np.random.default_rng(17)
    edges = [each for each in (of.accepted.low, of.accepted.high) if math.isfinite(each)]
    for edge in edges:
        # From far less scatter than the tolerance to as much: it is then harder to hold.
        for scatter in (0.01, 0.1, 1.0):
            runs = chance.normal(edge, scatter * 5, (2000, n))
            verdicts = [
                judge(of, mean_interval(Sample(n, float(each.mean()), float(each.std()))))[0]
                for each in runs
            ]
            assert verdicts.count(HOLDS) / len(verdicts) <= 0.05


@pytest.mark.parametrize("kind", ["ratio", "difference"])
def test_at_the_edge_two_setups_are_seldom_called_alike(kind: str) -> None:
    chance, n, edge = np.random.default_rng(18), 3, 1.1 if kind == "ratio" else 10
    of = claim(
        kind=kind, over={"users": 1}, words="as fast", unit="ms" if kind == "difference" else "×",
        reads=SAID if kind == "ratio" else {"least": -10, "most": 10, "because": "a tenth"},
    )  # fmt: skip
    interval = ratio_interval if kind == "ratio" else difference_interval
    held = 0
    for _ in range(4000):
        over = chance.normal(100, 1, n)
        one = chance.normal(100 * edge if kind == "ratio" else 100 + edge, 1, n)
        samples = [Sample(n, float(each.mean()), float(each.std())) for each in (one, over)]
        held += judge(of, interval(*samples))[0] is HOLDS
    assert 0 < held / 4000 <= 0.05


@pytest.mark.parametrize(
    ("of", "origin", "drawn"),
    [
        (WITHIN, "published", (300, None, None)),
        (RANGE, "published", (None, 10, 15)),
        (BELOW, "published", (None, None, 200)),
        (ABOVE, "published", (None, 200, None)),
        (WORDS, "our reading", (None, 95, 105)),
        (OPEN_WORDS, "our reading", (None, 400, None)),
    ],
)
def test_only_a_number_that_is_printed_is_a_value(
    of: Claim, origin: str, drawn: tuple[float | None, ...]
) -> None:
    row = document.said(of, "{:g} ms".format)
    assert row is not None
    assert row["origin"] == origin
    assert (row["value"], row["low"], row["high"]) == drawn
    assert ("“" in row["label"]) == (origin == "our reading")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"words": "alike"}, "needs a number as value, or words"),
        ({"reads": SAID}, "needs them, as the document has them"),
        ({"words": "alike", "reads": SAID, "value": 1}, "words have no value"),
        ({"words": "alike", "reads": {"because": "so"}}, "least, most or both"),
        ({"words": "alike", "reads": {"least": 2, "most": 1, "because": "so"}}, "least is more"),
        ({"value": [15, 10]}, "a range is from less to more"),
        ({"value": [10, 15], "operator": "<"}, "a range is from less to more"),
        ({"value": 3}, "needs tolerance"),
    ],
)
def test_what_a_claim_must_have(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        claim(**keys)
