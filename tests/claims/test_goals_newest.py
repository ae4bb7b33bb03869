"""Goals of the newest runs: what a system does now, and against what it did before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from studybook.claims.goal_judge import GoalJudgement, judge_goals, open_for_goals
from studybook.claims.verdict import Verdict
from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.records.load import load
from tests.support.tram import add_run

Judged = Callable[..., GoalJudgement]

#: Means of ten nights, of which the last three are slow; their names are in another order.
NIGHTS = [100, 101, 99, 100, 102, 98, 100, 131, 130, 129]


#: Of eight nights the last alone is slow.
LONE = [*NIGHTS[:7], 131]


def nights(root: Path, data_set: str, means: list[int]) -> None:
    for number, mean in enumerate(means):
        add_run(root, data_set, f"n-{9 - number}", {}, mean, day=number, seed=number, seconds=20)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("nights")
    nights(root, "mine", NIGHTS)
    nights(root, "lone", LONE)
    for run in ("n-9", "n-8"):  # the oldest do what none does since
        log = root / f"data/raw/mine/tram-tickets/{run}/tickets.jtl"
        log.write_text(log.read_text().replace(",Buy,200", ",Refund,200"))
    for day, factors in enumerate([{"stops": 10}, {"stops": 10}, {}]):
        add_run(root, "mixed", f"n-{day}", factors, 100, day=day, seed=day, seconds=20)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(root))
        load(data_set="mixed")
        load(data_set="mine")
        load(data_set="lone")
    return root


@pytest.fixture
def judged(root: Path, monkeypatch: pytest.MonkeyPatch) -> Judged:
    monkeypatch.setenv("STUDYBOOK_HOME", str(root))

    def judge(data_set: str = "mine", **goal: object) -> GoalJudgement:
        given = {"goal": "as fast as ever", "metric": "response_mean_ms", "label": "all"} | goal
        place = root / "pipelines/tram-tickets/goals.yml"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(yaml.safe_dump({"goals": [given]}), encoding="utf-8")
        there = DataSet(data_set, root)
        study = open_for_goals(there, "tram-tickets")
        (found,) = judge_goals(root, study, there)
        return found

    return judge


def test_old_runs_hide_nothing_of_the_newest(judged: Judged) -> None:
    assert judged(below="120 ms").verdict is Verdict.HOLDS
    found = judged(below="120 ms", newest=3)
    assert found.verdict is Verdict.FAILS
    assert found.parts[0].behind == "3 runs, the newest"
    assert found.parts[0].judgement.measured.estimate == pytest.approx(128, abs=4)


def test_more_than_there_are_is_all_of_them(judged: Judged) -> None:
    assert judged(below="120 ms", newest=99).parts[0].behind == "10 runs, the newest"


def test_the_newest_are_set_against_those_before_them(judged: Judged) -> None:
    slower = judged(newest=3, against={"before": 5}, worse_by_at_most="5 %")
    assert slower.verdict is Verdict.FAILS
    assert slower.parts[0].behind == "3 runs, the newest against 5 runs before them"
    assert slower.parts[0].judgement.measured.estimate == pytest.approx(1.3, abs=0.04)
    # Of the last two, the one before them is as slow.
    alike = judged(newest=2, against={"before": 1}, worse_by_at_most="10 %")
    assert alike.parts[0].judgement.measured.estimate == pytest.approx(1, abs=0.04)


def test_one_night_is_judged_by_the_scatter_of_those_before(judged: Judged) -> None:
    """It has none of its own; that of its parts is less than that of night and night."""
    asked = {"newest": 1, "against": {"before": 7}, "worse_by_at_most": "5 %"}
    found = judged("lone", **asked)
    assert found.verdict is Verdict.FAILS
    said = "1 run, the newest, by the scatter of 7 runs before them"
    assert found.parts[0].behind == said
    measured = found.parts[0].judgement.measured
    assert measured.estimate == pytest.approx(1.25, abs=0.05)
    assert 1.1 < measured.low < measured.high < 1.4
    # Three slow nights among those before: their scatter hides nothing that one night could tell.
    assert judged(**asked).verdict is Verdict.OPEN


def test_what_has_no_scatter_is_said_to_have_none(judged: Judged) -> None:
    none = judged("lone", metric="error_percent", newest=1, at_most="0 %")
    assert none.verdict is Verdict.HOLDS
    assert "by the scatter" not in none.parts[0].behind


def test_a_setup_is_not_judged_by_the_scatter_of_another(judged: Judged) -> None:
    """What is so of nights is not of levels."""
    asked = {"newest": 1, "against": {"data_set": "mine"}, "worse_by_at_most": "5 %"}
    assert "by the scatter" not in judged("lone", **asked).parts[0].behind


def test_one_night_without_a_course_has_the_scatter_of_those_before(judged: Judged) -> None:
    asked = {"metric": "response_max_ms", "label": "all", "newest": 1}
    found = judged("lone", **asked, below="1 ms")
    assert found.verdict is Verdict.FAILS
    assert found.parts[0].behind == "1 run, the newest, by the scatter of 7 runs before it"
    few = judged("lone", **asked, below="1 ms", at={"nothing": 1})
    assert few.verdict is Verdict.UNJUDGED


def test_newer_runs_without_the_metric_are_told(root: Path, judged: Judged) -> None:
    found = judged(below="120 ms", newest=9, label="Refund")
    assert found.parts[0].behind == "2 runs, the newest that have it: 8 runs began later"
    # Where none of those that are asked for has it, older ones say nothing of the newest.
    for newest, said in {8: "none of the newest 8 runs has it", 1: "the newest run, "}.items():
        (part,) = judged(below="120 ms", newest=newest, label="Refund").parts
        assert part.judgement.verdict is Verdict.UNJUDGED
        assert part.judgement.why.startswith(said)
        assert part.judgement.why.endswith("was the last that has it")


def test_later_runs_with_fewer_factors_that_have_the_metric_are_no_lack(judged: Judged) -> None:
    found = judged("mixed", newest=1, below="900 ms")
    assert found.verdict is Verdict.HOLDS
    assert sorted(part.setup for part in found.parts) == ["", "stops = 10"]


def test_fewer_before_them_than_are_asked_for_are_told(judged: Judged) -> None:
    found = judged(newest=8, against={"before": 5}, worse_by_at_most="900 %")
    said = "8 runs, the newest against 2 runs before them (5 are asked for)"
    assert found.parts[0].behind == said


def test_nothing_before_them_cannot_be_judged(judged: Judged) -> None:
    found = judged(newest=10, against={"before": 3}, worse_by_at_most="5 %")
    assert found.verdict is Verdict.UNJUDGED
    assert "there is no run before the newest" in found.parts[0].judgement.why


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ({"newest": 0, "below": 1}, "newest"),
        ({"against": {"before": 3}, "worse_by_at_most": "5 %"}, "before needs newest"),
        ({"newest": 1, "against": {"before": 3, "data_set": "old"}, "worse_by_at_most": "5 %"},
         "before stands alone"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(judged: Judged, goal: dict[str, object], said: str) -> None:
    with pytest.raises(StudyBookError, match=said):
        judged(**goal)
