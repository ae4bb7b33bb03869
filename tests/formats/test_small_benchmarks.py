"""Small benchmarks: what their readers make of any numbers, and the views of them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from studybook import formats
from studybook.errors import Refused, StudyBookError
from studybook.formats.dd.reader import size
from studybook.formats.iozone.reader import CUTS, TESTS
from studybook.formats.netperf.layouts import rate
from tests.conftest import REPOSITORY
from tests.support.reading import lines_of, read_rows
from tests.support.reading import read_text as any_text
from tests.support.scratch import database, enter

DATA = REPOSITORY / "tests/data"

EXAMPLES = settings(
    max_examples=40,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def read_text(folder: Path, text: str) -> dict[str, list[dict[str, Any]]]:
    """Read a text; every line of it must be understood."""
    path = folder / "raw"
    path.write_text(text, encoding="utf-8")
    _, reading, rows = read_rows(path)
    assert reading.lines_not_understood == 0, reading.not_understood
    assert reading.lines == len(lines_of(path))
    return rows


def entered(*names: str) -> duckdb.DuckDBPyConnection:
    """Return a database that has these fixtures."""
    connection = database()
    for name in names:
        enter(connection, DATA / name)
    return connection


def ask(connection: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    """Return the rows of a query as dictionaries."""
    found = connection.execute(sql)
    names = [column[0] for column in found.description or []]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def remarks_of_fio(folder: Path, **job: Any) -> tuple[list[dict[str, Any]], list[str]]:
    """Read a job of fio with these parts: its results, and the remarks on it."""
    path = folder / "raw"
    document = {"fio version": "fio-3.36", "jobs": [{"jobname": "j", **job}]}
    path.write_text(json.dumps(document, indent=1), encoding="utf-8")
    _, reading, rows = read_rows(path)
    return rows.get("fio_result", []), [text for _, text in reading.remarks]


# --- any numbers ------------------------------------------------------------------------


@EXAMPLES
@given(
    runs=st.lists(
        st.tuples(st.integers(1, 4096), st.integers(1, 10**9), st.booleans()),
        min_size=1,
        max_size=6,
    )
)
def test_dbench_runs_one_after_another(tmp_path: Path, runs: list[tuple[int, int, bool]]) -> None:
    text = "".join(
        "dbench version 4.00 - Copyright Andrew Tridgell 1999-2004\n\n"
        f"{clients:4d} {7 * clients:8d} {thousandths / 1000:8.2f} MB/sec  execute   1 sec"
        "  latency 1.000 ms\n\n"
        f"Throughput {thousandths / 1000:g} MB/sec{'  ' if not sync else ' (sync open)  '}"
        f"{clients} clients  {clients} procs  max_latency=1.000 ms\n"
        for clients, thousandths, sync in runs
    )
    rows = read_text(tmp_path, text)
    assert [(row["clients"], row["sync_open"]) for row in rows["dbench_run"]] == [
        (clients, sync) for clients, _, sync in runs
    ]
    for row, (_, thousandths, _) in zip(rows["dbench_run"], runs, strict=True):
        assert row["rate_bytes_s"] == pytest.approx(thousandths * 1000, rel=1e-5)


@EXAMPLES
@given(
    chosen=st.sampled_from(sorted(CUTS)),
    data=st.data(),
)
def test_iozone_cells_are_found_by_width(tmp_path: Path, chosen: str, data: st.DataObject) -> None:
    cuts = CUTS[chosen]
    widths = [end - start for start, end in zip((0, *cuts), cuts, strict=False)]
    # Cells as wide as their columns run together with their neighbours.
    values = [
        data.draw(st.none() | st.integers(0, 10**width - 1), label=test)
        for test, width in zip(TESTS, widths[2:], strict=True)
    ]
    printed = zip([1024, 64, *values], widths, strict=True)
    row = "".join(("" if each is None else str(each)).rjust(width) for each, width in printed)
    rows = read_text(
        tmp_path,
        f"\tIozone: Performance Test of File I/O\n              {chosen}    read\n{row}\n\n"
        "iozone test complete.\n",
    )
    found = {each["test"]: each["rate_kib_s"] for each in rows.get("iozone_rate", [])}
    wanted = zip(TESTS, values, strict=True)
    assert found == {test: value for test, value in wanted if value is not None}


@pytest.mark.parametrize("front", ["    ", "\t", "        "])
@pytest.mark.parametrize(
    "name", ["iozone-3.489-report.txt", "iozone-two-releases.txt", "iozone-throughput.txt"]
)
def test_what_iozone_prints_may_be_indented(name: str, front: str, tmp_path: Path) -> None:
    """As in a document: tables are cut where their heading says, so all must be indented alike."""
    text = (DATA / "iozone" / name).read_text(encoding="utf-8")
    indented = "".join(front + line for line in text.splitlines(keepends=True))
    assert read_text(tmp_path, indented) == read_text(tmp_path, text)


@EXAMPLES
@given(
    blocks=st.integers(1, 10**9),
    block=st.sampled_from([512, 4096, 65536, 2**20]),
    micros=st.integers(1, 10**12),
    words=st.sampled_from(
        [
            ("{} records in", "{} records out", "{} bytes (x) copied, {} s, 1.0 MB/s"),
            ("{} Datensätze ein", "{} Datensätze aus", "{} Bytes (x) kopiert, {} s, 1,0 MB/s"),
            ("{}\u00a0enregistrements lus", "{}\u00a0enregistrements écrits",
             "{}\u00a0octets (x) copiés, {} s, 1,0 MB/s"),
        ]
    ),
)  # fmt: skip
def test_dd_in_any_locale(
    tmp_path: Path, blocks: int, block: int, micros: int, words: tuple[str, str, str]
) -> None:
    seconds = f"{micros / 1e6:g}"
    if "copied" not in words[2]:
        seconds = seconds.replace(".", ",")
    moved = blocks * block
    assume(1e6 * moved / micros < 2**63)  # what no machine does is left out
    text = "\n".join(
        [
            words[0].format(f"{blocks}+0"),
            words[1].format(f"{blocks}+0"),
            words[2].format(moved, seconds),
        ]
    )
    (row,) = read_text(tmp_path, text + "\n")["dd_run"]
    assert (row["copied_bytes"], row["block_size_bytes"]) == (moved, block)
    assert row["rate_bytes_s"] == pytest.approx(moved / (micros / 1e6), rel=1e-5)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("1M", 2**20), ("1MB", 10**6), ("64k", 2**16), ("2b", 1024), ("3c", 3), ("1MiB", 2**20),
     ("1x2", None), ("9" * 12 + "E", None)],
)  # fmt: skip
def test_sizes_as_dd_reads_them(text: str, wanted: int | None) -> None:
    assert size(text) == wanted


@pytest.mark.parametrize(
    ("unit", "wanted"),
    [("10^6bits/sec", 2.0), ("10^9bits/s", 2000.0), ("MBytes/sec", 16.777216), ("parsecs", None)],
)
def test_units_of_netperf(unit: str, wanted: float | None) -> None:
    assert rate(2.0, unit).get("throughput_mbit_s") == wanted


def test_the_report_of_iozone_repeats_its_table(samples_dir: Path) -> None:
    """Widths and report are two ways to the same cells: 585 of each."""
    _, _, rows = read_rows(samples_dir / "bench/iozone/iozone-510-autoR.txt")
    key = ("test", "file_size_kib", "record_size_kib", "rate_kib_s")
    cells, report = (
        {tuple(row[name] for name in key) for row in rows[table]}
        for table in ("iozone_rate", "iozone_report")
    )
    assert len(cells) == 585
    assert cells == report


# --- the views --------------------------------------------------------------------------


def test_throughput_by_processes() -> None:
    connection = entered(
        "dbench/dbench-1.3.txt",
        "dbench/dbench-2.0.txt",
        "dbench/dbench-4.0-scaling.txt",
        "iozone/iozone-throughput.txt",
        "iozone/iozone-3.489-report.txt",
    )
    rows = ask(connection, "FROM bench_throughput WHERE tool = 'dbench' ORDER BY processes")
    assert [(row["processes"], row["rate_mb_s"]) for row in rows] == [
        (4, 312.75), (8, 397.25), (16, pytest.approx(1048.58))
    ]  # fmt: skip
    (row,) = ask(connection, "FROM bench_throughput WHERE processes = 3 AND test = 'rewrite'")
    assert row["rate_mib_s"] == 6000.5 / 1024
    assert row["overlapped"] is False
    (row,) = ask(connection, "SELECT count_if(inaccurate) AS few, count_if(NOT inaccurate) AS good"
                             " FROM bench_throughput WHERE processes = 1")  # fmt: skip
    assert row == {"few": 26, "good": 26}
    left_out = ask(connection, "SELECT file, status FROM left_out ORDER BY ALL")
    assert [(row["file"], row["status"]) for row in left_out] == [
        ("dbench-1.3.txt", "unit unknown"),
        ("dbench-4.0-scaling.txt", "aborted"),
        ("dbench-4.0-scaling.txt", "failed"),
    ]


def test_transactions_and_streams() -> None:
    connection = entered(
        "netperf/netperf-tables.txt", "netperf/netperf-omni.csv", "netperf/netperf-omni-keys.txt"
    )
    rows = ask(connection, "FROM bench_transaction ORDER BY transactions_per_s")
    assert [(row["kind"], row["request_bytes"], row["response_bytes"]) for row in rows] == [
        ("rr", 64, 8192), ("rr", 200, 1000)
    ]  # fmt: skip
    assert rows[1]["local_us_per_transaction"] == 11.875
    assert rows[1]["latency_us"] == 23.725
    rows = ask(connection, "FROM bench_stream WHERE protocol = 'UDP'")
    assert [(row["throughput_mbit_s"], row["sent_mbit_s"]) for row in rows] == [(942.1, 956.25)]
    assert not ask(connection, "FROM bench_stream WHERE throughput_mbit_s = 9400")
    left_out = ask(connection, "SELECT status FROM left_out ORDER BY ALL")
    assert [row["status"] for row in left_out] == ["check", "failed"]


def test_copies_by_block_size() -> None:
    connection = entered("dd/dd-script.txt", "dd/dd-locales.txt", "dd/time.txt")
    rows = ask(connection, "FROM bench_copy WHERE cpu_s IS NOT NULL ORDER BY block_size_bytes")
    assert [(row["block_size_bytes"], row["elapsed_of"], row["cpu_s"]) for row in rows] == [
        (4096, "time", 6.75), (65536, "dd", 2.0)
    ]  # fmt: skip
    assert rows[0]["rate_mb_s"] == 4096 * 250000 / 64 / 1e6
    assert rows[1]["rate_mib_s"] == 128
    assert len(ask(connection, "FROM bench_copy")) == 5
    left_out = ask(connection, "SELECT status FROM left_out ORDER BY ALL")
    assert [row["status"] for row in left_out] == ["check", "failed"]


def test_commands_that_are_timed_are_metrics_if_they_are_named_and_ended_well(
    tmp_path: Path,
) -> None:
    said = """\
