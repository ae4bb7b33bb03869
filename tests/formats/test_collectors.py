"""What is particular to the readers of collectors: answers that do not fit, and what they say."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from studybook.errors import Refused
from studybook.formats import Hints
from tests.conftest import REPOSITORY
from tests.support.reading import read_rows, read_text


def answer(samples: int) -> dict[str, Any]:
    """Return an answer of Prometheus with one series."""
    values = [[1717236000 + n, f"{n}"] for n in range(samples)]
    series = {"metric": {"__name__": "shop_orders_total"}, "values": values}
    return {"status": "success", "data": {"resultType": "matrix", "result": [series]}}


def test_an_answer_of_prometheus_in_one_long_line_is_refused_with_the_way_out(
    tmp_path: Path,
) -> None:
    long = answer(60_000)
    text = json.dumps(long)
    assert len(text) > 2**20
    with pytest.raises(Refused, match="1 MiB") as refusal:
        read_text(tmp_path, text + "\n")
    assert "jq -c" in str(refusal.value.do)
    # That way leads out: a series per line, here in two halves.
    points = long["data"]["result"][0]["values"]
    halves = [{"metric": {"__name__": "shop_orders_total"}, "values": half}
              for half in (points[:30_000], points[30_000:])]  # fmt: skip
    name, reading, _ = read_text(tmp_path, "".join(f"{json.dumps(half)}\n" for half in halves))
    assert name == "prometheus-json"
    assert reading.rows["prometheus_sample"] == 60_000


@pytest.mark.parametrize(
    "name",
    ["prometheus/query-range.json", "iperf3/three.json", "oha/oha.json", "vegeta/report.json"],
)
def test_json_that_is_still_being_written_is_called_cut(name: str, tmp_path: Path) -> None:
    text = (REPOSITORY / "tests/data" / name).read_text(encoding="utf-8")
    _, end = json.JSONDecoder().raw_decode(text)
    with pytest.raises(Refused, match=r"JSON of \w+, and cut"):
        read_text(tmp_path, text[: end - 1])


@pytest.mark.parametrize(
    "line",
    [
        "shop_orders5",  # a name with a number at its end, and no value
        'shop_orders{shop="one} 5',
        'shop_orders{shop="one",shop="two"} 5',
        "shop_orders 0x10",
        "shop_orders 5 99",  # a time of 1970
        "shop_orders{} {} 5",
    ],
)
def test_a_line_that_is_no_sample_gives_no_value(tmp_path: Path, line: str) -> None:
    head = "# TYPE shop_queue gauge\nshop_queue 3\n"
    _, reading, rows = read_text(tmp_path, f"{head}{line}\n")
    assert reading.lines_not_understood == 1
    assert [row["value"] for row in rows["prometheus_sample"]] == [3]


def test_a_time_of_pmdumptext_without_a_year_is_of_the_year_of_the_run(tmp_path: Path) -> None:
    path = tmp_path / "raw"
    path.write_text("Time\tkernel.all.nprocs\nSat Jun  1 12:00:00\t400\n", encoding="utf-8")
    with pytest.raises(Refused, match="without a date"):
        read_rows(path)
    _, _, rows = read_rows(path, Hints(start=date(2024, 6, 1)))
    assert str(rows["pcp_value"][0]["time_local"]) == "2024-06-01 12:00:00"


def test_times_of_collectl_go_on_over_midnight(tmp_path: Path) -> None:
    path = tmp_path / "raw"
    path.write_text(
        "#         <--------CPU-------->\n#Time     cpu sys inter  ctxsw\n"
        "23:59:50    5   1  1000   2000\n00:00:00    6   1  1000   2000\n",
        encoding="utf-8",
    )
    _, reading, rows = read_rows(path)
    assert [row["time_local"] for row in rows["collectl_row"]] == [None, None]
    assert reading.remarks
    _, _, rows = read_rows(path, Hints(start=date(2024, 6, 1)))
    times = [str(row["time_local"]) for row in rows["collectl_row"]]
    assert times == ["2024-06-01 23:59:50", "2024-06-02 00:00:00"]
    assert rows["collectl_row"][1]["interval_s"] == 10


def test_a_setting_of_nmon_without_its_value_is_not_understood(tmp_path: Path) -> None:
    text = (REPOSITORY / "tests/data/nmon/linux.nmon").read_text()
    path = tmp_path / "raw"
    path.write_text(f"AAA,progname,lmon\nAAA\n{text}")
    _, reading, _ = read_rows(path)
    assert reading.first_unknown == 2
