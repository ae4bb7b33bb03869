"""Resources of hosts mean the same whatever tool measured them, and count once."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.records import store
from studybook.records.load import update
from tests.conftest import REPOSITORY

DATA = REPOSITORY / "tests/data"
STUDY = "crockery"

#: A run for each tool: its files, and what run.yml adds.
RUNS: dict[str, tuple[Sequence[str], dict[str, Any]]] = {
    "teapots": (["vmstat/vmstat-t.txt"], {"hosts": [{"name": "kettle", "memory_mib": 8000}]}),
    "nameless": (["vmstat/vmstat-t.txt"], {}),
    "ambiguous": (["vmstat/vmstat-t.txt"], {"hosts": [{"name": "kettle"}, {"name": "urn"}]}),
    "untimed": (
        ["vmstat/vmstat-command.txt", "iostat/short-blocks.txt"],
        {"start": "2024-05-03T10:00:00", "hosts": [{"name": "kettle"}]},
    ),
    "no-start": (["vmstat/vmstat-command.txt"], {"hosts": [{"name": "kettle"}]}),
    "spoons": (["iostat/extended.txt"], {}),
    "stored-spoons": (
        ["iostat/extended.txt"],
        {"hosts": [{"name": "db3.example", "role": "storage"}]},
    ),
    "cups": (["iostat/iostat.json"], {}),
    "old-spoons": (["iostat/old-extended.txt"], {}),
    "plates": (["mpstat/all-processors.txt"], {}),
    "saucers": (["mpstat/mpstat.json"], {}),
    "trays": (["pidstat/threads-and-pauses.txt"], {}),
    "trays-twice": (["pidstat/threads-and-pauses.txt", "pidstat/one-row-each.txt"], {}),
    "bowls": (["pidstat/one-program.txt"], {}),
    "forks": (["nmon/linux.nmon"], {}),
    "sorted-forks": (["nmon/sorted.nmon"], {}),
    "knives": (["nmon/aix.nmon"], {}),
    "both": (["iostat/extended.txt", "mpstat/all-processors.txt"], {}),
    "given": (
        ["vmstat/vmstat-nothing-known.txt"],
        {"start": "2024-05-03T10:00:00", "hosts": [{"name": "kettle"}], "interval_s": 60},
    ),
}


def written(root: Path, runs: Mapping[str, tuple[Sequence[str], dict[str, Any]]]) -> DataSet:
    """Write a data set of one study that nobody knows, with these runs, and load it."""
    data_set = DataSet("crockery", root)
    (root / "pipelines").mkdir()
    for name, (files, more) in runs.items():
        more = dict(more)
        of_file = {"interval_s": more.pop("interval_s")} if "interval_s" in more else {}
        run = data_set.raw / STUDY / name
        run.mkdir(parents=True)
        for file in files:
            shutil.copy2(DATA / file, run)
        manifest = {
            "study": STUDY, "run": name, "title": name, "origin": "measured", "time_zone": "UTC",
            "files": [{"path": Path(file).name} | of_file for file in files],
        } | more  # fmt: skip
        (run / "run.yml").write_text(yaml.safe_dump(manifest), encoding="utf-8")
    inventory = take_inventory(data_set)
    update(data_set.database, inventory, inventory.sources())
    return data_set


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    data_set = written(tmp_path_factory.mktemp("crockery"), RUNS)
    with store.connect(data_set.database) as connection:
        yield connection


def ask(connection: duckdb.DuckDBPyConnection, run: str, sql: str) -> list[tuple[Any, ...]]:
    """Ask models of a run; ``{m}`` stands before the name of each."""
    of_run = f"SELECT file_id FROM raw_file WHERE run_id = '{STUDY}/{run}'"
    asked = rf"(FROM {STUDY}.\1 WHERE file_id IN ({of_run}))"
    return connection.execute(re.sub(r"\{m\}(\w+)", asked, sql)).fetchall()


CPU = """
    SELECT tool, host, cpu, time_utc::VARCHAR, interval_s, user_percent, nice_percent,
        system_percent, iowait_percent, steal_percent, busy_percent
    FROM {m}cpu_use WHERE interval_s > 0 AND cpu = 'all' ORDER BY time_utc LIMIT 1
