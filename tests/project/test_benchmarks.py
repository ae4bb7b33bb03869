"""The benchmarks run, and what they measure on is what they say; no time is asserted."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import duckdb
import nbformat
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import books, cases, page, report, results, tools
from benchmarks.__main__ import main
from benchmarks.columns import numbers, rows, texts
from benchmarks.csv_text import write_csv
from benchmarks.jtl_text import write_jtl
from benchmarks.mmpmon_text import write_mmpmon
from benchmarks.plain_parser import parse
from benchmarks.rpt_text import write_rpt
from benchmarks.sar_activities import SLES11, SYSSTAT12
from benchmarks.sar_text import write_sar
from studybook import formats
from tests.support.project import remember

Writer = Callable[..., None]

WRITERS: dict[str, Writer] = {
    "sar-sles11": lambda path, size, seed: write_sar(path, SLES11, size, seed=seed),
    "sar-12": lambda path, size, seed: write_sar(path, SYSSTAT12, size, seed=seed),
    "mmpmon": lambda path, size, seed: write_mmpmon(path, size, seed=seed),
    "rpt": lambda path, size, seed: write_rpt(path, size, seed=seed),
    "jtl": lambda path, size, seed: write_jtl(path, size, seed=seed),
}


@given(
    st.lists(st.integers(-(10**17), 10**17), min_size=1, max_size=5),
    st.integers(0, 4),
    st.integers(0, 12),
)
def test_numbers_are_printed_as_printf_does(values: list[int], decimals: int, width: int) -> None:
    text = rows(numbers(np.array(values), decimals, width), "\n").decode()
    sign = {True: "-", False: ""}
    for value, line in zip(values, text.split("\n"), strict=False):
        whole, rest = divmod(abs(value), 10**decimals)
        plain = f"{sign[value < 0]}{whole}" + (f".{rest:0{decimals}}" if decimals else "")
        assert line == f"{plain:>{width}}"


def test_texts_of_any_length_stand_side_by_side() -> None:
    assert rows("<", texts(["a", "long"], np.array([1, 0])), ">") == b"<long><a>"


@pytest.mark.parametrize("name", WRITERS)
def test_a_seed_gives_one_file_and_another_seed_another(name: str, tmp_path: Path) -> None:
    written = []
    for number, seed in enumerate((1, 1, 2)):
        path = tmp_path / str(number)
        WRITERS[name](path, 300_000, seed)
        written.append(path.read_bytes())
    assert written[0] == written[1] != written[2]


@pytest.mark.parametrize("name", WRITERS)
def test_every_line_of_the_files_is_understood(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](path, 400_000, 1)
    kept: dict[str, int] = {}

    def sink(table: str, found: pa.Table) -> None:
        kept[table] = kept.get(table, 0) + found.num_rows

    found, reading = formats.read(path, sink)
    assert found.source == name.split("-")[0]
    assert reading.not_understood == []
    assert reading.lines == path.read_bytes().count(b"\n")
    assert reading.rows == kept


def test_large_files_have_the_size_asked_for(tmp_path: Path) -> None:
    for version in (SLES11, SYSSTAT12):
        write_sar(tmp_path / "sar", version, 3_000_000)
        assert (tmp_path / "sar").stat().st_size == pytest.approx(3_000_000, rel=0.02)


def test_both_sides_find_the_same_numbers(tmp_path: Path) -> None:
    """What is compared with does the work, too: its rows and sums are those of the text."""
    path = tmp_path / "sar.txt"
    write_sar(path, SLES11, 300_000)
    with duckdb.connect() as connection:
        parse(path, connection, datetime(2016, 6, 14))
        (count, total) = connection.execute(
            'SELECT count(*), sum("tps") FROM "tps rtps wtps bread/s bwrtn/s"'
        ).fetchall()[0]
    text = path.read_text(encoding="utf-8").split("\n\n")
    lines = [
        line.split()
        for section in text
        if "tps      rtps" in section
        for line in section.splitlines()[1:]
        if line[0].isdigit()
    ]
    assert count == len(lines)
    assert total == pytest.approx(sum(float(words[1]) for words in lines))


def test_the_plain_csv_is_one_that_duckdb_reads(tmp_path: Path) -> None:
    write_csv(tmp_path / "plain.csv", 100_000)
    with duckdb.connect() as connection:
        described = connection.execute(
            "DESCRIBE FROM read_csv(?)", [str(tmp_path / "plain.csv")]
        ).fetchall()
    assert [kind for _, kind, *_ in described] == ["TIMESTAMP", "VARCHAR", *["DOUBLE"] * 12]


@pytest.mark.parametrize(
    ("case", "processors"), [("sar-sles11", ()), ("many-files", ("--processors", "1"))]
)
def test_a_case_runs_from_end_to_end(
    case: str,
    processors: Sequence[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One with one processor and with all, as when nothing is said of that; one with one.

    What loads begins with what was worked out of the library's models before: no time is asserted.
    """
    make = cases._project

    def project(folder: Path, files: list[str], data_set: str = "bench") -> Path:
        run = make(folder, files, data_set)
        remember(folder)
        return run

    monkeypatch.setattr(cases, "_project", project)
    found = tmp_path / "found.json"
    options = ["--size-mb", "1", "--turns", "1", "--folder", str(tmp_path), "--json", str(found)]
    code = main([*options, *processors, "--only", case])
    assert code in (0, 1)  # how fast this machine is, no test says
    printed = capsys.readouterr().out
    assert "together MiB" in printed
    measured_cases = json.loads(found.read_text(encoding="utf-8"))["cases"]
    every = {1} if processors else {1, len(os.sched_getaffinity(0))}
    assert {measured["processors"] for measured in measured_cases} == every
    for each in (each for measured in measured_cases for each in measured["comparisons"]):
        assert each["against"] in printed
        assert len(each["ratios"]) == 1
    # Python with its libraries, at the least.
    assert all(100 < each["tasks"][0]["together_mib"][0] < 2000 for each in measured_cases)
    assert [path.name for path in tmp_path.iterdir()] == ["found.json"]


