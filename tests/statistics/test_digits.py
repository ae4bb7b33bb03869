"""Digits of numbers: no more than their intervals bear."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studybook.statistics.digits import WITHOUT_INTERVAL, borne, places


@pytest.mark.parametrize(
    ("numbers", "decimals", "text"),
    [
        ((29.2, 23.2, 35.8), 1, "29"),  # half-width 6.3: one digit
        ((298.3, 281.6, 314.9), 1, "298"),  # 16.65: two digits
        ((5.04, 4.1, 5.9), 1, "5.0"),
        ((1234.5, 834.0, 1634.0), 1, "1,200"),
        ((1234.5, 934.0, 1534.0), 1, "1,230"),
        ((9.96, 0.41, 19.51), 1, "10"),  # 9.55 is rounded up to 10, which has two
        ((25.7234, 25.7, 25.74), 1, "25.7"),  # never more than a metric has
        ((36.0, 36.0, 36.0), 0, "36"),
        ((1234.56, None, None), 1, "1,230"),
        ((0.012345, None, None), 6, "0.0123"),
        ((1492.0, None, None), 0, "1,492"),  # a count
        ((-0.04, -0.5, 0.4), 1, "0.0"),
        ((5.0, math.nan, math.nan), 2, "5.00"),
        ((54.4, 53.0, math.inf), 1, "54.4"),
        ((44.4, -98.0, 804.0), 1, "44"),  # the interval alone bears hundreds: 0
        ((-5.54, -60.0, 49.0), 1, "−5.5"),
        ((79.7, -320.0, 480.0), 1, "80"),
        ((261.5, 250.0, 480.0), 1, "262"),  # 11.5 below, 218.5 above: by the narrower side
        ((254.4, 254.4, 484.0), 1, "250"),
    ],
)
def test_digits_are_those_of_the_rule(
    numbers: tuple[float, float | None, float | None], decimals: int, text: str
) -> None:
    assert borne(*numbers, decimals) == text


def test_an_end_of_the_interval_ends_where_the_value_does() -> None:
    assert borne(29.2, 23.2, 35.8, 1, of=23.2, signed=True) == "+23"
    assert borne(1.04, -3.62, 5.96, 1, of=-3.62, signed=True) == "−4"


number = st.floats(-1e9, 1e9, allow_nan=False)
width = st.floats(1e-6, 1e6)


@given(number, width)
def test_the_uncertainty_keeps_one_or_two_digits(value: float, half: float) -> None:
    low, high = value - half, value + half
    half = (high - low) / 2  # as floats have it
    found = places(value, low, high)
    if half == 0:
        assert found is None
        return
    assert found is not None
    in_last_place = half * 10.0**found
    # From 3.545 to 9.495 of the last place with one digit, from 10 to 35.45 with two.
    assert 3.5 <= in_last_place < 35.5


@given(number, width)
def test_rounding_moves_a_number_by_little_of_its_uncertainty(value: float, half: float) -> None:
    low, high = value - half, value + half
    if low < high:
        text = borne(value, low, high, None).replace(",", "").replace("−", "-")
        moved = abs(float(text) - value)
        assert moved <= 0.15 * (high - low) / 2 + 1e-9 * abs(value)


@given(number, width, st.floats(0, 1))
def test_a_number_is_printed_near_itself_whatever_its_interval(
    value: float, wide: float, below: float
) -> None:
    text = borne(value, value - below * wide, value + (1 - below) * wide, None)
    moved = abs(float(text.replace(",", "").replace("−", "-")) - value)
    assert moved <= 0.0501 * abs(value)


@given(st.floats(1e-6, 1e9))
def test_without_an_interval_there_are_three_digits(value: float) -> None:
    text = borne(value, None, None, None)
    digits = text.replace(",", "").replace(".", "").lstrip("0").rstrip("0")
    assert value == round(value) or len(digits) <= WITHOUT_INTERVAL


@given(number, width, st.integers(0, 4))
def test_never_more_decimals_than_given(value: float, half: float, decimals: int) -> None:
    _, _, behind = borne(value, value - half, value + half, decimals).partition(".")
    assert len(behind) <= decimals
