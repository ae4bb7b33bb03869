"""Performance Toolkit reports: what stands twice is never added up, what is lost never a sum."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support.perfkit import DATA, ask, empty_database, enter, page, read_listing

SUMMARY = "          <CPU>\nInterval   Pct  On-\nEnd Time  Busy line\n"
SUMMARY_ROWS = "09:05:00  50.0  2.0\n09:10:00  60.0  2.0\n"
USE = "SELECT host, used_ifl FROM ifl_use ORDER BY ALL"

Load = Callable[..., Callable[[str], list[tuple[Any, ...]]]]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Read texts as the files of one run; the answer takes a query."""

    def read_all(*texts: str, host: str | None = None) -> Callable[[str], list[tuple[Any, ...]]]:
        connection = empty_database()
        for number, text in enumerate(texts):
            path = tmp_path / f"{number}.txt"
            path.write_text(text)
            enter(connection, number, path, host)
        return lambda sql: ask(connection, sql)

    return read_all


def summary(rows: str = SUMMARY_ROWS, system: str = "ZVMQ7") -> str:
    return page(system=system) + SUMMARY + rows


def user_log(userid: str, *rows: str) -> str:
    """Return a log whose rows are a time, %CPU, TCPU and VCPU."""
    heading = page("FCX162", f"USERLOG {userid}") + " Interval <----- CPU Load ----->\n"
    heading += "                <-Seconds->   T/V\nEnd Time  %CPU  TCPU   VCPU Ratio\n"
    return heading + "".join(f"{row}   1.0\n" for row in rows)


def half(*times: str) -> list[str]:
    return [f"{time}  50.0  30.0   30.0" for time in times]


# --- the same listing twice -------------------------------------------------------------


def test_two_systems_in_one_file_stay_two(load: Load) -> None:
    text = summary() + summary(system="ZVMQ8")
    expected = [(host, value) for host in ("ZVMQ7", "ZVMQ8") for value in (1.0, 1.2)]
    assert load(text)(USE) == expected
    # One name in run.yml cannot be that of both.
    assert load(text, host="vm")(USE) == expected
    assert load(summary(), host="vm")(USE) == [("vm", 1.0), ("vm", 1.2)]


def test_page_one_begins_a_report(tmp_path: Path) -> None:
    _, rows = read_listing(tmp_path, summary() + summary())
    assert [row["pages"] for row in rows["perfkit_report"]] == [1, 1]


@pytest.mark.parametrize("name", ["listing.txt", "devices.txt", "partitions.txt", "screens.txt"])
def test_a_listing_that_stands_twice_counts_once(load: Load, name: str) -> None:
    text = (DATA / name).read_text()
    once, in_one, in_two = load(text), load(text + text), load(text, text)
    for view, columns in {
        "ifl_use": "host, route, time_utc, interval_s, used_ifl::FLOAT, parts",
        "guest_cpu": "host, userid, time_utc, used_ifl",
        "vswitch_rate": "side, vswitch, userid, time_utc, out_mib_s",
        "dasd_response": "device, time_utc, response_ms",
        "perfkit_event": "kind, text",
    }.items():
        question = f"SELECT {columns} FROM {view} WHERE time_utc IS NOT NULL ORDER BY ALL"
        assert in_one(question) == once(question)
        assert in_two(question) == once(question)


def test_the_log_of_a_guest_in_two_files_counts_once(load: Load) -> None:
    logs = [user_log(userid, *half("09:01:00", "09:02:00")) for userid in ("Q1", "Q2", "Q1")]
    found = load(*logs)("SELECT used_ifl, parts FROM ifl_use")
    assert found == [(1.0, 2), (1.0, 2)]


def test_a_processor_lost_in_one_copy_is_taken_from_the_other(load: Load) -> None:
    text = (DATA / "listing.txt").read_text()
    damaged = text.replace("00:01:00   1 IFL", "00:01:00 x 1 IFL")
    question = "SELECT used_ifl, parts FROM ifl_use WHERE route LIKE 'PROCLOG%' ORDER BY time_utc"
    assert load(damaged, text)(question) == load(text)(question)


def test_copies_that_contradict_are_an_event(load: Load) -> None:
    answer = load(summary(), summary(SUMMARY_ROWS.replace("60.0", "61.0")))
    assert answer(USE) == [("ZVMQ7", 1.0), ("ZVMQ7", 1.2)]
    assert answer("SELECT file_id, kind FROM perfkit_event") == [(1, "contradiction")]


def test_processors_without_a_number_give_no_sum(load: Load) -> None:
    table = "           <Percent Busy>\nInterval\nEnd Time  Odd Total\n"
    rows = "09:05:00    0  50.0\n09:05:00    1  40.0\n"
    answer = load(page("FCX304", "PRCLOG") + table + rows)
    assert {used for (used,) in answer("SELECT used_ifl FROM ifl_use")} == {None}


# --- intervals --------------------------------------------------------------------------


