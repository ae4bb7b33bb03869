"""What is special to the results of k6, Locust and Gatling, and what the views make of them."""

from __future__ import annotations

import csv
import io
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook.errors import Refused
from studybook.formats import Reading, read
from studybook.formats.k6.reader import KEPT, SAMPLE, Rows, time_of
from tests.conftest import REPOSITORY
from tests.support import scratch

FIXTURES = REPOSITORY / "tests/data"
DRIVERS = ("k6", "gatling", "locust")

Found = list[dict[str, Any]]


def read_text(folder: Path, text: str) -> tuple[Reading, Found]:
    """Read a file of this content; return the account and the rows."""
    (folder / "results").write_text(text, encoding="utf-8")
    rows: Found = []
    _, reading = read(folder / "results", lambda _, batch: rows.extend(batch.to_pylist()))
    return reading, rows


def load(*names: str, start: str | None = None) -> duckdb.DuckDBPyConnection:
    """Load fixtures into a database of one run."""
    connection = scratch.database()
    connection.execute("SET TimeZone = 'UTC'")
    if start:
        connection.execute("UPDATE run SET start_utc = ?", [start])
    for name in names:
        scratch.enter(connection, FIXTURES / name)
    return connection


# --- k6: rows ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "time"),
    [
        ("1700000000", "2023-11-14 22:13:20"),
        ("1700000000123", "2023-11-14 22:13:20.123000"),
        ("1700000000123456", "2023-11-14 22:13:20.123456"),
        ("1700000000123456789", "2023-11-14 22:13:20.123456"),
        ("2023-11-14T22:13:20Z", "2023-11-14 22:13:20"),
        ("2023-11-14T23:13:20.5+01:00", "2023-11-14 22:13:20.500000"),
        ("17000000", "None"),
        ("2023-11-14 22:13:20", "None"),
        ("2023-02-30T22:13:20Z", "None"),
        ("0001-01-01T00:00:00+23:00", "None"),
    ],
)
def test_times_of_k6(printed: str, time: str) -> None:
    assert str(time_of(printed)) == time


CELLS: dict[str, tuple[str, ...]] = {
    "metric_name": ("http_req_duration", "vus", ""),
    "timestamp": ("1700000000", "1700000001", " 1700000002", "1700000000123", "x", "17",
                  "+1700000000", "2023-11-14T22:13:20.5Z", ""),
    "metric_value": ("1.000000", "0.25", "-3", " 7 ", "nan", "inf", "1e3", "0x1", "", "1e300", "+1",
                     "1.", ".5"),
    "error": ("", "none", "two\nlines", 'say "no"', "a,b", "Ä\u2028ö"),
    "expected_response": ("true", "false", "", "TRUE"),
    "proto": ("", "HTTP/2.0"),
    "name": ("open", "", "null", "NaN"),
    "extra_tags": ("", "a=b&c=d"),
}  # fmt: skip
ORDINARY = {"metric_name": 2, "timestamp": 2, "metric_value": 2, "error": 2}


def collect(block: bytes, cuts: list[int]) -> tuple[Reading, Found]:
    """Read rows in blocks that end where the cuts are."""
    found: Found = []
    out = Reading((SAMPLE,), lambda _, batch: found.extend(batch.to_pylist()))
    rows = Rows(out)
    rows.names = list(CELLS)
    lines = block.split(b"\n")[:-1]
    places = [0, *sorted(min(cut, len(lines)) for cut in cuts), len(lines)]
    for first, last in pairwise(places):
        if first < last:
            rows.take(first + 1, b"".join(line + b"\n" for line in lines[first:last]))
    rows.close()
    out.finish()
    return out, sorted(found, key=lambda row: int(row["line"]))


@settings(max_examples=300, deadline=None)
@given(
    data=st.data(),
    number=st.integers(0, 10),
    ordinary=st.booleans(),
    cuts=st.lists(st.integers(0, 12), max_size=2),
)
def test_blocks_of_k6_give_what_single_rows_give(
    data: st.DataObject, number: int, ordinary: bool, cuts: list[int]
) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for _ in range(number):
        kinds = {
            name: values[: ORDINARY.get(name)] if ordinary else values
            for name, values in CELLS.items()
        }
        writer.writerow([data.draw(st.sampled_from(values)) for values in kinds.values()])
    block = text.getvalue().encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rows, "_many", lambda *_: False)
        slow_out, slow = collect(block, [])
    fast_out, fast = collect(block, cuts)
    assert fast == slow
    assert fast_out.not_understood == slow_out.not_understood
    assert fast_out.lines == slow_out.lines == block.count(b"\n")
    assert not ordinary or len(fast) == number


