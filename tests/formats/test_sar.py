"""Text of sar: two ways of reading that must agree, time that only goes on, and odd layouts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook import formats
from studybook.errors import Refused
from studybook.formats.contract import Hints, Reading
from studybook.formats.raw import BLOCK_BYTES, RawFile
from studybook.formats.sar import digits, text
from studybook.formats.sar.activities import ACTIVITIES, layout_of
from studybook.formats.sar.clock import on
from studybook.formats.sar.dates import Evidence, understand
from studybook.formats.sar.tables import TABLES
from tests.conftest import REPOSITORY
from tests.formats.test_formats import printed
from tests.support.reading import read_text

Rows = dict[str, list[dict[str, Any]]]

FIRST = "Linux 3.0.101-0.47-default (lnx1) \t2016-06-05 \t_s390x_\n"
CPU = "     CPU     %user     %nice   %system   %iowait    %steal     %idle"
DISK = "       DEV       tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz     await     svctm     %util"


class InSmallBlocks(RawFile):
    """A file that is handed out in blocks of another size."""

    size = BLOCK_BYTES

    def blocks(self, size: int = BLOCK_BYTES) -> Iterator[tuple[int, bytes]]:
        """Hand out no more than the size at once."""
        yield from super().blocks(min(size, self.size))


def take(
    path: Path, *, plain: bool = False, size: int = BLOCK_BYTES, hints: Hints | None = None
) -> tuple[Reading, Rows]:
    """Read a file one way or the other; rows in the order of their lines."""
    rows: Rows = {}
    raw = InSmallBlocks(path)
    raw.size = size
    reading = Reading(
        TABLES,
        lambda table, batch: rows.setdefault(table, []).extend(batch.to_pylist()),
        hints or Hints(),
    )
    text.read(raw, reading, plain=plain)
    reading.finish()
    rows = printed(rows)
    for row in rows.get("sar_interrupt", []):
        row["line"] = 0  # where a list begins depends on where a block does
    for each in rows.values():
        each.sort(key=lambda row: (row["line"], row.get("name") or "", row.get("cpu") or ""))
    return reading, rows


def take_text(
    content: str, folder: Path, name: str = "sar.txt", **how: Any
) -> tuple[Reading, Rows]:
    path = folder / name
    path.write_bytes(content.encode())
    reading, rows = take(path, **how)
    assert reading.lines == sum(1 for _ in RawFile(path).lines())
    return reading, rows


def same(one: tuple[Reading, Rows], other: tuple[Reading, Rows]) -> None:
    """Hold two readings of one file to the same rows, and the same account of its lines."""
    (first, rows), (second, others) = one, other
    assert first.lines == second.lines
    assert first.lines_in_records == second.lines_in_records
    assert sorted(first.not_understood) == sorted(second.not_understood)
    assert rows.keys() == others.keys()
    for table, each in rows.items():
        assert len(each) == len(others[table]), table
        for found, wanted in zip(each, others[table], strict=True):
            # A mean of many rows may be added up in another order.
            means = [row.pop("mean_of_rows", None) or 0.0 for row in (found, wanted)]
            assert math.isclose(*means, rel_tol=1e-9, abs_tol=1e-9)
            assert found == wanted, table


# --- two ways that must agree -----------------------------------------------------------


def test_both_ways_agree_on_all_samples(samples_dir: Path) -> None:
    small = np.random.default_rng(1)
    count = 0
    for path in sorted((samples_dir / "sar").rglob("*.txt")):
        if not text.recognise(RawFile(path).head) or "negative" in path.parts:
            continue
        if path.stat().st_size > 250_000 or path.name.endswith("en_US.txt"):
            continue  # these take long, and are like others
        order: Any = "day-first" if re.search("de_DE|fr_FR", path.name) else "month-first"
        hints = Hints(order)
        plain = take(path, plain=True, hints=hints)
        size = max(path.stat().st_size // 60, int(small.integers(300, 20_000)))
        same(take(path, hints=hints, size=size), plain)
        count += 1
    assert count > 30


NUMBER = st.one_of(
    st.floats(0, 2000).map(lambda value: f"{value:9.2f}"),
    st.floats(-2000, 1e15).map(lambda value: f"{value:9.2f}"),
    st.sampled_from(["     0.00", "     0,00", "      N/A", "        7", "  46.70%", "x", "1 2"]),
)


@st.composite
def reports(draw: st.DrawFn) -> str:
    """A report of any layout: some sections, rows with odd cells, restarts and comments."""
    lines = [FIRST.rstrip()]
    now = draw(st.integers(0, 86_399))
    step = draw(st.sampled_from([1, 60, 600, 3000]))
    devices = draw(st.lists(st.sampled_from(["sda", "dasdb", "dev94-0", "x" * 12]), unique=True))
    live, odd = draw(st.booleans()), draw(st.booleans())

    def clock(moment: int) -> str:
        moment %= 86_400
        return f"{moment // 3600:02}:{moment // 60 % 60:02}:{moment % 60:02}"

    sections = [(CPU, ["all", "0", "1"], 6), (DISK, devices, 8), ("   proc/s   cswch/s", [""], 2)]
    for _ in range(draw(st.integers(1, 3))):
        samples = draw(st.integers(0, 40))
        order = [(number, each) for number in range(samples) for each in sections]
        if not live:
            order.sort(key=lambda pair: sections.index(pair[1]))
        seen = set()
        for number, (heading, items, width) in order:
            if live or heading not in seen:
                lines += ["", f"{clock(now + number * step):11}{heading}"]
                seen.add(heading)
            for item in items:
                cells = draw(st.lists(NUMBER, min_size=width, max_size=width)) if odd else [
                    f"{number * 7.25 + place:9.2f}" for place in range(width)
                ]  # fmt: skip
                name = f"{item:>8}" if item else ""
                lines.append(f"{clock(now + (number + 1) * step):11}{name} {' '.join(cells)}")
            if draw(st.integers(0, 30)) == 0:
                lines.append(f"{clock(now + (number + 1) * step):11}  COM a word")
        now += samples * step
        lines += ["", f"{clock(now + 1):11}       LINUX RESTART"]
    return "\n".join(lines) + "\n"


@settings(max_examples=40, deadline=None)
@given(report=reports(), size=st.integers(200, 9000))
def test_both_ways_agree(tmp_path_factory: pytest.TempPathFactory, report: str, size: int) -> None:
    folder = tmp_path_factory.mktemp("sar")
    plain = take_text(report, folder, plain=True)
    same(take_text(report, folder), plain)
    same(take_text(report, folder, size=size), take_text(report, folder, plain=True))
    # Time goes on, for each item and as a whole; each line of values is one row.
    for table in ("sar_cpu", "sar_disk", "sar_task"):
        last: dict[Any, datetime] = {}
        for row in plain[1].get(table, []):
            item = row.get("cpu") or row.get("device")
            assert row["time_local"] >= last.get(item, row["time_local"])
            assert row["interval_s"] is None or row["interval_s"] >= 0
            last[item] = row["time_local"]


@pytest.mark.parametrize("size", [100, 200, BLOCK_BYTES])
@pytest.mark.parametrize("plain", [True, False])
def test_a_comment_is_of_the_day_of_the_heading_before_it(
    tmp_path: Path, plain: bool, size: int
) -> None:
    lines = [FIRST.rstrip()]
    times = ["23:40:00", "23:50:00", "00:00:00", "00:10:00"]
    for begin, end in pairwise(times):
        # No disk has rows: only the heading tells which day it is.
        lines += ["", f"{begin:11}{CPU}", f"{end:11}     all" + 6 * "     1.00"]
        lines += ["", f"{begin:11}{DISK}"]
    comment = [f"{'00:10:00':11}  COM a word"]
    _, rows = take_text("\n".join(lines + comment) + "\n", tmp_path, plain=plain, size=size)
    (mark,) = rows["sar_mark"]
    assert mark["time_local"] == datetime(2016, 6, 6, 0, 10)


@given(
    st.lists(
        st.one_of(
            st.integers(0, 9_999_999).map(str),
            st.floats(-9999, 99_999).map(lambda value: f"{value:.2f}"),
            st.text("0123456789 .-,x", min_size=1, max_size=9),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_numbers_of_fixed_width_are_what_they_say(cells: list[str]) -> None:
    lines = [f"{'12:00:00':11}{cell:>10}".encode() for cell in cells]
    rows = np.frombuffer(b"".join(lines), np.uint8).reshape(len(lines), 21)
    for decimals in (0, 1, 2):
        (values,), good = digits.read(rows, digits.Fields(11, 10, 1, decimals))
        pattern = r" +-?\d+" + (rf"\.\d{{{decimals}}}" if decimals else "")
        for cell, value, fine in zip(cells, values.tolist(), good.tolist(), strict=True):
            assert fine == bool(re.fullmatch(pattern, f"{cell:>10}", re.ASCII))
            assert not fine or value == float(cell)


# --- layouts ----------------------------------------------------------------------------


def test_every_column_has_one_meaning() -> None:
    for activity in ACTIVITIES:
        names = [*activity.item_names][:1] + list(activity.columns)
        if activity.table != "sar_interrupt":
            found = layout_of(tuple(names))
            assert found
            assert found.activity == activity
        assert activity.as_table().row


@pytest.mark.parametrize(
    ("before", "time", "wanted"),
    [(None, 50, 50), (100, 50, 100 - 50), (90_001, 0, 172_800), (90_000, 3599, 89_999)],
)
def test_the_next_day_begins_when_the_clock_goes_back(
    before: int | None, time: int, wanted: int
) -> None:
    assert on(before, time) == wanted


def test_a_second_section_of_one_name_begins_on_the_same_day(tmp_path: Path) -> None:
    """Releases to 8.1.2 print INTR for the sum, other sections, then INTR for each."""
    content = FIRST + "".join(
        f"\n{8:02}:00:00   {heading}\n"
        + "".join(f"{hour:02}:00:00   {item}\n" for hour in (9, 13, 20))
        for heading, item in (
            ("      INTR    intr/s", "       sum    100.00"),
            ("    proc/s", "      1.00"),
            ("      INTR    intr/s", "         7     50.00"),
        )
    )
    _, rows = take_text(content, tmp_path)
    days = {row["time_local"].date() for row in rows["sar_interrupt"]}
    assert days == {date(2016, 6, 5)}
    assert [row["interval_s"] for row in rows["sar_interrupt"]] == [3600, 14400, 25200] * 2
    assert rows["sar_report"][0]["layout"] == "file"


def test_japanese_times_and_full_width_averages(tmp_path: Path) -> None:
    row = "      1.00" * 5 + "     95.00\n"
    content = (
        FIRST.replace("2016-06-05", "2016年06月05日")
        + f"\n17時45分02秒{CPU}\n17時55分02秒     all{row}平均時間：     all{row}"
    )
    _, rows = take_text(content, tmp_path)
    assert rows["sar_cpu"][0]["time_local"] == datetime(2016, 6, 5, 17, 55, 2)
    assert rows["sar_average"][-1]["agrees"]


REFUSED = {
    "%irq   %soft  %steal": "output of mpstat",
    "HI/s   TIMER/s  SCHED/s": "output of mpstat",
    "intr/s": "output of mpstat",
    "UID       PID    %usr  Command": "output of pidstat",
}


@pytest.mark.parametrize("names", REFUSED)
def test_sister_tools_are_refused(names: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=REFUSED[names]):
        take_text(f"{FIRST}\n10:00:00   CPU  {names}\n10:00:01   all 1 2 3\n", tmp_path)


USR = [
    "CPU",
    "%usr",
    "%nice",
    "%sys",
    "%iowait",
    "%steal",
    "%irq",
    "%soft",
    "%guest",
    "%gnice",
    "%idle",
]
#: Orders of these columns that sar does not print: as mpstat's, backwards, and with ends changed.
OTHER_ORDERS = [
    [*USR[:4], "%iowait", "%irq", "%soft", "%steal", *USR[8:]],
    ["CPU", *USR[:0:-1]],
    ["CPU", "%idle", *USR[1:-1]],
    ["CPU", "%irq", "%soft", *USR[1:6], *USR[8:]],
]


@pytest.mark.parametrize("names", OTHER_ORDERS, ids=" ".join)
def test_sar_and_mpstat_are_told_apart_in_any_order_of_columns(
    names: list[str], tmp_path: Path
) -> None:
    """By how wide columns are: the columns themselves are the same."""
    cells = ["all", *(f"{10.0 + USR.index(name):.2f}" for name in names[1:])]
    found = []
    for width in (10, 8):
        lines = ("".join(cell.rjust(width) for cell in each) for each in (names, cells))
        heading, row = lines
        name, reading, rows = read_text(
            tmp_path, f"{FIRST}\n10:00:00 {heading}\n10:00:01 {row}\n10:00:02 {row}\n"
        )
        assert not reading.lines_not_understood
        found.append(name)
        first = rows["sar_cpu_all" if width == 10 else "mpstat_cpu"][0]
        assert [first[f"{each}_percent"] for each in ("iowait", "steal", "irq", "idle")] == [
            14, 15, 16, 20,
        ]  # fmt: skip
    assert found == ["sar-text", "mpstat-text"]


def test_columns_in_an_order_of_someone_else_are_not_called_those_of_mpstat(tmp_path: Path) -> None:
    """With one blank between, nothing tells whose they were."""
    heading = " ".join(["CPU", *USR[:0:-1]])
    name, _, rows = read_text(tmp_path, f"{FIRST}\n10:00:00 {heading}\n10:00:01 all{' 1' * 10}\n")
    assert (name, len(rows["sar_cpu_all"])) == ("sar-text", 1)


def test_other_tools_are_refused(tmp_path: Path) -> None:
    tape = FIRST + "\nTape:      r/s     w/s   kB_read/s   kB_wrtn/s %Rd %Wr %Oa    Rs/s    Ot/s\n"
    with pytest.raises(Refused, match="output of tapestat"):
        take_text(tape, tmp_path)
    hpux = "HP-UX hpx B.11.31 U ia64    05/05/16\n\n00:00:00    %usr    %sys    %wio   %idle\n"
    with pytest.raises(Refused, match="sar of HP-UX"):
        take_text(hpux, tmp_path)
    with pytest.raises(Refused, match="sar of AIX"):
        take_text(hpux.replace("HP-UX hpx", "$ sar\n\nAIX aix1"), tmp_path)


@pytest.mark.parametrize("names", ["%usr %nice %sys %idle", "%usr %sys %wio %idle physc"])
def test_a_report_of_another_system_is_known_by_its_heading(names: str, tmp_path: Path) -> None:
    (tmp_path / "sar.txt").write_text(f"\n10:00:00   {names}\n10:00:01   5 0 3 92\n")
    head = RawFile(tmp_path / "sar.txt").head
    assert text.recognise(head)
    with pytest.raises(Refused, match="sar of another system"):
        take(tmp_path / "sar.txt")


def test_headings_without_times_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no time in front"):
        take_text(f"{FIRST}\n           {CPU}\n                all" + "  1.00" * 6, tmp_path)


def test_an_empty_report_says_why(tmp_path: Path) -> None:
    reading, rows = take_text(FIRST, tmp_path)
    assert rows.keys() == {"sar_report"}
    assert "no samples" in reading.remarks[0][1]


# --- dates ------------------------------------------------------------------------------

NOTHING = Evidence("sar.txt", (), twelve_hours=False, decimal_comma=False)
JUNE, MAY = date(2016, 6, 5), date(2016, 5, 6)


@pytest.mark.parametrize(
    ("printed", "evidence", "hints", "wanted"),
    [
        ("2016-06-05", NOTHING, Hints(), JUNE),
        ("05.06.16", NOTHING, Hints(), JUNE),
        ("14-02-05", NOTHING, Hints(), date(2005, 2, 14)),
        ("05-06-2016", NOTHING, Hints(), JUNE),
        ("2016년 06월 05일", NOTHING, Hints(), JUNE),
        ("05/06/16", NOTHING, Hints("day-first"), JUNE),
        ("05/06/16", NOTHING, Hints("month-first"), MAY),
        ("05/06/16", NOTHING, Hints(start=date(2016, 6, 4)), JUNE),
        ("05/06/16", Evidence("sar05", (), twelve_hours=True, decimal_comma=False), Hints(), JUNE),
        ("05/06/16", Evidence("sa20160506", (), twelve_hours=False, decimal_comma=False), Hints(),
         MAY),
        ("05/06/16", Evidence("x", ["06/13/16"], twelve_hours=False, decimal_comma=False), Hints(),
         MAY),
        ("05/06/16", Evidence("x", (), twelve_hours=True, decimal_comma=False), Hints(), MAY),
        ("05/06/2016", Evidence("x", (), twelve_hours=False, decimal_comma=True), Hints(), JUNE),
        ("05/05/16", NOTHING, Hints(), date(2016, 5, 5)),
        ("?/?/?", NOTHING, Hints(start=JUNE), JUNE),
    ],
)  # fmt: skip
def test_dates(printed: str, evidence: Evidence, hints: Hints, wanted: date) -> None:
    day, known = understand(printed, evidence, hints, 1)
    assert day == wanted
    assert known


@pytest.mark.parametrize("printed", ["05/06/16", "?/?/?", "31.02.2016", "00/00/0000", "²/٣/16", ""])
def test_dates_that_say_nothing_are_refused(printed: str) -> None:
    with pytest.raises(Refused) as refusal:
        understand(printed, NOTHING, Hints(), 1)
    assert refusal.value.do


def test_a_decimal_comma_and_am_say_nothing_of_a_date_together() -> None:
    both = Evidence("x", (), twelve_hours=True, decimal_comma=True)
    with pytest.raises(Refused, match="nothing in the file tells which"):
        understand("05/06/2016", both, Hints(), 1)


@pytest.mark.parametrize("size", [100, BLOCK_BYTES])
def test_a_report_that_begins_within_a_line_is_not_of_the_day_before(
    tmp_path: Path, size: int
) -> None:
    day = f"{FIRST.rstrip()}\n\n{'12:00:00':11}{CPU}\n{'12:10:00':11}     all{6 * '     1.00'}"
    with pytest.raises(Refused, match=r"put a line end before 'Linux") as refusal:
        take_text(day + day.replace("2016-06-05", "2016-06-06"), tmp_path, size=size)
    assert refusal.value.line == 4


@pytest.mark.parametrize("front", ["\0\0\0", "== oak ==", "$ sar -u; "])
def test_a_report_behind_other_things_is_not_of_the_day_before(front: str, tmp_path: Path) -> None:
    rows = f"\n{'12:00:00':11}{CPU}\n{'12:10:00':11}     all{6 * '     1.00'}\n"
    with pytest.raises(Refused, match="put a line end before 'Linux") as refusal:
        take_text(FIRST + rows + front + FIRST.replace("2016-06-05", "2016-06-06") + rows, tmp_path)
    assert refusal.value.line == 5


def test_another_report_in_the_file_tells_the_order(tmp_path: Path) -> None:
    one = FIRST.replace("2016-06-05", "05/06/16")
    _, rows = take_text(one + FIRST.replace("2016-06-05", "05/13/16"), tmp_path)
    assert {row["date_known"] for row in rows["sar_report"]} == {
        "month-first, as another date in the file",
        "month-first, by the date itself",
    }
    with pytest.raises(Refused, match=r"sar\.txt|nothing in the file") as refusal:
        take_text(one, tmp_path)
    assert "date_order" in refusal.value.do


# --- what real outputs have, too --------------------------------------------------------


def cpu_rows(times: Iterator[str] | list[str], cell: str = "      1.00") -> str:
    """Rows of CPU; enough of them are read as a matrix."""
    return "".join(f"{time:11}     all{cell * 6}\n" for time in times)


def clocks(number: int, form: str = "{:02}:{:02}:{:02}") -> list[str]:
    return [form.format(10, minute // 60, minute % 60) for minute in range(number)]


def test_times_with_points_are_no_averages(tmp_path: Path) -> None:
    times = clocks(300, "{:02}.{:02}.{:02}")
    rows = cpu_rows(times, "      1,00")
    content = f"{FIRST}\n09.59.59   {CPU}\n{rows}{cpu_rows(['Keskiarvo:'], '      1,00')}"
    fast = take_text(content, tmp_path)
    assert len(fast[1]["sar_cpu"]) == 300
    assert len(fast[1]["sar_average"]) == 6
    same(fast, take_text(content, tmp_path, plain=True))


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("words", ["1 2 3 4 5 6", "      1.00" * 6, "5"])
def test_a_comment_of_numbers_is_no_row(words: str, plain: bool, tmp_path: Path) -> None:
    comment = f"10:02:30     COM {words}\n"
    content = f"{FIRST}\n09:59:59   {CPU}\n{cpu_rows(clocks(150))}{comment}" + cpu_rows(
        ["10:02:31"]
    )
    _, rows = take_text(content, tmp_path, plain=plain)
    assert {row["cpu"] for row in rows["sar_cpu"]} == {"all"}
    assert [row["text"] for row in rows["sar_mark"]] == [words.strip()]


def test_a_comment_is_that_of_the_first_section(tmp_path: Path) -> None:
    """However the file is parted into blocks."""
    task = "    proc/s   cswch/s"
    content = FIRST + "".join(
        f"\n10:00:{n:02}   {head}\n10:00:{n + 1:02}   {row}\n10:00:{n + 1:02}     COM a word\n"
        for n in range(28)
        for head, row in ((CPU, "     all" + "      1.00" * 6), (task, "      1.00      2.00"))
    )
    whole = take_text(content, tmp_path)
    for size in range(200, 900, 37):
        same(take_text(content, tmp_path, size=size), take_text(content, tmp_path))
    assert len(whole[1]["sar_mark"]) == 28


@pytest.mark.parametrize("words", [("alasiri", "alasiri"), ("asubuhi", "alasiri")])
def test_an_unknown_word_for_a_part_of_the_day_is_refused(
    words: tuple[str, str], tmp_path: Path
) -> None:
    rows = cpu_rows([f"06:28:{n:02} {words[1]}" for n in range(6, 40)])
    with pytest.raises(Refused, match=words[0]) as refusal:
        take_text(f"{FIRST}\n06:28:05 {words[0]}{CPU}\n{rows}", tmp_path)
    assert "LC_ALL=C" in refusal.value.do


@pytest.mark.parametrize("time", ["06:28:{:02} μμ", "மாலை 06:28:{:02} UTC", " 6:28:{:02} galab"])
def test_times_that_are_not_understood_are_refused(time: str, tmp_path: Path) -> None:
    rows = cpu_rows([time.format(n) for n in range(6, 40)])
    with pytest.raises(Refused, match=r"28:0[56]") as refusal:
        take_text(f"{FIRST}\n{time.format(5)}{CPU}\n{rows}", tmp_path)
    assert "LC_ALL=C" in refusal.value.do


def test_a_restart_before_the_rows_that_precede_it_is_remarked(tmp_path: Path) -> None:
    content = f"{FIRST}\n17:59:59   {CPU}\n{cpu_rows(['18:00:01'])}\n{{:11}}  LINUX RESTART\n"
    more = f"\n17:40:00   {CPU}\n{cpu_rows(['17:50:01'])}"
    reading, _ = take_text(content.format("17:30:00") + more, tmp_path)
    assert [line for line, text in reading.remarks if "set back" in text] == [6]
    reading, _ = take_text(content.format("18:00:01"), tmp_path)
    assert not reading.remarks


def test_colours_are_taken_out(tmp_path: Path) -> None:
    content = f"{FIRST}\n09:59:59   {CPU}\n{cpu_rows(clocks(100))}"
    coloured = content.replace("     all", "\x1b[32;22m     all\x1b[0m").replace(
        "      1.00", "\x1b[34;1m      1.00\x1b[0m"
    )
    same(take_text(coloured, tmp_path), take_text(content, tmp_path))
    (tmp_path / "coloured.txt").write_text(coloured, encoding="utf-8")
    _, reading = formats.read(tmp_path / "coloured.txt", lambda table, batch: None)
    assert reading.repairs == [(1, "colours for a terminal were taken out of this file")]


@pytest.mark.parametrize("plain", [False, True])
def test_a_clock_of_twelve_hours_without_its_halves_is_refused(plain: bool, tmp_path: Path) -> None:
    begin = datetime(2016, 6, 5, 0, 0, 1)
    times = [begin + timedelta(minutes=10 * each) for each in range(144)]
    row = "     all      1.50      0.00      0.50      0.25      0.25     97.50"
    for clock, most in (("%H:%M:%S", 1), ("%I:%M:%S %p", 1), ("%I:%M:%S", 0)):
        lines = [f"{each:{clock}}{row if place else CPU}" for place, each in enumerate(times)]
        content = FIRST + "\n" + "\n".join(lines) + "\n"
        if most:
            _, rows = take_text(content, tmp_path, plain=plain)
            assert [each["time_local"] for each in rows["sar_cpu"]] == times[1:]
        else:
            with pytest.raises(Refused, match="without AM or PM"):
                take_text(content, tmp_path, plain=plain)


def test_a_report_without_its_first_line_takes_its_day_from_the_run(tmp_path: Path) -> None:
    content = (REPOSITORY / "tests/data/sar/sar-headless.txt").read_text(encoding="utf-8")
    _, whole = take_text(FIRST + content, tmp_path)
    reading, rows = take_text(content, tmp_path, hints=Hints(start=date(2016, 6, 5)))
    (report,) = rows.pop("sar_report")
    assert whole.pop("sar_report")
    assert (report["host"], report["date_printed"]) == (None, None)
    assert report["date_known"] == "not printed; the start of the run in run.yml"
    assert any("taken as begun on 2016-06-05" in text for _, text in reading.remarks)
    for row in (row for each in whole.values() for row in each):
        row["line"] -= 1
    assert rows == whole


def test_no_samples_is_said_only_where_all_else_is_understood(tmp_path: Path) -> None:
    reading, _ = take_text(f"{FIRST}\n09:59:59   {CPU}\n", tmp_path)
    assert "newer releases" in reading.remarks[0][1]
    reading, _ = take_text(f"{FIRST}\n09:59:59   {CPU}\nwhat is this\n", tmp_path)
    assert "newer releases" not in reading.remarks[0][1]


@pytest.mark.parametrize("before", ["$ sar -A\n", "# Results\n\n```\n", "a (b)\n\n"])
def test_a_report_may_begin_behind_other_lines(before: str, tmp_path: Path) -> None:
    content = f"{before}{FIRST}\n09:59:59   {CPU}\n{cpu_rows(clocks(100))}```\n"
    (tmp_path / "sar.txt").write_text(content)
    assert text.recognise(RawFile(tmp_path / "sar.txt").head)
    reading, rows = take_text(content, tmp_path)
    assert len(rows["sar_cpu"]) == 100
    assert reading.lines_not_understood == sum(map(bool, before.splitlines())) + 1
    assert rows["sar_report"][0]["line"] == before.count("\n") + 1


@pytest.mark.parametrize("mark", ["    ", "> ", "\t"])
def test_a_quoted_report_is_refused(mark: str, tmp_path: Path) -> None:
    content = f"{FIRST}\n09:59:59   {CPU}\n{cpu_rows(clocks(30))}"
    quoted = "See below:\n" + "".join(f"{mark}{line}\n" for line in content.splitlines())
    (tmp_path / "sar.txt").write_text(quoted)
    assert text.recognise(RawFile(tmp_path / "sar.txt").head)
    with pytest.raises(Refused, match="begins at line 2"):
        take_text(quoted, tmp_path)


def test_prose_on_linux_is_no_report(tmp_path: Path) -> None:
    for line in (
        "Linux kernel (5.14) was used",
        "> Linux 5.14 (see below) is old",
        "x\nLinux a (b) c",
    ):
        (tmp_path / "sar.txt").write_text(f"Notes\n{line}\n")
        assert not text.recognise(RawFile(tmp_path / "sar.txt").head)


def test_another_thing_behind_the_report_is_remarked(tmp_path: Path) -> None:
    content = f"{FIRST}\n09:59:59   {CPU}\n{cpu_rows(clocks(100))}"
    for size in (300, 2_000, BLOCK_BYTES):
        reading, _ = take_text(content + "vm;1;2;3\n" * 25, tmp_path, size=size)
        assert reading.remarks[0][0] == 104
        assert "from line 104 on" in reading.remarks[0][1]
        reading, _ = take_text(
            content + "vm;1;2;3\n" * 25 + cpu_rows(["11:00:00"]), tmp_path, size=size
        )
        assert not reading.remarks


@pytest.mark.parametrize("line", ["12:00:10     COM started", "   "])
def test_a_line_behind_a_restart_opens_no_section(line: str, tmp_path: Path) -> None:
    rows = "Average:        all" + "      1.00" * 6
    table = " kbmemfree kbmemused\n{}         1         1\n"
    content = (
        f"{FIRST}\n09:59:59   {CPU}\n{cpu_rows(clocks(10))}{rows}\n"
        f"\n09:59:59   {table.format('10:00:00   ')}\n12:00:00     LINUX RESTART\n{line}\n"
        f"\n12:01:00   {CPU}\n{cpu_rows(['12:02:00'])}\n12:01:00   {table.format('12:02:00   ')}"
    )
    for plain in (False, True):
        reading, found = take_text(content, tmp_path, plain=plain)
        assert not reading.lines_not_understood
        assert [each["activity"] for each in found["sar_section"]] == ["sar_cpu", "sar_memory"] * 2
        assert found["sar_report"][0]["layout"] == "file"


def test_a_note_with_a_time_is_no_heading(tmp_path: Path) -> None:
    note = "10:00:30 load phase begins\n"
    content = f"{FIRST}\n09:59:59   {CPU}\n{cpu_rows(clocks(1))}{note}{cpu_rows(clocks(90)[1:])}"
    for plain in (False, True):
        reading, rows = take_text(content, tmp_path, plain=plain)
        assert len(rows["sar_cpu"]) == 90
        assert reading.not_understood == [(5, note.rstrip())]


def test_shares_of_a_processor_that_cannot_be_are_none(tmp_path: Path) -> None:
    good = "00:10:01        all" + "      1.00" * 5 + "     95.00\n"
    bad = "00:20:01        all    -61.00    120.00" + "      1.00" * 3 + "    100.00\n"
    reading, rows = take_text(f"{FIRST}\n00:00:01   {CPU}\n{good}{bad}", tmp_path)
    names = ("user_percent", "nice_percent", "idle_percent")
    found = [tuple(row[name] for name in names) for row in rows["sar_cpu"]]
    assert found == [(1, 1, 95), (None, None, 100)]
    assert [line for line, said in reading.remarks if "cannot be" in said] == [5, 5]
    assert reading.lines_not_understood == 0


#: What a counter of 64 bits that fell by one gives, and in an interval of ten minutes.
FELL = ("18446744073709551615.00", "30744573456182586.02", "1.8e19")


@pytest.mark.parametrize(
    "name",
    ["sar-12-more.txt", "sadf-d-more.csv", "sadf-p-more.txt", "sadf-j-more.json",
     "sadf-x-more.xml"],
)  # fmt: skip
@pytest.mark.parametrize("fell", FELL)
def test_what_a_counter_that_fell_gives_is_no_value(name: str, fell: str, tmp_path: Path) -> None:
    """In the place of each number, in each activity, however it is printed."""
    whole = (REPOSITORY / "tests/data/sar" / name).read_text(encoding="utf-8")
    text = re.sub(r"(?<![\w.-])\d+\.\d\d(?!\d)", fell, whole)
    _, _, rows = read_text(tmp_path, whole)
    _, reading, found = read_text(tmp_path, text)
    lost = 0
    for table, each in found.items():
        if table in ("sar_average", "sar_other"):
            continue  # as they were printed
        for row, before in zip(each, rows[table], strict=True):
            for column in row.keys() - {"line", "interval_s"}:
                values = row[column] if isinstance(row[column], list) else [row[column]]
                assert all(v < 1e15 for v in values if isinstance(v, float)), (table, column)
                lost += row[column] != before[column]
    assert lost > 200 or reading.lines_not_understood
    assert reading.lines_not_understood or "is left out" in reading.remarks[0][1]


def test_an_amount_that_went_below_zero_is_no_value(tmp_path: Path) -> None:
    heading = "00:00:01    kbmemfree   kbavail\n00:10:01 "
    _, reading, rows = read_text(tmp_path, f"{FIRST}\n{heading} 100000 18446744073709551615\n")
    (row,) = rows["sar_memory"]
    assert (row["free_kib"], row["available_kib"]) == (100_000, None)
    told = "available_kib cannot be above 1e+15: 1.8446744073709552e+19 is left out"
    assert (4, told) in reading.remarks


TCP_ERRORS = """
09:00:00    atmptf/s  estres/s {:>9} isegerr/s   orsts/s
09:10:00       53.00     54.25      73.25     76.50     77.75
"""


def test_segments_sent_again_are_known_by_both_names(tmp_path: Path) -> None:
    """Release 12.7.6 has another name for them."""
    found = [
        read_text(tmp_path, FIRST + TCP_ERRORS.format(name))[2]
        for name in ("retrans/s", "retrseg/s")
    ]
    assert [each["sar_tcp_error"][0]["retransmitted_segments_per_s"] for each in found] == [
        73.25
    ] * 2


def test_columns_of_no_known_activity_are_named(tmp_path: Path) -> None:
    _, reading, rows = read_text(tmp_path, FIRST + TCP_ERRORS.format("news/s"))
    assert {row["name"] for row in rows["sar_other"]} >= {"news/s"}
    assert any("orsts/s: not known, kept in sar_other" in said for _, said in reading.remarks)
