"""The stable phase: against MSER-5 by its definition, closed cases, what overrules it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studybook.records.load import load
from studybook.study.study import Study, open_study
from tests.conftest import REPOSITORY
from tests.support.project import copy_project
from tests.support.scratch import Scratch

INTERVAL_S = 10
START = datetime(2020, 1, 1)


@pytest.fixture(scope="module")
def empty() -> Iterator[Scratch]:
    """The tables that the models are made of, without rows."""
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(
            """
            CREATE TABLE run (run_id VARCHAR, study VARCHAR, run VARCHAR, kind VARCHAR,
                start_utc TIMESTAMP, stable_from_s DOUBLE, stable_to_s DOUBLE,
                stable_said_in VARCHAR);
            CREATE TABLE mapped_sample (run_id VARCHAR, host VARCHAR, at_utc TIMESTAMP,
                file_id BIGINT, interval_s DOUBLE);
            CREATE TABLE host (run_id VARCHAR, host VARCHAR, kind VARCHAR);
            CREATE TABLE throughput (run_id VARCHAR, host VARCHAR, time_utc TIMESTAMP,
                since_start_s DOUBLE, interval_s DOUBLE, kind VARCHAR, name VARCHAR,
                completed_per_s DOUBLE);
            CREATE TABLE response_time (run_id VARCHAR, host VARCHAR, time_utc TIMESTAMP,
                kind VARCHAR, name VARCHAR, measure VARCHAR, mean_ms DOUBLE, hits BIGINT);
            CREATE TABLE virtual_users (run_id VARCHAR, host VARCHAR, time_utc TIMESTAMP,
                active DOUBLE);
            CREATE TABLE sample_span (run_id VARCHAR, step_s BIGINT, first_no BIGINT,
                last_no BIGINT);
            """
        )
        yield Scratch(
            connection,
            given=("throughput", "response_time", "virtual_users", "sample_span", "mapped_sample"),
        )


class Run:
    """A run of a load driver with made-up series, and what the views say of it."""

    def __init__(self, connection: Scratch, start: datetime | None = START) -> None:
        self.connection = connection
        for table in ("run", "throughput", "response_time", "virtual_users"):
            connection.execute(f"DELETE FROM {table}")
        connection.execute(
            "INSERT INTO run VALUES ('s/r', 's', 'r', 'measurement', ?, NULL, NULL, NULL)",
            [start],
        )

    def _insert(self, table: str, columns: str, values: Sequence[float], before: int) -> None:
        self.connection.execute(
            f"""
            INSERT INTO {table} ({columns})
            SELECT 's/r', 'all hosts',
                TIMESTAMP '2020-01-01' + INTERVAL ({INTERVAL_S} * (number + {before})) SECOND, *
                EXCLUDE (number)
            FROM (
                SELECT unnest($values::DOUBLE[]) AS value,
                    generate_subscripts($values::DOUBLE[], 1) AS number
            )
            """,
            {"values": list(values)},
        )

    def with_series(
        self,
        rate: Sequence[float],
        response: Sequence[float] | None = None,
        users: Sequence[float] | None = None,
    ) -> Run:
        """Add series of intervals, the first of which begins with the run."""
        self._insert("throughput", "run_id, host, time_utc, completed_per_s", rate, 0)
        self.connection.execute(
            "UPDATE throughput SET kind = 'page', interval_s = $length,"
            " since_start_s = epoch(time_utc - TIMESTAMP '2020-01-01')",
            {"length": INTERVAL_S},
        )
        if response is not None:
            self._insert("response_time", "run_id, host, time_utc, mean_ms", response, 0)
            self.connection.execute(
                "UPDATE response_time SET kind = 'page', measure = 'response time', hits = 7"
            )
        if users is not None:
            self._insert("virtual_users", "run_id, host, time_utc, active", users, 0)
        return self

    def phase(self) -> dict[str, Any]:
        """The row of the stable phase."""
        return dict(self.connection.execute("FROM stable_phase").df().iloc[0])

    def mser(self, series: str) -> list[float]:
        """The statistic for each number of batches that may be dropped."""
        found = self.connection.execute(
            "SELECT mser FROM mser_batch WHERE series = $series ORDER BY dropped",
            {"series": series},
        ).fetchall()
        return [value for (value,) in found]


def mser_5(values: Sequence[float]) -> list[float]:
    """White's statistic, from its definition: for each d, of the batches from d on."""
    means = [float(np.mean(values[at : at + 5])) for at in range(0, len(values) - 4, 5)]
    rests = [np.array(means[first:]) for first in range(len(means))]
    return [float(((rest - rest.mean()) ** 2).sum()) / len(rest) ** 2 for rest in rests]