"""

FIRST_CPU = {
    "teapots": ("vmstat", "kettle", "all", "2024-03-05 10:00:00", 10, 31, 0, 7, 1, 1, 38),
    "spoons": (
        "iostat", "db3.example", "all", "2024-03-05 08:00:10", 10, 21, 0.5, 5, 3.25, 0.25, 26.5,
    ),
    "cups": ("iostat", "web1", "all", "2024-05-21 10:00:15", 15, 31.25, 0, 5.75, 2, 0, 37),
    # Interrupts are of the system, guests of the user, as in sar -u.
    "plates": ("mpstat", "db3.example", "all", "2024-03-05 23:59:50", 10, 13, 1, 5, 2, 0.5, 19),
    "saucers": ("mpstat", "web1", "all", "2024-05-22 00:00:05", 10, 41.5, 0, 6.5, 1.5, 0.25, 48),
    "forks": ("nmon", "shop1", "all", "2024-03-04 23:59:50", 10, 31, 0, 6, 2, 0.5, 37),
    "sorted-forks": ("nmon", "shop1", "all", "2024-03-04 23:59:50", 10, 31, 0, 6, 2, 0.5, 37),
    "knives": ("nmon", "aix7", "all", "2024-06-11 10:02:00", 60, 17, 0, 4, 0.5, None, 21),
}  # fmt: skip


@pytest.mark.parametrize("run", FIRST_CPU)
def test_processors(loaded: duckdb.DuckDBPyConnection, run: str) -> None:
    assert ask(loaded, run, CPU) == [FIRST_CPU[run]]


DISK = """
    SELECT tool, device, time_utc::VARCHAR, interval_s, transfers_per_s, read_kib_s, write_kib_s,
        round(await_ms, 6), service_ms, queue, util_percent
    FROM {m}disk_rate WHERE interval_s > 0 ORDER BY time_utc, device DESC LIMIT 1
