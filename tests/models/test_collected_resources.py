"""Collectors that tell of all resources of a host, and benchmarks of metadata."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from studybook.records import store
from tests.models.test_resources import ask, written
from tests.support import scratch

#: A run for each tool: its files, and what run.yml adds.
RUNS: dict[str, tuple[Sequence[str], dict[str, Any]]] = {
    "larder": (["prometheus/node-exporter.txt"], {}),
    "pantry": (["prometheus/query-range.json"], {}),
    "cellar": (["collectl/cpu-and-memory.tab", "collectl/detail.csv"], {}),
    "vault": (["collectl/terminal.txt"], {"hosts": [{"name": "vault"}]}),
    "attic": (["mdtest/mdtest-old.txt", "mdtest/mdtest-4.1.txt"], {}),
    "shed": (["uperf/two-runs.txt"], {}),
    "hallway": (["ethtool/twice.txt"], {"hosts": [{"name": "larch"}]}),
    "stairs": (["lmbench/suite.txt"], {}),
    "loft": (["elbencho/results.csv"], {}),
    "buttery": (["pcp/pmrep.csv"], {"hosts": [{"name": "buttery"}]}),
    "raw-buttery": (["pcp/pmrep-raw.csv"], {"hosts": [{"name": "buttery"}]}),
    "told-buttery": (["pcp/pmdumptext.txt"], {"hosts": [{"name": "buttery"}]}),
}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    data_set = written(tmp_path_factory.mktemp("collected"), RUNS)
    with store.connect(data_set.database) as connection:
        yield connection


CPU = """
    SELECT tool, host, cpu, time_utc::VARCHAR, interval_s, user_percent, nice_percent,
        system_percent, iowait_percent, steal_percent, idle_percent, busy_percent
    FROM {m}cpu_use ORDER BY time_utc, host, cpu
"""


def near(rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Rows with numbers rounded, which are quotients of sums of counters."""
    return [tuple(round(v, 6) if isinstance(v, float) else v for v in row) for row in rows]


def test_processors_from_counters_of_node_exporter(loaded: duckdb.DuckDBPyConnection) -> None:
    found = near(ask(loaded, "larder", CPU))
    at = "2024-06-01 10:00:10.2"
    # Of 10 seconds, 6 were idle, 2 user, 1 and 0.25 system, 0.5 waiting, 0.25 stolen.
    assert found[0] == (
        "prometheus",
        "larder",
        "0",
        at,
        10,
        20,
        0,
        12.5,
        5,
        2.5,
        60,
        32.5,
    )
    assert found[1][2:6] == ("1", at, 10, 30)
    assert found[2] == (
        "prometheus",
        "larder",
        "all",
        at,
        10,
        25,
        0,
        12.5,
        5,
        2.5,
        55,
        37.5,
    )
    assert len(found) == 6


def test_processors_of_two_targets(loaded: duckdb.DuckDBPyConnection) -> None:
    """One is named by its address, the other names itself; modes that were not asked for lack."""
    found = near(ask(loaded, "pantry", CPU))
    assert [row[:6] for row in found if row[2] == "all"][:2] == [
        ("prometheus", "pantry", "all", "2024-06-01 10:00:15", 15, 10),
        ("prometheus", "scullery", "all", "2024-06-01 10:00:15", 15, 20),
    ]
    assert {row[8:10] for row in found} == {(None, None)}


