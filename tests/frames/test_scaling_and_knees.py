"""Scalability laws and knees as rows and words."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest

from studybook.errors import NeedsData
from studybook.frames import knees, scaling, words
from studybook.statistics.scalability_solver import throughput


def runs(*series: str, n: tuple[int, ...] = (1, 2, 4, 8), beta: float = 0.02) -> pd.DataFrame:
    generator = np.random.default_rng(3)
    every = [
        (name, each, float(throughput(each, 50, 0.02, beta)) + generator.normal(0, 0.3))
        for name in series
        for each in n
        for _ in range(3)
    ]
    return pd.DataFrame(every, columns=["series", "n", "value"]).assign(origin="measured")


def loads(*series: str) -> pd.DataFrame:
    generator = np.random.default_rng(6)
    every = [
        ("response_ms", name, level, 90 * share, 40 / (1 - share**2) * scatter)
        for name in series
        for level, share in enumerate((0.25, 0.45, 0.6, 0.8, 0.93))
        for scatter in np.exp(generator.normal(0, 0.02, 3))
    ]
    columns = ["metric", "series", "level", "load", "value"]
    return pd.DataFrame(every, columns=columns).assign(origin="measured")


def test_a_clear_peak_within_sight_is_drawn_and_said() -> None:
    frame = runs("SD")
    fitted = scaling.laws(frame)
    rows = scaling.rows(frame, fitted)
    [peak] = rows[rows["part"] == "peak"].itertuples()
    assert peak.n == pytest.approx(math.sqrt(0.98 / 0.02), rel=0.05)
    assert "SD has its peak at " in scaling.peaks_in_words(fitted)
    assert set(rows["part"]) == {"run", "mean", "curve", "linear", "residual", "peak"}
    assert "drawn" in scaling.table(fitted, "pages/s")["law"].tolist()[0]


def test_without_coherency_the_simpler_law_is_drawn_and_no_peak_said() -> None:
    frame = runs("SD", beta=0.0)
    fitted = scaling.laws(frame)
    assert fitted["measured", "SD"].taken.law == "amdahl"
    assert scaling.peaks_in_words(fitted) == "no peak shows"
    assert "peak" not in set(scaling.rows(frame, fitted)["part"])
    assert scaling.drawn(fitted) == "Amdahl's law"


def test_a_peak_beyond_the_runs_is_drawn_as_such() -> None:
    frame = runs("SD", n=(1, 2, 3, 4, 5, 6))
    rows = scaling.rows(frame, scaling.laws(frame))
    beyond = rows.loc[rows["part"] == "beyond", "n"]
    assert (beyond.min(), beyond.max()) == (6, rows.loc[rows["part"] == "peak", "n"].item())


def test_efficiency_is_that_of_means() -> None:
    frame = pd.DataFrame(
        [("SD", n, x) for n, x in ((1, 9.0), (1, 11.0), (4, 29.0), (4, 31.0))],
        columns=["series", "n", "value"],
    ).assign(origin="measured")
    [row] = scaling.efficiency(frame).itertuples()
    assert (row.value, row.least, row.most) == (0.75, 1, 4)


def test_two_different_numbers_are_not_enough() -> None:
    with pytest.raises(NeedsData, match=r"3 different N at least.* SD: 1, 4"):
        scaling.laws(runs("SD", n=(1, 4)))


def test_three_different_numbers_are_enough_for_amdahl_only() -> None:
    [both] = scaling.laws(runs("SD", n=(1, 2, 4))).values()
    assert both.usl is None
    assert both.taken.law == "amdahl"


def test_origins_are_not_mixed() -> None:
    two = pd.concat([runs("SD"), runs("SD", beta=0.0).assign(origin="simulated")])
    fitted = scaling.laws(two)
    assert list(fitted) == [("measured", "SD"), ("simulated", "SD")]
    assert all(len(both.amdahl.n) == 12 for both in fitted.values())


def test_a_knee_is_found_and_said() -> None:
    frame = loads("2")
    fitted = knees.fits(frame)
    rows = knees.rows(frame, fitted)
    assert rows.loc[rows["part"] == "knee", "value"].item() == pytest.approx(52, abs=2)
    assert knees.reach(fitted) == pytest.approx((52, 52), abs=2)
    said = knees.table(fitted, "processors", load=80)
    assert said["time at 80"].item().startswith("4.")
    assert knees.table(fitted, "processors", load=95)["time at 95"].item().endswith("runs")


def test_a_knee_is_said_as_the_load_that_it_is() -> None:
    runs = loads("1", "2")
    document = pd.DataFrame(
        [("published", "knee", "response_ms", "document", 80.0, "≥ 80")],
        columns=["origin", "part", "metric", "series", "value", "label"],
    )
    frame = pd.concat([knees.rows(runs, knees.fits(runs)), document])
    said = words.alternative("Knees", frame, series="{} processors", load="{:.0f} % busy")
    assert "1 processor, 22 % busy: " in said
    knee, published = re.findall(r"time of pages, knee \(\w+\): (.*?)\.(?: |$)", said)
    assert knee.startswith("1 processor: 5")
    assert "ms" not in knee
    assert published == "document: ≥ 80"


def test_nothing_published_is_no_row() -> None:
    assert knees.published("no-such-study", "a-claim", ["response_ms"]).empty
    assert knees.published("ecm-scaleout", "no-such-claim", ["response_ms"]).empty


def test_three_levels_of_load_have_no_knee() -> None:
    with pytest.raises(NeedsData, match="4 levels of load at least"):
        knees.fits(loads("2").query("level < 3"))
