"""What is special to the results of Rational Performance Tester."""

from __future__ import annotations

import gzip
import re
import tracemalloc
from collections.abc import Callable
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook.errors import Refused
from studybook.formats import Reading, read
from studybook.formats.raw import Head
from studybook.formats.rpt import INTERVAL, VALUE
from studybook.formats.rpt.data import DataRows
from studybook.formats.rpt.header import counter_of, segments_of
from studybook.formats.rpt.other import recognise_other
from studybook.formats.rpt.start import start_of
from tests.conftest import REPOSITORY
from tests.support import reading
from tests.support.reading import Rows, read_rows
from tests.support.scratch import empty

FIXTURES = REPOSITORY / "tests/data" / "rpt"
PREAMBLE = (
    'Performance Test Run,"Elm [14 Jul 2016 09:30:12 CEST]"\n'
    'Run Start Time,"2016-07-14T09:30:12+0100"\n'
)


def read_file(path: Path) -> tuple[Reading, Rows]:
    """Read a file; return the account and the rows."""
    return read_rows(path)[1:]


def read_text(folder: Path, text: str | bytes, name: str = "report.csv") -> tuple[Reading, Rows]:
    """Read a file of this content."""
    return reading.read_text(folder, text, name)[1:]


def columns(*paths: str) -> str:
    """Return stacked header rows of these paths, written with slashes."""
    parts = [path.split("/") for path in paths]
    depth = max(map(len, parts))
    rows = [
        ["" if row else "Time [ms]", *(part[row] if row < len(part) else "" for part in parts)]
        for row in range(depth)
    ]
    return "".join(",".join(row) + "\n" for row in rows)


# --- the start --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "run_name", "file_name", "utc", "offset_h"),
    [
        # 1468481412345 is 07:30:12.345 UTC; the printed offset leaves out summer time.
        ("2016-07-14T09:30:12+0100", "x [.. 09:30:12 CEST]", "x_1468481412345_R.csv.gz",
         "2016-07-14 07:30:12.345", 2),
        ("2016-07-14T13:00:13+0530", None, "x_1468481412345.csv", "2016-07-14 07:30:12.345", 5.5),
        ("2016-07-14T09:30:12+0100", "x [.. 09:30:12 CEST]", "x.csv", "2016-07-14 07:30:12", 2),
        ("2016-07-14T09:30:12+0200", "x [.. 09:30:12 CEST]", "x.csv", "2016-07-14 07:30:12", 2),
        ("2016-01-14T09:30:12+0100", "x [.. 09:30:12 CET]", "x.csv", "2016-01-14 08:30:12", 1),
        # Abbreviations of several zones: the printed offset decides.
        ("2016-07-14T09:30:12-0600", "x [.. CST]", "x.csv", "2016-07-14 15:30:12", -6),
        ("2016-07-14T09:30:12+0800", "x [.. CST]", "x.csv", "2016-07-14 01:30:12", 8),
        ("2016-07-14T09:30:12+0000", "x [.. BST]", "x.csv", "2016-07-14 08:30:12", 1),
        # Neither: local time, without a guess.
        ("2016-07-14T09:30:12+0100", "x", "x.csv", None, None),
        ("2016-07-14T09:30:12+0100", "x [.. QQQ]", "x.csv", None, None),
        ("2016-07-14T09:30:12+0900", "x [.. CEST]", "x.csv", None, None),
        # A time in the name that is of something else.
        ("2016-07-14T09:30:12+0100", "x", "x_1404974828951_R.csv", None, None),
        ("2016-07-14T20:30:12+0100", "x", "x_1468481412345.csv", None, None),
        ("2016-07-14T20:30:12+0100", "x [.. CEST]", "x_1468481412345.csv",
         "2016-07-14 18:30:12", 2),
        ("2016-02-31T09:30:12+0100", "x", "x.csv", None, None),
    ],
)  # fmt: skip
def test_the_start_is_utc_where_it_is_certain(
    printed: str, run_name: str, file_name: str, utc: str | None, offset_h: float | None
) -> None:
    start = start_of(printed, run_name, file_name)
    assert start.utc == (datetime.fromisoformat(utc) if utc else None)
    assert start.offset_s == (offset_h * 3600 if offset_h is not None else None)


def test_a_printed_offset_that_is_wrong_is_told(tmp_path: Path) -> None:
    text = PREAMBLE + columns("All_Hosts/Run/Active Users/Scalar cumulative") + "5000,1\n"
    reading, _ = read_text(tmp_path, text)
    assert "offset of +1 h from UTC; by the zone CEST in the run's name it is +2 h" in str(
        reading.remarks
    )


