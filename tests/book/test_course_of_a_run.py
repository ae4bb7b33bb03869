"""What the page of a run draws over time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
import yaml

from studybook.records.load import load
from tests.support.cells import run_cells
from tests.support.lab import BEGIN, add_run

#: When intervals of a second ended, some milliseconds off, and what they had; none for a while.
ENDS = (1.0, 2.001, 2.999, 4.0, 5.002, 12.0, 13.001, 14.0)
MEANS = (2.0, 2.5, 20.25, 2.0, 3.0, 2.25, 2.0, 2.125)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    root = tmp_path_factory.mktemp("course")
    (root / "_config.yml").write_text("title: Course\n", encoding="utf-8")
    pgbench = "pgbench (15.6)\n" + "".join(
        f"progress: {BEGIN.timestamp() + end:.3f} s, {rate} tps, lat {mean:.3f} ms stddev 1.000\n"
        # Nothing was answered in the pause: it has rates, and no response time.
        for end, rate, mean in sorted(
            [(end, 100.0, mean) for end, mean in zip(ENDS, MEANS, strict=True)]
            + [(at + 0.5, 0.0, 0.0) for at in range(6, 11)]
        )
    )
    sysbench = (
        "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nThreads started!\n\n"
        + "".join(
            f"[ {at}s ] thds: 2 tps: 50.00 qps: 1000.00 (r/w/o: 700.00/200.00/100.00)"
            f" lat (ms,95%): {20 + at}.50 err/s: 0.50 reconn/s: 0.00\n"
            for at in range(10, 100, 10)
        )
    )
    for run, text in {"by-instants": pgbench, "by-percentile": sysbench}.items():
        add_run(root, run, {"load.txt": text}, hosts=[], factors={}, start=BEGIN)
    ends = [at for at in range(12) if at not in (6, 7)]
    rows = "".join(f"{BEGIN.timestamp() + 60 * at:.0f},{20 + at}\n" for at in ends)
    mapping = {
        "time": "at", "time_format": "unix",
        "metrics": [{"column": "queue", "name": "queue_length"}],
    }  # fmt: skip
    (root / "pipelines/lab").mkdir(parents=True)
    queue = "queue_length: {label: Queue, better: lower, decimals: 1}"
    words = f"study: lab\nmetrics:\n  {queue}\n"
    (root / "pipelines/lab/study.yml").write_text(words, encoding="utf-8")
    files = [{"path": "queue.csv", "table": mapping}]
    add_run(root, "by-minute", {"queue.csv": f"at,queue\n{rows}"}, hosts=[], factors={})
    told = root / "data/raw/mine/lab/by-minute/run.yml"
    told.write_text(yaml.safe_dump(yaml.safe_load(told.read_text()) | {"files": files}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(root))
        load(data_set="mine", strict=True)
        yield {
            run: run_cells("any-run/run", data_set="mine", study_name="lab", run=run)
            for run in ("by-instants", "by-percentile", "by-minute")
        }


def course(names: dict[str, Any], quantity: str) -> pd.DataFrame:
    """The points of a line."""
    means = names["means"]
    found: pd.DataFrame = names["course_of"](means[means["quantity"] == quantity])
    return found


def test_intervals_are_drawn_as_they_are_and_no_line_over_a_pause(names: dict[str, Any]) -> None:
    points = course(names["by-instants"], "response_ms")
    there = points.dropna(subset="value")
    assert there["value"].tolist() == list(MEANS)
    assert (there["minute"] * 60).round(2).tolist() == [round(end, 2) for end in ENDS]
    (pause,) = points[points["value"].isna()]["minute"] * 60
    assert 5 < pause < 12


def test_rows_of_a_table_are_a_line_where_none_is_missing(names: dict[str, Any]) -> None:
    (quantity,) = names["by-minute"]["means"]["quantity"].unique()
    points = course(names["by-minute"], quantity)
    assert points["value"].isna().tolist() == [False] * 6 + [True] + [False] * 4


def test_a_percentile_alone_is_named_as_one(names: dict[str, Any]) -> None:
    points = course(names["by-percentile"], "response_ms")
    assert set(points["series"]) == {"95th percentile"}
    assert points["value"].tolist() == [at + 20.5 for at in range(10, 100, 10)]
    failed = course(names["by-percentile"], "failed_percent")
    assert failed["value"].round(6).tolist() == [round(100 * 5 / 505, 6)] * 9