def test_ordinary_rows_of_k6_are_read_as_a_block() -> None:
    text = (FIXTURES / "k6/milliseconds.csv").read_text()
    header, rest = text.split("\n", 1)
    rows = Rows(Reading((SAMPLE,), lambda *_: None))
    assert not rows._many(2, rest.encode())  # before the header is known
    rows.names = header.split(",")
    assert rows._many(2, rest.encode())
    assert not rows._many(2, rest.replace("home", '"home"', 1).encode())


def test_a_quote_that_nothing_closes_costs_its_own_lines_only(tmp_path: Path) -> None:
    row = "vus,1700000000,1.000000,,\n"
    text = "metric_name,timestamp,metric_value,error,extra_tags\n" + row
    reading, rows = read_text(tmp_path, text + 'vus,1700000000,1.0,"x,\nany\n' + row * 3)
    assert len(rows) == 4
    assert [line for line, _ in reading.not_understood] == [3, 4]


def test_the_precision_of_times_is_remarked(tmp_path: Path) -> None:
    for name, cut in (("seconds", True), ("milliseconds", False)):
        reading, _ = read_text(tmp_path, (FIXTURES / f"k6/{name}.csv").read_text())
        assert any("cut to the second" in text for _, text in reading.remarks) == cut


# --- Gatling and Locust: refusals -------------------------------------------------------


def test_the_binary_log_of_gatling_is_refused_with_what_to_do() -> None:
    with pytest.raises(Refused) as refusal:
        read(FIXTURES / "gatling/binary.log", lambda *_: None)
    assert "3.13 and later" in refusal.value.reason
    assert "3.12 or earlier" in refusal.value.do


def test_the_layout_of_gatling_2_is_inferred() -> None:
    for release, certainty in (("2.3", "inferred"), ("3.2", "documented"), ("3.9", "documented")):
        _, reading = read(FIXTURES / f"gatling/release-{release}.log", lambda *_: None)
        assert reading.certainty == certainty


def test_what_cannot_be_used_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="without a request"):
        read_text(tmp_path, "USER\treaders\tSTART\t1700000000100\n")
    header = (FIXTURES / "locust/full.csv").read_text().split("\n")[0]
    with pytest.raises(Refused, match="no row could be read"):
        read_text(tmp_path, header + "\n1,2,3\n")
    totals = (FIXTURES / "locust/stats.csv").read_text(encoding="utf-8")
    with pytest.raises(Refused, match="statistics, but no row"):
        read_text(tmp_path, totals.split("\n")[0] + "\n")
    # That nothing failed is a result.
    failures = (FIXTURES / "locust/failures.csv").read_text(encoding="utf-8")
    reading, rows = read_text(tmp_path, failures.split("\n")[0] + "\n")
    assert (reading.lines, reading.lines_not_understood, rows) == (1, 0, [])


@pytest.mark.parametrize(
    "line",
    [
        "REQUEST\t\topen\t1700000000100\t1700000000200\tYES\t ",
        "REQUEST\t\topen\t1700000000100\t9\tOK\t ",
        "GROUP\tfind\t1700000000100\t1700000000200\tOK",
        "USER\treaders\tLEAVE\t1700000000100",
        "RUN\ta.B\tb\tyesterday\t \t3.9.5",
        "ERROR\tno time",
        "request\t\topen\t1700000000100\t1700000000200\tOK\t ",
    ],
)
def test_what_is_no_record_of_gatling_is_not_understood(line: str, tmp_path: Path) -> None:
    good = "REQUEST\t\topen\t1700000000100\t1700000000200\tOK\t \n"
    reading, rows = read_text(tmp_path, f"{good}{line}\n{good}")
    assert len(rows) == 2
    assert reading.not_understood == [(2, line)]


# --- views ------------------------------------------------------------------------------

START = "2023-11-14 22:13:20"
IN_ORDER = " ORDER BY kind, name, since_start_s"