def test_tables_page_and_chart_are_those_of_the_results() -> None:
    """Nobody types them: ``python -m benchmarks --again`` writes them."""
    found = results.read()
    assert report.between(report.README) == report.of_readme(found)
    assert report.between(page.PAGE) == page.of_page(found)
    assert page.CHART.read_text(encoding="utf-8") == page.drawn(found)


def some(**changes: object) -> results.Found:
    """What was measured, of one load with one processor and with two, and of one book."""

    def case(name: str, processors: int, seconds: float, **more: object) -> results.Found:
        ours = {"label": name, "bytes": 2_000_000, "seconds": [seconds], "models_s": [1.0],
                "report_s": [0.5], "peak_mib": [500.0], "together_mib": [1000.0],
                "load": [2.9]}  # fmt: skip
        other = {**ours, "label": "other", "seconds": [3.0]}
        ratio = {"against": "other", "ratios": [3.0 / seconds], "target": 1.5}
        return {"case": name, "processors": processors, "bytes": 2_000_000, "whole": False,
                "tasks": [ours, other], "comparisons": [ratio], **more}  # fmt: skip

    return {
        "conditions": results.conditions(),
        "left_out": ["Snakemake: there is no such thing"],
        "cases": [
            case("a load", 1, 4.0), case("a load", 2, 1.0), case("book", 2, 6.0, whole=True),
        ],
        **changes,
    }  # fmt: skip


def test_each_target_is_judged_and_a_loss_is_shown() -> None:
    speed, whole, processors, reports, memory = report.tables(some())
    assert [row[-4:] for row in speed.rows] == [
        ["0.75", "0.75–0.75", "≥ 1.5", "NO"],
        ["3.00", "3.00–3.00", "≥ 1.5", "yes"],
    ]
    assert [row[-1] for row in whole.rows] == ["NO"]
    # 4 + 1 + 0.5 seconds with one, 1 + 1 + 0.5 with two
    assert [row[3:6] for row in processors.rows] == [["2.50", "5.50", "2.20"]]
    assert [row[-1] for row in reports.rows] == ["yes", "yes"]
    # As much memory for each processor: one of them has twice as much here as it may.
    assert [row[-1] for row in memory.rows] == ["NO", "yes"]
    assert not report.met(some())
    said = page.answer(some())
    assert "5 of 8 targets are met." in said
    assert "With other, a book takes 50.0 % less time than with this project." in said
    assert "Slower than what it stands beside: book (against other)." in said
    assert "left out: Snakemake: there is no such thing" in report.text(some())
    assert "other work" not in report.measured(some())
    twice = some()
    twice["cases"][0]["comparisons"][0]["ratios"] *= 2
    assert "; 1 or 2 turns." in report.measured(twice)
    busy = some()
    busy["cases"][0]["tasks"][0]["load"] = [7.0]
    assert "other work meanwhile, a load of up to 7 on 2 processors" in report.measured(busy)


def test_the_results_stand_between_their_marks_in_readme_and_page(tmp_path: Path) -> None:
    for place, written in ((report.README, report.of_readme), (page.PAGE, page.of_page)):
        before = place.read_text(encoding="utf-8")
        copy = tmp_path / place.name
        copy.write_text(before, encoding="utf-8")
        for _ in range(2):
            report.put(copy, written(some()))
        after = copy.read_text(encoding="utf-8")
        assert "; 1 turn." in after
        assert "Left out: Snakemake" in after
        assert after.split(report.BEGIN)[0] == before.split(report.BEGIN)[0]
        assert after.split(report.END)[1] == before.split(report.END)[1]


def test_what_is_not_there_is_left_out_with_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """JMeter where nobody says that it may be fetched: nothing was measured, and it says why."""
    with pytest.raises(tools.NotThereError, match="--tools"):
        tools.snakemake(None)
    assert main(["--only", "jtl", "--size-mb", "1", "--folder", str(tmp_path)]) == 0
    assert "left out: jtl: JMeter: --tools does not say" in capsys.readouterr().out
    assert [*tmp_path.iterdir()] == []


def test_others_get_the_same_notebooks_and_nothing_of_ours(tmp_path: Path) -> None:
    root = books.reference(tmp_path / "ours", 4)
    plain = books.plain(root, tmp_path / "plain")
    ours = {path.stem for path in root.glob("notebooks/*/*.ipynb")}
    notebooks = sorted(plain.glob("notebooks/*/*.ipynb"))
    assert len(notebooks) == 4
    assert {path.stem for path in notebooks} == ours
    reports = sorted(plain.glob("pipelines/load/*.ipynb"))
    content = {path.stem: nbformat.read(path, as_version=4) for path in [*notebooks, *reports]}
    assert {"all", "sar", "ior"} <= set(content)
    assert not any(cell.get("outputs") for each in content.values() for cell in each.cells)
    (written,) = [cell.source for cell in content["sar"].cells if cell.source == "source = 'sar'"]
    assert written not in [cell.source for cell in content["all"].cells]
    assert "studybook" not in (plain / "_config.yml").read_text(encoding="utf-8")
    listed = re.findall(r"file: (\S+)", (plain / "_toc.yml").read_text(encoding="utf-8"))
    for name in listed:
        assert (plain / f"{name}.md").is_file() or (plain / f"{name}.ipynb").is_file(), name
    assert {f"notebooks/{path.parent.name}/{path.stem}" for path in notebooks} <= set(listed)
