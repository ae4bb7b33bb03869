"""What is special to the results of JMeter."""

from __future__ import annotations

import csv
import io
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook.errors import Refused
from studybook.formats import Reading, read
from studybook.formats.jtl.columns import SAMPLE, Layout, header_of
from studybook.formats.jtl.csv_file import Rows
from tests.conftest import REPOSITORY
from tests.support import scratch

FIXTURES = REPOSITORY / "tests/data" / "jtl"
HEADER = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success"

Samples = list[dict[str, Any]]


def read_text(folder: Path, text: str) -> tuple[Reading, Samples]:
    """Read a file of this content; return the account and the samples."""
    (folder / "results.jtl").write_text(text, encoding="utf-8")
    rows: Samples = []
    _, reading = read(folder / "results.jtl", lambda _, batch: rows.extend(batch.to_pylist()))
    return reading, rows


def sample(begin_s: float, elapsed: int, label: str, thread: str = "a 1-1", **more: Any) -> str:
    """Return a row for HEADER."""
    message = more.get("message", "OK")
    success = more.get("success", "true")
    return (
        f"{1468481400000 + int(begin_s * 1000)},{elapsed},{label},200,{message},{thread},{success}"
    )


# --- columns ----------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters(delimiter: str, tmp_path: Path) -> None:
    text = "\n".join([HEADER, sample(0, 5, "A"), sample(1, 6, "B")]) + "\n"
    reading, rows = read_text(tmp_path, text.replace(",", delimiter))
    assert [(row["label"], row["elapsed_ms"]) for row in rows] == [("A", 5), ("B", 6)]
    assert reading.certainty == "documented"


def test_columns_in_any_order_and_spelling() -> None:
    layout = header_of('latency,Label,TIMESTAMP,elapsed,"order",elapsed')
    assert layout == Layout(
        ("latency", "label", "timestamp", "elapsed", "", ""), ",", ("order", "elapsed")
    )


@pytest.mark.parametrize("text", ["label,code,time of day", "timeStamp", "a,b,c", "1,2,3", ""])
def test_other_lines_are_no_header(text: str) -> None:
    assert header_of(text) is None


ROW = "1468481400000,52,Find,200,OK,Group 1-1,text,true"


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("2048,40", {"bytes_received": 2048, "latency_ms": 40}),
        ("2048,3,7,40", {"group_threads": 3, "all_threads": 7, "latency_ms": 40}),
        (",2048,3,7,40,0", {"bytes_received": 2048, "idle_ms": 0, "latency_ms": 40}),
        (",2048,99,3,7,40,0,5", {"bytes_sent": 99, "latency_ms": 40, "connect_ms": 5}),
        (",2048,99,3,7,http://a/b,40,0,5", {"url": "http://a/b", "connect_ms": 5}),
        (",2048,99,3,7,null,40,0,5", {"url": None, "all_threads": 7}),
    ],
)
def test_a_file_without_header_has_the_columns_of_a_default(
    rest: str, expected: dict[str, Any], tmp_path: Path
) -> None:
    reading, rows = read_text(tmp_path, f"{ROW},{rest}\n" * 3)
    assert {key: rows[1][key] for key in expected} == expected
    assert reading.certainty == "inferred"
    assert "no header" in reading.remarks[0][1]


@pytest.mark.parametrize(
    "rest",
    [
        "40",  # not so many columns in any default
        "2048,53",  # a latency of more than the whole time
        "2048,40,1,0",  # SampleCount and ErrorCount: no group has more threads than all groups
        ",2048,99,3,7,host,40,0,5",  # no address
        ",2048,99,7,3,40,0,5",
    ],
)
def test_a_file_without_header_is_refused_where_it_is_not_certain(
    rest: str, tmp_path: Path
) -> None:
    with pytest.raises(Refused) as refusal:
        read_text(tmp_path, f"{ROW},{rest}\n" * 3)
    assert "without a header" in refusal.value.reason
    assert "print_field_names=true" in refusal.value.do