def test_response_times_of_k6() -> None:
    rows = (
        load("k6/seconds.csv", start=START)
        .execute(
            "SELECT kind, name, measure, since_start_s, interval_s, mean_ms, hits, failed, p50_ms,"
            " p90_ms FROM response_time WHERE tool = 'k6' AND (kind <> 'sample' OR name IS NULL)"
            + IN_ORDER
        )
        .fetchall()
    )
    # The first sample began after 0.75 s, the last ended after 26.
    assert rows == [
        ("iteration", "readers", "elapsed time", 10, 9.25, 4100, 1, 0, 4100, 4100),
        ("iteration", None, "elapsed time", 10, 9.25, 4100, 1, 0, 4100, 4100),
        # Requests of 250.5, 100.25, 1500 and 80 ms; then of 60 and 9000; then of 40.
        ("sample", None, "response time", 10, 9.25, 482.6875, 4, 1, 100.25, 1500),
        ("sample", None, "response time", 20, 10, 4530, 2, 1, 60, 9000),
        ("sample", None, "response time", 26, 6, 40, 1, 0, 40, 40),
        ("transaction", "find / deep", "elapsed time", 10, 9.25, 2600.125, 1, 0, 2600.125,
         2600.125),
        ("transaction", None, "elapsed time", 10, 9.25, 2600.125, 1, 0, 2600.125, 2600.125),
    ]  # fmt: skip


def test_throughput_and_users_of_k6() -> None:
    found = load("k6/seconds.csv", start=START)
    rows = found.execute(
        "SELECT kind, name, list(completed_per_s ORDER BY since_start_s),"
        " list(received_mib_s ORDER BY since_start_s) FROM throughput"
        " WHERE name IS NULL OR name = 'open' GROUP BY kind, name ORDER BY kind, name"
    ).fetchall()
    assert rows == [
        ("iteration", None, [1 / 9.25, 0, 0], [None] * 3),
        ("run", None, [None] * 3, [2 / 9.25, 0, 0]),
        ("sample", "open", [2 / 9.25, 0, 1 / 6], [None] * 3),
        ("sample", None, [4 / 9.25, 0.2, 1 / 6], [None] * 3),
        ("transaction", None, [1 / 9.25, 0, 0], [None] * 3),
    ]
    users = found.execute("SELECT since_start_s, active FROM virtual_users ORDER BY 1").fetchall()
    assert users == [(10, 3), (20, 5), (26, 1)]


def test_a_run_of_k6_without_bytes_has_no_rates_of_bytes() -> None:
    rows = load("k6/milliseconds.csv").execute("SELECT DISTINCT kind FROM throughput").fetchall()
    assert rows == [("sample",)]


def test_failures_of_k6_without_the_flag_are_told_by_the_code() -> None:
    rows = load("k6/rfc3339.csv").execute(
        "SELECT name, hits, failed FROM response_time WHERE name IS NOT NULL ORDER BY name"
    )
    assert rows.fetchall() == [("home", 1, 0), ("logo", 1, 1)]


def test_events_of_k6() -> None:
    rows = (
        load("k6/seconds.csv")
        .execute("SELECT time_utc::VARCHAR, kind, text FROM k6_event ORDER BY time_utc, kind")
        .fetchall()
    )
    assert rows == [
        ("2023-11-14 22:13:24", "checks failed", "1 of status is 200"),
        ("2023-11-14 22:13:24", "requests failed", "1 of search: 1503"),
        ("2023-11-14 22:13:32", "requests failed",
         "1 of check in: 1050: request timeout:\nno answer"),
        ("2023-11-14 22:13:33", "iterations dropped",
         "4 of readers; the last at 2023-11-14 22:13:33 UTC"),
    ]  # fmt: skip


def test_response_times_of_gatling() -> None:
    rows = (
        load("gatling/release-3.9.log")
        .execute(
            "SELECT kind, name, measure, since_start_s, mean_ms, hits, failed, p50_ms, max_ms"
            " FROM response_time WHERE tool = 'gatling' AND (since_start_s = 10 OR name IS NULL)"
            + IN_ORDER
        )
        .fetchall()
    )
    assert rows == [
        ("sample", "find / deep / get, first", "response time", 10, 80, 1, 1, 80, 80),
        ("sample", "find / deep / search", "response time", 10, 1500, 1, 0, 1500, 1500),
        ("sample", "open", "response time", 10, 250, 1, 0, 250, 250),
        ("sample", None, "response time", 10, 610, 3, 1, 250, 1500),
        ("sample", None, "response time", 20, 100, 1, 0, 100, 100),
        ("sample", None, "response time", 32.95, 50, 1, 0, 50, 50),
        # Without the group's pauses, which are 2995 - 1580 ms.
        ("transaction", "find / deep", "elapsed time", 10, 1580, 1, 1, 1580, 1580),
        ("transaction", None, "elapsed time", 10, 1580, 1, 1, 1580, 1580),
    ]


