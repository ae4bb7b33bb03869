"""The views of hosts: one series per host, whatever files it comes from, at the right time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.scratch import database, enter

CPU = "     CPU     %user     %nice   %system   %iowait    %steal     %idle"
TASK = "    proc/s   cswch/s"


def report(
    *rows: str, host: str = "lnx1", day: str = "2023-10-28", heading: str = CPU, head: str = ""
) -> str:
    """Put together a report with one section; rows are a time and values."""
    lines = [f"Linux 5.3.18 ({host}) \t{day} \t_s390x_\t(1 CPU)", ""]
    head = head or rows[0].split()[0]
    lines.append(f"{head}   {heading}")
    for row in rows:
        time, *values = row.split()
        lines.append(f"{time}   " + "".join(value.rjust(10) for value in values))
    return "\n".join(lines) + "\n"


def cpu(time: str, user: float) -> str:
    return f"{time} all {user:.2f} 0.00 1.00 2.00 3.00 {94 - user:.2f}"


def ask(sql: str, *texts: str, folder: Path, zone: str = "UTC", host: str | None = None) -> Any:
    with database(zone) as connection:
        for number, text in enumerate(texts):
            path = folder / f"{number}.txt"
            path.write_text(text)
            reading = enter(connection, path, host)
            assert reading.lines_not_understood == 0, reading.not_understood
        return connection.execute(sql).fetchall()


def test_busy_is_what_was_done_here(tmp_path: Path) -> None:
    ((busy, steal, time, interval),) = ask(
        "SELECT busy_percent, steal_percent, time_utc::VARCHAR, interval_s FROM cpu_use",
        report(cpu("10:00:20", 40), head="10:00:10"), folder=tmp_path, zone="Europe/Berlin",
    )  # fmt: skip
    assert (busy, steal, time, interval) == (41, 3, "2023-10-28 08:00:20", 10)


def test_what_rounding_puts_above_all_is_all(tmp_path: Path) -> None:
    """Two decimals make 100.01 where the processors are busy; 104 is no rounding."""
    found = ask(
        "SELECT busy_percent FROM cpu_use ORDER BY time_utc",
        report(
            "10:00:20 all 60.01 0.00 40.00 0.00 0.00 0.00",
            "10:00:30 all 60.00 4.00 40.00 0.00 0.00 0.00", head="10:00:10",
        ), folder=tmp_path,
    )  # fmt: skip
    assert found == [(100,), (104,)]


def test_a_sample_in_two_files_counts_once(tmp_path: Path) -> None:
    first = report(cpu("10:00:10", 1), cpu("10:00:20", 2), head="10:00:00")
    second = report(cpu("10:00:20", 2), cpu("10:00:30", 3), head="10:00:10")
    sql = "SELECT count(*), sum(user_percent) FROM cpu_use"
    assert ask(sql, first, second, folder=tmp_path) == [(3, 6)]


def test_the_finer_of_two_recordings_is_kept(tmp_path: Path) -> None:
    fine = report(*(cpu(f"10:00:{second}", 10) for second in range(11, 31)), head="10:00:10")
    coarse = report(cpu("10:00:20", 50), cpu("10:00:30", 50), head="10:00:10")
    sql = "SELECT count(*), max(user_percent), sum(interval_s) FROM cpu_use"
    for texts in ((fine, coarse), (coarse, fine)):
        assert ask(sql, *texts, folder=tmp_path) == [(20, 10, 20)]


def test_a_second_sample_in_a_second_replaces_none(tmp_path: Path) -> None:
    text = report(cpu("10:00:10", 1), cpu("10:00:10", 99), cpu("10:00:20", 2), head="10:00:00")
    sql = "SELECT user_percent, interval_s FROM cpu_use ORDER BY time_utc, interval_s DESC"
    assert ask(sql, text, folder=tmp_path) == [(1, 10), (99, 0), (2, 10)]


def test_hosts_of_one_file_stay_apart(tmp_path: Path) -> None:
    text = report(cpu("10:00:10", 1), host="h1") + report(cpu("10:00:10", 2), host="h2")
    sql = "SELECT host, user_percent FROM cpu_use ORDER BY host"
    assert ask(sql, text, folder=tmp_path, host="x") == [("h1", 1), ("h2", 2)]
    one = report(cpu("10:00:10", 1), host="h1")
    assert ask(sql, one, folder=tmp_path, host="x") == [("x", 1)]


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("Europe/Berlin", ["00:50", "00:59", "01:00", "01:50", "02:10"]),
        ("UTC", ["02:50", "02:59", "02:00", "02:50", "03:10"]),
    ],
)
def test_the_hour_that_comes_twice(tmp_path: Path, zone: str, expected: list[str]) -> None:
    times = ["02:50:00", "02:59:59", "02:00:00", "02:50:00", "03:10:00"]
    text = report(
        *(cpu(time, at) for at, time in enumerate(times)), day="2023-10-29", head="02:40:00"
    )
    rows = ask(
        "SELECT user_percent, strftime(time_utc, '%H:%M') FROM cpu_use ORDER BY user_percent",
        text, folder=tmp_path, zone=zone,
    )  # fmt: skip
    wanted = list(enumerate(expected))
    if zone == "UTC":
        # A clock that was set back: 02:50 was there before, and stands once.
        del wanted[3]
    assert rows == wanted
    events = ask("SELECT kind FROM sar_event", text, folder=tmp_path, zone=zone)
    assert events == [("clock set back",)]


def test_interrupts_one_by_one(tmp_path: Path) -> None:
    heading = "     INTR    intr/s"
    plain = report(
        "10:00:10 sum 7.00", "10:00:10 0 3.00", "10:00:10 8 4.00", "10:00:20 sum 1.00",
        heading=heading, head="10:00:00",
    )  # fmt: skip
    matrix = report(
        "10:00:30 0 3.00 1.00 2.00", heading="     INTR       all      CPU0      CPU1",
        head="10:00:20",
    )  # fmt: skip
    sql = (
        "SELECT strftime(time_utc, '%S'), interrupt, cpu, interrupts_per_s FROM interrupt_rate"
        " ORDER BY ALL"
    )
    assert ask(sql, plain, matrix, folder=tmp_path) == [
        ("10", "0", "all", 3), ("10", "8", "all", 4), ("10", "sum", "all", 7),
        ("20", "sum", "all", 1),
        ("30", "0", "0", 1), ("30", "0", "1", 2), ("30", "0", "all", 3),
    ]  # fmt: skip


def test_devices_have_their_usual_names(tmp_path: Path) -> None:
    names = ["dev94-4", "dev94-5", "dev8-16", "dev65-0", "dev128-0", "dev253-3", "vda"]
    heading = "      DEV       tps     rkB/s     wkB/s"
    text = report(*(f"10:00:10 {name} 1.00 2.00 3.00" for name in names), heading=heading)
    sql = "SELECT device FROM disk_rate ORDER BY device_printed"
    found = [name for (name,) in ask(sql, text, folder=tmp_path)]
    assert found == ["sddy", "dev253-3", "sdq", "sdb", "dasdb", "dasdb1", "vda"]


@pytest.mark.parametrize(("used", "percent", "with_cache"), [(7000, 70, True), (3000, 30, False)])
def test_used_memory_means_one_thing(
    tmp_path: Path, used: int, percent: int, with_cache: bool
) -> None:
    heading = "kbmemfree kbmemused  %memused kbbuffers  kbcached  kbcommit   %commit"
    text = report(f"10:00:10 3000 {used} {percent}.00 1000 3000 0 0.00", heading=heading)
    sql = "SELECT total_kib, printed_with_cache, used_with_cache_kib FROM memory"
    assert ask(sql, text, folder=tmp_path) == [(10000, with_cache, 7000)]


def test_coverage_counts_gaps_and_restarts(tmp_path: Path) -> None:
    text = report(*(cpu(f"10:0{minute}:00", 1) for minute in (1, 2, 3, 6)), head="10:00:00")
    text += "\n10:07:00          LINUX RESTART\t(1 CPU)\n"
    sql = "SELECT host, samples, interval_s, gaps, restarts, clock FROM sar_coverage"
    assert ask(sql, text, folder=tmp_path) == [("lnx1", 4, 60, 1, 1, "local time, zone stated")]
