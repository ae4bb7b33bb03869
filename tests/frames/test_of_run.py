"""The metrics of single runs as rows, with the interval that the run bears."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from studybook.frames.evidence import Value
from studybook.frames.of_run import rows_of
from studybook.statistics.intervals import Sample


def value(mean: float, batches: np.ndarray | None = None, n: int = 1, sd: float = 0.0) -> Value:
    of = (("label", "buy"), ("kind", "sample"))
    return Value("response_p95_ms", "s/one", of, Sample(n, mean, sd), "", batches)


def test_batches_give_the_interval_and_its_digits() -> None:
    batches = np.random.default_rng(4).normal(200, 10, 20)
    (row,) = rows_of([value(201.234, batches)]).itertuples()
    assert (row.label, row.host, row.other) == ("buy", "", "sample")
    assert row.low < 201.234 < row.high
    assert row.high - row.low == pytest.approx(2 * 2.093 * batches.std() / np.sqrt(19), rel=1e-3)
    assert row.text == "201 ms"
    assert row.rests_on == "20 batches"


def test_no_interval_goes_below_zero_where_the_quantity_cannot() -> None:
    batches = np.array([0.0, 40, 0, 30, 0, 20, 300, 0, 0, 9, 0, 30, 0, 9])
    (row,) = rows_of([value(27, batches)]).itertuples()
    assert row.low == 0
    assert row.high > 27
    assert row.interval.startswith("0")


def test_no_interval_of_a_share_goes_above_all() -> None:
    batches = np.array([100.0, 98, 100, 100, 99, 100, 93, 100, 100, 100, 100, 97, 100, 100])
    busy = replace(value(99, batches), metric="cpu_busy_percent")
    (row,) = rows_of([busy]).itertuples()
    assert row.low < 99
    assert row.high == 100
    assert row.interval.endswith("to 100.0")


@pytest.mark.parametrize("batches", [None, np.arange(20.0)], ids=["none", "they drift"])
def test_without_batches_that_stand_alone_there_is_no_interval(batches: np.ndarray | None) -> None:
    (row,) = rows_of([value(201.234, batches)]).itertuples()
    assert np.isnan(row.low)
    assert row.interval == ""
    assert row.text == "201 ms"
    assert row.rests_on.startswith("one value")


def test_what_a_driver_prints_of_the_whole_run_says_so() -> None:
    (row,) = rows_of([replace(value(201.234, None), test="all, locust, whole run")]).itertuples()
    assert row.rests_on == "the whole run"


def test_repetitions_within_a_run_go_before_batches() -> None:
    (row,) = rows_of([value(100.0, np.ones(20), n=4, sd=2.0)]).itertuples()
    assert row.low == pytest.approx(100 - 3.182 * 2 / np.sqrt(3), rel=1e-3)
    assert "4 repetitions" in row.rests_on


def test_no_values_give_no_rows_but_all_columns() -> None:
    assert {"metric", "text", "interval"} <= set(rows_of([]).columns)
