"""Raw files that are looked at without a data set: their records in files."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from studybook.__main__ import cli
from studybook.dataset.inspection import inspect_file
from tests.support.fixtures import ONE_OF_EACH, short
from tests.support.lab import BEGIN, jtl, requests
from tests.support.reading import read_rows

DATA = Path(__file__).parents[1] / "data"

#: Its interrupts are lists.
INTERRUPTS = DATA / "sar/sadf-j.json"


@pytest.mark.parametrize("path", [*ONE_OF_EACH.values(), INTERRUPTS], ids=short)
def test_records_of_every_format_can_be_written_as_csv(path: Path, tmp_path: Path) -> None:
    seen = inspect_file(path, to=tmp_path, file_type="csv")
    assert {each.name for each in tmp_path.iterdir()} == {
        f"{path.name}.{table}.csv" for table in seen.rows
    }
    for table, count in seen.rows.items():
        written = tmp_path / f"{path.name}.{table}.csv"
        with duckdb.connect() as connection:
            found = connection.read_csv(str(written), header=True, all_varchar=True).fetchall()
        assert len(found) == count


def test_lists_in_csv_are_those_of_the_records(tmp_path: Path) -> None:
    inspect_file(INTERRUPTS, to=tmp_path, file_type="csv")
    with duckdb.connect() as connection:
        written = connection.execute(
            "SELECT rates_per_s::DOUBLE[] FROM"
            f" read_csv('{tmp_path}/*.sar_interrupt.csv', header = true, all_varchar = true)"
        ).fetchall()
    records = read_rows(INTERRUPTS)[2]["sar_interrupt"]
    assert [each for (each,) in written] == [row["rates_per_s"] for row in records]


def test_what_a_person_asks_first(tmp_path: Path) -> None:
    """How many samples, how far apart, of how many processors; what began anew."""
    text = (
        "Linux 6.1.0 (oak) \t2026-11-03 \t_x86_64_\t(14 CPU)\n\n"
        "00:00:00        CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
    )
    for number in range(1, 144):
        if number == 100:
            text += (
                f"\n{number // 6:02}:{number % 6}0:00       LINUX RESTART\t(14 CPU)\n\n"
                f"{number // 6:02}:{number % 6}0:00        CPU     %user     %nice   %system"
                "   %iowait    %steal     %idle\n"
            )
            continue
        text += (
            f"{number // 6:02}:{number % 6}0:00        all {number / 10:9.2f}      0.00      0.00"
        )
        text += f"      0.00      0.00 {100 - number / 10:9.2f}\n"
    path = tmp_path / "sar.txt"
    path.write_text(text)
    seen = inspect_file(path)
    assert (seen.samples, seen.interval_s, seen.processors, seen.restarts) == (142, 600, [14], 1)
    said = CliRunner().invoke(cli, ["inspect", str(path)]).output
    assert re.search(r"times .*: 23.7 h\n  samples   142, every 600 s\n  CPUs      14\n", said)


def test_paths_of_counters_are_shown_whole_and_all_hosts_are_no_host() -> None:
    """What parts the counters of RPT stands at the end of their paths."""
    path = DATA / "rpt/transactions.csv"
    said = CliRunner().invoke(cli, ["inspect", str(path), "--rows", "50"]).output
    paths = {str(row["path"]) for row in read_rows(path)[2]["rpt_counter"]}
    assert max(map(len, paths)) > 60
    assert all(each in said for each in paths)
    assert inspect_file(path).hosts == ["driver7"]
    assert "\n  hosts     driver7\n" in said


def test_a_log_with_several_executions_says_so_first(tmp_path: Path) -> None:
    path = tmp_path / "results.jtl"
    bursts = [each for k in range(3) for each in requests(2400 * k, 2400 * k + 400)]
    path.write_text(jtl(bursts))
    said = CliRunner().invoke(cli, ["inspect", str(path)]).output
    times = "11-03 09:00–09:06, 11-03 09:40–09:46, 11-03 10:20–10:26"
    assert f"3 executions: {times}" in said.split("jtl_sample")[0]
    path.write_text(jtl(requests()))
    assert inspect_file(path).executions == ""
    # k6 writes each number of a request into a row of its own, when it ended.
    path = tmp_path / "k6.csv"
    head = "metric_name,timestamp,metric_value\n"
    for sent, executions in ((bursts, f"3 executions: {times}"), (requests(), "")):
        ended = [(int(BEGIN.timestamp() + at + ms / 1000), ms) for at, ms in sent]
        rows = [f"http_reqs,{at},1\nhttp_req_duration,{at},{ms:.3f}\n" for at, ms in ended]
        path.write_text(head + "".join(rows))
        assert inspect_file(path).executions == executions