def test_a_run_that_was_appended_begins_at_its_own_time(tmp_path: Path) -> None:
    """The file is named after the first."""
    rest = columns("All_Hosts/Run/Active Users/Scalar cumulative") + "5000,1\n"
    later = PREAMBLE.replace("T09:30:12", "T10:30:12")
    name = "Larch_Peak_1468481412345_Report.csv"
    _, rows = read_text(tmp_path, PREAMBLE + rest + later + rest, name)
    assert [row["start_utc"].hour for row in rows["rpt_run"]] == [7, 8]


# --- paths ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Run/Active Users/Scalar cumulative",
         (None, "run", "active users", None, "count", "level", "count")),
        ("h1/Pages/Response Time/A/B/Average interval",
         ("h1", "page element", "response time", "A/B", "average", "interval", "ms")),
        ("h1/Pages/Response Time/A/Cumulative Standard Deviation",
         ("h1", "page", "response time", "A", "standard_deviation", "run", "ms")),
        ("h1/Pages/Goodness/A/Scalar cumulative",
         ("h1", "page", "goodness", "A", "count", "run", "count")),
        ("h1/Pages/Goodness/Percent Goodness For All Page Elements For Run",
         ("h1", "page element", "goodness", None, "percent", "run", "%")),
        ("h1/Run/Bytes/Sent/Rate interval",
         ("h1", "run", "bytes", "Sent", "rate", "interval", "B/s")),
        ("h1/Transactions/Net End-to-End Time/T/Max Cumulative",
         ("h1", "transaction", "net end-to-end time", "T", "maximum", "run", "ms")),
        ("h1/Transactions/Attempts/T/Transaction Start Rate [per second] [for Run]",
         ("h1", "transaction", "attempts", "T", "rate", "run", "1/s")),
        ("h1/Transactions/Execution Time/T/Minimum Execution Time [s] [for Interval]",
         ("h1", "transaction", "elapsed time", "T", "minimum", "interval", "s")),
        ("h1/Resources/CPU/Of a node/Busy",
         ("h1", "resource", "cpu", "Of a node", None, None, None)),
    ],
)  # fmt: skip
def test_a_path_says_what_is_measured(path: str, expected: tuple[str | None, ...]) -> None:
    found = counter_of(path.split("/"))
    assert (
        found.host, found.scope, found.measure, found.item, found.statistic, found.period,
        found.unit,
    ) == expected  # fmt: skip


@pytest.mark.parametrize(
    "statistic",
    ["Average interval", "Rate For Run", "Scalar For Run", "Min Cumulative",
     "Cumulative Standard Deviation", "Average [for Interval]"],
)  # fmt: skip
@given(item=st.text("ab/ -:@", min_size=1).map(str.strip).filter(bool))
def test_a_path_in_one_cell_is_that_of_stacked_cells(statistic: str, item: str) -> None:
    item = " ".join(item.split())
    stacked = ["All_Hosts", "Pages", "Response Time", item, statistic]
    assert segments_of(" ".join(stacked)) == stacked
    assert segments_of("/".join(stacked)) == stacked


# --- header rows ------------------------------------------------------------------------


def test_header_rows_of_any_depth_and_without_a_preamble(tmp_path: Path) -> None:
    paths = [f"All_Hosts/Pages/Response Time/P/Element/{n}/E/Average interval" for n in range(3)]
    _, rows = read_text(tmp_path, columns(*paths, "Run/Total Users/Scalar cumulative") + "5000,1\n")
    assert [row["path"] for row in rows["rpt_counter"]][:3] == paths
    assert rows["rpt_run"][0]["start_utc"] is None


@pytest.mark.parametrize(
    ("rows", "values", "not_understood"),
    [
        ("5;0,25;3\n10;1.000;4\n15;1,5;2\n", [0.25, 3, 1.5, 2], [10]),
        ("5;0.25;3\n10;1,000;4\n15;1.5;2\n", [0.25, 3, 1.5, 2], [10]),
        ("5;0,25;3\n10;1.234,5;4\n15;1,5;2\n", [0.25, 3, 1.5, 2], [10]),
        ("5;0,25;3\n10;e.g.;4\n15;1,5;2\n", [0.25, 3, 1.5, 2], [10]),
        ("5;1;e.g.\n10;1,5;4\n", [1.5, 4], [9]),
    ],
)
def test_one_file_has_one_decimal_mark(
    tmp_path: Path, rows: str, values: list[float], not_understood: list[int]
) -> None:
    """A point may divide thousands: 1.000 is then no 1."""
    path = "All_Hosts/Pages/Response Time/P/Element/{}/E/Average interval"
    header = columns(*(path.format(number) for number in range(2))).replace(",", ";")
    reading, found = read_text(tmp_path, header + rows)
    assert [row["value"] for row in found["rpt_value"]] == values
    assert [line for line, _ in reading.not_understood] == not_understood


