"""Files of a folder are grouped into runs: by folder, and by time."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studybook.intake.look import Seen, Unread, look_at
from studybook.intake.runs import doubts, group, with_unread
from tests.conftest import REPOSITORY
from tests.support.folder import seen

UTC = ZoneInfo("UTC")
FIXTURES = REPOSITORY / "tests/data"


def names(files: list[Seen], zone: ZoneInfo = UTC) -> dict[str, set[str]]:
    """The files of each run by what tells it: its folder, and its part of it."""
    return {
        f"{each.folder}|{each.part}".rstrip("|"): {file.name for file in each.files}
        for each in group(files, zone)
    }


JTL = "jtl"
ZONES = ("UTC", "America/New_York", "America/Los_Angeles")
VMSTAT_TITLE = "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----"
VMSTAT_NAMES = (
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st EST\n"
)
VMSTAT_ROW = " 9  0      0 900000  51360 5736460    0    0   764   412  968 2060 85 15  0  0  0"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            [seen("a/r.jtl", (0, 5), JTL), seen("b/r.jtl", (10, 15), JTL)],
            {"a": {"a/r.jtl"}, "b": {"b/r.jtl"}},
            id="a folder for each run",
        ),
        pytest.param(
            [seen("r/web/sar", (0, 5), host="web"), seen("r/db/sar", (1, 6), host="db")],
            {"r": {"r/web/sar", "r/db/sar"}},
            id="a folder for each host of a run",
        ),
        pytest.param(
            [
                seen("web/1/sar", (0, 5)),
                seen("db/1/sar", (0, 5)),
                seen("web/2/sar", (10, 15)),
                seen("db/2/sar", (10, 15)),
            ],
            {"1": {"web/1/sar", "db/1/sar"}, "2": {"web/2/sar", "db/2/sar"}},
            id="hosts above, runs below",
        ),
        pytest.param(
            [
                seen("a_stats_history.csv", (0, 5), "locust"),
                seen("a_1.5_stats_history.csv.gz", (10, 15), "locust"),
                seen("a_stats.csv", None, "locust"),
                seen("a_1.5_failures.csv", None, "locust"),
                seen("b_stats.csv", None, "locust"),
                seen("b_failures.csv", None, "locust"),
                seen("c_stats.csv", None, "locust"),
            ],
            {
                ".|a_stats": {"a_stats_history.csv", "a_stats.csv"},
                ".|a_1": {"a_1.5_stats_history.csv.gz", "a_1.5_failures.csv"},
                ".|b": {"b_stats.csv", "b_failures.csv"},
                ".|c_stats": {"c_stats.csv"},
            },
            id="what a tool wrote under one name is of one run",
        ),
        pytest.param(
            [seen("one.jtl", (0, 5), JTL), seen("two.jtl", (10, 15), JTL), seen("sar", (0, 20))],
            {".|one": {"one.jtl", "sar"}, ".|two": {"two.jtl", "sar"}},
            id="one folder, and a recording that goes over all runs",
        ),
        pytest.param(
            [seen("1/r.jtl", (0, 5), JTL), seen("2/r.jtl", (9, 15), JTL), seen("sar/s", (0, 90))],
            {"1": {"1/r.jtl", "sar/s"}, "2": {"2/r.jtl", "sar/s"}},
            id="a recording in a folder beside those of the runs",
        ),
        pytest.param(
            [
                seen("r.jtl", (0, 5), JTL),
                seen("mmlsconfig", None, "scale"),
                seen("fio", None, "fio"),
            ],
            {".": {"r.jtl", "mmlsconfig", "fio"}},
            id="what has no time goes with the only run",
        ),
        pytest.param(
            [seen("a/r", (0, 5), JTL), seen("b/r", (9, 15), JTL), seen("conf/mm", None, "scale")],
            {"a": {"a/r"}, "b": {"b/r"}, "conf": {"conf/mm"}},
            id="settings beside several runs are a run of their own",
        ),
        pytest.param(
            [seen("dd-1", None, "dd"), seen("dd-2", None, "dd")],
            {".|dd-1": {"dd-1"}, ".|dd-2": {"dd-2"}},
            id="outputs of one tool without times are a run each",
        ),
        pytest.param(
            [seen("a.jtl", (0, 6), JTL), seen("b.jtl", (3, 8), JTL)],
            {".": {"a.jtl", "b.jtl"}},
            id="two load drivers at once are one run",
        ),
        pytest.param(
            [seen("a/r.jtl", (0, 6), JTL), seen("b/r.jtl", (4, 12), JTL)],
            {"a": {"a/r.jtl"}, "b": {"b/r.jtl"}},
            id="two that overlap a little are two runs",
        ),
        pytest.param(
            [seen("mm", (0, 0), "scale"), seen("r.jtl", (500, 505), JTL)],
            {".": {"mm", "r.jtl"}},
            id="the time of a capture is not that of a run",
        ),
    ],
)
def test_runs_are_told(files: list[Seen], expected: dict[str, set[str]]) -> None:
    assert names(files) == expected


DAY = 24 * 60


def days(*hosts: str, called: str = "sar{day:02}") -> list[Seen]:
    """A recording of each host and of each of three days, by files of its folder."""
    return [
        seen(
            f"sar/{host}/{called.format(host=host, day=day)}",
            (day * DAY + 10, day * DAY + DAY - 10), "sar", host,
        )
        for host in hosts
        for day in range(3)
    ]  # fmt: skip


def test_a_file_that_cannot_be_read_is_of_the_day_of_others_of_its_name(tmp_path: Path) -> None:
    """Its folder has files of every other day."""
    files = [each for each in days("web1", "web2", "db1") if each.name != "sar/web1/sar01"]
    empty = Unread(tmp_path, "sar/web1/sar01", "", "is empty")
    found = with_unread(group(files, UTC), [empty])
    [of_day] = [each for each in found if each.unread]
    assert {each.name for each in of_day.files} == {"sar/db1/sar01", "sar/web2/sar01"}
    elsewhere = replace(empty, name="sar/web1/sar77")
    apart = [
        *days("web1"),
        seen("b/r.jtl", (0, 9), JTL),
        *(seen(f"a/{n}", (n * 9, n * 9 + 5), JTL) for n in (1, 2)),
    ]
    beside = replace(empty, name="a/r.jtl")
    assert not any(each.unread for each in with_unread(group(apart, UTC), [beside]))
    assert not any(each.unread for each in with_unread(group(files, UTC), [elsewhere]))


def test_local_times_are_those_of_the_zone() -> None:
    files = [seen("r.jtl", (0, 5), JTL), seen("sar", (60, 65), clock="the host's clock")]
    assert len(names(files)) == 2
    assert len(names(files, ZoneInfo("Europe/Berlin"))) == 1


FILES = st.lists(
    st.tuples(
        st.sampled_from(["", "a/", "b/", "a/x/", "a/y/"]),
        st.sampled_from(["sar", "jtl", "scale", "dd"]),
        st.none() | st.tuples(st.integers(0, 50), st.integers(0, 9)),
    ),
    max_size=9,
)


@given(FILES, st.randoms(use_true_random=False))
def test_every_file_is_in_a_run_and_their_order_does_not_matter(
    given_files: list[tuple[str, str, tuple[int, int] | None]], rng: Random
) -> None:
    files = [
        seen(f"{folder}{number}", at and (at[0], at[0] + at[1]), source)
        for number, (folder, source, at) in enumerate(given_files)
    ]
    found = names(files)
    assert set().union(*found.values()) == {each.name for each in files}
    assert all(found.values())
    shuffled = files.copy()
    rng.shuffle(shuffled)
    assert names(sorted(shuffled, key=lambda each: each.name)) == names(
        sorted(files, key=lambda each: each.name)
    )


@given(FILES)
def test_runs_of_load_drivers_that_overlap_are_told(
    given_files: list[tuple[str, str, tuple[int, int] | None]],
) -> None:
    files = [
        seen(f"{folder}{number}", at and (at[0], at[0] + at[1]), "jtl")
        for number, (folder, _, at) in enumerate(given_files)
        if at
    ]
    runs = group(files, UTC)
    spans = sorted(each.span for each in runs if each.span)
    overlap = any(other[0] < one[1] for one, other in pairwise(spans))
    assert overlap == any("two runs" in each for each in doubts(runs, UTC, stated=True))


def test_a_zone_that_nobody_named_is_told() -> None:
    files = [seen("r.jtl", (0, 5), JTL), seen("sar", (60, 65), clock="the host's clock")]
    runs = group(files, UTC)
    [told] = doubts(runs, UTC, stated=False)
    assert told.startswith("sar: by the clock of their hosts, taken as UTC")
    assert "--time-zone" in told
    assert doubts(runs, UTC, stated=True) == []


def test_folders_that_a_zone_may_have_torn_apart_are_told() -> None:
    local = "the host's clock"
    files = [
        seen("a/r.jtl", (0, 5), JTL), seen("a/sar", (60, 65), clock=local),
        seen("b/r.jtl", (60, 65), JTL), seen("b/sar", (120, 125), clock=local),
    ]  # fmt: skip
    told = doubts(group(files, UTC), UTC, stated=False)
    assert any(each.startswith("a and 1 other folder: ") and "--by-folder" in each for each in told)
    assert not any("--by-folder" in each for each in doubts(group(files, UTC), UTC, stated=True))
    of_hosts = [seen("web/sar", (0, 5), clock=local), seen("db/sar", (1, 6), clock=local)]
    assert len(doubts(group(of_hosts, UTC), UTC, stated=False)) == 1


def test_a_zone_that_a_file_prints_is_told_where_it_is_another(tmp_path: Path) -> None:
    rows = "".join(f"{VMSTAT_ROW} 2024-01-14 12:00:0{second}\n" for second in range(3))
    (tmp_path / "vmstat.txt").write_text(
        f"{VMSTAT_TITLE} -----timestamp-----\n{VMSTAT_NAMES}{rows}"
    )
    files = look_at([(tmp_path / "vmstat.txt", "vmstat.txt")]).seen
    told = [doubts(group(files, zone), zone, stated=True) for zone in map(ZoneInfo, ZONES)]
    assert (
        "its times are in EST, as it prints, and were taken as of UTC, which was UTC" in told[0][0]
    )
    assert told[1] == []
    assert "which was PST then" in told[2][0]


@pytest.mark.parametrize(
    ("day", "hours", "said"),
    [
        ("2024-10-27", (1, 5), "set while it went on, by 1:00:00 back: an hour is there twice"),
        ("2024-03-31", (1, 5), "set while it went on, by 1:00:00 forward"),
        ("2024-03-31", (2.5, 5), "02:30:00 is in the hour that clocks of Europe/Berlin left out"),
        ("2024-10-27", (2.2, 2.5), "show 2024-10-27 02:12:00 twice: taken as of the first time"),
        ("2024-10-27", (3.2, 3.5), ""),
        ("2024-03-30", (1, 5), ""),
    ],
)
def test_clocks_that_were_set_are_told(day: str, hours: tuple[float, float], said: str) -> None:
    midnight = datetime.fromisoformat(day)
    first, last = (midnight + timedelta(hours=each) for each in hours)
    file = replace(seen("sar.txt", (0, 1), clock="local"), first=first, last=last)
    zone = ZoneInfo("Europe/Berlin")
    told = doubts(group([file], zone), zone, stated=True)
    assert len(told) == bool(said)
    assert said in "".join(told)


def test_two_runs_may_have_failed_in_the_same_way(tmp_path: Path) -> None:
    """Equal files at the end of two runs are no copies, unless the runs are."""
    names = {}
    for number in (1, 2, 3):
        for kind, source in (("stats_history", "total"), ("failures", "failures")):
            text = (FIXTURES / f"locust/{source}.csv").read_text(encoding="utf-8")
            begun = min(number, 2)  # the third is a copy of the second
            path = tmp_path / f"a{number}_{kind}.csv"
            path.write_text(text.replace("\n1700", f"\n17{begun}0"), encoding="utf-8")
            names[path.name] = path
    look = look_at([(path, name) for name, path in names.items()])
    assert {each.split(":")[0] for each in look.aside} == {
        "a3_stats_history.csv",
        "a3_failures.csv",
    }
    runs = {each.part: len(each.files) for each in group(look.seen, UTC)}
    assert runs == {"a1": 2, "a2": 2}
