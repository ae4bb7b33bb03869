"""Differences in words, by the one notation of the book."""

from __future__ import annotations

import pytest

from studybook.statistics.comparatives import beyond_twice, compared


@pytest.mark.parametrize(
    ("share", "low", "high", "how", "said"),
    [
        (0.295, 0.27, 0.321, "longer than", "29.5 % longer (27.0 to 32.1 %) than"),
        (-0.223, -0.25, -0.2, "longer", "22.3 % shorter (20.0 to 25.0 %)"),
        (2.44, 2.1, 2.7, "longer than", "3.44 × as long (3.10 to 3.70 ×) as"),
        (-0.7, -0.75, -0.65, "more packets than", "0.30 × as many packets (0.25 to 0.35 ×) as"),
        # An interval on both sides of zero says which side is which.
        (-0.01, -0.03, 0.011, "less time", "1.0 % less time (3.0 % less to 1.1 % more)"),
        (0.3, None, None, "fewer packets", "30.0 % more packets"),
        (0.3, float("nan"), float("nan"), "higher", "30.0 % higher"),
        (1.0, None, None, "more", "100.0 % more"),
        (5.1, None, None, "more", "6.10 × as much"),
        # What is next to nothing still has digits.
        (-0.997, -0.998, -0.9965, "less", "0.0030 × as much (0.0020 to 0.0035 ×)"),
        (-0.64, -0.643, -0.637, "fewer packets", "0.360 × as many packets (0.357 to 0.363 ×)"),
    ],
)
def test_a_difference_is_in_per_cent_up_to_twice_and_a_multiple_beyond(
    share: float, low: float | None, high: float | None, how: str, said: str
) -> None:
    assert compared(share, low, high, how) == said


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("takes {amount} more packets than with SD", "takes 3.44 × as many packets as with SD"),
        ("{amount} more is read", "3.44 × as much is read"),
        ("{amount} longer with {system}", "3.44 × as long with {system}"),
        ("{amount} fewer IFLs than SD", "3.44 × as many IFLs as SD"),
        ("{amount} apart", "{amount} apart"),
    ],
)
def test_an_amount_beyond_twice_is_a_multiple(sentence: str, said: str) -> None:
    assert beyond_twice(sentence, 2.44, None, None) == said