def test_a_page_with_a_comma_is_put_together_where_it_is_clear(tmp_path: Path) -> None:
    header = (
        "Time [ms],All_Hosts,All_Hosts,All_Hosts,All_Hosts\n,Pages,Pages,Pages,Pages\n"
        ",Hits,Hits,Hits,Hits\n,Find, then buy,Home,Find, then buy,Home\n"
        ",Rate For Run,Rate For Run,Scalar For Run,Scalar For Run\n5000,1,2,3,4\n"
    )
    reading, rows = read_text(tmp_path, PREAMBLE + header)
    assert [row["item"] for row in rows["rpt_counter"]] == ["Find, then buy", "Home"] * 2
    assert len(reading.repairs) == 1
    unclear = header.replace(", then", ",then")
    with pytest.raises(Refused, match=r"line 6(.|\n)*name of a page(.|\n)*rename"):
        read_text(tmp_path, PREAMBLE + unclear)
    quoted = header.replace("Find, then buy", '"Find, then buy"')
    _, rows = read_text(tmp_path, PREAMBLE + quoted)
    assert [row["item"] for row in rows["rpt_counter"]] == ["Find, then buy", "Home"] * 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no header row that begins with 'Time "),
        ("Time [s],All_Hosts\n,Run\n5,1\n", "the time is in 's'"),
        ("Time [ms],All_Hosts\n,Run\n", "ends in its header rows"),
        ("Time [ms],All_Hosts\nwhat,Run\n5,1\n", "expected a header row"),
        ("Time [ms],All_Hosts,\n,Run,\n5,1\n", "column 3 has no name"),
        ("Time [ms],All_Hosts,All_Hosts\n,Run,\n,Bytes,Bytes\n5,1\n", "column 3 has a gap"),
        ("Time [ms]," + "x" * 1100000 + "\n,Run\n5,1\n", "more than 1 MiB"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_to_do(
    tmp_path: Path, text: str, reason: str
) -> None:
    with pytest.raises(Refused) as refusal:
        read_text(tmp_path, PREAMBLE + text)
    assert reason in refusal.value.reason
    assert "xport" in refusal.value.do


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<html><title>Rational Performance Tester</title>", "a report as HTML"),
        ('{"counters": ["All_Hosts/Pages/Hits/Home/Scalar For Run"]}', "an export as JSON"),
        ('<?xml version="1.0"?><x a="com.ibm.rational.test.lt.core"/>', "a file of a project"),
        ("Run,All_Hosts/Pages/Hits\nx,1\n", "such as the Simple export"),
    ],
)
def test_other_exports_are_refused_by_name(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_text(tmp_path, text)
    assert reason in refusal.value.reason
    assert "Export Type Full" in refusal.value.do


@pytest.mark.parametrize(
    "text", ["<!DOCTYPE x []>", "<rpt:folder>", "</rpt:folder><", "<a>" * 3000]
)
def test_a_damaged_manifest_is_refused(tmp_path: Path, text: str) -> None:
    whole = (FIXTURES / "stages.stats").read_text()
    with pytest.raises(Refused):
        read_text(tmp_path, whole.replace("</rpt:folder>", text, 1))


def test_a_manifest_is_not_read_beyond_4_mib(tmp_path: Path) -> None:
    whole = (FIXTURES / "stages.stats").read_bytes()
    large = gzip.compress(whole + b"\n" * 60 * 2**20, 1)
    tracemalloc.start()
    with pytest.raises(Refused, match="more than 4 MiB: a manifest of a run is never that large"):
        read_text(tmp_path, large, "large.stats")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40 * 2**20
    reading, _ = read_text(tmp_path, whole.rstrip() + b"\n" * 1000)
    assert reading.lines == len(whole.rstrip().splitlines()) + 999


def test_a_host_named_all_hosts_is_no_sign_of_an_export() -> None:
    for name in ("All_Hosts", "All_Hosts-7", "All_Hosts/Pages"):
        sadf = f'{{"sysstat": {{"hosts": [{{"nodename": "{name}", "number-of-cpus": 2}}]}}}}'
        assert not recognise_other(Head(sadf))
    for path in ('"All_Hosts/Pages/Hits"', '["All_Hosts", "Pages", "Hits"]'):
        assert recognise_other(Head(f'{{"counters": [{path}]}}'))


# --- data rows --------------------------------------------------------------------------


COUNTERS = [
    counter_of(["All_Hosts", *rest])
    for rest in (
        ["Pages", "Hits", "Total Page Hits"],
        ["Run", "Bytes", "Sent", "Rate interval"],
        ["Pages", "Attempts", "Tea", "Scalar For Run"],
    )
]


def collect(block: bytes, cuts: list[int], delimiter: str) -> tuple[Reading, Rows]:
    """Read rows of a report with four columns, in blocks that end where the cuts are."""
    rows: Rows = {}
    out = Reading(
        (INTERVAL, VALUE), lambda table, batch: rows.setdefault(table, []).extend(batch.to_pylist())
    )
    reader = DataRows(out, 0, 10, COUNTERS, delimiter)
    lines = block.splitlines(keepends=True)
    places = [0, *sorted(min(cut, len(lines)) for cut in cuts), len(lines)]
    for first, last in pairwise(places):
        if first < last:
            part = b"".join(lines[first:last])
            assert reader.take(first + 1, part) == len(part)
    reader.close()
    for each in rows.values():
        each.sort(key=lambda row: (row["line"], row.get("counter_no", 0)))
    return out, rows


CELL = st.sampled_from(
    ["", "", "", "1", "0", "-2.5", "0.0040", "9.9E-4", "1.2345678E7", " 7 ", "4.", ".5", "1e400",
     "NaN", "-Infinity", "nan", "inf", "x", '"3"', "1,5", "1.5", "+1", "0x10", "1_0", "²", "1 2"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(-50, 5000), st.lists(CELL, max_size=5)), max_size=12),
    regular=st.booleans(),
    cuts=st.lists(st.integers(0, 12), max_size=2),
    delimiter=st.sampled_from([",", ";", "\t"]),
)
def test_blocks_give_what_single_rows_give(
    rows: list[tuple[int, list[str]]], regular: bool, cuts: list[int], delimiter: str
) -> None:
    time = 0
    text = ""
    for step, cells in rows:
        time += abs(step) + 1 if regular else step
        chosen = [cell if cell[:1] in "-.0123456789" else "" for cell in cells[:3]]
        text += delimiter.join([str(time), *(chosen if regular else cells)]) + "\n"
    block = text.encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DataRows, "_many", lambda *_: False)
        slow_out, slow = collect(block, [], delimiter)
    fast_out, fast = collect(block, cuts, delimiter)
    assert fast == slow
    assert fast_out.not_understood == slow_out.not_understood
    assert fast_out.remarks == slow_out.remarks
    assert fast_out.lines == slow_out.lines == len(rows)


