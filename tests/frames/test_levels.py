"""Metrics over a factor that is a number, and up to where a bound is kept: an invented harbour."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studybook.claims.published_values import Claim
from studybook.errors import NeedsData, StudyBookError
from studybook.frames import level_bounds, levels
from studybook.frames.evidence import Evidence, Value
from studybook.frames.level_bounds import Kept
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
    ((bound,), _) = level_bounds.bounds_for(Path(), "harbour", "users", {"response_p95_ms": limit})
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
    with pytest.raises(StudyBookError, match=r"no run has a factor 'user' to draw over\n.*users"):
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
    frame = levels.rows(runs, ["requests_per_s"])
    assert set(frame["series"]) == {"cache on"}
    assert levels.left_out(runs, frame) == ["1 setup with fewer than 3 levels left out.", ""]


def test_metrics_are_of_work_of_time_and_those_that_have_a_bound() -> None:
    names = ["response_p50_ms", "response_p95_ms", "requests_per_s", "cpu_busy_percent"]
    runs = pd.DataFrame({"metric": names}).assign(series="")
    runs = runs.merge(pd.DataFrame({"level": [1.0, 2.0, 3.0]}), how="cross")
    assert levels.chosen(runs, None, []) == ["requests_per_s", "response_p50_ms"]
    assert levels.chosen(runs, None, ["response_p95_ms"]) == ["requests_per_s", "response_p95_ms"]
    assert levels.chosen(runs, ["cpu_busy_percent", "disk_mib_s"], []) == ["cpu_busy_percent"]
    with pytest.raises(NeedsData, match="3 levels with a metric: disk_mib_s"):
        levels.chosen(runs, ["disk_mib_s"], [])
    with pytest.raises(StudyBookError, match="no_such"):
        levels.chosen(runs, ["no_such"], [])


@pytest.mark.parametrize(
    ("ends", "said", "shortly"),
    [
        ([(1, 2), (3, 4), (5, 6)], "holds with 1 to 3 users", "holds up to 3 users, the most"),
        (
            [(1, 2), (3, 4), (12, 13)],
            "holds with 1 to 2 users and is missed with 3 users",
            "holds up to 2 users",
        ),
        (
            [(1, 2), (8, 12), (12, 13)],
            "holds with 1 user, is open with 2 users and is missed with 3 users",
            "holds up to 1 user",
        ),
        ([(11, 12), (20, 30)], "is missed with 1 to 2 users", "is missed with 1 to 2 users"),
        (
            [(math.nan, math.nan), (1, 2)],
            "is not told with 1 user (one run) and holds with 2 users",
            "holds up to 2 users, the most, with 1 level of which nothing is told",
        ),
    ],
)
def test_a_bound_is_judged_at_each_level_by_the_whole_interval(
    ends: list[tuple[float, float]], said: str, shortly: str
) -> None:
    (found,) = level_bounds.kept(means(*ends), [at_most(10)], "users")
    assert found.said("users") == said
    assert found.shortly("users") == shortly


@given(st.lists(st.tuples(st.floats(0, 20), st.floats(0, 20)), min_size=1, max_size=8))
def test_words_and_verdicts_say_the_same(ends: list[tuple[float, float]]) -> None:
    intervals = [(min(each), max(each)) for each in ends]
    (found,) = level_bounds.kept(means(*intervals), [at_most(10)], "users")
    for (_, verdict), (low, high) in zip(found.verdicts, intervals, strict=True):
        most = 10 * (1 + 1e-9)
        assert verdict == ("holds" if high <= most else "is open" if low <= most else "is missed")
    holding = [level for level, verdict in found.verdicts if verdict == "holds"]
    if "up to" in (text := found.shortly("users")):
        upto = int(text.split("up to ")[1].split()[0])
        assert [level for level in holding if level <= upto] == list(range(1, upto + 1))


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
    found, of_level = page["kept"]
    assert {verdict for _, verdict in of_level.verdicts} == {"is missed"}
    assert isinstance(found, Kept)
    assert [level for level, verdict in found.verdicts if verdict == "holds"] == [2, 4, 8]
    assert found.verdicts[-1] == (16, "is missed")
    assert page["title"].endswith("of at most 100 ms holds up to 8 users")


def test_its_values_are_means_of_the_runs(page: dict[str, Any]) -> None:
    means = page["frame"][page["frame"]["part"] == "mean"]
    own = means[means["metric"] == "requests_per_s"].sort_values("level")
    assert own["level"].tolist() == list(USERS)
    # By the law of a closed system: users ÷ wait.
    wanted = [users / max(0.04, users / 100) for users in USERS]
    assert own["value"].tolist() == pytest.approx(wanted, rel=0.03)
    assert (own["n"] == REPETITIONS).all()
    guides = page["drawn"][page["drawn"]["part"] == "guide"]
    assert guides["value"].tolist() == [100, 100, 1, 1]
    table = levels.table(page["frame"], "users")
    assert table["users"].tolist() == [f"{each}" for each in USERS]


def test_a_limit_of_a_reader_is_in_the_place_of_goals(page: dict[str, Any]) -> None:
    ((bound,), _) = level_bounds.bounds_for(Path(), "harbour", "users", {"requests_per_s": 90})
    (found,) = level_bounds.kept(page["frame"], [bound], "users")
    assert found.said("users") == "is missed with 2 users and holds with 4 to 16 users"


# ---- data that tempt to say more than they bear ---------------------------------------------


def course(factors: dict[str, dict[str, str]], factor: str, *values: float) -> pd.DataFrame:
    """Runs and means of response times, in the order of the runs."""
    of = dict(zip(factors, values, strict=True))
    return levels.rows(
        levels.runs_over(evidence(factors, response_p95_ms=of), factor), ["response_p95_ms"]
    )


def test_a_setup_that_misses_is_not_told_as_one_that_holds() -> None:
    caches = {"off": (52, 53, 54), "on": (6, 7, 8)}
    factors = {
        f"s/{cache}{users}{again}": {"users": f"{users}", "cache": cache}
        for cache in caches
        for users in (1, 2, 4)
        for again in (1, 2)
    }
    values = [ms + again / 10 for of in caches.values() for ms in of for again in (0, 1)]
    found = level_bounds.kept(course(factors, "users", *values), [at_most(20)], "users")
    assert level_bounds.title(found, "users").endswith(
        "of at most 20 ms is missed with 1 to 4 users (cache off);"
        " holds up to 4 users, the most (cache on)"
    )


def test_a_goal_of_a_setup_is_of_its_series_alone(tmp_path: Path) -> None:
    goals = tmp_path / "pipelines/harbour/goals.yml"
    goals.parent.mkdir(parents=True)
    goals.write_text(
        "study: harbour\ngoals:\n"
        "  - {goal: a, metric: response_p95_ms, at: {cache: 'on', users: 2}, at_most: 20 ms}\n"
        "  - {goal: b, metric: response_p95_ms, at: {cache: 'off'}, at_most: 20 ms}\n"
        "  - {goal: c, metric: response_p95_ms, at: {cache: 'off'}, at_most: 60 ms}\n"
        # How much is done with two users is none of the others' business.
        "  - {goal: d, metric: requests_per_s, at: {users: 2}, at_least: 9}\n"
        "  - {goal: e, metric: response_p95_ms, at: {site: north}, at_most: 5 ms}\n",
        encoding="utf-8",
    )
    factors = {
        f"s/{cache}{users}{again}": {"users": f"{users}", "cache": cache}
        for cache in ("off", "on")
        for users in (1, 2, 4)
        for again in (1, 2)
    }
    values = [ms + again / 10 for ms in (52, 53, 54, 6, 7, 8) for again in (0, 1)]
    told = evidence(factors, response_p95_ms=dict(zip(factors, values, strict=True)))
    beside = levels.beside(told, "users")
    assert beside == ["cache"]
    bounds, others = level_bounds.bounds_for(tmp_path, "harbour", "users", None, beside)
    assert others == ["d", "e"]
    found = level_bounds.kept(course(factors, "users", *values), bounds, "users")
    assert [(each.bound.statement, each.series) for each in found] == [
        ("a", "cache on"), ("b", "cache off"), ("c", "cache off")
    ]  # fmt: skip
    # Two goals that say the same of their setups are told together.
    assert [each.bound.statement for each in level_bounds.of_first(found)] == ["a", "b"]
    drawn = level_bounds.guides(course(factors, "users", *values), bounds, "users")
    lines = drawn[drawn["part"] == "guide"]
    assert set(lines["label"]) - {""} == {
        "at most 20 ms (cache on; cache off)",
        "at most 60 ms (cache off)",
    }
    # One whose metric has no course is held against nothing.
    (rate,), _ = level_bounds.bounds_for(tmp_path, "harbour", "users", {"requests_per_s": 9})
    assert level_bounds.kept(course(factors, "users", *values), [rate], "users") == []
    of_on = level_bounds.kept(course(factors, "users", *values), bounds[:1], "users")
    left = level_bounds.without_course(bounds, of_on, "users")
    assert left == [f"{level_bounds.bound_said(each)} (cache off)" for each in bounds[1:]]


def test_how_long_it_takes_is_drawn_before_how_often_it_fails() -> None:
    factors = {f"s/{n}": {"users": f"{n}"} for n in range(1, 5)}
    flat = dict.fromkeys(factors, 1.0)
    told = evidence(factors, error_percent=flat, requests_per_s=flat, response_p95_ms=flat)
    names = levels.chosen(levels.runs_over(told, "users"), None, [])
    assert names == ["requests_per_s", "response_p95_ms"]


def test_origins_are_series_of_their_own() -> None:
    factors = {f"s/{n}": {"users": f"{n % 3 + 1}"} for n in range(6)}
    given_ = evidence(factors, response_p95_ms={run: float(n) for n, run in enumerate(factors)})
    given_.runs["origin"] = ["measured"] * 3 + ["simulated"] * 3
    frame = levels.rows(levels.runs_over(given_, "users"), ["response_p95_ms"])
    assert set(frame["series"]) == {"measured", "simulated"}
    assert len(levels.table(frame, "users")) == 6


def test_only_measurements_are_asked() -> None:
    factors = {f"s/{n}": {"users": f"{n}"} for n in range(1, 7)}
    given_ = evidence(factors, response_p95_ms=dict.fromkeys(factors, 1.0))
    given_.runs.loc[3:, "kind"] = "configuration"
    assert sorted(levels.runs_over(given_, "users")["level"]) == [1, 2, 3]


@pytest.mark.parametrize(
    ("factor", "texts", "said"),
    [
        ("records", ["1048575", "1048576", "1048577"], "1,048,577 records"),
        ("scale", ["0.25", "0.5", "0.75"], "scale 0.75"),
        ("users", ["08", "8.0", "16", "1e2"], "100 users"),
        ("value", ["1", "2", "3"], "value 3"),
        ("metric", ["1", "2", "3"], "metric 3"),
        ("setup", ["1", "2", "3"], "setup 3"),
        ("offset", ["-2", "-1", "0"], "offset 0"),
    ],
)
def test_levels_are_numbers_and_written_with_all_their_digits(
    factor: str, texts: list[str], said: str
) -> None:
    factors = {f"s/{text}": {factor: text} for text in texts}
    frame = course(factors, factor, *(10.0 for _ in texts))
    assert levels.level_said(factor, frame["level"].max()) == said
    assert len(levels.table(frame, factor)) == frame["level"].nunique() == 3
    assert levels.growth(frame, factor)[0].count("10.0") == 2


def test_two_writings_of_a_level_are_one() -> None:
    factors = {
        "s/1": {"users": "8", "cache": "on"}, "s/2": {"users": "8.0", "cache": "off"},
        "s/3": {"users": "16", "cache": "on"}, "s/4": {"users": "16", "cache": "off"},
    }  # fmt: skip
    values = dict.fromkeys(factors, 1.0)
    runs = levels.runs_over(evidence(factors, response_p95_ms=values), "users")
    assert runs["series"].tolist() == ["cache on", "cache off", "cache on", "cache off"]
    with pytest.raises(NeedsData):
        levels.factor_of(evidence({"s/1": {"n": "8"}, "s/2": {"n": "8.0"}, "s/3": {"n": "08"}}))


def test_what_changes_with_the_levels_is_named() -> None:
    factors = {f"s/{n}": {"users": f"{n}", "cache": "on" if n < 3 else "off"} for n in range(1, 5)}
    assert levels.along(evidence(factors), "users") == "What else changes with users: cache."
    steady = {run: own | {"cache": "on"} for run, own in factors.items()}
    assert levels.along(evidence(steady), "users") == ""


def test_a_test_that_is_another_at_each_level_is_one_series() -> None:
    """As jobs of fio are named by how many there are; two jobs at a level are two series."""
    factors = {f"s/{n}": {"jobs": f"{n}"} for n in (1, 2, 4)}
    many = [
        replace(each, of=(("job", job), ("processes", factors[each.run_id]["jobs"])))
        for each in evidence(factors, io_per_s=dict.fromkeys(factors, 5.0)).values
        for job in ("read", "write")
    ]
    given_ = replace(evidence(factors), values=many)
    assert set(levels.runs_over(given_, "jobs")["series"]) == {"read", "write"}
    assert levels.along(given_, "jobs") == "What else changes with jobs: processes."


def test_the_most_is_told_only_where_it_is_more_than_the_last() -> None:
    factors = {f"s/{n}": {"users": f"{n // 3 + 1}"} for n in range(12)}
    noise = [92, 100, 108, 95, 100, 105, 94, 102, 110, 97, 101, 105]
    clear = [50, 51, 52, 99, 100, 101, 70, 71, 72, 60, 61, 62]
    for values, told in ((noise, False), (clear, True)):
        of = dict(zip(factors, map(float, values), strict=True))
        runs = levels.runs_over(evidence(factors, requests_per_s=of), "users")
        (text,) = levels.growth(levels.rows(runs, ["requests_per_s"]), "users")
        assert ("the most is 100.0" in text) == told
        assert "% of linear growth" in text.replace("\N{NO-BREAK SPACE}", " ")


def test_of_many_setups_that_which_keeps_to_a_bound_the_least_is_told() -> None:
    factors = {
        f"s/{cache}{users}": {"users": f"{users}", "cache": f"{cache} MiB"}
        for cache in range(1, 10)
        for users in (1, 2, 4)
    }
    factors |= {f"{run}-again": own for run, own in factors.items()}
    slow = {"users": "4", "cache": "9 MiB"}
    values = [30.0 if own == slow else 10.0 for own in factors.values()]
    frame = course(factors, "users", *values)
    assert levels.drawn(frame)["series"].nunique() == levels.MOST_SERIES
    found = level_bounds.kept(frame, [at_most(20)], "users")
    text = level_bounds.title(found, "users")
    assert text.endswith("holds up to 2 users (cache 9 MiB, the least of 9 setups)")
    assert levels.left_out(frame, frame)[1] == "Of 9 setups 8 are drawn; the table has all."


def test_goals_that_are_not_of_all_are_named_and_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "pipelines/harbour/goals.yml"
    path.parent.mkdir(parents=True)
    path.write_text(
        "goals:\n"
        "  - {goal: within, metric: response_p95_ms, between: [5, 20]}\n"
        "  - {goal: newest, metric: response_p95_ms, newest: 2, at_most: 8}\n"
        "  - {goal: cached, metric: response_p95_ms, at: {cache: 'on'}, at_most: 8}\n"
        "  - {goal: at 20, metric: response_p95_ms, at: {users: 20}, at_most: 9}\n"
        "  - {goal: at 40, metric: response_p95_ms, at: {users: 40}, at_most: 9 ms}\n",
        encoding="utf-8",
    )
    (within, of_level), others = level_bounds.bounds_for(tmp_path, "harbour", "users")
    assert others == ["newest", "cached"]
    assert of_level.value == 9
    (found,) = level_bounds.kept(means((1, 2), (6, 7), (30, 31)), [within], "users")
    assert [verdict for _, verdict in found.verdicts] == ["is missed", "holds", "is missed"]
    frame = level_bounds.guides(means((1, 2), (6, 7)).assign(run="1"), [within], "users")
    assert frame.loc[frame["part"] == "guide", "value"].tolist() == [5, 5, 20, 20]


@pytest.mark.parametrize("limit", [math.nan, None, "20 MB", [1], "soon"])
def test_a_limit_that_is_none_is_refused_in_words(limit: Any) -> None:
    with pytest.raises(StudyBookError, match="limits: response_p95_ms: ") as told:
        level_bounds.bounds_for(Path(), "harbour", "users", {"response_p95_ms": limit})
    assert "pydantic" not in str(told.value)


def test_factors_without_values_need_data() -> None:
    factors = {f"s/{n}": {"users": f"{n}"} for n in range(1, 4)}
    with pytest.raises(NeedsData, match="No run that has the factor users"):
        levels.runs_over(evidence(factors), "users")
