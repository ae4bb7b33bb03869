"""Change points: false alarms counted on noise, changes counted that are found."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.change_points import NOISES, false_alarms, found_within
from studybook.statistics.change import FEWEST, SHORTEST, changes, told_and_suspected


@pytest.mark.parametrize("noise", NOISES)
def test_noise_without_a_change_raises_hardly_an_alarm(noise: str) -> None:
    assert false_alarms(noise, runs=30, histories=300) <= 3


def test_a_tenth_more_is_found_within_five_runs() -> None:
    assert found_within(before=30, after=5, histories=100) >= 92


def test_a_single_run_far_out_is_no_change() -> None:
    told = 0
    for place in range(30):
        values = np.random.default_rng(place).normal(100, 3, 30)
        values[place] = 400
        told += bool(changes(values))
    assert told <= 1  # beside two high values of the noise it may look like a third


def test_a_run_far_out_hides_no_change() -> None:
    values = np.random.default_rng(5).normal(100, 3, 40)
    values[20:] += 12
    values[7], values[31] = 500, 10
    found = changes(values)
    assert [abs(each.at - 20) <= 1 for each in found] == [True]
    assert found[0].share == pytest.approx(0.12, abs=0.03)


@pytest.mark.parametrize(("scatter", "digits", "least"), [(1.0, 6, 55), (0.2, 0, 95)])
def test_runs_of_the_old_level_far_out_hide_a_step_seldom(
    scatter: float, digits: int, least: int
) -> None:
    found = 0
    for seed in range(100):
        random = np.random.default_rng(seed)
        values = 100 + scatter * random.standard_normal(20)
        values[12:] += 3
        values[random.integers(12)] = 100 + 40 * scatter
        found += any(abs(each.at - 12) <= 2 for each in changes(values.round(digits)))
    assert found >= least


@pytest.mark.parametrize(
    ("values", "at"),
    [([5] * 8 + [1000] + [5] * 2 + [9] * 8, 11), ([1] * 8 + [30] + [1] * 3 + [2] * 9, 12)],
)
def test_a_step_is_found_though_most_runs_agree_and_one_is_far_out(
    values: list[float], at: int
) -> None:
    assert [each.at for each in changes(values)] == [at]


def test_two_changes_are_told_apart() -> None:
    random = np.random.default_rng(6)
    values = np.concatenate([random.normal(m, 2, 25) for m in (100, 120, 90)])
    found = changes(values)
    assert [each.at for each in found] == pytest.approx([25, 50], abs=1)
    assert [each.share > 0 for each in found] == [True, False]
    assert found[0].after == found[1].before
    assert all(each.p <= 0.004 for each in found)


def test_the_same_history_gives_the_same_answer() -> None:
    values = np.concatenate([np.random.default_rng(7).normal(m, 3, 20) for m in (100, 108)])
    assert changes(values) == changes(values)


def test_runs_that_agree_to_the_digit_move_too() -> None:
    found = changes([5.0] * 20 + [6.0] * 6)
    assert [(each.at, each.before, each.after) for each in found] == [(20, 5.0, 6.0)]
    assert changes([5.0] * 40) == []


def test_too_few_runs_tell_nothing() -> None:
    assert changes([]) == []
    assert changes([1.0, 1.0, 9.0, 9.0]) == []
    few = [1.0 + i / 100 for i in range(7)] + [9.0] * SHORTEST
    assert len(few) < FEWEST
    assert changes(few) == []  # two of 120 ways to choose three runs are as extreme


def test_the_place_is_that_of_the_values_as_they_are() -> None:
    # The eighth is a little high; brought near to the others, the new level looks like it.
    values = [72.0, 73, 71, 72.5, 74, 73.5, 72.85, 75.16, 159.8, 160, 158, 161, 160.5]
    assert [each.at for each in changes(values)] == [8]


def test_values_that_are_rounded_move_though_most_agree() -> None:
    values = [7.0, 6, 5, 5, 5, 5, 6, 5, 9, 9, 9, 9, 9]
    assert [each.at for each in changes(values)] == [8]


def test_what_cannot_be_told_yet_is_suspected_at_most() -> None:
    new = [4.6, 4.5, 4.6, 4.6, 4.5, 4.5, 4.6, 4.5, 7.7, 7.7, 7.7, 7.7]
    told, found = told_and_suspected(new)
    assert told == changes(new) == []
    assert found is not None
    assert (found.at, found.before, found.after) == (8, 4.55, 7.7)
    told, found = told_and_suspected([*new, 7.7])
    assert told == changes([*new, 7.7])
    assert found is None, "it is told"
    noise = (np.random.default_rng(n).normal(9, 1, 12).tolist() for n in range(100))
    assert sum(told_and_suspected(each)[1] is not None for each in noise) <= 10
