"""Goals judged on loaded data of a study with an invented name."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from studybook.claims import goal_report
from studybook.claims.goal_example import example
from studybook.claims.goal_judge import GoalJudgement, judge_goals, open_for_goals
from studybook.claims.goal_values import Source, Value
from studybook.claims.verdict import Verdict
from studybook.dataset.paths import DataSet
from studybook.records.load import load
from studybook.study.study import Study
from tests.conftest import REPOSITORY
from tests.support import tea_house

HOLDS, FAILS, OPEN, UNJUDGED = Verdict.HOLDS, Verdict.FAILS, Verdict.OPEN, Verdict.UNJUDGED
CHECKOUT_MS = {1: 195, 2: 200, 3: 206}

Judged = Callable[..., GoalJudgement]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project of three repetitions at 100 users, one run at 200; and an older release."""
    root = tmp_path_factory.mktemp("goals")
    shutil.copy2(REPOSITORY / "_config.yml", root)
    tea_house.add_study(root)
    for number, checkout_ms in CHECKOUT_MS.items():
        factors = {"users": 100, "repetition": number}
        busy = {"samovar1": 40.0 + number, "samovar2": 50.0 + number, "till": 10.0}
        for data_set, faster in (("mine", 1.0), ("last-release", 0.75)):
            tea_house.add_run(
                root, f"u100-{number}", factors, data_set=data_set,
                checkout_ms=checkout_ms * faster, busy=busy, seed=number,
            )  # fmt: skip
    busy = {"samovar1": 78.0, "samovar2": 92.0, "till": 20.0}
    tea_house.add_run(root, "u200", {"users": 200}, checkout_ms=400, busy=busy, failed=3, seed=9)
    (root / "data/raw/never-loaded").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(root))
        for data_set in ("mine", "last-release"):
            load(data_set=data_set)
    return root


@pytest.fixture(scope="module")
def studies(root: Path) -> dict[str, Study]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(root))
        names = ("mine", "last-release")
        return {name: open_for_goals(DataSet(name, root), tea_house.STUDY) for name in names}


@pytest.fixture
def judged(root: Path, studies: dict[str, Study], monkeypatch: pytest.MonkeyPatch) -> Judged:
    """Return a function that judges one goal, given as the lines below its sentence."""
    monkeypatch.setenv("STUDYBOOK_HOME", str(root))

    def judge(*lines: str, data_set: str = "mine") -> GoalJudgement:
        text = "\n    ".join(["goals:\n  - goal: it is quick", *lines])
        tea_house.write_goals(root, text + "\n")
        (found,) = judge_goals(root, studies[data_set], DataSet(data_set, root))
        return found

    return judge


CHECKOUT = ("metric: order_mean_ms", "label: checkout", "at: {users: 100}")


def test_repetitions_give_the_interval(judged: Judged) -> None:
    found = judged(*CHECKOUT, "below: 300 ms")
    (part,) = found.parts
    assert found.verdict is HOLDS
    assert part.judgement.measured is not None
    assert part.judgement.measured.estimate == pytest.approx(200.3, abs=1)
    # Student's t with two degrees of freedom: 4.303 × 5.5 / √3
    assert part.judgement.measured.high - part.judgement.measured.estimate == pytest.approx(
        13.7, abs=3
    )
    assert part.behind == "3 runs"
    assert judged(*CHECKOUT, "below: 150 ms").missed
    assert judged(*CHECKOUT, "below: 205 ms").verdict is OPEN


def test_a_page_is_a_label_and_without_one_each_must_hold(judged: Judged) -> None:
    page = judged("metric: order_mean_ms", "page: search", "at: {users: 100}", "below: 120")
    assert page.verdict is HOLDS
    found = judged("metric: order_mean_ms", "at: {users: 100}", "below: 150 ms")
    assert found.missed
    assert [part.setup for part in found.parts] == ["label = checkout", "label = search"]
    assert [part.judgement.verdict for part in found.parts] == [FAILS, HOLDS]


def test_one_run_has_its_interval_from_batches(judged: Judged) -> None:
    (part,) = judged("metric: response_ms", "at: {users: 200}", "below: 350 ms").parts
    assert part.judgement.verdict is HOLDS
    assert part.behind == "20 batches of the run u200"
    assert part.judgement.measured is not None
    # 300 ms of ± 100 ms (half checkout at 400, half search at 200): 107 / √2400
    assert part.judgement.measured.estimate == pytest.approx(300, abs=3)
    assert 0 < part.judgement.measured.high - part.judgement.measured.low < 6
    assert "speaks for that run" in part.judgement.why
    assert judged("metric: response_ms", "at: {users: 200}", "below: 250 ms").missed