def test_throughput_and_users_of_gatling() -> None:
    found = load("gatling/release-3.9.log")
    rows = found.execute(
        "SELECT kind, list(completed_per_s ORDER BY since_start_s) FROM throughput"
        " WHERE name IS NULL GROUP BY kind ORDER BY kind"
    ).fetchall()
    # From 0.01 to 10 s, and from 30 to 32.95.
    assert rows == [
        ("sample", pytest.approx([3 / 9.99, 0.1, 0, 1 / 2.95])),
        ("transaction", pytest.approx([1 / 9.99, 0, 0, 0])),
    ]
    # Two come and one goes; the other one goes when the load is over.
    users = found.execute("SELECT since_start_s, active FROM virtual_users ORDER BY 1").fetchall()
    assert users == [(10, 1), (20, 1), (30, 1), (32.95, 1)]


def test_events_of_gatling() -> None:
    found = load("gatling/release-3.9.log")
    rows = found.execute("SELECT kind, text FROM gatling_event ORDER BY kind")
    assert rows.fetchall() == [
        ("errors", "1: open: Failed to build request: No attribute named 'id' is defined "),
        ("samples failed",
         "1 of find / deep / get, first: status.find.in(200), but actually found 503"),
        ("transactions failed", "1 of find / deep"),
    ]  # fmt: skip


def test_intervals_of_locust_are_differences_of_totals() -> None:
    rows = (
        load("locust/full.csv")
        .execute(
            "SELECT name, since_start_s, interval_s, mean_ms, hits, failed, p50_ms, p99_ms"
            " FROM response_time WHERE tool = 'locust' ORDER BY name, since_start_s"
        )
        .fetchall()
    )
    assert rows == [
        ("GET /open", 10, 10, 100, 10, 0, 95, 135),
        # 40 of 115 ms in all, less 10 of 100.
        ("GET /open", 20, 10, 120, 30, 0, 120, 160),
        ("POST /search, all", 10, 10, 400, 5, 1, 390, 430),
        ("POST /search, all", 20, 10, 550, 10, 2, 560, 600),
        (None, 10, 10, 200, 15, 1, 100, 140),
        (None, 20, 10, 227.5, 40, 2, 130, 170),
    ]


def test_a_reset_of_locust_begins_anew_and_is_an_event() -> None:
    found = load("locust/total.csv")
    rows = found.execute(
        "SELECT t.since_start_s, t.interval_s, t.completed_per_s, r.failed, r.p90_ms, u.active"
        " FROM throughput t JOIN response_time r USING (time_utc) JOIN virtual_users u"
        " USING (time_utc) ORDER BY 1"
    ).fetchall()
    # Rows are at 10, 20, 22 (the reset) and 40 s; percentiles are of the whole run.
    assert rows == [
        (10, 10, 5, 2, None, 20), (20, 10, 10, 3, None, 20), (22, 2, 5, 0, None, 20),
        (40, 18, 10, 1, None, 20),
    ]  # fmt: skip
    coverage = found.execute("SELECT samples, gaps, restarts, resets FROM locust_coverage")
    assert coverage.fetchall() == [(8, 1, 0, 1)]
    events = found.execute("SELECT kind, text FROM locust_event ORDER BY kind").fetchall()
    assert events == [
        ("requests failed", "6 of all requests; the last until 2023-11-14 22:14:00 UTC"),
        ("statistics reset", "150 requests before are not in the totals that follow"),
    ]


