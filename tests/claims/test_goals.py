"""The file of goals: what it may say, and what is refused, with line and key."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from studybook.claims.goals import Goal, read_goals
from studybook.claims.published_values import Accepted
from studybook.errors import StudyBookError
from tests.conftest import REPOSITORY
from tests.support import tea_house

ENDS = {"below": (-math.inf, 300, True), "at_most": (-math.inf, 300, False),
        "above": (300, math.inf, True), "at_least": (300, math.inf, False)}  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    tea_house.add_study(tmp_path)
    return tmp_path


def accepted(root: Path, *lines: str) -> Accepted:
    text = "\n    ".join(["goals:\n  - goal: it is quick", *lines])
    tea_house.write_goals(root, text + "\n")
    (found,) = read_goals(root, tea_house.STUDY)
    return found.goal.claim().accepted


def refused(root: Path, *lines: str) -> str:
    with pytest.raises(StudyBookError) as error:
        accepted(root, *lines)
    return str(error.value)


@pytest.mark.parametrize("key", ENDS)
@pytest.mark.parametrize("number", ["300", "300 ms", "3e2 ms", "300.0"])
def test_a_bound_may_carry_its_unit(root: Path, key: str, number: str) -> None:
    low, high, beyond = ENDS[key]
    assert accepted(root, "metric: response_ms", f"{key}: {number}") == Accepted(low, high, beyond)


@pytest.mark.parametrize(
    ("metric", "given", "number"),
    [
        ("response_ms", "0.6 s", 600),
        ("response_ms", "0.0011 s", 1.1),
        ("response_ms", "70 us", 0.07),
        ("pagepool_client_mib", "1 GiB", 1024),
        ("disk_mib_s", "8.388608 Mbit/s", 1),
        ("pages_per_s", "7 pages/min", 7 / 60),
        ("error_percent", "0.07 share", 7),
    ],
)
def test_a_bound_in_another_unit_of_its_kind_is_converted_exactly(
    root: Path, metric: str, given: str, number: float
) -> None:
    assert accepted(root, f"metric: {metric}", f"at_most: {given}").high == number
    assert accepted(root, f"metric: {metric}", f"between: [0, {given}]") == Accepted(0, number)


def test_a_range_and_an_exact_value(root: Path) -> None:
    assert accepted(root, "metric: response_ms", "between: [10 ms, 20]") == Accepted(10, 20)
    assert accepted(root, "metric: orders_failed", "equals: 0") == Accepted(0, 0)


@pytest.mark.parametrize(
    ("metric", "change", "low", "high"),
    [
        ("response_ms", "worse_by_at_most: 5 %", -math.inf, 1.05),
        ("response_ms", "better_by_at_least: 20%", -math.inf, 0.8),
        ("pages_per_s", "worse_by_at_most: 5 %", 0.95, math.inf),
        ("pages_per_s", "better_by_at_least: 20 %", 1.2, math.inf),
        ("active_users", "change_by_at_most: 10 %", 0.9, 1.1),
    ],
)
def test_better_and_worse_go_by_the_direction_of_the_metric(
    root: Path, metric: str, change: str, low: float, high: float
) -> None:
    found = accepted(root, f"metric: {metric}", "against: {data_set: last-release}", change)
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


MS = "metric: response_ms"
OTHER = "against: {data_set: old}"
#: What is written below a goal: the line of the fault, its key, and words that must be said.
FAULTS = {
    "misspelt key": ((MS, "bellow: 3"), 4, "bellow", "did you mean below?"),
    "misspelt metric": (("metric: respons_ms", "below: 3"), 3, "metric", "response_ms"),
    "own metric misspelt": (("metric: order_fails", "equals: 0"), 3, "metric", "orders_failed"),
    "no metric": (("below: 3",), 2, "metric", "is missing"),
    "no bound": ((MS,), 2, "goals.0", "below, at_most"),
    "two bounds": ((MS, "below: 3", "above: 1"), 2, "goals.0", "between"),
    "another unit": ((MS, "below: 3 MiB"), 2, "goals.0", "is in ms, not in MiB"),
    "a rate of others": (("metric: pages_per_s", "above: 3 MiB/s"), 2, "goals.0", "not in MiB/s"),
    "no number": ((MS, "below: fast"), 4, "below", "no number"),
    "not finite": ((MS, "below: .inf"), 4, "is not YAML", "no number"),
    "range upside down": ((MS, "between: [5, 2]"), 2, "goals.0", "from less to more"),
    "never": ((MS, "below: 0"), 2, "goals.0", "no value of response_ms"),
    "never per cent": (("metric: cpu_busy_percent", "above: 120 %"), 2, "goals.0", "no value"),
    "always": ((MS, "at_least: 0"), 2, "goals.0", "every value of response_ms"),
    "always per cent": (("metric: cpu_busy_percent", "at_most: 100"), 2, "goals.0", "every value"),
    "label and page": ((MS, "below: 3", "label: a", "page: a"), 2, "goals.0", "the same"),
    "role": ((MS, "below: 3", "role: ketle"), 5, "role", "did you mean kettle?"),
    "factor": ((MS, "below: 3", "at: {usrs: 100}"), 5, "at.usrs", "did you mean users?"),
    "value": ((MS, "below: 3", "at: {blend: gren}"), 5, "at.blend", "did you mean green?"),
    "other value": ((MS, "below: 3", "at: {users: 150}"), 5, "at.users", "100 or 200"),
    "change alone": ((MS, "worse_by_at_most: 5 %"), 2, "goals.0", "needs against"),
    "against alone": ((MS, OTHER), 2, "goals.0", "worse_by_at_most"),
    "against and bound": ((MS, OTHER, "below: 3"), 2, "goals.0", "bounds a value"),
    "against nothing": ((MS, "against: {}", "worse_by_at_most: 5 %"), 4, "against", "data_set"),
    "bare change": ((MS, OTHER, "worse_by_at_most: 5"), 5, "worse_by_at_most", "5 %"),
    "negative change": ((MS, OTHER, "worse_by_at_most: -5 %"), 5, "worse_by_at_most", "direction"),
    "no direction": (
        ("metric: active_users", OTHER, "worse_by_at_most: 5 %"), 2, "goals.0", "change_by_at_most",
    ),
    "all gone": ((MS, OTHER, "better_by_at_least: 100 %"), 2, "goals.0", "cannot be reached"),
    "no better": ((MS, OTHER, "better_by_at_least: 0 %"), 2, "goals.0", "not better"),
    "itself": (
        (MS, "at: {users: 100}", "against: {at: {users: 100}}", "worse_by_at_most: 5 %"),
        2, "goals.0", "against itself",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "line", "key", "words"), FAULTS.values(), ids=FAULTS)
def test_a_senseless_goal_is_refused(
    root: Path, lines: tuple[str, ...], line: int, key: str, words: str
) -> None:
    said = refused(root, *lines)
    assert f"goals.yml, line {line}: " in said
    assert key in said
    assert words in said


def file(root: Path, text: str) -> str:
    tea_house.write_goals(root, text)
    with pytest.raises(StudyBookError) as error:
        read_goals(root, tea_house.STUDY)
    return str(error.value)


QUICK = "  - {goal: quick, metric: response_ms, below: 300 ms}\n"


@pytest.mark.parametrize(
    ("other", "excluded"),
    [
        ("  - {goal: slow, metric: response_ms, above: 400 ms}\n", True),
        ("  - {goal: slow, metric: response_ms, at_least: 300 ms}\n", True),
        ("  - {goal: slow, metric: response_ms, at: {users: 200}, above: 400 ms}\n", True),
        ("  - {goal: not too quick, metric: response_ms, above: 200 ms}\n", False),
        # Of one label it can be slow, though the mean of all is quick.
        ("  - {goal: slow, metric: response_ms, label: checkout, above: 400 ms}\n", False),
        ("  - {goal: slow, metric: order_mean_ms, above: 400 ms}\n", False),
    ],
)
def test_goals_that_exclude_each_other_are_refused(root: Path, other: str, excluded: bool) -> None:
    text = f"goals:\n{QUICK}{other}"
    if excluded:
        said = file(root, text)
        assert "line 3" in said
        assert "both cannot hold" in said
    else:
        tea_house.write_goals(root, text)
        assert len(read_goals(root, tea_house.STUDY)) == 2


def test_other_faults_of_the_file(root: Path) -> None:
    assert "line 3: goals.1.goal: 'quick' stands there twice" in file(
        root, f"goals:\n{QUICK}{QUICK}"
    )
    assert "at least 1 entry" in file(root, "goals: []\n")
    assert "goals is missing" in file(root, "study: tea-house\n")
    assert "line 1: study: it is 'tea-hous'," in file(root, f"study: tea-hous\ngoals:\n{QUICK}")
    assert "is given twice" in file(root, "goals:\n  - {goal: a, goal: b}\n")


def test_a_goal_knows_its_line(root: Path) -> None:
    tea_house.write_goals(
        root, f"# ours\ngoals:\n{QUICK}  - {{goal: ok, metric: orders_failed, equals: 0}}\n"
    )
    assert [each.line for each in read_goals(root, tea_house.STUDY)] == [3, 4]


PAGE = (REPOSITORY / "docs/goals.md").read_text(encoding="utf-8")


def test_the_docs_name_all_keys() -> None:
    cells = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    named = {key for cell in cells for key in re.findall("`(.*?)`", cell)}
    assert set(Goal.model_fields) <= named


def test_the_examples_of_the_docs_are_files(root: Path) -> None:
    """But for the words of a shop that is not this one, and metrics that need their own file."""
    lines = []
    for example in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL):
        known = example.replace("role: web", "role: kettle")
        tea_house.write_goals(root, known.replace("response_p95_ms", "operation_p95_ms"))
        lines.append([each.line for each in read_goals(root, tea_house.STUDY)])
    assert lines == [[2, 7, 11], [2]]