@pytest.mark.parametrize(
    ("printed", "column", "value"),
    [
        ("1468481412345", "time_utc", "2016-07-14 07:30:12.345000"),
        ("2016/07/14 09:30:12.345", "time_local", "2016-07-14 09:30:12.345000"),
        ("2016/07/14 09:30:12", "time_local", "2016-07-14 09:30:12"),
        ("2016-07-14 09:30:12.345", "time_local", "2016-07-14 09:30:12.345000"),
        ("2016-07-14T09:30:12", "time_local", "2016-07-14 09:30:12"),
        ("07/14/16 09:30:12", "time_local", "2016-07-14 09:30:12"),
    ],
)
def test_times(printed: str, column: str, value: str, tmp_path: Path) -> None:
    _, rows = read_text(tmp_path, f"timeStamp,elapsed,label\n{printed},1,A\n{printed},1,A\n")
    assert [str(row[column]) for row in rows] == [value, value]


@pytest.mark.parametrize(
    "printed", ["09:30:12", "14.07.2016 09:30:12", "99", "2016/02/30 01:01:01"]
)
def test_times_that_are_none_are_refused(printed: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="timestamp_format=ms"):
        read_text(tmp_path, f"timeStamp,elapsed,label\n{printed},1,A\n")


def test_what_cannot_be_used_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no sample"):
        read_text(tmp_path, HEADER + "\n")
    with pytest.raises(Refused, match="no column elapsed"):
        read_text(tmp_path, "timeStamp,label,success\n1468481400000,A,true\n")
    with pytest.raises(Refused, match="no sample that could be read"):
        read_text(tmp_path, '<testResults version="1.2">\n</testResults>\n')


# --- rows -------------------------------------------------------------------------------


@pytest.mark.parametrize("others", [0, 3000])  # read row by row, or as columns
def test_a_response_time_below_0_is_none(others: int, tmp_path: Path) -> None:
    lines = [HEADER, sample(0, 5, "A"), sample(1, -66, "B"), *[sample(2, 7, "C")] * others]
    reading, rows = read_text(tmp_path, "\n".join(lines) + "\n")
    assert [row["elapsed_ms"] for row in rows[:3]] == [5, None, 7][: others + 2]
    assert [line for line, said in reading.remarks if "-66" in said] == [3]


def test_a_quote_that_nothing_closes_costs_its_own_lines_only(tmp_path: Path) -> None:
    lines = [HEADER, sample(0, 5, "A"), sample(1, 6, '"B'), "any, text", *[sample(2, 7, "C")] * 9]
    reading, rows = read_text(tmp_path, "\n".join(lines) + "\n")
    assert [row["label"] for row in rows] == ["A", *"CCCCCCCCC"]
    assert [line for line, _ in reading.not_understood] == [3, 4]


def test_rows_over_several_lines_across_blocks(tmp_path: Path) -> None:
    message = '"' + "\n".join(f"line {number} of, many" for number in range(40)) + '"'
    rows = [
        sample(number, 5, f"L{number % 7}", message=message if number % 50 == 0 else "OK",
               success="false")
        for number in range(20_000)
    ]  # fmt: skip
    reading, found = read_text(tmp_path, "\n".join([HEADER, *rows]) + "\n")
    assert len(found) == 20_000
    assert reading.lines_not_understood == 0
    assert reading.lines_in_records == 20_000 + 400 * 39
    assert found[0]["response_message"].count("\n") == 39
    assert [row["line"] for row in found[:3]] == [2, 42, 43]


CELLS: dict[str, st.SearchStrategy[str]] = {
    "timeStamp": st.sampled_from(
        ["1468481400000", "1468481400100", " 1468481400005", "2016/07/14 09:30:12.345",
         "2016-07-14 09:30:12", "", "x", "14684814000000", "2016/07-14 09:30:12"]),
    "elapsed": st.sampled_from(["0", "100", "007", "-3", " 50 ", "", "1.5", "0x1", "9" * 20, "+1"]),
    "label": st.sampled_from(
        ["A", "A-0", "A-1-2", "", "null", "Ä\u2028ö", 'say "no"', "a,b;c", "two\nlines", " A "]),
    "responseMessage": st.sampled_from(
        ["OK", "", "Number of samples in transaction : 2, number of failing samples : 0"]),
    "threadName": st.sampled_from(["u 1-1", "u 1-2", ""]),
    "success": st.sampled_from(["true", "false", "true", "TRUE", ""]),
    "bytes": st.sampled_from(["0", "1048576", "", "9007199254740993", "null"]),
    "URL": st.sampled_from(["null", "", "http://a/b?c=1"]),
    "SampleCount": st.sampled_from(["1", "3", ""]),
}  # fmt: skip
GOOD = {
    "timeStamp": slice(0, 2),
    "elapsed": slice(0, 4),
    "success": slice(0, 2),
    "bytes": slice(0, 3),
}