def test_idle_time_before_and_after_a_load_is_of_no_phase(tmp_path: Path) -> None:
    """Locust that is steered by hand writes its history while nobody is there, too."""
    total = (FIXTURES / "locust/total.csv").read_text(encoding="utf-8")
    head, first, *_ = total.splitlines()
    cells = [*first.split(",")[2:], "0"][: head.count(",") - 1]
    place = head.split(",").index("Total Request Count") - 2
    rows = [head]
    for second in range(0, 1200, 5):
        users = 20 if 300 < second <= 500 else 0
        done = 10 * min(max(second - 300, 0), 200)
        cells[place] = str(done)
        rows.append(",".join([str(1700000000 + second), str(users), *cells]))
    path = tmp_path / "x_stats_history.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    found = scratch.database()
    found.execute("UPDATE run SET kind = 'measurement'")
    scratch.enter(found, path)
    rate, from_s, to_s = found.execute(
        "SELECT d.completed_per_s, p.from_s, p.to_s FROM stable_phase p JOIN phase_driver d"
        " USING (run_id)"
    ).fetchall()[0]
    assert rate == pytest.approx(10)
    assert 300 <= from_s < to_s <= 500


def test_users_who_go_after_the_last_request_are_there_until_then(tmp_path: Path) -> None:
    """Gatling's users pause at their end: that is no part of the load, and they are not gone."""
    began = 1700000000000
    rows = ["RUN\ta.B\tb\t1700000000000\t \t3.9.5"]
    for user in range(10):
        rows.append(f"USER\treaders\tSTART\t{began}")
        rows += [
            f"REQUEST\t\topen\t{began + at}\t{began + at + 90}\tOK\t "
            for at in range(user, 60000, 1000)
        ]
        rows.append(f"USER\treaders\tEND\t{began + 63000}")
    path = tmp_path / "simulation.log"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    found = scratch.database()
    scratch.enter(found, path)
    users = found.execute("SELECT active FROM virtual_users ORDER BY time_utc").fetchall()
    assert users == [(10,)] * 6
    counted = found.execute("SELECT count(*) FROM driver_interval WHERE logged_in").fetchall()
    assert counted == [(6,)]


def test_the_whole_run_of_locust_goes_before_its_history() -> None:
    """With what failures said; without a history, all requests together are an execution."""
    metrics = (
        "SELECT metric, own['label'], value FROM label_metric WHERE metric IN"
        " ('requests_per_s', 'response_mean_ms', 'response_p90_ms', 'error_percent')"
        " AND own['label'] IN ('all', 'POST /search, all') ORDER BY ALL"
    )
    alone = load("locust/stats.csv", "locust/failures.csv", "locust/exceptions.csv")
    of_search = {"error_percent": 15, "requests_per_s": 1, "response_mean_ms": 310.25,
                 "response_p90_ms": 600}  # fmt: skip
    of_all = {"error_percent": 5, "requests_per_s": 3, "response_mean_ms": 180.083,
              "response_p90_ms": 380}  # fmt: skip
    found = alone.execute(metrics).fetchall()
    assert [(metric, label) for metric, label, _ in found] == sorted(
        (metric, label) for label in ("all", "POST /search, all") for metric in of_all
    )
    for metric, label, value in found:
        expected = of_all if label == "all" else of_search
        assert value == pytest.approx(expected[metric], abs=0.001), (metric, label)
    said = alone.execute("SELECT kind, text FROM run_event ORDER BY ALL").fetchall()
    assert [kind for kind, _ in said] == ["exceptions of the users"] + 2 * ["requests failed"]
    assert said[0][1] == "4: 'total'"
    assert said[2][1].startswith("2 of POST /search, all: HTTPError('503")
    reason = (
        "SELECT label, failure, failed, requests, first_by_utc FROM driver_failure ORDER BY failed"
    )
    (of_answer, of_status) = alone.execute(reason).fetchall()
    assert of_answer[0] == of_status[0] == "POST /search, all"
    assert of_answer[1].startswith("CatchResponseError")
    assert (of_answer[2:], of_status[2:]) == ((1, 60, None), (2, 60, None))
    counted = load("locust/total.csv").execute(reason).fetchall()
    assert counted == [(None, None, 1, 190, None)]
    # Intervals of all together count where the history has them; names and percentiles do not.
    both = load("locust/stats.csv", "locust/total.csv")
    of_run = both.execute(
        "SELECT name, statistic, value FROM run_statistic WHERE statistic IN"
        " ('count', 'percentile 90') AND measure <> 'failed' ORDER BY ALL"
    ).fetchall()
    assert of_run == [
        ("GET /open", "count", 40), ("GET /open", "percentile 90", 130),
        ("POST /search, all", "count", 20), ("POST /search, all", "percentile 90", 600),
        (None, "count", 60), (None, "percentile 90", 380),
    ]  # fmt: skip
    assert both.execute("SELECT count(*) FROM load_run").fetchall() == [(0,)]


