"""Written reports of sar and captures of Linux: what the readers find is what the course says."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from studybook import formats
from studybook.errors import StudyBookError
from studybook.formats.contract import Reading
from testbed import faults
from testbed.course import Course, Guest
from testbed.faults import Faults
from testbed.writers import linux_captures, sar
from tests.support.courses import START, course
from tests.support.scratch import database, enter

Rows = dict[str, list[dict[str, Any]]]

#: Half of the last digit that is printed, and what floating point adds.
HALF = 0.005 + 1e-9


def write(path: Path, lines: Iterable[str], marks: Faults | None = None) -> Path:
    marks = marks or Faults()
    chunks = faults.encode(lines, marks.line_end, marks.encoding, marks.cut_last_line)
    faults.compress(path, chunks, marks.compression)
    return path


def read(path: Path) -> tuple[Reading, Rows]:
    rows: Rows = {}
    _, reading = formats.read(
        path, lambda table, batch: rows.setdefault(table, []).extend(batch.to_pylist())
    )
    return reading, rows


def written(folder: Path, run: Course, guest: Guest, **how: Any) -> tuple[Reading, Rows]:
    """Write a report without faults of the copy and read it: all of it must be understood."""
    reading, rows = read(write(folder / "sar.txt", sar.lines(run, guest, **how)))
    assert reading.lines_not_understood == 0, reading.not_understood
    # Of quotients the reader cannot tell: those are worked out below, without it.
    unsure = {row["name"] for row in rows["sar_average"] if row["agrees"] is None}
    assert unsure <= {"await_ms", "service_ms", "request_kib", "queue"}
    assert all(row["agrees"] for row in rows["sar_average"] if row["name"] not in unsure)
    return reading, rows


def column(rows: Rows, table: str, name: str, **item: str) -> np.ndarray:
    """The values of a column, for one item, in their order."""
    chosen = (row for row in rows[table] if all(row[key] == item[key] for key in item))
    return np.array([row[name] for row in chosen])


def near(found: np.ndarray, wanted: ArrayLike, tolerance: float = HALF) -> None:
    np.testing.assert_allclose(found, np.asarray(wanted), rtol=0, atol=tolerance)


# --- what the course says ---------------------------------------------------------------


@pytest.mark.parametrize("place", [0, 2])
def test_values_come_back(tmp_path: Path, place: int) -> None:
    run = course(3, intervals=100)
    guest = run.guests[place]
    _, rows = written(tmp_path, run, guest)
    times = [(START + timedelta(seconds=10 * (k + 1))).replace(tzinfo=None) for k in range(100)]
    for name in ("user", "system", "iowait", "steal"):
        share = 100 * getattr(guest, f"{name}_ifl") / guest.vcpus
        near(column(rows, "sar_cpu", f"{name}_percent", cpu="all"), share)
        each = [
            column(rows, "sar_cpu", f"{name}_percent", cpu=str(cpu)) for cpu in range(guest.vcpus)
        ]
        near(np.mean(each, axis=0), share, 2 * HALF)
        assert np.std(each) > 0.05 * np.mean(share)  # the processors are not all alike
    assert column(rows, "sar_cpu", "time_local", cpu="all").tolist() == times
    (report,) = rows["sar_report"]
    assert (report["host"], report["architecture"]) == (guest.name, "s390x")
    assert report["layout"] == "file"

    def only(table: str, name: str, wanted: ArrayLike, tolerance: float = HALF) -> None:
        assert column(rows, table, "time_local").tolist() == times
        near(column(rows, table, name), wanted, tolerance)

    only("sar_task", "created_per_s", guest.created_per_s)
    only("sar_task", "context_switches_per_s", guest.context_switches_per_s)
    assert {row["names"] for row in rows["sar_interrupt"]} == {"sum"}
    near(np.ravel([row["rates_per_s"] for row in rows["sar_interrupt"]]),
         guest.interrupts_per_s)  # fmt: skip
    total = guest.memory_mib * 1024
    only("sar_memory", "used_as_printed_kib", guest.memory_used_mib * 1024, 0.5)
    only("sar_memory", "free_kib", total - guest.memory_used_mib * 1024, 0.5)
    only("sar_memory", "used_as_printed_percent", 100 * guest.memory_used_mib / guest.memory_mib)
    only("sar_memory", "buffers_kib", guest.buffers_mib * 1024, 0.5)
    only("sar_memory", "cached_kib", guest.cached_mib * 1024, 0.5)
    only("sar_swap_space", "used_kib", np.zeros(100))
    only("sar_queue", "tasks", guest.tasks, 0.5)
    runnable = guest.run_queue + guest.user_ifl + guest.system_ifl + guest.steal_ifl
    only("sar_queue", "run_queue", runnable, 0.5)
    for name in ("reads_per_s", "writes_per_s", "read_kib_s", "write_kib_s"):
        only("sar_io", name, sum((getattr(disk, name) for disk in guest.disks), np.zeros(100)))
    assert len(rows.get("sar_disk", [])) == 100 * len(guest.disks)
    for disk in guest.disks:
        item = {"device": f"dev8-{disk.minor}"}
        assert column(rows, "sar_disk", "time_local", **item).tolist() == times
        tps = disk.reads_per_s + disk.writes_per_s
        near(column(rows, "sar_disk", "transfers_per_s", **item), tps)
        near(column(rows, "sar_disk", "read_kib_s", **item), disk.read_kib_s, HALF / 2)
        near(column(rows, "sar_disk", "write_kib_s", **item), disk.write_kib_s, HALF / 2)
        near(column(rows, "sar_disk", "await_ms", **item), disk.wait_ms)
        near(column(rows, "sar_disk", "service_ms", **item), disk.service_ms)
        near(column(rows, "sar_disk", "queue", **item), tps * disk.wait_ms / 1000)
        near(column(rows, "sar_disk", "util_percent", **item), tps * disk.service_ms / 10)
        size = (disk.read_kib_s + disk.write_kib_s) / tps
        near(column(rows, "sar_disk", "request_kib", **item), size)
    for card in guest.interfaces:
        item = {"interface": card.name}
        assert column(rows, "sar_network", "time_local", **item).tolist() == times
        near(column(rows, "sar_network", "received_packets_per_s", **item), card.rx_packets_per_s)
        near(column(rows, "sar_network", "sent_packets_per_s", **item), card.tx_packets_per_s)
        near(column(rows, "sar_network", "received_kib_s", **item), card.rx_kib_s)
        near(column(rows, "sar_network", "sent_kib_s", **item), card.tx_kib_s)
    for table in ("sar_network", "sar_network_error"):
        assert [row["interface"] for row in rows[table][:3]] == ["lo", "eth0", "eth1"]
        assert not column(rows, table, "line", interface="lo").dtype.hasobject


def test_the_views_have_hours_of_utc(tmp_path: Path) -> None:
    """Twelve hours, past noon and past midnight."""
    for hour in (11, 23):
        run = course(start=START.replace(hour=hour, minute=58), interval_s=60, intervals=6)
        path = write(tmp_path / "sar.txt", sar.lines(run, run.guests[0], locale=sar.EN_US))
        with database("Europe/Berlin") as connection:
            reading = enter(connection, path)
            found = connection.execute(
                "SELECT host, time_utc, interval_s, busy_percent FROM cpu_use WHERE cpu = 'all'"
                " ORDER BY time_utc"
            ).fetchall()
        assert reading.lines_not_understood == 0
        first = datetime(2016, 6, 14, hour - 2, 59)
        assert [row[1] for row in found] == [first + timedelta(minutes=k) for k in range(6)]
        assert {row[0] for row in found} == {"ECMnod1"}
        assert {row[2] for row in found} == {60}
        busy = 100 * (run.guests[0].user_ifl + run.guests[0].system_ifl) / 8
        near(np.array([row[3] for row in found]), busy, 2 * HALF)


EXACT = """\
Linux 3.0.76-0.11-default (db1) \t06/14/16 \t_s390x_