"""

FIRST_DISK = {
    # 110 reads of 0.5 ms and 50 writes of 2 ms.
    "spoons": ("iostat", "sda", "2024-03-05 08:00:10", 10, 160, 1760, 800, 0.96875, None, 0.15, 31),
    "old-spoons": ("iostat", "sda", "2014-03-26 00:00:00", 10, 21, 64, 152, 2, 1.25, 0.04, 2.5),
    "forks": ("nmon", "sda", "2024-03-04 23:59:50", 10, 161, 1025, 4097, None, None, None, 13.5),
    "knives": ("nmon", "hdisk2", "2024-06-11 10:02:00", 60, 4, 128, 0, None, 2.5, None, 7),
}


def test_disks_of_storage_count_where_nobody_else_was_recorded(
    loaded: duckdb.DuckDBPyConnection,
) -> None:
    sql = "SELECT metric, value FROM run_metric WHERE run_id = ? AND metric LIKE 'disk%' ORDER BY 1"
    own, of_others = (
        loaded.execute(sql, [f"{STUDY}/{run}"]).fetchall() for run in ("stored-spoons", "spoons")
    )
    assert len(own) == 3
    assert own == of_others


@pytest.mark.parametrize("run", FIRST_DISK)
def test_disks(loaded: duckdb.DuckDBPyConnection, run: str) -> None:
    assert ask(loaded, run, DISK) == [FIRST_DISK[run]]


@pytest.mark.parametrize(
    ("run", "disks"), [("spoons", ["nvme0n1", "sda"]), ("forks", ["sda"]),
                         ("knives", ["hdisk0", "hdisk1", "hdisk2"])]
)  # fmt: skip
def test_a_partition_is_part_of_its_disk(
    loaded: duckdb.DuckDBPyConnection, run: str, disks: list[str]
) -> None:
    found = ask(loaded, run, "SELECT DISTINCT device FROM {m}disk_rate ORDER BY 1")
    assert [device for (device,) in found] == disks


def test_memory(loaded: duckdb.DuckDBPyConnection) -> None:
    sql = """
        SELECT tool, total_kib, free_kib, cached_kib, used_with_cache_kib FROM {m}memory
        WHERE interval_s > 0 ORDER BY time_utc LIMIT 1
    """
    # vmstat prints no total: run.yml says it.
    total = 8000 * 1024
    assert ask(loaded, "teapots", sql) == [("vmstat", total, 3198500, 4410900, total - 3198500)]
    mib = 1024
    assert ask(loaded, "forks", sql) == [("nmon", 16000 * mib, 5900 * mib, 5050 * mib, 10100 * mib)]
    assert ask(loaded, "knives", sql) == [("nmon", 32768 * mib, 8192 * mib, None, 24576 * mib)]


def test_network(loaded: duckdb.DuckDBPyConnection) -> None:
    sql = """
        SELECT tool, interface, received_kib_s, sent_kib_s, received_packets_per_s,
            sent_packets_per_s
        FROM {m}network_rate WHERE interval_s > 0 ORDER BY time_utc, interface LIMIT 1
    """
    assert ask(loaded, "forks", sql) == [("nmon", "eth0", 513, 2049, 401, 901)]
    assert ask(loaded, "knives", sql) == [("nmon", "en0", 100, 300, 80, 240)]


def test_queues_swap_and_paging(loaded: duckdb.DuckDBPyConnection) -> None:
    queue = "SELECT tool, run_queue, blocked_tasks FROM {m}run_queue ORDER BY time_utc DESC LIMIT 1"
    assert ask(loaded, "teapots", queue) == [("vmstat", 5, 1)]
    assert ask(loaded, "forks", queue) == [("nmon", 5, 1)]
    assert ask(loaded, "knives", queue) == [("nmon", 5.5, None)]
    swap = """
        SELECT tool, used_kib, in_kib_s, out_kib_s, in_pages_per_s, out_pages_per_s FROM {m}swap
        ORDER BY time_utc LIMIT 1
    """
    assert ask(loaded, "teapots", swap) == [("vmstat", 2048, 0, 1, None, None)]
    assert ask(loaded, "forks", swap) == [("nmon", 8 * 1024, None, None, None, None)]
    assert ask(loaded, "knives", swap) == [("nmon", None, None, None, 2, 3)]
    paging = "SELECT tool, in_kib_s, out_kib_s FROM {m}paging ORDER BY time_utc LIMIT 1"
    assert ask(loaded, "teapots", paging) == [("vmstat", 124, 656)]
    assert ask(loaded, "knives", paging) == [("nmon", 400, 200)]
    switch = """
        SELECT tool, context_switches_per_s, created_per_s FROM {m}context_switch
        ORDER BY time_utc LIMIT 1
    """
    assert ask(loaded, "teapots", switch) == [("vmstat", 1803, None)]
    assert ask(loaded, "forks", switch) == [("nmon", 3000.5, 4.5)]


@pytest.mark.parametrize(
    ("run", "host"), [("teapots", "kettle"), ("nameless", "host"), ("ambiguous", "host")]
)
def test_who_names_no_host_is_the_only_one_or_called_host(
    loaded: duckdb.DuckDBPyConnection, run: str, host: str
) -> None:
    assert ask(loaded, run, "SELECT DISTINCT host FROM {m}cpu_use") == [(host,)]


def test_without_times_samples_follow_one_another_from_the_start(
    loaded: duckdb.DuckDBPyConnection,
) -> None:
    sql = """
        SELECT time_utc::VARCHAR, interval_s FROM {m}run_queue ORDER BY time_utc
    """
    seconds = [(f"2024-05-03 10:00:{second:02d}", 5) for second in (5, 10, 15, 20, 25)]
    assert ask(loaded, "untimed", sql) == seconds
    assert ask(loaded, "given", sql) == [(f"2024-05-03 10:0{n}:00", 60) for n in (1, 2, 3)]
    disk = "SELECT time_utc::VARCHAR FROM {m}disk_rate WHERE device = 'vda' ORDER BY 1"
    assert ask(loaded, "untimed", disk) == [("2024-05-03 10:00:05",), ("2024-05-03 10:00:10",)]


def test_what_rounding_puts_above_all_is_all(tmp_path: Path) -> None:
    """Whole numbers of vmstat make 101 where all processors are busy; 104 is no rounding."""
    full, wrong = "67  34  0  0  0", "70 34  0  0  0"
    text = (DATA / "vmstat/vmstat-t.txt").read_text()
    text = text.replace("31  7 60  1  1", full).replace("32  7 59  2  0", wrong)
    (tmp_path / "vmstat.txt").write_text(text)
    (tmp_path / "book").mkdir()
    hosts = {"hosts": [{"name": "kettle"}]}
    data_set = written(tmp_path / "book", {"full": ([str(tmp_path / "vmstat.txt")], hosts)})
    with store.connect(data_set.database) as connection:
        sql = "SELECT busy_percent FROM {m}cpu_use WHERE interval_s > 0 ORDER BY time_utc LIMIT 3"
        assert ask(connection, "full", sql) == [(100,), (104,), (40,)]


def test_without_times_and_start_nothing_is_placed(loaded: duckdb.DuckDBPyConnection) -> None:
    assert ask(loaded, "no-start", "FROM {m}cpu_use") == []
    said = loaded.execute(
        "SELECT text FROM remark JOIN raw_file USING (file_id) WHERE run_id LIKE '%/no-start'"
    ).fetchall()
    assert any("no figure shows them" in text for (text,) in said)


def test_one_of_two_tools_counts(loaded: duckdb.DuckDBPyConnection) -> None:
    """Both have three intervals of the processors together: mpstat comes first by rank."""
    sql = "SELECT tool, cpu, count(*) FROM {m}cpu_use GROUP BY ALL ORDER BY ALL"
    found = ask(loaded, "both", sql)
    assert found == [("mpstat", "0", 3), ("mpstat", "1", 3), ("mpstat", "all", 3)]
    assert ask(loaded, "both", "SELECT count(*) FROM {m}cpu_use_by_iostat") == [(3,)]
    assert ask(loaded, "both", "SELECT DISTINCT tool FROM {m}disk_rate") == [("iostat",)]


@pytest.mark.parametrize(("few", "chosen"), [(10, "vmstat"), (15, "mpstat"), (16, "mpstat")])
def test_a_tool_with_less_than_half_the_instants_does_not_count(few: int, chosen: str) -> None:
    with duckdb.connect() as connection:
        connection.execute(
            (REPOSITORY / "studybook/models/macros/clock.sql").read_text(encoding="utf-8")
        )
        connection.execute(
            (REPOSITORY / "studybook/models/macros/resource.sql").read_text(encoding="utf-8")
        )
        connection.execute(f"""
            CREATE TABLE measured AS
            SELECT 'r' AS run_id, NULL AS host, to_timestamp(n) AS time_utc, 'vmstat' AS tool
            FROM range(30) t(n)
            UNION ALL SELECT 'r', NULL, to_timestamp(n), 'mpstat' FROM range({few}) t(n)
        """)
        sql = "SELECT DISTINCT tool FROM of_one_tool('measured', true)"
        assert connection.execute(sql).fetchall() == [(chosen,)]


def test_what_the_loading_report_says_of_each(loaded: duckdb.DuckDBPyConnection) -> None:
    sql = """
        SELECT host, first_utc::VARCHAR, last_utc::VARCHAR, samples, interval_s, gaps
        FROM {m}TOOL_coverage
    """
    wanted = {
        ("teapots", "vmstat"): ("kettle", "2024-03-05 10:00:00", "2024-03-05 10:04:40", 29, 10, 0),
        ("spoons", "iostat"): (
            "db3.example", "2024-03-05 08:00:10", "2024-03-05 08:00:30", 3, 10, 0,
        ),
        ("plates", "mpstat"): (
            "db3.example", "2024-03-05 23:59:50", "2024-03-06 00:00:10", 3, 10, 0,
        ),
        ("forks", "nmon"): ("shop1", "2024-03-04 23:59:40", "2024-03-05 00:00:10", 4, 10, 0),
    }  # fmt: skip
    for (run, tool), expected in wanted.items():
        assert ask(loaded, run, sql.replace("TOOL", tool)) == [expected], run


PROGRAM = """
    SELECT host, program, time_utc::VARCHAR, interval_s, cpu_percent, write_kib_s, processes
    FROM crockery.process_use WHERE run_id = ? ORDER BY program, time_utc