def test_other_resources(loaded: duckdb.DuckDBPyConnection) -> None:
    disk = """
        SELECT device, transfers_per_s, read_kib_s, write_kib_s, round(request_kib, 6),
            round(queue, 6), round(await_ms, 6), round(util_percent, 6)
        FROM {m}disk_rate ORDER BY time_utc LIMIT 1
    """
    # 40 reads in 20 ms and 60 writes in 180 ms, in 10 s.
    assert ask(loaded, "larder", disk) == [("sda", 10, 102.4, 819.2, 92.16, 0.4, 2, 25)]
    assert ask(loaded, "larder", "SELECT DISTINCT device FROM {m}disk_rate") == [("sda",)]
    network = """
        SELECT interface, received_kib_s, sent_kib_s, received_packets_per_s, sent_packets_per_s
        FROM {m}network_rate ORDER BY time_utc LIMIT 1
    """
    assert ask(loaded, "larder", network) == [("eth0", 100, 200, 100, 150)]
    memory = """
        SELECT total_kib, free_kib, available_kib, used_with_cache_kib, dirty_kib
        FROM {m}memory ORDER BY time_utc LIMIT 1
    """
    gib = 2**20
    assert ask(loaded, "larder", memory) == [(8 * gib, 4 * gib, 6 * gib, 4 * gib, 40)]
    swap = "SELECT used_kib, in_pages_per_s, out_pages_per_s FROM {m}swap ORDER BY time_utc"
    assert ask(loaded, "larder", swap) == [(gib, None, None), (gib, 1, 2), (gib, 1, 2)]
    paging = "SELECT in_kib_s, out_kib_s, faults_per_s, major_faults_per_s FROM {m}paging LIMIT 1"
    assert near(ask(loaded, "larder", paging)) == [(102.4, 819.2, 50, 0.5)]
    queue = """
        SELECT run_queue, blocked_tasks, load_1min, load_5min, load_15min
        FROM {m}run_queue ORDER BY time_utc LIMIT 1
    """
    assert ask(loaded, "larder", queue) == [(3, 1, 0.5, 0.75, 0.25)]
    switch = "SELECT context_switches_per_s, created_per_s FROM {m}context_switch LIMIT 1"
    assert ask(loaded, "larder", switch) == [(2000, 3)]