def test_without_batches_one_run_is_open(judged: Judged) -> None:
    found = judged("metric: slowest_order_ms", "at: {users: 200}", "below: 9000 ms")
    assert found.verdict is OPEN
    # Of a metric without a course there is nothing that batches could be of.
    assert "one run only, and it has one value of this metric" in goal_report.why(found)
    assert goal_report.record(found)["setups"][0]["low"] is None


def test_cpu_can_be_asked_for_a_role_or_a_host(judged: Judged) -> None:
    kettles = judged("metric: cpu_busy_percent", "role: kettle", "below: 80 %")
    assert kettles.missed
    assert kettles.parts[0].setup == "host = samovar2, users = 200"
    assert [part.judgement.verdict for part in kettles.parts] == [FAILS, HOLDS, HOLDS, HOLDS]
    assert "1 of 4 setups" in goal_report.why(kettles)
    assert judged("metric: cpu_busy_percent", "role: counter", "below: 80 %").verdict is HOLDS
    one = judged("metric: cpu_busy_percent", "host: samovar2", "at: {users: 100}", "below: 80 %")
    assert one.verdict is HOLDS
    assert goal_report.data(one.parts[0]).startswith("52 %")


def test_none_means_none(judged: Judged) -> None:
    none = judged("metric: orders_failed", "at: {users: 100}", "equals: 0")
    assert none.verdict is HOLDS  # three runs without any
    # Of its own metric the package does not know that it is never below 0: one run has no interval.
    assert judged("metric: orders_failed", "at: {users: 200}", "at_most: 0").verdict is OPEN
    # Of those of the library it does: one value above 0 is enough.
    library = judged("metric: machine_steal_percent", "at_most: 0")
    assert library.verdict is UNJUDGED
    stolen = judged("metric: pages_per_s", "at: {users: 200}", "at_most: 0")
    assert stolen.missed
    assert "above 0" in goal_report.why(stolen)


def test_counts_and_settings_are_exact(judged: Judged) -> None:
    found = judged("metric: hosts", "role: kettle", "equals: 2")
    assert found.verdict is HOLDS
    assert judged("metric: hosts", "role: kettle", "at_least: 3").missed


def test_what_there_is_no_data_for_cannot_be_judged(judged: Judged) -> None:
    def why(*lines: str) -> str:
        found = judged(*lines, "below: 80")
        assert found.verdict is UNJUDGED
        assert not goal_report.is_failure(found, strict=False)
        assert goal_report.is_failure(found, strict=True)
        return goal_report.why(found)

    assert "no run at hand gives" in why("metric: bandwidth_gb_s")
    assert "blend" in why("metric: cpu_busy_percent", "at: {blend: green}")
    assert "did you mean checkout?" in why("metric: order_mean_ms", "label: chekout")
    assert "did you mean samovar" in why("metric: cpu_busy_percent", "host: samovar")
    both = ("metric: cpu_busy_percent", "role: counter", "host: samovar1")
    assert "all of" in why(*both)


def test_the_last_release_is_another_data_set(judged: Judged) -> None:
    release = ("metric: response_ms", "at: {users: 100}", "against: {data_set: last-release}")
    worse = judged(*release, "worse_by_at_most: 5 %")
    assert worse.missed  # it is slower by a third
    assert worse.parts[0].judgement.measured is not None
    assert worse.parts[0].judgement.measured.estimate == pytest.approx(1 / 0.75, rel=0.01)
    assert worse.parts[0].judgement.repetitions == 3
    assert judged(*release, "worse_by_at_most: 60 %").verdict is HOLDS
    assert judged(*release, "better_by_at_least: 5 %").missed
    back = (*release[:2], "against: {data_set: mine}", "better_by_at_least: 1 %")
    assert judged(*back, data_set="last-release").verdict is HOLDS


def test_without_factors_each_setup_is_set_against_its_like(judged: Judged) -> None:
    found = judged(
        "metric: response_ms", "against: {data_set: last-release}", "worse_by_at_most: 60 %"
    )
    assert found.verdict is UNJUDGED  # 200 users are new
    verdicts = {part.setup: part.judgement.verdict for part in found.parts}
    assert verdicts == {"users = 100": HOLDS, "users = 200": UNJUDGED}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("last-relase", "did you mean last-release?"),
        ("nowhere", "there is no data set nowhere"),
        ("never-loaded", "studybook load -d never-loaded"),
        ("mine", "against itself"),
    ],
)
def test_a_data_set_that_is_not_there_leaves_it_open(judged: Judged, name: str, words: str) -> None:
    change = (f"against: {{data_set: {name}}}", "worse_by_at_most: 5 %")
    found = judged("metric: response_ms", *change)
    assert found.verdict is UNJUDGED
    assert words in goal_report.why(found)


def test_setups_of_one_data_set_are_compared(judged: Judged) -> None:
    more = ("metric: response_ms", "at: {users: 200}", "against: {at: {users: 100}}")
    found = judged(*more, "worse_by_at_most: 120 %")
    assert found.verdict is HOLDS
    assert judged(*more, "worse_by_at_most: 50 %").missed
    assert judged(*more, "change_by_at_most: 50 %").missed