@pytest.mark.parametrize(
    ("name", "completed", "failed", "average", "median"),
    [
        ("k6/milliseconds.csv", 6, 1, 13, 12.5),
        ("gatling/release-3.9.log", 5, 1, 396, 100),
        ("locust/full.csv", 55, 3, 220, 130),
        ("locust/total.csv", 190, 1, 150, 130),
    ],
)
def test_statistics_of_the_run(
    name: str, completed: float, failed: float, average: float, median: float
) -> None:
    rows = load(name).execute(
        "SELECT measure, statistic, unit, value FROM run_statistic WHERE kind = 'sample'"
        " AND name IS NULL AND statistic IN ('count', 'average', 'percentile 50') ORDER BY ALL"
    )
    assert rows.fetchall() == [
        ("completed", "count", "count", completed),
        ("failed", "count", "count", failed),
        ("response time", "average", "ms", average),
        ("response time", "percentile 50", "ms", median),
    ]


def test_rates_times_intervals_add_up_to_the_count() -> None:
    names = ("k6/seconds.csv", "gatling/release-3.9.log", "locust/full.csv", "jtl/with-header.jtl")
    rows = (
        load(*names, start=START)
        .execute(
            "WITH rated AS (SELECT tool, sum(completed_per_s * interval_s) AS n FROM throughput"
            " WHERE kind = 'sample' AND name IS NULL AND completed_per_s > 0 GROUP BY tool),"
            " counted AS (SELECT tool, value FROM run_statistic"
            " WHERE measure = 'completed' AND kind = 'sample' AND name IS NULL)"
            " SELECT tool, round(n, 9), value FROM rated JOIN counted USING (tool) ORDER BY tool"
        )
        .fetchall()
    )
    assert [row[:2] for row in rows] == [("gatling", 5), ("jtl", 5), ("k6", 7), ("locust", 55)]
    assert all(rated == counted for _, rated, counted in rows)


@pytest.mark.parametrize("driver", DRIVERS)
def test_two_files_of_one_run(driver: str) -> None:
    name = {"k6": "milliseconds.csv", "gatling": "release-3.2.log", "locust": "full.csv"}[driver]
    one, two = load(f"{driver}/{name}"), load(f"{driver}/{name}", f"{driver}/{name}")
    query = "SELECT sum(hits), sum(mean_ms * hits) / sum(hits) FROM response_time"
    ((hits, mean),) = one.execute(query).fetchall()
    assert two.execute(query).fetchall() == [(2 * hits, pytest.approx(mean))]


PROGRESS = (
    "SELECT strftime(time_utc, '%H:%M:%S.%g'), since_start_s, interval_s, completed_per_s,"
    " mean_ms, users, failed FROM progress_interval ORDER BY time_utc"
)


@pytest.mark.parametrize(
    ("name", "start", "expected"),
    [
        ("pgbench/progress.txt", "2024-06-14 12:00:00", [
            ("12:00:05.000", 5.0, 5.0, 780.0, 10.25, 8, 0),
            ("12:00:10.000", 10.0, 5.0, 800.0, 10.0, 8, 2),
            ("12:00:15.000", 15.0, 5.0, 0.0, None, 8, 0),
            ("12:00:20.000", 20.0, 5.0, 820.0, 9.75, 8, 0),
        ]),
        ("pgbench/progress.txt", None, []),
        # Instants need no start.
        ("pgbench/scripts.txt", None, [
            ("12:00:05.250", 5.0, 5.0, 990.0, 4.0, 4, 0),
            ("12:00:10.250", 10.0, 5.0, 1010.0, 4.25, 4, 0),
        ]),
        ("pgbench/scripts.txt", "2024-06-14 12:00:00", [
            ("12:00:05.250", 5.25, 5.0, 990.0, 4.0, 4, 0),
            ("12:00:10.250", 10.25, 5.0, 1010.0, 4.25, 4, 0),
        ]),
        ("sysbench/sql.txt", "2024-06-14 12:00:00", [
            ("12:00:05.000", 5.0, 5.0, 620.0, None, 16, 2),
            ("12:00:10.000", 10.0, 5.0, 660.0, None, 16, 0),
        ]),
        # The second of several executions did not begin with the run.
        ("sysbench/old.txt", "2024-06-14 12:00:00", []),
    ],
)  # fmt: skip
def test_progress_is_a_course_over_time_where_it_is_known_when_it_was(
    name: str, start: str | None, expected: list[tuple[Any, ...]]
) -> None:
    found = load(name, start=start)
    assert found.execute(PROGRESS).fetchall() == expected
    rates = found.execute("SELECT completed_per_s FROM throughput ORDER BY time_utc").fetchall()
    assert rates == [(row[3],) for row in expected]
    tool = name.partition("/")[0]
    samples = found.execute(f"SELECT samples FROM {tool}_coverage").fetchall()
    assert samples == ([(len(expected),)] if expected else [])