14:00:00        CPU     %user     %nice   %system   %iowait    %steal     %idle
14:00:10        all     50.00      0.00     12.50      6.25      0.25     31.00
Average:        all     50.00      0.00     12.50      6.25      0.25     31.00

14:00:00       proc/s   cswch/s
14:00:10         1.50  12000.25
Average:         1.50  12000.25

14:00:00         INTR    intr/s
14:00:10          sum   9000.00
Average:          sum   9000.00

14:00:00          tps      rtps      wtps   bread/s   bwrtn/s
14:00:10        40.00     30.00     10.00   2000.00    400.00
Average:        40.00     30.00     10.00   2000.00    400.00

14:00:00    kbmemfree kbmemused  %memused kbbuffers  kbcached  kbcommit   %commit
14:00:10       262144    786432     75.00     10240    256000    520192     49.61
Average:       262144    786432     75.00     10240    256000    520192     49.61

14:00:00    kbswpfree kbswpused  %swpused  kbswpcad   %swpcad
14:00:10            0         0      0.00         0      0.00
Average:            0         0      0.00         0      0.00

14:00:00      runq-sz  plist-sz   ldavg-1   ldavg-5  ldavg-15
14:00:10            4       120      0.61      0.13      0.04
Average:            4       120      0.61      0.13      0.04

