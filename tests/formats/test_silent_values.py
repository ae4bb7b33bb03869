"""Outputs of which a number could be read that is not what it is taken for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.reading import read_text

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
