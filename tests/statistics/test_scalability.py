"""Scalability laws: against a published fit, on exact and on noisy data, and on their edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook.statistics.intervals import Sample, mean_interval
from studybook.statistics.profile import noise, profile_interval
from studybook.statistics.scalability import coherency_p_value, fit
from studybook.statistics.scalability_solver import throughput

# SPEC SDM91 of a Sun SPARCcenter 2000: scripts per hour by load. Data and reference fit are those
# of the R package usl by N. J. Gunther and S. Möding (its data set specsdm91, its README and
# tests/efficiency.Rout.save), which fits by nls.
LOAD = [1, 18, 36, 72, 108, 144, 216]
SCRIPTS = [64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2]

#: Three repetitions with one, two, four and eight processors.
PROCESSORS = np.repeat([1.0, 2.0, 4.0, 8.0], 3)


def test_the_published_fit_of_spec_sdm91() -> None:
    found = fit(LOAD, SCRIPTS)
    gamma, alpha, beta = found.parameters
    assert gamma == pytest.approx(89.9952330, rel=1e-6)
    assert alpha == pytest.approx(0.0277285, rel=1e-5)
    assert beta == pytest.approx(0.0001044, rel=1e-3)
    assert math.sqrt(found.noise.variance) == pytest.approx(82.8, abs=0.05)
    assert found.noise.degrees_of_freedom == 4
    assert found.residuals.min() == pytest.approx(-81.7, abs=0.05)
    assert found.residuals.max() == pytest.approx(111.1, abs=0.05)
    assert found.at(LOAD) == pytest.approx([90, 1078, 1541, 1850, 1879, 1822, 1646], abs=0.5)
    observed = np.array(SCRIPTS) / (np.array(LOAD) * gamma)
    usl = [0.7211, 0.6148, 0.5100, 0.2860, 0.1882, 0.1370, 0.0876]
    assert observed == pytest.approx(usl, abs=5e-5)
    assert found.peak_n.estimate == pytest.approx(96.5, abs=0.05)


def test_the_intervals_of_spec_sdm91_are_near_those_by_standard_errors() -> None:
    # Standard errors of the same package: 14.2134894, 0.0091217, 0.0000199; t(4) = 2.776445. A
    # profile is as wide within a third, and longer on the side to which the law is flat.
    found = fit(LOAD, SCRIPTS)
    errors = (14.2134894, 0.0091217, 0.0000199)
    for interval, error in zip((found.gamma, found.alpha, found.beta), errors, strict=True):
        width = interval.high - interval.low
        assert width == pytest.approx(2 * 2.776445 * error, rel=0.34)
    assert 96.5 in found.peak_n
    assert found.peak_n.high < LOAD[-1]
    assert found.peak_x.estimate == pytest.approx(float(found.at(found.peak_n.estimate)))


def test_coherency_shows_in_spec_sdm91_and_amdahl_misses_it() -> None:
    usl, amdahl = fit(LOAD, SCRIPTS), fit(LOAD, SCRIPTS, law="amdahl")
    assert amdahl.parameters[2] == 0
    assert coherency_p_value(usl, amdahl) < 0.02
    assert amdahl.r_squared < usl.r_squared


@settings(max_examples=40, deadline=None)
@given(
    gamma=st.floats(1e-3, 1e6),
    alpha=st.floats(0, 0.6),
    beta=st.floats(0, 0.05),
    most=st.sampled_from([5, 8, 64, 1000]),
)
def test_exact_data_give_the_parameters_back(
    gamma: float, alpha: float, beta: float, most: int
) -> None:
    n = np.unique(np.round(np.geomspace(1, most, 7)))
    found = fit(n, throughput(n, gamma, alpha, beta))
    # as far as X(N) depends on them
    assert found.at(n) == pytest.approx(throughput(n, gamma, alpha, beta), rel=1e-6)
    assert found.parameters[1] == pytest.approx(alpha, abs=1e-4)
    assert found.parameters[2] == pytest.approx(beta, abs=1e-4)
    assert found.noise.variance == 0
    assert found.gamma.low == found.gamma.high


@settings(max_examples=15, deadline=None)
@given(scale=st.floats(1e-4, 1e5))
def test_another_unit_of_throughput_changes_gamma_only(scale: float) -> None:
    one, other = fit(LOAD, SCRIPTS), fit(LOAD, np.array(SCRIPTS) * scale)
    assert other.parameters[0] == pytest.approx(one.parameters[0] * scale, rel=1e-5)
    assert other.parameters[1:] == pytest.approx(one.parameters[1:], rel=1e-5)
    assert other.peak_n.estimate == pytest.approx(one.peak_n.estimate, rel=1e-5)
    assert other.peak_n.high == pytest.approx(one.peak_n.high, rel=1e-4)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    generator, trials = np.random.default_rng(11), 60
    gamma, alpha, beta = 100.0, 0.06, 0.004
    peak = math.sqrt((1 - alpha) / beta)
    hits = np.zeros(2)
    for _ in range(trials):
        noisy = throughput(PROCESSORS, gamma, alpha, beta) + generator.normal(0, 3, 12)
        found = fit(PROCESSORS, noisy)
        hits += [alpha in found.alpha, peak in found.peak_n]
    # binomial standard error of a share is 3 %
    assert np.all(hits / trials > 0.87)


def test_no_coherency_is_no_peak_within_reach() -> None:
    generator = np.random.default_rng(5)
    x = throughput(PROCESSORS, 20, 0.05) + generator.normal(0, 0.5, 12)
    usl, amdahl = fit(PROCESSORS, x), fit(PROCESSORS, x, law="amdahl")
    assert usl.beta.low == 0
    assert usl.peak_n.high == math.inf
    assert coherency_p_value(usl, amdahl) > 0.05
    # Amdahl's law has no peak, and a limit: gamma / alpha
    assert amdahl.peak_n.estimate == math.inf
    assert amdahl.peak_x.estimate == pytest.approx(amdahl.parameters[0] / amdahl.parameters[1])
    assert 20 / 0.05 in amdahl.peak_x


def test_coherency_is_seldom_seen_where_there_is_none() -> None:
    generator, trials = np.random.default_rng(1), 60
    found = 0
    for _ in range(trials):
        x = throughput(PROCESSORS, 50, 0.02) + generator.normal(0, 0.3, 12)
        found += coherency_p_value(fit(PROCESSORS, x), fit(PROCESSORS, x, law="amdahl")) < 0.05
    # the test says 5 %, and is cautious; three standard errors more
    assert found / trials < 0.13


def test_growth_beyond_proportion_is_no_negative_contention() -> None:
    found = fit(PROCESSORS, 10 * PROCESSORS**1.1)
    assert found.parameters[1] == 0
    assert found.parameters[2] == 0
    assert found.peak_x.estimate == math.inf
    assert found.alpha.low == 0


def test_misses_that_repetitions_do_not_explain_widen_the_intervals() -> None:
    generator = np.random.default_rng(2)
    # flat beyond four: no law of this kind, and repetitions that agree closely
    x = np.minimum(PROCESSORS, 4) * 25 + generator.normal(0, 0.05, 12)
    found = fit(PROCESSORS, x)
    assert found.noise.of_curve
    assert found.noise.lack_of_fit_p_value < 1e-6
    assert found.noise.degrees_of_freedom == 1
    assert found.gamma.high - found.gamma.low > 1


def test_four_points_leave_one_degree_of_freedom() -> None:
    found = fit([1, 2, 4, 8], [10, 19, 33, 50])
    assert found.noise.degrees_of_freedom == 1
    assert math.isnan(found.noise.lack_of_fit_p_value)
    assert fit([1, 2, 4, 8], [10, 19, 33, 50], law="amdahl").noise.degrees_of_freedom == 2


def test_what_the_law_says_of_a_place_has_an_interval() -> None:
    found = fit(LOAD, SCRIPTS)
    # At N = 1 the law says gamma, and its interval is that of gamma.
    one = found.mean_at(1)
    assert (one.low, one.high) == pytest.approx((found.gamma.low, found.gamma.high), rel=1e-6)
    elsewhere = found.mean_at(72)
    assert elsewhere.estimate == pytest.approx(1850.15, rel=1e-4)
    assert elsewhere.low < elsewhere.estimate < elsewhere.high


def test_weights_stand_for_repetitions() -> None:
    once = fit([1, 2, 4, 8, 8], [10, 19, 33, 50, 52])
    weighted = fit([1, 2, 4, 8], [10, 19, 33, 51], weights=[1, 1, 1, 2])
    assert weighted.parameters == pytest.approx(once.parameters, rel=1e-5)


@pytest.mark.parametrize(
    ("n", "x", "law", "reason"),
    [
        ([1, 2, 4, 4], [1, 2, 3, 3], "usl", "3 different N are too few: the law needs 4"),
        ([1, 4, 4], [1, 3, 3], "amdahl", "2 different N are too few: the law needs 3"),
        ([1, 2, 3, 4], [1, 2, 3, math.nan], "usl", "positive numbers"),
        ([0, 1, 2, 3], [1, 2, 3, 4], "usl", "positive numbers"),
        ([1, 2, 3, 4], [1, 2, 3], "usl", "do not pair up"),
    ],
)
def test_what_cannot_be_fitted_is_refused(
    n: list[float], x: list[float], law: str, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        fit(n, x, law=law)


def test_a_profile_of_a_mean_is_students_interval() -> None:
    # A line through nothing but its own level: the profile must agree with a known interval.
    x = np.array([4.0, 5.0, 6.5, 4.5, 5.2])
    mean = float(np.mean(x))

    def rss(value: float) -> float:
        return float(np.sum((x - value) ** 2))

    found = profile_interval(
        rss, mean, rss(mean), noise(np.arange(5.0), x - mean, np.ones(5), 1), step=0.1
    )
    known = mean_interval(Sample(5, mean, float(np.std(x))))
    assert (found.low, found.high) == pytest.approx((known.low, known.high), rel=1e-8)
