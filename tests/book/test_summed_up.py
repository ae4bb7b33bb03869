"""Pages of runs of which tools tell no course over time, but sum up what they did."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from studybook.dataset.paths import DataSet
from studybook.records.load import load
from tests.conftest import REPOSITORY
from tests.support.cells import run_cells

FIXTURES = REPOSITORY / "tests/data"
#: Files by study and run.
RUNS = {
    "disks": {"larch": ["fio/fio-3.json"], "oak": ["fio/printed.txt"]},
    "web": {"one": ["wrk/wrk2-both.txt"], "both": ["ab/ab-2.3.txt", "wrk/wrk2-both.txt"]},
    "machine": {
        "old": ["sysbench/machine.txt"],
        "new": ["sysbench/machine.txt"],
        "web": ["ab/ab-2.3.txt"],
    },
    "alone": {"one": ["sysbench/machine.txt"]},
    "parts": {"one": ["ab/ab-2.3.txt"]},
    "nights": {"monday": ["wrk/wrk2-both.txt"], "tuesday": ["wrk/wrk2-both.txt"]},
    "captured": {"bare": ["linux/ip.txt"]},
}


@pytest.fixture(scope="module", autouse=True)
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DataSet]:
    """Return a loaded data set."""
    root = tmp_path_factory.mktemp("summed")
    (root / "_config.yml").write_text("title: Summed up\n", encoding="utf-8")
    for study, runs in RUNS.items():
        for run, files in runs.items():
            folder = root / "data/raw/main" / study / run
            folder.mkdir(parents=True)
            for each in files:
                shutil.copy2(FIXTURES / each, folder)
            if run == "tuesday":
                text = (folder / "wrk2-both.txt").read_text("utf-8").replace("500.00", "400.00")
                (folder / "wrk2-both.txt").write_text(f"{text}made of tea", encoding="utf-8")
                (folder / "empty.txt").touch()
            said = {"study": study, "run": run, "title": run, "origin": "measured"}
            named: list[dict[str, Any]] = [{"path": each.name} for each in folder.iterdir()]
            if study == "parts":
                rows = "".join(f"part {number},{number}\n" for number in range(13))
                (folder / "parts.csv").write_text(f"part,took\n{rows}", encoding="utf-8")
                metrics = [{"column": "took", "name": "operation_ms", "unit": "ms"}]
                named.append({"path": "parts.csv", "table": {"label": "part", "metrics": metrics}})
            text = yaml.safe_dump(said | {"time_zone": "UTC", "files": named})
            (folder / "run.yml").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(root))
        assert load(data_set="main").number_refused == 1
        yield DataSet.named("main")


def overview(study: str) -> Any:
    return run_cells("any-study/overview", data_set="main", study_name=study)


def page(study: str, run: str) -> dict[str, Any]:
    return run_cells("any-run/run", data_set="main", study_name=study, run=run)


def test_jobs_of_fio_alone_have_an_overview_and_pages() -> None:
    names = overview("disks")
    wide = names["wide"].reset_index().set_index(["run", "part"])
    assert wide["io_per_s"]["larch", "larch-rr, read"] == 10000
    assert wide["io_completion_p99_ms"]["larch", "larch-rr, read"] == 0.25
    assert len(set(names["runs"]["setup"])) == len(wide)
    names = page("disks", "larch")
    assert names["ends"].iloc[-1].what == "larch-rr, read"
    assert set(names["others"]["metric"]) == {
        "I/O operations", "Mean completion latency", "Median of completion latencies",
        "99th percentile of completion latencies", "99.9th percentile of completion latencies",
    }  # fmt: skip


def test_executions_of_several_tools_each_have_a_row_with_its_name() -> None:
    names = overview("web")
    wide = names["wide"].reset_index().set_index(["run", "part"])
    rates = wide["requests_per_s"]
    assert rates["both", "wrk, wrk2-both.txt, 100 connections"] == rates["one", ""]
    assert rates["both", "ab, ab-2.3.txt, 20 connections"] == 500
    assert wide["response_p95_ms"]["both", "ab, ab-2.3.txt, 20 connections"] == 88
    assert set(rates["both"].index.str.partition(",").get_level_values(0)) == {"ab", "wrk"}
    names = page("web", "both")
    told = names["wide"][["label", "other"]].to_records(index=False).tolist()
    assert ("http://larch:8080/search", "wrk, wrk2-both.txt, 100 connections") in told
    assert len(told) == len(rates["both"])
    assert len(page("web", "one")["wide"]) == 2  # all, and the address


def test_the_page_of_a_run_says_what_is_remarked_on_its_files() -> None:
    remarks = page("nights", "tuesday")["files"]
    assert list(remarks["file"]) == ["empty.txt", "wrk2-both.txt", "wrk2-both.txt"]
    left_out, unread, cut = remarks["remark"]
    assert left_out.startswith("left out: is empty")
    assert unread == "lines not understood: 1"
    assert "the last line has no line end" in cut
    assert page("nights", "monday")["files"].empty


def test_no_test_is_called_more_or_less_than_another() -> None:
    names = overview("machine")
    chart, reading, *_ = names["shown"]
    title, words = " ".join(chart.title.text), f"{reading.text} "
    assert title.startswith("Requests of sysbench, cpu, machine.txt, 2 connections: 1,550")
    assert "2 of 3 setups are of this test" in title
    assert "Requests: 1,550.0 requests/s in 2 setups. " in words
    assert "4,096,000" not in title + words
    # Four million of memory would leave no room to a thousand of processors on their axis.
    drawn = [
        {*ast.literal_eval(of[1])}
        for panel in chart.to_dict()["vconcat"]
        if panel["layer"][0]["encoding"]["x"]["title"].startswith("Requests")
        for step in panel["layer"][0]["transform"]
        if (of := re.search(r"indexof\((\[.*\]),", step["filter"]))
    ]
    assert len(drawn) == 2
    assert {each.partition(",")[0] for each in drawn[1] if "memory" in each} == {
        "new: sysbench", "old: sysbench"
    }  # fmt: skip
    assert not any("memory" in each for each in drawn[0])


def test_runs_that_no_factor_tells_apart_are_of_one_setup() -> None:
    chart, reading, *_ = overview("nights")["shown"]
    title = " ".join(chart.title.text)
    assert title == "Requests: from 400.0 requests/s with tuesday to 500.0 requests/s with monday"
    assert "2 runs of 1 setup;" in " ".join(chart.title.subtitle)
    assert "Errors: 0.00 % in all runs." in reading.text


def test_tests_of_one_run_each_are_not_set_against_one_another() -> None:
    chart, *_ = overview("alone")["shown"]
    assert "3 lines, each of another part of a run" in " ".join(chart.title.text)


def test_a_metric_of_more_labels_than_can_be_drawn_is_named() -> None:
    names = overview("parts")
    assert "operation_ms" not in set(names["runs"]["metric"])
    _, reading, *_ = names["shown"]
    assert "Mean response time: 13 labels or hosts in a run, too many to draw" in reading.text


def test_a_run_without_numbers_has_no_page() -> None:
    with pytest.raises(Exception, match="needs load drivers, benchmarks"):
        page("captured", "bare")