SUMMARY = """\
transaction type: x
scaling factor: 1
number of clients: 8
number of transactions actually processed: 900
tps = 900.0 (without initial connection time)
"""
ABORTED = "pgbench: error: Run was aborted; the above results are incomplete.\n"


def said(*offsets: float, tps: float = 900) -> str:
    return "".join(f"progress: {at} s, {tps} tps, lat 1.0 ms stddev 0.5\n" for at in offsets)


@pytest.mark.parametrize(
    ("files", "start", "expected"),
    [
        # Of a file whose beginning is missing, the first is no longer than the others.
        ([said(3601.0, 3602.0, 3603.0)], True, [1.0, 1.0, 1.0]),
        # pgbench was late once.
        ([said(1.0, 2.0, 5.0)], True, [1.0, 1.0, 3.0]),
        ([said(*(1718366400 + at for at in (1, 11, 12, 13)))], False, [1.0, 10.0, 1.0, 1.0]),
        # The first execution has no progress: it is not known when the second began.
        (["", said(1.0, 2.0)], True, []),
        # Instants of two that ran one after the other, and at the same time.
        ([said(1718366401, 1718366402), said(1718366411, 1718366412)], False, [1.0] * 4),
        ([said(1718366401, 1718366402), said(1718366402, 1718366403)], True, []),
    ],
)
def test_intervals_of_pgbench_are_as_long_as_they_were(
    files: list[str], start: bool, expected: list[float], tmp_path: Path
) -> None:
    found = load(start="2024-06-14 12:00:00" if start else None)
    for number, text in enumerate(files):
        (path := tmp_path / f"{number}.txt").write_text(text + SUMMARY)
        scratch.enter(found, path)
    rows = found.execute("SELECT interval_s FROM progress_interval ORDER BY time_utc").fetchall()
    assert [length for (length,) in rows] == expected


def test_progress_in_a_file_of_its_own_is_of_the_execution_in_the_other(tmp_path: Path) -> None:
    found = load(start="2024-06-14 12:00:00")
    for name, text in (("out", SUMMARY), ("err", said(1.0, 2.0))):
        (tmp_path / name).write_text(text)
        scratch.enter(found, tmp_path / name)
    assert [row[5] for row in found.execute(PROGRESS).fetchall()] == [8, 8]
    assert found.execute("SELECT completed FROM load_run").fetchall() == [(900,)]
    (tmp_path / "err2").write_text(ABORTED)
    scratch.enter(found, tmp_path / "err2")
    assert found.execute("SELECT completed FROM load_run").fetchall() == []


VACUUM = "starting vacuum...end.\n"
CUT = SUMMARY.partition("tps")[0].replace("clients: 8", "clients: 8\nduration: 60 s")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What is cut does not run into what follows.
        (VACUUM + CUT + VACUUM + SUMMARY, [("cut", None), ("complete", None)]),
        (CUT + SUMMARY, [("cut", None), ("complete", None)]),
        (said(5.0, 10.0) + said(5.0, 10.0, 15.0) + SUMMARY, [("cut", None), ("complete", None)]),
        # Clients ended before their time, and only the numbers tell.
        (SUMMARY.replace("900\n", "363/400\n", 1),
         [("failed", "363 of 400 transactions were processed")]),
        (SUMMARY.replace("8\n", "8\nduration: 60 s\n", 1),
         [("failed", "it ended after 1 of 60 s")]),
        ("Client 1 aborted in state 8: ERROR: x\n" + SUMMARY,
         [("failed", "Client 1 aborted in state 8: ERROR: x")]),
        (SUMMARY + ABORTED, [("failed", "Run was aborted; the above results are incomplete")]),
        ("pgbench: error: no server\n" + SUMMARY, [("failed", "no server")]),
        (SUMMARY + "pgbench: error: no server\n", [("complete", None), ("failed", "no server")]),
    ],
)  # fmt: skip
def test_executions_of_pgbench_are_told_apart(
    text: str, expected: list[tuple[str, str | None]], tmp_path: Path
) -> None:
    _, found = read_text(tmp_path, text)
    assert [(row["status"], row["error"]) for row in found if "status" in row] == expected
    if len(of := [row["run_no"] for row in found if "offset_s" in row]) > 2:
        assert of == [0, 0, 1, 1, 1]


