"""Metrics over a factor that is a number, and up to where a bound is kept: an invented harbour."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studybook.claims.published_values import Claim
from studybook.errors import NeedsData, StudyBookError
from studybook.frames import levels
from studybook.frames.evidence import Evidence, Value
from studybook.frames.levels import Kept
from studybook.records.load import load
from studybook.statistics.intervals import Sample
from tests.support.cells import run_cells
from tests.support.lab import add_run, jtl

USERS = (2, 4, 8, 16)
REPETITIONS = 3
LENGTH_S = 240


def evidence(factors: dict[str, dict[str, str]], **values: dict[str, float]) -> Evidence:
    """Runs with their factors and, by metric, their values."""
    runs = pd.DataFrame({"run_id": list(factors), "origin": "measured", "kind": "measurement"})
    found = [
        Value(name, run, (), Sample(1, value, 0.0))
        for name, of in values.items()
        for run, value in of.items()
    ]
    return Evidence(runs, factors, found, {run: {} for run in factors})


def at_most(limit: float) -> Claim:
    (bound,) = levels.bounds_for(Path(), "harbour", {"response_p95_ms": limit})
    return bound


def means(*ends: tuple[float, float]) -> pd.DataFrame:
    """Means at 1, 2, 3 … users, by the ends of their intervals."""
    rows = [
        {"level": number, "low": low, "high": high, "value": (low + high) / 2}
        for number, (low, high) in enumerate(ends, 1)
    ]
    same = {"part": "mean", "metric": "response_p95_ms", "series": "", "origin": "measured"}
    return pd.DataFrame(rows).assign(**same)


def test_the_factor_is_that_in_which_most_runs_differ_by_a_number() -> None:
    factors = {
        f"s/{n}": {"users": f"{10 * (n % 3)}", "build": f"{n}", "cache": "on", "disks": "2"}
        for n in range(9)
    }
    assert levels.factor_of(evidence(factors)) == "users"
    assert levels.factor_of(evidence(factors), "build") == "build"
    with pytest.raises(NeedsData, match="3 levels of “cache” that are numbers"):
        levels.factor_of(evidence(factors), "cache")
    with pytest.raises(StudyBookError, match=r"no run has a factor 'user'\n.*users"):
        levels.factor_of(evidence(factors), "user")
    with pytest.raises(NeedsData, match="3 levels of a factor that are numbers"):
        levels.factor_of(evidence({run: {"cache": "on"} for run in factors}))


def test_other_factors_make_series_where_they_differ_at_a_level() -> None:
    """Connections go with the users, and each run has a commit of its own: neither is a setup."""
    factors = {
        f"s/{cache}{users}-{again}": {
            "users": f"{users}", "connections": f"{2 * users}", "cache": cache,
            "commit": f"{cache}{users}{again}", "repetition": f"{again}",
        }
        for cache in ("on", "off")
        for users in (1, 2, 4)
        for again in (1, 2)
    }  # fmt: skip
    values = {run: float(number) for number, run in enumerate(factors)}
    runs = levels.runs_over(evidence(factors, requests_per_s=values), "users")
    assert set(runs["series"]) == {"cache on", "cache off"}
    assert runs["value"].tolist() == list(values.values())
    assert runs["level"].tolist() == [float(own["users"]) for own in factors.values()]


def test_a_series_of_fewer_levels_is_no_course() -> None:
    factors = {f"s/{n}": {"users": f"{n}", "cache": "on"} for n in range(1, 5)}
    factors |= {"s/off": {"users": "2", "cache": "off"}, "s/on": {"users": "2", "cache": "on"}}
    runs = levels.runs_over(evidence(factors, requests_per_s=dict.fromkeys(factors, 1.0)), "users")
    kept, left_out = levels.long_enough(runs)
    assert set(kept["series"]) == {"cache on"}
    assert left_out == 1


def test_metrics_are_of_work_of_time_and_those_that_have_a_bound() -> None:
    names = ["response_p50_ms", "response_p95_ms", "requests_per_s", "cpu_busy_percent"]
    runs = pd.DataFrame({"metric": names})
    assert levels.chosen(runs, None, []) == ["requests_per_s", "response_p50_ms"]
    assert levels.chosen(runs, None, ["response_p95_ms"]) == ["requests_per_s", "response_p95_ms"]
    assert levels.chosen(runs, ["cpu_busy_percent", "no_such"], []) == ["cpu_busy_percent"]
    with pytest.raises(NeedsData, match="3 levels with a metric: no_such"):
        levels.chosen(runs, ["no_such"], [])


@pytest.mark.parametrize(
    ("ends", "said", "shortly"),
    [
        ([(1, 2), (3, 4), (5, 6)], "holds with 1 to 3 users", "holds up to 3 users, the most"),
        (
            [(1, 2), (3, 4), (12, 13)],
            "holds with 1 to 2 and is missed with 3 users",
            "holds up to 2 users",
        ),
        (
            [(1, 2), (8, 12), (12, 13)],
            "holds with 1, is open with 2 and is missed with 3 users",
            "holds up to 1 user",
        ),
        ([(11, 12), (20, 30)], "is missed with 1 to 2 users", "is missed with 1 to 2 users"),
        (
            [(math.nan, math.nan), (1, 2)],
            "is open with 1 and holds with 2 users",
            "is open with 1 and holds with 2 users",
        ),
    ],
)
def test_a_bound_is_judged_at_each_level_by_the_whole_interval(
    ends: list[tuple[float, float]], said: str, shortly: str
) -> None:
    (found,) = levels.kept(means(*ends), [at_most(10)])
    assert found.said("users") == said
    assert found.shortly("users") == shortly


@given(st.lists(st.tuples(st.floats(0, 20), st.floats(0, 20)), min_size=1, max_size=8))
def test_words_and_verdicts_say_the_same(ends: list[tuple[float, float]]) -> None:
    intervals = [(min(each), max(each)) for each in ends]
    (found,) = levels.kept(means(*intervals), [at_most(10)])
    for (level, verdict), (low, high) in zip(found.verdicts, intervals, strict=True):
        assert verdict == (
            True if high <= 10 * (1 + 1e-9) else None if low <= 10 * (1 + 1e-9) else False
        )
        assert level == int(level)
    holding = [level for level, verdict in found.verdicts if verdict]
    if "up to" in (text := found.shortly("users")):
        upto = int(text.split("up to ")[1].split()[0])
        assert [level for level in holding if level <= upto] == list(range(1, upto + 1))


@pytest.mark.parametrize(
    ("values", "crossing"),
    [([5, 9, 13], 2.25), ([11, 12, 13], None), ([5, 15, 5], None), ([15, 5, 5], 1.5)],
)
def test_a_line_between_means_reaches_a_bound_once_or_not(
    values: list[float], crossing: float | None
) -> None:
    (found,) = levels.kept(means(*((each, each) for each in values)), [at_most(10)])
    assert found.crossing == crossing


def log(users: int, again: int, most_per_s: float = 100) -> str:
    """A closed system: so many users, of whom each waits, and no more requests than it can do."""
    wait_s = max(0.04, users / most_per_s)
    count = int(LENGTH_S / wait_s)
    sent = [
        (number * wait_s + user * wait_s / users, 1000 * wait_s * (1 + (number + again) % 7 / 100))
        for number in range(count)
        for user in range(users)
    ]
    return jtl(sorted(sent), users=users)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the notebook of the library makes of the harbour, which has a goal."""
    root = tmp_path_factory.mktemp("harbour")
    (root / "_config.yml").write_text("title: Harbour\n", encoding="utf-8")
    goals = root / "pipelines/harbour/goals.yml"
    goals.parent.mkdir(parents=True)
    goals.write_text(
        "study: harbour\ngoals:\n"
        "  - {goal: quick, metric: response_p95_ms, at_most: 100 ms}\n"
        "  - {goal: no worse with 4, metric: response_p95_ms, at: {users: 4}, at_most: 1 ms}\n",
        encoding="utf-8",
    )
    for users in USERS:
        for again in range(1, REPETITIONS + 1):
            said = {"study": "harbour", "factors": {"users": users}, "hosts": []}
            add_run(root, f"u{users}-{again}", {"log.jtl": log(users, again)}, **said)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(root))
        load(data_set="mine", strict=True)
        return run_cells("several-runs/levels", data_set="mine", study_name="harbour")


