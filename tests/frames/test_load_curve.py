"""Curves over load: their places, what is marked on them, and the views that they come from."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import pytest

from studybook.claims.published_values import Published
from studybook.frames import load_curve, load_guides
from studybook.frames.comparison import Comparison
from studybook.statistics.line import line_through
from studybook.study.scope import Scope
from tests.conftest import REPOSITORY
from tests.support.scratch import Scratch
from tests.support.words import words

cpus = words("filenet-p8").named("cpus")
#: The study that has the models which are tested here.
OWN = REPOSITORY / "pipelines/filenet-p8"

#: Two repetitions of two setups at three loads: processors in use by throughput.
RUNS = pd.DataFrame(
    [
        ("simulated", cpus, level, metric, times + step, value)
        for cpus, most in (("1-1", 1.0), ("2-2", 2.0))
        for level, share in ((1, 0.4), (2, 0.6), (3, 1.0))
        for times, step in ((5 * most * share, -0.1), (5 * most * share, 0.1))
        for metric, value in (
            ("ce_pe_ifl", 0.2 * (times + step)),
            ("ce_pe_busy_percent", 100 * share + step),
        )
    ],
    columns=["origin", "cpus", "load_level", "metric", "times", "value"],
)
BY = ("cpus", "load_level")


def over(name: str, runs: pd.DataFrame = RUNS) -> pd.DataFrame:
    return load_curve.rows_over(Comparison(name, by=BY, against={}), runs, "times")


def test_a_run_has_its_own_place_and_a_mean_that_of_its_runs() -> None:
    rows = over("ce_pe_ifl")
    runs, means = (rows[rows["part"] == part] for part in ("run", "mean"))
    assert runs["times"].tolist() == pytest.approx((5 * runs["value"]).tolist())
    assert means["times"].tolist() == pytest.approx([2, 3, 5, 4, 6, 10])
    assert over("db_ifl").empty


def test_runs_without_the_metric_do_not_move_a_mean() -> None:
    runs = RUNS.copy()
    gone = runs.index[(runs["metric"] == "ce_pe_ifl") & (runs["load_level"] == 1)][0]
    runs.loc[gone, "value"] = float("nan")
    means = load_curve.means_of(over("ce_pe_ifl", runs))
    assert means["times"].tolist() == pytest.approx([2.1, 3, 5, 4, 6, 10])


def test_a_place_between_two_loads_is_in_proportion() -> None:
    curve, busy = over("ce_pe_ifl"), over("ce_pe_busy_percent")
    found = load_curve.reached(curve, busy, 80, "cpus", "times", "80 %")
    assert found["cpus"].tolist() == ["1-1", "2-2"]
    assert found["times"].tolist() == pytest.approx([4, 8])
    assert found["value"].tolist() == pytest.approx([0.8, 1.6])
    assert found["label"].tolist() == ["", "80 %"]


def test_what_is_never_reached_or_more_than_once_has_no_mark() -> None:
    curve, busy = over("ce_pe_ifl"), over("ce_pe_busy_percent")
    assert load_curve.reached(curve, busy, 120, "cpus", "times", "").empty
    assert load_curve.reached(curve, busy, 20, "cpus", "times", "").empty
    first = busy["cpus"] == "1-1"
    falling = busy.assign(value=busy["value"].where(~(first & (busy["load_level"] == 3)), 50.0))
    found = load_curve.reached(curve, falling, 55, "cpus", "times", "")
    assert found["cpus"].tolist() == ["2-2"]


def test_the_last_mean_of_each_line() -> None:
    assert load_curve.ends(over("ce_pe_ifl"), "cpus", "times")["value"].tolist() == pytest.approx(
        [1, 2]
    )


def test_one_line_goes_through_the_runs_of_all_setups() -> None:
    curve = over("ce_pe_ifl")
    line = load_guides.common_line(curve, "times", 0.95)
    assert line is not None
    assert (line.slope.estimate, line.intercept) == pytest.approx((0.2, 0))
    assert load_guides.off_line(line, curve, "times", 0) == pytest.approx(0, abs=1e-9)
    last = (curve["part"] == "mean") & (curve["times"] == 10)
    bent = curve.assign(value=curve["value"].where(~last, 2.1))
    assert load_guides.off_line(line, bent, "times", 1) == pytest.approx(5)
    assert load_guides.off_line(line, bent, "times", 3) is None
    assert load_guides.line_guide(line, curve, "times", "all")["label"].tolist() == ["", "all"]
    assert "12 runs, 0.200 IFLs" in load_guides.slope_said(line, "IFLs")


def test_the_slope_is_that_of_least_squares_with_its_interval() -> None:
    x, y = [1.0, 2.0, 3.0, 4.0, 5.0], [1.1, 1.9, 3.2, 3.9, 5.2]
    line = line_through(x, y)
    (slope, intercept), covariance = np.polyfit(x, y, 1, cov=True)
    assert line is not None
    assert (line.slope.estimate, line.intercept) == pytest.approx((slope, intercept))
    # Student's t for 3 degrees of freedom, two-sided 95 %, from a table
    half = 3.182 * np.sqrt(covariance[0, 0])
    assert line.slope.high - slope == pytest.approx(half, rel=1e-3)
    assert slope - line.slope.low == pytest.approx(half, rel=1e-3)


def test_too_few_points_have_no_line_or_no_interval() -> None:
    assert line_through([2.0, 2.0], [1.0, 3.0]) is None
    assert "no line" in load_guides.slope_said(None, "IFLs")
    two = line_through([1.0, 2.0], [1.0, 3.0])
    assert two is not None
    assert two.slope.estimate == pytest.approx(2)
    assert np.isnan(two.slope.low)
    assert "(" not in load_guides.slope_said(two, "IFLs")


def claims() -> Published:
    least = {"ce_pe_cpus": 1, "db_cpus": 1, "load_level": 1}
    shared = {
        "statement": "S.", "place": "P", "figure": "a-figure", "metric": "operations_per_s",
        "kind": "ratio", "operator": "=", "tolerance": {"relative": 0.1},
        "tolerance_because": "because", "of": {},
    }  # fmt: skip
    eight = {"ce_pe_cpus": 8}
    unread = {"tolerance": None, "tolerance_because": ""}
    every = [
        {"id": "thirty-nine", "of": eight, "over": least, "value": 39},
        {"id": "nearly-40", "of": eight, "over": least, "words": "nearly 40",
         "reads": {"least": 38, "most": 40, "because": "b"}} | unread,
        {"id": "eleven", "over": least, "value": 11},
        {"id": "over-another", "of": eight, "over": {"ce_pe_cpus": 4}, "value": 1.8},
        {"id": "good", "kind": "value", "metric": "ce_response_ms", "operator": "<",
         "value": 200, "unit": "ms"},
    ]  # fmt: skip
    return Published.model_validate(
        {
            "study": "filenet-p8",
            "document": {"id": "1", "title": "T", "authors": "A"},
            "definition": {"baseline": {"ce_pe_cpus": 2, "db_cpus": 2, "load_level": 5}},
            "claims": [shared | claim for claim in every],
        }
    )


def test_published_ratios_to_the_least_load_are_multiples_of_it() -> None:
    found = load_guides.published_times(
        claims(),
        ["a-figure"],
        Scope("filenet-p8", {}),
        {"cpus": "1-1", "load_level": 1},
        cpus=cpus,
        load_level=lambda of: of["load_level"],
    )
    drawn = found[["origin", "cpus", "value", "low", "high", "label"]].astype(object)
    assert drawn.where(drawn.notna(), None).values.tolist() == [
        ["published", "2-2", 11, None, None, "11 ×"],
        ["published", "8-2", 39, None, None, "39 ×"],
        ["our reading", "8-2", None, 38, 40, "“nearly 40”"],
    ]
    assert set(found["metric"]) == {load_curve.TIMES}


def test_a_published_bound_is_a_guide_across_the_panel() -> None:
    found = load_guides.published_bound(claims(), "good", "ce_response_ms", "times", 40)
    assert found[["times", "high", "label"]].values.tolist() == [
        [0, 200, ""],
        [40, 200, "< 200 ms"],
    ]
    assert found[["value", "low"]].isna().all(axis=None)  # a bound, and no value
    assert set(found["origin"]) == {"published"}
    assert load_guides.published_bound(claims(), "good", "pe_response_ms", "times", 40).empty


def test_throughput_is_normalised_to_the_least_load_of_its_own_origin() -> None:
    with Scratch(duckdb.connect(), given=("setup", "run_metric"), own=OWN) as connection:
        connection.execute(
            """
            CREATE TABLE setup (run_id VARCHAR, origin VARCHAR, cpus VARCHAR, ce_pe_cpus INTEGER,
                load_level INTEGER);
            CREATE TABLE run_metric (run_id VARCHAR, metric VARCHAR, value DOUBLE);
            INSERT INTO setup VALUES ('a', 'simulated', '2-2', 2, 1),
                ('b', 'simulated', '1-1', 1, 2), ('c', 'simulated', '1-1', 1, 1),
                ('d', 'simulated', '1-1', 1, 1),
                ('e', 'measured', '2-2', 2, 1), ('f', 'measured', '2-2', 2, 5),
                ('g', 'measured', '1-1', 1, 1);
            INSERT INTO run_metric VALUES ('a', 'operations_per_s', 12),
                ('b', 'operations_per_s', 8), ('c', 'operations_per_s', 3),
                ('d', 'operations_per_s', 5), ('e', 'operations_per_s', 10),
                ('f', 'operations_per_s', 40), ('g', 'ce_pe_ifl', 1);
            """
        )
        rows = connection.execute(
            "SELECT run_id, times, base_cpus, base_level FROM run_throughput ORDER BY run_id"
        ).fetchall()
    assert rows == [
        ("a", 3, "1-1", 1), ("b", 2, "1-1", 1), ("c", 0.75, "1-1", 1), ("d", 1.25, "1-1", 1),
        ("e", 1, "2-2", 1), ("f", 4, "2-2", 1),
    ]  # fmt: skip


def test_percentiles_are_of_the_samples_that_end_in_the_stable_phase() -> None:
    made = ("jtl_ended", "sampled_ended", "stable_phase", "response_time")
    with Scratch(duckdb.connect(), given=made, own=OWN) as connection:
        connection.execute(
            """
            CREATE TABLE jtl_ended (run_id VARCHAR, kind VARCHAR, label VARCHAR, elapsed_ms BIGINT,
                end_utc TIMESTAMP, samples BIGINT);
            CREATE TABLE sampled_ended (run_id VARCHAR, kind VARCHAR, label VARCHAR,
                elapsed_ms BIGINT, end_utc TIMESTAMP);
            CREATE TABLE stable_phase (run_id VARCHAR, from_utc TIMESTAMP, to_utc TIMESTAMP);
            CREATE TABLE response_time (run_id VARCHAR, name VARCHAR, kind VARCHAR, mean_ms DOUBLE,
                hits BIGINT, time_utc TIMESTAMP, interval_s DOUBLE);
            INSERT INTO stable_phase VALUES
                ('j', '2020-01-01 00:00:10', '2020-01-01 00:01:50'),
                ('k', '2020-01-01 00:00:10', '2020-01-01 00:01:50');
            -- a hundred samples in the phase of 1 to 100 ms, by two names of one group; one before
            -- it, one at its end, one that stands for several, one of what groups them
            INSERT INTO jtl_ended
                SELECT 'j', 'sample', if(n % 2 = 0, 'CE search', 'CE retrieve'), n,
                    TIMESTAMP '2020-01-01 00:00:09' + to_seconds(n::BIGINT), 1
                FROM range(1, 101) t(n)
                UNION ALL VALUES
                ('j', 'sample', 'CE search', 5000, TIMESTAMP '2020-01-01 00:00:09.999', 1),
                ('j', 'sample', 'CE search', 5000, TIMESTAMP '2020-01-01 00:01:50', 1),
                ('j', 'sample', 'CE search', 5000, TIMESTAMP '2020-01-01 00:01:00', 7),
                ('j', 'transaction', 'CE search', 5000, TIMESTAMP '2020-01-01 00:01:00', 1),
                ('j', 'sample', 'login', 5000, TIMESTAMP '2020-01-01 00:01:00', 1);
            INSERT INTO sampled_ended VALUES
                ('k', 'sample', 'PE launch', 7, '2020-01-01 00:01:00');
            """
        )
        rows = connection.execute("FROM phase_operation_percentile ORDER BY run_id").fetchall()
    assert rows == [
        ("j", "CE", "CE retrieval", 50, 95, 100),
        ("k", "PE", "PE launch", 7, 7, 1),
    ]