def collect(block: bytes, layout: Layout, cuts: list[int]) -> tuple[Reading, Samples]:
    """Read rows in blocks that end where the cuts are."""
    found: Samples = []
    out = Reading((SAMPLE,), lambda _, batch: found.extend(batch.to_pylist()))
    rows = Rows(out, layout)
    rows.samples = 1  # as if the header had been read
    lines = block.splitlines(keepends=True) if b"\x0b" in block else block.split(b"\n")[:-1]
    places = [0, *sorted(min(cut, len(lines)) for cut in cuts), len(lines)]
    for first, last in pairwise(places):
        if first < last:
            rows.take(first + 1, b"".join(line + b"\n" for line in lines[first:last]))
    rows.close()
    return out, found


@settings(max_examples=300, deadline=None)
@given(
    data=st.data(),
    number=st.integers(0, 12),
    regular=st.booleans(),
    cuts=st.lists(st.integers(0, 14), max_size=2),
    delimiter=st.sampled_from([",", ";", "\t"]),
)
def test_blocks_give_what_single_rows_give(
    data: st.DataObject, number: int, regular: bool, cuts: list[int], delimiter: str
) -> None:
    layout = header_of(delimiter.join(CELLS))
    assert layout
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    for _ in range(number):
        cells = [data.draw(values) for values in CELLS.values()]
        if regular:
            cells = [
                data.draw(st.sampled_from(values.elements[GOOD.get(name, slice(None))]))  # type: ignore[attr-defined]
                for name, values in CELLS.items()
            ]
        writer.writerow(cells)
    block = text.getvalue().encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rows, "_many", lambda *_: False)
        slow_out, slow = collect(block, layout, [])
    fast_out, fast = collect(block, layout, cuts)
    assert fast == slow
    assert fast_out.not_understood == slow_out.not_understood
    assert fast_out.lines == slow_out.lines == block.count(b"\n")
    if regular:
        assert len(fast) == number


