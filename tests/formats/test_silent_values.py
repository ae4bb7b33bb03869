"""Outputs of which a number could be read that is not what it is taken for."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from studybook.errors import Refused
from studybook.formats import Hints, RawFile, mapped_format, read
from studybook.formats.mapped.mapping import MappedMetric, Mapping
from tests.conftest import REPOSITORY
from tests.support.reading import read_text

FIXTURES = REPOSITORY / "tests/data"

# --- fio, as printed ----------------------------------------------------------------------

FIO = """\
j: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
fio-3.33
Starting 1 process

j: (groupid=0, jobs=1): err= 0: pid=4711: Sat Jun  1 12:00:00 2024
  write: IOPS=1000, BW=4000KiB/s (4096kB/s)(39.1MiB/10001msec); 0 zone resets
    clat (usec): min=5, max=900, avg=20.50, stdev= 3.20
     lat (usec): min=5, max=901, avg=20.70, stdev= 3.20
    clat percentiles (usec):
     |  1.00th=[    8], 50.00th=[   20], 95.00th=[   40], 99.00th=[   60],
     | 99.90th=[  200]
    {others} (usec):
     |  1.00th=[  600], 50.00th=[  900], 95.00th=[ 2000], 99.00th=[ 3000],
     | 99.90th=[ 5000]
  cpu          : usr=1.00%, sys=2.00%, ctx=3000, majf=0, minf=10
     issued rwts: total=7000,3000,0,9999 short=0,0,0,0 dropped=0,0,0,0
"""  # noqa: E501


@pytest.mark.parametrize(
    "others", ["sync percentiles", "clat prio 1/0 (10.00% of IOs) percentiles", "lat percentiles"]
)
def test_percentiles_of_fsync_and_of_priorities_are_not_those_of_writes(
    others: str, tmp_path: Path
) -> None:
    _, _, rows = read_text(tmp_path, FIO.replace("{others}", others))
    (result,) = rows["fio_result"]
    found = [result[f"{share}_completion_us"] for share in ("p50", "p95", "p99", "p999")]
    assert found == [20, 40, 60, 200]


def test_fio_of_all_directions_together_has_the_requests_of_all(tmp_path: Path) -> None:
    _, _, rows = read_text(tmp_path, FIO.replace("  write:", "  mixed:"))
    (result,) = rows["fio_result"]
    assert (result["direction"], result["operations"]) == ("mixed", 10_000)
    assert result["p50_completion_us"] == 20


# --- hey and oha --------------------------------------------------------------------------

OHA = """\
Summary:
  Success rate:\t100.00%
  Total:\t10.0000 sec
  Slowest:\t0.5000 sec
  Fastest:\t0.0020 sec
  Average:\t0.0320 sec
  Requests/sec:\t103.0000

Response time distribution:
  50.00% in 0.0300 sec
  99.00% in 0.2500 sec
{more}
Status code distribution:
  [200] 970 responses
  [500] 10 responses

Error distribution:
  [50] aborted due to deadline
"""


def test_requests_that_oha_broke_off_at_the_end_are_in_its_rate_and_in_none_of_ours(
    tmp_path: Path,
) -> None:
    _, reading, rows = read_text(tmp_path, OHA.replace("{more}", ""))
    (run,) = rows["oha_run"]
    assert run["status"] == "complete"
    assert not reading.remarks
    assert (run["responses"], run["no_response"], run["requests_per_s"]) == (980, 0, 98)


def test_percentiles_of_bad_responses_are_not_those_of_all(tmp_path: Path) -> None:
    more = """
Response time histogram (4xx + 5xx only):
  0.400 sec [10] |

Response time distribution (4xx + 5xx only):
  50.00% in 0.4000 sec
  99.00% in 0.5000 sec