def test_what_stands_before_an_execution_of_pgbench_is_of_none(tmp_path: Path) -> None:
    statements = "statement latencies in milliseconds:\n    0.125  BEGIN;\n"
    reading, found = read_text(tmp_path, f"{statements}pgbench (15.6)\n{SUMMARY}")
    assert not any("statement" in row for row in found)
    assert reading.lines_not_understood == 2


def test_a_rate_that_leaves_much_out_is_remarked(tmp_path: Path) -> None:
    both = "tps = 100.0 (including connections establishing)\ntps = 900.0 (excluding connections"
    reading, _ = read_text(tmp_path, SUMMARY.partition("tps")[0] + f"{both} establishing)\n")
    assert any("had 100 transactions per second" in said for _, said in reading.remarks)


def test_two_files_with_progress_of_one_run_have_no_course_over_time() -> None:
    both = load("pgbench/progress.txt", "sysbench/sql.txt", start="2024-06-14 12:00:00")
    assert both.execute(PROGRESS).fetchall() == []
    assert both.execute("SELECT count(*) FROM load_run").fetchall() == [(2,)]


def test_the_response_time_of_sysbench_is_that_of_the_whole() -> None:
    found = load("sysbench/sql.txt", start="2024-06-14 12:00:00")
    found.execute("UPDATE run SET kind = 'measurement'")
    rows = found.execute("SELECT completed_per_s, response_ms FROM phase_driver").fetchall()
    assert rows == [(640.0, 22.5)]


def test_every_tool_that_drives_load_tells_of_response_times() -> None:
    found = load(
        "gatling/release-3.9.log", "jtl/nested.xml", "k6/seconds.csv", "locust/full.csv",
        "rpt/full.csv",
    )  # fmt: skip
    tools = found.execute("SELECT DISTINCT tool FROM response_time ORDER BY tool").fetchall()
    assert [tool for (tool,) in tools] == ["gatling", "jtl", "k6", "locust", "rpt"]


def test_views_work_without_data() -> None:
    found = scratch.empty()
    for driver in DRIVERS:
        for view in ("coverage", "event"):
            assert found.execute(f"FROM {driver}_{view}").fetchall() == []


@pytest.mark.parametrize("name", ["seconds", "milliseconds", "rfc3339"])
def test_k6_says_the_same_as_json_and_as_csv(name: str, tmp_path: Path) -> None:
    """The same values, written as k6 writes them in lines of JSON."""
    of_csv: Found = []
    read(FIXTURES / f"k6/{name}.csv", lambda _, batch: of_csv.extend(batch.to_pylist()))
    lines = []
    for row in of_csv:
        tags = {
            "proto": "HTTP/1.1",
            **dict(each.split("=") for each in (row["extra_tags"] or "").split("&") if each),
        }
        tags |= {
            tag: str(row[column]).lower() if tag == "expected_response" else row[column]
            for tag, column in KEPT.items()
            if column not in ("metric", "value", "extra_tags") and row[column] is not None
        }
        data = {"time": f"{row['time_utc'].isoformat()}Z", "value": row["value"], "tags": tags}
        lines += [
            json.dumps({"type": "Metric", "data": {"type": "trend"}, "metric": row["metric"]}),
            json.dumps({"metric": row["metric"], "type": "Point", "data": data}),
        ]
    reading, of_json = read_text(
        tmp_path, "\n".join([*lines, "", '{"metric":"x","type":"Point"}', ""])
    )
    assert [{**row, "line": 0} for row in of_json] == [{**row, "line": 0} for row in of_csv] != []
    assert reading.lines_not_understood == 1
    with pytest.raises(Refused, match="no value"):
        read_text(tmp_path, lines[0] + "\n")