"""


def test_programs_are_the_sum_of_their_processes_and_nothing_where_they_are_not_printed(
    loaded: duckdb.DuckDBPyConnection,
) -> None:
    first, second = "2024-05-21 10:00:10", "2024-05-21 10:00:20"
    assert loaded.execute(PROGRAM, [f"{STUDY}/trays"]).fetchall() == [
        ("web1", "kworker", first, 10, 2, None, 1),  # its disks may not be looked at
        ("web1", "kworker", second, 10, 4, None, 1),
        ("web1", "till", first, 10, 54.5, 120, 2),  # threads are in their process
        ("web1", "till", second, 10, 0, 0, 0),
    ]


OF_HOSTS = """
    SELECT metric, factors['host'], factors['program'], round(mean, 6)
    FROM crockery.metric WHERE run_id = ? AND metric IN
        ('program_cpus', 'context_switches_per_s', 'runnable_tasks') ORDER BY ALL
"""


def test_programs_and_schedulers_have_metrics(loaded: duckdb.DuckDBPyConnection) -> None:
    # Two did not run there, as they did in other runs; its kernel thread says that all are told.
    assert loaded.execute(OF_HOSTS, [f"{STUDY}/trays"]).fetchall() == [
        ("program_cpus", "web1", "java", 0),
        ("program_cpus", "web1", "kworker", 0.03),
        ("program_cpus", "web1", "till", 0.2725),
        ("program_cpus", "web1", "wrk", 0),
    ]
    of_kettle = loaded.execute(OF_HOSTS, [f"{STUDY}/teapots"]).fetchall()
    assert of_kettle == [
        ("context_switches_per_s", "kettle", None, 1845),
        ("runnable_tasks", "kettle", None, pytest.approx(89 / 29, abs=1e-6)),
    ]


def test_a_program_counts_in_all_runs_if_it_matters_in_one(tmp_path: Path) -> None:
    busy = DATA / "pidstat/threads-and-pauses.txt"
    idle = tmp_path / busy.name
    few = re.sub(r"(\b17 .*) [24]\.00(.*) [24]\.00 ", r"\1 0.20\2 0.20 ", busy.read_text("utf-8"))
    idle.write_text(few, encoding="utf-8")
    found = {}
    for name, runs in {"alone": [idle], "beside": [idle, busy]}.items():
        (tmp_path / name).mkdir()
        files = {f"run-{number}": ([str(each)], {}) for number, each in enumerate(runs)}
        with store.connect(written(tmp_path / name, files).database) as connection:
            rows = connection.execute(OF_HOSTS, [f"{STUDY}/run-0"]).fetchall()
        found[name] = {program: cpus for _, _, program, cpus in rows}
    assert found == {"alone": {"till": 0.2725}, "beside": {"till": 0.2725, "kworker": 0.002}}


def pidstat(path: Path, minute: int, programs: Mapping[str, float]) -> str:
    """Write what pidstat says of programs in five minutes, by ten seconds, and say where."""
    begin = datetime(2024, 5, 21, 10, minute)
    lines = ["Linux 6.1.0-18-amd64 (web1) \t2024-05-21 \t_x86_64_\t(2 CPU)\n"]
    head = "     UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command"
    for number in range(30):
        one, other = (begin + timedelta(seconds=10 * (number + more)) for more in (0, 1))
        lines.append(f"\n{one:%H:%M:%S} {head}")
        for pid, (program, cpu) in enumerate(programs.items()):
            now = cpu * (1 + (number % 3 - 1) / 10)
            lines.append(
                f"{other:%H:%M:%S}        0 {100 + pid:9}  {now:6.2f}    0.00    0.00    0.00"
                f"  {now:6.2f}     1  {program}"
            )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


#: What runs beside the programs that anyone asks for, and takes next to nothing.
SYSTEM = {"kworker": 0.2, "rcu_sched": 0.1, "pidstat": 0.3, "sshd": 0.4}


def test_a_program_that_does_not_run_takes_nothing_where_all_are_told(tmp_path: Path) -> None:
    till, backup = {"till": 50.0}, {"backup": 80.0}
    recordings = {
        "half": [(0, SYSTEM | till | backup), (5, SYSTEM | till)],
        "without": [(0, SYSTEM | till), (5, SYSTEM | till)],
        "filtered": [(0, backup), (5, till)],  # by pidstat -C, each by itself
    }
    runs: dict[str, tuple[Sequence[str], dict[str, Any]]] = {}
    (tmp_path / "book").mkdir()
    for run, files in recordings.items():
        (tmp_path / run).mkdir()
        runs[run] = ([pidstat(tmp_path / run / f"{at}.txt", at, of) for at, of in files], {})
    with store.connect(written(tmp_path / "book", runs).database) as connection:
        found = {run: connection.execute(OF_HOSTS, [f"{STUDY}/{run}"]).fetchall() for run in runs}
    cpus = {run: {program: value for *_, program, value in rows} for run, rows in found.items()}
    assert cpus == {
        "half": {"backup": 0.4, "till": 0.5},
        "without": {"backup": 0, "till": 0.5},
        "filtered": {"backup": 0.8, "till": 0.5},
    }


def test_batches_of_hosts_and_programs_are_those_of_their_metrics(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    programs = pidstat(tmp_path / "programs.txt", 0, SYSTEM | {"till": 50.0})
    lines = (DATA / "vmstat/vmstat-t.txt").read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if re.search(r"\d\d:\d\d:\d\d$", line)] * 2
    begin = datetime(2024, 5, 21, 10)
    for number, row in enumerate(rows):
        now = begin + timedelta(seconds=10 * number)
        rows[number] = re.sub(r"\S+ \S+$", f"{now:%Y-%m-%d %H:%M:%S}", row)
    path = tmp_path / "vmstat.txt"
    path.write_text("\n".join([*lines[:2], *rows]) + "\n", encoding="utf-8")
    of_host = {"hosts": [{"name": "web1", "role": "web"}]}
    data_set = written(tmp_path / "book", {"one": ([programs, str(path)], of_host)})
    with store.connect(data_set.database) as connection:
        found = connection.execute(
            """
            SELECT m.metric, m.factors['program'], any_value(m.mean),
                sum(b.value * b.values) / sum(b.values), count(*)
            FROM crockery.metric m JOIN crockery.metric_batch b USING (run_id, metric, factors)
            WHERE m.metric IN ('program_cpus', 'context_switches_per_s', 'runnable_tasks')
            GROUP BY ALL ORDER BY ALL
            """
        ).fetchall()
    assert [row[:2] for row in found] == [
        ("context_switches_per_s", None), ("program_cpus", "till"), ("runnable_tasks", None),
    ]  # fmt: skip
    for *_, mean, of_batches, batches in found:
        assert of_batches == pytest.approx(mean, rel=1e-3)
        assert batches >= 10


def test_programs_of_two_files_of_one_host_are_told_side_by_side(
    loaded: duckdb.DuckDBPyConnection,
) -> None:
    found = loaded.execute(PROGRAM, [f"{STUDY}/trays-twice"]).fetchall()
    assert [row[1] for row in found] == [
        each for name in ("containerd", "java", "kworker", "till") for each in (name, name)
    ]
    # That without disks says nothing of them.
    assert {row[1] for row in found if row[5] is not None} == {"till"}


def test_intervals_in_which_a_program_alone_did_nothing_are_told(
    loaded: duckdb.DuckDBPyConnection,
) -> None:
    found = loaded.execute(PROGRAM, [f"{STUDY}/bowls"]).fetchall()
    assert [(row[1], row[2][-8:], row[4]) for row in found] == [
        ("till", "10:00:10", 81), ("till", "10:00:20", 0),
        ("till", "10:00:30", 0), ("till", "10:00:40", 81),
        ("wrk", "10:00:10", 4), ("wrk", "10:00:20", 0),
        ("wrk", "10:00:30", 0), ("wrk", "10:00:40", 0),
    ]  # fmt: skip
