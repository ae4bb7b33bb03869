"""The hour that a clock goes through twice when summer time ends, in all that print its time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import duckdb
import numpy as np
import pytest

from studybook.formats.clock import Passes
from tests.conftest import REPOSITORY
from tests.support import scratch
from tests.support.reading import read_rows

ZONE = ZoneInfo("Europe/Berlin")
MIDNIGHT = datetime(2023, 10, 29, tzinfo=ZoneInfo("UTC"))
DASHES = "%Y-%m-%d %H:%M:%S"
#: Before the hour, in it, in it again, and behind it.
INSTANTS = [MIDNIGHT + timedelta(minutes=each) for each in (-10, 20, 50, 62, 110, 130)]
LOCAL = [each.astimezone(ZONE).replace(tzinfo=None) for each in INSTANTS]
BACK = [None, None, None, True, True, True]


def lines(head: str, row: str, how: str) -> str:
    """Return a text with a row for each time."""
    return head + "".join(row.format(format(each, how)) + "\n" for each in LOCAL)


def sadf_json() -> str:
    stamps = (
        f'{{"timestamp": {{"date": "{each:%Y-%m-%d}", "time": "{each:%H:%M:%S}", "utc": 0,'
        ' "interval": 600}, "queue": {"runq-sz": 2, "plist-sz": 300}}'
        for each in LOCAL
    )
    return (
        '{"sysstat": {"hosts": [{"nodename": "oak", "sysname": "Linux", "release": "6.1",'
        ' "machine": "x86_64", "number-of-cpus": 2, "file-date": "2023-10-29", "statistics": [\n'
        + ",\n".join(stamps)
        + "\n]}]}}\n"
    )


def mpstat_json() -> str:
    samples = (
        f'{{"timestamp": "{each:%H:%M:%S}", "cpu-load": [{{"cpu": "all",'
        ' "usr": 40.50, "nice": 0.00, "sys": 6.00, "iowait": 1.50, "irq": 0.00, "soft": 0.50,'
        ' "steal": 0.25, "guest": 0.00,'
        ' "gnice": 0.00, "idle": 51.25}]}'
        for each in LOCAL
    )
    return (
        '{"sysstat": {"hosts": [{"nodename": "oak", "sysname": "Linux", "release": "6.1",'
        ' "machine": "x86_64", "number-of-cpus": 2, "date": "2023-10-29", "statistics": [\n'
        + ",\n".join(samples)
        + "\n]}]}}\n"
    )


TEXTS: dict[str, Callable[[], str]] = {
    "sadf-csv row by row": lambda: lines(
        "# hostname;interval;timestamp;proc/s;cswch/s\n", "oak;600;{};2.50;3.50", DASHES
    ),
    "sadf-csv of what is not known": lambda: lines(
        "# hostname;interval;timestamp;new/s;newer/s\n", "oak;600;{};2.50;3.50", DASHES
    ),
    "sadf-json": sadf_json,
    "mpstat-json": mpstat_json,
    "vmstat": lambda: lines(
        "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----"
        " -----timestamp-----\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs"
        " us sy id wa st                CEST\n",
        " 1  0   2048 3200000  81200 4410000    0    0   120   640  900 1800 30  7 63  0  0 {}",
        DASHES,
    ),
    "collectl on a terminal": lambda: lines(
        "#                 <--------CPU-------->\n#Date    Time     cpu sys inter  ctxsw\n",
        "{}  30  10   900   2000", "%Y%m%d %H:%M:%S",
    ),
    "pcp": lambda: lines(
        'Time,"kernel.all.cpu.user","kernel.all.cpu.sys"\n', "{},400.000,200.000", DASHES
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_the_second_pass_is_told_from_the_first(name: str, tmp_path: Path) -> None:
    path = tmp_path / "raw"
    path.write_text(TEXTS[name]())
    _, _, rows = read_rows(path)
    timed = [row for each in rows.values() for row in each if row.get("time_local")]
    found = {(row["time_local"], row["set_back"]) for row in timed}
    assert found == set(zip(LOCAL, BACK, strict=True))


#: A restart in the hour, and one in it again, with a row behind each that is later by the clock.
RESTARTED = """\
Linux 6.1.0 (oak) \t2023-10-29 \t_x86_64_\t(2 CPU)