def test_what_the_loading_report_says(loaded: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT host, samples, interval_s, gaps, clock FROM {m}prometheus_coverage ORDER BY host"
    assert ask(loaded, "larder", sql) == [("larder", 3, 10, 0, "UTC, in the file")]
    assert [row[0] for row in ask(loaded, "pantry", sql)] == ["pantry", "scullery"]


def test_pcp(loaded: duckdb.DuckDBPyConnection) -> None:
    cpu = near(ask(loaded, "buttery", CPU))
    # Of 2000 ms per second: 400 user, 200 and 25 system, 1300 idle, 50 waiting, 25 stolen.
    at = "2024-06-01 10:00:10"
    assert cpu[0] == ("pcp", "buttery", "0", at, 10, 30, 0, 10, None, None, 60, 40)
    assert cpu[1] == ("pcp", "buttery", "all", at, 10, 20, 0, 11.25, 2.5, 1.25, 65, 31.25)
    disk = """
        SELECT device, transfers_per_s, read_kib_s, write_kib_s, interval_s
        FROM {m}disk_rate ORDER BY time_utc LIMIT 1
    """
    assert ask(loaded, "buttery", disk) == [("sda", 10, 102.4, 819.2, 10)]
    network = "SELECT interface, received_kib_s, sent_kib_s FROM {m}network_rate LIMIT 1"
    assert ask(loaded, "buttery", network) == [("eth0", 100, 200)]
    memory = """
        SELECT total_kib, free_kib, available_kib, used_with_cache_kib
        FROM {m}memory ORDER BY time_utc LIMIT 1
    """
    gib = 2**20
    assert ask(loaded, "buttery", memory) == [(8 * gib, 4 * gib, 6 * gib, 4 * gib)]
    queue = "SELECT run_queue, blocked_tasks, load_15min FROM {m}run_queue ORDER BY time_utc"
    assert ask(loaded, "buttery", queue)[:1] == [(3, 1, 0.25)]
    assert ask(loaded, "buttery", "SELECT used_kib FROM {m}swap LIMIT 1") == [(gib,)]
    assert ask(loaded, "buttery", "SELECT in_kib_s, out_kib_s FROM {m}paging LIMIT 1") == [
        (102.4, 819.2)
    ]


def test_raw_counters_of_pcp_become_rates(loaded: duckdb.DuckDBPyConnection) -> None:
    """Of their sums since the host was booted, the shares would be others: 5.2 % user."""
    cpu = near(ask(loaded, "raw-buttery", CPU))
    assert [row[5:8] for row in cpu] == [(15, 0, 5)] * 2
    switch = "SELECT context_switches_per_s FROM {m}context_switch"
    assert ask(loaded, "raw-buttery", switch) == [(2000,)] * 2


def test_units_of_pmdumptext(loaded: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT free_kib FROM {m}memory ORDER BY time_utc LIMIT 1"
    assert ask(loaded, "told-buttery", sql) == [(2048 * 1024,)]
    assert ask(loaded, "told-buttery", "SELECT host, samples FROM {m}pcp_coverage") == [
        ("buttery", 3)
    ]


def test_collectl(loaded: duckdb.DuckDBPyConnection) -> None:
    cpu = ask(loaded, "cellar", CPU)
    at = "2024-06-01 10:00:20"
    sums = [row for row in cpu if row[2] == "all"]
    # Interrupts are of the system; what is stolen is not busy.
    assert sums[1] == ("collectl", "cellar", "all", at, 10, 21, 0, 13, 3, 1, 62, 34)
    assert {row[2] for row in cpu} == {"0", "1", "all"}
    disk = """
        SELECT device, transfers_per_s, read_kib_s, write_kib_s, queue, await_ms, service_ms,
            util_percent
        FROM {m}disk_rate ORDER BY time_utc LIMIT 1
    """
    assert ask(loaded, "cellar", disk) == [("sda", 10, 102.5, 819.25, 0.4, 2, 1.5, 25)]
    network = "SELECT interface, received_kib_s, sent_kib_s FROM {m}network_rate LIMIT 1"
    assert ask(loaded, "cellar", network) == [("eth0", 100, 200)]
    gib = 2**20
    memory = "SELECT total_kib, free_kib, used_with_cache_kib FROM {m}memory LIMIT 1"
    assert ask(loaded, "cellar", memory) == [(8 * gib, 4 * gib, 4 * gib)]
    swap = "SELECT used_kib, in_pages_per_s, out_pages_per_s FROM {m}swap LIMIT 1"
    assert ask(loaded, "cellar", swap) == [(gib, 1, 2)]
    queue = "SELECT run_queue, tasks, load_1min FROM {m}run_queue ORDER BY time_utc LIMIT 1"
    assert ask(loaded, "cellar", queue) == [(3, 400, 0.5)]
    assert ask(loaded, "cellar", "SELECT in_kib_s, out_kib_s FROM {m}paging LIMIT 1") == [
        (102, 819)
    ]
    switch = "SELECT context_switches_per_s, created_per_s FROM {m}context_switch LIMIT 1"
    assert ask(loaded, "cellar", switch) == [(2000, 3)]


def test_collectl_on_a_terminal(loaded: duckdb.DuckDBPyConnection) -> None:
    cpu = ask(loaded, "vault", CPU)
    at = "2024-06-01 12:00:20"
    assert cpu[1] == ("collectl", "vault", "all", at, 10, 23, 0, 12, None, None, None, 35)
    assert ask(loaded, "vault", "SELECT DISTINCT free_kib FROM {m}memory") == [(4 * 2**20,)]


def test_metadata(loaded: duckdb.DuckDBPyConnection) -> None:
    """What was not tested, and is printed as 0, is no result."""
    sql = """
        SELECT own['operation'], own['processes'], value FROM crockery.small_benchmark
        WHERE metric = 'metadata_per_s' AND run_id = 'crockery/attic' ORDER BY value
    """
    assert loaded.execute(sql).fetchall() == [
        ("Tree removal", "4", 97.632), ("File creation", "1", 380),
        ("File creation", "16", 589.165), ("Directory creation", "16", 661.613),
        ("File creation", "4", 2400.125), ("File stat", "4", 91063.34),
    ]  # fmt: skip
    metric = "SELECT count(*) FROM crockery.metric WHERE metric = 'metadata_per_s'"
    assert loaded.execute(metric).fetchone() != (0,)


def test_elbencho(loaded: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT operation, rate_mib_s, elapsed_s FROM {m}bench_elbencho ORDER BY line"
    assert ask(loaded, "loft", sql) == [("MKDIRS", None, 0.005), ("WRITE", 2941, 2.784)]


def test_uperf(loaded: duckdb.DuckDBPyConnection) -> None:
    """A run that failed is left out, and the loading report names it."""
    sql = "SELECT profile, workers, throughput_mbit_s, operations_per_s FROM {m}bench_uperf"
    assert ask(loaded, "shed", sql) == [("rr_200_1000", 2, 536.87, 447391 / 4)]
    left = "SELECT status FROM crockery.left_out WHERE file LIKE '%two-runs.txt'"
    assert loaded.execute(left).fetchall() == [("failed",)]


def test_counters_of_interfaces(loaded: duckdb.DuckDBPyConnection) -> None:
    sql = """
        SELECT host, interface, name, interval_s, increase, increase_per_s
        FROM {m}interface_counter_rate WHERE increase > 0 ORDER BY name
    """
    assert ask(loaded, "hallway", sql) == [
        ("larch", "eth0", "rx_missed_errors", 10, 10, 1),
        ("larch", "eth0", "rx_packets", 10, 1000, 100),
        ("larch", "eth0", "tx_packets", 10, 1000, 100),
    ]


def test_lmbench(loaded: duckdb.DuckDBPyConnection) -> None:
    sql = """
        SELECT size_bytes, rate_mb_s FROM {m}bench_lmbench
        WHERE test = 'Memory partial read/write bandwidth'
    """
    assert ask(loaded, "stairs", sql) == [(8.39e6, 70144.19)]
    switch = "SELECT processes, time_per_switch_us FROM {m}bench_context_switch ORDER BY 1"
    assert ask(loaded, "stairs", switch) == [(2, 3.4), (96, 4.64)]


def scrape(at_s: int, counts: dict[str, tuple[int, ...]]) -> str:
    """What an exporter tells of the time of its requests, by method; the last bucket has no end."""
    lines = [str(1717236000 + at_s), "# TYPE basket_seconds histogram"]
    for method, buckets in counts.items():
        for end, count in zip(("0.1", "0.2", "0.4", "+Inf"), buckets, strict=True):
            lines.append(f'basket_seconds_bucket{{le="{end}",method="{method}"}} {count}')
        lines.append(f'basket_seconds_sum{{method="{method}"}} {buckets[-1] / 4}')
        lines.append(f'basket_seconds_count{{method="{method}"}} {buckets[-1]}')
    return "\n".join(lines) + "\n"


def test_series_of_a_histogram_stay_apart_and_have_the_quantiles_that_they_bear(
    tmp_path: Path,
) -> None:
    counts = {"GET": (10, 90, 100, 100), "POST": (1, 1, 2, 4)}
    for name, times in (("one.txt", 1), ("two.txt", 2)):
        scaled = {each: tuple(times * n for n in own) for each, own in counts.items()}
        begun = dict.fromkeys(counts, (7,) * 4)
        grown = {each: tuple(7 + n for n in own) for each, own in scaled.items()}
        text = scrape(0, begun) + scrape(10, grown)
        (tmp_path / name).write_text(text, encoding="utf-8")
    connection = scratch.database()
    connection.execute("UPDATE run SET kind = 'measurement'")
    for name in ("one.txt", "two.txt"):
        scratch.enter(connection, tmp_path / name, "shop")
    found = connection.execute(
        "SELECT own['series'], metric, value FROM histogram_metric ORDER BY ALL"
    ).fetchall()
    get = {"per_s": 10, "mean_ms": 250, "p50_ms": 150, "p90_ms": 200, "p95_ms": 300, "p99_ms": 380}
    post = {"per_s": 0.4, "mean_ms": 250, "p50_ms": 400}  # all beyond is in the bucket without end
    expected = [
        (f'basket_seconds{{method="{method}"}} in {name}', f"histogram_{statistic}",
         value * (times if statistic == "per_s" else 1))
        for name, times in (("one.txt", 1), ("two.txt", 2))
        for method, own in (("GET", get), ("POST", post))
        for statistic, value in own.items()
    ]  # fmt: skip
    assert [row[:2] for row in found] == [row[:2] for row in sorted(expected)]
    assert [row[2] for row in found] == pytest.approx([row[2] for row in sorted(expected)])