@settings(max_examples=50, deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 10**9), st.text(max_size=8)), min_size=1))
def test_rows_in_are_rows_out(
    rows: list[tuple[int, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["timeStamp", "elapsed", "label"])
    for elapsed, label in rows:
        label = label.encode(errors="replace").decode().replace("\r", "").replace("\0", "")
        writer.writerow([1468481400000, elapsed, label])
    reading, found = read_text(tmp_path_factory.mktemp("rows"), text.getvalue())
    assert [row["elapsed_ms"] for row in found] == [elapsed for elapsed, _ in rows]
    assert reading.lines_not_understood == 0


def test_ordinary_rows_are_read_as_a_block() -> None:
    layout = header_of(HEADER)
    assert layout
    for text in (sample(0, 5, "A"), sample(0, 5, '"A, B"'), sample(0, 5, "A", message="")):
        rows = Rows(Reading((SAMPLE,), lambda *_: None), layout)
        assert rows._many(1, (text + "\n").encode() * 3)
    for text in (sample(0, 5, '"A\nB"'), sample(0, 5, 'A"B"'), sample(0, 5, "A") + ",1", ""):
        rows = Rows(Reading((SAMPLE,), lambda *_: None), layout)
        assert not rows._many(1, (text + "\n").encode() * 3)


# --- parts ------------------------------------------------------------------------------

TWO = '"Number of samples in transaction : 2, number of failing samples : 0"'


@pytest.mark.parametrize(
    ("rows", "depths"),
    [
        # Named by JMeter, and within the time of the one before in the same thread.
        ([sample(0, 100, "A"), sample(0, 60, "A-0"), sample(0.06, 40, "A-1")], [0, 1, 1]),
        ([sample(0, 100, "A"), sample(0, 60, "A-0"), sample(0.01, 9, "A-0-3")], [0, 1, 2]),
        # Another thread's rows come between them.
        ([sample(0, 100, "A"), sample(0, 9, "B", "a 1-2"), sample(0, 60, "A-0")], [0, 0, 1]),
        # After its end, before its start, of another thread, of no thread, of another name.
        ([sample(0, 100, "A"), sample(0.05, 51, "A-0")], [0, 0]),
        ([sample(1, 100, "A"), sample(0.5, 5, "A-0")], [0, 0]),
        ([sample(0, 100, "A"), sample(0, 60, "A-0", "a 1-2")], [0, 0]),
        ([sample(0, 100, "A", ""), sample(0, 60, "A-0", "")], [0, 0]),
        ([sample(0, 100, "A"), sample(0, 60, "A-x")], [0, 0]),
        # Requests of a transaction are no parts: it comes after them or, as a parent, before them.
        ([sample(0, 60, "A"), sample(0.06, 40, "B"), sample(0, 100, "T", message=TWO)], [0, 0, 0]),
        ([sample(0, 100, "T", message=TWO), sample(0, 60, "A"), sample(0.06, 40, "B")], [0, 0, 0]),
        ([sample(0, 9, "T", message=TWO), sample(0, 6, "T-0"), sample(0, 4, "T-0-1")], [0, 0, 1]),
        # Sorted by time, a transaction may stand among the parts of its first request.
        ([sample(0, 90, "A"), sample(0, 95, "T", message=TWO), sample(0, 9, "A-1")], [0, 0, 1]),
        # Within a transaction, the thread is one: parts are told without the names of JMeter, too.
        ([sample(0, 99, "T", message=TWO), sample(0, 60, "A"), sample(0.05, 9, "/b")], [0, 0, 1]),
        ([sample(0, 99, "T", message=TWO), sample(0, 60, "A"), sample(0.06, 0, "/b")], [0, 0, 0]),
        ([sample(0, 58, "T", message=TWO), sample(0, 60, "A"), sample(0.05, 9, "/b")], [0, 0, 1]),
        ([sample(0, 50, "T", message=TWO), sample(0, 60, "A"), sample(0.05, 9, "/b")], [0, 0, 0]),
    ],
)
def test_parts_are_told_by_name_thread_and_time(
    rows: list[str], depths: list[int], tmp_path: Path
) -> None:
    reading, found = read_text(tmp_path, "\n".join([HEADER, *rows]) + "\n")
    assert [row["depth"] for row in found] == depths
    parts = sum(depth > 0 for depth in depths)
    assert any(text.startswith(f"{parts} rows are parts") for _, text in reading.remarks) == (
        parts > 0
    )


def test_without_times_nothing_is_a_part(tmp_path: Path) -> None:
    _, rows = read_text(tmp_path, "elapsed,label,threadName\n9,A,a 1-1\n8,A-0,a 1-1\n")
    assert [row["depth"] for row in rows] == [0, 0]


# --- XML --------------------------------------------------------------------------------


def xml(*lines: str) -> str:
    """Return a document of these lines."""
    return "\n".join(['<?xml version="1.0"?>', '<testResults version="1.2">', *lines]) + "\n"


def tag(begin_s: float, elapsed: int, label: str, thread: str = "a 1-1", end: str = "/>") -> str:
    """Return the tag of a sample."""
    begin = 1468481400000 + int(begin_s * 1000)
    return f'<sample t="{elapsed}" ts="{begin}" s="true" lb="{label}" tn="{thread}"{end}'


def test_a_cut_file_gives_what_is_whole(tmp_path: Path) -> None:
    whole = (FIXTURES / "nested.xml").read_text()
    cut = whole.index("<assertionResult>") + 25
    reading, rows = read_text(tmp_path, whole[:cut])
    assert [row["depth"] for row in rows] == [0, 1, 1, 2, 0]
    assert reading.remarks[-1][1] == "the file ends in mid-sample: it was cut"
    cut = whole.index("</testResults>")
    reading, rows = read_text(tmp_path, whole[:cut])
    assert len(rows) == 6
    assert "ends without </testResults>" in reading.remarks[-1][1]
    cut = whole.index('rc="E42"')
    reading, rows = read_text(tmp_path, whole[:cut])
    assert len(rows) == 4
    assert [line for line, _ in reading.not_understood] == [14, 15]


@pytest.mark.parametrize(
    "broken",
    [
        '<sample t="5" ts="14684',
        "<sample>",
        "</sample>",
        '<sample t="5" rm="&#1;"/>',
        "<a></b>",
        "]]>",
    ],
)
def test_reading_goes_on_after_what_is_no_xml(broken: str, tmp_path: Path) -> None:
    text = xml(tag(0, 5, "A"), broken, tag(1, 6, "B"), tag(2, 7, "C"), "</testResults>")
    reading, rows = read_text(tmp_path, text)
    assert [row["label"] for row in rows] == ["A", "B", "C"]
    assert 0 < reading.lines_not_understood <= 2


def test_a_sample_whose_end_is_missing_does_not_swallow_the_next(tmp_path: Path) -> None:
    cut = [tag(0, 50, "A", end=">"), tag(0, 5, "A-0")]
    whole = [tag(3.5, 10, "C", end=">"), tag(3.5, 6, "C-0"), "</sample>"]
    _, rows = read_text(tmp_path, xml(*cut, tag(3, 6, "B"), *whole, tag(9, 1, "D")))
    assert [(row["label"], row["depth"]) for row in rows] == [
        ("A", 0), ("A-0", 1), ("B", 0), ("C", 0), ("C-0", 1), ("D", 0)
    ]  # fmt: skip


def test_requests_below_a_transaction_are_no_parts(tmp_path: Path) -> None:
    """What a Transaction Controller holds as a parent sample is what it counts without one."""
    inner = [tag(0, 50, "A", end=">"), tag(0, 20, "A-0"), "</sample>", tag(0.05, 30, "B")]
    outer = tag(0, 90, "T", end=f" rm={TWO}>")
    _, rows = read_text(tmp_path, xml(outer, *inner, "</sample>", "</testResults>"))
    assert [(row["label"], row["depth"], row["is_transaction"]) for row in rows] == [
        ("T", 0, True), ("A", 0, False), ("A-0", 1, False), ("B", 0, False)
    ]  # fmt: skip


def test_a_document_in_one_line_and_two_documents(tmp_path: Path) -> None:
    one = xml(tag(0, 5, "A"), tag(1, 6, "B"), "</testResults>").replace("\n", "")
    reading, rows = read_text(tmp_path, f"{one}\n{one}\n")
    assert [row["label"] for row in rows] == ["A", "B", "A", "B"]
    assert (reading.lines_in_records, reading.lines_not_understood) == (2, 0)


def test_names_of_jmeter_2_0(tmp_path: Path) -> None:
    text = xml(
        '<sampleResult timeStamp="1133526933906" threadName="g 1-1" label="/" time="7"'
        ' responseCode="304" success="true"/>',
        "</testResults>",
    )
    _, rows = read_text(tmp_path, text)
    assert (rows[0]["elapsed_ms"], rows[0]["label"], rows[0]["response_code"]) == (7, "/", "304")


def test_entities_are_refused(tmp_path: Path) -> None:
    text = xml(tag(0, 5, "A")).replace("<testR", '<!DOCTYPE testResults [<!ENTITY a "b">]>\n<testR')
    with pytest.raises(Refused):
        read_text(tmp_path, text)


def test_samples_without_end_are_given_up(tmp_path: Path) -> None:
    lines = [tag(0, 50, "A", end=">")] * 200
    reading, rows = read_text(tmp_path, xml(*lines))
    assert reading.lines == 202
    assert 0 < len(rows) <= 200


# --- views ------------------------------------------------------------------------------


def load(*paths: Path, zone: str = "UTC", start: str | None = None) -> duckdb.DuckDBPyConnection:
    """Load files into a database of one run."""
    connection = scratch.database(zone)
    connection.execute("SET TimeZone = 'UTC'")
    if start:
        connection.execute("UPDATE run SET start_utc = ?", [start])
    for path in paths:
        scratch.enter(connection, path)
    return connection


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Return a file of eleven samples in 35 s, and a transaction."""
    header = HEADER + ",bytes,sentBytes,allThreads,IdleTime"
    rows = [
        *(sample(number, 100 * (number + 1), "A") + ",1048576,10,5,0" for number in range(8)),
        # Begins in the first interval, ends in the second.
        sample(9, 1500, "B", "a 1-2", success="false") + ",524288,10,6,0",
        sample(9, 1600, "B", "a 1-2") + ",524288,10,7,0",
        # Begins at 0, with pauses of 8 s.
        sample(0, 4000, "T", "a 1-3", message=TWO) + ",2,2,7,8000",
        # Nothing ends from 20 to 30 s.
        sample(34, 1000, "A", "a 1-2") + ",1048576,10,2,0",
    ]
    path = tmp_path / "results.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def test_intervals_are_those_in_which_samples_end(results: Path) -> None:
    rows = load(results).execute(
        "SELECT kind, label, since_start_s, samples, failed, mean_ms, min_ms, max_ms,"
        " p50_ms, p90_ms, p95_ms, p99_ms FROM jtl_interval ORDER BY kind, label, interval_no"
    )
    assert rows.fetchall() == [
        ("sample", "A", 10, 8, 0, 450, 100, 800, 400, 800, 800, 800),
        ("sample", "A", 35, 1, 0, 1000, 1000, 1000, 1000, 1000, 1000, 1000),
        ("sample", "B", 20, 2, 1, 1550, 1500, 1600, 1500, 1600, 1600, 1600),
        ("sample", None, 10, 8, 0, 450, 100, 800, 400, 800, 800, 800),
        ("sample", None, 20, 2, 1, 1550, 1500, 1600, 1500, 1600, 1600, 1600),
        ("sample", None, 35, 1, 0, 1000, 1000, 1000, 1000, 1000, 1000, 1000),
        ("transaction", "T", 20, 1, 0, 4000, 4000, 4000, 4000, 4000, 4000, 4000),
        ("transaction", None, 20, 1, 0, 4000, 4000, 4000, 4000, 4000, 4000, 4000),
    ]


def test_intervals_begin_with_the_run(results: Path) -> None:
    # 07:30:00 is the first sample's beginning; one that ends before the start is in interval -1.
    rows = load(results, start="2016-07-14 07:30:05").execute(
        "SELECT interval_no, since_start_s, time_utc::VARCHAR, samples FROM jtl_interval"
        " WHERE kind = 'sample' AND label IS NULL ORDER BY 1"
    )
    assert rows.fetchall() == [
        (-1, 0, "2016-07-14 07:30:05", 5), (0, 10, "2016-07-14 07:30:15", 5),
        (2, 30, "2016-07-14 07:30:35", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first_s", "seconds", "ends"),
    [
        # What is less than a tenth at either end belongs to its neighbour.
        (9.5, 31, [20, 30, 40.5]),
        # 3 s and 4 are intervals of their own.
        (7, 37, [10, 20, 30, 40, 44]),
        (0, 40, [10, 20, 30, 40]),
        # Short loads have intervals of a second.
        (7, 3, [8, 9, 10]),
    ],
)
def test_no_rate_is_over_a_time_without_load(
    first_s: float, seconds: int, ends: list[float], tmp_path: Path
) -> None:
    """Two answers a second are two a second everywhere, whenever the load began and ended."""
    path = tmp_path / "results.csv"
    rows = [sample(first_s + number / 2, 499, "A") for number in range(2 * seconds)]
    path.write_text("\n".join([HEADER, *rows]) + "\n")
    found = load(path, start="2016-07-14 07:30:00")
    rates = found.execute(
        "SELECT since_start_s, completed_per_s FROM throughput WHERE name IS NULL"
        " AND kind = 'sample' ORDER BY 1"
    ).fetchall()
    assert [end for end, _ in rates] == pytest.approx(ends, abs=0.001)
    assert [rate for _, rate in rates] == pytest.approx([2] * len(ends), rel=0.002)
    parts = found.execute(
        "SELECT interval_s >= 9 OR interval_s < 1.1 AS is_whole, logged_in FROM driver_interval"
    ).fetchall()
    assert all(is_whole == counts for is_whole, counts in parts)
    counted, length = found.execute(
        "SELECT sum(completed_per_s * interval_s), sum(interval_s) FROM throughput"
        " WHERE name IS NULL AND kind = 'sample'"
    ).fetchall()[0]
    assert (counted, length) == pytest.approx((2 * seconds, seconds - 0.001))


def test_time_before_the_first_answer_counts(tmp_path: Path) -> None:
    """Five users wait 25 s each time: 40 answers in 200 s, none in the first 20."""
    path = tmp_path / "results.csv"
    rows = [sample(turn * 25, 25000, "A", f"a 1-{user}") for turn in range(8) for user in range(5)]
    path.write_text("\n".join([HEADER, *rows]) + "\n")
    asked = (
        "SELECT completed_per_s, interval_s FROM throughput WHERE name IS NULL AND kind = 'sample'"
    )
    rates = load(path).execute(f"{asked} ORDER BY time_utc").fetchall()
    assert [rate for rate, _ in rates[:3]] == [0, 0, 0.5]
    assert sum(rate * length for rate, length in rates) / 200 == 0.2


def test_response_times_are_in_the_view_of_all_drivers(results: Path) -> None:
    found = load(results, FIXTURES.parent / "rpt" / "full.csv")
    rows = found.execute(
        "SELECT kind, name, measure, since_start_s, interval_s, mean_ms, hits, p90_ms, host"
        " FROM response_time WHERE tool = 'jtl' AND (name = 'B' OR kind = 'transaction')"
        " ORDER BY kind, name"
    ).fetchall()
    assert rows == [
        ("sample", "B", "response time", 20, 10, 1550, 2, 1600, "all hosts"),
        ("transaction", "T", "elapsed time", 20, 10, 4000, 1, 4000, "all hosts"),
        ("transaction", None, "elapsed time", 20, 10, 4000, 1, 4000, "all hosts"),
    ]
    rpt = (
        "SELECT tool, name, mean_ms, hits, p90_ms FROM response_time WHERE name = 'Log in'"
        " ORDER BY mean_ms"
    )
    assert found.execute(rpt).fetchall() == [
        ("rpt", "Log in", 200.0, 3, None), ("rpt", "Log in", 1500.0, 10, None)
    ]  # fmt: skip


@pytest.mark.parametrize("view", ["response_time", "throughput", "virtual_users", "run_statistic"])
def test_results_of_rpt_are_what_they_were(view: str, results: Path) -> None:
    found = load(results, FIXTURES.parent / "rpt" / "full.csv")
    columns = ", ".join(row[0] for row in found.execute(f"DESCRIBE rpt_{view}").fetchall())
    of_rpt = f"SELECT {columns} FROM rpt_{view} ORDER BY ALL"
    of_all = f"SELECT {columns} FROM {view} WHERE tool = 'rpt' ORDER BY ALL"
    assert found.execute(of_all).fetchall() == found.execute(of_rpt).fetchall() != []


def test_throughput_has_intervals_in_which_nothing_ended(results: Path) -> None:
    found = load(results)
    rows = found.execute(
        "SELECT name, list(completed_per_s ORDER BY since_start_s) FROM throughput"
        " WHERE kind = 'sample' GROUP BY name ORDER BY name"
    ).fetchall()
    assert rows == [
        ("A", [0.8, 0, 0, 0.2]), ("B", [0, 0.2, 0, 0]), (None, [0.8, 0.2, 0, 0.2])
    ]  # fmt: skip
    bytes_ = found.execute(
        "SELECT list(round(received_mib_s, 6) ORDER BY time_utc), sum(sent_mib_s * interval_s)"
        " * 1048576 FROM throughput WHERE kind = 'run'"
    ).fetchone()
    assert bytes_ == ([0.8, 0.1, 0, 0.2], pytest.approx(110))


def test_users_are_those_of_each_drivers_last_sample(results: Path, tmp_path: Path) -> None:
    second = tmp_path / "second.csv"
    second.write_text("timeStamp,elapsed,label,allThreads\n1468481401000,10,A,40\n")
    rows = load(results, second).execute(
        "SELECT since_start_s, active, completed, total FROM virtual_users ORDER BY 1"
    )
    # The transaction ends at 12 s, and is the last to do so.
    assert rows.fetchall() == [(10, 45, None, None), (20, 7, None, None), (35, 2, None, None)]


def test_statistics_of_the_run(results: Path) -> None:
    found = load(results)
    rows = found.execute(
        "SELECT measure, statistic, unit, value FROM run_statistic"
        " WHERE kind = 'sample' AND name = 'A' ORDER BY measure, statistic"
    ).fetchall()
    times = [100, 200, 300, 400, 500, 600, 700, 800, 1000]
    mean = sum(times) / 9
    assert rows == [
        ("completed", "count", "count", 9),
        ("failed", "count", "count", 0),
        ("response time", "average", "ms", pytest.approx(mean)),
        ("response time", "maximum", "ms", 1000),
        ("response time", "minimum", "ms", 100),
        ("response time", "percentile 50", "ms", 500),
        ("response time", "percentile 90", "ms", 1000),
        ("response time", "percentile 95", "ms", 1000),
        ("response time", "percentile 99", "ms", 1000),
        ("response time", "standard_deviation", "ms",
         pytest.approx((sum((each - mean) ** 2 for each in times) / 9) ** 0.5)),
    ]  # fmt: skip
    both = found.execute(
        "SELECT value FROM run_statistic"
        " WHERE kind = 'sample' AND name IS NULL AND statistic IN ('percentile 50', 'count')"
        " ORDER BY measure"
    ).fetchall()
    assert both == [(11,), (1,), (600,)]


def test_sums_of_samples_have_a_mean_only() -> None:
    found = load(FIXTURES / "local-time.csv", zone="UTC")
    rows = found.execute(
        "SELECT samples, failed, mean_ms, max_ms, p90_ms FROM jtl_interval"
        " WHERE label = 'Search; all'"
    ).fetchall()
    assert rows == [(4, 1, 1500, None, None)]
    statistics = found.execute(
        "SELECT DISTINCT statistic FROM run_statistic WHERE name = 'Search; all' ORDER BY 1"
    )
    assert statistics.fetchall() == [("average",), ("count",)]


def test_parts_are_not_counted_twice() -> None:
    rows = load(FIXTURES / "nested.xml").execute(
        "SELECT label, sum(samples)::BIGINT FROM jtl_interval WHERE label IS NOT NULL"
        " GROUP BY label ORDER BY 1"
    )
    assert rows.fetchall() == [("Check in", 2), ("Start page & menu", 1)]


def test_coverage_and_events() -> None:
    found = load(FIXTURES / "with-header.jtl", FIXTURES / "local-time.csv", zone="Europe/Zurich")
    coverage = found.execute(
        "SELECT file_id, host, first_utc::VARCHAR, last_utc::VARCHAR, clock, samples, resets"
        " FROM jtl_coverage ORDER BY file_id, host NULLS LAST"
    ).fetchall()
    local = "local time, zone stated"
    assert coverage == [
        (1, None, "2016-07-14 07:30:12", "2016-07-14 07:30:24", "UTC, in the file", 6, None),
        # At 2:30 on that day the clock had not been set back yet: an hour that comes twice.
        (2, "driver1", "2016-10-30 00:30:00.25", "2016-10-30 00:30:08.5", local, 5, None),
        (2, "driver2", "2016-10-30 00:30:01", "2016-10-30 00:30:01.08", local, 1, None),
        (2, None, "2016-10-30 00:31:00", "2016-10-30 00:31:00.095", local, 1, None),
    ]
    events = found.execute("SELECT time_utc::VARCHAR, kind, text FROM jtl_event ORDER BY ALL")
    assert events.fetchall() == [
        ("2016-07-14 07:30:13", "samples failed",
         "1 of Search: 500 Internal Server Error: Test failed: text expected to contain /found/,"
         ' 1 time\n****** received  : no hits\n****** expected  : "found"'),
        ("2016-10-30 00:30:08.5", "samples failed", "1 of Search; all"),
    ]  # fmt: skip


def test_a_wrong_date_does_not_make_endless_intervals(results: Path) -> None:
    text = results.read_text() + "2016-07-14 07:30:00,1,C,200,OK,a 1-9,true,1,1,1,0\n"
    results.write_text(text.replace("2016-07-14", "2099-07-14"))
    rows = load(results).execute("SELECT count(*) FROM throughput WHERE name = 'C'").fetchone()
    assert rows == (4,)


def test_views_work_without_data() -> None:
    for view in ("jtl_interval", "jtl_coverage", "jtl_event", "run_statistic", "throughput"):
        assert scratch.empty().execute(f"FROM {view}").fetchall() == []