def test_percentiles_have_batches_of_samples(studies: dict[str, Study]) -> None:
    found = studies["mine"].query(
        "SELECT metric, factors['label'] AS label, factors['kind'] AS kind, count(*) AS batches,"
        " min(values) AS least, avg(value) AS mean FROM metric_batch"
        " WHERE run_id LIKE '%/u200' AND metric LIKE 'response_p%' GROUP BY ALL ORDER BY ALL"
    )
    assert set(found["kind"]) == {"sample"}
    assert set(found["label"]) == {"all", "checkout", "search"}
    rows = {(row.metric, row.label): row for row in found.itertuples()}
    # The mean plus 1.645 deviations of a tenth of it.
    assert rows["response_p95_ms", "checkout"].mean == pytest.approx(400 + 1.645 * 40, rel=0.02)
    assert rows["response_p50_ms", "search"].mean == pytest.approx(200, rel=0.02)
    for (name, _), row in rows.items():
        beyond = 100 - int(name.removeprefix("response_p").removesuffix("_ms"))
        assert 10 <= row.batches <= 20
        assert row.least * beyond / 100 >= 4.9
    assert ("response_p99_ms", "checkout") not in rows  # 1,200 samples are too few


def test_machines_read_the_same(judged: Judged) -> None:
    held = judged(*CHECKOUT, "below: 300 ms")
    missed = judged(*CHECKOUT, 'because: "100 % of \\ufffe <us>: a, b"', "below: 150 ms")
    unjudged = judged("metric: bandwidth_gb_s", "above: 1")
    every = [held, missed, unjudged]
    assert goal_report.counts(every) == "3 goals: 1 missed, 1 cannot be judged, 1 holds"
    for strict, failures, skipped in ((False, "1", "1"), (True, "2", "0")):
        suite = Xml.fromstring(goal_report.junit(every, strict))[0]  # noqa: S314 - our own
        assert (
            suite.attrib | {"tests": "3", "failures": failures, "skipped": skipped} == suite.attrib
        )
        assert next(child.tag for case in suite for child in case) == "system-out"
    lines = goal_report.github(every, strict=False)
    assert [line.split(" ")[0] for line in lines] == ["::error", "::warning"]
    assert lines[0].startswith(
        "::error file=pipelines/tea-house/goals.yml,line=2,title=it is quick::missed"
    )
    assert "%25" in lines[0]
    setup = json.loads(json.dumps(goal_report.record(missed), allow_nan=False))["setups"][0]
    assert setup["low"] < setup["value"] < setup["high"]
    assert (setup["unit"], setup["n"]) == ("ms", 3)
    assert math.isclose(setup["value"], 200, rel_tol=0.02)


def test_the_example_is_a_file_that_holds(root: Path, studies: dict[str, Study]) -> None:
    tea_house.write_goals(root, example(studies["mine"]) + "\n")
    found = judge_goals(root, studies["mine"], DataSet("mine", root))
    assert {"response_p95_ms", "requests_per_s", "cpu_busy_percent"} == {
        each.listed.goal.metric for each in found
    }
    assert not any(each.missed for each in found)
    # The bound is near to what it is judged by, whatever single requests take.
    (slow,) = (each for each in found if each.listed.goal.metric == "response_p95_ms")
    worst = max(setup["value"] for setup in goal_report.record(slow)["setups"])
    assert slow.listed.goal.below
    assert worst < slow.listed.goal.below.value < 1.25 * worst


def test_executions_within_a_run_are_no_runs(studies: dict[str, Study]) -> None:
    row = {"run": "u1", "run_id": "tea/u1", "text": None, "test": "wrk", "origin": "measured",
           "exact": False, "n": 1, "mean": 2.0, "sd": 0.0}  # fmt: skip
    other = {"run": "u2", "run_id": "tea/u2"}
    source = Source(studies["mine"], "")

    def value(*rows: dict[str, Any]) -> Value:
        return source._value("response_ms", {}, rows)

    within = value(row, row | {"mean": 3.0})
    assert (within.behind, within.sample.n) == ("2 repetitions in the run u1", 2)
    # Twelve executions of two nights say of night to night what two values can.
    many = [each | {"mean": 2.0 + n / 100} for n in range(6) for each in (row, row | other)]
    night = value(*(each | {"mean": each["mean"] + (each["run"] == "u2")} for each in many))
    assert (night.behind, night.sample.n) == ("2 runs", 2)
    assert night.sample.mean == pytest.approx(2.525)
    assert night.sample.sd_population == pytest.approx(0.5)
    # Tests in files of their own are none, until their names say so.
    assert "…-rep1" in value(row, row | {"test": "wrk, wrk-2.txt"}).fault