def test_regular_rows_are_read_as_a_block() -> None:
    out, rows = collect(b"5000,1,,3\n10000\n15000,,2.5\n", [], ",")
    assert [row["value"] for row in rows["rpt_value"]] == [1, 3, 2.5]
    reader = DataRows(out, 0, 0, COUNTERS, ",")
    assert reader._many(1, b"5000,1,,3\n10000\n15000,,2.5\n")
    assert reader._many(4, b"20000,,,1E3\n")
    assert not reader._many(5, b"20000,,,1E3\n")


@pytest.mark.parametrize("cut", [0, 1, 2, 3])
def test_a_count_that_falls_is_told(cut: int) -> None:
    block = b"5000,10,5.0,10\n10000,20,,20\n15000,6.0,30\n20000,40,6.0,40\n"
    out, _ = collect(block, [cut], ",")
    ((line, remark),) = out.remarks
    assert line == 3
    assert remark.startswith("a count of the whole run below")
    assert "column 2, All_Hosts/Pages/Hits/Total Page Hits" in remark


def test_where_a_delimiter_is_lost_the_export_says_so(tmp_path: Path) -> None:
    lines = (FIXTURES / "full.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    whole, _ = read_text(tmp_path, "".join(lines))
    tried = 0
    for number, row in enumerate(lines[13:], 13):
        # Behind the first cell, which is the time.
        for comma in [found.start() for found in re.finditer(",", row)][1:]:
            lost = [*lines[:number], row[:comma] + row[comma + 1 :], *lines[number + 1 :]]
            out, _ = read_text(tmp_path, "".join(lost))
            assert (out.remarks, out.not_understood) != (whole.remarks, whole.not_understood)
            tried += 1
    assert tried == 60


def test_one_bad_row_does_not_cost_the_others(tmp_path: Path) -> None:
    header = columns(
        "All_Hosts/Run/Bytes/Sent/Rate interval", "All_Hosts/Pages/Hits/Total Page Hits"
    )
    lines = [f"{5000 * number},{number},{number}.0" for number in range(1, 20001)]
    lines[777] = "3890000,1,2,3"
    lines[15000] = "75005000,error"
    reading, rows = read_text(tmp_path, PREAMBLE + header + "\n".join(lines) + "\n")
    assert reading.lines_not_understood == 2
    assert [line for line, _ in reading.not_understood] == [785, 15008]
    assert len(rows["rpt_interval"]) == 19998
    assert len(rows["rpt_value"]) == 2 * 19998


def test_a_line_that_was_cut_is_no_number(tmp_path: Path) -> None:
    header = columns("All_Hosts/Run/Bytes/Sent/Rate interval")
    reading, rows = read_text(tmp_path, PREAMBLE + header + "5000,1\n10000," + "1" * 1100000 + "\n")
    assert reading.lines_not_understood == 1
    assert len(rows["rpt_value"]) == 1


def test_a_short_row_that_is_ended_is_whole(tmp_path: Path) -> None:
    paths = [f"Run/Users {number}/Scalar cumulative" for number in range(3)]
    reading, rows = read_text(tmp_path, columns(*paths) + "5000,1,2,3\n10000,4,5\n")
    assert [row["value"] for row in rows["rpt_value"]] == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert reading.lines_not_understood == 0


def test_two_reports_in_a_file_stay_apart(tmp_path: Path) -> None:
    one = (FIXTURES / "full.csv").read_text()
    reading, rows = read_text(tmp_path, one + "\n" + one.replace("Default Time", "Peak"))
    assert [row["time_range"] for row in rows["rpt_run"]] == ["Default Time Range", "Peak Range"]
    assert len({row["counter_no"] for row in rows["rpt_counter"]}) == 36
    assert {row["report_no"] for row in rows["rpt_interval"]} == {0, 1}
    assert reading.lines_not_understood == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_names_beyond_ascii_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    text = PREAMBLE + columns("All_Hosts/Pages/Hits/Größe – nötig/Scalar For Run") + "5000,1.0\n"
    _, rows = read_text(tmp_path, text.encode(encoding))
    assert rows["rpt_counter"][0]["item"] == "Größe – nötig"


# --- views ------------------------------------------------------------------------------


Database = Callable[..., duckdb.DuckDBPyConnection]


def load_files(*paths: Path, hosts: tuple[str, ...] = ()) -> duckdb.DuckDBPyConnection:
    """Load files, all of one run, into a database in memory."""
    connection = empty()
    connection.execute("SET threads = 1")
    connection.execute("SET TimeZone = 'UTC'")
    for file_id, path in enumerate(paths):

        def sink(table: str, rows: pa.Table, file_id: int = file_id) -> None:
            ids = pa.repeat(pa.scalar(file_id), rows.num_rows)
            connection.register("rows_read", rows.add_column(0, "file_id", ids))
            connection.execute(f"INSERT INTO {table} SELECT * FROM rows_read")

        found, _ = read(path, sink)
        connection.execute(
            "INSERT INTO raw_file (file_id, run_id, name, source, format, host)"
            " VALUES (?, 'elm/peak', ?, ?, ?, ?)",
            [file_id, path.name, found.source, found.name, dict(enumerate(hosts)).get(file_id)],
        )
    connection.execute(
        "INSERT INTO run (run_id, study, origin, time_zone, time_zone_known)"
        " VALUES ('elm/peak', 'elm', 'measured', 'Europe/Zurich', 'stated')"
    )
    return connection


@pytest.fixture
def load() -> Database:
    """Return the function that loads files."""
    return load_files


VIEWS = [
    "response_time",
    "throughput",
    "virtual_users",
    "run_statistic",
    "rpt_coverage",
    "rpt_event",
]


def test_views_work_without_data(load: Database) -> None:
    for view in VIEWS:
        assert load().execute(f"FROM {view}").fetchall() == []


def test_means_are_weighted_by_hits(load: Database) -> None:
    found = load(FIXTURES / "full.csv")
    rows = found.execute(
        "SELECT name, since_start_s, interval_s, mean_ms, hits, kind, measure, tool, host"
        " FROM response_time WHERE name = 'Log in' ORDER BY time_utc"
    ).fetchall()
    rest = ("page", "response time", "rpt", "all hosts")
    assert rows == [
        ("Log in", 10.02, 5.02, 200.0, 3, *rest), ("Log in", 20.0, 5.0, 1500.0, 10, *rest)
    ]  # fmt: skip
    means = found.execute(
        "SELECT coalesce(name, ''), weighted_mean(mean_ms, hits), avg(mean_ms) FROM response_time"
        " GROUP BY name ORDER BY name NULLS FIRST"
    ).fetchall()
    # As the report has them for the run; the plain mean is another.
    assert means == [
        ("", 990.0, 712.5), ("Log in", 1200.0, 850.0),
        ("Search @ all - parts", pytest.approx(600.0), pytest.approx(516.6666666666667)),
    ]  # fmt: skip


def test_run_statistics_are_kept_apart(load: Database) -> None:
    rows = load(FIXTURES / "full.csv").execute(
        "SELECT measure, name, value, since_start_s FROM run_statistic"
        " WHERE statistic IN ('average', 'percent') ORDER BY measure, name NULLS FIRST"
    )
    assert rows.fetchall() == [
        ("goodness", None, 102.5, 20.0), ("response time", None, 990.0, 20.0),
        ("response time", "Log in", 1200.0, 20.0),
        ("response time", "Search @ all - parts", 600.0, 20.0),
    ]  # fmt: skip


def test_throughput_and_users(load: Database) -> None:
    found = load(FIXTURES / "full.csv")
    rows = found.execute(
        "SELECT since_start_s, round(started_per_s, 6), round(completed_per_s, 6) FROM throughput"
        " WHERE name = 'Log in' ORDER BY time_utc"
    ).fetchall()
    assert rows == [
        (5, 0.2, 0.2),
        (10.02, 0.398406, 0.398406),
        (15, 0, 0),
        (20, 2, 2),
        (22.5, 0, 0),
    ]
    received = found.execute(
        "SELECT max(received_mib_s) FROM throughput WHERE kind = 'run'"
    ).fetchone()
    assert received == (pytest.approx(1.0e7 / 2**20),)
    users = found.execute(
        "SELECT time_utc::VARCHAR, active, completed, total FROM virtual_users ORDER BY 1"
    ).fetchall()
    assert users[0] == ("2016-07-14 07:30:17", 4, 0, 4)
    assert users[-1] == ("2016-07-14 07:30:34.5", 0, 4, 4)
    assert len(users) == 5


def test_coverage_and_events(load: Database) -> None:
    found = load(FIXTURES / "full.csv", FIXTURES / "stages.stats", FIXTURES / "transactions.csv")
    coverage = found.execute(
        "SELECT file_id, first_utc::VARCHAR, last_utc::VARCHAR, clock, samples, gaps, restarts,"
        " resets FROM rpt_coverage ORDER BY file_id"
    ).fetchall()
    assert coverage == [
        (0, "2016-07-14 07:30:17", "2016-07-14 07:30:34.5", "UTC by the zone in the run's name",
         5, 0, 0, 0),
        (2, "2016-02-03 22:00:01", "2016-02-03 22:00:04.5", "local time, zone stated", 4, 0, 0, 0),
    ]  # fmt: skip
    events = found.execute("SELECT time_utc::VARCHAR, kind, text FROM rpt_event ORDER BY 1")
    assert events.fetchall() == [
        ("2016-07-14 07:30:14", "time range", "#RAMP_STAGE#1 begins, of 60.0 s"),
        ("2016-07-14 07:31:14", "time range", "#NB_STAGE#1 begins"),
    ]


def test_parts_of_a_split_export_join(load: Database, tmp_path: Path) -> None:
    rows = [line.split(",") for line in (FIXTURES / "full.csv").read_text().splitlines()]
    whole = load(FIXTURES / "full.csv")
    parts = []
    # The columns of times are in both parts, and so are columns 7 to 12.
    for name, chosen in (("a", [0, *range(1, 12)]), ("b", [0, *range(6, 19)])):
        lines = [
            ",".join(row)
            if number < 7
            else ",".join(row[place] if place < len(row) else "" for place in chosen)
            for number, row in enumerate(rows)
        ]
        parts.append(tmp_path / f"{name}.csv")
        parts[-1].write_text("\n".join(lines) + "\n")
    split = load(*parts)
    for view in VIEWS[:4]:
        query = f"SELECT * EXCLUDE (file_id) FROM {view} ORDER BY ALL"
        assert split.execute(query).fetchall() == whole.execute(query).fetchall()


def test_elapsed_and_net_server_time_are_kept_apart(load: Database) -> None:
    rows = load(FIXTURES / "transactions.csv").execute(
        "SELECT measure, name, list(mean_ms ORDER BY time_utc), list(hits ORDER BY time_utc)"
        " FROM response_time WHERE kind = 'transaction' GROUP BY ALL ORDER BY measure"
    )
    assert rows.fetchall() == [
        ("elapsed time", "Order > pay", [2500.5, 2000.25], [None, None]),
        ("net server time", "Order, pay", [1000.0, 0.95], [None, None]),
    ]


def of_page(name: str) -> tuple[str, str]:
    """Return the paths of a page's mean response time and of its hits."""
    return (
        f"All_Hosts/Pages/Response Time/{name}/Average interval",
        f"All_Hosts/Pages/Hits/{name}/Scalar For Run",
    )


def report(
    folder: Path, name: str, paths: tuple[str, ...], rows: list[str], time_range: str = ""
) -> Path:
    """Write a report of one run."""
    preamble = PREAMBLE + (f'Time Range,"{time_range}"\n' if time_range else "")
    path = folder / name
    path.write_text(preamble + columns(*paths) + "\n".join(rows) + "\n")
    return path


HITS = (
    "SELECT name, since_start_s::INTEGER, mean_ms, hits FROM response_time"
    " ORDER BY name, since_start_s"
)
RATES = (
    "SELECT name, since_start_s::INTEGER, completed_per_s FROM throughput"
    " ORDER BY name, since_start_s"
)


def test_a_report_that_begins_in_mid_run_has_no_base_of_counts(
    load: Database, tmp_path: Path
) -> None:
    paths = of_page("A") + of_page("B")
    rows = ["600000,100,5000,,", "605000,200,5010,900,7000", "610000,300,5020,800,7005"]
    found = load(report(tmp_path, "late.csv", paths, rows))
    assert found.execute(HITS).fetchall() == [
        ("A", 600, 100, None), ("A", 605, 200, 10), ("A", 610, 300, 10),
        ("B", 605, 900, None), ("B", 610, 800, 5),
    ]  # fmt: skip
    assert found.execute(RATES).fetchall() == [
        ("A", 600, None), ("A", 605, 2), ("A", 610, 2), ("B", 605, None), ("B", 610, 1),
    ]  # fmt: skip
    # From the start of the run, a page that comes later began at 0.
    rows = ["5000,100,50,,", "10000,200,60,900,40", "15000,300,70,800,45"]
    found = load(report(tmp_path, "whole.csv", paths, rows))
    assert [row[3] for row in found.execute(HITS).fetchall()] == [50, 10, 10, 40, 5]
    assert [row[2] for row in found.execute(RATES).fetchall()] == [10, 2, 2, 8, 1]
    # Counts of intervals need no base.
    each = (paths[0], paths[1].replace("For Run", "interval"))
    rows = ["600000,100,7", "605000,200,8"]
    found = load(report(tmp_path, "each.csv", each, rows))
    assert [row[3] for row in found.execute(HITS).fetchall()] == [7, 8]


def test_all_time_ranges_of_a_run_are_in_the_intervals(load: Database, tmp_path: Path) -> None:
    users = "Run/Active Users/Scalar cumulative"
    paths = (*of_page("A"), users)
    whole = [f"{5000 * n},{n},{10 * n},{n}" for n in range(1, 5)]
    stage = [f"{5000 * n},{n + 100},{10 * n - 30},{n + 100}" for n in range(4, 8)]
    later = [f"{5000 * n},{n + 200},{10 * n - 70},{n + 200}" for n in range(8, 10)]
    files = (
        report(tmp_path, "a.csv", paths, stage, "Stage 1"),
        report(tmp_path, "b.csv", paths, later, "Stage 2"),
        report(tmp_path, "c.csv", paths, whole),
    )
    found = load(*files)
    # Where two have a row, that of the whole run.
    means = [1, 2, 3, 4, 105, 106, 107, 208, 209]
    assert found.execute(HITS).fetchall() == [
        ("A", 5 * n, mean, None if n == 8 else 10) for n, mean in enumerate(means, 1)
    ]
    assert [row[2] for row in found.execute(RATES).fetchall()] == [2] * 7 + [None, 2]
    active = found.execute("SELECT active FROM virtual_users ORDER BY time_utc").fetchall()
    assert [row[0] for row in active] == means
    statistics = found.execute(
        "SELECT time_range, value FROM run_statistic WHERE measure = 'hits' ORDER BY ALL"
    )
    assert statistics.fetchall() == [("Default Time Range", 40), ("Stage 1", 40), ("Stage 2", 20)]


@pytest.mark.parametrize("first", ["a", "c"])
def test_of_two_exports_of_a_run_the_longer_counts(
    load: Database, tmp_path: Path, first: str
) -> None:
    rows = ["5000,1,10", "10000,7,11", "15000,8,12"]
    short = report(tmp_path, f"{first}.csv", of_page("A"), ["5000,1,10", "10000,,"])
    long = report(tmp_path, "b.csv", of_page("A"), rows)
    found = load(*sorted((short, long)))
    assert found.execute(HITS).fetchall() == [
        ("A", 5, 1, 10), ("A", 10, 7, 1), ("A", 15, 8, 1),
    ]  # fmt: skip
    last = found.execute("SELECT value FROM run_statistic WHERE measure = 'hits'").fetchall()
    assert last == [(12,)]


def test_agents_that_only_the_manifest_of_the_run_names_stay_apart(
    load: Database, tmp_path: Path
) -> None:
    files = [
        report(tmp_path, f"{mean}.csv", of_page("A"), [f"5000,{mean},5", f"10000,{mean},9"])
        for mean in (100, 900)
    ]
    found = load(*files, hosts=("elm1", "elm2"))
    means = found.execute("SELECT DISTINCT host, mean_ms FROM response_time ORDER BY host")
    assert means.fetchall() == [("elm1", 100), ("elm2", 900)]
    assert found.execute("SELECT count(*) FROM throughput").fetchall() == [(4,)]


def test_a_rate_is_that_of_its_own_interval(load: Database, tmp_path: Path) -> None:
    rows = ["5000,1,10", "10000", "15000", "20000,2,12", "25000,3,15"]
    found = load(report(tmp_path, "sparse.csv", of_page("A"), rows))
    assert found.execute(RATES).fetchall() == [("A", 5, 2), ("A", 20, 0.4), ("A", 25, 0.6)]


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_rates_times_intervals_add_up_to_the_counts(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pages = "ABC"[: data.draw(st.integers(1, 3))]
    from_start = data.draw(st.booleans())
    time = 0 if from_start else 10**6
    counts = dict.fromkeys(pages, 0 if from_start else 1000)
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    rows = []
    for _ in range(data.draw(st.integers(2, 8))):
        time += data.draw(st.integers(4000, 5000))
        cells = [str(time)]
        for page in pages:
            more = data.draw(st.integers(0, 9))
            counts[page] += more
            # An empty cell: nothing new.
            cells += ["5", str(counts[page])] if more else ["", ""]
            if more:
                first.setdefault(page, counts[page])
                last[page] = counts[page]
        rows.append(",".join(cells))
    paths = tuple(path for page in pages for path in of_page(page))
    found = load_files(report(tmp_path_factory.mktemp("rates"), "x.csv", paths, rows))
    for query in (  # of all pages at once: binding the views takes longer than their rows
        "SELECT name, coalesce(sum(completed_per_s * interval_s), 0) FROM throughput GROUP BY name",
        "SELECT name, coalesce(sum(hits), 0) FROM response_time GROUP BY name",
    ):
        sums = dict(found.execute(query).fetchall())
        for page, count in last.items():
            expected = count - (0 if from_start else first[page])
            assert sums.get(page, 0) == pytest.approx(expected)


def test_means_in_seconds_are_scaled(load: Database, tmp_path: Path) -> None:
    path = "All_Hosts/Transactions/Execution Time/T/Average Execution Time [{}] [for Interval]"
    for unit, means in (("s", [1500]), ("ms", [1.5]), ("furlongs", [])):
        file = report(tmp_path, f"{unit}.csv", (path.format(unit),), ["5000,1.5", "10000"])
        rows = load(file).execute("SELECT mean_ms FROM response_time").fetchall()
        assert [row[0] for row in rows] == means


# --- the samples ------------------------------------------------------------------------


def test_the_arithmetic_of_real_reports(samples_dir: Path, load: Database) -> None:
    checks = 0
    for path in sorted((samples_dir / "rpt" / "full-csv").glob("*.csv")):
        found = load(path)
        means = found.execute(
            "SELECT m.mean, s.value, s.kind FROM run_statistic s JOIN"
            " (SELECT kind, name, weighted_mean(mean_ms, hits) AS mean FROM response_time"
            "  GROUP BY ALL) m ON m.kind = s.kind AND m.name IS NOT DISTINCT FROM s.name"
            " WHERE s.measure = 'response time' AND s.statistic = 'average'"
        ).fetchall()
        assert len(means) == 11
        for mean, printed, kind in means:
            # Elements that are on their way at the end of an interval: no export tells which.
            assert mean == pytest.approx(printed, rel=1e-3 if kind == "page element" else 1e-9)
        rates = found.execute(
            "WITH x AS (SELECT s.measure, s.item, s.statistic, s.period, v.* FROM rpt_series s"
            " JOIN rpt_sample v USING (file_id, counter_no) WHERE s.measure = 'attempts')"
            " SELECT r.value, n.value,"
            " n.since_start_ms - coalesce(lag(n.since_start_ms) OVER w, 0),"
            " n.value - coalesce(lag(n.value) OVER w, 0), p.value, n.since_start_ms"
            " FROM x n JOIN x r ON r.line = n.line AND r.item = n.item AND r.statistic = 'rate'"
            "  AND r.period = 'interval'"
            " JOIN x p ON p.line = n.line AND p.item = n.item AND p.statistic = 'rate'"
            "  AND p.period = 'run'"
            " WHERE n.statistic = 'count' AND n.period = 'run' AND n.item IS NOT NULL"
            " WINDOW w AS (PARTITION BY n.item ORDER BY n.line)"
        ).fetchall()
        for rate, count, step, more, for_run, since_start in rates:
            checks += 1
            if step < 6000:
                assert rate == pytest.approx(more * 1000 / step, rel=0.005)
            assert for_run == pytest.approx(count * 1000 / since_start, rel=0.005)
        users = found.execute("SELECT active + completed = total FROM virtual_users").fetchall()
        assert len(users) > 90
        assert set(users) == {(True,)}
    assert checks > 5000