def cuts(values: Sequence[float]) -> list[int]:
    """How many batches MSER-5 drops: at most half of them, and never all but one.

    The first of several numbers is the answer; the others are as good but for rounding.
    """
    found = mser_5(values)
    found = found[: max(0, min(len(found) // 2, len(found) - 2)) + 1]
    room = 1e-9 * min(found) + 1e-12 * float(np.mean(values)) ** 2
    return [first for first, value in enumerate(found) if value <= min(found) + room]


SERIES = st.lists(st.floats(0.001, 1e4), min_size=5, max_size=120)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rate=SERIES, response=SERIES)
def test_the_sql_is_mser_5(
    empty: duckdb.DuckDBPyConnection, rate: list[float], response: list[float]
) -> None:
    response = response[: len(rate)]
    run = Run(empty).with_series(rate, response)
    for series, values in (("throughput", rate), ("response time", response)):
        scale = float(np.mean(values)) ** 2
        assert run.mser(series) == pytest.approx(mser_5(values), rel=1e-9, abs=1e-12 * scale)
    phase = run.phase()
    assert phase["method"] == "MSER-5"
    assert phase["to_s"] == INTERVAL_S * len(rate)
    # The later of the two cuts counts.
    first = phase["from_s"] / (5 * INTERVAL_S)
    assert first in {max(pair) for pair in product(cuts(rate), cuts(response))}
    assert (phase["decided_by"] is None) == (first == 0)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(level=st.floats(1e-3, 1e6), length=st.integers(5, 150))
def test_of_a_constant_series_nothing_is_dropped(
    empty: duckdb.DuckDBPyConnection, level: float, length: int
) -> None:
    phase = Run(empty).with_series([level] * length, [level / 3] * length).phase()
    assert (phase["from_s"], phase["to_s"]) == (0, INTERVAL_S * length)
    assert phase["decided_by"] is None
    assert pd.isna(phase["steady"]) if length < 50 else phase["steady"]


@pytest.mark.parametrize("ramp", [5, 15, 30, 50])
def test_a_ramp_is_cut_where_it_ends(empty: duckdb.DuckDBPyConnection, ramp: int) -> None:
    rising = [50 + 50 * number / ramp for number in range(ramp)]
    flat = [100.0] * (120 - ramp)
    phase = Run(empty).with_series(rising + flat, [300.0] * 120).phase()
    assert phase["from_s"] == INTERVAL_S * ramp
    assert phase["decided_by"] == "throughput"
    assert phase["steady"]


def test_the_later_of_the_two_cuts_counts(empty: duckdb.DuckDBPyConnection) -> None:
    rate = [50.0] * 10 + [100.0] * 90
    response = [900.0] * 25 + [300.0] * 75
    phase = Run(empty).with_series(rate, response).phase()
    assert phase["from_s"] == INTERVAL_S * 25
    assert phase["decided_by"] == "response time"


def test_a_series_that_never_settles_is_not_steady(empty: duckdb.DuckDBPyConnection) -> None:
    ramp = [float(number) for number in range(1, 101)]
    phase = Run(empty).with_series(ramp, [300.0] * 100).phase()
    assert phase["from_s"] == INTERVAL_S * 50
    assert phase["decided_by"] == "throughput"
    assert not phase["steady"]
    # A slow drift of less than 5 % counts as steady, though it is cut at the half, too.
    drift = [1000 + number / 2 for number in range(100)]
    phase = Run(empty).with_series(drift).phase()
    assert phase["from_s"] == INTERVAL_S * 50
    assert phase["steady"]


def test_only_while_all_users_are_logged_in(empty: duckdb.DuckDBPyConnection) -> None:
    users = [10.0 * number for number in range(10)] + [100.0] * 60 + [40.0, 0.0]
    rate = [*(value / 10 for value in users[:10]), *([10.0] * 60), 4.0, 1.0]
    phase = Run(empty).with_series(rate, [300.0] * 72, users).phase()
    # The eleventh interval ends with all users, but begins with 90 % of them.
    assert (phase["from_s"], phase["to_s"]) == (INTERVAL_S * 11, INTERVAL_S * 70)
    assert phase["users"] == 100


def test_of_several_executions_the_longest_counts(empty: duckdb.DuckDBPyConnection) -> None:
    # A trial with many users, the load that was meant, and another trial; a pause after each.
    parts = [([50.0] * 12, 100.0), ([0.0] * 30, 0.0), ([10.0] * 60, 20.0), ([0.0] * 30, 0.0),
             ([5.0] * 20, 15.0)]  # fmt: skip
    rate = [value for values, _ in parts for value in values]
    users = [number for values, number in parts for _ in values]
    run = Run(empty).with_series(rate, [300.0] * len(rate), users)
    phase = run.phase()
    # The first interval of the load begins without users.
    assert (phase["from_s"], phase["to_s"]) == (INTERVAL_S * 43, INTERVAL_S * 102)
    assert phase["users"] == 20
    told = empty.execute("SELECT counts FROM driver_execution ORDER BY execution_no").fetchall()
    assert told == [(False,), (True,), (False,)]
    # A load that went on is one, and nothing of it is left out.
    Run(empty).with_series([10.0] * 60)
    assert empty.execute("FROM driver_execution").fetchall() == []


def test_users_that_come_and_go_tell_nothing(empty: duckdb.DuckDBPyConnection) -> None:
    """As of JMeter where fewer threads are busy than there are."""
    users = [18.0 + number % 5 for number in range(60)]
    phase = Run(empty).with_series([10.0] * 60, [300.0] * 60, users).phase()
    assert (phase["from_s"], phase["to_s"]) == (0, INTERVAL_S * 60)
    # Once it stood at its most, and for a moment.
    users[30:32] = [40.0, 40.0]
    assert Run(empty).with_series([10.0] * 60, [300.0] * 60, users).phase()["from_s"] == 0
    # A level that it was brought to, and held, is one.
    users[30:40] = [40.0] * 10
    phase = Run(empty).with_series([10.0] * 60, [300.0] * 60, users).phase()
    assert (phase["from_s"], phase["to_s"]) == (INTERVAL_S * 31, INTERVAL_S * 40)


def test_too_few_intervals_are_no_mser(empty: duckdb.DuckDBPyConnection) -> None:
    phase = Run(empty).with_series([1.0, 2.0, 3.0, 4.0]).phase()
    assert phase["method"] == "all users logged in"
    assert (phase["from_s"], phase["to_s"]) == (0, 40)
    # Of two batches, the second alone would always seem steadiest.
    phase = Run(empty).with_series([1.0] * 5 + [2.0] * 5).phase()
    assert (phase["method"], phase["from_s"]) == ("MSER-5", 0)


def test_an_export_of_single_transactions_is_summed_up(empty: duckdb.DuckDBPyConnection) -> None:
    """A Transaction Report has no row of all transactions, and two measures of time."""
    run = Run(empty).with_series([30.0] * 50 + [90.0] * 100, [400.0] * 150)
    empty.execute(
        """
        UPDATE throughput
            SET kind = 'transaction', name = 'Browse', completed_per_s = completed_per_s / 3;
        INSERT INTO throughput
            SELECT * REPLACE ('Search' AS name, completed_per_s * 2 AS completed_per_s)
            FROM throughput;
        UPDATE response_time SET kind = 'transaction', name = 'Browse', measure = 'elapsed time';
        INSERT INTO response_time
            SELECT * REPLACE ('net server time' AS measure, 1.0 AS mean_ms) FROM response_time;
        -- An agent's share is in the rows of all hosts already.
        INSERT INTO throughput SELECT * REPLACE ('agent-1' AS host) FROM throughput;
        """
    )
    rates = empty.execute(
        "SELECT DISTINCT completed_per_s, response_ms FROM driver_interval ORDER BY 1"
    ).fetchall()
    assert rates == [(30, 400), (90, 400)]
    assert run.phase()["from_s"] == INTERVAL_S * 50


def test_a_phase_that_is_asked_for_needs_a_start(empty: duckdb.DuckDBPyConnection) -> None:
    run = Run(empty, start=None)
    empty.execute(
        "UPDATE run SET stable_from_s = 100, stable_to_s = 200, stable_said_in = 'run.yml'"
    )
    assert run.phase()["method"] == "whole run"
    # The load driver has one, too.
    run.with_series([100.0] * 50)
    phase = run.phase()
    assert (phase["method"], phase["from_s"], phase["to_s"]) == ("run.yml", 100, 200)


ECM, P8 = "nsd-4-1492-u1000-1", "cpus-2-2-level-3-1"
FROM_S, TO_S = 300, 500


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two runs as they are; and again, one with a phase in run.yml, one without its driver."""
    project = copy_project(tmp_path_factory.mktemp("phase") / "project", built=False)
    reference = REPOSITORY / "data/raw/reference"
    places = {name: project.root / "data/raw" / name for name in ("found", "given")}
    for place in places.values():
        for run in (f"ecm-scaleout/{ECM}", f"filenet-p8/{P8}"):
            shutil.copytree(reference / run, place / run)
    manifest = places["given"] / "ecm-scaleout" / ECM / "run.yml"
    text = manifest.read_text()
    manifest.write_text(f"{text}stable_phase: {{from_s: {FROM_S}, to_s: {TO_S}}}\n")
    folder = places["given"] / "filenet-p8" / P8
    content = yaml.safe_load((folder / "run.yml").read_text())
    content["files"] = [each for each in content["files"] if "jtl" not in each["path"]]
    (folder / "run.yml").write_text(yaml.safe_dump(content))
    (folder / "driver.jtl.xz").unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(project.root))
        for name in places:
            load(data_set=name)
    return {name: project.root / f"build/{name}/study.duckdb" for name in places}


@cache
def opened(database: Path, study: str, phase: tuple[float, float] | None = None) -> Study:
    """Open a study of a database, once for all tests: its views take longer than they do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(REPOSITORY))
        return open_study(
            study,
            data_set="reference",
            stable_phase=phase,
            database=str(database),
        )


def phase_of(study: Study) -> dict[str, Any]:
    return dict(study.query("FROM stable_phase").iloc[0])


def value_of(study: Study, metric: str) -> float:
    row = study.query("SELECT value AS mean FROM run_metric WHERE metric = $metric", metric=metric)
    return float(row["mean"].item())


def by_hand(study: Study, from_s: float, to_s: float) -> float:
    """The mean response time of the pages that were completed within some seconds."""
    rows = study.query("FROM driver_interval")
    rows = rows[(rows["since_start_s"] - rows["interval_s"] >= from_s - 1)]
    rows = rows[rows["since_start_s"] <= to_s + 1]
    pages = rows["completed_per_s"] * rows["interval_s"]
    return float((rows["response_ms"] * pages).sum() / pages.sum())


def test_run_yml_overrules_what_was_found(databases: dict[str, Path]) -> None:
    found, given_ = (opened(databases[name], "ecm-scaleout") for name in ("found", "given"))
    assert phase_of(found)["method"] == "MSER-5"
    phase = phase_of(given_)
    assert (phase["method"], phase["from_s"], phase["to_s"]) == ("run.yml", FROM_S, TO_S)
    assert phase["decided_by"] is None
    # It changes the numbers of the figures, and that of each source.
    assert value_of(given_, "response_ms") == pytest.approx(by_hand(found, FROM_S, TO_S), rel=1e-6)
    for metric in ("response_ms", "pages_per_s", "node_packets_per_s"):
        assert value_of(given_, metric) != value_of(found, metric)


def test_a_parameter_of_the_notebook_overrules_both(databases: dict[str, Path]) -> None:
    for name in ("found", "given"):
        study = opened(databases[name], "ecm-scaleout", (600, 900))
        phase = phase_of(study)
        assert phase["method"] == "parameter of the notebook"
        assert (phase["from_s"], phase["to_s"]) == (600, 900)
        assert value_of(study, "response_ms") == pytest.approx(by_hand(study, 600, 900), rel=1e-6)


def test_runs_of_jmeter_have_a_stable_phase_too(databases: dict[str, Path]) -> None:
    study = opened(databases["found"], "filenet-p8")
    phase = phase_of(study)
    rows = study.query("FROM driver_interval WHERE logged_in ORDER BY time_utc")
    assert len(rows) >= 10
    first_s = rows["since_start_s"].iloc[0] - INTERVAL_S
    dropped = [cuts(rows[column].tolist())[0] for column in ("completed_per_s", "response_ms")]
    assert phase["method"] == "MSER-5"
    assert phase["from_s"] == first_s + 5 * INTERVAL_S * max(dropped)
    assert phase["to_s"] == rows["since_start_s"].iloc[-1]
    assert phase["users"] == rows["users"].max()


def test_a_run_without_a_load_driver_counts_as_a_whole(databases: dict[str, Path]) -> None:
    study = opened(databases["given"], "filenet-p8")
    phase = phase_of(study)
    assert phase["method"] == "whole run"
    assert np.isnan(phase["from_s"])
    assert np.isnan(phase["to_s"])
    # All that sar has of the run is in its means.
    whole = study.query(
        "SELECT host, sum(busy_percent * interval_s) / sum(interval_s) AS busy_percent"
        " FROM cpu_use WHERE cpu = 'all' GROUP BY host ORDER BY host"
    )
    means = study.query("SELECT host, busy_percent FROM phase_cpu ORDER BY host")
    assert len(means) > 1
    assert means["busy_percent"].tolist() == pytest.approx(whole["busy_percent"].tolist())


def test_the_runs_of_filenet_know_their_processors(databases: dict[str, Path]) -> None:
    study = opened(databases["found"], "filenet-p8")
    found = study.query("FROM time_series_of_setups ORDER BY minute")
    assert set(found["setup"] + "-1") == {P8}
    assert set(found["processors"]) == {"2 CE/PE and 2 database processors"}
    assert set(found["load_level"]) == {int(P8.split("-")[-2])}


@pytest.mark.parametrize("tool", ["vmstat", "collectl"])
@pytest.mark.parametrize("interval_s", [1, 2, 3, 5, 7])
def test_a_clock_cut_to_seconds_does_not_move_what_counts(tool: str, interval_s: int) -> None:
    """A host that is busy in the phase alone: what of it counts, wherever its samples lie."""
    phases, samples = [], []
    for from_s, part in product([0, 0.2, 0.5, 0.8], np.arange(0.025, 1, 0.05)):
        run_id, to_s = f"s/{from_s}-{part}", from_s + 40
        ends = np.arange(-10, 60, interval_s) + part
        inside = np.minimum(ends, to_s) - np.maximum(ends - interval_s, from_s)
        labels = np.floor(ends) if tool == "vmstat" else ends
        phases.append((run_id, instant(from_s), instant(to_s)))
        samples += [
            (run_id, instant(at), 100 * max(0, share) / interval_s)
            for at, share in zip(labels, inside, strict=True)
        ]
    cpu_use = pd.DataFrame(samples, columns=["run_id", "time_utc", "busy_percent"])
    cpu_use = cpu_use.assign(host="a", cpu="all", tool=tool, interval_s=interval_s, steal_percent=0)
    with duckdb.connect(config={"threads": 1}) as connection:
        scratch = Scratch(connection, given=("cpu_use", "host_size", "stable_phase"))
        connection.execute(
            "CREATE TABLE host_size (run_id VARCHAR, host VARCHAR, cpus INTEGER, role VARCHAR)"
        )
        connection.register("cpu_use", cpu_use)
        connection.register(
            "stable_phase", pd.DataFrame(phases, columns=["run_id", "from_utc", "to_utc"])
        )
        counted = scratch.execute("SELECT run_id, busy_percent FROM phase_cpu").df()
    assert set(counted["run_id"]) == {run_id for run_id, _, _ in phases}
    # Of an interval half may lie outside at either end, and no more than a second.
    assert counted["busy_percent"].min() > 100 * (1 - min(interval_s, 2) / 40)


def instant(since_s: float) -> datetime:
    return START + timedelta(seconds=float(since_s))
