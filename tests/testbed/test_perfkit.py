"""Performance Toolkit listings of the testbed, through the real reader and views."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from studybook.errors import StudyBookError
from testbed.course import Course, Guest
from testbed.writers import perfkit
from testbed.writers.perfkit.page import Machine, fit
from tests.support.courses import course
from tests.support.perfkit import Rows, ask, empty_database, enter, read_listing

#: Half of the last printed digit of a number with one decimal.
TENTH = 0.05 + 1e-9


def mixed_disks(made: Course) -> Course:
    """The same course with the first disk of each server on ECKD, which z/VM counts."""
    guests = tuple(
        replace(
            guest,
            disks=tuple(
                replace(disk, major=94 if not number else 8)
                for number, disk in enumerate(guest.disks)
            ),
        )
        for guest in made.guests
    )
    return replace(made, guests=guests)


def printed(folder: Path, made: Course, **options: object) -> Rows:
    text = "\n".join(perfkit.lines(made, **options)) + "\n"  # type: ignore[arg-type]
    reading, rows = read_listing(folder, text)
    assert (reading.not_understood, reading.lines_not_understood) == ([], 0)
    assert reading.lines == text.count("\n")
    assert {what.partition(": ")[2][:30] for _, what in reading.remarks} == {
        "the layout of this report is k"
    }
    return rows


def cells(rows: Rows, report: str, metric: str, *, mean: bool = False) -> dict[str, list[float]]:
    """Values of a metric of a report by the key of their row, in order."""
    number = next(each["report_no"] for each in rows["perfkit_report"] if each["report"] == report)
    found: dict[str, list[float]] = {}
    for each in rows["perfkit_value"]:
        if (each["report_no"], each["metric"], each["mean_row"]) == (number, metric, mean):
            found.setdefault(each["row_key"], []).append(each["value"])
    return found


def column(rows: Rows, report: str, metric: str) -> list[float]:
    """Values of a metric of a log with one row for each interval."""
    return [value for values in cells(rows, report, metric).values() for value in values]


def groups(series: np.ndarray, every: int) -> np.ndarray:
    return np.array([series[n : n + every].mean() for n in range(0, len(series), every)])


def total(guest: Guest) -> np.ndarray:
    return guest.user_ifl + guest.system_ifl + guest.hypervisor_ifl


def busy(made: Course) -> np.ndarray:
    return np.sum([total(guest) for guest in made.guests], axis=0) + made.cp_ifl


# --- round trip -------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "every", "intervals"), [(1, 2, 30), (2, 1, 7), (3, 4, 30)])
def test_summary(tmp_path: Path, seed: int, every: int, intervals: int) -> None:
    made = mixed_disks(course(seed, intervals=intervals))
    rows = printed(tmp_path, made, every=every)
    ends = [
        made.start.replace(tzinfo=None)
        + timedelta(seconds=made.interval_s * min(n + every, intervals))
        for n in range(0, intervals, every)
    ]
    times = [
        each["time_local"]
        for each in rows["perfkit_value"]
        if each["metric"] == "busy_percent" and each["time_local"]
    ]
    assert times == ends
    whole, cp = groups(busy(made), every), groups(made.cp_ifl, every)
    virtual = groups(np.sum([g.user_ifl + g.system_ifl for g in made.guests], axis=0), every)
    disks = [disk for guest in made.guests for disk in guest.disks if disk.major == 94]
    requests = [disk.reads_per_s + disk.writes_per_s for disk in disks]
    response = np.sum([r * d.wait_ms for r, d in zip(requests, disks, strict=True)], axis=0)
    io = groups(np.sum(requests, axis=0), every)
    expected = {
        "busy_percent": (100 * whole / made.ifls, TENTH),
        "tv_ratio": (whole / virtual, 0.005),
        "capture_ratio": (1 - cp / whole, 0.00005),
        "online_processors": (np.full(len(whole), made.ifls), 0),
        "users_logged": (np.full(len(whole), len(made.guests)), 0),
        "io_per_s": (io, TENTH),
        "dasd_response_ms": (groups(response, every) / io, 0.05),
    }
    for metric, (values, rounding) in expected.items():
        got = column(rows, "FCX225", metric)
        np.testing.assert_allclose(got, values, rtol=1e-9, atol=rounding + 1e-9, err_msg=metric)
    (mean,) = cells(rows, "FCX225", "busy_percent", mean=True).values()
    assert mean == [pytest.approx(100 * busy(made).mean() / made.ifls, abs=TENTH)]


@pytest.mark.parametrize(("level", "report"), [("V.6.3.0", "FCX304"), ("V.6.2.0", "FCX144")])
def test_processors(tmp_path: Path, level: str, report: str) -> None:
    made = course(4)
    rows = printed(tmp_path, made, machine=Machine(level=level))
    whole, cp = groups(busy(made), 2), groups(made.cp_ifl, 2)
    virtual = groups(np.sum([g.user_ifl + g.system_ifl for g in made.guests], axis=0), 2)
    for metric, values in (
        ("total_percent", whole),
        ("user_percent", whole - cp),
        ("system_percent", cp),
        ("emulation_percent", virtual),
    ):
        found = cells(rows, report, metric)
        assert list(found) == [f"{n} IFL" for n in range(made.ifls)]
        table = np.array(list(found.values()))
        np.testing.assert_allclose(table.sum(axis=0) / 100, values, atol=made.ifls * 0.0005)
        assert np.all((table >= 0) & (table <= 100))
    # No two processors are alike, and none is far from the others.
    assert 0 < np.std(table[:, 0]) < 0.2 * np.mean(table[:, 0])
    means = cells(rows, report, "total_percent", mean=True)
    assert len(means) == made.ifls


def test_users(tmp_path: Path) -> None:
    made = mixed_disks(course(5))
    rows = printed(tmp_path, made)
    seconds = made.intervals * made.interval_s
    assert rows["perfkit_report"][3]["interval_s"] == seconds
    found = {name: cells(rows, "FCX112", name) for name in ("cpu_percent", "total_cpu_s")}
    virtual, io = cells(rows, "FCX112", "virtual_cpu_s"), cells(rows, "FCX112", "dasd_io_per_s")
    for guest in made.guests:
        name, use = guest.name.upper(), total(guest).mean()
        own = (guest.user_ifl + guest.system_ifl).mean()
        assert found["cpu_percent"][name] == [pytest.approx(100 * use, abs=0.5)]
        assert found["total_cpu_s"][name] == [pytest.approx(use * seconds, abs=0.5)]
        assert virtual[name] == [pytest.approx(own * seconds, abs=0.5)]
        requests = sum((d.reads_per_s + d.writes_per_s).mean() for d in guest.disks[:1])
        assert io[name] == [pytest.approx(requests, abs=0.5)]
    mean = cells(rows, "FCX112", "total_cpu_s", mean=True)[">System<"][0]
    sums = sum(values[0] for values in found["total_cpu_s"].values())
    assert mean == pytest.approx(sums / len(made.guests), abs=0.6)


def test_adapters(tmp_path: Path) -> None:
    made = course(6)
    rows = printed(tmp_path, made, machine=Machine(vdev="1000", switch="VSWX"))
    for metric, series in (
        ("out_bytes_per_s", lambda i: i.tx_kib_s * 1024),
        ("in_bytes_per_s", lambda i: i.rx_kib_s * 1024),
        ("out_packets_per_s", lambda i: i.tx_packets_per_s),
        ("in_packets_per_s", lambda i: i.rx_packets_per_s),
    ):
        found = cells(rows, "FCX266", metric)
        expected = {
            f"{guest.name.upper()} {0x1000 + 16 * n:X}": series(interface).mean()
            for guest in made.guests
            for n, interface in enumerate(guest.interfaces)
        }
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            assert found[key][0] == pytest.approx(value, abs=0.5 if value > 1e5 else TENTH)


# --- views ------------------------------------------------------------------------------


def test_every_route_to_the_ifls_says_the_same(tmp_path: Path) -> None:
    made = course(7)
    path = tmp_path / "perfkit.txt"
    path.write_text("\n".join(perfkit.lines(made)) + "\n")
    database = empty_database()
    enter(database, 1, path)
    mean = busy(made).mean()
    found = {
        route: (used, out_of_order)
        for route, used, out_of_order in ask(
            database, "SELECT route, used_ifl, out_of_order FROM ifl_route_comparison"
        )
    }
    rounding = made.ifls * 0.0005
    for route in ("SYSSUMLG: busy × online", "PROCLOG/PRCLOG: sum of processors"):
        assert found[route] == (pytest.approx(mean, abs=rounding), None)
    used, out_of_order = found["LPAR: sum of processors"]
    assert used == pytest.approx(1.001 * mean, abs=rounding)
    assert out_of_order is False
    used, out_of_order = found["USER: sum of guests"]
    assert used + made.cp_ifl.mean() == pytest.approx(mean, abs=rounding)
    assert out_of_order is False
    assert ask(database, "FROM perfkit_event") == []
    assert ask(database, "SELECT DISTINCT processors FROM ifl_use WHERE route LIKE 'PROC%'") == [
        ("IFL",)
    ]


def test_interim_reports_give_guests_by_time(tmp_path: Path) -> None:
    made = course(8, intervals=25)
    path = tmp_path / "perfkit.txt"
    path.write_text("\n".join(perfkit.lines(made, every=2, period=3)) + "\n")
    database = empty_database()
    enter(database, 1, path)
    for guest in made.guests:
        found = ask(
            database,
            "SELECT used_ifl, virtual_ifl, interval_s, basis FROM guest_cpu"
            f" WHERE userid = '{guest.name.upper()}' ORDER BY time_utc",
        )
        seconds = np.array([60, 60, 60, 60, 10])
        assert [each[2:] for each in found] == [(each, "TCPU / seconds") for each in seconds]
        for number, series in enumerate((total(guest), guest.user_ifl + guest.system_ifl)):
            used = [each[number] for each in found]
            assert np.all(np.abs(used - groups(series, 6)) <= 0.06 / seconds)


# --- layout, clock, limits --------------------------------------------------------------


def test_midnight_and_page_breaks(tmp_path: Path) -> None:
    start = datetime(2016, 6, 14, 23, 50, tzinfo=ZoneInfo("Europe/Berlin"))
    made = course(9, intervals=180, start=start)
    rows = printed(tmp_path, made, every=1)
    times = [
        each["time_local"]
        for each in rows["perfkit_value"]
        if each["metric"] == "busy_percent" and each["time_local"]
    ]
    assert times[0] == datetime(2016, 6, 14, 23, 50, 10)
    assert times[-1] == datetime(2016, 6, 15, 0, 20)
    assert len(times) == 180
    pages = {each["report"]: each["pages"] for each in rows["perfkit_report"]}
    assert pages["FCX225"] == -(-181 // 50)
    assert pages["FCX304"] == -(-181 * 28 // 51)


def test_width_carriage_control_and_pages() -> None:
    text = list(perfkit.lines(course(1), lines_per_page=50))
    assert {line[0] for line in text} == {" ", "1"}
    assert max(map(len, text)) <= 133
    assert all(line == line.rstrip() for line in text if line != " ")
    first = [number for number, line in enumerate(text) if line[0] == "1"]
    assert max(np.diff(first)) <= 50
    assert [int(text[number].split()[-1]) for number in first] == list(range(1, len(first) + 1))


def test_same_seed_same_bytes() -> None:
    assert list(perfkit.lines(course(3))) == list(perfkit.lines(course(3)))
    other = replace(course(3), seed=(4,))
    assert list(perfkit.lines(course(3))) != list(perfkit.lines(other))


def test_numbers_are_spelled_as_wide_as_they_may() -> None:
    assert [fit(each) for each in (0, 0.04, 5.25, 99.94, 99.96, 520.4, 12345.0)] == [
        ".0", ".0", "5.2", "99.9", "100", "520", "12K"
    ]  # fmt: skip
    assert fit(34.2, 5, 2, 8) == "34.20"
    assert fit(123456.7, 5, 2, 8) == "123457"
    assert fit(123456789.0, 8) == "123457K"


def test_what_cannot_be_printed_is_refused() -> None:
    made = course(1)
    with pytest.raises(StudyBookError, match="the partition has 3"):
        next(perfkit.lines(replace(made, ifls=3)))
    twins = tuple(replace(guest, name="ecmnode-12" + str(n)) for n, guest in enumerate(made.guests))
    with pytest.raises(StudyBookError, match="two guests would be ECMNODE-"):
        next(perfkit.lines(replace(made, guests=twins)))
    with pytest.raises(StudyBookError, match="no interval"):
        next(perfkit.lines(made, every=0))


def test_idle_system_has_dots_instead_of_ratios(tmp_path: Path) -> None:
    made = course(1, nodes=1, servers=0)
    nothing = np.zeros(made.intervals)
    idle = replace(
        made.guests[0], user_ifl=nothing, system_ifl=nothing, hypervisor_ifl=nothing
    )  # fmt: skip
    rows = printed(tmp_path, replace(made, guests=(idle,), cp_ifl=nothing))
    assert set(column(rows, "FCX225", "busy_percent")) == {0}
    assert set(column(rows, "FCX225", "tv_ratio")) == {None}
    assert cells(rows, "FCX112", "tv_ratio")["ECMNOD1"] == [None]


def test_a_partition_of_many_processors_goes_over_to_a_second_page(tmp_path: Path) -> None:
    made = replace(course(), ifls=60)
    rows = printed(tmp_path, made)
    (report,) = (each for each in rows["perfkit_report"] if each["report"] == "FCX126")
    assert report["pages"] == 2
    assert len(cells(rows, "FCX126", "busy_percent")) >= 60
