"""What the views say of every committed run is what the model predicted for it.

From the model through the writers, the files, the readers and the views: the database is the one
that ``make book`` made. Noise is allowed for by the tolerances, which are relative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Any

import duckdb
import pytest

from studybook.records import store
from testbed import ecm, filenet, plan
from testbed.parameters import read_parameters
from testbed.plan import PlannedRun
from testbed.prediction import Prediction
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.book

DATABASE = REPOSITORY / "build/reference/study.duckdb"

#: Repetitions differ by a percent or so, and intervals by more.
RUN, GUEST = 0.05, 0.06


@dataclass(frozen=True)
class Case:
    """A run, and the steady state that was predicted for it."""

    run: PlannedRun
    predicted: Prediction

    @property
    def run_id(self) -> str:
        """As the views name it."""
        return f"{self.run.study}/{self.run.run}"


def cases() -> list[Case]:
    known = read_parameters()
    states: dict[object, Prediction] = {}
    found = []
    for run in plan.all_runs():
        if run.captures_only:
            continue
        key = (run.setup, run.users)
        if key not in states:
            if isinstance(run.setup, ecm.Setup):
                states[key] = ecm.predict(run.setup, run.users, known.values("ecm"))
            else:
                states[key] = filenet.predict(run.setup, run.users, known.values("filenet"))
        if getattr(run.setup, "routing", "") != "random":  # which node has the most is chance
            found.append(Case(run, states[key]))
    return found


@pytest.fixture(scope="module")
def all_cases() -> list[Case]:
    return cases()


@pytest.fixture(scope="module")
def database(all_cases: list[Case]) -> Iterator[duckdb.DuckDBPyConnection]:
    assert DATABASE.is_file(), "these tests look at the database of the book: make book"
    connection = store.connect(DATABASE)
    stable = []
    for case in all_cases:
        phases, start = case.run.phases, case.run.start.astimezone(UTC).replace(tzinfo=None)
        begin = start + timedelta(seconds=phases.ramp_up_s + 60)
        stable.append((case.run_id, begin, begin + timedelta(seconds=phases.stable_s - 60)))
    connection.execute(
        "CREATE TEMP TABLE stable (run_id VARCHAR, from_utc TIMESTAMP, to_utc TIMESTAMP)"
    )
    connection.executemany("INSERT INTO stable VALUES (?, ?, ?)", stable)
    yield connection
    connection.close()


def ask(database: duckdb.DuckDBPyConnection, view: str, value: str, *keys: str) -> dict[Any, float]:
    """Mean of a value of a view over the stable phase, by run and further keys."""
    names = ", ".join(f"v.{key}" for key in ("run_id", *keys))
    rows = database.execute(
        f"SELECT {names}, {value} FROM {view} v JOIN stable s USING (run_id)"
        f" WHERE v.time_utc > s.from_utc AND v.time_utc <= s.to_utc GROUP BY {names}"
    ).fetchall()
    return {row[:-1] if keys else row[0]: row[-1] for row in rows}


def test_response_time_and_throughput(
    database: duckdb.DuckDBPyConnection, all_cases: list[Case]
) -> None:
    pages = "(SELECT * FROM response_time WHERE kind IN ('page', 'sample') AND name IS NOT NULL)"
    response = ask(database, pages, "sum(mean_ms * hits) / sum(hits)")
    rate = ask(database, pages, "sum(hits) / (count(DISTINCT time_utc) * 10.0)")
    for case in all_cases:
        assert response[case.run_id] == pytest.approx(case.predicted.response_ms, rel=0.08)
        assert rate[case.run_id] == pytest.approx(case.predicted.throughput_per_s, rel=RUN)


def test_processors_of_guests_and_of_the_system(
    database: duckdb.DuckDBPyConnection, all_cases: list[Case]
) -> None:
    busy = ask(
        database, "(SELECT * FROM cpu_use WHERE cpu = 'all')", "avg(busy_percent) / 100", "host"
    )
    total = ask(database, "(SELECT * FROM ifl_use WHERE route LIKE 'SYSSUMLG%')", "avg(used_ifl)")
    for case in all_cases:
        assert total[case.run_id] == pytest.approx(case.predicted.total_ifl, rel=RUN)
        for guest in case.predicted.guests:
            own = guest.user_ifl + guest.system_ifl
            found = busy[case.run_id, guest.name] * guest.vcpus
            assert found == pytest.approx(own, rel=GUEST, abs=0.02), (case.run_id, guest.name)


def test_packets_and_bytes(database: duckdb.DuckDBPyConnection, all_cases: list[Case]) -> None:
    eth0 = "(SELECT * FROM network_rate WHERE interface = 'eth0')"
    for column, attribute in (
        ("received_packets_per_s", "rx_packets_per_s"),
        ("sent_packets_per_s", "tx_packets_per_s"),
        ("received_kib_s", "rx_kib_s"),
        ("sent_kib_s", "tx_kib_s"),
    ):
        found = ask(database, eth0, f"avg({column})", "host")
        for case in all_cases:
            for guest in case.predicted.guests:
                expected = getattr(guest, attribute)
                assert found[case.run_id, guest.name] == pytest.approx(
                    expected, rel=GUEST, abs=0.5
                ), (case.run_id, guest.name, column)


def test_disks_and_file_system(database: duckdb.DuckDBPyConnection, all_cases: list[Case]) -> None:
    # The system disk, dasda, is not of the model.
    disks = (
        "(SELECT run_id, host, time_utc, sum(read_kib_s) AS read, sum(write_kib_s) AS write"
        " FROM disk_rate WHERE device <> 'dasda' GROUP BY ALL)"
    )
    read = ask(database, disks, "avg(read)", "host")
    write = ask(database, disks, "avg(write)", "host")
    applications = ask(database, "file_system_rate", "avg(read_mib_s) * 1024", "host")
    for case in all_cases:
        for guest in case.predicted.guests:
            key = case.run_id, guest.name
            if guest.disk_read_kib_s:
                assert read[key] == pytest.approx(guest.disk_read_kib_s, rel=GUEST), key
                assert write[key] == pytest.approx(guest.disk_write_kib_s, rel=GUEST), key
            if guest.file_system_read_kib_s and getattr(case.run.setup, "cluster", "") != "none":
                expected = guest.file_system_read_kib_s
                assert applications[key] == pytest.approx(expected, rel=GUEST), key


def test_ways_to_the_ifls_agree(database: duckdb.DuckDBPyConnection, all_cases: list[Case]) -> None:
    cp_ifl = {case.run_id: case.predicted.cp_ifl for case in all_cases}
    rows = database.execute(
        "SELECT run_id, route, used_ifl, reference_ifl FROM ifl_route_comparison"
        " WHERE run_id IN (SELECT run_id FROM stable)"
    ).fetchall()
    assert len({route for _, route, *_ in rows}) >= 4
    for run_id, route, used, expected in rows:
        if used is not None and expected is not None:
            # What CP does for itself belongs to no guest.
            own = cp_ifl[run_id] if route.startswith("USER") else 0.0
            assert used + own == pytest.approx(expected, rel=0.02, abs=0.1), (run_id, route)