def test_the_page_says_up_to_where_a_goal_holds(page: dict[str, Any]) -> None:
    assert page["factor"] == "users"
    assert page["names"] == ["requests_per_s", "response_p95_ms"]
    (found,) = page["kept"]
    assert isinstance(found, Kept)
    assert [level for level, verdict in found.verdicts if verdict] == [2, 4, 8]
    assert found.verdicts[-1] == (16, False)
    assert page["title"].endswith("of at most 100 ms holds up to 8 users")


def test_its_values_are_means_of_the_runs(page: dict[str, Any]) -> None:
    own = page["means"][page["means"]["metric"] == "requests_per_s"]
    assert own["level"].tolist() == list(USERS)
    # By the law of a closed system: users ÷ wait.
    wanted = [users / max(0.04, users / 100) for users in USERS]
    assert own["value"].tolist() == pytest.approx(wanted, rel=0.03)
    assert (own["n"] == REPETITIONS).all()
    guides = page["frame"][page["frame"]["part"] == "guide"]
    assert guides["value"].tolist() == [100, 100]
    table = page["table"].reset_index()
    assert table["users"].tolist() == [f"{each}" for each in USERS]


def test_a_limit_of_a_reader_is_in_the_place_of_goals(page: dict[str, Any]) -> None:
    (bound,) = levels.bounds_for(Path(), "harbour", {"requests_per_s": 90})
    (found,) = levels.kept(page["frame"], [bound])
    assert found.said("users") == "is missed with 2 and holds with 4 to 16 users"
