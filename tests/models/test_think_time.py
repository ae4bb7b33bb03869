"""The think time of other runs with as many users, of few runs and of many."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import duckdb

from studybook.code import LIBRARY

SQL = (LIBRARY / "models/run/law/think_time.sql").read_text(encoding="utf-8")


def asked(
    runs: Sequence[tuple[str, float | None, float]], memory: str = "1GiB"
) -> dict[str, tuple]:
    """Runs of a study, their users, and operations per second; how many others, and their time."""
    connection = duckdb.connect(config={"memory_limit": memory, "threads": 1})
    connection.execute(
        "CREATE MACRO within_phase(a, b, c, d) AS true;"
        "CREATE TABLE run (run_id VARCHAR, study VARCHAR, origin VARCHAR);"
        "CREATE TABLE stable_phase (run_id VARCHAR, from_utc TIMESTAMP, to_utc TIMESTAMP);"
        "CREATE TABLE driver_interval"
        " (run_id VARCHAR, time_utc TIMESTAMP, interval_s DOUBLE, completed_per_s DOUBLE);"
        "CREATE TABLE phase_driver"
        " (run_id VARCHAR, users DOUBLE, completed_per_s DOUBLE, response_ms DOUBLE)"
    )
    names, users, per_s = map(list, zip(*runs, strict=True))
    connection.execute(
        "INSERT INTO phase_driver SELECT unnest(?::VARCHAR[]), unnest(?::DOUBLE[]),"
        " unnest(?::DOUBLE[]), 100",
        [names, users, per_s],
    )
    connection.execute(
        "INSERT INTO run SELECT run_id, run_id.left(1), 'measured' FROM phase_driver;"
        "INSERT INTO stable_phase SELECT run_id, NULL, NULL FROM phase_driver;"
        "INSERT INTO driver_interval SELECT run_id, NULL, 10, completed_per_s FROM phase_driver"
    )
    rows = connection.execute(
        f"SELECT run_id, other_runs, others_think_s, requests FROM ({SQL})"
    ).fetchall()
    return {name: tuple(rest) for name, *rest in rows}


def test_a_run_is_judged_by_the_others_with_as_many_users() -> None:
    runs = [("a1", 100, 10), ("a2", 101, 20), ("a3", 102, 40), ("a4", 50, 10), ("b1", 100, 5),
            ("a5", None, 10)]  # fmt: skip
    think = {name: users / per_s - 0.1 for name, users, per_s in runs if users}
    assert asked(runs) == {
        # 101 is within one in a hundred of 100, and 102 of 101, but 102 is not of 100.
        "a1": (1, think["a2"], 100),
        "a2": (2, median([think["a1"], think["a3"]]), 200),
        "a3": (1, think["a2"], 400),
        "a4": (0, None, 100),
        "b1": (0, None, 50),
        "a5": (0, None, 100),
    }


def test_many_runs_are_no_table_of_all_their_pairs() -> None:
    runs = [(f"a{n}", 20.0, 1.0 + n % 97) for n in range(10_000)]
    found = asked(runs, "100MiB")
    assert {others for others, _, _ in found.values()} == {9_999}