"""
    _, reading, rows = read_text(tmp_path, OHA.replace("{more}", more))
    assert [row["response_ms"] for row in rows["oha_percentile"]] == [30, 250]
    assert reading.lines_not_understood == 0


@pytest.mark.parametrize(
    ("unit", "factor"), [("10 sec", 10), ("min", 60), ("10 min", 600), ("hr", 3600)]
)
def test_units_of_slow_requests_of_oha(unit: str, factor: int, tmp_path: Path) -> None:
    text = OHA.replace("{more}", "").replace(" sec\n", f" {unit}\n")
    text = text.replace("Requests/sec:\t103.0000", f"Requests/sec:\t{103 / factor:.4f}")
    _, _, rows = read_text(tmp_path, text)
    (run,) = rows["oha_run"]
    assert (run["status"], run["duration_s"]) == ("complete", pytest.approx(10 * factor))
    assert run["mean_ms"] == pytest.approx(32 * factor)
    assert rows["oha_percentile"][1]["response_ms"] == pytest.approx(250 * factor)


def test_hey_keeps_a_million_responses_and_counts_more(tmp_path: Path) -> None:
    _, reading, rows = read_text(
        tmp_path,
        """
Summary:
  Total:\t50.0000 secs
  Slowest:\t0.0200 secs
  Fastest:\t0.0002 secs
  Average:\t0.0030 secs
  Requests/sec:\t30000.0000

Latency distribution:
  50% in 0.0018 secs

Status code distribution:
  [200]\t1000000 responses