\tCommand being timed: "sort big"
\tUser time (seconds): 2.50
\tSystem time (seconds): 0.50
\tPercent of CPU this job got: 75%
\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:04.00
\tMaximum resident set size (kbytes): 524288
\tExit status: 0
"""
    failed = said.replace("status: 0", "status: 2").replace("sort", "sort -x")
    unnamed = "\nreal\t0m64.000s\nuser\t0m1.000s\nsys\t0m1.000s\n"
    path = tmp_path / "time.txt"
    path.write_text(said + failed + unnamed, encoding="utf-8")
    connection = database()
    enter(connection, path)
    rows = ask(connection, "FROM small_benchmark ORDER BY metric")
    assert [(row["metric"], row["series"], row["value"]) for row in rows] == [
        ("command_cpu_s", "sort big", 3.0),
        ("command_peak_mib", "sort big", 512.0),
        ("command_s", "sort big", 4.0),
    ]


def test_perf_stat_as_printed_has_times_of_commands_and_ratios() -> None:
    connection = entered("perf/stat.txt")
    rows = ask(
        connection, "FROM small_benchmark WHERE metric <> 'event_count' ORDER BY metric, value"
    )
    assert [(row["metric"], row["series"], row["value"]) for row in rows] == [
        ("branch_miss_percent", "all", 2.0),
        ("command_cpu_s", "sort tea.csv", 0.81025),  # of repetitions there is no other
        ("command_cpu_s", "sort tea.csv", 0.8125),
        ("command_s", "sort tea.csv", 0.99812),
        ("command_s", "sort tea.csv", 1.000123456),
        ("instructions_per_cycle", "all", 1.5),
    ]


@pytest.mark.parametrize(
    ("number", "wanted"),
    [
        ("1,234,567      cycles", 1_234_567.0),
        ("1.234          cycles", 1234.0),
        ("1\u202f234     cycles", 1234.0),
        ("1’234          cycles", 1234.0),
        ("1,234.56 msec task-clock", 1234.56),
        ("1.234,56 msec task-clock", 1234.56),
        ("1,234 msec task-clock", 1234.0),
        ("1234.567890      task-clock (msec)", 1234.56789),
        ("1.23           cycles", None),  # events are counted whole
        ("1,234.567 msec task-clock", None),  # two marks group
        ("1.234.56 msec task-clock", None),
        ("1,23,456       cycles", None),
        ("-5             cycles", None),
    ],
)
def test_digits_of_perf_stat_are_grouped_as_the_locale_has_it(
    number: str, wanted: float | None, tmp_path: Path
) -> None:
    text = f" Performance counter stats for 'true':\n\n  {number}\n\n 0,5 seconds time elapsed\n"
    _, reading, rows = any_text(tmp_path, text)
    values = [row["value"] for row in rows.get("perf_count", [])]
    assert (values, reading.lines_not_understood) == (([], 1) if wanted is None else ([wanted], 0))
    assert rows["perf_run"][0]["elapsed_s"] == 0.5


def test_perf_stat_behind_what_its_command_said(tmp_path: Path) -> None:
    printed = (DATA / "perf/stat.txt").read_text()
    said = "".join(f"step {n} is done\n" for n in range(40))
    name, reading, rows = any_text(tmp_path, said + printed)
    assert (name, reading.lines_not_understood) == ("perf-text", 41)
    assert len(rows["perf_run"]) == 5


def test_a_run_of_perf_stat_that_was_cut_is_told(tmp_path: Path) -> None:
    printed = (DATA / "perf/stat.txt").read_text()
    cut = printed[: printed.index("       400,000,000")]
    _, reading, rows = any_text(tmp_path, cut)
    assert any("no time at its end" in said for _, said in reading.remarks)
    assert rows["perf_run"][0]["elapsed_s"] is None


COUNTS = "\n{n} msec task-clock  #  0.5 CPUs utilized\n{n} cycles\n\n {s} seconds time elapsed\n"


def printed(command: str, seconds: float, number: int = 1000) -> str:
    head = f" Performance counter stats for '{command}':\n"
    return head + COUNTS.format(n=number, s=seconds)


@pytest.mark.parametrize("command", ["sh -c a\nb\n\nc", "java " + "x" * 5000])
def test_commands_of_several_lines_are_runs_of_their_own(command: str, tmp_path: Path) -> None:
    _, reading, rows = any_text(tmp_path, printed("one", 1.0) + printed(command, 9.0, 9000))
    assert [row["elapsed_s"] for row in rows["perf_run"]] == [1.0, 9.0]
    assert [row["run_no"] for row in rows["perf_count"]] == [0, 0, 1, 1]
    assert reading.lines_not_understood == 0


def test_a_heading_that_never_ends_takes_no_counts_of_other_runs(tmp_path: Path) -> None:
    text = printed("one", 1.0) + printed("two", 9.0).replace("':", "'") + printed("three", 3.0)
    _, reading, rows = any_text(tmp_path, text)
    runs = [(row["run_no"], row["command"], row["elapsed_s"]) for row in rows["perf_run"]]
    assert runs == [(0, "one", 1.0), (1, None, 9.0), (2, "three", 3.0)]
    assert [row["run_no"] for row in rows["perf_count"]] == [0, 0, 2, 2]
    assert reading.lines_not_understood == 3  # the heading, and the counts of nobody knows what


def test_what_a_command_prints_is_no_count_of_perf(tmp_path: Path) -> None:
    said = "   17 files\n1000 records # 3.5 MB/s\n  2.5 seconds user\n 7.5 seconds time elapsed\n"
    text = said + printed("one", 1.0) + said + printed("two", 2.0) + said
    _, reading, rows = any_text(tmp_path, text)
    assert reading.lines_not_understood == 12
    assert [(row["elapsed_s"], row["user_s"]) for row in rows["perf_run"]] == [
        (1.0, None),
        (2.0, None),
    ]
    assert {row["event"] for row in rows["perf_count"]} == {"task-clock", "cycles"}


def test_what_stands_behind_a_second_ratio_is_of_its_event(tmp_path: Path) -> None:
    text = (
        " Performance counter stats for 'x' (3 runs):\n\n"
        "  1,000  instructions   #    0.97  insn per cycle\n"
        "                        #    0.50  stalled cycles per insn  ( +-  0.25% )  (83.36%)\n"
        "  2,000  cycles         #    2.9 GHz                     [83.33%]\n"
        "\n  1.0 +- 0.1 seconds time elapsed  ( +-  0.10% )\n"
    )
    _, reading, rows = any_text(tmp_path, text)
    one, more, other = rows["perf_count"]
    assert (one["scatter_percent"], one["running_percent"]) == (0.25, 83.36)
    assert (more["derived_value"], more["derived_unit"]) == (0.5, "stalled cycles per insn")
    assert (other["running_percent"], other["derived_unit"]) == (83.33, "GHz")
    assert any("2 counts are estimates" in said for _, said in reading.remarks)


def intervals(*times: float) -> str:
    return "#           time             counts unit events\n" + "".join(
        f"     {time:.9f}   1,000      page-faults\n" for time in times
    )


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        (intervals(1, 2) + printed("one", 2.02), 1),
        (intervals(1, 2) + printed("another", 5.0), 2),
        (intervals(1, 2) + intervals(3, 4), 2),
        (intervals(1, 2) + intervals(1, 2), 2),
        (intervals(*range(1, 26)) + intervals(26, 27), 1),
        (intervals(2) + intervals(1), 2),
    ],
)
def test_intervals_are_of_the_run_whose_summary_stands_below(
    text: str, runs: int, tmp_path: Path
) -> None:
    _, _, rows = any_text(tmp_path, text)
    assert [row["run_no"] for row in rows["perf_run"]] == list(range(runs))
    assert {row["run_no"] for row in rows["perf_count"]} == set(range(runs))


@pytest.mark.parametrize(
    "line",
    ["1 cycles #" + " " * 9000 + "x", "1 cycles" + " #  1 a" * 2000, "1 " * 5000, "(" * 9000],
)
def test_a_long_line_takes_no_long_time(line: str, tmp_path: Path) -> None:
    """Hung for minutes: time grew with the square of the length."""
    _, reading, _ = any_text(tmp_path, printed("one", 1.0) + f"{line}\n" * 200)
    assert reading.lines_not_understood == 200


def test_prose_about_perf_is_no_run(tmp_path: Path) -> None:
    prose = "Notes\n\nPerformance counter stats for 'sleep 1':\n\nlook as above.\n"
    with pytest.raises(StudyBookError, match="no known format"):
        any_text(tmp_path, prose)
    name, _, rows = any_text(tmp_path, prose + printed("one", 1.0))
    assert name == "perf-text"
    assert rows["perf_run"][-1]["elapsed_s"] == 1.0


def test_ratios_of_what_perf_counted(tmp_path: Path) -> None:
    path = tmp_path / "stat.csv"
    path.write_text(
        "1000,,cycles:u,5,100.00,,\n2500,,instructions:u,5,100.00,,\n"
        "200,,branches,5,100.00,,\n5,,branch-misses,5,100.00,,\n"
        "<not counted>,,cache-misses,0,0.00,,\n70,,cache-references,5,100.00,,\n",
        encoding="utf-8",
    )
    connection = database()
    enter(connection, path)
    rows = ask(connection, "FROM small_benchmark WHERE metric <> 'event_count' ORDER BY metric")
    assert [(row["metric"], row["own"], row["value"]) for row in rows] == [
        ("branch_miss_percent", {"counted": "all"}, 2.5),
        ("instructions_per_cycle", {"counted": "events:u"}, 2.5),
    ]


def test_of_intervals_those_count_in_which_perf_counted_both(tmp_path: Path) -> None:
    lines = [
        f"{n}.0,1000,,{name},5,100.00,," for n in range(1, 5) for name in ("cycles", "cpu-cycles")
    ]
    lines += ["1.0,2000,,instructions,5,100.00,,"] * 2  # asked for twice
    lines += [f"{n}.0,<not counted>,,instructions,0,0.00,," for n in range(2, 5)]
    path = tmp_path / "stat.csv"
    path.write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
    connection = database()
    enter(connection, path)
    rows = ask(connection, "FROM small_benchmark WHERE metric <> 'event_count'")
    assert [(row["metric"], row["value"]) for row in rows] == [("instructions_per_cycle", 2.0)]


def test_events_are_counted_over_intervals_and_processors_or_as_the_summary_has_them(
    tmp_path: Path,
) -> None:
    times = "".join(
        f"     {n}.000175308 CPU{cpu}   1,000      page-faults\n" for n in (1, 2) for cpu in (0, 1)
    )
    head = "#           time CPU                    counts unit events\n"
    whole = (
        "\n Performance counter stats for 'system wide':\n\n"
        "CPU0    2,000      page-faults\nCPU1    2,001      page-faults\n"
        "CPU0  4.25 msec cpu-clock\n\n 2.0 seconds time elapsed\n"
    )
    for text, wanted in ((head + times, 4000.0), (head + times + whole, 4001.0)):
        path = tmp_path / "stat.txt"
        path.write_text(text, encoding="utf-8")
        connection = database()
        enter(connection, path)
        (row,) = ask(connection, "FROM small_benchmark")
        assert (row["metric"], row["own"], row["value"]) == (
            "event_count", {"event": "page-faults"}, wanted,
        )  # fmt: skip


def test_context_switches_by_processes() -> None:
    connection = entered("context_switch/series-and-pipe.txt", "context_switch/lmbench-summary.txt")
    rows = ask(connection, "FROM bench_context_switch WHERE tool LIKE 'perf%'")
    assert [(row["processes"], row["time_per_switch_us"]) for row in rows] == [(2, 1.875)]
    (row,) = ask(connection, "SELECT count(*) AS n FROM bench_context_switch")
    assert row["n"] == 3 + 5 + 1


def test_jobs_of_fio() -> None:
    connection = entered("fio/fio-3.json", "fio/fio-2.json")
    rows = ask(connection, "FROM bench_fio ORDER BY rate_mib_s")
    assert [(row["pattern"], row["rate_mib_s"], row["processes"]) for row in rows] == [
        ("randread", 39.0625, 4), ("write", 100.0, 1)
    ]  # fmt: skip
    assert [row["reason"] for row in ask(connection, "FROM left_out")] == ["error 28"]


def test_jobs_of_fio_on_two_hosts_are_no_repetitions_where_run_yml_names_them() -> None:
    sql = "SELECT count(DISTINCT (own, other)) AS tests FROM small_benchmark"
    found = {}
    for hosts in (("stor1", "stor2"), (None, None)):
        connection = database()
        for host in hosts:
            enter(connection, DATA / "fio/fio-3.json", host)
        (found[hosts],) = ask(connection, sql)
    assert found["stor1", "stor2"]["tests"] == 2 * found[None, None]["tests"]


def test_processes_of_a_job_of_fio_add_up_but_not_their_percentiles(tmp_path: Path) -> None:
    text = (DATA / "fio/fio-3.json").read_text()
    document = json.loads(text[text.index("{") : text.rindex("}") + 1])
    slower = json.loads(json.dumps(document["jobs"][0]))
    slower["read"] |= {"iops": 5000.0}
    slower["read"]["clat_ns"] |= {"mean": 110000.0}
    document["jobs"] = [document["jobs"][0], slower]
    (tmp_path / "each.json").write_text(json.dumps(document, indent=2))
    sql = "SELECT metric, test, mean FROM metric ORDER BY ALL"
    found = ask(entered(str(tmp_path / "each.json")), sql)
    assert [(row["metric"], row["mean"]) for row in found] == [
        ("io_completion_mean_ms", 0.09), ("io_per_s", 15000.0)
    ]  # fmt: skip
    assert {"2 processes"} == {row["test"].split(", ")[1] for row in found}
    found = ask(entered("fio/fio-3.json", "fio/printed.txt"), "FROM metric ORDER BY metric, mean")
    of_one = {row["metric"]: row["mean"] for row in found if row["factors"]["job"] == "larch-rr"}
    assert of_one == {
        "io_per_s": 10000.0, "io_completion_mean_ms": 0.08, "io_completion_p50_ms": 0.075,
        "io_completion_p99_ms": 0.25, "io_completion_p999_ms": 0.9,
    }  # fmt: skip
    # What a line of --minimal says is not put together: it may be a repetition.
    assert len(ask(entered("fio/minimal.txt"), "FROM bench_fio")) == 3


PART = {"io_bytes": 4096, "io_kbytes": 4, "bw": 4, "bw_bytes": 4096, "iops": 1.0, "total_ios": 1}


@pytest.mark.parametrize(
    ("job", "results", "said"),
    [
        ({"write": PART}, 1, ""),
        ({"write": [PART], "read": PART}, 1, "'write' of this job of fio is no object"),
        ({"write": None}, 0, "'write' of this job of fio is no object"),
        ({"write": {"bw_bytes": math.nan}}, 0, "not a number in 'write' of this job of fio: bw_b"),
        ({"write": PART | {"iops": "1"}}, 1, "not a number in 'write' of this job of fio: iops"),
        ({"write": PART | {"lat_ns": 3}}, 1, "of this job of fio: lat_ns"),
        ({"write": PART | {"clat_ns": {"mean": math.inf}}}, 1, "of this job of fio: clat_ns.mean"),
        ({"write": {"bw_bytes": 4096}}, 1, ""),
    ],
)
def test_what_is_left_out_of_a_job_of_fio_is_said(
    tmp_path: Path, job: dict[str, Any], results: int, said: str
) -> None:
    found, remarks = remarks_of_fio(tmp_path, **job)
    assert len(found) == results
    assert len(remarks) == (1 if said else 0)
    assert said in "".join(remarks)


def test_jobs_of_fio_that_are_no_objects_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "raw"
    path.write_text('{"fio version": "fio-3.36", "jobs": [7, {"jobname": "j"}, "x"]}\n')
    _, reading, rows = read_rows(path)
    assert len(rows["fio_job"]) == 1
    assert [text for _, text in reading.remarks] == ["2 jobs of this run of fio are no objects"]


def test_streams_with_other_rates_that_were_asked_for_are_no_repetitions(tmp_path: Path) -> None:
    text = (DATA / "iperf3/three.json").read_text()
    assert text.count('"target_bitrate": 1000000000') == 1
    slower = text.replace('"target_bitrate": 1000000000', '"target_bitrate": 500000000')
    (tmp_path / "sweep.json").write_text(text + slower)
    sql = "SELECT test FROM metric WHERE metric = 'stream_mbit_s' AND factors['protocol'] = '{}'"
    connection = entered(str(tmp_path / "sweep.json"))
    tests = {
        protocol: len({row["test"] for row in ask(connection, sql.format(protocol))})
        for protocol in ("TCP", "UDP")
    }
    assert tests == {"TCP": 1, "UDP": 2}


def test_streams_of_iperf3_are_what_arrived() -> None:
    connection = entered("iperf3/three.json")
    rows = ask(connection, "FROM bench_stream ORDER BY line")
    assert [
        (row["kind"], row["streams"], row["throughput_mbit_s"], row["sent_mbit_s"]) for row in rows
    ] == [("stream", 4, 8900.0, 9000.0), ("maerts", 1, 990.0, 1000.0)]
    rows = ask(connection, "FROM small_benchmark WHERE metric = 'stream_mbit_s' ORDER BY value")
    assert [(row["series"], row["value"]) for row in rows] == [
        ("UDP maerts", 990.0), ("TCP stream", 8900.0)
    ]  # fmt: skip
    (left_out,) = ask(connection, "FROM left_out")
    assert left_out["reason"] == "unable to connect to server: Connection refused"


@pytest.mark.parametrize(
    ("text", "flavour", "signal"),
    [
        ("Killed\n\nreal\t0m5.003s\nuser\t0m0.001s\nsys\t0m0.002s\n", "bash", 9),
        ("Segmentation fault (core dumped)\nreal 5.00\nuser 0.00\nsys 0.00\n", "POSIX", 11),
        (
            "Command terminated by signal 9\n0.00user 0.01system 0:05.00elapsed 0%CPU"
            " (0avgtext+0avgdata 2176maxresident)k\n"
            "0inputs+0outputs (0major+90minor)pagefaults 0swaps\n",
            "GNU", 9,
        ),
    ],
)  # fmt: skip
def test_the_time_of_a_killed_command(text: str, flavour: str, signal: int, tmp_path: Path) -> None:
    rows = read_text(tmp_path, text + text.replace("5.0", "7.0"))
    assert [(row["flavour"], row["signal"]) for row in rows["dd_time"]] == [(flavour, signal)] * 2
    assert [round(row["real_s"]) for row in rows["dd_time"]] == [5, 7]


def test_how_a_command_ended_is_no_output_of_dd(tmp_path: Path) -> None:
    path = tmp_path / "results.log"
    path.write_text("Command exited with non-zero status 2\n1 = 179.56\n" * 3, encoding="utf-8")
    with pytest.raises(Refused):
        formats.recognise(formats.RawFile(path))


def test_netperf_without_its_server_says_so(tmp_path: Path) -> None:
    text = (
        "establish control: are you sure there is a netserver listening on 192.0.2.1 at port"
        " 12865?\nestablish_control could not establish the control connection from 0.0.0.0\n"
    )
    with pytest.raises(Refused, match="did not reach its server"):
        read_text(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "131072  16384  16384    10.00    3398.11   \n" * 2,
        "16384  131072 1        1       10.00    21034.55   \n16384  131072\n",
        "212992   65507   10.00      138246      0    7244.96\n212992           10.00      138240"
        "           7244.65\n",
    ],
)
def test_netperf_without_its_banner_is_told_what_to_do(text: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"without its banner \(-P 0\)") as refused:
        read_text(tmp_path, text)
    assert "-t omni -- -k" in str(refused.value)


def test_a_number_without_measure_is_left_out_of_a_table_of_omni(tmp_path: Path) -> None:
    """Beyond what a column of whole numbers holds, or -1: what netperf prints for not measured."""
    text = (
        "OMNI Send TEST from 0.0.0.0 () port 0 AF_INET to db () port 0 AF_INET : demo\n"
        "Local       Remote      Local  Elapsed Throughput Throughput\n"
        "Send Socket Recv Socket Send   Time               Units\n"
        "Size        Size        Size   (sec)\n"
        "Final       Final\n"
        f"-1          87380       {'9' * 30}  2.00    26001.04   10^6bits/s\n"
    )
    (tmp_path / "raw").write_text(text, encoding="utf-8")
    _, reading, rows = read_rows(tmp_path / "raw")
    (test,) = rows["netperf_test"]
    assert (test["elapsed_s"], test["remote_receive_socket_bytes"]) == (2.0, 87380)
    assert (test["local_send_socket_bytes"], test["message_bytes"]) == (None, None)
    assert [(line, said.split()[0]) for line, said in reading.remarks] == [(1, "message_bytes")]


@pytest.mark.parametrize("text", ["1 2\n3 4\n", "10 20 30 40.5 50.25\n", "1;2;3;4.00;5.00\n"])
def test_other_rows_of_numbers_are_not_netperf(text: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no known format"):
        read_text(tmp_path, text)


@pytest.mark.parametrize(
    ("fixture", "prefix"),
    [("fio/fio-3.json", "node01: "), ("fio/printed.txt", "node01: "), ("scale/mmlsfs.txt", "# ")],
)
def test_what_stands_in_front_of_lines_is_named(fixture: str, prefix: str, tmp_path: Path) -> None:
    text = (REPOSITORY / "tests/data" / fixture).read_text(encoding="utf-8")
    before = "".join(f"{prefix}{line}\n" for line in text.splitlines())
    with pytest.raises(Refused, match=f"stands in front of its lines: '{prefix}'"):
        read_text(tmp_path, before)


def test_the_hour_of_a_time_is_nothing_in_front(tmp_path: Path) -> None:
    """A listing of sar that has lost its beginning: to take it off would make other times."""
    lines = [f"{hour:02}:00:30 PM     all      1.00      0.00" for hour in range(1, 11)]
    with pytest.raises(Refused) as refused:
        read_text(tmp_path, "\n".join(lines) + "\n")
    assert "in front" not in str(refused.value)