01:50:00     proc/s   cswch/s
02:20:00       2.50      3.50
02:30:00  COM      before

02:40:00     LINUX RESTART\t(2 CPU)

02:45:00     proc/s   cswch/s
02:50:00       2.50      3.50
02:02:00       2.50      3.50
02:10:00  COM      behind

02:30:00     LINUX RESTART\t(2 CPU)

02:45:00     proc/s   cswch/s
02:50:00       2.50      3.50
"""
RESTARTED_ROWS = """\
# hostname;interval;timestamp;proc/s;cswch/s
oak;600;2023-10-29 02:20:00;2.50;3.50
oak;-1;2023-10-29 02:30:00;COM before
oak;-1;2023-10-29 02:40:00;LINUX-RESTART\t(2 CPU)
# hostname;interval;timestamp;proc/s;cswch/s
oak;600;2023-10-29 02:50:00;2.50;3.50
oak;600;2023-10-29 02:02:00;2.50;3.50
oak;-1;2023-10-29 02:10:00;COM behind
oak;-1;2023-10-29 02:30:00;LINUX-RESTART\t(2 CPU)
# hostname;interval;timestamp;proc/s;cswch/s
oak;600;2023-10-29 02:50:00;2.50;3.50
"""
#: As ``sadf -p`` has them: a value a line.
RESTARTED_VALUES = re.sub(
    r"(?m)^(oak;600;.*);(.*);(.*)$",
    r"\1;-;proc/s;\2\n\1;-;cswch/s;\3",
    re.sub("(?m)^#.*\n", "", RESTARTED_ROWS),
).replace(";", "\t")


@pytest.mark.parametrize("text", [RESTARTED, RESTARTED_ROWS, RESTARTED_VALUES])
def test_a_restart_is_in_the_pass_in_which_it_stands(text: str, tmp_path: Path) -> None:
    path = tmp_path / "raw"
    path.write_text(text)
    connection = scratch.database("Europe/Berlin")
    connection.execute("SET TimeZone = 'UTC'")
    scratch.enter(connection, path)
    marks = connection.execute(
        "SELECT strftime(time_utc, '%H:%M'), kind FROM sar_event ORDER BY time_utc, kind"
    ).fetchall()
    assert marks == [
        ("00:30", "comment"), ("00:40", "restart"), ("01:02", "clock set back"),
        ("01:10", "comment"), ("01:30", "restart"),
    ]  # fmt: skip
    rows = connection.execute("SELECT time_local, set_back FROM sar_task ORDER BY line").fetchall()
    assert [(f"{time:%H:%M}", back) for time, back in rows] == [
        ("02:20", None), ("02:50", None), ("02:02", True), ("02:50", True),
    ]  # fmt: skip


def test_an_offset_in_the_head_is_of_the_beginning(tmp_path: Path) -> None:
    head = (REPOSITORY / "tests/data/collectl/cpu-and-memory.tab").read_text()
    names = "#Date Time [CPU]User% [CPU]Nice%\n"
    path = tmp_path / "raw"
    path.write_text(
        head[: head.rindex("#####")] + "#####\n" + lines(names, "{} 5 6", "%Y%m%d %H:%M:%S")
    )
    _, reading, rows = read_rows(path)
    times = [row["time_utc"] for row in rows["collectl_row"]]
    assert times == [each.replace(tzinfo=None) for each in INSTANTS]
    assert any("summer time ends" in text for _, text in reading.remarks)


def test_many_times_at_once_are_told_apart_as_one_by_one() -> None:
    chance = Random(2)  # noqa: S311 - no secret
    for _ in range(50):
        times = [chance.randrange(0, 3 * 3600 * 10**6, 10**6) for _ in range(20)]
        single, many = Passes(), Passes()
        one_by_one = [bool(single.one(each)) for each in times]
        parts = [np.array(times[:7]), np.array(times[7:7]), np.array(times[7:])]
        told = [many.after(part) for part in parts]
        at_once = [
            each
            for part, back in zip(parts, told, strict=True)
            for each in (back.tolist() if back is not None else [False] * len(part))
        ]
        assert at_once == one_by_one


# --- JMeter, whose threads are out of order -------------------------------------------------


def samples() -> list[tuple[datetime, int, str]]:
    """Begin, length and thread of samples through the hour, in the order in which they ended."""
    chance = Random(3)  # noqa: S311 - no secret
    made = []
    for thread in range(8):
        at = INSTANTS[0]
        while at < INSTANTS[-1]:
            took = chance.choice((80, 900, 12_000, 400_000))
            made.append((at, took, f"Users 1-{thread}"))
            pause = chance.choice((0, 5, 60, 400 if thread else 2400))
            at += timedelta(milliseconds=took, seconds=pause)
    return sorted(made, key=lambda each: each[0] + timedelta(milliseconds=each[1]))


def printed(begin: datetime) -> str:
    return f"{begin.astimezone(ZONE):%Y/%m/%d %H:%M:%S}.{begin.microsecond // 1000:03}"


def as_csv(made: Sequence[tuple[datetime, int, str]], strange: str = "") -> str:
    rows = [
        f"{printed(begin)},{took},A{strange},200,OK,{thread},true" for begin, took, thread in made
    ]
    return (
        "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success\n"
        + "\n".join(rows)
        + "\n"
    )


def as_xml(made: Sequence[tuple[datetime, int, str]]) -> str:
    rows = [
        f'<sample t="{took}" ts="{printed(begin)}" s="true" lb="A" tn="{thread}"/>'
        for begin, took, thread in made
    ]
    return "\n".join(
        ['<?xml version="1.0"?>', '<testResults version="1.2">', *rows, "</testResults>"]
    )


@pytest.mark.parametrize("how", ["many at once", "row by row", "xml"])
def test_samples_of_jmeter_are_where_they_were(how: str, tmp_path: Path) -> None:
    made = samples()
    path = tmp_path / "results.jtl"
    path.write_text(
        as_xml(made) if how == "xml" else as_csv(made, "" if how == "many at once" else ' "a"')
    )
    connection = scratch.database("Europe/Berlin")
    connection.execute("SET TimeZone = 'UTC'")
    scratch.enter(connection, path)
    found = connection.execute("SELECT begin_utc FROM jtl_ended ORDER BY line").fetchall()
    wanted = [(begin.replace(tzinfo=None),) for begin, _, _ in made]
    assert found == wanted
    [event] = connection.execute("SELECT kind, time_utc FROM jtl_event").fetchall()
    # The first that begins in the second pass, or began just before and is told by its end.
    assert event[0] == "clock set back"
    assert abs(event[1] - datetime(2023, 10, 29, 1)) < timedelta(minutes=10)


def test_another_zone_has_no_such_hour(tmp_path: Path) -> None:
    path = tmp_path / "results.jtl"
    path.write_text(as_csv(samples()))
    connection = scratch.database("UTC")
    scratch.enter(connection, path)
    differ = connection.execute(
        "SELECT count(*) FROM jtl_ended WHERE begin_utc <> time_local"
    ).fetchone()
    assert differ == (0,)


def test_ends_of_a_day_before_begin_anew(tmp_path: Path) -> None:
    later = "timeStamp,elapsed,label,success\n2023-10-30 02:30:00,5,A,true\n"
    first = "2023-10-29 02:10:00,5,A,true\n2023-10-29 02:30:00,5,A,true\n"
    again = "2023-10-29 02:05:00,5,A,true\n2023-10-29 02:31:00,5,A,true\n"
    path = tmp_path / "results.jtl"
    path.write_text(later + first + again)
    connection: duckdb.DuckDBPyConnection = scratch.database("Europe/Berlin")
    connection.execute("SET TimeZone = 'UTC'")
    scratch.enter(connection, path)
    rows = connection.execute(
        "SELECT strftime(begin_utc, '%d %H:%M') FROM jtl_ended ORDER BY line"
    ).fetchall()
    assert [text for (text,) in rows] == [
        "30 01:30", "29 00:10", "29 00:30", "29 01:05", "29 01:31",
    ]  # fmt: skip