14:00:00          DEV       tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz     await     svctm     %util
14:00:10       dev8-0     40.00   2000.00    400.00     60.00      0.40     10.00      2.00      8.00
Average:       dev8-0     40.00   2000.00    400.00     60.00      0.40     10.00      2.00      8.00

14:00:00        IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s
14:00:10           lo      0.00      0.00      0.00      0.00      0.00      0.00      0.00
14:00:10         eth0  70000.00   5000.00  98765.43    250.00      0.00      0.00      0.00
Average:           lo      0.00      0.00      0.00      0.00      0.00      0.00      0.00
Average:         eth0  70000.00   5000.00  98765.43    250.00      0.00      0.00      0.00

14:00:00        IFACE   rxerr/s   txerr/s    coll/s  rxdrop/s  txdrop/s  txcarr/s  rxfram/s  rxfifo/s  txfifo/s
14:00:10           lo      0.00      0.00      0.00      0.00      0.00      0.00      0.00      0.00      0.00
14:00:10         eth0      0.00      0.00      0.00      0.00      0.00      0.00      0.00      0.00      0.00
Average:           lo      0.00      0.00      0.00      0.00      0.00      0.00      0.00      0.00      0.00
Average:         eth0      0.00      0.00      0.00      0.00      0.00      0.00      0.00      0.00      0.00
"""  # noqa: E501


def exact() -> Course:
    """One interval of a guest whose numbers are easy to work out."""
    run = course(intervals=1, nodes=0, servers=1, disks=1)
    (guest,) = run.guests
    numbers = {
        "user_ifl": 2, "system_ifl": 0.5, "iowait_ifl": 0.25, "steal_ifl": 0.01,
        "memory_used_mib": 768, "cached_mib": 250, "buffers_mib": 10, "run_queue": 1.4,
        "tasks": 120, "context_switches_per_s": 12000.25, "created_per_s": 1.5,
        "interrupts_per_s": 9000,
    }  # fmt: skip
    disk = {"reads_per_s": 30, "writes_per_s": 10, "read_kib_s": 1000, "write_kib_s": 200,
            "service_ms": 2, "wait_ms": 10}  # fmt: skip
    card = {"rx_packets_per_s": 70000, "tx_packets_per_s": 5000, "rx_kib_s": 98765.43,
            "tx_kib_s": 250}  # fmt: skip

    def filled(thing: Any, values: Mapping[str, float]) -> Any:
        return replace(thing, **{name: np.array([float(each)]) for name, each in values.items()})

    guest = filled(guest, numbers)
    guest = replace(
        guest,
        name="db1",
        vcpus=4,
        memory_mib=1024,
        disks=(filled(guest.disks[0], disk),),
        interfaces=(filled(guest.interfaces[0], card),),
    )
    return replace(run, guests=(guest,))


def test_a_report_to_the_character() -> None:
    run = exact()
    assert "\n".join([*sar.lines(run, run.guests[0], per_cpu=False), ""]) == EXACT


def test_averages_by_plain_arithmetic() -> None:
    """No reader here: lines are split at blanks, and added up."""
    run = course(8, intervals=90)
    sections: dict[str, dict[str, list[list[float]]]] = {}
    averages: dict[str, dict[str, list[float]]] = {}
    heading = ""
    for line in list(sar.lines(run, run.guests[3]))[1:]:
        time, *words = line.split() or [""]
        if not words:
            continue
        if not words[-1].replace(".", "").isdigit():
            heading = " ".join(words)
            continue
        item = words.pop(0) if heading.split()[0] in ("CPU", "INTR", "DEV", "IFACE") else ""
        numbers = [float(word) for word in words]
        if time == "Average:":
            averages.setdefault(heading, {})[item] = numbers
        else:
            sections.setdefault(heading, {}).setdefault(item, []).append(numbers)
    assert len(sections) == 10
    for heading, items in sections.items():
        names = heading.split()[-len(next(iter(items.values()))[0]) :]
        for item, rows in items.items():
            assert len(rows) == 90
            mean = np.mean(rows, axis=0)
            found = dict(zip(names, averages[heading][item], strict=True))
            wanted = dict(zip(names, mean, strict=True))
            if "await" in names:
                # Those of a request: each counts as often as there were requests.
                table = dict(zip(names, np.transpose(rows), strict=True))
                for name in ("avgrq-sz", "await", "svctm"):
                    wanted[name] = np.average(table[name], weights=table["tps"])
            for name in names:
                whole = name.startswith("kb") or name in ("runq-sz", "plist-sz")
                assert abs(found[name] - wanted[name]) <= (0.5 if whole else 2 * HALF), name
            if "%idle" in names:
                assert np.abs(np.sum(rows, axis=1) - 100).max() < 0.05


def test_headings_come_again(tmp_path: Path) -> None:
    run = course(intervals=170, nodes=1, servers=0)
    _, rows = written(tmp_path, run, run.guests[0])
    headings = {row["activity"]: row["headings"] for row in rows["sar_section"]}
    assert headings.pop("sar_cpu") == 3  # after 84 samples of all processors
    assert set(headings.values()) == {1}
    text = list(sar.lines(run, run.guests[0]))
    again = [number for number, line in enumerate(text) if " %user " in line]
    assert np.diff(again).tolist() == [84 * 9 + 2] * 2
    assert text[again[1]][:8] == text[again[1] - 2][:8] == "14:14:00"
    assert text[again[1] - 1] == ""
    alone = [line for line in sar.lines(run, run.guests[0], per_cpu=False) if " %user " in line]
    assert len(alone) == 1


def test_headings_come_again_with_many_disks() -> None:
    run = course(intervals=101, nodes=0, servers=1, disks=864)
    headings = [line for line in sar.lines(run, run.guests[0]) if " rd_sec/s " in line]
    assert [heading[:8] for heading in headings] == ["14:00:00", "14:16:40"]


def test_a_busy_disk_is_busy_no_more_than_always(tmp_path: Path) -> None:
    run = exact()
    (guest,) = run.guests
    disk = replace(guest.disks[0], service_ms=np.array([50.0]), wait_ms=np.array([80.0]))
    idle = replace(disk, minor=16, reads_per_s=np.zeros(1), writes_per_s=np.zeros(1),
                   read_kib_s=np.zeros(1), write_kib_s=np.zeros(1))  # fmt: skip
    _, rows = written(tmp_path, run, replace(guest, disks=(disk, idle)))
    busy, quiet = rows["sar_disk"]
    assert (busy["util_percent"], busy["service_ms"], busy["await_ms"]) == (100, 25, 80)
    assert (quiet["util_percent"], quiet["service_ms"], quiet["await_ms"]) == (0, 0, 0)


def test_processors_have_their_bounds(tmp_path: Path) -> None:
    run = course(intervals=20)
    guest = run.guests[0]
    rest = guest.vcpus - (guest.system_ifl + guest.iowait_ifl + guest.steal_ifl)
    full = replace(guest, user_ifl=rest)
    _, rows = written(tmp_path, run, full)
    assert {row["idle_percent"] for row in rows["sar_cpu"]} == {0}
    with pytest.raises(StudyBookError, match=r"ECMnod1 needs 8\.50 processors in interval 1 of"):
        list(sar.lines(run, replace(guest, user_ifl=rest + 0.5)))


# --- what happens to the host -----------------------------------------------------------


def test_the_clock_goes_past_midnight(tmp_path: Path) -> None:
    run = course(start=START.replace(hour=23, minute=58), intervals=30)
    for locale in (sar.C, sar.EN_US):
        _, rows = written(tmp_path, run, run.guests[2], locale=locale)
        times = column(rows, "sar_disk", "time_local", device="dev8-0").tolist()
        first = datetime(2016, 6, 14, 23, 58, 10)
        assert times == [first + timedelta(seconds=10 * number) for number in range(30)]
        assert len(rows["sar_report"]) == 1


def test_the_hour_of_summer_time_comes_twice() -> None:
    run = course(start=START.replace(month=10, day=30, hour=2, minute=58), intervals=1,
                 interval_s=300)  # fmt: skip
    ends = [line for line in sar.lines(run, run.guests[0]) if " all " in line]
    assert ends[0].startswith("02:03:00")


def test_a_restart(tmp_path: Path) -> None:
    run = course(5, intervals=60)
    guest = run.guests[2]
    _, rows = written(tmp_path, run, guest, restart_at=20)
    (mark,) = rows["sar_mark"]
    start = START.replace(tzinfo=None)
    assert (mark["kind"], mark["cpus"]) == ("restart", None)
    assert mark["time_local"] == start + timedelta(seconds=200 + sar.REBOOT_S)
    assert sar.down(run, 20) == range(20, 28)
    there = [*range(20), *range(28, 60)]
    for table, item in (("sar_cpu", {"cpu": "all"}), ("sar_disk", {"device": "dev8-0"}),
                        ("sar_queue", {})):  # fmt: skip
        times = column(rows, table, "time_local", **item).tolist()
        assert times == [start + timedelta(seconds=10 * (number + 1)) for number in there]
        assert column(rows, table, "segment", **item).tolist() == [0] * 20 + [1] * 32
        assert set(column(rows, table, "interval_s", **item).tolist()) == {10}
    disk = guest.disks[0]
    near(column(rows, "sar_disk", "await_ms", device="dev8-0"), disk.wait_ms[there])
    load = column(rows, "sar_queue", "load_15min")
    assert load[20] < load[19] / 2
    averages = [row["value"] for row in rows["sar_average"] if row["name"] == "created_per_s"]
    near(np.array(averages), [guest.created_per_s[:20].mean(), guest.created_per_s[28:].mean()])


def test_a_restart_needs_its_time(tmp_path: Path) -> None:
    run = course(intervals=9)
    assert sar.down(run, 1) == range(1, 9)
    _, rows = written(tmp_path, run, run.guests[0], restart_at=1)
    assert len(rows["sar_mark"]) == 1
    assert {row["segment"] for row in rows["sar_cpu"]} == {0}
    for restart_at in (-1, 2, 9):
        with pytest.raises(StudyBookError, match="fall earlier"):
            list(sar.lines(run, run.guests[0], restart_at=restart_at))


@pytest.mark.parametrize(
    ("locale", "date"),
    [(sar.C, "06/14/16"), (sar.EN_US, "06/14/2016"), (sar.DE_DE, "14.06.2016"),
     (sar.ISO, "2016-06-14")],
)  # fmt: skip
def test_locales(tmp_path: Path, locale: sar.Locale, date: str) -> None:
    run = course(2, intervals=12, start=START.replace(hour=12, minute=59))
    guest = run.guests[2]
    text = list(sar.lines(run, guest, locale=locale))
    _, rows = written(tmp_path, run, guest, locale=locale)
    _, plain = written(tmp_path, run, guest)
    assert rows["sar_report"][0].pop("date_printed") == date
    for each in (rows, plain):
        del each["sar_report"]
    assert rows == plain
    averages = [line for line in text if line.startswith(locale.average)]
    assert len(averages) == len([line for line in sar.lines(run, guest) if "Average:" in line])
    decimal = "," if locale == sar.DE_DE else "."
    assert all(line.count(decimal) == 6 for line in text if " all " in line)
    assert text[2].startswith("12:59:00 PM " if locale.twelve_hours else "12:59:00    ")


# --- what happens to the file -----------------------------------------------------------


@pytest.mark.parametrize(
    "marks",
    [
        Faults(line_end="\r\n"),
        Faults(compression="gz"),
        Faults(compression="xz"),
        Faults(compression="zst"),
        Faults(encoding="utf-16"),
        Faults(line_end="\r\n", encoding="latin-1", compression="gz"),
    ],
)
def test_a_file_that_was_copied_reads_alike(tmp_path: Path, marks: Faults) -> None:
    run = course(intervals=40)
    guest = run.guests[2]
    _, plain = written(tmp_path, run, guest)
    reading, rows = read(write(tmp_path / f"s{marks.suffix}", sar.lines(run, guest), marks))
    assert reading.lines_not_understood == 0
    assert rows == plain
    assert len(marks.sentences()) == sum(
        getattr(marks, name) != getattr(Faults(), name)
        for name in ("line_end", "encoding", "compression")
    )


def test_a_file_that_is_cut(tmp_path: Path) -> None:
    run = course(intervals=40)
    guest = run.guests[2]
    whole_reading, whole = written(tmp_path, run, guest)
    marks = Faults(cut_last_line=True)
    reading, rows = read(write(tmp_path / "cut.txt", sar.lines(run, guest), marks))
    assert reading.lines == whole_reading.lines
    ((line, _),) = reading.not_understood
    assert line == reading.lines
    # The last line has averages of the last interface.
    lost = [row for row in whole["sar_average"] if row["line"] == line]
    assert lost
    assert rows.pop("sar_average") == [row for row in whole.pop("sar_average") if row not in lost]
    assert rows == whole


TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=9))


@given(TEXTS, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["utf-8", "utf-16", "cp037"]),
       st.booleans(), st.integers(1, 4))  # fmt: skip
@settings(max_examples=60)
def test_bytes_are_those_of_the_lines(
    texts: list[str], line_end: faults.LineEnd, encoding: str, cut: bool, block: int
) -> None:
    if encoding == "cp037":
        texts = [text.encode("ascii", "ignore").decode() for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(faults, "_LINES", block)
        found = b"".join(faults.encode(iter(texts), line_end, encoding, cut)).decode(encoding)
    whole = "".join(text + line_end for text in texts)
    if cut and texts:
        assert whole.startswith(found)
        left = len(found) - len("".join(text + line_end for text in texts[:-1]))
        assert left == len(texts[-1]) * 2 // 3
    else:
        assert found == whole


def test_packed_files_tell_nothing_of_their_making(tmp_path: Path) -> None:
    chunks = [b"one\n" * 1000, b"two\n"]
    (tmp_path / "elsewhere").mkdir()
    for kind in ("none", "gz", "xz", "zst"):
        one, other = tmp_path / "one", tmp_path / "elsewhere" / "other"
        for path in (one, other):
            faults.compress(path, iter(chunks), kind)
        assert one.read_bytes() == other.read_bytes()
    faults.compress(tmp_path / "x", chunks, "gz")
    packed = (tmp_path / "x").read_bytes()
    assert packed[3:8] == bytes(5)  # no flags, so no name; and no time
    assert gzip.decompress(packed) == b"".join(chunks)


def test_every_fault_has_a_sentence() -> None:
    assert Faults().sentences() == []
    assert Faults().suffix == ""
    every = Faults("de_DE", True, 3, 4, 5, "\r\n", "latin-1", True, "zst")
    assert len(every.sentences()) == 9
    assert all(sentence.endswith(".") for sentence in every.sentences())
    assert "interval 4," in every.sentences()[2]


# --- any course -------------------------------------------------------------------------


@given(
    st.integers(0, 2**32),
    st.integers(1, 40),
    st.sampled_from([1, 5, 7, 10, 60, 600]),
    st.integers(7, 13),
    st.booleans(),
    st.sampled_from([sar.C, sar.EN_US, sar.DE_DE, sar.ISO]),
    st.one_of(st.none(), st.integers(0, 39)),
    st.integers(0, 86_399),
)
@settings(max_examples=60, deadline=None)
def test_any_course_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    intervals: int,
    interval_s: int,
    vcpus: int,
    per_cpu: bool,
    locale: sar.Locale,
    restart_at: int | None,
    second: int,
) -> None:
    start = START.replace(hour=0) + timedelta(seconds=second)
    run = course(seed, intervals=intervals, interval_s=interval_s, vcpus=vcpus, start=start)
    away = range(0)
    if restart_at is not None:
        if restart_at * interval_s + sar.REBOOT_S >= intervals * interval_s:
            restart_at = None
        else:
            away = sar.down(run, restart_at)
    there = [number for number in range(intervals) if number not in away]
    for guest in (run.guests[0], run.guests[-1]):
        text = sar.lines(run, guest, per_cpu=per_cpu, locale=locale, restart_at=restart_at)
        reading, rows = read(write(tmp_path_factory.getbasetemp() / "any.txt", text))
        assert reading.lines_not_understood == 0
        assert False not in {row["agrees"] for row in rows.get("sar_average", [])}
        if not there:
            continue
        times = [
            (start + timedelta(seconds=(number + 1) * interval_s)).replace(tzinfo=None)
            for number in there
        ]
        assert column(rows, "sar_task", "time_local").tolist() == times
        near(column(rows, "sar_task", "created_per_s"), guest.created_per_s[there])
        shares = 100 * guest.user_ifl[there] / guest.vcpus
        near(column(rows, "sar_cpu", "user_percent", cpu="all"), shares)
        assert len(rows["sar_cpu"]) == len(there) * (1 + guest.vcpus * per_cpu)
        names = ("user", "nice", "system", "iowait", "steal", "idle")
        cpus = np.array([[row[f"{name}_percent"] for name in names] for row in rows["sar_cpu"]])
        assert (cpus >= 0).all()
        near(cpus.sum(axis=1), np.full(len(cpus), 100), 0.05)
        load = column(rows, "sar_queue", "load_1min")
        assert (load <= column(rows, "sar_queue", "run_queue").max() + HALF).all()


def test_the_same_bytes_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    text = list(sar.lines(course(4, intervals=50), course(4, intervals=50).guests[2]))
    monkeypatch.setattr(sar.report, "BLOCK", 7)
    run = course(4, intervals=50)
    assert list(sar.lines(run, run.guests[2])) == text
    assert list(sar.lines(run, run.guests[3])) != text
    assert list(sar.lines(replace(run, seed=(5, 7)), run.guests[2])) != text


# --- captures ---------------------------------------------------------------------------


def test_counters_of_ifconfig_are_sums_of_the_course(tmp_path: Path) -> None:
    run = course(6, intervals=50)
    guest = run.guests[0]
    for passed in (None, 20, 0):
        path = write(tmp_path / "ifconfig.txt", linux_captures.ifconfig(run, guest, passed))
        reading, rows = read(path)
        assert reading.lines_not_understood == 0
        names = [row["interface"] for row in rows["linux_interface"]]
        assert names == ["eth0", "eth1", "lo"]
        assert {row["host"] for row in rows["linux_interface"]} == {guest.name}
        counters = {
            (row["interface"], row["direction"]): row for row in rows["linux_interface_counter"]
        }
        for card, shown in zip(guest.interfaces, rows["linux_interface"], strict=False):
            assert (shown["mtu_bytes"], shown["mac"]) == (card.mtu, card.mac.upper())
            assert shown["up"]
            for direction in ("rx", "tx"):
                packets = map(Fraction, getattr(card, f"{direction}_packets_per_s")[:passed])
                kib = map(Fraction, getattr(card, f"{direction}_kib_s")[:passed])
                found = counters[card.name, direction]
                assert abs(found["packets"] - 10 * sum(packets)) <= 0.5
                assert abs(found["bytes"] - 10240 * sum(kib)) <= 0.5
        addresses = {(row["interface"], row["family"]): row for row in rows["linux_address"]}
        assert addresses["eth0", "inet"]["address"] == guest.interfaces[0].address
        # The middle of the second card's address has its number, 2.
        assert addresses["eth1", "inet6"]["address"] == "fe80::200:0:200:65"


@pytest.mark.parametrize(
    ("size", "shown"),
    [(0, "0.0 b"), (1024, "1024.0 b"), (1025, "1.0 Kb"), (63956, "62.4 Kb"), (93435, "91.2 Kb"),
     (2**20, "1024.0 Kb"), (2**40 + 2**19, "1048576.5 Mb")],
)  # fmt: skip
def test_rounded_bytes_of_ifconfig(size: int, shown: str) -> None:
    assert linux_captures._rounded(size) == shown


def test_network_cards(tmp_path: Path) -> None:
    run = course(intervals=5)
    guest = run.guests[2]
    text = [*linux_captures.lsqeth(guest), *linux_captures.ifconfig(run, guest)]
    with database() as connection:
        reading = enter(connection, write(tmp_path / "network.txt", text))
        found = connection.execute(
            "SELECT interface, host, mtu_bytes, buffer_count, card_type, layer2"
            " FROM network_interface ORDER BY interface"
        ).fetchall()
        properties = connection.execute(
            "SELECT interface, value FROM linux_qeth_property WHERE property = 'cdev2' ORDER BY 1"
        ).fetchall()
    assert reading.lines_not_understood == 0
    assert found[:2] == [
        ("eth0", "NSDsrv1", 1492, 128, "GuestLAN QDIO", False),
        ("eth1", "NSDsrv1", 8192, 128, "GuestLAN QDIO", False),
    ]
    assert properties == [("eth0", "0.0.0602"), ("eth1", "0.0.0612")]