def test_seconds_are_divided_only_by_an_interval_that_fits(load: Load) -> None:
    answer = load(user_log("Q1", *half("09:05:00", "09:06:00", "09:08:00")))
    assert answer("SELECT used_ifl, interval_s, basis FROM guest_cpu ORDER BY time_utc") == [
        (0.5, None, "%CPU"),
        (0.5, 60, "TCPU / seconds"),
        (0.5, None, "%CPU"),
    ]
    assert answer("SELECT gaps, interval_s FROM perfkit_coverage") == [(2, 60)]


def test_seconds_have_more_digits_above_100_percent(load: Load) -> None:
    rows = ("09:01:00   410 246.3  240.0", "09:02:00   410 260.0  240.0")
    answer = load(user_log("Q1", *rows))
    found = answer("SELECT used_ifl, basis FROM guest_cpu ORDER BY time_utc")
    assert found == [(pytest.approx(4.105), "TCPU / seconds"), (4.1, "%CPU")]


@pytest.mark.parametrize(
    ("times", "sums"),
    [
        # Other seconds: no row of one guest belongs to the interval of the other.
        (("09:01:05", "09:02:05", "09:03:05"), [None] * 6),
        # Logged on later: then it was not there before.
        (("09:02:00", "09:03:00"), [0.5, 1.0, 1.0]),
        # A gap in the middle; the row after it has its own %CPU.
        (("09:01:00", "09:03:00"), [1.0, None, 1.0]),
    ],
)
def test_a_sum_needs_all_guests(
    load: Load, times: tuple[str, ...], sums: list[float | None]
) -> None:
    answer = load(
        user_log("Q1", *half("09:01:00", "09:02:00", "09:03:00")), user_log("Q2", *half(*times))
    )
    assert [used for (used,) in answer("SELECT used_ifl FROM ifl_use ORDER BY time_utc")] == sums


# --- the end of summer time -------------------------------------------------------------

NIGHT = {"begin": "2023/10/29 01:00:00", "end": "2023/10/29 03:00:00"}


@pytest.mark.parametrize(
    "times",
    [("01:30", "02:00", "02:30", "02:00", "02:30", "03:00"), ("02:00", "02:00", "03:00")],
)
def test_an_hour_printed_twice_is_not_added_up(load: Load, times: tuple[str, ...]) -> None:
    rows = "".join(f"{time}:00  {10 + n}.0  2.0\n" for n, time in enumerate(times))
    text = page(**NIGHT, seconds=7200, clock="02:00:00") + SUMMARY + rows
    answer = load(text, text)
    assert [used for (used,) in answer("SELECT used_ifl FROM ifl_use ORDER BY used_ifl")] == [
        pytest.approx((10 + n) / 50) for n in range(len(times))
    ]
    ((kind, told),) = answer("SELECT kind, text FROM perfkit_event")
    assert kind == "clock put back"
    assert "comes 02:00:00: the hour is printed twice" in told
    assert answer("SELECT count(*) FROM ifl_use WHERE interval_s <= 0") == [(0,)]


def test_an_hour_printed_twice_in_a_log_of_days_is_not_the_next_day(tmp_path: Path) -> None:
    times = ("12:00", "00:00", "02:00", "02:45", "02:00", "02:45", "12:00", "00:00")
    rows = "".join(f"{time}:00  50.0  2.0\n" for time in times)
    heading = page(
        begin="2023/10/28 00:00:00", end="2023/10/30 00:00:00", seconds=172800, clock="48:00:00"
    )
    reading, found = read_listing(tmp_path, heading + SUMMARY + rows)
    assert reading.lines_not_understood == 0
    moments = list({row["line"]: row["time_local"] for row in found["perfkit_value"]}.values())
    assert moments[3:6] == [
        datetime(2023, 10, 29, 2, 45), datetime(2023, 10, 29, 2), datetime(2023, 10, 29, 2, 45)
    ]  # fmt: skip
    assert moments[-1] == datetime(2023, 10, 30)


# --- lines and remarks ------------------------------------------------------------------


@pytest.mark.parametrize("control", ["0", "-", "1", "+", " "])
def test_a_line_of_carriage_control_only_is_blank(tmp_path: Path, control: str) -> None:
    text = (DATA / "listing.txt").read_text()
    lines = text.splitlines()
    lines.insert(13, control)
    reading, rows = read_listing(tmp_path, "\n".join(lines) + "\n")
    whole, _ = read_listing(tmp_path, text)
    assert (reading.lines_not_understood, reading.lines) == (0, whole.lines + 1)
    assert len(rows["perfkit_report"]) == 3


def test_what_k_and_m_mean_is_said_to_be_assumed(tmp_path: Path) -> None:
    reading, _ = read_listing(tmp_path, (DATA / "devices.txt").read_text())
    remarks = [text for _, text in reading.remarks if "K or M" in text]
    assert remarks
    for text in remarks:
        assert "assumed to be 1000 and 1000000" in text
        assert "2.4 % and 4.9 % higher" in text