""",
    )
    (run,) = rows["hey_run"]
    assert (run["status"], run["responses"], run["requests_per_s"]) == ("complete", 1_500_000, 30e3)
    assert run["mean_ms"] == pytest.approx(2)
    assert run["bad_responses"] is run["max_ms"] is run["min_ms"] is None
    assert reading.remarks


# --- ab -----------------------------------------------------------------------------------

AB = """\
This is ApacheBench, Version 2.3 <$Revision: 1879490 $>
Concurrency Level:      10
Time taken for tests:   {taken} seconds
Complete requests:      100000
Failed requests:        0
Requests per second:    {rate:.2f} [#/sec] (mean)
Time per request:       {each:.3f} [ms] (mean)
Time per request:       {alone:.3f} [ms] (mean, across all concurrent requests)

Connection Times (ms)
              min  mean[+/-sd] median   max
Total:          0    {mean}   0.1      0       14

Percentage of the requests served within a certain time (ms)
  50%      0
  99%      1
 100%     14 (longest request)
"""


@pytest.mark.parametrize(("taken", "mean", "ms"), [(3.53, 0, 0.353), (20, 2, 2.0), (30, 2, 2.0)])
def test_times_of_ab_that_are_rounded_to_nothing_are_no_times(
    taken: float, mean: int, ms: float, tmp_path: Path
) -> None:
    rate = 100_000 / taken
    text = AB.format(taken=taken, rate=rate, each=10_000 / rate, alone=1000 / rate, mean=mean)
    _, reading, rows = read_text(tmp_path, text)
    (run,) = rows["ab_run"]
    assert run["mean_ms"] == pytest.approx(ms)
    assert (run["min_ms"], run["max_ms"]) == (None, 14)
    assert [row["percent"] for row in rows["ab_percentile"]] == [99, 100]
    assert reading.remarks


# --- perf stat ----------------------------------------------------------------------------

PERF = (
    '"counter-value" : "100.000000", "unit" : "", "event" : "cycles", "event-runtime" : 9,'
    ' "pcnt-running" : 100.00}'
)


@pytest.mark.parametrize(
    "group",
    [
        '"socket" : "S0", "aggregate-number" : 8', '"core" : "S0-D0-C15", "aggregate-number" : 2',
        '"node" : "N0", "aggregate-number" : 8', '"thread" : "sh-4711"', '"cgroup" : "a.slice"',
    ],
)  # fmt: skip
def test_counts_of_a_part_of_the_machine_are_not_those_of_all(group: str, tmp_path: Path) -> None:
    text = f"{{{PERF}\n{{{group}, {PERF}\n"
    _, reading, rows = read_text(tmp_path, text)
    assert len(rows["perf_count"]) == reading.lines_not_understood == 1


# --- iperf3 -------------------------------------------------------------------------------


def iperf3(side: str, sent: int, received: int) -> dict[str, Any]:
    """Return the document of a test of TCP, as the client or the server prints it."""
    sums = {
        name: {"seconds": 10, "bytes": moved, "bits_per_second": moved * 0.8}
        for name, moved in (("sum_sent", sent), ("sum_received", received))
    }
    return {
        "start": {"version": "iperf 3.16", side: {"host": "10.1.0.6", "port": 5201},
                  "timestamp": {"timesecs": 1717236000},
                  "test_start": {"protocol": "TCP", "num_streams": 1, "reverse": 0}},
        "intervals": [{"sum": {"start": 0, "end": 1, "bytes": 9, "bits_per_second": 72e6,
                               "omitted": False}}],
        "end": sums,
    }  # fmt: skip


@pytest.mark.parametrize(("sent", "received"), [(0, 1_250_000_000), (1_250_000_000, 0)])
def test_what_a_server_of_iperf3_has_not_counted_is_no_rate_of_zero(
    sent: int, received: int, tmp_path: Path
) -> None:
    of_server = json.dumps(iperf3("accepted_connection", sent, received))
    _, _, rows = read_text(tmp_path, of_server + "\n")
    (test,) = rows["iperf3_test"]
    assert (test["sent_mbit_s"], test["received_mbit_s"]) == (
        (None, 1000.0) if received else (1000.0, None)
    )
    of_client = json.dumps(iperf3("connecting_to", sent, received))
    _, _, rows = read_text(tmp_path, of_client + "\n")
    (test,) = rows["iperf3_test"]
    assert 0 in (test["sent_mbit_s"], test["received_mbit_s"])


def test_events_of_iperf3_make_up_what_the_document_of_the_test_has(tmp_path: Path) -> None:
    document = iperf3("connecting_to", 1_250_000_000, 1_200_000_000)
    failed = [
        {"event": "start", "data": {"version": "iperf 3.17"}},
        {"event": "error", "data": "unable to connect to server: Connection refused"},
    ]
    events = [
        {"event": "start", "data": document["start"]},
        {"event": "interval", "data": document["intervals"][0]},
        {"event": "end", "data": document["end"]},
    ]  # fmt: skip
    lines = [json.dumps(each) for each in (*events, *failed, *events[:2])]
    name, reading, rows = read_text(tmp_path, "\n".join(lines) + "\n")
    assert (name, reading.lines_in_records) == ("iperf3", len(lines))
    _, _, whole = read_text(tmp_path, json.dumps(document) + "\n", "whole.json")
    assert rows["iperf3_test"][0] == whole["iperf3_test"][0]
    assert rows["iperf3_interval"][0] == whole["iperf3_interval"][0]
    assert "refused" in rows["iperf3_test"][1]["error"]
    assert rows["iperf3_test"][2]["sent_mbit_s"] is None
    assert len(rows["iperf3_test"]) == 3


# --- collectl -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rates", "counts"),
    [
        ("Options: -scdmn -P -f.", "Options: -scdmn -P -on -f."),
        ("Options: -scdmn -P -f.", "Options: -P -oTn"),
        ("Options: -scdmn -P -f.", "Options: -P --options nz"),
        ("Options: z Interval", "Options: zn Interval"),
    ],
)
def test_counts_of_collectl_that_are_no_rates_are_refused(
    rates: str, counts: str, tmp_path: Path
) -> None:
    text = (FIXTURES / "collectl/cpu-and-memory.tab").read_text()
    assert rates in text
    with pytest.raises(Refused, match="-on"):
        read_text(tmp_path, text.replace(rates, counts))


# --- vmstat -------------------------------------------------------------------------------

TITLE = "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
NAMES = " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
#: The mean since boot, and an interval.
BOOT = " 1  0      0 {free}  51360 5736460    0    0  1526  3521  553 1552 71 11 18  0  0{time}\n"
ROW = " 9  0      0 {free}  51360 5736460    0    0   764   412  968 2060 85 15  0  0  0{time}\n"


def vmstat(rows: int, free: int = 15_824_368, minute: int | None = None) -> str:
    """Return an output of vmstat of so many rows, with times or without."""
    times = [
        "" if minute is None else f" 2024-06-01 12:{minute + n // 6:02}:{10 * (n % 6):02}"
        for n in range(rows)
    ]
    lines = [(ROW if n else BOOT).format(free=free, time=time) for n, time in enumerate(times)]
    return TITLE + NAMES + "".join(lines)


@pytest.mark.parametrize("times", [(None, None), (0, 30), (30, 0)])
def test_the_mean_since_boot_of_an_appended_output_of_vmstat_is_no_interval(
    times: tuple[int | None, int | None], tmp_path: Path
) -> None:
    _, _, rows = read_text(tmp_path, "".join(vmstat(20, minute=each) for each in times))
    means = [row["line"] for row in rows["vmstat_sample"] if row["since_boot"]]
    assert means == [3, 25]


@pytest.mark.parametrize("minute", [None, 0])
def test_a_heading_of_vmstat_that_is_repeated_begins_no_output(
    minute: int | None, tmp_path: Path
) -> None:
    lines = vmstat(50, minute=minute).splitlines(keepends=True)
    text = "".join([*lines[:23], TITLE, NAMES, *lines[23:44], TITLE, NAMES, *lines[44:]])
    _, _, rows = read_text(tmp_path, text)
    assert len(rows["vmstat_report"]) == 1
    assert sum(row["since_boot"] for row in rows["vmstat_sample"]) == 1


@pytest.mark.parametrize(("free", "is_kib"), [(15_824_368, True), (1_824_367, False)])
def test_memory_of_vmstat_that_is_no_whole_pages_is_in_another_unit(
    free: int, is_kib: bool, tmp_path: Path
) -> None:
    _, reading, rows = read_text(tmp_path, vmstat(5, free))
    assert (rows["vmstat_report"][0]["unit_bytes"] == 1024) is is_kib
    assert (rows["vmstat_sample"][1]["free_kib"] is not None) is is_kib
    assert ("memory" in str(reading.remarks)) is not is_kib


def test_rates_in_a_unit_that_is_not_known_are_no_head(tmp_path: Path) -> None:
    text = (FIXTURES / "iozone/iozone-throughput.txt").read_text().replace("kB/sec", "MB/sec")
    _, reading, rows = read_text(tmp_path, text)
    assert "iozone_throughput" not in rows
    assert reading.lines_not_understood >= text.count("MB/sec")


def test_whole_numbers_that_no_float_holds_are_kept(tmp_path: Path) -> None:
    content = (FIXTURES / "fio/fio-3.json").read_text()
    damaged = re.sub(r'"total_ios" : \d+', f'"total_ios" : {2**53 + 1}', content, count=1)
    assert damaged != content
    rows = read_text(tmp_path, damaged)[2]
    assert 2**53 + 1 in [row["operations"] for row in rows["fio_result"]]


# --- exports that grow --------------------------------------------------------------------


def _samples(rows: int) -> dict[str, str]:
    """What tools print of an hour and more, a sample in a minute."""
    times = [f"10:{number:02}:00" for number in range(rows)]
    shares = [
        f"{number / 7:9.2f}      0.00      0.25      0.00      0.00" for number in range(rows)
    ]
    first = "Linux 6.1.0 (web1) \t2024-07-01 \t_x86_64_\t(4 CPU)\n\n09:59:00        CPU     %user"
    sar = f"{first}     %nice   %system   %iowait    %steal\n" + "".join(
        f"{time}        all {share}\n" for time, share in zip(times, shares, strict=True)
    )
    jtl = "timeStamp,elapsed,label,responseCode,success\n" + "".join(
        f"{1719828000000 + 1000 * number},{100 + number},search,200,true\n"
        for number in range(rows)
    )
    return {
        "sar": f"{sar}Average:        all {shares[-1]}\n\n",
        "vmstat": vmstat(rows, minute=0),
        "jtl": jtl,
    }


@pytest.mark.parametrize("tool", ["sar", "vmstat", "jtl"])
def test_a_part_of_an_export_behind_all_of_it_is_told(tool: str, tmp_path: Path) -> None:
    whole, part = _samples(50)[tool], _samples(30)[tool]
    _, reading, _ = read_text(tmp_path, whole + part)
    (told,) = [each for each in reading.remarks if "stand once more" in each[1]]
    assert told[0] == whole.count("\n") + 1
    # Before all of it, it is a part to the letter, but where means of it follow.
    _, reading, _ = read_text(tmp_path, part + whole)
    said = str(reading.remarks + reading.repairs)
    assert "stand once more" in said


def test_captures_that_begin_alike_are_of_several_times(tmp_path: Path) -> None:
    text = "# TYPE a gauge\n" + "".join(f'a{{n="{n}"}} {n}\n' for n in range(100))
    _, reading, _ = read_text(tmp_path, f"{text}a {{}} 5\n{text}", name="metrics.prom")
    assert "stand once more" not in str(reading.remarks)


# --- colours ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["iostat/extended.txt", "vmstat/vmstat-t.txt", "fio/printed.txt", "uperf/two-runs.txt",
     "mpstat/all-processors.txt", "wrk/wrk-three.txt"],
)  # fmt: skip
def test_colours_of_a_terminal_change_nothing(name: str, tmp_path: Path) -> None:
    plain = (FIXTURES / name).read_text()
    coloured = re.sub(r"([0-9][0-9.]*)", "\x1b[32;22m\\1\x1b[0m", plain).replace("\n", "\x1b[K\n")
    assert read_text(tmp_path, coloured)[2] == read_text(tmp_path, plain)[2]


# --- elbencho and mdtest ------------------------------------------------------------------

ELBENCHO = """\
OPERATION   RESULT TYPE         FIRST DONE   LAST DONE
=========== ================    ==========   =========
RWMIX30     Elapsed time     :      10.000s     10.002s
            IOPS write       :         700         690
            IOPS read        :         300         290
            IOPS total       :        1000         980
            MB/s write       :         700         690
            MB/s read        :         300         290
            MB/s total       :        1000         980
            MiB write        :        7000        6900
            MiB read         :        3000        2900
            IO wr latency    : [ min=21us avg=120us max=2.5ms ]
            IO wr lat % us   : [ 50%<=110 99%<=1024 ]
            IO rd latency    : [ min=9us avg=50us max=1ms ]
---
WRITE       Elapsed time     :      10.000s     10.002s
            Throughput MB/s  :        2000        1500
---
"""


def test_a_mixed_phase_of_elbencho_is_all_that_it_wrote_and_read(tmp_path: Path) -> None:
    _, _, rows = read_text(tmp_path, ELBENCHO)
    mixed, write = rows["elbencho_phase"]
    assert mixed["operations_last_per_s"] == 980
    assert mixed["rate_last_mib_s"] == pytest.approx(980e6 / 2**20)
    assert write["rate_first_mib_s"] == pytest.approx(2e9 / 2**20)
    assert mixed["io_mean_us"] is None
    assert [row["measure"] for row in rows["elbencho_percentile"]] == ["IO wr", "IO wr"]

    names = ["ISO date", "operation", "time ms [first]", "time ms [last]", "IOPS [first]",
             "IOPS [last]", "MiB/s [first]", "MiB/s [last]", "IO lat us [avg]",
             "rwmix read IOPS [last]", "rwmix read MiB/s [last]",
             "rwmix read IO lat us [avg]"]  # fmt: skip
    at = "2024-06-01T12:00:00Z"
    lines = [",".join(names), f"{at},RWMIX30,9,10,700,690,70,69,120,290,29,50",
             f"{at},WRITE,9,10,700,690,70,69,120,,,"]  # fmt: skip
    _, reading, rows = read_text(tmp_path, "\n".join(lines) + "\n", "results.csv")
    mixed, write = rows["elbencho_phase"]
    assert (mixed["operations_last_per_s"], mixed["rate_last_mib_s"]) == (980, 98)
    assert (write["operations_last_per_s"], write["rate_last_mib_s"]) == (690, 69)
    assert (mixed["io_mean_us"], write["io_mean_us"]) == (None, 120)
    assert not reading.remarks


MDTEST = """
{tasks} tasks, {items} files

SUMMARY rate (in ops/sec): (of 1 iterations)
   Operation                     Max            Min           Mean        Std Dev
   ---------                     ---            ---           ----        -------
   File creation                {rate}.000       {rate}.000       {rate}.000          0.000
"""


def test_each_number_of_tasks_that_mdtest_goes_through_has_its_own_rates(tmp_path: Path) -> None:
    parts = [MDTEST.format(tasks=n, items=100 * n, rate=1000 * n) for n in (1, 2, 4)]
    text = "mdtest-4.1.0 was launched with 4 total task(s) on 2 node(s)\n" + "".join(parts)
    _, _, rows = read_text(tmp_path, f"{text}-- finished at 06/01/2024 12:10:00 --\n")
    runs = {run["run_no"]: run for run in rows["mdtest_run"]}
    found = [
        (runs[row["run_no"]]["tasks"], runs[row["run_no"]]["items"], row["mean_per_s"])
        for row in rows["mdtest_operation"]
    ]
    assert found == [(1, 100, 1000), (2, 200, 2000), (4, 400, 4000)]
    assert {run["version"] for run in runs.values()} == {"4.1.0"}


def test_nan_in_parquet_is_an_empty_cell_and_costs_no_row(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    table = pa.table({"took": [1.5, math.nan, 2.5], "queue": [1.0, 2.0, 3.0]})
    pq.write_table(table, path)
    metrics = tuple(MappedMetric(column=each, name=each) for each in ("took", "queue"))
    found: dict[str, list[float]] = {}

    def take(_: str, batch: pa.Table) -> None:
        for row in batch.to_pylist():
            found.setdefault(row["metric"], []).append(row["value"])

    raw = RawFile(path)
    _, reading = read(path, take, Hints(table=Mapping(metrics=metrics)), mapped_format(raw))
    assert found == {"took": [1.5, 2.5], "queue": [1, 2, 3]}
    assert "took is empty in 1 rows" in str(reading.remarks)


def test_stolen_time_in_what_collectl_prints_is_told(tmp_path: Path) -> None:
    head = "#         <--------CPU-------->\n#Date    Time     cpu sys inter  ctxsw\n"
    _, reading, _ = read_text(tmp_path, f"{head}20240601 12:00:00    5   1  1000   2000\n")
    assert "steal" in str(reading.remarks)


def test_redirects_among_the_errors_of_ab_are_told(tmp_path: Path) -> None:
    text = AB.format(taken=10, rate=10_000, each=1, alone=0.1, mean=1)
    redirected = text.replace("Requests per", "Non-2xx responses:      100000\nRequests per")
    _, reading, rows = read_text(tmp_path, redirected)
    assert rows["ab_run"][0]["bad_responses"] == 100_000
    assert "redirects" in str(reading.remarks)


# --- IO500 --------------------------------------------------------------------------------


def test_phases_that_io500_of_2020_calls_invalid_are_there_and_invalid(tmp_path: Path) -> None:
    _, reading, rows = read_text(
        tmp_path,
        """IO500 version io500-sc20_v3
[RESULT-invalid]       ior-easy-write        0.015000 GiB/s : time 300.414 seconds
[RESULT]               mdtest-easy-write     0.250000 kIOPS : time 300.392 seconds
[SCORE-invalid] Bandwidth 0.015000 GiB/s : IOPS 0.250000 kiops : TOTAL 0.061237
""",
    )
    assert [row["valid"] for row in rows["io500_phase"]] == [False, True]
    assert [row["scored"] for row in rows["io500_phase"]] == [True, True]
    assert rows["io500_run"][0]["valid"] is False
    assert reading.lines_not_understood == 0


# --- what cannot be -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "printed", "wrong", "table"),
    [
        ("iostat/extended.txt", "rkB/s", None, "iostat_disk"),
        ("oha/oha.json", '"average": 0.016', '"average": -7', "oha_run"),
        ("vegeta/report.json", '"mean":', '"mean":-', "vegeta_run"),
        ("fio/fio-3.json", '"iops" : ', '"iops" : -', "fio_result"),
        ("iperf3/three.json", '"bits_per_second": ', '"bits_per_second": -', "iperf3_test"),
    ],
)
def test_numbers_below_zero_are_no_values(
    name: str, printed: str, wrong: str | None, table: str, tmp_path: Path
) -> None:
    text = (FIXTURES / name).read_text()
    assert printed in text
    damaged = text.replace(printed, wrong) if wrong else re.sub(r" (\d+\.\d\d)(?= )", r"-\1", text)
    _, reading, rows = read_text(tmp_path, damaged)
    numbers = [v for row in rows[table] for v in row.values() if isinstance(v, int | float)]
    assert numbers
    assert min(numbers) >= 0
    assert "cannot be below 0" in str(reading.remarks)


@pytest.mark.parametrize("wrong", ["-7", "18446744073709551000"])
@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("netperf/netperf-tables.txt", "42150.25"),
        ("netperf/netperf-tables.txt", "12.50"),
        ("netperf/netperf-omni.csv", "24.80"),
        ("netperf/netperf-tables.txt", "16384  131072 200"),
        ("uperf/two-runs.txt", "195.95"),
        ("uperf/two-runs.txt", "223696"),
        ("nmon/linux.nmon", "CPU_ALL,T0001,30.0"),
        ("nmon/linux.nmon", "NET,T0001,1.0"),
        ("collectl/cpu-and-memory.tab", " 900"),
        ("collectl/terminal.txt", " 900"),
        ("pcp/pmdumptext.txt", "2040"),
        ("prometheus/node-exporter.txt", "8589934592"),
        ("prometheus/dated-scrapes.txt", " 17"),
        ("vmstat/vmstat-t.txt", " 900"),
    ],
)
def test_what_is_counted_is_neither_below_zero_nor_what_is_left_of_64_bits(
    name: str, printed: str, wrong: str, tmp_path: Path
) -> None:
    text = (FIXTURES / name).read_text()
    before = read_text(tmp_path, text, Path(name).name)[1]
    damaged = text.replace(printed, re.sub(r"[\d.]+$", wrong, printed), 1)
    assert damaged != text
    _, reading, rows = read_text(tmp_path, damaged, Path(name).name)
    numbers: list[Any] = []
    rows.pop("netperf_value", None)  # what is printed, under the tool's own names
    for row in [row for of_table in rows.values() for row in of_table]:
        for value in row.values():
            numbers += value if isinstance(value, list) else [value]
    assert float(wrong) not in numbers
    assert reading.lines_not_understood > before.lines_not_understood or re.search(
        "cannot be (below 0|above)", str(reading.remarks)
    )


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("netperf/netperf-tables.txt", "12.50"),
        ("nmon/linux.nmon", "CPU_ALL,T0001,30.0"),
        ("collectl/cpu-and-memory.tab", "12:00:10 20"),
    ],
)
def test_no_processor_is_busier_than_all_of_the_time(
    name: str, printed: str, tmp_path: Path
) -> None:
    text = (FIXTURES / name).read_text()
    damaged = text.replace(printed, re.sub(r"[\d.]+$", "250", printed), 1)
    assert damaged != text
    said = str(read_text(tmp_path, damaged)[1].remarks)
    assert re.search(r"cannot be above 10[\d.]+: 250", said)


def test_what_a_counter_that_fell_gives_is_no_rate_of_a_disk(tmp_path: Path) -> None:
    text = (FIXTURES / "iostat/extended.txt").read_text()
    damaged = re.sub(r" (\d+\.\d\d)(?= )", " 30744573456182586.02", text)
    _, reading, rows = read_text(tmp_path, damaged)
    rates = [v for row in rows["iostat_disk"] for name, v in row.items() if name.endswith("_s")]
    assert all(rate is None or rate < 1e11 for rate in rates)
    assert "reads_per_s cannot be above 1e+11" in str(reading.remarks)


def test_what_a_unit_makes_larger_than_any_number_is_left_out_and_told(tmp_path: Path) -> None:
    content = (FIXTURES / "fio/fio-2.json").read_text(encoding="utf-8")
    huge = content.replace('"bw" : 102400', '"bw" : 1.7e308')
    assert huge != content
    _, reading, rows = read_text(tmp_path, huge)
    assert None in [row["rate_bytes_s"] for row in rows["fio_result"]]
    assert "rate_bytes_s cannot be above 9.22337e+18: inf is left out" in [
        text for _, text in reading.remarks
    ]
